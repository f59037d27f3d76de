//! The figures in `eval/README.md` equal the figures that the program prints now.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::support::process::fieldbook;

/// Returns the figures that the program prints for a file, as a section of `eval/README.md`.
fn figures(file: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let output = fieldbook("eval", folder.path()).arg(&path).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("a text");
    format!("`{file}`\n\n```text\n{printed}```\n")
}

#[test]
fn eval_readme_has_the_current_figures() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/README.md");
    let written = fs::read_to_string(&readme).expect("the readme");
    let (prose, _) = written.split_once("\n\n`eval/").expect("figures");
    let today = format!("{prose}\n\n{}", figures(FILE));
    if written != today {
        fs::write(&readme, today).expect("written");
        panic!("eval/README.md had other figures; it has been rewritten: read it and commit it");
    }
}

const FILE: &str = "eval/development.jsonl";

/// The rules may report a false contradiction in at most one clean document, and in no real lesson (`h4…` and `h5…`).
#[test]
fn rules_report_at_most_one_false_contradiction_in_clean_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let output = fieldbook("eval", folder.path()).arg(&path).arg("--verbose").output().expect("run");
    let printed = String::from_utf8(output.stdout).expect("a text");
    let wrong: Vec<_> = printed.lines().filter(|line| line.starts_with("wrong")).collect();
    assert!(wrong.len() <= 1 && wrong.iter().all(|line| !line.contains(" h4") && !line.contains(" h5")), "{wrong:?}");
    assert!(printed.contains("duration against steps                   1.00"), "{printed}");
}

#[test]
fn eval_fails_if_its_output_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let mut evaluation = fieldbook("eval", folder.path());
    let mut running =
        evaluation.arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(running.stdout.take());
    let output = running.wait_with_output().expect("it ends");
    let said = "fieldbook: cannot write to standard output: Broken pipe (os error 32)\n";
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(1), said));
}
