//! `GET /health/live` and `GET /health/ready`

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fieldbook::ids::Ids;
use fieldbook::store::simulated::{Fault, Faults};
use insta::assert_snapshot;
use reqwest::StatusCode;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::support::TestApp;

#[tokio::test]
async fn running_service_is_alive_and_ready() {
    let (_app, anon, _) = TestApp::start().await;
    assert_snapshot!(anon.get("/health/live").await, @r#"
    GET /health/live
    200 OK
    {"status": "ok"}
    "#);
    assert_snapshot!(anon.get("/health/ready").await, @r#"
    GET /health/ready
    200 OK
    {"status": "ok"}
    "#);
}

#[tokio::test]
async fn service_without_its_store_is_alive_but_not_ready() {
    let (app, anon, _) = TestApp::start().await;
    app.app.store.close().await;
    assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
    assert_snapshot!(anon.get("/health/ready").await, @r#"
    GET /health/ready
    503 Service Unavailable
    retry-after: 1
    {"success": false, "message": "The store is not available", "code": "store_unavailable"}
    "#);
}

/// Counts the checks of the store, and makes them wait.
#[derive(Debug)]
struct HeldChecks {
    begun: AtomicUsize,
    may_end: Semaphore,
}

impl Faults for HeldChecks {
    fn before(&self, call: &'static str) -> Fault<'_> {
        Box::pin(async move {
            if call == "ready" {
                self.begun.fetch_add(1, Ordering::SeqCst);
                drop(self.may_end.acquire().await);
            }
            Ok(())
        })
    }

    fn mark(&self) -> String {
        Ids::random().nonce()
    }
}

/// Anybody may ask for readiness, without a token and without a permit.
#[tokio::test]
async fn concurrent_readiness_requests_share_one_check() {
    let checks = Arc::new(HeldChecks { begun: AtomicUsize::new(0), may_end: Semaphore::new(0) });
    let (app, _) = TestApp::start_with_faults(checks.clone()).await;
    let mut asking: Vec<_> = (0..3).map(|_| Box::pin(app.app.store.ready())).collect();
    for ready in &mut asking {
        assert!(timeout(Duration::ZERO, ready).await.is_err(), "the check has not ended");
    }
    checks.may_end.add_permits(1);
    for ready in asking {
        ready.await.expect("ready");
    }
    assert_eq!(checks.begun.load(Ordering::SeqCst), 1);
    app.app.store.ready().await.expect("ready");
    assert_eq!(checks.begun.load(Ordering::SeqCst), 2, "nothing is kept");
}
