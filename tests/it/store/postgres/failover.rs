//! Several database servers, of which one accepts writes. The service finds this server even if the others are broken,
//! and finds the new one after a failover.

use std::path::Path;

use fieldbook::store::{Address, Backend, StoreLocation};
use serde_json::json;

use crate::support::proxy::Proxy;
use crate::support::{TestApp, postgres};

/// Returns the location of the test store that belongs to this folder, reached through these servers, with a timeout
/// that no test reaches.
fn place(folder: &Path, servers: &[&Proxy]) -> StoreLocation {
    let hosts: Vec<String> = servers.iter().map(|server| server.address.to_string()).collect();
    let store = postgres::store_of(folder, &postgres::address().expect("a server"));
    let store = store.replacen(&postgres::host_and_port(), &hosts.join(","), 1);
    // The address of a store ends with its options, so another option can be appended.
    let address = format!("{store}%20-cdefault_transaction_read_only%3Doff&sslmode=disable&connect_timeout=60");
    let address = Address::parse(&address).expect("an address");
    StoreLocation { backend: Backend::Postgres { address, connections: 2 }, migrate: true }
}

async fn server() -> Proxy {
    Proxy::before(&postgres::host_and_port()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn service_skips_database_servers_that_are_unresponsive_or_read_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (silent, reader, writer) = (server().await, server().await, server().await);
    silent.fall_silent();
    reader.take_writes(false);
    let (_app, teacher) = TestApp::start_at(place(folder.path(), &[&silent, &reader, &writer])).await;
    teacher.create(json!({"title": "Cress"})).await;
    assert!(silent.taken() > 0 && reader.taken() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_fails_until_the_service_finds_the_new_primary_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = (server().await, server().await);
    new.take_writes(false);
    let (_app, teacher) = TestApp::start_at(place(folder.path(), &[&old, &new])).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    assert_eq!(teacher.get("/health/ready").await.status, 200);

    old.take_writes(false);
    let ready = teacher.get("/health/ready").await;
    assert_eq!((ready.status.as_u16(), ready.header("retry-after")), (503, Some("1")), "{ready}");

    new.take_writes(true);
    assert_eq!(teacher.patch(&path, json!({"title": "Radish"})).await.status, 200);
    assert_eq!(teacher.get("/health/ready").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn starting_copy_waits_for_a_writable_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (server().await, server().await);
    one.take_writes(false);
    other.take_writes(false);
    let place = place(folder.path(), &[&one, &other]);
    let starting = tokio::spawn(TestApp::start_at(place));
    while one.taken() < 2 {
        tokio::task::yield_now().await;
    }
    other.take_writes(true);
    let (_app, teacher) = starting.await.expect("a service");
    teacher.create(json!({"title": "Cress"})).await;
    assert_eq!(teacher.get("/health/ready").await.status, 200);
}
