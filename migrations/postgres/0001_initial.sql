-- Identifiers are 24 hexadecimal digits, times are milliseconds since 1970 in UTC, documents are JSON text.
-- The tables of an investigation lead with it (or with the link), so that rows can be shared out by it.
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

-- How many investigations each group of the list has, so that a list need not count them; in slots, so that not all
-- writers wait for one row.
CREATE TABLE group_count (
    group_key  TEXT COLLATE "C" NOT NULL,
    slot       INTEGER NOT NULL,
    curriculum TEXT,
    count      BIGINT  NOT NULL,
    PRIMARY KEY (group_key, slot)
);

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
    -- The name that a person gave to the version.
    name          TEXT,
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
    -- The digest of the entry's snapshot; NULL if the entry does not show the investigation.
    snapshot      BYTEA,
    PRIMARY KEY (investigation, place)
);

-- The investigation as entries of its chat show it, each state once: entries with no change between them share one.
CREATE TABLE chat_snapshot (
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    -- SHA-256 of the text.
    digest        BYTEA   NOT NULL,
    -- The length of the text in bytes.
    length        BIGINT  NOT NULL,
    -- The text, compressed with zlib.
    packed        BYTEA   NOT NULL,
    PRIMARY KEY (investigation, digest)
);

ALTER TABLE chat_snapshot ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE link (
    key           TEXT COLLATE "C" NOT NULL,
    sub_link      TEXT COLLATE "C" NOT NULL,
    id            TEXT    NOT NULL,
    investigation TEXT COLLATE "C" NOT NULL REFERENCES investigation (id) ON DELETE CASCADE,
    -- Its place among the links of the investigation.
    place         BIGINT  NOT NULL,
    description   TEXT    NOT NULL,
    creator       TEXT,
    created_at    BIGINT  NOT NULL,
    visit_count   BIGINT  NOT NULL,
    -- What authors decide about a link: what its page shows, and when the link is closed.
    shows         TEXT COLLATE "C" NOT NULL DEFAULT 'nothing',
    -- The version that the page shows; NULL for the current one.
    version       BIGINT,
    expires_at    BIGINT,
    max_visits    BIGINT,
    archived      BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (key, sub_link)
);

CREATE INDEX link_by_investigation ON link (investigation, place);
CREATE INDEX link_by_creator ON link (creator, created_at, id);

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
    -- How many of the visits of an attempt were counted: a limited link counts fewer.
    added         BIGINT      NOT NULL DEFAULT 0,
    PRIMARY KEY (key, sub_link, mark)
);

CREATE INDEX visit_mark_by_time ON visit_mark (at);

-- What a language model found in a content, by the key of everything that its answer depends on.
-- The numbers grow, so that the oldest can go.
CREATE TABLE detection (
    key      TEXT COLLATE "C" PRIMARY KEY,
    n        BIGINT GENERATED BY DEFAULT AS IDENTITY,
    findings TEXT NOT NULL
);

CREATE INDEX detection_by_number ON detection (n);

-- The first answers to requests that may be sent again (`Idempotency-Key`), for a day.
CREATE TABLE first_answer (
    caller  TEXT COLLATE "C" NOT NULL,
    key     TEXT COLLATE "C" NOT NULL,
    -- The digest of what was asked.
    request TEXT    NOT NULL,
    -- What was created, as JSON.
    answer  TEXT    NOT NULL,
    -- Whether the answer is this to the end.
    settled BOOLEAN NOT NULL,
    at      BIGINT  NOT NULL,
    PRIMARY KEY (caller, key)
);

CREATE INDEX first_answer_by_time ON first_answer (at);

-- What happened to investigations, for those who listen; for some days.
-- Numbers are given before commits, so that a lower one may be seen later than a higher one. With its transaction a row says when
-- all before it have been seen: once no older transaction is under way.
CREATE TABLE event (
    transaction   BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    n             BIGINT GENERATED BY DEFAULT AS IDENTITY,
    at            BIGINT NOT NULL,
    investigation TEXT COLLATE "C" NOT NULL,
    revision      BIGINT NOT NULL,
    what          TEXT   NOT NULL,
    PRIMARY KEY (transaction, n)
);

-- How far deliveries to each endpoint are: every event up to this one was delivered, or waits to be sent again, or was given up.
-- One copy of the service delivers at a time: whichever holds the endpoint, until it lets go of it or is not heard of any more.
CREATE TABLE webhook (
    endpoint          TEXT COLLATE "C" PRIMARY KEY,
    after_transaction BIGINT NOT NULL,
    after_n           BIGINT NOT NULL,
    after_at          BIGINT NOT NULL,
    holder            TEXT,
    held_until        TIMESTAMPTZ
);

-- Events that an endpoint did not take, each with when it is sent again.
CREATE TABLE webhook_retry (
    endpoint    TEXT COLLATE "C" NOT NULL REFERENCES webhook (endpoint),
    transaction BIGINT  NOT NULL,
    n           BIGINT  NOT NULL,
    at          BIGINT  NOT NULL,
    attempts    INTEGER NOT NULL,
    due         BIGINT  NOT NULL,
    PRIMARY KEY (endpoint, transaction, n)
);

CREATE INDEX webhook_retry_by_time ON webhook_retry (endpoint, due);

-- Who did what to which record. Never what anybody wrote.
CREATE TABLE audit (
    n             BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    investigation TEXT COLLATE "C",
    entry         TEXT NOT NULL
);

CREATE INDEX audit_of ON audit (investigation, n);

-- Keys of programs, which send them as bearer tokens. Only a digest of each is stored.
CREATE TABLE api_key (
    id           TEXT COLLATE "C" PRIMARY KEY,
    name         TEXT   NOT NULL,
    bearer       TEXT   NOT NULL,
    roles        TEXT   NOT NULL,
    digest       BYTEA  NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at   BIGINT
);

-- Deleted investigations that can be restored, one row each, so that no other query needs to exclude them.
CREATE TABLE trash (
    id         TEXT COLLATE "C" PRIMARY KEY,
    author     TEXT,
    deleted_at BIGINT NOT NULL,
    -- Its last revision.
    revision   BIGINT NOT NULL,
    -- What the list of the trash shows.
    item       TEXT   NOT NULL,
    -- The links with their visits, as an export has them.
    links      TEXT   NOT NULL,
    -- Everything else as an export has it, compressed with zlib.
    packed     BYTEA  NOT NULL
);

ALTER TABLE trash ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE INDEX trash_by_deletion ON trash (deleted_at, id);
CREATE INDEX trash_by_author ON trash (author, deleted_at, id);

-- Which users have an investigation open. It is written often and worth nothing after a minute, so it is not logged.
CREATE UNLOGGED TABLE presence (
    investigation TEXT COLLATE "C" NOT NULL,
    user_id       TEXT COLLATE "C" NOT NULL,
    at            BIGINT           NOT NULL,
    PRIMARY KEY (investigation, user_id)
);

CREATE INDEX presence_by_user ON presence (user_id, at);
CREATE INDEX presence_by_time ON presence (at);
