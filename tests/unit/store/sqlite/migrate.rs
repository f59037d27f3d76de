//! Unit tests of `src/store/sqlite/migrate.rs`, with a made-up next migration.

use super::*;

const NEXT: &str = "ALTER TABLE api_key ADD COLUMN note TEXT; UPDATE api_key SET note = name";
const BROKEN: &str = "UPDATE api_key SET name = 'lost'; CREATE TABLE api_key (id TEXT)";

/// Returns a store of this version of the program, with one row.
fn store() -> Connection {
    let mut store = Connection::open_in_memory().expect("a store");
    run(&mut store, Path::new("s"), true).expect("the first start migrates");
    store.execute_batch("INSERT INTO api_key VALUES ('k', 'rota', 'b', '[]', x'00', 1, NULL, NULL)").expect("a row");
    store
}

fn text(store: &Connection, sql: &str) -> String {
    store.query_row(sql, [], |row| row.get(0)).expect("a text")
}

#[test]
fn next_migration_of_sqlite_keeps_rows_and_runs_once() {
    let mut store = store();
    let steps = [STEPS, &[NEXT]].concat();
    run_steps(&mut store, Path::new("s"), true, &steps).expect("migrated");
    assert_eq!(text(&store, "SELECT note FROM api_key"), "rota");
    // A second run of the step would fail, because the column exists.
    run_steps(&mut store, Path::new("s"), true, &steps).expect("nothing to do");
    run_steps(&mut store, Path::new("s"), false, &steps).expect("nothing to do");
    let newer = run(&mut store, Path::new("s"), true).expect_err("an older program");
    assert_eq!(
        newer.to_string(),
        format!(
            "the store s was written by a newer Fieldbook (store version {}, this program knows {}); run the newer version",
            STEPS.len() + 1,
            STEPS.len()
        )
    );
}

#[test]
fn no_migration_runs_if_migrations_are_not_allowed() {
    let mut store = store();
    let refused = run_steps(&mut store, Path::new("s"), false, &[STEPS, &[NEXT]].concat()).expect_err("not allowed");
    assert_eq!(
        refused.to_string(),
        format!(
            "the store s has store version {}, this program needs {}; run fieldbook migrate with the same --data, or start without --no-migrate",
            STEPS.len(),
            STEPS.len() + 1
        )
    );
    run(&mut store, Path::new("s"), false).expect("the store is unchanged");
}

#[test]
fn failed_migration_changes_nothing() {
    let mut store = store();
    let steps = [STEPS, &[NEXT, BROKEN]].concat();
    let failed = run_steps(&mut store, Path::new("s"), true, &steps).expect_err("the last step fails");
    assert!(failed.to_string().starts_with("cannot migrate the store s: "), "{failed}");
    assert_eq!(text(&store, "SELECT name FROM api_key"), "rota");
    run(&mut store, Path::new("s"), false).expect("the store is unchanged");
}
