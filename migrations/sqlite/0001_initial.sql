-- Identifiers are 24 hexadecimal digits, times are milliseconds since 1970 in UTC, documents are JSON text.

CREATE TABLE investigation (
    n                   INTEGER PRIMARY KEY,
    id                  TEXT    NOT NULL UNIQUE,
    revision            INTEGER NOT NULL,
    status              TEXT    NOT NULL,
    author              TEXT,
    metadata_author     TEXT,
    last_change_with_ai INTEGER NOT NULL,
    version             INTEGER NOT NULL,
    latest_version      INTEGER NOT NULL,
    cloned_from         TEXT,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    -- What lists order and filter by; made by the domain, compared byte by byte. Keys are cut, the others whole.
    group_key           TEXT    NOT NULL,
    curriculum_key      TEXT    NOT NULL,
    title_key           TEXT    NOT NULL,
    grade_key           TEXT    NOT NULL,
    curriculum          TEXT,
    grade               TEXT,
    title               TEXT,
    findings            TEXT    NOT NULL,
    content             TEXT    NOT NULL
) STRICT;

CREATE INDEX investigation_by_group_and_creation ON investigation (group_key, created_at DESC, id DESC);
CREATE INDEX investigation_by_creation ON investigation (created_at, id);

-- The words of each investigation, folded by the domain and parted by spaces; the row is that of the investigation.
CREATE VIRTUAL TABLE search USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TABLE version_record (
    investigation  INTEGER NOT NULL REFERENCES investigation (n) ON DELETE CASCADE,
    version        INTEGER NOT NULL,
    parent         INTEGER NOT NULL,
    kind           TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    by_user        TEXT,
    with_ai        INTEGER NOT NULL,
    undone         INTEGER NOT NULL,
    -- How many records lie between this one and the full copy that it can be rebuilt from.
    since_copy     INTEGER NOT NULL,
    changes        TEXT    NOT NULL,
    PRIMARY KEY (investigation, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX version_record_by_parent ON version_record (investigation, parent, version);

-- Which records changed which top-level field.
CREATE TABLE version_field (
    investigation INTEGER NOT NULL REFERENCES investigation (n) ON DELETE CASCADE,
    field         TEXT    NOT NULL,
    version       INTEGER NOT NULL,
    PRIMARY KEY (investigation, field, version)
) STRICT, WITHOUT ROWID;

-- A full copy now and then, so that any version can be rebuilt from few records.
CREATE TABLE content_copy (
    n             INTEGER PRIMARY KEY,
    investigation INTEGER NOT NULL REFERENCES investigation (n) ON DELETE CASCADE,
    version       INTEGER NOT NULL,
    content       TEXT    NOT NULL,
    UNIQUE (investigation, version)
) STRICT;

CREATE TABLE chat (
    n             INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    investigation INTEGER NOT NULL UNIQUE REFERENCES investigation (n) ON DELETE CASCADE
) STRICT;

CREATE TABLE chat_entry (
    n     INTEGER PRIMARY KEY,
    chat  INTEGER NOT NULL REFERENCES chat (n) ON DELETE CASCADE,
    entry TEXT    NOT NULL
) STRICT;

CREATE INDEX chat_entry_by_chat ON chat_entry (chat, n);

CREATE TABLE link (
    n             INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    investigation INTEGER NOT NULL REFERENCES investigation (n) ON DELETE CASCADE,
    key           TEXT    NOT NULL,
    sub_link      TEXT    NOT NULL,
    description   TEXT    NOT NULL,
    creator       TEXT,
    created_at    INTEGER NOT NULL,
    visit_count   INTEGER NOT NULL,
    UNIQUE (key, sub_link)
) STRICT;

CREATE INDEX link_by_investigation ON link (investigation, n);

CREATE TABLE link_day (
    link  INTEGER NOT NULL REFERENCES link (n) ON DELETE CASCADE,
    day   TEXT    NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (link, day)
) STRICT, WITHOUT ROWID;
