-- What an update of one field sends: the row, a mark, the words that came, a version record and its field.
-- First what it reads: the document.
\set number random(0, 255)
\set mark random(1, 9000000000000000)
SELECT id, revision, version, content AS content FROM investigation ORDER BY id LIMIT 1 OFFSET :number \gset
WITH won AS (
    UPDATE investigation SET revision = revision + 1, version = latest_version + 1, latest_version = latest_version + 1,
        updated_at = updated_at + 1, content = content, findings = findings
    WHERE id = :id AND NOT EXISTS (SELECT 1 FROM commit_mark m WHERE m.investigation = :id AND m.mark = :mark::text)
    RETURNING id, revision, version),
marked AS (INSERT INTO commit_mark (investigation, revision, mark) SELECT id, revision, :mark::text FROM won),
added AS (INSERT INTO search_word (investigation, word) SELECT id, 'w' || :mark FROM won ON CONFLICT DO NOTHING),
recorded AS (
    INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes)
    SELECT id, version, version - 1, 'update', 1, NULL, false, false, 1,
        '[{"path":"phenomenon","before":"Look: Light reaches the leaf.","after":"Look: Light reaches."}]'
    FROM won RETURNING investigation, version),
fields AS (
    INSERT INTO version_field (investigation, version, field) SELECT investigation, version, 'phenomenon' FROM recorded)
SELECT 1 FROM won;
