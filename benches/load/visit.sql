-- The transaction that counts a visit of one link, as the service runs it: locks the link, locks its investigation
-- against deletion, stores the mark of the write (see src/store/write.rs), and adds to the counts of the link and of
-- the day.
\set mark random(1, 9000000000000000)
BEGIN;
SELECT l.n AS link FROM link l JOIN investigation i ON i.body = l.body
    WHERE l.key = 'bench' AND l.sub_link = :sub_link AND NOT l.displaced FOR KEY SHARE OF i FOR NO KEY UPDATE OF l \gset
\startpipeline
INSERT INTO write_mark (mark, at, claimed) VALUES (:mark::text, (extract(epoch FROM now()) * 1000)::bigint, false);
UPDATE link SET visit_count = visit_count + 1 WHERE n = :link::bigint;
INSERT INTO link_day (link, day, count) VALUES (:link::bigint, '2026-01-01', 1)
    ON CONFLICT (link, day) DO UPDATE SET count = link_day.count + excluded.count;
COMMIT;
\endpipeline
