//! `fieldbook doctor` on PostgreSQL: the server, the store version, and the rights of the user.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::postgres::{address, execute, execute_in, host_and_port, store_of};
use crate::support::receiver::secret;
use crate::support::{TEACHER, without_store_version};

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
    without_store_version(&asked.collect::<Vec<_>>().join("\n").replace(&host_and_port(), "HOST:PORT"))
}

#[test]
fn doctor_checks_a_postgresql_database_without_changing_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let database = store_of(folder.path(), &server);
    insta::assert_snapshot!(told(folder.path(), &database), @"warning  store              PostgreSQL on HOST:PORT has no store yet; if you expected one, check --database; the first start creates an empty store");
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    insta::assert_snapshot!(told(folder.path(), &database), @"
    ok       store              PostgreSQL on HOST:PORT
    ok       store-version      is up to date (store version N)
    ok       store-integrity    all of it is readable
    ok       store-writes       it accepts writes
    ");
    execute_in(folder.path(), &server, "UPDATE store_version SET steps = 99");
    insta::assert_snapshot!(told(folder.path(), &database), @"
    ok       store              PostgreSQL on HOST:PORT
    problem  store-version      belongs to a newer Fieldbook (store version 99, this program knows N); run the newer version
    ok       store-writes       it accepts writes
    ");
    let reads_only = format!("{database}%20-cdefault_transaction_read_only%3Don");
    insta::assert_snapshot!(told(folder.path(), &reads_only), @"problem  store              the database server HOST:PORT is read-only; name the primary server");
}

#[test]
fn doctor_counts_failed_webhook_deliveries_in_postgresql() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let database = store_of(folder.path(), &server);
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    let webhooks = || told_of("webhooks", folder.path(), &database);
    insta::assert_snapshot!(webhooks(), @"ok       webhooks           no delivery to 127.0.0.1 is waiting for a retry");
    let name = "a94bb7e849462697b6ee9a325910ac55b9f17d1b07fc758dbd47e6065d1616c3";
    let failed = format!(
        "INSERT INTO webhook (endpoint, after_xact, after_n, after_at) VALUES ('{name}', 2, 2, 1000000000002);
         INSERT INTO webhook_delivery VALUES ('{name}', 2, 2, 1000000000002, '', 1, 1000000005000),
             ('{name}', 2, 3, 1000000000003, '', 0, NULL)"
    );
    execute_in(folder.path(), &server, &failed);
    insta::assert_snapshot!(webhooks(), @"warning  webhooks           deliveries to 127.0.0.1 that failed and are waiting for a retry: 1; fix what the log reports for this host");
}

#[test]
fn doctor_warns_if_each_copy_would_make_its_own_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let secret_of = |data: &Path| told_of("secret", data, &store_of(folder.path(), &server));
    let warning = "warning  secret             each copy makes its own secret; set auth.hs256-secret";
    assert_eq!(secret_of(folder.path()), warning);
    let mut token = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    token.args(["token", "--user", TEACHER, "--data"]).arg(folder.path());
    assert!(token.output().expect("run").status.success());
    assert_eq!(secret_of(folder.path()), warning);
    // A problem with the file of the secret is worse than this warning, so the doctor reports the problem instead.
    let file = folder.path().join(fieldbook::tokens::SECRET_FILE);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("set");
    assert!(secret_of(folder.path()).contains("can be read by other users"));
    std::fs::write(&file, "short").expect("written");
    assert!(secret_of(folder.path()).contains("it has fewer than 32 bytes"));
}

#[test]
fn doctor_reports_a_database_user_without_the_create_permission() {
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
    let refusal = "the user reader_of_all may not create tables in the database postgres; let the owner of its tables run fieldbook migrate, or run: GRANT CREATE ON ";
    assert_eq!(writes(), format!("problem  store-writes       {refusal}"), "before the first start");
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    grant("ALL ON ALL TABLES IN SCHEMA %I");
    assert_eq!(writes(), "ok       store-writes       it accepts writes");
    grant("CREATE ON SCHEMA %I");
    assert_eq!(writes(), "ok       store-writes       it accepts writes");
}
