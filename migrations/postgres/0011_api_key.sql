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
