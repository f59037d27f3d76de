//! The only writer: a thread that owns the read-write connection and commits queued writes ("jobs") in groups.
//!
//! The thread takes queued jobs, runs them in one transaction, and commits it. Only then does the thread answer the
//! callers, so an answered write is on disk. Callers take turns, and visits of links go first. A group that has changed
//! many rows or bytes takes no more jobs, so nobody waits long for the writes of others. If a job fails, the group
//! begins again, now with a savepoint for each job, so that the failure takes back only its own changes.
//!
//! The search index writes a separate segment at each savepoint, and whenever a row comes before the row indexed last,
//! and has to merge the segments later. So the words of all jobs of a group are indexed at its end, by deferred
//! statements, in the order of the ids. The rows of the index have the same order, unless investigations were imported.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::statements;
use crate::admission::{self, Actor, Turns};
use crate::clock::Stopwatch;
use crate::store::StoreError;
use crate::store::sql::Statement;
use crate::store::write::WriteError;

/// Maximum number of writes in one transaction.
const GROUP: usize = 256;
/// If a transaction has changed at least this many rows, or written this many bytes, no more writes are added to it.
const GROUP_ROWS: u64 = 2_000;
const GROUP_BYTES: usize = 768 * 1024;

/// A queued write.
trait Job: Send {
    /// Runs the write on the connection. Adds to `deferred` the statements that must run at the end of the group. May
    /// be called again after the changes of the write were rolled back.
    fn run(&mut self, connection: &Connection, deferred: &mut Deferred) -> Result<(), WriteError>;

    /// Sends the answer to the caller. `committed` is the outcome of the commit.
    fn answer(self: Box<Self>, committed: Result<(), &StoreError>);
}

/// Statements to run at the end of the transaction, and the size of all data that the transaction writes.
#[derive(Debug, Default)]
pub struct Deferred {
    pub statements: Vec<Statement>,
    pub bytes: usize,
}

/// The jobs that wait.
#[derive(Default)]
struct Queue {
    visits: VecDeque<Box<dyn Job>>,
    others: Turns<Box<dyn Job>>,
    is_closed: bool,
}

impl Queue {
    fn len(&self) -> usize {
        self.visits.len() + self.others.len()
    }

    fn next(&mut self) -> Option<Box<dyn Job>> {
        self.visits.pop_front().or_else(|| self.others.pop())
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("len", &self.len()).finish_non_exhaustive()
    }
}

type SharedQueue = Arc<Mutex<Queue>>;

/// The position of a write in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteTurn {
    /// Before everything else. Only for writes of few rows.
    First,
    Of(Actor),
}

#[derive(Debug)]
pub struct Writer {
    queue: SharedQueue,
    /// Wakes the thread.
    wake: mpsc::UnboundedSender<()>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Whether the last commit failed.
    failing: Arc<AtomicBool>,
}

impl Writer {
    pub fn start(connection: Connection) -> Result<Self, std::io::Error> {
        let (mut writer, mut woken) = Self::idle();
        let (queue, failing) = (writer.queue.clone(), writer.failing.clone());
        let run = move || {
            while woken.blocking_recv().is_some() && !write_all(&connection, &queue, &failing) {}
        };
        let thread = std::thread::Builder::new().name("store-writer".to_owned()).spawn(run)?;
        writer.thread = Mutex::new(Some(thread));
        Ok(writer)
    }

    /// Returns a writer without a thread, and the future that does the writer's work when it is polled. Used by
    /// simulations, which schedule all work themselves.
    #[cfg(feature = "simulation")]
    pub fn on_task(connection: Connection) -> (Self, impl Future<Output = ()>) {
        let (writer, mut woken) = Self::idle();
        let (queue, failing) = (writer.queue.clone(), writer.failing.clone());
        let run = async move { while woken.recv().await.is_some() && !write_all(&connection, &queue, &failing) {} };
        (writer, run)
    }

    fn idle() -> (Self, mpsc::UnboundedReceiver<()>) {
        let (wake, woken) = mpsc::unbounded_channel();
        (Self { queue: Arc::default(), wake, thread: Mutex::default(), failing: Arc::default() }, woken)
    }

    /// Checks that the store can commit. If the last commit failed, writes `user_version` again, because the commit of
    /// an empty transaction succeeds even if the disk is full.
    pub async fn ready(&self) -> Result<(), StoreError> {
        let failing = self.failing.load(Ordering::Relaxed);
        let checked = self.write(WriteTurn::Of(admission::actor()), move |connection, _| {
            if failing {
                let form: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
                connection.pragma_update(None, "user_version", form)?;
            }
            Ok(())
        });
        checked.await.map(drop)
    }

    /// Runs `work` in a transaction with other queued writes, and returns when the commit is on disk. If `work` fails,
    /// its own changes are rolled back, and only these. `work` may run several times. Returns `None` if it lost a race.
    pub async fn write<T: Send + 'static>(
        &self,
        turn: WriteTurn,
        work: impl Fn(&Connection, &mut Deferred) -> Result<T, WriteError> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(turn, Box::new(Write { work, reply, outcome: Ok(None) }))?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    pub fn waiting(&self) -> usize {
        self.queue.lock().len()
    }

    /// Commits the queued writes and ends the thread. Writes that are queued later fail.
    pub async fn close(&self) {
        self.queue.lock().is_closed = true;
        // Fails only if the writer has already ended.
        let _ = self.wake.send(());
        let thread = self.thread.lock().take();
        if let Some(thread) = thread {
            // The thread catches panics of writes, so its own result needs no handling.
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }

    fn enqueue(&self, turn: WriteTurn, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut queue = self.queue.lock();
        if queue.is_closed {
            return Err(closed());
        }
        match turn {
            WriteTurn::First => queue.visits.push_back(job),
            WriteTurn::Of(actor) => queue.others.push(actor, job),
        }
        drop(queue);
        self.wake.send(()).map_err(|_| closed())
    }
}

struct Write<T, W> {
    work: W,
    reply: oneshot::Sender<Result<Option<T>, StoreError>>,
    /// The answer of the last run, if the transaction is committed.
    outcome: Result<Option<T>, StoreError>,
}

impl<T: Send, W: Fn(&Connection, &mut Deferred) -> Result<T, WriteError> + Send> Job for Write<T, W> {
    fn run(&mut self, connection: &Connection, deferred: &mut Deferred) -> Result<(), WriteError> {
        let done = catch_unwind(AssertUnwindSafe(|| (self.work)(connection, deferred)))
            .unwrap_or_else(|_| Err(WriteError::Store(StoreError::Failed("a write panicked".to_owned()))));
        match done {
            Ok(answer) => {
                self.outcome = Ok(Some(answer));
                Ok(())
            }
            Err(WriteError::LostRace) => {
                self.outcome = Ok(None);
                Err(WriteError::LostRace)
            }
            Err(WriteError::Store(error)) => {
                self.outcome = Err(error.clone());
                Err(WriteError::Store(error))
            }
        }
    }

    fn answer(self: Box<Self>, committed: Result<(), &StoreError>) {
        // The caller may have disconnected, but the write is valid anyway.
        let _ = self.reply.send(committed.map_err(StoreError::clone).and(self.outcome));
    }
}

fn closed() -> StoreError {
    StoreError::Failed("the store is closed".to_owned())
}

/// Commits all queued writes, group by group. Returns whether the writer should stop.
fn write_all(connection: &Connection, queue: &Mutex<Queue>, failing: &AtomicBool) -> bool {
    loop {
        let first = {
            let mut queue = queue.lock();
            match queue.next() {
                Some(first) => first,
                None => return queue.is_closed,
            }
        };
        write_group(connection, first, queue, failing);
    }
}

/// Commits `first`, together with the next jobs, in one transaction.
fn write_group(connection: &Connection, first: Box<dyn Job>, queue: &Mutex<Queue>, failing: &AtomicBool) {
    let mut jobs = vec![first];
    let watch = Stopwatch::start();
    let committed = commit(connection, &mut jobs, queue);
    metrics::histogram!("fieldbook_store_batch_size").record(jobs.len() as f64);
    failing.store(committed.is_err(), Ordering::Relaxed);
    metrics::histogram!("fieldbook_store_commit_seconds").record(watch.elapsed().as_secs_f64());
    if let Err(error) = &committed {
        tracing::error!(%error, "cannot commit a group of writes");
        if !connection.is_autocommit() {
            // A failed rollback needs no handling, because the next BEGIN then fails.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    for job in jobs {
        job.answer(committed.as_ref().copied());
    }
}

/// Runs the jobs in one transaction, adds the next jobs from the queue while there is room, and commits it.
fn commit(connection: &Connection, jobs: &mut Vec<Box<dyn Job>>, queue: &Mutex<Queue>) -> Result<(), StoreError> {
    let mut deferred = Deferred::default();
    if let Err(error) = execute(connection, "BEGIN IMMEDIATE") {
        // Fails all queued jobs as well, so that they do not wait for the same lock one after another.
        jobs.extend(std::iter::from_fn(|| queue.lock().next()));
        return Err(error);
    }
    if !run_all(connection, jobs, queue, &mut deferred)? {
        deferred = Deferred::default();
        execute(connection, "ROLLBACK")?;
        execute(connection, "BEGIN IMMEDIATE")?;
        for job in jobs {
            run_in_savepoint(connection, job.as_mut(), &mut deferred)?;
        }
    }
    // The sort is stable, so statements for the same investigation stay in their order.
    deferred.statements.sort_by(|one, other| one.value("id").cmp(&other.value("id")));
    for statement in &deferred.statements {
        statements::rows_of(connection, statement)?;
    }
    execute(connection, "COMMIT")
}

/// Runs the jobs without savepoints, and then the next jobs from the queue. Returns false if a job failed after it had
/// changed something. Then the group must begin again with savepoints.
///
/// # Errors
/// A severe error, such as a full disk, which has ended the whole transaction. Then no job in it is done.
fn run_all(
    connection: &Connection,
    jobs: &mut Vec<Box<dyn Job>>,
    queue: &Mutex<Queue>,
    deferred: &mut Deferred,
) -> Result<bool, StoreError> {
    let begin = connection.total_changes();
    let mut done = 0;
    while let Some(job) = jobs.get_mut(done) {
        let (changes, before) = (connection.total_changes(), deferred.statements.len());
        if let Err(error) = job.run(connection, deferred) {
            ended_by(connection, &error)?;
            deferred.statements.truncate(before);
            if connection.total_changes() != changes {
                return Ok(false);
            }
        }
        done += 1;
        let is_full = connection.total_changes() - begin >= GROUP_ROWS || deferred.bytes >= GROUP_BYTES;
        if !is_full && jobs.len() < GROUP {
            jobs.extend(queue.lock().next());
        }
    }
    Ok(true)
}

/// Runs a job in a savepoint. If the job fails, only its changes are rolled back, not the rest of the transaction.
///
/// # Errors
/// A severe error, which has ended the whole transaction.
fn run_in_savepoint(connection: &Connection, job: &mut dyn Job, deferred: &mut Deferred) -> Result<(), StoreError> {
    let before = deferred.statements.len();
    execute(connection, "SAVEPOINT work")?;
    if let Err(error) = job.run(connection, deferred) {
        ended_by(connection, &error)?;
        deferred.statements.truncate(before);
        execute(connection, "ROLLBACK TO work")?;
    }
    execute(connection, "RELEASE work")
}

/// Returns `error` if it has ended the transaction.
fn ended_by(connection: &Connection, error: &WriteError) -> Result<(), StoreError> {
    match error {
        WriteError::Store(error) if connection.is_autocommit() => Err(error.clone()),
        _ => Ok(()),
    }
}

fn execute(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

#[cfg(test)]
#[path = "../../../tests/unit/store/sqlite/writer.rs"]
mod tests;
