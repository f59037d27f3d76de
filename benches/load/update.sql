-- An update of one field, as the service stores it: reads the investigation, and then stores the new revision, the
-- changed search words, the version record with its field, the event and the audit entry, in one transaction and one
-- round trip. The transaction also stores a random mark, by which the service can find out later whether this write is
-- stored (see src/store/write.rs). Leaves out the columns that do not change, and the full copies of documents, which
-- are stored rarely.
--
-- Each connection has a share of the investigations, so that updates never conflict. A number in JSON has a space
-- before it, because pgbench would read :1 as a variable.
\set body 1 + :client_id * :share + random(0, :share - 1)
\set mark random(1, 9000000000000000)
SELECT i.id, i.status, i.author, i.metadata_author, i.last_change_with_ai, i.findings, i.version, i.latest_version,
    i.revision, i.cloned_from, i.created_at, i.updated_at, i.content
FROM investigation i WHERE i.body = :body \gset
\startpipeline
BEGIN;
INSERT INTO write_mark (mark, at, claimed) VALUES (:mark::text, (extract(epoch FROM now()) * 1000)::bigint, false);
UPDATE investigation SET revision = revision + 1, version = latest_version + 1, latest_version = latest_version + 1,
    updated_at = updated_at + 1, findings = :findings, content = :content
WHERE id = :id AND revision = :revision;
DELETE FROM search_word WHERE body = :body AND word = 'w' || :revision::text;
INSERT INTO search_word (body, word) VALUES (:body, 'w' || (:revision::bigint + 1)::text) ON CONFLICT DO NOTHING;
INSERT INTO version_record (body, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes)
VALUES (:body, :latest_version::bigint + 1, :version, 'update', :updated_at::bigint + 1, 'aaaaaaaaaaaaaaaaaaaaaaaa',
    false, false, 1, '[{"path":"phenomenon",
    "before":"Look: Light reaches the leaf. Light reaches the leaf. Light reaches the leaf.",
    "after":"Look: Light reaches the leaf. Light reaches the leaf. Light reaches the leaf. Light reaches it."}]');
INSERT INTO version_field (body, version, field) VALUES (:body, :latest_version::bigint + 1, '=phenomenon');
INSERT INTO audit (at, investigation, entry) VALUES (:updated_at::bigint + 1, :id, '{"action":"update","outcome":"done"}');
INSERT INTO event (at, investigation, revision, what) VALUES (:updated_at::bigint + 1, :id, :revision::bigint + 1,
    '{"type":"updated","by":"update","version": 1,"fields":["phenomenon"],"more": false}');
COMMIT;
\endpipeline
