INSERT INTO webhook (endpoint, after_transaction, after_n, after_at, holder) SELECT '0c7d', transaction, n, at, 'a' FROM event;
INSERT INTO webhook_retry (endpoint, transaction, n, at, attempts, due) SELECT '0c7d', transaction, n, at, 2, 1700000300000 FROM event
