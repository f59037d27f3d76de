//! `fieldbook doctor` before a PostgreSQL: each server, the form, and the rights of the user.

use std::path::Path;
use std::process::Command;

use crate::support::postgres::{address, execute_in, host_and_port, store_of};

/// What it says of the store on this database.
fn told(data: &Path, database: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.arg("doctor").arg("--data").arg(data);
    let output = program.env("FIELDBOOK_DATABASE", database).output().expect("run");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let of_store = said.lines().filter(|line| line.get(9..).is_some_and(|line| line.starts_with("store")));
    of_store.collect::<Vec<_>>().join("\n").replace(&host_and_port(), "HOST:PORT")
}

#[test]
fn a_database_is_looked_at_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let database = store_of(folder.path(), &server);
    let others = "store-users";
    let without_others =
        |said: String| -> String { said.lines().filter(|line| !line.contains(others)).collect::<Vec<_>>().join("\n") };
    insta::assert_snapshot!(without_others(told(folder.path(), &database)), @"
    warning  store              the database is reached, and holds no store yet; if it should, check --database; the first start without --no-migrate makes an empty one
    ok       store-servers      HOST:PORT takes writes
    ");
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    assert!(migrate.arg("migrate").env("FIELDBOOK_DATABASE", &database).status().expect("run").success());
    insta::assert_snapshot!(without_others(told(folder.path(), &database)), @"
    ok       store              the database is reached
    ok       store-servers      HOST:PORT takes writes
    ok       store-form         is up to date (store version 6)
    ok       store-writes       it takes writes
    ");
    let with_another = database.replacen(&host_and_port(), &format!("127.0.0.1:1,{}", host_and_port()), 1);
    let said = told(folder.path(), &with_another);
    assert!(said.contains("warning  store-servers      cannot reach the database server 127.0.0.1:1: "), "{said}");
    assert!(said.contains("HOST:PORT takes writes; bring back the one that is away"), "{said}");
    execute_in(folder.path(), &server, "UPDATE store_version SET steps = 9");
    insta::assert_snapshot!(without_others(told(folder.path(), &database)), @"
    ok       store              the database is reached
    ok       store-servers      HOST:PORT takes writes
    problem  store-form         is that of a newer Fieldbook (store version 9, this program knows 6); run the newer program
    ok       store-writes       it takes writes
    ");
    let reads_only = format!("{database}%20-cdefault_transaction_read_only%3Don");
    insta::assert_snapshot!(told(folder.path(), &reads_only), @"problem  store              the database server HOST:PORT takes no writes; check --database");
}
