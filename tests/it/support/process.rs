//! The service as a separate process, as an operator runs it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use super::{Caller, TEACHER};

/// A running service, which is killed with SIGKILL on drop.
pub struct Service {
    pub process: Child,
    pub base: String,
}

/// Returns a command of the program that uses this data folder and the backend of the tests, and logs only errors.
pub fn fieldbook(command: &str, data: &Path) -> Command {
    let mut program = on_no_backend(command, data);
    if let Some(server) = super::postgres::server() {
        program.args(["--database", &super::postgres::store_of(data, &server)]);
    }
    program
}

/// Returns a token of the teacher for the service on this data folder.
pub fn token(data: &Path) -> String {
    let output = fieldbook("token", data).args(["--user", TEACHER]).output().expect("a token");
    String::from_utf8(output.stdout).expect("a text").trim().to_owned()
}

/// Returns the standard error of a command that failed. Panics if the command succeeded or wrote to standard output.
pub fn refused(output: Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

pub fn python(file: &str) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = root.join("target/python/bin/python");
    assert!(program.exists(), "{} is missing: run scripts/python, which makes it", program.display());
    let mut command = Command::new(program);
    // Without this, Python leaves a folder with compiled files beside the example.
    command.arg("-B").arg(root.join(file));
    command
}

/// Returns a command like [`fieldbook`], on the embedded store unless the test names another one.
pub fn on_no_backend(command: &str, data: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(command.split(' ')).arg("--data").arg(data).env("FIELDBOOK_LOG_LEVEL", "error");
    program
}

impl Service {
    /// Starts the service on this data folder and waits until it is ready for requests.
    pub fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    pub fn start_with(data: &Path, arguments: &[&str]) -> Self {
        let names_store = arguments.contains(&"--database");
        let mut program = if names_store { on_no_backend("serve", data) } else { fieldbook("serve", data) };
        // Tests send many requests from one address, so the rate limits are off.
        program.envs([("FIELDBOOK_RESOLVE_RATE_LIMIT", "0"), ("FIELDBOOK_ASSISTANT_RATE_LIMIT", "0")]);
        program.args(arguments);
        Self::of(program)
    }

    /// Starts the profile service of `examples/profiles/`, with the people there.
    pub fn example_of_profiles() -> Self {
        Self::of(python("examples/profiles/server.py"))
    }

    /// Starts this program on a free port and waits until it is ready for requests.
    pub fn of(mut program: Command) -> Self {
        program.args(["--listen", "127.0.0.1:0"]);
        let mut process = program.stdout(Stdio::piped()).spawn().expect("the service starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let base = line.trim().strip_prefix("listening on ").expect("the announcement").to_owned();
        Self { process, base }
    }

    /// Returns a client with a token of the teacher. `data` is the data folder of the service.
    pub fn teacher(&self, data: &Path) -> Caller {
        Caller::of(self.base.clone()).bearing(&token(data))
    }

    /// Kills the process, so that it cannot finish anything.
    pub fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("ended");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
