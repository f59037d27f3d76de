//! The figures that the store reports about its load and its size.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn store_reports_its_size_and_the_names_of_its_connection_pools() {
    let (app, _, teacher) = TestApp::start().await;
    let store = &app.app.store;
    let before = store.size().await.expect("a size");
    for _ in 0..4 {
        teacher.create(json!({"title": "Cress", "notes": "0123456789".repeat(25_000)})).await;
    }
    let after = store.size().await.expect("a size");
    assert!(before > 10_000 && after > before, "{before} {after}");
    let (_, pools) = store.usage();
    assert_eq!(pools[1].pool, "heavy_reads");
    assert!(pools.iter().all(|pool| pool.max > 0 && pool.in_use <= pool.max), "{pools:?}");
}
