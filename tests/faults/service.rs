//! Runs the service as a separate process under the conditions of a fault, such as a resource limit. Also runs the
//! other commands of the program.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::caller::Caller;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_fieldbook");

/// Secret that signs the tokens.
const SECRET: &str = "a secret of the faults, which has 32 bytes and more";

const USER: &str = "aaaaaaaaaaaaaaaaaaaaaaaa";

/// Time after which a start or a stop counts as a hang.
const HANG: Duration = Duration::from_secs(60);

/// How the service is started.
#[derive(Clone, Default)]
pub struct Plan {
    pub data: PathBuf,
    /// Address of the database, if the store is not in the data folder.
    pub database: Option<String>,
    pub arguments: Vec<String>,
    /// Command that runs the service, with its arguments, such as `prlimit`. Empty if the service is started directly.
    pub inside: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Id of the user who runs the service, and a copy of the program that this user can read. `None` if the user who
    /// runs the tests also runs the service.
    pub user: Option<(u32, PathBuf)>,
}

/// A running service. It is killed on drop.
pub struct Service {
    process: Child,
    pub caller: Caller,
}

impl Plan {
    /// Returns a command of the program for this store.
    fn command(&self, name: &str) -> Command {
        let program = self.user.as_ref().map_or(PROGRAM, |(_, program)| text(program));
        let mut words = self.inside.iter().map(String::as_str).chain([program]);
        let mut command = Command::new(words.next().unwrap_or(PROGRAM));
        command.args(words).arg(name).arg("--data").arg(&self.data);
        command.args(self.database.iter().flat_map(|database| ["--database", database]));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).process_group(0);
        if let Some((user, _)) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Runs another command of the program to its end. Returns whether the command succeeded, and its output.
    pub fn run(&self, name: &str, arguments: &[&str]) -> Result<(bool, String), String> {
        let output = self.command(name).args(arguments).output().map_err(|e| format!("{PROGRAM} {name}: {e}"))?;
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        Ok((output.status.success(), said.trim().to_owned()))
    }

    pub fn log(&self) -> PathBuf {
        self.data.with_extension("log")
    }

    /// Starts the service and waits until it is ready for requests.
    pub async fn start(&self) -> Result<Service, String> {
        let cannot = |e: std::io::Error| format!("cannot start {PROGRAM}: {e}");
        let mut log = File::options().create(true).append(true).read(true).open(self.log()).map_err(cannot)?;
        let before = log.seek(SeekFrom::End(0)).map_err(cannot)?;
        let mut command = self.command("serve");
        command.args(["--listen", "127.0.0.1:0", "--log-level", "warn", "--auth-hs256-secret", SECRET]);
        // All requests come from one address here, so the limits per address are off.
        command.args(["--resolve-rate-limit", "0", "--assistant-rate-limit", "0"]).args(&self.arguments);
        command.stdout(Stdio::piped()).stderr(log.try_clone().map_err(cannot)?);
        let mut process = command.spawn().map_err(cannot)?;
        let output = process.stdout.take();
        let announced = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            let read = output.map(|output| BufReader::new(output).read_line(&mut line));
            read.map(|_| line)
        });
        let announced = tokio::time::timeout(HANG, announced).await;
        let line = announced.ok().and_then(Result::ok).flatten();
        let Some(base) = line.as_deref().and_then(|line| line.trim().strip_prefix("listening on ")) else {
            let _ = process.kill();
            let _ = process.wait();
            let mut said = String::new();
            log.seek(SeekFrom::Start(before)).and_then(|_| log.read_to_string(&mut said)).map_err(cannot)?;
            let hung = if line.is_none() { "it neither served nor ended; " } else { "" };
            return Err(format!("{hung}{}", said.trim()));
        };
        Ok(Service { process, caller: Caller::new(base, &token()?)? })
    }

    pub async fn must_start(&self) -> Result<Service, String> {
        self.start().await.map_err(|said| format!("the service did not start: {said}"))
    }

    /// Returns the lines of the log that report a panic.
    pub fn panics(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.log()).unwrap_or_default();
        log.lines().filter(|line| line.contains("panicked")).map(str::to_owned).collect()
    }
}

fn token() -> Result<String, String> {
    let made = Command::new(PROGRAM)
        .args(["token", "--user", USER, "--ttl", "24h", "--auth-hs256-secret", SECRET])
        .output()
        .map_err(|e| format!("{PROGRAM}: {e}"))?;
    Ok(String::from_utf8_lossy(&made.stdout).trim().to_owned())
}

impl Service {
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    pub fn kill(mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Stops the service with SIGTERM.
    pub async fn stop(self) -> Result<(), String> {
        signal("TERM", self.id());
        let status = self.ended().await?;
        if status.success() { Ok(()) } else { Err(format!("the service ended with {status}")) }
    }

    /// Waits until the service ends by itself.
    pub async fn ended(mut self) -> Result<ExitStatus, String> {
        let ended = async || self.process.try_wait().ok().flatten();
        crate::wait::until("that the service ends", HANG, ended).await
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn signal(name: &str, id: u32) {
    let _ =
        Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", name, &id.to_string()]).stderr(Stdio::null()).status();
}

/// Returns true if this process runs as root, which may mount disks and ignores file permissions.
pub fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().nth(1));
    user == Some("0")
}

/// Runs a program of the system.
pub fn machine(program: &str, arguments: &[&str]) -> Result<(), String> {
    let ran = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let output = ran.map_err(|e| format!("{program}: {e}"))?;
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if output.status.success() { Ok(()) } else { Err(format!("{program}: {}", said())) }
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}
