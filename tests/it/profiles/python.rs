//! A profile service that is written in Python.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::{authors, bare, start_with_authors, user};
use crate::support::profile_service::settings;
use crate::support::token::{IN_AN_HOUR, signed};
use crate::support::{COLLEAGUE, TEACHER};

/// A user whom the Python service does not know.
const NOBODY: &str = "ffffffffffffffffffffffff";

/// The Python service, which ends when this value is dropped.
struct Python {
    process: Child,
    output: BufReader<ChildStdout>,
    address: String,
}

impl Python {
    fn start(arguments: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = root.join("target/python/bin/python");
        assert!(program.exists(), "{} is missing: run scripts/python, which makes it", program.display());
        let mut process = Command::new(program)
            .arg(root.join("tests/it/profiles/server.py"))
            .arg(root.join("proto"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").expect("the announcement").to_owned();
        Self { process, output, address }
    }

    /// Returns the next call that the Python service received.
    fn asked(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn zoe(id: &str, ending: &str) -> Value {
    json!({"id": id, "name": format!("Zoë {ending}"), "email": format!("{id}@example.org"), "avatar": null})
}

#[tokio::test]
async fn a_service_in_python_names_the_authors_of_a_page_in_one_call() {
    let mut python = Python::start(&[]);
    let all = [Some(user(1)), None, Some(NOBODY.to_owned()), Some(user(2)), Some(user(1))];
    let (app, _) = start_with_authors(settings(python.address.parse().expect("an address")), &all).await;
    let token = signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR}));
    let teacher = app.anon().bearing(&token);
    let expected = [zoe(&user(1), "01"), bare(None), bare(Some(NOBODY)), zoe(&user(2), "02"), zoe(&user(1), "01")];
    assert_eq!(authors(&teacher).await, expected);
    assert_eq!(
        python.asked(),
        json!({"call": "BatchGetProfiles", "ids": [user(1), NOBODY, user(2)], "authorization": format!("Bearer {token}")})
    );
    // The first answer is cached, so the next call is for another token.
    assert_eq!(authors(&teacher).await, expected);
    let token = signed(&json!({"userId": COLLEAGUE, "exp": IN_AN_HOUR}));
    assert_eq!(authors(&app.anon().bearing(&token)).await, expected);
    assert_eq!(python.asked()["authorization"], json!(format!("Bearer {token}")));
}

#[tokio::test]
async fn a_service_in_python_that_has_no_call_for_many_is_asked_for_each() {
    let mut python = Python::start(&["--one-by-one"]);
    let all = [Some(user(1)), Some(NOBODY.to_owned()), Some(user(2))];
    let (_app, teacher) = start_with_authors(settings(python.address.parse().expect("an address")), &all).await;
    assert_eq!(authors(&teacher).await, [zoe(&user(1), "01"), bare(Some(NOBODY)), zoe(&user(2), "02")]);
    let mut asked: Vec<_> = (0..3).map(|_| python.asked()["ids"][0].to_string()).collect();
    asked.sort();
    assert_eq!(asked, [user(1), user(2), NOBODY.to_owned()].map(|id| format!("\"{id}\"")));
}
