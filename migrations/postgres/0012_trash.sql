-- Deleted investigations that can be restored, one row each, so that nothing else needs to know of them.

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
