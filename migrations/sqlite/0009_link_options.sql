-- What authors decide about a link: what its page shows, and when the link is closed.

ALTER TABLE link ADD COLUMN shows TEXT NOT NULL DEFAULT 'nothing';
-- The version that the page shows; NULL for the current one.
ALTER TABLE link ADD COLUMN version INTEGER;
ALTER TABLE link ADD COLUMN expires_at INTEGER;
ALTER TABLE link ADD COLUMN max_visits INTEGER;
ALTER TABLE link ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
