-- Three investigations: one with records, of which one is undone, a chat and links; one; and its clone. Here what a
-- language model found and the counts of groups were there from the beginning.

INSERT INTO investigation (id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content) VALUES (
    '65a000000000000000000010', 4, 'draft_incomplete', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaa', false, 1, 2, NULL, 1795160000000, 1795160003000, '0ngss' || chr(1) || '0bfa6ec60e7a20b0', 'ngss', 'cress in spring', '', 'NGSS', NULL, 'cress in spring', '{"contradictions":[{"fieldName":"durationMinutes","conflictsWith":["steps"],"reason":"The steps take 50 minutes, but the lesson lasts 40.","evidence":[{"fieldPath":"durationMinutes","quote":"40"},{"fieldPath":"steps.0.minutes","quote":"30"},{"fieldPath":"steps.1.minutes","quote":"20"}],"suggestion":"Set the duration to 50 minutes, or shorten the steps.","source":"rule:duration_sum"}],"hints":[]}', '{"title":"Cress in spring","curriculum":"NGSS","durationMinutes":40,"steps":[{"text":"Sow","minutes":30},{"text":"Water","minutes":20}],"a.b":[1.5,null,{"x":1e+300}]}');
INSERT INTO investigation (id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content) VALUES (
    '65a000000000000000000011', 1, 'draft_incomplete', 'aaaaaaaaaaaaaaaaaaaaaaaa', NULL, false, 0, 0, NULL, 1795160006000, 1795160006000, '0ngss' || chr(1) || '0bfa6ec60e7a20b0', 'ngss', 'radish', '', 'NGSS', NULL, 'radish', '{"contradictions":[],"hints":[]}', '{"title":"Radish","curriculum":"NGSS"}');
INSERT INTO investigation (id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content) VALUES (
    '65a000000000000000000012', 2, 'published', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaa', false, 1, 1, '65a000000000000000000011', 1795160007000, 1795160008000, '1', '', 'radish', '', NULL, NULL, 'radish', '{"contradictions":[],"hints":[]}', '{"title":"Radish"}');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '1');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '1e');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '20');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '30');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '300');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '40');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', '5');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', 'cress');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', 'in');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', 'ngss');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', 'sow');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', 'spring');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000010', 'water');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000011', 'ngss');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000011', 'radish');
INSERT INTO search_word (investigation, word) VALUES (
    '65a000000000000000000012', 'radish');
INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes) VALUES (
    '65a000000000000000000010', 1, 0, 'update', 1795160001000, 'aaaaaaaaaaaaaaaaaaaaaaaa', false, false, 1, '[{"path":["grade"],"before":"5","position":1},{"path":["title"],"before":"Größe 10","after":"Cress in spring"}]');
INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes) VALUES (
    '65a000000000000000000010', 2, 1, 'resolve', 1795160002000, 'aaaaaaaaaaaaaaaaaaaaaaaa', true, true, 2, '[{"path":["durationMinutes"],"before":40,"after":50}]');
INSERT INTO version_record (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes) VALUES (
    '65a000000000000000000012', 1, 0, 'update', 1795160008000, 'aaaaaaaaaaaaaaaaaaaaaaaa', false, false, 1, '[{"path":["curriculum"],"before":"NGSS"}]');
INSERT INTO version_field (investigation, field, version) VALUES (
    '65a000000000000000000010', 'durationMinutes', 2);
INSERT INTO version_field (investigation, field, version) VALUES (
    '65a000000000000000000010', 'grade', 1);
INSERT INTO version_field (investigation, field, version) VALUES (
    '65a000000000000000000010', 'title', 1);
INSERT INTO version_field (investigation, field, version) VALUES (
    '65a000000000000000000012', 'curriculum', 1);
INSERT INTO content_copy (investigation, version, content) VALUES (
    '65a000000000000000000010', 0, '{"title":"Größe 10","grade":"5","curriculum":"NGSS","durationMinutes":40,"steps":[{"text":"Sow","minutes":30},{"text":"Water","minutes":20}],"a.b":[1.5,null,{"x":1e+300}]}');
INSERT INTO content_copy (investigation, version, content) VALUES (
    '65a000000000000000000012', 0, '{"title":"Radish","curriculum":"NGSS"}');
INSERT INTO chat (investigation, id, entries) VALUES (
    '65a000000000000000000010', '65a000000000000000000020', 1);
INSERT INTO chat (investigation, id, entries) VALUES (
    '65a000000000000000000011', '65a000000000000000000021', 0);
INSERT INTO chat (investigation, id, entries) VALUES (
    '65a000000000000000000012', '65a000000000000000000022', 0);
INSERT INTO chat_entry (investigation, place, entry) VALUES (
    '65a000000000000000000010', 1, '{"user":{"content":""},"assistant":{"content":"Changed durationMinutes from 40 to 50. The steps take 50 minutes, but the lesson lasts 40.","metadata":"{\"_id\":\"65a000000000000000000010\",\"title\":\"Cress in spring\",\"curriculum\":\"NGSS\",\"durationMinutes\":50,\"steps\":[{\"text\":\"Sow\",\"minutes\":30},{\"text\":\"Water\",\"minutes\":20}],\"a.b\":[1.5,null,{\"x\":1e+300}],\"status\":\"draft_incomplete\",\"author\":{\"id\":\"aaaaaaaaaaaaaaaaaaaaaaaa\",\"name\":null,\"email\":null,\"avatar\":null},\"metadata\":{\"author\":\"aaaaaaaaaaaaaaaaaaaaaaaa\"},\"lastChangeWithAI\":true,\"contradictions\":[],\"hints\":[],\"version\":2,\"revision\":3,\"clonedFrom\":null,\"createdAt\":\"2026-11-20T07:33:20.000Z\",\"updatedAt\":\"2026-11-20T07:33:22.000Z\"}","content_for_llm":"[investigation_provided]"}}');
INSERT INTO link (key, sub_link, id, investigation, place, description, creator, created_at, visit_count) VALUES (
    'cress', 'a1', '65a000000000000000000030', '65a000000000000000000010', 1, 'é', 'aaaaaaaaaaaaaaaaaaaaaaaa', 1795160004000, 3);
INSERT INTO link (key, sub_link, id, investigation, place, description, creator, created_at, visit_count) VALUES (
    'cress', 'b2', '65a000000000000000000031', '65a000000000000000000010', 2, '', 'aaaaaaaaaaaaaaaaaaaaaaaa', 1795160005000, 0);
INSERT INTO link_day (key, sub_link, day, count) VALUES (
    'cress', 'a1', '2026-11-20', 3);
INSERT INTO group_count (group_key, slot, curriculum, count) VALUES (
    '0ngss' || chr(1) || '0bfa6ec60e7a20b0', 0, 'NGSS', 1);
INSERT INTO group_count (group_key, slot, curriculum, count) VALUES (
    '0ngss' || chr(1) || '0bfa6ec60e7a20b0', 1, 'NGSS', 1);
INSERT INTO group_count (group_key, slot, curriculum, count) VALUES (
    '1', 2, NULL, 1);
INSERT INTO detection (key, findings) VALUES (
    '5f0c', '{"contradictions":[],"hints":[]}');
