//! The only writer: a thread that owns the read-write connection and commits queued writes ("jobs") in groups.
//!
//! The thread takes all queued jobs, runs them in one transaction, and commits it. Only then does the thread answer the
//! callers, so an answered write is on disk. If a job fails, the group begins again, now with a savepoint for each job,
//! so that the failure takes back only its own changes.
//!
//! The search index writes a separate segment at each savepoint, and also at some statements, and has to merge the
//! segments later. So the words of all jobs of a group are indexed at its end, by deferred statements.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::statements;
use crate::clock::Stopwatch;
use crate::store::StoreError;
use crate::store::sql::Statement;
use crate::store::write::WriteError;

/// Maximum number of queued writes. More are rejected immediately, so that no caller waits too long.
const QUEUE: usize = 1024;
/// Maximum number of writes in one transaction.
const GROUP: usize = 256;

/// A queued write.
trait Job: Send {
    /// Runs the write on the connection, and adds the statements that the end of the group must run to `deferred`. May
    /// be called again after its changes were rolled back.
    fn run(&mut self, connection: &Connection, deferred: &mut Deferred) -> Result<(), WriteError>;

    /// Sends the answer to the caller. `committed` is the outcome of the commit.
    fn answer(self: Box<Self>, committed: Result<(), &StoreError>);
}

/// Statements to run at the end of the transaction.
pub type Deferred = Vec<Statement>;

enum Work {
    Write(Box<dyn Job>),
    Stop,
}

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
        let checked = self.write(move |connection, _| {
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
        work: impl Fn(&Connection, &mut Deferred) -> Result<T, WriteError> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Work::Write(Box::new(Write { work, reply, outcome: Ok(None) })))?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Commits the queued writes and ends the thread. Writes that are queued later fail.
    pub async fn close(&self) {
        // Fails only if the writer has already ended.
        let _ = self.queue.send(Work::Stop).await;
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The thread catches panics of writes, so its own result needs no handling.
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

fn run(connection: &Connection, mut queue: mpsc::Receiver<Work>, failing: &AtomicBool) {
    while let Some(first) = queue.blocking_recv() {
        if write_group(connection, first, &mut queue, failing) {
            break;
        }
    }
}

/// Commits `first` together with the work queued behind it, in one transaction. Returns whether the writer should stop.
fn write_group(connection: &Connection, first: Work, queue: &mut mpsc::Receiver<Work>, failing: &AtomicBool) -> bool {
    let (mut jobs, mut stopping, mut next) = (Vec::new(), false, Some(first));
    while let Some(work) = next {
        match work {
            Work::Write(job) => jobs.push(job),
            Work::Stop => stopping = true,
        }
        next = if jobs.len() < GROUP { queue.try_recv().ok() } else { None };
    }
    metrics::histogram!("fieldbook_store_batch_size").record(jobs.len() as f64);
    let watch = Stopwatch::start();
    let committed = commit(connection, &mut jobs);
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
    stopping
}

/// Runs the jobs in one transaction and commits it.
fn commit(connection: &Connection, jobs: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    let mut deferred = Deferred::new();
    execute(connection, "BEGIN IMMEDIATE")?;
    if !run_all(connection, jobs, &mut deferred)? {
        deferred.clear();
        execute(connection, "ROLLBACK")?;
        execute(connection, "BEGIN IMMEDIATE")?;
        for job in jobs {
            run_in_savepoint(connection, job.as_mut(), &mut deferred)?;
        }
    }
    for statement in &deferred {
        statements::rows_of(connection, statement)?;
    }
    execute(connection, "COMMIT")
}

/// Runs the jobs without savepoints. Returns false if a job failed after it had changed something.
///
/// # Errors
/// A severe error, such as a full disk, which has ended the whole transaction. Then no job in it is done.
fn run_all(connection: &Connection, jobs: &mut [Box<dyn Job>], deferred: &mut Deferred) -> Result<bool, StoreError> {
    for job in jobs {
        let (changes, before) = (connection.total_changes(), deferred.len());
        if let Err(error) = job.run(connection, deferred) {
            ended_by(connection, &error)?;
            deferred.truncate(before);
            if connection.total_changes() != changes {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Runs a job in a savepoint. If the job fails, only its changes are rolled back, not the rest of the transaction.
///
/// # Errors
/// A severe error, which has ended the whole transaction.
fn run_in_savepoint(connection: &Connection, job: &mut dyn Job, deferred: &mut Deferred) -> Result<(), StoreError> {
    let before = deferred.len();
    execute(connection, "SAVEPOINT work")?;
    if let Err(error) = job.run(connection, deferred) {
        ended_by(connection, &error)?;
        deferred.truncate(before);
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
