//! Unit tests of `src/store/sqlite/readers.rs`.

use std::sync::mpsc;

use super::*;

fn readers(size: usize) -> Readers {
    Readers::new((0..size).map(|_| Connection::open_in_memory().expect("a store")).collect())
}

/// Returns a query that never ends by itself, and that signals when it runs.
fn endless(begun: mpsc::Sender<()>) -> impl FnOnce(&Connection) -> Result<i64, StoreError> {
    move |connection| {
        begun.send(()).expect("somebody listens");
        let sql = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
        Ok(connection.query_row(sql, [], |row| row.get(0))?)
    }
}

async fn read(
    readers: &Readers,
    limit: Option<Duration>,
    read: impl FnOnce(&Connection) -> Result<i64, StoreError> + Send + 'static,
) -> Result<i64, StoreError> {
    let snapshot = readers.snapshot(limit).await?;
    let outcome = snapshot.run(read).await;
    snapshot.end();
    outcome
}

async fn one(readers: &Readers) -> Result<i64, StoreError> {
    read(readers, Some(LIMIT), |connection| Ok(connection.query_row("SELECT 1", [], |row| row.get(0))?)).await
}

/// Begins a read that never ends by itself, in a task of its own.
fn begin_reading(
    readers: &Arc<Readers>,
    limit: Option<Duration>,
) -> (tokio::task::JoinHandle<Result<i64, StoreError>>, mpsc::Receiver<()>) {
    let (begin, begun) = mpsc::channel();
    let readers = readers.clone();
    (tokio::spawn(async move { read(&readers, limit, endless(begin)).await }), begun)
}

async fn under_way(begun: mpsc::Receiver<()>) {
    tokio::task::spawn_blocking(move || begun.recv()).await.expect("no panic").expect("it begins");
}

#[tokio::test]
async fn sqlite_read_ends_at_its_deadline() {
    let readers = Arc::new(readers(1));
    let (reading, begun) = begin_reading(&readers, Some(LIMIT));
    under_way(begun).await;
    tokio::time::pause();
    tokio::time::advance(LIMIT * 2).await;
    tokio::time::resume();
    let outcome = reading.await.expect("no panic");
    assert!(matches!(outcome, Err(StoreError::Deadline)), "{outcome:?}");
    assert_eq!(one(&readers).await.expect("the connection is free"), 1);
}

#[tokio::test]
async fn sqlite_read_ends_when_it_is_cancelled() {
    let readers = Arc::new(readers(1));
    let (reading, begun) = begin_reading(&readers, None);
    under_way(begun).await;
    reading.abort();
    assert!(reading.await.expect_err("cancelled").is_cancelled());
    assert_eq!(one(&readers).await.expect("the connection is free"), 1);
}

#[tokio::test]
async fn sqlite_read_cancelled_in_the_queue_never_starts() {
    let readers = Arc::new(readers(1));
    let lent = readers.borrow_connection().await.expect("a connection");
    let (queued, begun) = begin_reading(&readers, None);
    tokio::task::yield_now().await;
    queued.abort();
    assert!(queued.await.expect_err("cancelled").is_cancelled());
    drop(lent);
    assert_eq!(one(&readers).await.expect("the connection is free"), 1);
    assert!(begun.recv().is_err(), "it was dropped before it began");
}

#[tokio::test]
async fn closing_the_store_cancels_running_reads() {
    let readers = Arc::new(readers(2));
    let (reading, begun) = begin_reading(&readers, None);
    under_way(begun).await;
    readers.close().await;
    let outcome = reading.await.expect("no panic");
    assert!(matches!(outcome, Err(StoreError::Closing)), "{outcome:?}");
    assert!(one(&readers).await.is_err());
}

#[tokio::test]
async fn connection_counts_as_in_use_only_while_it_reads() {
    let readers = Arc::new(readers(2));
    let in_use = |readers: &Readers| readers.usage("reads").in_use;
    assert_eq!(in_use(&readers), 0);
    let snapshot = readers.snapshot(None).await.expect("a connection");
    assert_eq!(readers.usage("reads"), PoolUsage { pool: "reads", in_use: 1, max: 2 });
    snapshot.end();
    assert_eq!(in_use(&readers), 0);
}
