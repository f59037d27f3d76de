-- How far deliveries to each endpoint are: every event up to this one was delivered, or waits to be sent again, or was given up.
-- One copy of the service delivers at a time: whoever holds the endpoint, until it lets go of it or is not heard of any more.

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
