-- How many investigations were ever deleted. Row numbers, revisions and times come back when one is deleted and imported again: what
-- is kept in memory would be taken for the new one. A trigger counts: no way of writing passes it by.

CREATE TABLE deletion (
    count INTEGER NOT NULL
) STRICT;

INSERT INTO deletion VALUES (0);

CREATE TRIGGER investigation_deleted AFTER DELETE ON investigation BEGIN
    UPDATE deletion SET count = count + 1;
END;
