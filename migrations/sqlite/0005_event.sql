-- What happened to investigations, for those who listen; for some days. The numbers grow, and the last one is never taken out.

CREATE TABLE event (
    n             INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    investigation TEXT    NOT NULL,
    revision      INTEGER NOT NULL,
    what          TEXT    NOT NULL
) STRICT;
