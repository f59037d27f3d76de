//! Files with secrets. If other users may read such a file, the program restricts its permissions or refuses the file.
//! The program also refuses an unusable secret.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::doctor::{filled, told_of};
use crate::support::TEACHER;
use crate::support::process::{fieldbook, refused};

fn open(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("set");
}

fn secret_of(folder: &Path) -> std::path::PathBuf {
    assert!(fieldbook("token", folder).args(["--user", TEACHER]).output().expect("run").status.success());
    folder.join(fieldbook::tokens::SECRET_FILE)
}

#[test]
fn secret_file_readable_by_others_is_restricted_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = secret_of(folder.path());
    let before = fs::read(&secret).expect("a secret");
    open(&secret);
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--data"]).arg(folder.path());
    let mut process = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the service");
    let log = BufReader::new(process.stderr.take().expect("its log"));
    let warning =
        log.lines().map_while(Result::ok).find(|line| line.contains("other users could read the token secret"));
    process.kill().expect("killed");
    process.wait().expect("ended");
    assert!(warning.is_some_and(|line| line.contains("WARN") && line.contains("delete the file")));
    assert_eq!(secret.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read(&secret).expect("a secret"), before, "it stays the same");
}

#[test]
fn token_command_refuses_a_secret_file_of_nul_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = secret_of(folder.path());
    fs::write(&secret, [0; 64]).expect("written");
    let told = refused(fieldbook("token", folder.path()).args(["--user", TEACHER]).output().expect("run"));
    let (start, end) = (
        format!("fieldbook: cannot use the token secret {}: it contains NUL bytes; ", secret.display()),
        "delete the file so that a new one is created; give one with --auth-hs256-secret",
    );
    assert_eq!(told, start + end);
}

#[test]
fn doctor_reports_a_secret_file_of_nul_bytes() {
    let folder = filled();
    fs::write(folder.path().join(fieldbook::tokens::SECRET_FILE), [0; 64]).expect("written");
    insta::assert_snapshot!(told_of(&["secret"], folder.path(), &[]), @"
    exit 1
    problem  secret             the file auth-hs256-secret cannot be used: it contains NUL bytes; delete the file so that a new one is created, or set --auth-hs256-secret
    ");
}
