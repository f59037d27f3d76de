//! Unit tests of `src/store/sqlite/writer.rs`.

use std::task::Poll;

use super::*;
use crate::store::Obstacle;

#[tokio::test]
async fn a_write_that_finds_no_room_says_so_and_the_next_one_that_does_is_taken() {
    let connection = Connection::open_in_memory().expect("a store");
    connection.execute_batch("CREATE TABLE t (text TEXT); PRAGMA max_page_count = 8").expect("a small one");
    let writer = Writer::start(connection).expect("a thread");
    let write = |length: usize| {
        writer.write(move |connection, _| Ok(connection.execute("INSERT INTO t VALUES (?1)", ["x".repeat(length)])?))
    };
    let full = write(100_000).await;
    assert!(matches!(full, Err(StoreError::Hindered { hindrance: Obstacle::DiskFull, .. })), "{full:?}");
    assert!(matches!(write(10).await, Ok(Some(1))));
    assert!(writer.ready().await.is_ok());
    writer.close().await;
}

#[tokio::test]
async fn a_write_waits_until_the_writer_takes_it() {
    let connection = Connection::open_in_memory().expect("a store");
    let (writer, run) = Writer::on_task(connection);
    let writes = async { tokio::join!(writer.ready(), writer.ready()) };
    let mut writes = std::pin::pin!(writes);
    let once = std::future::poll_fn(|context| Poll::Ready(writes.as_mut().poll(context).is_pending()));
    assert!(once.await, "nobody writes yet");
    assert_eq!(writer.waiting(), 2);
    let done = async {
        let stored = writes.await;
        assert_eq!(writer.waiting(), 0);
        writer.close().await;
        stored
    };
    let ((), stored) = tokio::join!(run, done);
    assert!(matches!(stored, (Ok(()), Ok(()))), "{stored:?}");
}
