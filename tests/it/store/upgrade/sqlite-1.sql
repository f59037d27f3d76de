-- Three investigations: one with records, of which one is undone, a chat and links; one; and its clone.

INSERT INTO investigation (n, id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content) VALUES (
    1, '65a000000000000000000010', 4, 'draft_incomplete', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaa', 0, 1, 2, NULL, 1795160000000, 1795160003000, '0ngss' || char(1) || '0bfa6ec60e7a20b0', 'ngss', 'cress in spring', '', 'NGSS', NULL, 'cress in spring', '{"contradictions":[{"fieldName":"durationMinutes","conflictsWith":["steps"],"reason":"The steps take 50 minutes, but the lesson lasts 40.","evidence":[{"fieldPath":"durationMinutes","quote":"40"},{"fieldPath":"steps.0.minutes","quote":"30"},{"fieldPath":"steps.1.minutes","quote":"20"}],"suggestion":"Set the duration to 50 minutes, or shorten the steps.","source":"rule:duration_sum"}],"hints":[]}', '{"title":"Cress in spring","curriculum":"NGSS","durationMinutes":40,"steps":[{"text":"Sow","minutes":30},{"text":"Water","minutes":20}],"a.b":[1.5,null,{"x":1e+300}]}');
INSERT INTO investigation (n, id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content) VALUES (
    2, '65a000000000000000000011', 1, 'draft_incomplete', 'aaaaaaaaaaaaaaaaaaaaaaaa', NULL, 0, 0, 0, NULL, 1795160006000, 1795160006000, '0ngss' || char(1) || '0bfa6ec60e7a20b0', 'ngss', 'radish', '', 'NGSS', NULL, 'radish', '{"contradictions":[],"hints":[]}', '{"title":"Radish","curriculum":"NGSS"}');
INSERT INTO investigation (n, id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content) VALUES (
    3, '65a000000000000000000012', 2, 'published', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaa', 0, 1, 1, '65a000000000000000000011', 1795160007000, 1795160008000, '1', '', 'radish', '', NULL, NULL, 'radish', '{"contradictions":[],"hints":[]}', '{"title":"Radish"}');
INSERT INTO search (rowid, words) VALUES (
    1, '1 1e 20 30 300 40 5 cress in ngss sow spring water');
INSERT INTO search (rowid, words) VALUES (
    2, 'ngss radish');
INSERT INTO search (rowid, words) VALUES (
    3, 'radish');
INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes) VALUES (
    1, 1, 0, 'update', 1795160001000, 'aaaaaaaaaaaaaaaaaaaaaaaa', 0, 0, 1, '[{"path":["grade"],"before":"5","position":1},{"path":["title"],"before":"Größe 10","after":"Cress in spring"}]');
INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes) VALUES (
    1, 2, 1, 'resolve', 1795160002000, 'aaaaaaaaaaaaaaaaaaaaaaaa', 1, 1, 2, '[{"path":["durationMinutes"],"before":40,"after":50}]');
INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes) VALUES (
    3, 1, 0, 'update', 1795160008000, 'aaaaaaaaaaaaaaaaaaaaaaaa', 0, 0, 1, '[{"path":["curriculum"],"before":"NGSS"}]');
INSERT INTO version_field (investigation, field, version) VALUES (
    1, 'durationMinutes', 2);
INSERT INTO version_field (investigation, field, version) VALUES (
    1, 'grade', 1);
INSERT INTO version_field (investigation, field, version) VALUES (
    1, 'title', 1);
INSERT INTO version_field (investigation, field, version) VALUES (
    3, 'curriculum', 1);
INSERT INTO content_copy (investigation, version, content) VALUES (
    1, 0, '{"title":"Größe 10","grade":"5","curriculum":"NGSS","durationMinutes":40,"steps":[{"text":"Sow","minutes":30},{"text":"Water","minutes":20}],"a.b":[1.5,null,{"x":1e+300}]}');
INSERT INTO content_copy (investigation, version, content) VALUES (
    3, 0, '{"title":"Radish","curriculum":"NGSS"}');
INSERT INTO chat (n, id, investigation) VALUES (
    1, '65a000000000000000000020', 1);
INSERT INTO chat (n, id, investigation) VALUES (
    2, '65a000000000000000000021', 2);
INSERT INTO chat (n, id, investigation) VALUES (
    3, '65a000000000000000000022', 3);
INSERT INTO chat_entry (chat, entry) VALUES (
    1, '{"user":{"content":""},"assistant":{"content":"Changed durationMinutes from 40 to 50. The steps take 50 minutes, but the lesson lasts 40.","metadata":"{\"_id\":\"65a000000000000000000010\",\"title\":\"Cress in spring\",\"curriculum\":\"NGSS\",\"durationMinutes\":50,\"steps\":[{\"text\":\"Sow\",\"minutes\":30},{\"text\":\"Water\",\"minutes\":20}],\"a.b\":[1.5,null,{\"x\":1e+300}],\"status\":\"draft_incomplete\",\"author\":{\"id\":\"aaaaaaaaaaaaaaaaaaaaaaaa\",\"name\":null,\"email\":null,\"avatar\":null},\"metadata\":{\"author\":\"aaaaaaaaaaaaaaaaaaaaaaaa\"},\"lastChangeWithAI\":true,\"contradictions\":[],\"hints\":[],\"version\":2,\"revision\":3,\"clonedFrom\":null,\"createdAt\":\"2026-11-20T07:33:20.000Z\",\"updatedAt\":\"2026-11-20T07:33:22.000Z\"}","content_for_llm":"[investigation_provided]"}}');
INSERT INTO link (n, id, investigation, key, sub_link, description, creator, created_at, visit_count) VALUES (
    1, '65a000000000000000000030', 1, 'cress', 'a1', 'é', 'aaaaaaaaaaaaaaaaaaaaaaaa', 1795160004000, 3);
INSERT INTO link (n, id, investigation, key, sub_link, description, creator, created_at, visit_count) VALUES (
    2, '65a000000000000000000031', 1, 'cress', 'b2', '', 'aaaaaaaaaaaaaaaaaaaaaaaa', 1795160005000, 0);
INSERT INTO link_day (link, day, count) VALUES (
    1, '2026-11-20', 3);
