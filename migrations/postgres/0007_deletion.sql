-- Every row says which transaction wrote it, so that deletions need not be counted here. The step stands for its number, which is
-- the same on every backend.
SELECT 1;
