-- Keys of programs, which send them as bearer tokens. Only a digest of each is stored.

CREATE TABLE api_key (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL,
    bearer       TEXT    NOT NULL,
    roles        TEXT    NOT NULL,
    digest       BLOB    NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;
