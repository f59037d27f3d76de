-- The investigation as entries of its chat show it, each state once: entries with no change between them share one.
-- Entries written before this step hold their text themselves.

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

-- The digest of the entry's snapshot.
ALTER TABLE chat_entry ADD COLUMN snapshot BYTEA;
