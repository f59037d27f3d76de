//! Load from a process of its own: wrk over loopback, with a script that says what is asked.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::server::{Server, seconds_in};

/// What is asked of a server.
pub struct Load<'s> {
    pub server: &'s Server,
    /// How many connections ask at once, each one thing after the other.
    pub connections: u32,
    /// How long, in seconds.
    pub seconds: u32,
    /// A script under `benches/load/`.
    pub script: &'s str,
    /// What the script is given: files and words.
    pub arguments: Vec<String>,
}

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Answers with success, a second.
    pub rate: f64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The time of one request, as its caller saw it: mean and 99th percentile, in milliseconds.
    pub mean: f64,
    pub p99: f64,
    /// The processor time that the server took for one request, in microseconds.
    pub cpu: f64,
    /// How much of a core the load itself took.
    pub own: f64,
    /// The 99.5th percentile: where as many are refused, which is quick, the 99th of what is served.
    pub p995: f64,
    /// Requests that ended in another status, or in none.
    pub failed: u64,
    /// Requests that were refused and told when to come again, as far as the script tells them apart.
    pub refused: u64,
}

/// What `benches/load/*.lua` print at their end.
#[derive(Deserialize)]
struct EventView {
    requests: u64,
    microseconds: u64,
    mean: f64,
    p99: f64,
    p995: f64,
    failed: u64,
    refused: u64,
}

/// What `patch.lua` and `paced.lua` are given: each changes one field, of one of the investigations with these paths,
/// to another text of so many characters.
pub fn edits(paths: &str, characters: u32) -> Vec<String> {
    vec![paths.to_owned(), "phenomenon".to_owned(), characters.to_string()]
}

impl Load<'_> {
    /// Asks, and fails if anything but success came back, or a refusal that says when to come again.
    pub fn run(&self) -> Result<Outcome, String> {
        let outcome = self.ask()?;
        match outcome.failed {
            0 => Ok(outcome),
            failed => Err(format!("{failed} requests of {} to {} failed", self.script, self.server.base)),
        }
    }

    fn ask(&self) -> Result<Outcome, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/load").join(self.script);
        let (before, own) = (self.server.cpu_seconds(), children_seconds());
        let output = Command::new("wrk")
            .args(["--threads", "1", "--timeout", "30s"])
            .args(["--connections", &self.connections.to_string()])
            .args(["--duration", &format!("{}s", self.seconds)])
            .arg("--script")
            .arg(&script)
            .arg(&self.server.base)
            .arg("--")
            .args(&self.arguments)
            .env("TOKENS", self.server.tokens.join(" "))
            .output()
            .map_err(|e| format!("wrk cannot be run: {e}; scripts/bench installs it"))?;
        let (cpu, own) = (self.server.cpu_seconds() - before, children_seconds() - own);
        let text = String::from_utf8_lossy(&output.stdout);
        let told = text.lines().rev().find(|line| line.starts_with('{'));
        let told: EventView = told
            .and_then(|line| serde_json::from_str(line).ok())
            .ok_or_else(|| format!("wrk said: {text}{}", String::from_utf8_lossy(&output.stderr)))?;
        let done = told.requests.saturating_sub(told.failed + told.refused) as f64;
        let seconds = told.microseconds as f64 / 1e6;
        Ok(Outcome {
            rate: done / seconds,
            seconds,
            mean: told.mean / 1e3,
            p99: told.p99 / 1e3,
            p995: told.p995 / 1e3,
            own: own / seconds,
            cpu: cpu * 1e6 / told.requests.max(1) as f64,
            failed: told.failed,
            refused: told.refused,
        })
    }
}

/// Processor time of those whose end was waited for, in seconds.
fn children_seconds() -> f64 {
    seconds_in("/proc/self/stat", 13)
}

/// Writes lines for a script to choose from.
pub fn lines(path: &Path, lines: impl IntoIterator<Item = String>) -> Result<String, String> {
    let text = lines.into_iter().collect::<Vec<_>>().join("\n");
    fs::write(path, text).map_err(|e| format!("{path:?}: {e}"))?;
    Ok(path.display().to_string())
}
