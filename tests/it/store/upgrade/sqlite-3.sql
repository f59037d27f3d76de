-- The first answer to a creation.

INSERT INTO first_answer (caller, key, request, answer, settled, at) VALUES (
    'user aaaaaaaaaaaaaaaaaaaaaaaa', 'again', '1dbed70a0a62d554a744d4206f37a63784298eb890268c050166e138fee1ec6e', '{"_id":"65a000000000000000000011","status":"draft_incomplete","author":"aaaaaaaaaaaaaaaaaaaaaaaa","metadataAuthor":null,"lastChangeWithAI":false,"findings":{"contradictions":[],"hints":[]},"version":0,"latestVersion":0,"revision":1,"clonedFrom":null,"createdAt":"2026-11-20T07:33:26.000Z","updatedAt":"2026-11-20T07:33:26.000Z","content":{"title":"Radish","curriculum":"NGSS"}}', 1, 1795244400000);
