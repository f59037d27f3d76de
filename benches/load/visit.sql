-- The statement that counts a visit of one link: adds to its count, stores the mark of the visit, and adds to the count
-- of the day.
\set mark random(1, 9000000000000000)
WITH counted AS (
    UPDATE link SET visit_count = visit_count + 1
    WHERE key = 'bench' AND sub_link = :sub_link
        AND NOT EXISTS (SELECT 1 FROM visit_mark m WHERE m.key = 'bench' AND m.sub_link = :sub_link AND m.mark = :mark::text)
    RETURNING key, sub_link, investigation, visit_count),
marked AS (
    INSERT INTO visit_mark (key, sub_link, mark, investigation, count_after)
    SELECT key, sub_link, :mark::text, investigation, visit_count FROM counted),
daily AS (
    INSERT INTO link_day (key, sub_link, day, count) SELECT key, sub_link, '2026-01-01', 1 FROM counted
    ON CONFLICT (key, sub_link, day) DO UPDATE SET count = link_day.count + excluded.count)
SELECT investigation, visit_count FROM counted;
