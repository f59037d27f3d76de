-- What authors decide about a link: what its page shows, and when the link is closed.

ALTER TABLE link ADD COLUMN shows TEXT COLLATE "C" NOT NULL DEFAULT 'nothing';
-- The version that the page shows; NULL for the current one.
ALTER TABLE link ADD COLUMN version BIGINT;
ALTER TABLE link ADD COLUMN expires_at BIGINT;
ALTER TABLE link ADD COLUMN max_visits BIGINT;
ALTER TABLE link ADD COLUMN archived BOOLEAN NOT NULL DEFAULT false;

-- How many of the visits of an attempt were counted: a limited link counts fewer.
ALTER TABLE visit_mark ADD COLUMN added BIGINT NOT NULL DEFAULT 0;
