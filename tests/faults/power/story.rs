//! The recorded day: the first day of a service, with a kill, a backup, an export and a restore.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use tokio::task::JoinSet;

use super::ledger::{Deed, Ledger, VISITED};
use super::recording::Recording;
use crate::caller::Caller;
use crate::dice::Dice;
use crate::service::{PROGRAM, Plan, Service, text};
use crate::wait::until;

/// Number of investigations. Each has one task that writes to it.
const DOCUMENTS: usize = 3;
/// Number of tasks that visit the link.
const VISITORS: usize = 2;
/// Number of tasks that create and delete investigations.
const CREATORS: u64 = 3;
/// Number of requests of each task in one run.
const ASKED: u64 = 12;
/// Maximum time to wait, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
const WEBHOOK_SECRET: &str = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

/// A day and its recording.
pub struct Story {
    /// The recorded folder.
    pub root: PathBuf,
    pub recording: Recording,
    pub ledger: Ledger,
    pub moments: Moments,
    /// Number of the act that sent each response, by request id. `deliveries` has the same for each event, by event
    /// id.
    answers: std::collections::HashMap<String, usize>,
    pub deliveries: std::collections::HashMap<String, usize>,
}

/// Number of moments that divide the day.
const PARTS: usize = 11;

/// Moments of the day, each as the number of acts before it.
pub struct Moments {
    /// A token was printed, so the secret must exist.
    pub secret: usize,
    /// The first investigations and the link were acknowledged. Their pages are too few for a checkpoint, so they are
    /// in the write-ahead log only.
    pub first: usize,
    /// After `kill -9` and a restart, the requests without a response were repeated and answered.
    pub sent_again: usize,
    pub backup: (usize, usize),
    pub exported: usize,
    pub restore: (usize, usize),
    pub end: usize,
    /// All moments in order. The power failures are distributed evenly over the parts of the day between them.
    pub parts: [usize; PARTS],
}

/// Returns the data folder below the recorded folder.
pub fn data(root: &Path) -> PathBuf {
    root.join("var/fieldbook")
}
pub fn backup(root: &Path) -> PathBuf {
    root.join("backup")
}
pub fn export(root: &Path) -> PathBuf {
    root.join("export.jsonl")
}

struct Stage {
    plan: Plan,
    record: PathBuf,
    ledger: Arc<Ledger>,
    documents: Vec<String>,
    next: Arc<AtomicU64>,
}

impl Story {
    /// Runs and records a day in this folder, which it creates.
    pub async fn record(place: &Path, recorder: &Path, dice: &mut Dice) -> Result<Self, String> {
        let (root, record) = (place.join("disk"), place.join("record"));
        std::fs::create_dir_all(&root).and_then(|()| std::fs::write(&record, "")).map_err(|e| e.to_string())?;
        let environment = [("LD_PRELOAD", recorder), ("POWER_FOLDER", &root), ("POWER_RECORD", &record)];
        let environment = environment.map(|(name, path)| (name.to_owned(), text(path).to_owned())).to_vec();
        let endpoint = endpoint().await?;
        let arguments = ["--webhook-urls", &endpoint, "--webhook-secret", WEBHOOK_SECRET].map(str::to_owned).to_vec();
        let plan = Plan { data: data(&root), arguments, environment, ..Plan::default() };
        let mut stage =
            Stage { plan, record, ledger: Arc::default(), documents: Vec::new(), next: Arc::new(AtomicU64::new(1)) };
        let lengths = stage.live(&root, dice).await?;
        let Stage { record, ledger, .. } = stage;
        let recording = Recording::read(&record)?;
        let parts = lengths.map(|length| recording.acts_until(length));
        let [_, secret, first, _, sent_again, b0, b1, exported, r0, r1, end] = parts;
        let moments = Moments { secret, first, sent_again, backup: (b0, b1), exported, restore: (r0, r1), end, parts };
        let ledger = Arc::into_inner(ledger).ok_or("somebody still asks")?;
        let (answers, deliveries) = (recording.sent("x-request-id"), recording.sent("webhook-id"));
        Ok(Self { root, recording, ledger, moments, answers, deliveries })
    }

    /// Returns true if a request was acknowledged within the first `cut` acts, and was not undone by the restore. A
    /// restore removes everything that is newer than the backup.
    pub fn acknowledged(&self, deed: &Deed, cut: usize, restored: bool) -> bool {
        let Moments { backup, restore, .. } = &self.moments;
        let sent = self.answers.get(&deed.request).filter(|_| deed.answered);
        sent.is_some_and(|sent| *sent < cut && !(restored && (backup.0..restore.1).contains(sent)))
    }
}

impl Stage {
    /// Returns the length of the recording at each moment: the start, the first token, the first writes, the kill, the
    /// answers to the repeated requests, before and after the backup, after the export, before and after the restore,
    /// and the end.
    async fn live(&mut self, root: &Path, dice: &mut Dice) -> Result<[u64; PARTS], String> {
        self.token()?;
        let secret = self.length()?;
        let service = self.plan.must_start().await?;
        for n in 0..DOCUMENTS {
            let made = self.ledger.create(&service.caller, &format!("document-{n}")).await;
            self.documents.push(made.ok_or("nothing is created")?);
        }
        let first = self.documents.first().map_or("", String::as_str);
        self.ledger.link(&service.caller, first, VISITED).await.ok_or("no link is created")?;
        let made = self.length()?;
        self.workers(&service.caller, ASKED).await;
        self.kill_under_load(service).await?;
        let killed = self.length()?;
        // This service has no webhooks, because storing their progress would sync the writes of the killed service.
        let service = Plan { arguments: Vec::new(), ..self.plan.clone() }.must_start().await?;
        for key in self.ledger.unanswered_keys() {
            self.ledger.create(&service.caller, &key).await.ok_or("what was sent again has no answer")?;
        }
        let sent_again = self.length()?;
        service.stop().await?;
        let service = self.plan.must_start().await?;
        let mut workers = self.begin(&service.caller, ASKED);
        let before = self.length()?;
        self.command("backup", &[text(&backup(root))])?;
        let backed_up = self.length()?;
        self.command("export", &[text(&export(root))])?;
        let exported = self.length()?;
        while workers.join_next().await.is_some() {}
        self.workers(&service.caller, ASKED).await;
        // Randomly stops or kills the service. If killed, it leaves a write-ahead log for the restore to remove.
        if dice.throw(2) == 0 {
            service.stop().await?
        } else {
            self.kill(service).await?
        };
        let restore = self.length()?;
        self.command("restore", &["--replace", text(&backup(root))])?;
        let restored = self.length()?;
        let service = self.plan.must_start().await?;
        self.workers(&service.caller, ASKED).await;
        service.stop().await?;
        Ok([0, secret, made, killed, sent_again, before, backed_up, exported, restore, restored, self.length()?])
    }

    fn length(&self) -> Result<u64, String> {
        std::fs::metadata(&self.record).map(|record| record.len()).map_err(|e| e.to_string())
    }

    /// Prints a token. The program first creates the secret that signs the token.
    fn token(&self) -> Result<(), String> {
        let mut command = Command::new(PROGRAM);
        command.args(["token", "--user", &"a".repeat(24), "--data", text(&self.plan.data)]);
        let printed = command.envs(self.plan.environment.iter().cloned()).output().map_err(|e| e.to_string())?;
        if printed.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&printed.stderr).into_owned()) }
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Result<(), String> {
        let (well, said) = self.plan.run(name, arguments)?;
        if well { Ok(()) } else { Err(format!("{name}: {said}")) }
    }

    /// Makes the service kill itself in the middle of writes.
    async fn kill_under_load(&self, service: Service) -> Result<(), String> {
        let mut workers = self.begin(&service.caller, ASKED * 100);
        let enough = self.ledger.acknowledged() + 20;
        until("that enough was written", PATIENCE, async || (self.ledger.acknowledged() >= enough).then_some(()))
            .await?;
        self.kill(service).await?;
        while workers.join_next().await.is_some() {}
        Ok(())
    }

    async fn kill(&self, service: Service) -> Result<(), String> {
        let kill = self.record.with_extension("kill");
        std::fs::write(&kill, "").map_err(|e| e.to_string())?;
        // The recorder kills the service when the service next does something that is recorded. If nothing else
        // happens, that is sending the response to this request.
        let _ = service.caller.get("/health").await;
        service.ended().await?;
        std::fs::remove_file(&kill).map_err(|e| e.to_string())
    }

    /// Starts tasks that send `times` requests each, and waits for them.
    async fn workers(&self, caller: &Caller, times: u64) {
        let mut workers = self.begin(caller, times);
        while workers.join_next().await.is_some() {}
    }

    fn begin(&self, caller: &Caller, times: u64) -> JoinSet<()> {
        let mut workers = JoinSet::new();
        for id in self.documents.clone() {
            let (ledger, caller, next) = (self.ledger.clone(), caller.clone(), self.next.clone());
            workers.spawn(async move {
                for _ in 0..times {
                    let value = next.fetch_add(1, Ordering::Relaxed);
                    if ledger.update(&caller, &id, value).await.is_none() {
                        break;
                    }
                }
            });
        }
        for _ in 0..VISITORS {
            let (ledger, caller) = (self.ledger.clone(), caller.clone());
            workers.spawn(async move {
                for _ in 0..times {
                    if ledger.visit(&caller).await.is_none() {
                        break;
                    }
                }
            });
        }
        for _ in 0..CREATORS {
            let (ledger, caller, next) = (self.ledger.clone(), caller.clone(), self.next.clone());
            workers.spawn(async move {
                for _ in 0..times / 3 / CREATORS + 1 {
                    let name = format!("made-{}", next.fetch_add(1, Ordering::Relaxed));
                    let Some(id) = ledger.create(&caller, &name).await else { break };
                    if ledger.link(&caller, &id, &name).await.is_none() {
                        break;
                    }
                    let Some(id) = ledger.create(&caller, &format!("{name}-gone")).await else { break };
                    if ledger.delete(&caller, &id).await.is_none() {
                        break;
                    }
                }
            });
        }
        workers
    }
}

/// Starts a webhook receiver that accepts every event until the command ends. Returns its URL.
async fn endpoint() -> Result<String, String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let router = Router::new().route("/", post(async || StatusCode::NO_CONTENT));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(format!("http://{address}/"))
}
