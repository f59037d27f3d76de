//! The figures of `eval/README.md` are those of today.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::support::process::fieldbook;

/// What the program prints of a file, without what depends on the machine.
fn figures(file: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let output = fieldbook("eval", folder.path()).arg(&path).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("a text");
    let steady: Vec<_> = printed.lines().filter(|line| !line.starts_with("milliseconds")).collect();
    format!("`{file}`\n\n```text\n{}\n```\n", steady.join("\n"))
}

#[test]
fn the_figures_in_the_documentation_are_those_of_today() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/README.md");
    let written = fs::read_to_string(&readme).expect("the readme");
    let (prose, _) = written.split_once("\n\n`eval/").expect("figures");
    let figures: Vec<_> = FILES.map(figures).into();
    let today = format!("{prose}\n\n{}", figures.join("\n"));
    if written != today {
        fs::write(&readme, today).expect("written");
        panic!("eval/README.md had other figures; it has been rewritten: read it and commit it");
    }
}

const FILES: [&str; 4] = ["eval/dev.jsonl", "eval/held-out.jsonl", "eval/excerpts.jsonl", "eval/ordinary.jsonl"];

#[test]
fn whoever_reads_no_further_does_not_end_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/held-out.jsonl");
    let mut evaluation = fieldbook("eval", folder.path());
    let mut running =
        evaluation.arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(running.stdout.take());
    let output = running.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
