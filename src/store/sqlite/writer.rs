//! The one writer: a thread that owns the writing connection and commits in groups.
//!
//! It takes what is queued, runs each piece of work in a savepoint of one transaction, commits once, and answers
//! only then: whoever has an answer has it on disk. Visits of one group to one link are one row update.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::links;
use crate::clock::Stopwatch;
use crate::domain::id::ObjectId;
use crate::domain::link::Visit;
use crate::store::StoreError;

/// How much may wait. Beyond it callers are sent away at once, rather than kept for longer than they would wait.
const QUEUE: usize = 1024;
/// How much one transaction takes at most.
const GROUP: usize = 256;

/// Told whether the group was committed; gives its caller the answer.
type Answer = Box<dyn FnOnce(Result<(), &str>) + Send>;

/// Run with the connection, or with the reason why there is no transaction.
type Job = Box<dyn FnOnce(Result<&Connection, &str>) -> Answer + Send>;

enum Work {
    Write(Job),
    Visit { link: LinkName, day: String, reply: VisitReply },
    Stop,
}

/// Key and sub-link.
pub type LinkName = (String, String);
type VisitReply = oneshot::Sender<Result<Option<Visit>, StoreError>>;

#[derive(Debug)]
pub struct Writer {
    queue: mpsc::Sender<Work>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub fn start(connection: Connection) -> Result<Self, std::io::Error> {
        let (queue, work) = mpsc::channel(QUEUE);
        let thread =
            std::thread::Builder::new().name("store-writer".to_owned()).spawn(move || run(&connection, work))?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)) })
    }

    /// Runs `write` in the next group and answers when it is on disk. If it fails, nothing of it is kept.
    pub async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let job = move |connection: Result<&Connection, &str>| -> Answer {
            let outcome = connection.map_err(failed).and_then(|connection| in_savepoint(connection, write));
            Box::new(move |committed| {
                // Whoever asked may be gone by now; what was written stands all the same.
                let _ = reply.send(committed.map_err(failed).and(outcome));
            })
        };
        self.enqueue(Work::Write(Box::new(job)))?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Counts a visit in the next group and answers when it is on disk.
    pub async fn visit(&self, link: LinkName, day: String) -> Result<Option<Visit>, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Work::Visit { link, day, reply })?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Writes what is queued, then ends the thread.
    pub async fn close(&self) {
        if self.queue.send(Work::Stop).await.is_ok() {
            self.queue.closed().await;
        }
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The thread has let go of the queue: what is left is to close the file.
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

fn failed(reason: &str) -> StoreError {
    StoreError::Failed(reason.to_owned())
}

fn run(connection: &Connection, mut queue: mpsc::Receiver<Work>) {
    let mut stopping = false;
    while !stopping {
        let Some(first) = queue.blocking_recv() else { break };
        let mut group = vec![first];
        while group.len() < GROUP {
            match queue.try_recv() {
                Ok(work) => group.push(work),
                Err(_) => break,
            }
        }
        stopping = group.iter().any(|work| matches!(work, Work::Stop));
        metrics::gauge!("fieldbook_store_queue_length").set(queue.len() as f64);
        metrics::histogram!("fieldbook_store_batch_size").record(group.len() as f64);
        commit_group(connection, group);
    }
}

fn commit_group(connection: &Connection, group: Vec<Work>) {
    let watch = Stopwatch::start();
    let run = |sql: &str| {
        let done = connection.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
        done.map(drop).map_err(|error| error.to_string())
    };
    let begun = run("BEGIN IMMEDIATE");
    let transaction = begun.as_ref().map(|()| connection).map_err(String::as_str);
    let mut answers = Vec::with_capacity(group.len());
    let mut visits = Visits::new();
    for work in group {
        match work {
            Work::Write(job) => answers.push(job(transaction)),
            Work::Visit { link, day, reply } => visits.entry((link, day)).or_default().push(reply),
            Work::Stop => {}
        }
    }
    answers.extend(count_all(transaction, visits));
    let committed = begun.and_then(|()| run("COMMIT"));
    metrics::histogram!("fieldbook_store_commit_seconds").record(watch.elapsed().as_secs_f64());
    if let Err(error) = &committed {
        tracing::error!(error, "a group was not committed");
        if !connection.is_autocommit() {
            // Nothing better can be done with a failure to roll back: the next BEGIN will tell.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    answer_all(answers, committed.as_ref().copied().map_err(String::as_str));
}

fn answer_all(answers: Vec<Answer>, committed: Result<(), &str>) {
    for answer in answers {
        answer(committed);
    }
}

/// The visits of a group by link and day: however many go to one link, they are one update, and each has a number of its own.
type Visits = HashMap<(LinkName, String), Vec<VisitReply>>;

/// Counts the visits of a group.
fn count_all(transaction: Result<&Connection, &str>, visits: Visits) -> Vec<Answer> {
    let count = |connection: &Connection, ((link, day), replies): (&(LinkName, String), &Vec<VisitReply>)| {
        Ok(links::count_visits(connection, &link.0, &link.1, day, replies.len() as u64)?)
    };
    let at_once = |connection: &Connection| visits.iter().map(|visit| count(connection, visit)).collect();
    let counted: Result<Vec<_>, StoreError> =
        transaction.map_err(failed).and_then(|connection| in_savepoint(connection, at_once));
    let counted: Vec<_> = match (counted, transaction) {
        (Ok(counted), _) => counted.into_iter().map(Ok).collect(),
        // One that fails must not take the others with it.
        (Err(_), Ok(connection)) => {
            visits.iter().map(|visit| in_savepoint(connection, |connection| count(connection, visit))).collect()
        }
        (Err(error), Err(_)) => visits.iter().map(|_| Err(error.clone())).collect(),
    };
    visits
        .into_iter()
        .zip(counted)
        .map(|(((link, _), replies), counted)| answer_visits(link, replies, counted))
        .collect()
}

/// Answers the visits to one link, of which is known where it leads and its count after them.
fn answer_visits(
    (key, sub_link): LinkName,
    replies: Vec<VisitReply>,
    counted: Result<Option<(ObjectId, u64)>, StoreError>,
) -> Answer {
    let visits = replies.len() as u64;
    Box::new(move |committed| {
        for (place, reply) in (1..).zip(replies) {
            let answer = match (&committed, &counted) {
                (Err(reason), _) => Err(failed(reason)),
                (Ok(()), Err(error)) => Err(error.clone()),
                (Ok(()), Ok(None)) => Ok(None),
                (Ok(()), Ok(Some((investigation_id, count)))) => Ok(Some(Visit {
                    investigation_id: *investigation_id,
                    key: key.clone(),
                    sub_link: sub_link.clone(),
                    visit_count: count - visits + place,
                })),
            };
            // Whoever asked may be gone by now; the visit was counted all the same.
            let _ = reply.send(answer);
        }
    })
}

/// Runs `work` so that it is kept as a whole or not at all, whatever else the transaction holds.
fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        // An earlier failure (a full disk, say) has ended the whole transaction: work begun now would stand alone.
        return Err(StoreError::Failed("the transaction was rolled back".to_owned()));
    }
    connection.prepare_cached("SAVEPOINT work")?.execute([])?;
    let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)))
        .unwrap_or_else(|_| Err(StoreError::Failed("a write panicked".to_owned())));
    if outcome.is_err() {
        connection.prepare_cached("ROLLBACK TO work")?.execute([])?;
    }
    connection.prepare_cached("RELEASE work")?.execute([])?;
    outcome
}
