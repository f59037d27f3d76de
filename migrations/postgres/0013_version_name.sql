-- The name that a person gave to a version.

ALTER TABLE version_record ADD COLUMN name TEXT;
