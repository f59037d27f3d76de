//! `fieldbook doctor` on PostgreSQL: each server, the store version, and the rights of the user.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use fieldbook::store::Store;

use crate::support::TEACHER;
use crate::support::postgres::{Holder, address, execute, execute_in, host_and_port, place_through, store_of};
use crate::support::receiver::secret;

/// Returns the doctor's lines about the store in this database.
fn told(data: &Path, database: &str) -> String {
    told_of("store", data, database)
}

/// Returns the doctor's lines about checks whose names begin with `checks`.
fn told_of(checks: &str, data: &Path, database: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.arg("doctor").arg("--data").arg(data).env("FIELDBOOK_DATABASE", database);
    program.envs([("FIELDBOOK_WEBHOOK_URLS", "http://127.0.0.1:9/hook"), ("FIELDBOOK_WEBHOOK_SECRET", &secret())]);
    let output = program.output().expect("run");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let asked = said.lines().filter(|line| line.get(9..).is_some_and(|line| line.starts_with(checks)));
    asked.collect::<Vec<_>>().join("\n").replace(&host_and_port(), "HOST:PORT")
}

#[test]
fn a_database_is_looked_at_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let database = store_of(folder.path(), &server);
    let others = ["store-users", "store-durability", "store-events"];
    let without_others = |said: String| -> String {
        said.lines().filter(|line| !others.iter().any(|name| line.contains(name))).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(without_others(told(folder.path(), &database)), @"
    warning  store              the database can be reached, and has no store yet; if you expected one, check --database; the first start without --no-migrate creates an empty store
    ok       store-servers      HOST:PORT accepts writes
    ");
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    insta::assert_snapshot!(without_others(told(folder.path(), &database)), @"
    ok       store              the database can be reached
    ok       store-servers      HOST:PORT accepts writes
    ok       store-form         is up to date (store version 14)
    ok       store-writes       it accepts writes
    ");
    let with_another = database.replacen(&host_and_port(), &format!("127.0.0.1:1,{}", host_and_port()), 1);
    let said = told(folder.path(), &with_another);
    assert!(said.contains("warning  store-servers      cannot reach the database server 127.0.0.1:1: "), "{said}");
    assert!(said.contains("HOST:PORT accepts writes; restart the unavailable server"), "{said}");
    execute_in(folder.path(), &server, "UPDATE store_version SET steps = 15");
    insta::assert_snapshot!(without_others(told(folder.path(), &database)), @"
    ok       store              the database can be reached
    ok       store-servers      HOST:PORT accepts writes
    problem  store-form         belongs to a newer Fieldbook (store version 15, this program knows 14); run the newer version
    ok       store-writes       it accepts writes
    ");
    let reads_only = format!("{database}%20-cdefault_transaction_read_only%3Don");
    insta::assert_snapshot!(told(folder.path(), &reads_only), @"problem  store              the database server HOST:PORT takes no writes; check --database");
}

#[test]
fn how_far_webhooks_are_is_read_from_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let database = store_of(folder.path(), &server);
    let webhooks = || told_of("webhooks", folder.path(), &database);
    insta::assert_snapshot!(webhooks(), @"ok       webhooks           127.0.0.1 was not called, and the store has no record of it");
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    insta::assert_snapshot!(webhooks(), @"ok       webhooks           127.0.0.1 is new, and receives events from the next start on");
    // These rows mean that the second of three events was refused and the third was not sent yet.
    let name = "a94bb7e849462697b6ee9a325910ac55b9f17d1b07fc758dbd47e6065d1616c3";
    let noted = format!(
        "INSERT INTO event (transaction, n, at, investigation, revision, what)
             SELECT n, n, 1000000000000 + n, '', 1, '' FROM generate_series(1, 3) AS n;
         INSERT INTO webhook VALUES ('{name}', 2, 2, 1000000000002, 'one', now());
         INSERT INTO webhook_retry VALUES ('{name}', 2, 2, 1000000000002, 1, 1000000005000)"
    );
    execute_in(folder.path(), &server, &noted);
    insta::assert_snapshot!(webhooks(), @"warning  webhooks           127.0.0.1 has received the events up to 2001-09-09T01:46:40.002Z, 1 event waits to be sent since 2001-09-09T01:46:40.003Z, 1 event failed after one attempt so far, next attempt at 2001-09-09T01:46:45.000Z, no copy of the service is delivering to it; fix what the log reports for this host");
    execute_in(
        folder.path(),
        &server,
        "UPDATE webhook SET held_until = now() + interval '1 hour'; DELETE FROM webhook_retry",
    );
    insta::assert_snapshot!(webhooks(), @"warning  webhooks           127.0.0.1 has received the events up to 2001-09-09T01:46:40.002Z, 1 event waits to be sent since 2001-09-09T01:46:40.003Z; check that the service runs with this address, and read its log about this host");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_may_lose_commits_and_a_transaction_that_holds_up_events_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let database = store_of(folder.path(), &server);
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    let risky_settings = format!("{database}%20-csynchronous_commit%3Doff");
    let said = told_of("store-durability", folder.path(), &risky_settings);
    assert!(said.starts_with("warning  store-durability") && said.contains("synchronous_commit is off; "), "{said}");

    let writer = Holder::of(&server, "SELECT pg_current_xact_id()").await;
    let place = place_through(folder.path(), &host_and_port(), 1);
    let look = Store::diagnose(place, std::time::Duration::ZERO).await.expect("a look");
    let (_, named) = look.oldest_transaction.expect("a transaction");
    assert!(named.contains(" in the database "), "{named}");
    drop(writer);
}

#[test]
fn a_secret_that_each_copy_makes_for_itself_is_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let secret_of = |data: &Path| told_of("secret", data, &store_of(folder.path(), &server));
    let warning = "warning  secret             each copy makes its own secret; set auth.hs256-secret";
    assert_eq!(secret_of(folder.path()), warning);
    let mut token = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    token.args(["token", "--user", TEACHER, "--data"]).arg(folder.path());
    assert!(token.output().expect("run").status.success());
    assert_eq!(secret_of(folder.path()), warning);
    // A problem of the file itself is worse, so it is reported instead.
    let file = folder.path().join(fieldbook::tokens::SECRET_FILE);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("set");
    assert!(secret_of(folder.path()).contains("can be read by other users"));
    std::fs::write(&file, "short").expect("written");
    assert!(secret_of(folder.path()).contains("it has fewer than 32 bytes"));
}

#[test]
fn a_user_who_may_not_make_tables_is_told_so_before_the_upgrade() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    execute(
        &server,
        "DO $$ BEGIN CREATE ROLE reader_of_all LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$",
    );
    let database = store_of(folder.path(), &server);
    let grant = |rights: &str| {
        let grant = format!("DO $$ BEGIN EXECUTE format('GRANT {rights} TO reader_of_all', current_schema()); END $$");
        execute_in(folder.path(), &server, &grant);
    };
    grant("USAGE ON SCHEMA %I");
    let as_reader = database.replace("fieldbook@", "reader_of_all@");
    let writes = || {
        let said = told_of("store-writes", folder.path(), &as_reader);
        said.split("SCHEMA test_").next().expect("a start").to_owned()
    };
    let refusal = "the user reader_of_all may not create tables in the database postgres; run: GRANT CREATE ON ";
    assert_eq!(writes(), format!("problem  store-writes       {refusal}"), "before the first start");
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    grant("ALL ON ALL TABLES IN SCHEMA %I");
    assert_eq!(
        writes(),
        format!("warning  store-writes       it accepts writes, but the next upgrade will fail: {refusal}")
    );
    execute_in(folder.path(), &server, "UPDATE store_version SET steps = 10");
    assert_eq!(writes(), format!("problem  store-writes       {refusal}"), "before an upgrade");
    grant("CREATE ON SCHEMA %I");
    assert_eq!(writes(), "ok       store-writes       it accepts writes");
}
