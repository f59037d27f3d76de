//! Unit tests of `src/store/sqlite/writer.rs`.

use std::task::Poll;

use super::*;
use crate::store::FixableError;

fn turn(caller: u32) -> WriteTurn {
    WriteTurn::Of(Actor::at(std::net::Ipv4Addr::from_bits(caller).into()))
}

#[tokio::test]
async fn write_fails_without_disk_space_and_succeeds_when_space_is_available() {
    let connection = Connection::open_in_memory().expect("a store");
    connection.execute_batch("CREATE TABLE t (text TEXT); PRAGMA max_page_count = 8").expect("a small one");
    let writer = Writer::start(connection).expect("a thread");
    let write = |length: usize| {
        writer.write(turn(1), move |connection, _| {
            Ok(connection.execute("INSERT INTO t VALUES (?1)", ["x".repeat(length)])?)
        })
    };
    let full = write(100_000).await;
    assert!(matches!(full, Err(StoreError::Fixable { kind: FixableError::DiskFull, .. })), "{full:?}");
    assert!(matches!(write(10).await, Ok(Some(1))));
    assert!(writer.ready().await.is_ok());
    writer.close().await;
}

#[tokio::test]
async fn queued_write_counts_as_waiting_until_the_writer_takes_it() {
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

/// Writes the texts of several writes in the order of their turns, and returns the groups in which they were committed.
async fn groups(writes: Vec<(WriteTurn, usize, &'static str)>) -> Vec<Vec<String>> {
    let mut connection = Connection::open_in_memory().expect("a store");
    connection.execute_batch("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)").expect("a table");
    let groups = Arc::new(Mutex::new(vec![Vec::new()]));
    let ended = groups.clone();
    let end = move || {
        ended.lock().push(Vec::new());
        false
    };
    connection.commit_hook(Some(end)).expect("a hook");
    let (writer, run) = Writer::on_task(connection);
    let jobs = writes.into_iter().map(|(turn, rows, text)| {
        let groups = groups.clone();
        writer.write(turn, move |connection, deferred| {
            groups.lock().last_mut().expect("a group").push(text.to_owned());
            for _ in 0..rows {
                connection.execute("INSERT INTO t (text) VALUES (?1)", [text])?;
            }
            deferred.bytes += text.len();
            Ok(())
        })
    });
    let jobs = jobs.collect::<Vec<_>>();
    let all = async {
        let mut tasks: Vec<_> = jobs.into_iter().map(Box::pin).collect();
        // All writes wait before the first one runs.
        for task in &mut tasks {
            let waits = std::future::poll_fn(|context| Poll::Ready(task.as_mut().poll(context).is_pending())).await;
            assert!(waits);
        }
        for task in tasks {
            assert!(matches!(task.await, Ok(Some(()))));
        }
        writer.close().await;
    };
    tokio::join!(all, run);
    let mut groups = groups.lock().clone();
    groups.retain(|group| !group.is_empty());
    groups
}

#[tokio::test]
async fn writer_takes_visits_first_and_then_one_write_of_each_caller_in_turn() {
    let writes = vec![
        (turn(1), 1, "1a"),
        (turn(1), 1, "1b"),
        (turn(1), 1, "1c"),
        (turn(2), 1, "2a"),
        (WriteTurn::First, 1, "visit"),
    ];
    assert_eq!(groups(writes).await, [["visit", "1a", "2a", "1b", "1c"]]);
}

#[tokio::test]
async fn group_commit_that_is_full_accepts_no_more_writes() {
    let many = GROUP_ROWS as usize;
    let writes = vec![(turn(1), many, "1a"), (turn(1), many, "1b"), (turn(2), 1, "2a"), (turn(2), 1, "2b")];
    assert_eq!(groups(writes).await, [vec!["1a"], vec!["2a", "1b"], vec!["2b"]]);
}
