//! Poolers. Fieldbook refuses a pooler that gives each transaction another session, and works with a pooler that
//! gives each client its own session.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::support::postgres::host_and_port;
use crate::support::process::refused;

/// A PgBouncer in front of the test server, which is killed on drop.
struct PgBouncer {
    process: Child,
    address: String,
    _folder: TempDir,
}

impl PgBouncer {
    fn start(mode: &str) -> Self {
        let server = host_and_port();
        let (host, port) = server.rsplit_once(':').expect("a port");
        let own = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("readable");
        let file = folder.path().join("pgbouncer.ini");
        let settings = format!(
            "[databases]\n* = host={host} port={port} user=fieldbook\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {own}\n\
             unix_socket_dir =\nauth_type = any\npool_mode = {mode}\nignore_startup_parameters = extra_float_digits,options\n"
        );
        std::fs::write(&file, settings).expect("written");
        let mut program = Command::new("pgbouncer");
        if rustix::process::geteuid().is_root() {
            program.args(["--user", "postgres"]);
        }
        let mut process =
            program.arg(&file).stderr(Stdio::piped()).spawn().expect("PgBouncer, which scripts/test installs");
        let said = BufReader::new(process.stderr.take().expect("a log"));
        assert!(said.lines().map_while(Result::ok).any(|line| line.contains("process up")), "it starts");
        Self { process, address: format!("postgres://fieldbook@127.0.0.1:{own}/postgres"), _folder: folder }
    }

    /// Runs the program on the database behind PgBouncer.
    fn run(&self, command: &str, arguments: &[&str]) -> std::process::Output {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
        program.args([command, "--data"]).arg(folder.path()).args(arguments);
        program.env("FIELDBOOK_DATABASE", &self.address).output().expect("run")
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        // PgBouncer may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn postgres_pooler_in_transaction_mode_is_refused_at_the_start_and_by_doctor() {
    let pooler = PgBouncer::start("transaction");
    let words = "the database is reached through a pooler that gives each transaction another session (PgBouncer with \
                 pool_mode = transaction or statement), in which statements would be mixed up; name the server itself, or set pool_mode = session";
    for command in ["serve", "migrate", "export"] {
        let said = refused(pooler.run(command, &["--log-level", "error"]));
        assert_eq!(said, format!("fieldbook: {words}"), "{command}");
    }
    let said = pooler.run("doctor", &[]);
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(said.contains(&format!("problem  store              {words}")), "{said}");
}

#[test]
fn postgres_pooler_in_session_mode_is_accepted() {
    let said = PgBouncer::start("session").run("doctor", &[]);
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(said.contains("PostgreSQL on "), "{said}");
    assert!(!said.contains("pooler"), "{said}");
}
