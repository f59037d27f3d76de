//! Copies of the service, and the requests of their clients.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::caller::Caller;
use crate::process::{Process, signal};
use crate::wait::until;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fieldbook");

const USER: &str = "aaaaaaaaaaaaaaaaaaaaaaaa";

const SECRET: &str = "a secret of the cluster test, long enough";

const WEBHOOK_SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

pub struct Copy {
    folder: PathBuf,
    database: String,
    /// URL of the webhook endpoint.
    endpoint: String,
    listen: SocketAddr,
    process: Option<Process>,
    pub caller: Caller,
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
        let caller = Caller::new(&format!("http://{listen}"), String::from_utf8_lossy(&token.stdout).trim())?;
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
    /// Returns true if the copy reports that it is ready.
    pub async fn is_ready(&self) -> bool {
        let asked = self.http.get(format!("{}/health/ready", self.base)).timeout(Duration::from_secs(12)).send().await;
        asked.is_ok_and(|answer| answer.status().is_success())
    }

    /// Returns the ids of all events, up to the first one about this investigation.
    pub async fn events_about(&self, investigation: &str) -> Result<Vec<String>, String> {
        let request = self.http.get(format!("{}/api/events?after=0", self.base)).bearer_auth(&self.token);
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
}
