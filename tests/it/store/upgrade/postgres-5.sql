INSERT INTO event (at, investigation, revision, what) VALUES (1700000000000, '65a000000000000000000010', 1, '{"type":"created"}')
