//! Unit tests of `src/store/postgres/migrate.rs`, with a made-up next migration. They need the server in
//! `FIELDBOOK_TEST_POSTGRES`.

use super::super::connect::Connector;
use super::*;
use crate::store::Address;

const NEXT: &str = "ALTER TABLE api_key ADD COLUMN note TEXT; UPDATE api_key SET note = name";
const BROKEN: &str = "UPDATE api_key SET name = 'lost'; CREATE TABLE api_key (id TEXT)";

/// Returns a store of this version of the program, with one row, in a schema of its own.
async fn store(schema: &str) -> Connection {
    let server = std::env::var("FIELDBOOK_TEST_POSTGRES").expect("FIELDBOOK_TEST_POSTGRES names the server");
    let connector = Connector::new(Address::parse(&server).expect("an address")).expect("a connector");
    let mut store = connector.connect().await.expect("a connection");
    let clean = format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; SET search_path TO {schema}");
    store.client().batch_execute(&clean).await.expect("a schema");
    run(&mut store).await.expect("the first start migrates");
    let row = "INSERT INTO api_key VALUES ('k', 'rota', 'b', '[]', 'x', 1, NULL, NULL)";
    store.client().batch_execute(row).await.expect("a row");
    store
}

async fn text(store: &Connection, sql: &str) -> String {
    store.client().query_one(sql, &[]).await.expect("a row").get(0)
}

#[tokio::test]
async fn next_migration_of_postgresql_keeps_rows_and_runs_once() {
    let mut store = store("unit_next_migration").await;
    let steps = [STEPS, &[NEXT]].concat();
    let refused = check_steps(&store, steps.len()).await.expect_err("a step is missing");
    assert_eq!(
        refused.to_string(),
        format!(
            "the database has store version {}, this program needs {}; run fieldbook migrate with the same --database, or start without --no-migrate",
            STEPS.len(),
            STEPS.len() + 1
        )
    );
    run_steps(&mut store, &steps).await.expect("migrated");
    assert_eq!(text(&store, "SELECT note FROM api_key").await, "rota");
    // A second run of the step would fail, because the column exists.
    run_steps(&mut store, &steps).await.expect("nothing to do");
    check_steps(&store, steps.len()).await.expect("nothing to do");
    let newer = format!(
        "the database was written by a newer Fieldbook (store version {}, this program knows {}); run the newer version",
        STEPS.len() + 1,
        STEPS.len()
    );
    assert_eq!(run(&mut store).await.expect_err("an older program").to_string(), newer);
    assert_eq!(check(&store).await.expect_err("an older program").to_string(), newer);
}

#[tokio::test]
async fn failed_migration_changes_nothing() {
    let mut store = store("unit_failed_migration").await;
    let failed = run_steps(&mut store, &[STEPS, &[NEXT, BROKEN]].concat()).await.expect_err("the last step fails");
    assert!(failed.to_string().starts_with("cannot migrate the database: "), "{failed}");
    assert_eq!(text(&store, "SELECT name FROM api_key").await, "rota");
    check(&store).await.expect("the store is unchanged");
}
