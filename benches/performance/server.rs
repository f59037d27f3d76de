//! Servers under load: Fieldbook, a bare handler, and the peers. Each is a separate process, and is stopped by its
//! process id.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fieldbook::clock::Stopwatch;

/// Path of the service's program, built with the same profile as the bench.
pub const FIELDBOOK: &str = env!("CARGO_BIN_EXE_fieldbook");

/// Number of users that send requests. One user can have at most a quarter of the shared capacity.
const USERS: u32 = 16;

/// Number of units per second in which the kernel counts CPU time: 100 on Linux.
const TICKS: f64 = 100.0;

/// Returns a token for each user. `secret` has the command line arguments that name the secret for signing.
pub fn tokens(secret: &[&str]) -> Result<Vec<String>, String> {
    let token = |user: u32| {
        let output = Command::new(FIELDBOOK).args(["token", "--user", &format!("{user:024x}")]).args(secret).output();
        let output = output.map_err(|e| format!("no token: {e}"))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    (1..=USERS).map(token).collect()
}

/// Returns the sum of user and system time in the kernel's file `stat`, such as `/proc/self/stat`, in seconds. `after`
/// is the number of fields between the name of the process and the user time.
pub fn seconds_in(stat: &str, after: usize) -> f64 {
    let stat = fs::read_to_string(stat).unwrap_or_default();
    let numbers = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default().split_whitespace();
    numbers.skip(after).take(2).filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / TICKS
}

pub struct Server {
    process: Child,
    /// Base URL, `http://ADDRESS`.
    pub base: String,
    /// Tokens that clients send; empty if the server needs none.
    pub tokens: Vec<String>,
    /// Time from the start of the process until it announced its address.
    pub start: Duration,
}

impl Server {
    /// Starts Fieldbook on a data folder.
    pub fn fieldbook(data: &Path, arguments: &[&str]) -> Result<Self, String> {
        let mut serve = Command::new(FIELDBOOK);
        serve.args([
            "serve",
            "--log-level",
            "error",
            "--log-format",
            "json",
            "--listen",
            "127.0.0.1:0",
            "--resolve-rate-limit",
            "0",
            // The load scripts act as a proxy: they send the addresses of many visitors in X-Forwarded-For.
            "--trusted-proxies",
            "127.0.0.1",
            "--data",
        ]);
        serve.arg(data).args(arguments);
        let mut server = Self::start(serve)?;
        server.tokens = tokens(&["--data", &data.display().to_string()])?;
        Ok(server)
    }

    /// Starts a server that answers every request with the bytes of the file `body`, and does nothing else.
    pub fn bare(body: &Path) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut bare = Command::new(own);
        bare.arg("--bare").arg(body);
        Self::start(bare)
    }

    /// Starts a program and waits for its line `listening on http://ADDRESS`.
    pub fn start(mut program: Command) -> Result<Self, String> {
        let begun = Stopwatch::start();
        let mut process = program
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{program:?} cannot be started: {e}"))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line).map_err(|e| e.to_string())?;
        }
        let start = begun.elapsed();
        let Some(base) = line.trim().strip_prefix("listening on ").map(str::to_owned) else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(format!("{program:?} said \"{}\" and not where it listens", line.trim()));
        };
        Ok(Self { process, base, tokens: Vec::new(), start })
    }

    /// Returns the CPU time of the process so far, in seconds.
    pub fn cpu_seconds(&self) -> f64 {
        // The 12th and 13th fields after the name are the process's own user and system time.
        seconds_in(&format!("/proc/{}/stat", self.process.id()), 11)
    }

    /// Returns the resident memory of the process, in MiB.
    pub fn memory(&self) -> f64 {
        self.memory_of("VmRSS:")
    }

    /// Returns the peak of the resident memory of the process so far, in MiB.
    pub fn peak_memory(&self) -> f64 {
        self.memory_of("VmHWM:")
    }

    /// Returns the part of the resident memory that is mapped from the program and its libraries, in MiB.
    pub fn memory_of_files(&self) -> f64 {
        self.memory_of("RssFile:")
    }

    fn memory_of(&self, kind: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(kind));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }

    /// Stops the server with SIGTERM, as an operator would, and waits until the process has ended.
    pub fn stop(mut self) -> Result<(), String> {
        let id = self.process.id().to_string();
        Command::new("kill").arg(&id).status().map_err(|e| e.to_string())?;
        self.process.wait().map(|_| ()).map_err(|e| e.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
