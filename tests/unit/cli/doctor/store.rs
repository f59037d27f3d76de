//! Unit tests of `src/cli/doctor/store.rs`.

use super::*;

fn diagnose(servers: Vec<(String, Server)>) -> Diagnosis {
    Diagnosis {
        servers,
        migrations: MigrationState::Steps { done: 3, known: 4 },
        integrity: Integrity::TimedOut,
        writes: Err("disk full".into()),
        upgrades: Ok(()),
        others: OtherUsers::Connections(2),
        newest: None,
        risky_settings: Vec::new(),
        oldest_transaction: None,
        went_back: None,
        webhooks: None,
    }
}

fn report(look: Diagnosis, migrates: bool) -> String {
    let findings = of_store(&Backend::Embedded("d".into()), migrates, &Ok(look));
    findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_trouble_of_a_store_has_a_way_out() {
    insta::assert_snapshot!(report(diagnose(Vec::new()), false), @"
    ok       store              is in d
    problem  store-form         is older (store version 3, this program needs 4); make a backup, then run fieldbook migrate
    warning  store-integrity    it is too large to check in a few seconds; fieldbook backup checks all of it
    problem  store-writes       it refuses writes: disk full; check the permissions of its user and the free disk space
    ok       store-users        2 other connections are open
    ");
    let server = |name: &str, server| (name.to_owned(), server);
    let servers = vec![server("a:1", Server::ReadsOnly), server("b:1", Server::Writes)];
    let away = vec![server("a:1", Server::Unreachable("cannot reach the database server a:1".into()))];
    insta::assert_snapshot!(report(Diagnosis { integrity: Integrity::Damaged("page 7".into()), ..diagnose(servers) }, true), @"
    ok       store              is in d
    ok       store-servers      a:1 is read-only, b:1 accepts writes
    warning  store-form         is older (store version 3, this program needs 4); make a backup first; the next start migrates it
    problem  store-integrity    it is damaged: page 7; stop the service, keep the files, and restore a backup with fieldbook restore
    problem  store-writes       it refuses writes: disk full; check the permissions of its user and the free disk space
    ok       store-users        2 other connections are open
    ");
    insta::assert_snapshot!(report(diagnose(away), true), @"
    ok       store              is in d
    warning  store-servers      cannot reach the database server a:1; restart the unavailable server, or remove it from --database
    warning  store-form         is older (store version 3, this program needs 4); make a backup first; the next start migrates it
    warning  store-integrity    it is too large to check in a few seconds; fieldbook backup checks all of it
    problem  store-writes       it refuses writes: disk full; check the permissions of its user and the free disk space
    ok       store-users        2 other connections are open
    ");
}

#[test]
fn what_a_server_may_lose_and_what_holds_up_events_is_named() {
    let after = |seconds| Some((Duration::from_secs(seconds), "process 7 in the database other".to_owned()));
    let seen = |risky_settings: &[&str], oldest_transaction| {
        let risky_settings = risky_settings.iter().map(|name| (*name).to_owned()).collect();
        let said = report(Diagnosis { risky_settings, oldest_transaction, ..diagnose(Vec::new()) }, true);
        said.lines().skip(5).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(seen(&[], after(60)), "");
    insta::assert_snapshot!(seen(&["fsync", "synchronous_commit"], after(61)), @"
    warning  store-durability   the server can lose acknowledged data in a crash: fsync and synchronous_commit is off; set it to on, at least for the service's user
    warning  store-events       events are delayed: a write transaction has been open for 61 s (process 7 in the database other); end it, if necessary with SELECT pg_terminate_backend(…) or ROLLBACK PREPARED
    ");
}
