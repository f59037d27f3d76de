//! Author profiles, with a fake, a broken and a real profile service.

mod enrichment;
mod lookup;
mod outage;
mod python;
mod stubs;
mod tls;

use fieldbook::app::HttpSettings;
use fieldbook::profiles::ProfilesSettings;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

const LIST: &str = "/api/investigation?groupBy=none&sortOrder=asc&limit=100";

/// Returns the id of a user of the fake service.
fn user(number: usize) -> String {
    format!("{:024x}", 0xabc_000 + number)
}

async fn start(profiles: ProfilesSettings) -> (TestApp, Caller) {
    TestApp::start_with_profiles(profiles, None, HttpSettings::default()).await
}

/// Starts a service like [`start`], and stores an investigation of each author without a call of the profile service.
async fn start_with_authors(profiles: ProfilesSettings, authors: &[Option<String>]) -> (TestApp, Caller) {
    let (app, teacher) = start(profiles).await;
    for author in authors {
        store(&app, author.as_deref()).await;
    }
    (app, teacher)
}

/// Stores an investigation directly, without an answer that would need a profile.
async fn store(app: &TestApp, author: Option<&str>) {
    let body = author.map(|author| ("author".to_owned(), json!(author))).into_iter().collect();
    fieldbook::authoring::create(&app.app, None, body).await.expect("stored");
}

/// Returns the authors of the list, in its order. The list must succeed even if the profile service fails.
async fn authors(caller: &Caller) -> Vec<Value> {
    let listed = caller.get(LIST).await;
    assert_eq!(listed.status, StatusCode::OK, "{listed}");
    listed.data()["items"].as_array().expect("items").iter().map(|item| item["author"].clone()).collect()
}

/// Returns an author with everything that the fake service knows.
fn known(id: &str) -> Value {
    json!({"id": id, "name": format!("Name of {id}"), "email": format!("{id}@example.org"),
        "avatar": format!("https://example.org/{id}.png")})
}

/// Returns an author of whom only the id is known.
fn bare(id: Option<&str>) -> Value {
    json!({"id": id, "name": null, "email": null, "avatar": null})
}
