//! The link operations.

mod change;
mod create;
mod create_refusals;
mod delete;
mod limited;
mod list;
mod own;
mod page;
mod page_pictures;
mod pages;
mod qr;
mod resolve;
mod visits;

use serde_json::json;

use crate::support::{Caller, TestApp};

/// The link of [`with_link`].
const LINK: &str = "/api/link/k/s";

/// Starts a service with one investigation and its link. Returns the service, a caller without a token, and a teacher.
async fn with_link() -> (TestApp, Caller, Caller) {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "k", "s").await;
    (app, anon, teacher)
}
