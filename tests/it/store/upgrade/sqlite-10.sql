INSERT INTO audit (n, investigation, entry) VALUES (1, '65a000000000000000000010',
    '{"at":"2024-01-11T14:26:40.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"65a000000000000000000010","action":"investigation.created"}');
