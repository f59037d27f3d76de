//! `DELETE /api/session`: signs out, on every copy of the service.

use std::time::Duration;

use fieldbook::domain::person::{PersonChange, PersonStatus};
use serde_json::json;

use super::{is_signed_in, signed_in};
use crate::http::permissions::{ADMIN, with_role};
use crate::support::TEACHER;
use crate::support::stream::{Block, Stream};

#[tokio::test]
async fn signing_out_ends_the_session_and_deletes_the_cookie() {
    let (app, browser) = signed_in().await;
    let answer = browser.delete("/api/session").await;
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.header("set-cookie"), Some("fieldbook_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"));
    assert!(!is_signed_in(&browser).await);
    assert_eq!(app.rows("session"), 0);
    assert_eq!(browser.delete("/api/session").await.status, 401);
}

#[tokio::test]
async fn session_that_another_copy_ended_counts_for_ten_seconds_at_most() {
    let (app, browser) = signed_in().await;
    assert!(is_signed_in(&browser).await);
    app.app.store.end_all_sessions().await.expect("ended");
    app.clock.advance(Duration::from_secs(10));
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn disabled_person_loses_their_sessions_for_good() {
    let (app, browser) = signed_in().await;
    let admin = with_role(&app, ADMIN, "admin");
    let path = format!("/api/people/{TEACHER}");
    assert_eq!(admin.patch(&path, json!({"status": "disabled"})).await.status, 200);
    assert_eq!(browser.get("/api/me").await.refusal(), r#"403 "disabled" "Not allowed""#);
    assert_eq!(admin.patch(&path, json!({"status": "active"})).await.status, 200);
    app.clock.advance(Duration::from_secs(10));
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn stream_of_a_session_ends_at_the_next_check_after_it() {
    let (app, browser) = signed_in().await;
    let mut stream = Stream::open(&browser, "/api/events").await;
    assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    let change = PersonChange { status: Some(PersonStatus::Disabled), ..PersonChange::default() };
    let stamp = fieldbook::store::Stamp { actor: Default::default(), at: app.clock.now() };
    app.app.store.change_person(TEACHER.parse().expect("an id"), change, stamp).await.expect("stored");
    app.clock.advance(Duration::from_secs(15));
    assert_eq!(stream.next().await, None);
}
