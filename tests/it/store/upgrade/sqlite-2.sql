-- What a language model found.

INSERT INTO detection (key, findings) VALUES (
    '5f0c', '{"contradictions":[],"hints":[]}');
