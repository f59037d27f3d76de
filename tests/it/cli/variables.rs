//! Environment variables that are not settings, and the first line of a log in JSON.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use fieldbook::settings::{UnknownVariable, unknown_variables};
use serde_json::Value;

use super::doctor::{filled, on, told_of};
use super::text;
use crate::support::process::Service;

/// Starts the service with these variables. Returns the service, and its log up to the line that reports the start.
fn log_of_start(data: &Path, variables: &[(&str, &str)]) -> (Service, Vec<Value>) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["serve", "--log-format", "json", "--data"]).arg(data).stderr(Stdio::piped());
    program.envs(variables.iter().copied());
    let mut service = Service::of(program);
    let log = BufReader::new(service.process.stderr.take().expect("its log"));
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON"));
    let mut lines_of_start = Vec::new();
    for line in lines {
        let is_last = line["message"] == "started";
        lines_of_start.push(line);
        if is_last {
            return (service, lines_of_start);
        }
    }
    panic!("it has not started: {lines_of_start:?}");
}

#[test]
fn boolean_flag_is_accepted_with_or_without_a_value() {
    let folder = filled();
    for flag in ["--log-requests", "--no-migrate", "--auth-passwords"] {
        let name = flag.trim_start_matches('-').replacen("log-", "log.", 1).replacen("auth-", "auth.", 1);
        for value in ["", "=true", " true", "=false", " false"] {
            let given = format!("{flag}{value}");
            let told = told_of(&["settings"], folder.path(), &given.split(' ').collect::<Vec<_>>());
            assert!(told.contains(&format!("{name} from the flag {flag}")), "{given}: {told}");
        }
    }
}

#[test]
fn misspelled_setting_is_reported_with_a_suggestion() {
    let unknown = |name: &str| unknown_variables([name.to_owned()]);
    for (wrong, meant) in [
        ("FIELDBOOK_LISTN", "FIELDBOOK_LISTEN"),
        ("FIELDBOOK_DATABASE_CONECTIONS", "FIELDBOOK_DATABASE_CONNECTIONS"),
        ("FIELDBOOK_LOGLEVEL", "FIELDBOOK_LOG_LEVEL"),
        ("FIELDBOOK_AUTH_HS265_SECRET", "FIELDBOOK_AUTH_HS256_SECRET"),
        // Other settings share as many letters with the misspelled one, but are longer.
        ("FIELDBOOK_DATABASE_URL", "FIELDBOOK_DATABASE"),
        ("FIELDBOOK_AUTH_CLIENT_IE", "FIELDBOOK_AUTH_CLIENT_ID"),
    ] {
        assert_eq!(unknown(wrong), [UnknownVariable { variable: wrong.to_owned(), similar: Some(meant.to_owned()) }]);
    }
    for far in ["FIELDBOOK_TEST_POSTGRES", "FIELDBOOK_PORT", "FIELDBOOK_"] {
        assert_eq!(unknown(far), [UnknownVariable { variable: far.to_owned(), similar: None }]);
    }
    for right in ["FIELDBOOK_LISTEN", "FIELDBOOK_LOG_LEVEL", "FIELDBOOK_EVENTS_RETENTION_DAYS", "PATH", "NOTIFY_SOCKET"]
    {
        assert_eq!(unknown(right), []);
    }
}

#[test]
fn startup_log_names_misspelled_variables_and_the_address_and_store_and_version_of_the_service() {
    let folder = tempfile::tempdir().expect("a folder");
    let (service, lines) = log_of_start(folder.path(), &[("FIELDBOOK_TRASH_DAY", "3")]);
    let warning = lines.iter().find(|line| line["variable"] == "FIELDBOOK_TRASH_DAY").expect("a warning");
    assert_eq!((&warning["level"], &warning["similar"]), (&"WARN".into(), &"FIELDBOOK_TRASH_DAYS".into()));
    let started = lines.last().expect("a line");
    assert_eq!(started["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(started["address"], service.base.trim_start_matches("http://"));
    assert!(started["store"].as_str().expect("a text").contains(&folder.path().display().to_string()), "{started}");
}

#[test]
fn doctor_warns_of_a_misspelled_variable() {
    let folder = filled();
    let output = on("doctor", folder.path()).env("FIELDBOOK_TRASH_DAY", "3").output().expect("run");
    let said = text(&output.stdout);
    let about_settings: Vec<&str> = said.lines().filter(|line| line.contains(" settings ")).skip(1).collect();
    insta::assert_snapshot!(about_settings.join("\n"), @"warning  settings           the environment variable FIELDBOOK_TRASH_DAY is not a setting and has no effect; rename it, perhaps to FIELDBOOK_TRASH_DAYS, or remove it");
}
