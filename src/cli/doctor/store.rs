//! Checks the diagnostics of the store. The functions are pure.

use std::time::Duration;

use super::finding::Finding;
use crate::store::Backend;
use crate::store::diagnostics::{Diagnosis, Integrity, MigrationState, OtherUsers, Server};

const STORE: &str = "store";
const SERVERS: &str = "store-servers";
const MIGRATIONS: &str = "store-form";
const INTEGRITY: &str = "store-integrity";
const WRITES: &str = "store-writes";
const OTHER_USERS: &str = "store-users";
const DURABILITY: &str = "store-durability";
const EVENTS: &str = "store-events";

/// Duration above which a write transaction is reported, because it delays events noticeably.
const LONG_TRANSACTION: Duration = Duration::from_secs(60);

/// Returns the findings for the store. `migrates` is true if the next start of the service migrates the store.
pub fn of_store(backend: &Backend, migrates: bool, look: &Result<Diagnosis, String>) -> Vec<Finding> {
    let setting = match backend {
        Backend::Embedded(_) => "--data",
        Backend::Postgres { .. } => "--database",
    };
    let look = match look {
        Ok(look) => look,
        Err(sentence) => return vec![Finding::from_sentence(STORE, sentence, &format!("check {setting}"))],
    };
    let store = match (look.migrations, backend) {
        (MigrationState::Missing, Backend::Embedded(folder)) => Finding::warning(
            STORE,
            format!("no store exists in {} yet", folder.display()),
            format!("if you expected one, check {setting}; the first start creates an empty store"),
        ),
        (MigrationState::Missing, Backend::Postgres { .. }) => Finding::warning(
            STORE,
            "the database can be reached, and has no store yet",
            format!(
                "if you expected one, check {setting}; the first start without --no-migrate creates an empty store"
            ),
        ),
        (_, Backend::Embedded(folder)) => Finding::ok(STORE, format!("is in {}", folder.display())),
        (_, Backend::Postgres { .. }) => Finding::ok(STORE, "the database can be reached"),
    };
    let mut findings = vec![store];
    if !look.servers.is_empty() {
        findings.push(of_servers(&look.servers));
    }
    findings.extend(of_migrations(look.migrations, migrates));
    findings.extend(of_integrity(&look.integrity));
    findings.extend(of_writes(look));
    findings.extend(of_others(look));
    findings.extend(of_durability(&look.risky_settings));
    findings.extend(of_transaction(look.oldest_transaction.as_ref()));
    findings
}

/// Checks the settings of the PostgreSQL server that protect acknowledged data in a crash. `risky_settings` names those
/// that are off. Returns `None` if all are on.
fn of_durability(risky_settings: &[String]) -> Option<Finding> {
    let says = format!("the server can lose acknowledged data in a crash: {} is off", risky_settings.join(" and "));
    (!risky_settings.is_empty())
        .then(|| Finding::warning(DURABILITY, says, "set it to on, at least for the service's user"))
}

/// Checks the oldest write transaction. Returns `None` unless it is so old that it delays events.
fn of_transaction(oldest: Option<&(Duration, String)>) -> Option<Finding> {
    let (age, named) = oldest.filter(|(age, _)| *age > LONG_TRANSACTION)?;
    let says = format!("events are delayed: a write transaction has been open for {} s ({named})", age.as_secs());
    Some(Finding::warning(
        EVENTS,
        says,
        "end it, if necessary with SELECT pg_terminate_backend(…) or ROLLBACK PREPARED",
    ))
}

fn of_servers(servers: &[(String, Server)]) -> Finding {
    let report = servers.iter().map(|(name, server)| match server {
        Server::Writes => format!("{name} accepts writes"),
        Server::ReadsOnly => format!("{name} is read-only"),
        Server::Unreachable(reason) => reason.replace("; ", ", "),
    });
    let report = report.collect::<Vec<_>>().join(", ");
    if servers.iter().any(|(_, server)| matches!(server, Server::Unreachable(_))) {
        Finding::warning(SERVERS, report, "restart the unavailable server, or remove it from --database")
    } else if servers.iter().filter(|(_, server)| *server == Server::Writes).count() > 1 {
        Finding::warning(
            SERVERS,
            report,
            "unless all are writable servers of one cluster, name only servers that hold the same data",
        )
    } else {
        Finding::ok(SERVERS, report)
    }
}

fn of_migrations(migrations: MigrationState, migrates: bool) -> Option<Finding> {
    let MigrationState::Steps { done, known } = migrations else { return None };
    Some(if done > known {
        let says = format!("belongs to a newer Fieldbook (store version {done}, this program knows {known})");
        Finding::problem(MIGRATIONS, says, "run the newer version")
    } else if done == known {
        Finding::ok(MIGRATIONS, format!("is up to date (store version {done})"))
    } else {
        let says = format!("is older (store version {done}, this program needs {known})");
        if migrates {
            Finding::warning(MIGRATIONS, says, "make a backup first; the next start migrates it")
        } else {
            Finding::problem(MIGRATIONS, says, "make a backup, then run fieldbook migrate")
        }
    })
}

fn of_integrity(integrity: &Integrity) -> Option<Finding> {
    match integrity {
        Integrity::Intact => Some(Finding::ok(INTEGRITY, "all of it is readable")),
        Integrity::Damaged(reason) => Some(Finding::problem(
            INTEGRITY,
            format!("it is damaged: {reason}"),
            "stop the service, keep the files, and restore a backup with fieldbook restore",
        )),
        Integrity::SchemaChanged(difference) => Some(Finding::problem(
            INTEGRITY,
            format!("another program changed its schema: {difference}"),
            "undo that change, or restore a backup with fieldbook restore",
        )),
        Integrity::TimedOut => Some(Finding::warning(
            INTEGRITY,
            "it is too large to check in a few seconds",
            "fieldbook backup checks all of it",
        )),
        Integrity::ChecksumFailures(0, _) => Some(Finding::ok(INTEGRITY, "the server has found no damaged page")),
        Integrity::ChecksumFailures(times, last) => {
            let last = last.map(|last| format!(", last at {last}")).unwrap_or_default();
            Some(Finding::problem(
                INTEGRITY,
                format!("the server has found damaged pages ({times} times{last})"),
                "restore a backup or promote a standby; after the repair, reset the count with: SELECT pg_stat_reset()",
            ))
        }
        Integrity::NotChecked => None,
    }
}

fn of_writes(look: &Diagnosis) -> Option<Finding> {
    if let Err(reason) = &look.writes {
        return Some(Finding::problem(
            WRITES,
            format!("it refuses writes: {reason}"),
            "check the permissions of its user and the free disk space",
        ));
    }
    match (&look.upgrades, look.migrations) {
        (Err(sentence), MigrationState::Steps { done, known }) if done >= known => {
            let (reason, remedy) = sentence.split_once("; ").unwrap_or((sentence, "check the permissions of its user"));
            let says = format!("it accepts writes, but the next upgrade will fail: {reason}");
            Some(Finding::warning(WRITES, says, remedy))
        }
        (Err(sentence), _) => Some(Finding::from_sentence(WRITES, sentence, "check the permissions of its user")),
        (Ok(()), MigrationState::Missing) => None,
        (Ok(()), MigrationState::Steps { .. }) => Some(Finding::ok(WRITES, "it accepts writes")),
    }
}

fn of_others(look: &Diagnosis) -> Option<Finding> {
    let says = match (look.others, look.migrations) {
        (OtherUsers::Nobody, MigrationState::Missing) => return None,
        (OtherUsers::Nobody, MigrationState::Steps { .. }) => "nobody else is using it".to_owned(),
        (OtherUsers::Process, _) => "another process is using it, perhaps the service".to_owned(),
        (OtherUsers::Connections(1), _) => "one other connection is open".to_owned(),
        (OtherUsers::Connections(count), _) => format!("{count} other connections are open"),
    };
    Some(Finding::ok(OTHER_USERS, says))
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/doctor/store.rs"]
mod tests;
