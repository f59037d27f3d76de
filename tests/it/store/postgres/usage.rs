//! The numbers of busy connections and of waiting operations while a lock in the database blocks them.

use serde_json::json;

use crate::support::{TestApp, postgres};

#[tokio::test(flavor = "multi_thread")]
async fn usage_counts_busy_connections_and_operations_that_wait_for_a_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let (app, teacher) = TestApp::start_at(postgres::place_through(folder.path(), &postgres::host_and_port(), 1)).await;
    let store = postgres::store_of(folder.path(), &postgres::address().expect("a server"));
    let holder = postgres::Holder::of(&store, "LOCK TABLE chat").await;
    let busy = async {
        while !holder.is_in_the_way().await {}
        let (_, pools) = app.app.store.usage();
        assert_eq!(pools.map(|pool| (pool.in_use, pool.max)), [(1, 1), (1, 1)], "both share the only connection");
        while app.app.store.usage().0 == 0 {
            tokio::task::yield_now().await;
        }
        holder.let_go().await;
    };
    let create = || teacher.post("/api/investigation", json!({"title": "Cress"}));
    let (first, second, ()) = tokio::join!(create(), create(), busy);
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201), "{first} {second}");
}
