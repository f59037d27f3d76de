-- Identifiers are 24 hexadecimal digits, times are milliseconds since 1970 in UTC, documents are JSON text.
-- Every table but the last two leads with the investigation (or the link), so that rows can be shared out by it.
-- What lists compare byte by byte has the collation "C".

CREATE TABLE investigation (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    revision            BIGINT  NOT NULL,
    status              TEXT COLLATE "C" NOT NULL,
    author              TEXT,
    metadata_author     TEXT,
    last_change_with_ai BOOLEAN NOT NULL,
    version             BIGINT  NOT NULL,
    latest_version      BIGINT  NOT NULL,
    cloned_from         TEXT,
    created_at          BIGINT  NOT NULL,
    updated_at          BIGINT  NOT NULL,
    -- What lists order and filter by; made by the domain. Keys are cut, the others whole.
    group_key           TEXT COLLATE "C" NOT NULL,
    curriculum_key      TEXT COLLATE "C" NOT NULL,
    title_key           TEXT COLLATE "C" NOT NULL,
    grade_key           TEXT COLLATE "C" NOT NULL,
    curriculum          TEXT,
    grade               TEXT,
    title               TEXT,
    findings            TEXT    NOT NULL,
    content             TEXT    NOT NULL
);

CREATE INDEX investigation_by_group_and_creation ON investigation (group_key, created_at DESC, id DESC);
CREATE INDEX investigation_by_creation ON investigation (created_at, id);

-- The distinct words of each investigation, folded by the domain.
CREATE TABLE search_word (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    word          TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (investigation, word)
);

CREATE INDEX search_word_by_word ON search_word (word, investigation);

-- Which commits were carried out: one whose answer was lost is looked up here. Those of the last thousand revisions stay.
CREATE TABLE commit_mark (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    mark          TEXT COLLATE "C" NOT NULL,
    revision      BIGINT NOT NULL,
    PRIMARY KEY (investigation, mark)
);

CREATE INDEX commit_mark_by_revision ON commit_mark (investigation, revision);

CREATE TABLE version_record (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    version       BIGINT  NOT NULL,
    parent        BIGINT  NOT NULL,
    kind          TEXT    NOT NULL,
    at            BIGINT  NOT NULL,
    by_user       TEXT,
    with_ai       BOOLEAN NOT NULL,
    undone        BOOLEAN NOT NULL,
    -- How many records lie between this one and the full copy that it can be rebuilt from.
    since_copy    INTEGER NOT NULL,
    changes       TEXT    NOT NULL,
    PRIMARY KEY (investigation, version)
);

CREATE INDEX version_record_by_parent ON version_record (investigation, parent, version);

-- Which records changed which top-level field.
CREATE TABLE version_field (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    -- The field's name where it is short, else its digest: an index entry has a limit.
    field         TEXT COLLATE "C" NOT NULL,
    version       BIGINT NOT NULL,
    PRIMARY KEY (investigation, field, version)
);

-- A full copy now and then, so that any version can be rebuilt from few records.
CREATE TABLE content_copy (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    version       BIGINT NOT NULL,
    content       TEXT   NOT NULL,
    PRIMARY KEY (investigation, version)
);

CREATE TABLE chat (
    investigation TEXT COLLATE "C" PRIMARY KEY REFERENCES investigation (id) ON DELETE CASCADE,
    id            TEXT   NOT NULL,
    entries       BIGINT NOT NULL
);

CREATE TABLE chat_entry (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    place         BIGINT NOT NULL,
    entry         TEXT   NOT NULL,
    PRIMARY KEY (investigation, place)
);

CREATE TABLE link (
    key           TEXT COLLATE "C" NOT NULL,
    sub_link      TEXT COLLATE "C" NOT NULL,
    id            TEXT   NOT NULL,
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    -- Its place among the links of the investigation.
    place         BIGINT NOT NULL,
    description   TEXT   NOT NULL,
    creator       TEXT,
    created_at    BIGINT NOT NULL,
    visit_count   BIGINT NOT NULL,
    PRIMARY KEY (key, sub_link)
);

CREATE INDEX link_by_investigation ON link (investigation, place);

CREATE TABLE link_day (
    key      TEXT COLLATE "C" NOT NULL,
    sub_link TEXT COLLATE "C" NOT NULL,
    day      TEXT COLLATE "C" NOT NULL,
    count    BIGINT NOT NULL,
    PRIMARY KEY (key, sub_link, day),
    FOREIGN KEY (key, sub_link) REFERENCES link (key, sub_link) ON DELETE CASCADE
);

-- Which visits were counted: those whose answer was lost are looked up here. The last hour stays.
CREATE TABLE visit_mark (
    key           TEXT COLLATE "C" NOT NULL,
    sub_link      TEXT COLLATE "C" NOT NULL,
    mark          TEXT        NOT NULL,
    investigation TEXT        NOT NULL,
    count_after   BIGINT      NOT NULL,
    at            TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (key, sub_link, mark)
);

CREATE INDEX visit_mark_by_time ON visit_mark (at);

-- How many investigations each group has, in slots, so that not all writers wait for one row.
CREATE TABLE group_count (
    group_key  TEXT COLLATE "C" NOT NULL,
    slot       INTEGER NOT NULL,
    curriculum TEXT,
    count      BIGINT  NOT NULL,
    PRIMARY KEY (group_key, slot)
);

-- What a language model found in a content, by the key of everything that its answer hangs on.
-- The numbers grow, so that the oldest can go.
CREATE TABLE detection (
    key      TEXT COLLATE "C" PRIMARY KEY,
    n        BIGINT GENERATED BY DEFAULT AS IDENTITY,
    findings TEXT NOT NULL
);

CREATE INDEX detection_by_number ON detection (n);
