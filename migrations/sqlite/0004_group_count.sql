-- How many investigations each group of the list has, so that a list need not count them. Triggers keep it: no way of
-- writing passes them by.

CREATE TABLE group_count (
    group_key  TEXT    NOT NULL PRIMARY KEY,
    curriculum TEXT,
    count      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO group_count SELECT group_key, min(curriculum), count(*) FROM investigation GROUP BY group_key;

CREATE TRIGGER investigation_comes AFTER INSERT ON investigation BEGIN
    INSERT INTO group_count VALUES (new.group_key, new.curriculum, 1)
    ON CONFLICT (group_key) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER investigation_goes AFTER DELETE ON investigation BEGIN
    UPDATE group_count SET count = count - 1 WHERE group_key = old.group_key;
    DELETE FROM group_count WHERE group_key = old.group_key AND count = 0;
END;

CREATE TRIGGER investigation_moves AFTER UPDATE OF group_key ON investigation WHEN new.group_key <> old.group_key BEGIN
    UPDATE group_count SET count = count - 1 WHERE group_key = old.group_key;
    DELETE FROM group_count WHERE group_key = old.group_key AND count = 0;
    INSERT INTO group_count VALUES (new.group_key, new.curriculum, 1)
    ON CONFLICT (group_key) DO UPDATE SET count = count + 1;
END;
