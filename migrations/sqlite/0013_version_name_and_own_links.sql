-- The name that a person gave to a version, and an index for the list of the links that a user created.

ALTER TABLE version_record ADD COLUMN name TEXT;
CREATE INDEX link_by_creator ON link (creator, created_at, id);
