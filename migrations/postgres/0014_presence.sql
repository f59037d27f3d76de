-- Which users have an investigation open. It is written often and worth nothing after a minute, so it is not logged.

CREATE UNLOGGED TABLE presence (
    investigation TEXT COLLATE "C" NOT NULL,
    user_id       TEXT COLLATE "C" NOT NULL,
    at            BIGINT           NOT NULL,
    PRIMARY KEY (investigation, user_id)
);

CREATE INDEX presence_by_user ON presence (user_id, at);
CREATE INDEX presence_by_time ON presence (at);
