-- Identifiers are 24 hexadecimal digits, times are milliseconds since 1970 in UTC, documents are JSON text.
-- The file for the other engine has the same tables and columns; a test compares them.

CREATE TABLE investigation (
    -- Internal number, which everything that belongs to the investigation refers to. It is never given again, because rows
    -- of a deleted investigation stay for a while.
    body                INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT    NOT NULL UNIQUE,
    revision            INTEGER NOT NULL,
    status              TEXT    NOT NULL,
    author              TEXT,
    metadata_author     TEXT,
    -- Who created it, also in the name of another author; NULL for an import, or without a user. Only the limit for one
    -- user needs it.
    creator             TEXT,
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

-- With what lists filter by, so that a filter need not read the contents of all investigations.
CREATE INDEX investigation_by_group_and_creation
    ON investigation (group_key, created_at DESC, id DESC, author, status, grade, curriculum, title);
CREATE INDEX investigation_by_creation ON investigation (created_at, id);
CREATE INDEX investigation_by_creator ON investigation (creator);

-- The words of each investigation, folded by the domain and parted by spaces; the row is that of the investigation.
CREATE VIRTUAL TABLE search USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- How many investigations each group of the list has, so that a list need not count them; in slots, so that not all
-- writers wait for one row.
CREATE TABLE group_count (
    group_key  TEXT    NOT NULL,
    slot       INTEGER NOT NULL,
    curriculum TEXT,
    count      INTEGER NOT NULL,
    PRIMARY KEY (group_key, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE version_record (
    body       INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    parent     INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    by_user    TEXT,
    with_ai    INTEGER NOT NULL,
    undone     INTEGER NOT NULL,
    -- How many records lie between this one and the full copy that it can be rebuilt from.
    since_copy INTEGER NOT NULL,
    changes    TEXT    NOT NULL,
    -- The name that a person gave to the version.
    name       TEXT,
    PRIMARY KEY (body, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX version_record_by_parent ON version_record (body, parent, version);
CREATE INDEX version_record_named ON version_record (body, version) WHERE name IS NOT NULL;

-- Which records changed which top-level field.
CREATE TABLE version_field (
    body    INTEGER NOT NULL,
    -- The field's name where it is short, else its digest: an index entry has a limit. A record of many fields has one
    -- entry for all, '*'.
    field   TEXT    NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (body, field, version)
) STRICT, WITHOUT ROWID;

-- A full copy now and then, so that any version can be rebuilt from few records.
CREATE TABLE content_copy (
    body    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    content TEXT    NOT NULL,
    PRIMARY KEY (body, version)
) STRICT;

CREATE TABLE chat (
    -- Internal number, which the entries refer to. It is never given again, because entries of a deleted chat stay for a while.
    n       INTEGER PRIMARY KEY AUTOINCREMENT,
    body    INTEGER NOT NULL UNIQUE,
    id      TEXT NOT NULL,
    entries INTEGER NOT NULL
) STRICT;

CREATE TABLE chat_entry (
    chat     INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    entry    TEXT NOT NULL,
    -- The digest of the entry's snapshot; NULL if the entry does not show the investigation.
    snapshot BLOB,
    PRIMARY KEY (chat, place)
) STRICT;

-- The investigation as entries of its chat show it, each state once: entries with no change between them share one.
CREATE TABLE chat_snapshot (
    chat   INTEGER NOT NULL,
    -- SHA-256 of the text.
    digest BLOB NOT NULL,
    -- The length of the text in bytes.
    length INTEGER NOT NULL,
    -- The text, compressed with zlib.
    packed BLOB NOT NULL,
    PRIMARY KEY (chat, digest)
) STRICT;

CREATE TABLE link (
    n           INTEGER PRIMARY KEY,
    body        INTEGER NOT NULL,
    id          TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    sub_link    TEXT    NOT NULL,
    description TEXT    NOT NULL,
    creator     TEXT,
    created_at  INTEGER NOT NULL,
    visit_count INTEGER NOT NULL,
    -- What authors decide about a link: what its page shows, and when the link is closed.
    shows       TEXT    NOT NULL,
    -- The version that the page shows; NULL for the current one.
    version     INTEGER,
    expires_at  INTEGER,
    max_visits  INTEGER,
    archived    INTEGER NOT NULL,
    -- Whether another link got the address while the investigation was deleted.
    displaced   INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX link_by_address ON link (key, sub_link) WHERE NOT displaced;
CREATE INDEX link_by_investigation ON link (body, n);
CREATE INDEX link_by_creator ON link (creator, created_at, id);

CREATE TABLE link_day (
    link  INTEGER NOT NULL REFERENCES link (n) ON DELETE CASCADE,
    day   TEXT    NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (link, day)
) STRICT, WITHOUT ROWID;

-- Pictures, each once for each investigation that holds it.
CREATE TABLE picture (
    body         INTEGER NOT NULL,
    -- The SHA-256 of the bytes, in hexadecimal digits.
    id           TEXT    NOT NULL,
    media_type   TEXT    NOT NULL,
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    -- When it was sent, as long as no content has shown it; NULL afterwards, since versions show it for ever.
    unused_since INTEGER,
    bytes        BLOB    NOT NULL,
    PRIMARY KEY (body, id)
) STRICT;

CREATE INDEX picture_unused ON picture (unused_since) WHERE unused_since IS NOT NULL;

-- What a language model found in a content, by the key of everything that its answer depends on.
-- The numbers grow, so that the oldest can go.
CREATE TABLE detection (
    n        INTEGER PRIMARY KEY,
    -- The investigation for which the model was asked. Its deletion deletes them.
    body     INTEGER NOT NULL,
    key      TEXT    NOT NULL,
    findings TEXT    NOT NULL,
    UNIQUE (body, key)
) STRICT;

CREATE INDEX detection_by_key ON detection (key);

-- The first answers to requests that may be sent again (`Idempotency-Key`), for a day.
CREATE TABLE first_answer (
    caller  TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    -- The digest of what was asked.
    request TEXT    NOT NULL,
    -- What was created, as JSON.
    answer  TEXT    NOT NULL,
    -- Whether the answer is this to the end.
    settled INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (caller, key)
) STRICT;

CREATE INDEX first_answer_by_time ON first_answer (at);

-- What happened to investigations, for those who listen; for some days. The numbers grow, and the last one is never taken out.
CREATE TABLE event (
    -- Always 0: only one program writes.
    xact          INTEGER NOT NULL DEFAULT 0,
    n             INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    investigation TEXT    NOT NULL,
    revision      INTEGER NOT NULL,
    what          TEXT    NOT NULL
) STRICT;

-- Ends with n, so the events of an investigation are read in order.
CREATE INDEX event_by_investigation ON event (investigation);

-- How far deliveries to each endpoint are: every event up to this one was delivered, or waits to be sent again, or was given up.
-- One copy of the service delivers at a time: whichever holds the endpoint, until it lets go of it or is not heard of any more.
CREATE TABLE webhook (
    endpoint   TEXT    NOT NULL PRIMARY KEY,
    after_xact INTEGER NOT NULL,
    after_n    INTEGER NOT NULL,
    after_at   INTEGER NOT NULL,
    holder     TEXT,
    held_until INTEGER
) STRICT, WITHOUT ROWID;

-- Events that an endpoint did not take, each with when it is sent again.
CREATE TABLE webhook_retry (
    endpoint TEXT    NOT NULL REFERENCES webhook (endpoint),
    xact     INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due      INTEGER NOT NULL,
    PRIMARY KEY (endpoint, xact, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_retry_by_time ON webhook_retry (endpoint, due);

-- Who did what to which record. Never what anybody wrote.
CREATE TABLE audit (
    -- A number is never given again, also if the newest entry expires.
    n             INTEGER PRIMARY KEY AUTOINCREMENT,
    at            INTEGER NOT NULL,
    investigation TEXT,
    entry         TEXT NOT NULL
) STRICT;

CREATE INDEX audit_of ON audit (investigation, n);
CREATE INDEX audit_by_time ON audit (at);

-- The people who can sign in, and what was decided about them.
CREATE TABLE person (
    id              TEXT NOT NULL PRIMARY KEY,
    name            TEXT,
    email           TEXT,
    -- The e-mail address in lower case. No two people have the same.
    email_key       TEXT UNIQUE,
    -- The folded words of the name, each with a space before it, for searches and the order of lists.
    words           TEXT NOT NULL,
    role            TEXT,
    -- The role that the provider gave at the last sign-in.
    provider_role   TEXT,
    status          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    last_sign_in_at INTEGER,
    -- Whether somebody added the person here, or the provider did, and who named them.
    origin          TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX person_by_name ON person (words, id);
-- For the last active admin, who must stay one.
CREATE INDEX person_admin ON person (id) WHERE role = 'admin';

-- Slow digests of passwords.
CREATE TABLE password (
    person TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions of people on the page. Only a digest of each cookie is stored.
CREATE TABLE session (
    digest       TEXT NOT NULL PRIMARY KEY,
    person       TEXT NOT NULL,
    began_by     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_person ON session (person);
CREATE INDEX session_by_use ON session (last_used_at);

-- The newest sign-in link of each person that was not used. Only a digest of its code is stored.
CREATE TABLE sign_in_link (
    person     TEXT NOT NULL PRIMARY KEY,
    digest     TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_link_by_time ON sign_in_link (created_at);

-- Attempts to sign in with the provider that were used, until they would be too old anyway. Only a digest of each state is
-- stored.
CREATE TABLE used_attempt (
    digest TEXT NOT NULL PRIMARY KEY,
    at     INTEGER NOT NULL
);

CREATE INDEX used_attempt_by_time ON used_attempt (at);

-- The number of changes after which somebody may have other rights, in its only row. What a copy of the service has read
-- about people counts as long as the number stays.
CREATE TABLE people_changes (
    one INTEGER NOT NULL PRIMARY KEY,
    n   INTEGER NOT NULL
) STRICT;

-- Keys of programs, which send them as bearer tokens. Only a digest of each is stored.
CREATE TABLE api_key (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL,
    bearer       TEXT    NOT NULL,
    role         TEXT    NOT NULL,
    digest       BLOB    NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;

-- Deleted investigations that can be restored. A deletion moves the row of the investigation here, so no other query needs to
-- exclude it, and a restore moves it back. What belongs to it stays where it is.
CREATE TABLE trash (
    body                INTEGER PRIMARY KEY,
    id                  TEXT    NOT NULL UNIQUE,
    revision            INTEGER NOT NULL,
    status              TEXT    NOT NULL,
    author              TEXT,
    metadata_author     TEXT,
    creator             TEXT,
    last_change_with_ai INTEGER NOT NULL,
    version             INTEGER NOT NULL,
    latest_version      INTEGER NOT NULL,
    cloned_from         TEXT,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    group_key           TEXT    NOT NULL,
    curriculum_key      TEXT    NOT NULL,
    title_key           TEXT    NOT NULL,
    grade_key           TEXT    NOT NULL,
    curriculum          TEXT,
    grade               TEXT,
    title               TEXT,
    findings            TEXT    NOT NULL,
    content             TEXT    NOT NULL,
    -- The beginning of the title, for the list of the trash.
    shown_title         TEXT,
    deleted_at          INTEGER NOT NULL,
    deleted_by          TEXT
) STRICT;

CREATE INDEX trash_by_deletion ON trash (deleted_at, id);
CREATE INDEX trash_by_author ON trash (author, deleted_at, id);
CREATE INDEX trash_by_creator ON trash (creator);

-- What was deleted for good, by the kind and the number that its rows in other tables have. They are deleted in slices.
CREATE TABLE removed (
    kind TEXT    NOT NULL,
    n    INTEGER NOT NULL,
    PRIMARY KEY (kind, n)
) STRICT, WITHOUT ROWID;

-- The secret that signs what the service gives to visitors of links.
CREATE TABLE secret (
    n      INTEGER PRIMARY KEY CHECK (n = 1),
    secret TEXT    NOT NULL
) STRICT;

-- The clock that decides what has expired, in its only row. The machine's clock may be wrong for a while.
CREATE TABLE expiry_clock (
    one INTEGER NOT NULL PRIMARY KEY,
    at  INTEGER NOT NULL
) STRICT;

-- Which writes were carried out. A write whose answer was lost claims its mark: if it cannot, the write was carried out.
CREATE TABLE write_mark (
    mark    TEXT    NOT NULL PRIMARY KEY,
    at      INTEGER NOT NULL,
    -- Whether the mark was claimed after the write; if so, the write can never be stored.
    claimed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX write_mark_by_time ON write_mark (at);

-- Which users have an investigation open.
CREATE TABLE presence (
    investigation TEXT    NOT NULL,
    user_id       TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (investigation, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX presence_by_user ON presence (user_id, at);
CREATE INDEX presence_by_time ON presence (at);
