//! Load from a separate process: wrk over loopback, with a script that creates the requests.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::server::{Server, seconds_in};

pub struct Load<'s> {
    pub server: &'s Server,
    /// Number of connections. Each sends one request at a time.
    pub connections: u32,
    /// Duration of the load, in seconds.
    pub seconds: u32,
    /// Name of a script in `benches/load/`.
    pub script: &'s str,
    /// Arguments of the script: paths of files, and other values.
    pub arguments: Vec<String>,
}

/// Result of a load.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Successful responses per second.
    pub rate: f64,
    /// Duration of the load, in seconds.
    pub seconds: f64,
    /// 99th percentile of the response time, as the client measures it, in milliseconds.
    pub p99: f64,
    /// CPU time of the server per request, in microseconds.
    pub cpu: f64,
    /// Share of one core that the load generator used: 1 is a whole core.
    pub own: f64,
    /// 99.5th percentile of the response time, in milliseconds. If the server quickly refuses half of all requests,
    /// this is the 99th percentile of the served half.
    pub p995: f64,
    /// Number of requests whose response is not a success, or that got no response. Refused requests do not count.
    pub failed: u64,
    /// Number of requests that were refused with `Retry-After`, if the script counts them.
    pub refused: u64,
}

/// Result that each script prints at its end. Times are in microseconds.
#[derive(Deserialize)]
struct Printed {
    requests: u64,
    microseconds: u64,
    p99: f64,
    p995: f64,
    failed: u64,
    refused: u64,
}

/// Returns the arguments of `patch.lua` and `paced.lua`. Each request sets the field `phenomenon` of an investigation
/// in the file `paths` to a new text of this length.
pub fn edits(paths: &str, characters: u32) -> Vec<String> {
    vec![paths.to_owned(), "phenomenon".to_owned(), characters.to_string()]
}

impl Load<'_> {
    /// Runs the load. Returns an error if any request failed; refusals with `Retry-After` do not count as failures.
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
        let last = text.lines().rev().find(|line| line.starts_with('{'));
        let printed: Printed = last
            .and_then(|line| serde_json::from_str(line).ok())
            .ok_or_else(|| format!("wrk said: {text}{}", String::from_utf8_lossy(&output.stderr)))?;
        let done = printed.requests.saturating_sub(printed.failed + printed.refused) as f64;
        let seconds = printed.microseconds as f64 / 1e6;
        Ok(Outcome {
            rate: done / seconds,
            seconds,
            p99: printed.p99 / 1e3,
            p995: printed.p995 / 1e3,
            own: own / seconds,
            cpu: cpu * 1e6 / printed.requests.max(1) as f64,
            failed: printed.failed,
            refused: printed.refused,
        })
    }
}

/// Returns the CPU time of all child processes that have ended, in seconds.
fn children_seconds() -> f64 {
    seconds_in("/proc/self/stat", 13)
}

/// Writes these lines to a file, from which a load script picks lines. Returns the path of the file.
pub fn lines(path: &Path, lines: impl IntoIterator<Item = String>) -> Result<String, String> {
    let text = lines.into_iter().collect::<Vec<_>>().join("\n");
    fs::write(path, text).map_err(|e| format!("{path:?}: {e}"))?;
    Ok(path.display().to_string())
}
