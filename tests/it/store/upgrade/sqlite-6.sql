INSERT INTO webhook (endpoint, after_n, after_at) VALUES ('0c7d', 1, 1700000000000);
INSERT INTO webhook_retry (endpoint, n, at, attempts, due) VALUES ('0c7d', 1, 1700000000000, 2, 1700000300000)
