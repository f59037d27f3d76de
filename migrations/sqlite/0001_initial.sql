-- Identifiers are 24 hexadecimal digits, times are milliseconds since 1970 in UTC, documents are JSON text.
-- The file for the other engine has the same tables and columns; a test compares them.

CREATE TABLE investigation (
    -- Internal number, to which the rows of other tables refer. A number is never reused, because rows of a deleted
    -- investigation stay for a while.
    body                INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT    NOT NULL UNIQUE,
    revision            INTEGER NOT NULL,
    status              TEXT    NOT NULL,
    author              TEXT,
    metadata_author     TEXT,
    -- The user who created the investigation, who may differ from the author; NULL if it was imported, or if no user
    -- was signed in. Only the limit on investigations per user uses it.
    creator             TEXT,
    last_change_with_ai INTEGER NOT NULL,
    version             INTEGER NOT NULL,
    latest_version      INTEGER NOT NULL,
    cloned_from         TEXT,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    -- Values by which lists are sorted and filtered. The domain computes them, and they are compared byte by byte. The
    -- values in columns that end in `_key` are truncated, the other values are not.
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

-- This index includes the columns of the filters, so that a filtered list does not have to read the contents of all
-- investigations.
CREATE INDEX investigation_by_group_and_creation
    ON investigation (group_key, created_at DESC, id DESC, author, status, grade, curriculum, title);
CREATE INDEX investigation_by_creation ON investigation (created_at, id);
CREATE INDEX investigation_by_creator ON investigation (creator);

-- The words of each investigation, which the domain normalizes and separates with spaces. The `rowid` of a row is the
-- `body` of its investigation.
CREATE VIRTUAL TABLE search USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- Number of investigations in each group (those with the same curriculum), so that a list does not have to count them.
-- Each group has several counters (slots), so that writers do not all wait for one row.
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
    -- Number of versions since the last full copy of the content: 0 if this version has a full copy.
    since_copy INTEGER NOT NULL,
    changes    TEXT    NOT NULL,
    -- The name that a person gave to the version.
    name       TEXT,
    PRIMARY KEY (body, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX version_record_by_parent ON version_record (body, parent, version);
CREATE INDEX version_record_named ON version_record (body, version) WHERE name IS NOT NULL;

-- For each top-level field, the version records that changed it.
CREATE TABLE version_field (
    body    INTEGER NOT NULL,
    -- '=' and the name of the field, or '#' and the digest of a long name, because the size of an index entry is
    -- limited. A record that changes many fields has a single entry, '*'.
    field   TEXT    NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (body, field, version)
) STRICT, WITHOUT ROWID;

-- A full copy of the content at some versions, so that any version can be rebuilt from few records.
CREATE TABLE content_copy (
    body    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    content TEXT    NOT NULL,
    PRIMARY KEY (body, version)
) STRICT;

CREATE TABLE chat (
    -- Internal number, to which the entries refer. A number is never reused, because entries of a deleted chat stay for
    -- a while.
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

-- The states of the investigation that entries of its chat show. Entries between which nothing changed share one state.
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
    -- The options that authors set: what the page of the link shows, and when the link is closed.
    shows       TEXT    NOT NULL,
    -- The version that the page shows; NULL for the current one.
    version     INTEGER,
    expires_at  INTEGER,
    max_visits  INTEGER,
    archived    INTEGER NOT NULL,
    -- Whether another link took the address while the investigation was in the trash.
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

-- The bytes of pictures. Investigations that hold the same picture share them.
CREATE TABLE picture_file (
    -- The SHA-256 of the bytes, in hexadecimal digits.
    id    TEXT PRIMARY KEY NOT NULL,
    bytes BLOB NOT NULL
) STRICT;

-- The pictures that each investigation holds.
CREATE TABLE picture (
    body         INTEGER NOT NULL,
    id           TEXT    NOT NULL REFERENCES picture_file (id),
    media_type   TEXT    NOT NULL,
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    -- The number of bytes.
    size         INTEGER NOT NULL,
    -- When the picture was uploaded; NULL once a version of the investigation has shown it, because versions are kept.
    unused_since INTEGER,
    PRIMARY KEY (body, id)
) STRICT;

CREATE INDEX picture_by_file ON picture (id);
CREATE INDEX picture_unused ON picture (unused_since) WHERE unused_since IS NOT NULL;

-- The bytes are deleted with the last picture that needs them.
CREATE TRIGGER picture_deleted AFTER DELETE ON picture BEGIN
    DELETE FROM picture_file WHERE id = OLD.id AND NOT EXISTS (SELECT 1 FROM picture p WHERE p.id = OLD.id);
END;

-- Cached findings of language models. The key is a hash of everything that the findings depend on. The numbers
-- increase, so that the oldest entries can be deleted.
CREATE TABLE detection (
    n        INTEGER PRIMARY KEY,
    -- The investigation for which the model was asked. If it is deleted, these findings are deleted, too.
    body     INTEGER NOT NULL,
    key      TEXT    NOT NULL,
    findings TEXT    NOT NULL,
    UNIQUE (body, key)
) STRICT;

CREATE INDEX detection_by_key ON detection (key);

-- The answers to requests with an `Idempotency-Key`, for one day. A repeated request gets the same answer.
CREATE TABLE first_answer (
    caller  TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    -- The digest of the request.
    request TEXT    NOT NULL,
    -- The created record, as JSON.
    answer  TEXT    NOT NULL,
    -- Whether the answer is final.
    settled INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (caller, key)
) STRICT;

CREATE INDEX first_answer_by_time ON first_answer (at);

-- Events of investigations, which are kept for some days. The numbers increase, and the last event is never deleted.
CREATE TABLE event (
    -- Always 0, because only one program writes.
    xact          INTEGER NOT NULL DEFAULT 0,
    n             INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    investigation TEXT    NOT NULL,
    revision      INTEGER NOT NULL,
    actor         TEXT,
    what          TEXT    NOT NULL
) STRICT;

-- SQLite appends `n` to each entry of this index, so that the events of an investigation are read in order.
CREATE INDEX event_by_investigation ON event (investigation);

-- The last event that was queued for each endpoint: every event up to this one is in webhook_delivery, was delivered, or
-- was given up. Only the copy of the service that has the lease (`holder`) delivers, until it releases the lease or the
-- lease expires.
CREATE TABLE webhook (
    endpoint   TEXT    NOT NULL PRIMARY KEY,
    after_xact INTEGER NOT NULL,
    after_n    INTEGER NOT NULL,
    after_at   INTEGER NOT NULL,
    holder     TEXT,
    held_until INTEGER
) STRICT, WITHOUT ROWID;

-- Events that an endpoint has not accepted yet. `actor` is the user who made the change, or empty, so that users take
-- turns. `due` is the time of the next attempt after a failure.
CREATE TABLE webhook_delivery (
    endpoint TEXT NOT NULL REFERENCES webhook (endpoint),
    xact     INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due      INTEGER,
    PRIMARY KEY (endpoint, xact, n)
) STRICT;

CREATE INDEX webhook_delivery_by_actor ON webhook_delivery (endpoint, actor, xact, n) WHERE due IS NULL;
CREATE INDEX webhook_delivery_by_time ON webhook_delivery (endpoint, due) WHERE due IS NOT NULL;

-- The audit log: who did what to which record. It never contains text that users wrote.
CREATE TABLE audit (
    -- A number is never reused, even if the newest entry expires.
    n             INTEGER PRIMARY KEY AUTOINCREMENT,
    at            INTEGER NOT NULL,
    investigation TEXT,
    entry         TEXT NOT NULL
) STRICT;

CREATE INDEX audit_of ON audit (investigation, n);
CREATE INDEX audit_by_time ON audit (at);

-- The directory of people, with their roles and statuses.
CREATE TABLE person (
    id              TEXT NOT NULL PRIMARY KEY,
    name            TEXT,
    email           TEXT,
    -- The e-mail address in lower case. No two people have the same.
    email_key       TEXT UNIQUE,
    -- The folded words of the name, each after a space, for searches and for the order of lists.
    words           TEXT NOT NULL,
    role            TEXT,
    -- The role that the provider gave at the last sign-in.
    provider_role   TEXT,
    status          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    last_sign_in_at INTEGER,
    -- Whether the person was added in Fieldbook or by the provider, and which of them set the name.
    origin          TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX person_by_name ON person (words, id);
-- For the check that an active admin remains.
CREATE INDEX person_admin ON person (id) WHERE role = 'admin';

-- Password hashes (Argon2id).
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

-- The newest sign-in link of each person, until it is used. Only a digest of its code is stored.
CREATE TABLE sign_in_link (
    person     TEXT NOT NULL PRIMARY KEY,
    digest     TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_link_by_time ON sign_in_link (created_at);

-- Used attempts to sign in with the provider, until they would have expired. Only a digest of each state is stored.
CREATE TABLE used_attempt (
    digest TEXT NOT NULL PRIMARY KEY,
    at     INTEGER NOT NULL
);

CREATE INDEX used_attempt_by_time ON used_attempt (at);

-- The only row is a counter of the changes that may affect the rights of a person. A copy of the service uses the
-- people in its cache only as long as the counter stays the same.
CREATE TABLE people_changes (
    one INTEGER NOT NULL PRIMARY KEY,
    n   INTEGER NOT NULL
) STRICT;

-- API keys, which programs send as bearer tokens. Only a digest of each is stored.
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

-- Deleted investigations that can be restored. A deletion moves the row of the investigation here, so no other query
-- needs to exclude it, and a restore moves it back. The rows of other tables stay in place.
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

-- Permanently deleted investigations and chats, by kind and internal number. Their rows in other tables are deleted in
-- slices.
CREATE TABLE removed (
    kind TEXT    NOT NULL,
    n    INTEGER NOT NULL,
    PRIMARY KEY (kind, n)
) STRICT, WITHOUT ROWID;

-- The secret that signs tokens and cookies that the service gives to browsers.
CREATE TABLE secret (
    n      INTEGER PRIMARY KEY CHECK (n = 1),
    secret TEXT    NOT NULL
) STRICT;

-- The only row is the time of the service's own clock. That clock decides what has expired, because the machine's clock
-- may be wrong for a while.
CREATE TABLE expiry_clock (
    one INTEGER NOT NULL PRIMARY KEY,
    at  INTEGER NOT NULL
) STRICT;

-- A write that must happen only once stores a mark with it. If the answer to the write is lost, the service claims the
-- mark by storing it, too. If the mark already exists, the write was stored.
CREATE TABLE write_mark (
    mark    TEXT    NOT NULL PRIMARY KEY,
    at      INTEGER NOT NULL,
    -- Whether the mark was claimed after the answer was lost. If so, the write can never be stored.
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
