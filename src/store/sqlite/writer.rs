//! The only writer: a thread that owns the read-write connection and commits queued writes ("jobs") in groups.
//!
//! The thread takes all queued jobs, runs each in a savepoint of one transaction, and commits the transaction. Only
//! then does the thread answer the callers, so an answered write is on disk. One row update counts all visits of a
//! group to the same link on the same day.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::{search_index, visits};
use crate::clock::Stopwatch;
use crate::domain::event::LinkName;
use crate::domain::time::Timestamp;
use crate::store::commands::Count;
use crate::store::{StoreError, Visited};

/// Maximum number of queued writes and visits. More are rejected immediately, so that no caller waits too long.
const QUEUE: usize = 1024;
/// Maximum number of writes and visits in one transaction.
const GROUP: usize = 256;

/// Callback that gets the result of the commit, and sends the answer to the caller of the write.
type Answer = Box<dyn FnOnce(Result<(), &StoreError>) + Send>;

/// A queued write. Its argument is the connection, or the error if no transaction could begin. Its result is the
/// callback for the answer, and the error of the write, if any.
type Job = Box<dyn FnOnce(Result<&Connection, &StoreError>) -> (Answer, Option<StoreError>) + Send>;

enum Work {
    Write(Job),
    Visit { link: LinkName, at: Timestamp, reply: VisitReply },
    Stop,
}

type VisitReply = oneshot::Sender<Result<Visited, StoreError>>;

#[derive(Debug)]
pub struct Writer {
    queue: mpsc::Sender<Work>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Whether the last commit failed.
    failing: Arc<AtomicBool>,
}

impl Writer {
    pub fn start(connection: Connection) -> Result<Self, std::io::Error> {
        let (mut writer, work) = Self::idle();
        let failing = writer.failing.clone();
        let run = move || run(&connection, work, &failing);
        let thread = std::thread::Builder::new().name("store-writer".to_owned()).spawn(run)?;
        writer.thread = Mutex::new(Some(thread));
        Ok(writer)
    }

    /// Returns a writer without a thread, and the future that does the writer's work when it is polled. Used by
    /// simulations, which schedule all work themselves.
    #[cfg(feature = "simulation")]
    pub fn on_task(connection: Connection) -> (Self, impl Future<Output = ()>) {
        let (writer, mut work) = Self::idle();
        let failing = writer.failing.clone();
        let run = async move {
            while let Some(first) = work.recv().await {
                if write_group(&connection, first, &mut work, &failing) {
                    break;
                }
            }
        };
        (writer, run)
    }

    fn idle() -> (Self, mpsc::Receiver<Work>) {
        let (queue, work) = mpsc::channel(QUEUE);
        (Self { queue, thread: Mutex::default(), failing: Arc::default() }, work)
    }

    /// Checks that the store can commit. If the last commit failed, writes `user_version` again, because the commit of
    /// an empty transaction succeeds even if the disk is full.
    pub async fn ready(&self) -> Result<(), StoreError> {
        let failing = self.failing.load(Ordering::Relaxed);
        self.write(move |connection| {
            if failing {
                let form: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
                connection.pragma_update(None, "user_version", form)?;
            }
            Ok(())
        })
        .await
    }

    /// Runs `write` in a transaction with other queued writes, and returns when the commit is on disk. If `write`
    /// fails, only its own changes are rolled back.
    pub async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let job = move |connection: Result<&Connection, &StoreError>| -> (Answer, Option<StoreError>) {
            let outcome = connection.map_err(StoreError::clone).and_then(|connection| in_savepoint(connection, write));
            let failure = outcome.as_ref().err().cloned();
            let answer = move |committed: Result<(), &StoreError>| {
                // The caller may have disconnected, but the write is valid anyway.
                let _ = reply.send(committed.map_err(StoreError::clone).and(outcome));
            };
            (Box::new(answer), failure)
        };
        self.enqueue(Work::Write(Box::new(job)))?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    pub async fn visit(&self, link: LinkName, at: Timestamp) -> Result<Visited, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Work::Visit { link, at, reply })?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Returns the number of queued writes and visits.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    pub async fn close(&self) {
        if self.queue.send(Work::Stop).await.is_ok() {
            self.queue.closed().await;
        }
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The thread no longer reads the queue and only closes the file.
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }

    fn enqueue(&self, work: Work) -> Result<(), StoreError> {
        self.queue.try_send(work).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => closed(),
        })
    }
}

fn closed() -> StoreError {
    StoreError::Failed("the store is closed".to_owned())
}

fn run(connection: &Connection, mut queue: mpsc::Receiver<Work>, failing: &AtomicBool) {
    while let Some(first) = queue.blocking_recv() {
        if write_group(connection, first, &mut queue, failing) {
            break;
        }
    }
}

/// Commits `first` together with the work queued behind it, in one transaction. Returns whether the writer should stop.
fn write_group(connection: &Connection, first: Work, queue: &mut mpsc::Receiver<Work>, failing: &AtomicBool) -> bool {
    let mut group = vec![first];
    while group.len() < GROUP {
        match queue.try_recv() {
            Ok(work) => group.push(work),
            Err(_) => break,
        }
    }
    let stopping = group.iter().any(|work| matches!(work, Work::Stop));
    metrics::histogram!("fieldbook_store_batch_size").record(group.len() as f64);
    commit_group(connection, group, failing);
    stopping
}

fn commit_group(connection: &Connection, group: Vec<Work>, failing: &AtomicBool) {
    let watch = Stopwatch::start();
    let run = |sql: &str| {
        let done = connection.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
        done.map(drop).map_err(StoreError::from)
    };
    let mut begun = run("BEGIN IMMEDIATE");
    let transaction = begun.as_ref().map(|()| connection);
    let mut answers = Vec::with_capacity(group.len());
    let mut visits = Visits::new();
    // A severe error, such as a full disk, makes SQLite roll back the whole transaction. Then no job in it may be
    // reported as done, not even those that succeeded before.
    let mut ended_by = None;
    for work in group {
        match work {
            Work::Write(job) => {
                let (answer, failure) = job(transaction);
                answers.push(answer);
                ended_by = ended_by.or(failure.filter(|_| connection.is_autocommit()));
            }
            Work::Visit { link, at, reply } => {
                let (latest, replies) = visits.entry((link, at.day_number())).or_insert((at, Vec::new()));
                *latest = (*latest).max(at);
                replies.push(reply);
            }
            Work::Stop => {}
        }
    }
    let (counted, failure) = count_all(transaction, visits);
    answers.extend(counted);
    ended_by = ended_by.or(failure.filter(|_| connection.is_autocommit()));
    if let (Ok(()), Some(failure)) = (&begun, ended_by) {
        begun = Err(failure);
    }
    let indexed = begun.and_then(|()| search_index::index(connection).map_err(StoreError::from));
    let committed = indexed.and_then(|()| run("COMMIT"));
    failing.store(committed.is_err(), Ordering::Relaxed);
    metrics::histogram!("fieldbook_store_commit_seconds").record(watch.elapsed().as_secs_f64());
    if let Err(error) = &committed {
        tracing::error!(%error, "cannot commit a group of writes");
        if !connection.is_autocommit() {
            // A failed rollback needs no handling, because the next BEGIN then fails.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    for answer in answers {
        answer(committed.as_ref().copied());
    }
}

/// Visits to count in one transaction, by link and day: time of the latest visit, and channels for the answers.
type Visits = HashMap<(LinkName, i64), (Timestamp, Vec<VisitReply>)>;

/// Counts all visits in one savepoint. If this fails, counts again with one savepoint per link. Returns a callback per
/// link and day, and the error of the first attempt, if any.
fn count_all(transaction: Result<&Connection, &StoreError>, visits_of: Visits) -> (Vec<Answer>, Option<StoreError>) {
    let count = |connection: &Connection, (link, latest, replies): (&LinkName, Timestamp, &Vec<VisitReply>)| {
        visits::count(connection, link, latest, replies.len() as u64)
    };
    let each = || visits_of.iter().map(|((link, _), (latest, replies))| (link, *latest, replies));
    let at_once = |connection: &Connection| each().map(|visit| count(connection, visit)).collect();
    let counted: Result<Vec<_>, StoreError> =
        transaction.map_err(StoreError::clone).and_then(|connection| in_savepoint(connection, at_once));
    let failure = counted.as_ref().err().cloned();
    let counted: Vec<_> = match (counted, transaction) {
        (Ok(counted), _) => counted.into_iter().map(Ok).collect(),
        // Counts again with a savepoint per link, so that an error for one link does not affect the others.
        (Err(_), Ok(connection)) => {
            each().map(|visit| in_savepoint(connection, |connection| count(connection, visit))).collect()
        }
        (Err(error), Err(_)) => each().map(|_| Err(error.clone())).collect(),
    };
    let answer = |(((link, _), (_, replies)), counted): ((_, _), _)| answer_visits(link, replies, counted);
    (visits_of.into_iter().zip(counted).map(answer).collect(), failure)
}

/// Returns the callback that answers the visits to one link. Each visit gets its own count.
fn answer_visits(link: LinkName, replies: Vec<VisitReply>, counted: Result<Count, StoreError>) -> Answer {
    Box::new(move |committed| {
        for (place, reply) in (1..).zip(replies) {
            let answer = match (&committed, &counted) {
                (Err(reason), _) => Err((*reason).clone()),
                (Ok(()), Err(error)) => Err(error.clone()),
                (Ok(()), Ok(count)) => Ok(count.of_visit(place, &link.key, &link.sub_link)),
            };
            // The caller may have disconnected, but the visit counts anyway.
            let _ = reply.send(answer);
        }
    })
}

/// Runs `work` in a savepoint. If `work` fails, only its changes are rolled back, not the rest of the transaction.
fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        // An earlier error, such as a full disk, has ended the transaction. `work` would run outside of a transaction.
        return Err(StoreError::Failed("the transaction was rolled back".to_owned()));
    }
    connection.prepare_cached("SAVEPOINT work")?.execute([])?;
    let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)))
        .unwrap_or_else(|_| Err(StoreError::Failed("a write panicked".to_owned())));
    if outcome.is_err() {
        if connection.is_autocommit() {
            // The failure has ended the whole transaction, and the savepoint with it.
            return outcome;
        }
        connection.prepare_cached("ROLLBACK TO work")?.execute([])?;
    }
    connection.prepare_cached("RELEASE work")?.execute([])?;
    outcome
}

#[cfg(test)]
#[path = "../../../tests/unit/store/sqlite/writer.rs"]
mod tests;
