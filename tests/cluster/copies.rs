//! Copies of the service, and clients that send requests to them.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::process::{Process, signal};
use crate::wait::until;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fieldbook");

const USER: &str = "aaaaaaaaaaaaaaaaaaaaaaaa";

const SECRET: &str = "a secret of the cluster test, long enough";

const WEBHOOK_SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/// Time after which a missing response counts as a hang.
const HANG: Duration = Duration::from_secs(40);

pub struct Copy {
    folder: PathBuf,
    database: String,
    /// URL of the webhook endpoint.
    endpoint: String,
    listen: SocketAddr,
    process: Option<Process>,
    pub caller: Caller,
}

#[derive(Clone)]
pub struct Caller {
    http: reqwest::Client,
    base: String,
    token: String,
}

/// Result of a request.
pub enum Outcome {
    /// The request was executed.
    Done(Value),
    /// The request changed nothing, as the response says or because no connection was made.
    Refused,
    /// The request may have been executed or not.
    Unknown,
}

/// Result of a request, with its duration.
pub struct Answered {
    pub outcome: Outcome,
    pub took: Duration,
    /// Description of what is wrong with the response, if anything.
    pub fault: Option<String>,
}

impl Copy {
    /// Starts a copy on a free port and waits until it is ready.
    pub async fn start(folder: PathBuf, servers: &[SocketAddr], endpoint: String) -> Result<Self, String> {
        fs::create_dir(&folder).map_err(|e| format!("{folder:?}: {e}"))?;
        let hosts: Vec<String> = servers.iter().map(SocketAddr::to_string).collect();
        let listen = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).map_err(|e| e.to_string())?;
        let token = Command::new(PROGRAM)
            .args(["token", "--user", USER, "--auth-hs256-secret", SECRET, "--data"])
            .arg(&folder)
            .output()
            .map_err(|e| format!("{PROGRAM}: {e}"))?;
        let caller = Caller {
            http: reqwest::Client::builder().no_proxy().timeout(HANG).build().map_err(|e| e.to_string())?,
            base: format!("http://{listen}"),
            token: String::from_utf8_lossy(&token.stdout).trim().to_owned(),
        };
        let database = format!("postgres://postgres@{}/postgres", hosts.join(","));
        let mut copy = Self { folder, database, endpoint, listen, process: None, caller };
        copy.run()?;
        until("that a copy is ready", Duration::from_secs(30), async || copy.caller.is_ready().await.then_some(()))
            .await?;
        Ok(copy)
    }

    fn run(&mut self) -> Result<(), String> {
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--error-statuses", "http", "--log-level", "warn", "--data"]).arg(&self.folder);
        command.args(["--database", &self.database, "--auth-hs256-secret", SECRET]);
        command.args(["--listen", &self.listen.to_string()]);
        command.args(["--webhook-urls", &self.endpoint, "--webhook-secret", WEBHOOK_SECRET]);
        // All requests come from one address here, so the limits per address are off.
        command.args(["--resolve-rate-limit", "0", "--assistant-rate-limit", "0"]);
        self.process = Some(Process::start(&mut command, &self.folder.join("log"))?);
        Ok(())
    }

    /// Stops the copy with SIGTERM and starts it again.
    pub async fn restart(&mut self) -> Result<(), String> {
        if let Some(process) = &mut self.process {
            signal("TERM", &[process.id()]);
            until("that a copy stops", Duration::from_secs(30), async || process.has_ended().then_some(())).await?;
        }
        self.run()
    }

    pub fn kill_and_start(&mut self) -> Result<(), String> {
        self.process = None;
        self.run()
    }
}

impl Caller {
    pub fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.http.get(format!("{}{path}", self.base))
    }

    pub fn post(&self, path: &str, body: &Value) -> reqwest::RequestBuilder {
        let request = self.http.post(format!("{}{path}", self.base));
        request.header("content-type", "application/json").body(body.to_string())
    }

    pub fn patch(&self, path: &str, body: &Value) -> reqwest::RequestBuilder {
        let request = self.http.patch(format!("{}{path}", self.base));
        request.header("content-type", "application/json").body(body.to_string())
    }

    /// Returns true if the copy reports that it is ready.
    pub async fn is_ready(&self) -> bool {
        let asked = self.get("/health/ready").timeout(Duration::from_secs(12)).send().await;
        asked.is_ok_and(|answer| answer.status().is_success())
    }

    /// Returns the ids of all events, up to the first one about this investigation.
    pub async fn events_about(&self, investigation: &str) -> Result<Vec<String>, String> {
        let request = self.get("/api/events?after=0").bearer_auth(&self.token);
        let mut stream = request.send().await.map_err(|e| e.to_string())?;
        let (mut text, mut events) = (String::new(), Vec::new());
        while let Some(chunk) = stream.chunk().await.map_err(|e| e.to_string())? {
            text.push_str(&String::from_utf8_lossy(&chunk));
            while let Some((block, rest)) = text.split_once("\n\n") {
                let told = crate::webhook::event(block);
                text = rest.to_owned();
                let Some((id, about)) = told else { continue };
                events.push(id);
                if about == investigation {
                    return Ok(events);
                }
            }
        }
        Err(format!("the stream of events ended after {}", events.len()))
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answered {
        let begin = Instant::now();
        let (outcome, fault) = self.outcome(request).await;
        Answered { outcome, took: begin.elapsed(), fault }
    }

    async fn outcome(&self, request: reqwest::RequestBuilder) -> (Outcome, Option<String>) {
        let answer = match request.bearer_auth(&self.token).send().await {
            Ok(answer) => answer,
            // Without a connection, nothing was sent.
            Err(error) if error.is_connect() => return (Outcome::Refused, None),
            Err(error) if error.is_timeout() => return (Outcome::Unknown, Some("no answer".to_owned())),
            Err(_) => return (Outcome::Unknown, None),
        };
        let status = answer.status().as_u16();
        let says_when = answer.headers().contains_key("retry-after");
        let Ok(text) = answer.text().await else { return (Outcome::Unknown, None) };
        let told: Value = serde_json::from_str(&text).unwrap_or_default();
        match (status, told["code"].as_str()) {
            (200 | 201, _) => (Outcome::Done(told), None),
            (503, code) => {
                let fault = (!says_when).then(|| format!("503 without Retry-After: {text}"));
                (if code == Some("busy") { Outcome::Refused } else { Outcome::Unknown }, fault)
            }
            // With the default setting `error-statuses = "contract"`, a failure inside an operation has status 500.
            (500, Some("store_unavailable")) => (Outcome::Unknown, None),
            (409, Some("nothing_to_undo" | "nothing_to_redo" | "too_many_changes")) => (Outcome::Refused, None),
            _ => (Outcome::Unknown, Some(format!("{status}: {text}"))),
        }
    }

    pub async fn must(&self, request: reqwest::RequestBuilder) -> Result<Value, String> {
        let asked = format!("{request:?}");
        match self.send(request).await {
            Answered { outcome: Outcome::Done(told), .. } => Ok(told),
            Answered { fault, took, .. } => Err(format!("after {took:?}, no answer but {fault:?} to {asked}")),
        }
    }
}
