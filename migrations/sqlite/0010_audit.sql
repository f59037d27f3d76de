-- Who did what to which record, for good. Never what anybody wrote.

CREATE TABLE audit (
    n             INTEGER PRIMARY KEY,
    investigation TEXT,
    entry         TEXT NOT NULL
) STRICT;

CREATE INDEX audit_of ON audit (investigation, n);
