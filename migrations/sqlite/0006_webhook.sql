-- How far deliveries to each endpoint are: every event up to this one was delivered, or waits to be sent again, or was given up.

CREATE TABLE webhook (
    endpoint TEXT    NOT NULL PRIMARY KEY,
    after_n  INTEGER NOT NULL,
    after_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Events that an endpoint did not take, each with when it is sent again.
CREATE TABLE webhook_retry (
    endpoint TEXT    NOT NULL REFERENCES webhook (endpoint),
    n        INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due      INTEGER NOT NULL,
    PRIMARY KEY (endpoint, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_retry_by_time ON webhook_retry (endpoint, due);
