-- The investigation as entries of its chat show it, each state once: entries with no change between them share one.
-- Entries written before this step hold their text themselves.

CREATE TABLE chat_snapshot (
    n        INTEGER PRIMARY KEY,
    chat     INTEGER NOT NULL REFERENCES chat (n) ON DELETE CASCADE,
    -- SHA-256 of the text.
    digest   BLOB    NOT NULL,
    -- The length of the text in bytes.
    length   INTEGER NOT NULL,
    -- The text, compressed with zlib.
    packed   BLOB    NOT NULL,
    UNIQUE (chat, digest)
) STRICT;

-- The digest of the entry's snapshot.
ALTER TABLE chat_entry ADD COLUMN snapshot BLOB;
