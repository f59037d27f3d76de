-- What a language model found in a content, by the key of everything that its answer hangs on.
-- The row numbers grow, so that the oldest can go.

CREATE TABLE detection (
    n        INTEGER PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,
    findings TEXT    NOT NULL
) STRICT;
