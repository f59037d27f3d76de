//! Checks the store, and the webhook deliveries that are recorded in it.

use std::time::Duration;

use super::finding::{Finding, NOT_SET_UP};
use crate::settings::Settings;
use crate::store::diagnostics::{Diagnosis, FailedDeliveries, Integrity, MigrationState};
use crate::store::{Backend, Store, StoreLocation};
use crate::webhooks::names_of;

pub const STORE: &str = "store";
const MIGRATIONS: &str = "store-version";
const INTEGRITY: &str = "store-integrity";
const WRITES: &str = "store-writes";
const WEBHOOKS: &str = "webhooks";

/// Time limit for reading all pages, and for reading all rows. The limit of the check is longer than both together.
const READING: Duration = Duration::from_secs(4);

pub async fn check(settings: &Settings) -> Vec<Finding> {
    let Settings { store, webhooks, .. } = settings;
    let urls = webhooks.as_ref().map(|webhooks| webhooks.urls.as_slice()).unwrap_or_default();
    match Store::diagnose(store.clone(), READING).await {
        Ok(diagnosis) => [of_store(store, &diagnosis), of_webhooks(urls, &diagnosis.failed_deliveries)].concat(),
        Err(sentence) => vec![Finding::from_sentence(STORE, &sentence, &format!("check {}", setting(store)))],
    }
}

fn of_store(location: &StoreLocation, diagnosis: &Diagnosis) -> Vec<Finding> {
    let Diagnosis { migrations, integrity, writes, failed_deliveries: _, damaged_logs } = diagnosis;
    let mut findings = Vec::new();
    match *migrations {
        MigrationState::Missing => {
            let remedy =
                format!("if you expected one, check {}; the first start creates an empty store", setting(location));
            findings.push(Finding::warning(STORE, format!("{} has no store yet", location.backend), remedy));
        }
        MigrationState::Steps { done, known } => {
            findings.push(Finding::ok(STORE, location.backend.to_string()));
            findings.push(of_migrations(done, known, location.migrate));
        }
    }
    match integrity {
        Integrity::NotChecked => {}
        Integrity::Intact(says) => findings.push(Finding::ok(INTEGRITY, *says)),
        Integrity::Broken { reason, remedy } => findings.push(Finding::problem(INTEGRITY, reason, *remedy)),
        Integrity::TimedOut => {
            let says = "it is too large to check in a few seconds";
            findings.push(Finding::warning(INTEGRITY, says, "fieldbook backup checks all of it"));
        }
    }
    for copy in damaged_logs {
        let says = format!("an earlier start found its write-ahead log damaged, and kept it as {}", copy.display());
        findings.push(Finding::warning(
            INTEGRITY,
            says,
            "compare it with a backup from that time, then delete the copy",
        ));
    }
    if let Err(sentence) = writes {
        let remedy = "check the permissions of its user and the free disk space";
        findings.push(Finding::from_sentence(WRITES, sentence, remedy));
    } else if *migrations != MigrationState::Missing {
        findings.push(Finding::ok(WRITES, "it accepts writes"));
    }
    findings
}

fn setting(location: &StoreLocation) -> &'static str {
    if matches!(location.backend, Backend::Embedded(_)) { "--data" } else { "--database" }
}

fn of_migrations(done: usize, known: usize, migrates: bool) -> Finding {
    if done == known {
        return Finding::ok(MIGRATIONS, format!("is up to date (store version {done})"));
    }
    if done > known {
        let says = format!("belongs to a newer Fieldbook (store version {done}, this program knows {known})");
        return Finding::problem(MIGRATIONS, says, "run the newer version");
    }
    let says = format!("is older (store version {done}, this program needs {known})");
    if migrates {
        Finding::warning(MIGRATIONS, says, "make a backup first; the next start migrates it")
    } else {
        Finding::problem(MIGRATIONS, says, "make a backup, then run fieldbook migrate")
    }
}

/// Returns a finding for each endpoint. No endpoint is called, because a test event would report something that never
/// happened.
fn of_webhooks(urls: &[String], failed: &[FailedDeliveries]) -> Vec<Finding> {
    let of_one = |(endpoint, host): (String, String)| match failed.iter().find(|it| it.endpoint == endpoint) {
        None => Finding::ok(WEBHOOKS, format!("no delivery to {host} is waiting for a retry")),
        Some(FailedDeliveries { events, .. }) => Finding::warning(
            WEBHOOKS,
            format!("deliveries to {host} that failed and are waiting for a retry: {events}"),
            "fix what the log reports for this host",
        ),
    };
    let findings: Vec<Finding> = urls.iter().filter_map(|url| names_of(url)).map(of_one).collect();
    if findings.is_empty() { vec![Finding::ok(WEBHOOKS, NOT_SET_UP)] } else { findings }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/doctor/store.rs"]
mod tests;
