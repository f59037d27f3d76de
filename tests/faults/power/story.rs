//! What is recorded: the first day of a service, with a kill, a backup, an export and a restore.

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
use crate::histories::Dice;
use crate::service::{PROGRAM, Plan, Service, text};
use crate::wait::until;

/// So many investigations, each with one hand that writes.
const DOCUMENTS: usize = 3;
/// So many hands visit the link.
const VISITORS: usize = 2;
/// So many create.
const CREATORS: u64 = 3;
/// Each hand asks so often in one go.
const ASKED: u64 = 12;
/// What is patient enough for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);
const WEBHOOK_SECRET: &str = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

/// A day, and what was recorded of it.
pub struct Story {
    /// The folder that was recorded.
    pub root: PathBuf,
    pub recording: Recording,
    pub ledger: Ledger,
    pub moments: Moments,
    /// When an answer was sent, by its request; and when an event was sent to the endpoint, by its name.
    answers: std::collections::HashMap<String, usize>,
    pub deliveries: std::collections::HashMap<String, usize>,
}

/// How many moments part a day.
const PARTS: usize = 10;

/// After how many acts something had happened.
pub struct Moments {
    /// A token was printed, and so the secret is there.
    pub secret: usize,
    /// After `kill -9` and a start, what had no answer was sent again and has one.
    pub sent_again: usize,
    pub backup: (usize, usize),
    pub exported: usize,
    pub restore: (usize, usize),
    pub end: usize,
    /// In order, so that each part of the day has its share of power losses.
    pub parts: [usize; PARTS],
}

/// The data folder, the backup and the export below the folder that is recorded.
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
    /// Lives through a day in this folder, which is made.
    ///
    /// # Errors
    /// Where something does not go as it should without a power loss.
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
        let [_, secret, _, sent_again, b0, b1, exported, r0, r1, end] = parts;
        let moments = Moments { secret, sent_again, backup: (b0, b1), exported, restore: (r0, r1), end, parts };
        let ledger = Arc::into_inner(ledger).ok_or("somebody still asks")?;
        let (answers, deliveries) = (recording.sent("x-request-id"), recording.sent("webhook-id"));
        Ok(Self { root, recording, ledger, moments, answers, deliveries })
    }

    /// Whether something was acknowledged before a power loss after so many acts, and not put back since: a restored store
    /// ends with what the backup holds.
    pub fn acknowledged(&self, deed: &Deed, cut: usize, restored: bool) -> bool {
        let Moments { backup, restore, .. } = &self.moments;
        let sent = self.answers.get(&deed.request).filter(|_| deed.answered);
        sent.is_some_and(|sent| *sent < cut && !(restored && (backup.0..restore.1).contains(sent)))
    }
}

impl Stage {
    /// How long the record was at the beginning, when a token was printed, when the service was killed and had answered what was
    /// sent again, before and after a backup, after an export, before and after a restore, and at the end.
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
        self.hands(&service.caller, ASKED).await;
        self.kill_under_load(service).await?;
        let killed = self.length()?;
        // Without webhooks, whose notes would sync what the killed one has written.
        let service = Plan { arguments: Vec::new(), ..self.plan.clone() }.must_start().await?;
        for key in self.ledger.unanswered_keys() {
            self.ledger.create(&service.caller, &key).await.ok_or("what was sent again has no answer")?;
        }
        let sent_again = self.length()?;
        service.stop().await?;
        let service = self.plan.must_start().await?;
        let mut hands = self.begin(&service.caller, ASKED);
        let before = self.length()?;
        self.command("backup", &[text(&backup(root))])?;
        let backed_up = self.length()?;
        self.command("export", &[text(&export(root))])?;
        let exported = self.length()?;
        while hands.join_next().await.is_some() {}
        self.hands(&service.caller, ASKED).await;
        // A log that is left belongs to the store that goes.
        if dice.throw(2) == 0 {
            service.stop().await?
        } else {
            self.kill(service).await?
        };
        let restore = self.length()?;
        self.command("restore", &["--replace", text(&backup(root))])?;
        let restored = self.length()?;
        let service = self.plan.must_start().await?;
        self.hands(&service.caller, ASKED).await;
        service.stop().await?;
        Ok([0, secret, killed, sent_again, before, backed_up, exported, restore, restored, self.length()?])
    }

    fn length(&self) -> Result<u64, String> {
        std::fs::metadata(&self.record).map(|record| record.len()).map_err(|e| e.to_string())
    }

    /// A token, signed with the secret that the program makes for itself.
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

    /// Has the service kill itself in the middle of writes.
    async fn kill_under_load(&self, service: Service) -> Result<(), String> {
        let mut hands = self.begin(&service.caller, ASKED * 100);
        let enough = self.ledger.acknowledged() + 20;
        until("that enough was written", PATIENCE, async || (self.ledger.acknowledged() >= enough).then_some(()))
            .await?;
        self.kill(service).await?;
        while hands.join_next().await.is_some() {}
        Ok(())
    }

    async fn kill(&self, service: Service) -> Result<(), String> {
        let kill = self.record.with_extension("kill");
        std::fs::write(&kill, "").map_err(|e| e.to_string())?;
        // Something is done by asking, where nothing else is.
        let _ = service.caller.get("/health").await;
        service.ended().await?;
        std::fs::remove_file(&kill).map_err(|e| e.to_string())
    }

    /// Has hands ask so often each.
    async fn hands(&self, caller: &Caller, times: u64) {
        let mut hands = self.begin(caller, times);
        while hands.join_next().await.is_some() {}
    }

    fn begin(&self, caller: &Caller, times: u64) -> JoinSet<()> {
        let mut hands = JoinSet::new();
        for id in self.documents.clone() {
            let (ledger, caller, next) = (self.ledger.clone(), caller.clone(), self.next.clone());
            hands.spawn(async move {
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
            hands.spawn(async move {
                for _ in 0..times {
                    if ledger.visit(&caller).await.is_none() {
                        break;
                    }
                }
            });
        }
        for _ in 0..CREATORS {
            let (ledger, caller, next) = (self.ledger.clone(), caller.clone(), self.next.clone());
            hands.spawn(async move {
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
        hands
    }
}

/// Something that takes every event, until the command ends.
async fn endpoint() -> Result<String, String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let router = Router::new().route("/", post(async || StatusCode::NO_CONTENT));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(format!("http://{address}/"))
}
