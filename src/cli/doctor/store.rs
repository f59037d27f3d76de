//! Judges the store. Pure.

use std::time::Duration;

use super::finding::Finding;
use crate::store::Backend;
use crate::store::diagnostics::{Diagnosis, Form, Others, Server, Sound};

const STORE: &str = "store";
const SERVERS: &str = "store-servers";
const FORM: &str = "store-form";
const SOUND: &str = "store-integrity";
const WRITES: &str = "store-writes";
const OTHERS: &str = "store-users";
const DURABILITY: &str = "store-durability";
const EVENTS: &str = "store-events";

/// A write transaction that runs longer delays events noticeably.
const LONG: Duration = Duration::from_secs(60);

/// Judges a store, which is migrated at the next start if `migrates`.
pub fn of_store(backend: &Backend, migrates: bool, look: &Result<Diagnosis, String>) -> Vec<Finding> {
    let setting = match backend {
        Backend::Embedded(_) => "--data",
        Backend::Postgres { .. } => "--database",
    };
    let look = match look {
        Ok(look) => look,
        Err(sentence) => return vec![Finding::told(STORE, sentence, &format!("check {setting}"))],
    };
    let store = match (look.form, backend) {
        (Form::Missing, Backend::Embedded(folder)) => Finding::warning(
            STORE,
            format!("there is none in {} yet", folder.display()),
            format!("if there should be, check {setting}; the first start makes an empty one"),
        ),
        (Form::Missing, Backend::Postgres { .. }) => Finding::warning(
            STORE,
            "the database is reached, and holds no store yet",
            format!("if it should, check {setting}; the first start without --no-migrate makes an empty one"),
        ),
        (_, Backend::Embedded(folder)) => Finding::ok(STORE, format!("is in {}", folder.display())),
        (_, Backend::Postgres { .. }) => Finding::ok(STORE, "the database is reached"),
    };
    let mut findings = vec![store];
    if !look.servers.is_empty() {
        findings.push(of_servers(&look.servers));
    }
    findings.extend(of_form(look.form, migrates));
    findings.extend(of_soundness(&look.sound));
    findings.extend(of_writes(look));
    findings.extend(of_others(look));
    findings.extend(of_durability(&look.careless));
    findings.extend(of_transaction(look.oldest_transaction.as_ref()));
    findings
}

/// Judges a server's durability settings; `None` if they are safe.
fn of_durability(careless: &[String]) -> Option<Finding> {
    let says = format!("the server may lose what it has acknowledged when it fails: {} is off", careless.join(" and "));
    (!careless.is_empty())
        .then(|| Finding::warning(DURABILITY, says, "set it to on, for the user of the service at least"))
}

/// Judges long transactions; `None` if none delays events.
fn of_transaction(oldest: Option<&(Duration, String)>) -> Option<Finding> {
    let (age, named) = oldest.filter(|(age, _)| *age > LONG)?;
    let says = format!("events come late: a transaction that writes is open for {} s ({named})", age.as_secs());
    Some(Finding::warning(EVENTS, says, "end it, with SELECT pg_terminate_backend(…) if need be, or ROLLBACK PREPARED"))
}

fn of_servers(servers: &[(String, Server)]) -> Finding {
    let told = servers.iter().map(|(name, server)| match server {
        Server::Writes => format!("{name} takes writes"),
        Server::ReadsOnly => format!("{name} only reads"),
        Server::Away(reason) => reason.replace("; ", ", "),
    });
    let told = told.collect::<Vec<_>>().join(", ");
    if servers.iter().any(|(_, server)| matches!(server, Server::Away(_))) {
        Finding::warning(SERVERS, told, "bring back the one that is away, or leave it out of --database")
    } else if servers.iter().filter(|(_, server)| *server == Server::Writes).count() > 1 {
        Finding::warning(
            SERVERS,
            told,
            "unless they are one cluster in which all take writes, name only servers that hold the same data",
        )
    } else {
        Finding::ok(SERVERS, told)
    }
}

fn of_form(form: Form, migrates: bool) -> Option<Finding> {
    let Form::Steps { done, known } = form else { return None };
    Some(if done > known {
        let says = format!("is that of a newer Fieldbook (store version {done}, this program knows {known})");
        Finding::problem(FORM, says, "run the newer program")
    } else if done == known {
        Finding::ok(FORM, format!("is up to date (store version {done})"))
    } else {
        let says = format!("is older (store version {done}, this program needs {known})");
        if migrates {
            Finding::warning(FORM, says, "make a backup, as the next start brings it up to date")
        } else {
            Finding::problem(FORM, says, "make a backup, then run fieldbook migrate")
        }
    })
}

fn of_soundness(sound: &Sound) -> Option<Finding> {
    match sound {
        Sound::Yes => Some(Finding::ok(SOUND, "all of it can be read")),
        Sound::Damaged(reason) => Some(Finding::problem(
            SOUND,
            format!("it is damaged: {reason}"),
            "stop the service, keep the files, and put back a backup with fieldbook restore",
        )),
        Sound::Changed(difference) => Some(Finding::problem(
            SOUND,
            format!("somebody else changed its schema: {difference}"),
            "undo that with the program that did it, or put back a backup with fieldbook restore",
        )),
        Sound::Unread => Some(Finding::warning(
            SOUND,
            "it is too large to be read to its end in a few seconds",
            "fieldbook backup reads all of it",
        )),
        Sound::Met(0, _) => Some(Finding::ok(SOUND, "the server has met no damaged page")),
        Sound::Met(times, last) => {
            let last = last.map(|last| format!(", last at {last}")).unwrap_or_default();
            Some(Finding::problem(
                SOUND,
                format!("the server has met damaged pages ({times} times{last})"),
                "put back a backup, or a standby in its place; what is mended is forgotten with: SELECT pg_stat_reset()",
            ))
        }
        Sound::NotAsked => None,
    }
}

fn of_writes(look: &Diagnosis) -> Option<Finding> {
    match (&look.writes, look.form) {
        (Err(reason), _) => Some(Finding::problem(
            WRITES,
            format!("it takes no writes: {reason}"),
            "check the rights of its user, and the room on its disk",
        )),
        (Ok(()), Form::Missing) => None,
        (Ok(()), Form::Steps { .. }) => Some(Finding::ok(WRITES, "it takes writes")),
    }
}

fn of_others(look: &Diagnosis) -> Option<Finding> {
    let says = match (look.others, look.form) {
        (Others::Nobody, Form::Missing) => return None,
        (Others::Nobody, Form::Steps { .. }) => "nobody else uses it at this moment".to_owned(),
        (Others::Process, _) => "another process uses it at this moment, which may be the service".to_owned(),
        (Others::Connections(1), _) => "one other connection uses it at this moment".to_owned(),
        (Others::Connections(count), _) => format!("{count} other connections use it at this moment"),
    };
    Some(Finding::ok(OTHERS, says))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnose(servers: Vec<(String, Server)>) -> Diagnosis {
        Diagnosis {
            servers,
            form: Form::Steps { done: 3, known: 4 },
            sound: Sound::Unread,
            writes: Err("disk full".into()),
            others: Others::Connections(2),
            newest: None,
            careless: Vec::new(),
            oldest_transaction: None,
            went_back: None,
            webhooks: None,
        }
    }

    fn told(look: Diagnosis, migrates: bool) -> String {
        let findings = of_store(&Backend::Embedded("d".into()), migrates, &Ok(look));
        findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn each_trouble_of_a_store_has_a_way_out() {
        insta::assert_snapshot!(told(diagnose(Vec::new()), false), @"
        ok       store              is in d
        problem  store-form         is older (store version 3, this program needs 4); make a backup, then run fieldbook migrate
        warning  store-integrity    it is too large to be read to its end in a few seconds; fieldbook backup reads all of it
        problem  store-writes       it takes no writes: disk full; check the rights of its user, and the room on its disk
        ok       store-users        2 other connections use it at this moment
        ");
        let server = |name: &str, server| (name.to_owned(), server);
        let servers = vec![server("a:1", Server::ReadsOnly), server("b:1", Server::Writes)];
        let away = vec![server("a:1", Server::Away("cannot reach the database server a:1".into()))];
        insta::assert_snapshot!(told(Diagnosis { sound: Sound::Damaged("page 7".into()), ..diagnose(servers) }, true), @"
        ok       store              is in d
        ok       store-servers      a:1 only reads, b:1 takes writes
        warning  store-form         is older (store version 3, this program needs 4); make a backup, as the next start brings it up to date
        problem  store-integrity    it is damaged: page 7; stop the service, keep the files, and put back a backup with fieldbook restore
        problem  store-writes       it takes no writes: disk full; check the rights of its user, and the room on its disk
        ok       store-users        2 other connections use it at this moment
        ");
        insta::assert_snapshot!(told(diagnose(away), true), @"
        ok       store              is in d
        warning  store-servers      cannot reach the database server a:1; bring back the one that is away, or leave it out of --database
        warning  store-form         is older (store version 3, this program needs 4); make a backup, as the next start brings it up to date
        warning  store-integrity    it is too large to be read to its end in a few seconds; fieldbook backup reads all of it
        problem  store-writes       it takes no writes: disk full; check the rights of its user, and the room on its disk
        ok       store-users        2 other connections use it at this moment
        ");
    }

    #[test]
    fn what_a_server_may_lose_and_what_holds_up_events_is_named() {
        let after = |seconds| Some((Duration::from_secs(seconds), "process 7 in the database other".to_owned()));
        let seen = |careless: &[&str], oldest_transaction| {
            let careless = careless.iter().map(|name| (*name).to_owned()).collect();
            let said = told(Diagnosis { careless, oldest_transaction, ..diagnose(Vec::new()) }, true);
            said.lines().skip(5).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(seen(&[], after(60)), "");
        insta::assert_snapshot!(seen(&["fsync", "synchronous_commit"], after(61)), @"
        warning  store-durability   the server may lose what it has acknowledged when it fails: fsync and synchronous_commit is off; set it to on, for the user of the service at least
        warning  store-events       events come late: a transaction that writes is open for 61 s (process 7 in the database other); end it, with SELECT pg_terminate_backend(…) if need be, or ROLLBACK PREPARED
        ");
    }
}
