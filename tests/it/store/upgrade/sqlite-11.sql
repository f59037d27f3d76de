INSERT INTO api_key (id, name, bearer, roles, digest, created_at) VALUES
    ('65a0000000000000000000a1', 'Export', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'reader', x'00ff', 1705000000000);
