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
    UNIQUE (caller, key)
) STRICT;

CREATE INDEX first_answer_by_time ON first_answer (at);
