//! `DELETE /api/session`: signs out, on every copy of the service.

use std::time::Duration;

use fieldbook::app::{PEOPLE_MAX_AGE as MAX_AGE, RECHECK};
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::person::{PersonChange, PersonStatus};
use fieldbook::domain::secret_token::SecretToken;
use fieldbook::store::Stamp;
use serde_json::json;

use super::{code, cookie, is_signed_in, secret, sign_in, signed_in};
use crate::http::permissions::{ADMIN, with_role};
use crate::support::stream::{Block, Stream};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn signing_out_ends_the_session_and_deletes_the_cookie() {
    let (app, browser) = signed_in().await;
    let deletes = "fieldbook_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0";
    let answer = browser.delete("/api/session").await;
    assert_eq!((answer.status.as_u16(), answer.header("set-cookie")), (200, Some(deletes)), "{answer}");
    assert!(!is_signed_in(&browser).await);
    assert_eq!(app.rows("session"), 0);
    // A cookie that is no longer valid is deleted, too.
    let again = browser.delete("/api/session").await;
    assert_eq!((again.status.as_u16(), again.header("set-cookie")), (200, Some(deletes)), "{again}");
    assert_eq!(app.anon().delete("/api/session").await.status, 401);
}

#[tokio::test]
async fn sign_out_ends_the_session_even_if_a_proxy_adds_a_token() {
    let (app, browser) = signed_in().await;
    let behind_proxy = browser.clone().bearing(&app.token(COLLEAGUE));
    assert_eq!(behind_proxy.delete("/api/session").await.status, 200);
    assert_eq!(app.rows("session"), 0);
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn cross_site_sign_out_is_refused() {
    let (app, browser) = signed_in().await;
    let other = browser.clone().with_header("sec-fetch-site", "same-site");
    for caller in [other.clone(), other.bearing(&app.token(COLLEAGUE))] {
        assert_eq!(caller.delete("/api/session").await.json()["code"], "cross_site");
    }
    assert!(is_signed_in(&browser).await);
}

#[tokio::test]
async fn disabled_person_sees_the_ways_to_sign_in_and_can_sign_out() {
    let (app, browser) = signed_in().await;
    app.app.store.change_person(teacher(), disabled(), stamp(&app)).await.expect("stored");
    app.clock.advance(MAX_AGE);
    // The sessions of a disabled person were ended, but a token still identifies them.
    let refused = browser.clone().bearing(&app.token(TEACHER)).get("/api/me").await;
    assert_eq!(refused.refusal(), r#"403 "disabled" "Not allowed""#);
    assert_eq!(refused.json()["signIn"], json!({"provider": null, "password": true}));
    assert_eq!(browser.delete("/api/session").await.status, 200);
}

#[tokio::test]
async fn session_ended_on_one_copy_lasts_at_most_five_seconds_on_another_copy() {
    let (app, browser) = signed_in().await;
    assert!(is_signed_in(&browser).await);
    let digest = SecretToken::read(&secret(&browser)).expect("a text").digest();
    app.clock.advance(SECOND);
    app.app.store.end_session(digest).await.expect("ended");
    app.clock.advance(MAX_AGE - SECOND);
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn sign_out_with_a_forged_cookie_keeps_other_sessions_cached() {
    let (app, browser) = signed_in().await;
    assert!(is_signed_in(&browser).await);
    let stranger = browser.clone().with_header("cookie", &format!("fieldbook_session={}", "A".repeat(43)));
    assert_eq!(stranger.delete("/api/session").await.status, 200);
    // After the store is closed, the service knows only the sessions in its cache.
    app.app.store.close().await;
    assert!(is_signed_in(&browser).await);
}

#[tokio::test]
async fn sign_in_with_the_cookie_of_an_ended_session_clears_no_cached_sessions() {
    let (app, old) = signed_in().await;
    assert_eq!(old.delete("/api/session").await.status, 200);
    let changes = async || app.app.store.people_changes().await.expect("read");
    let before = changes().await;
    let next = sign_in(&old, &code(&app).await).await;
    assert_eq!((next.status.as_u16(), changes().await), (200, before));
    let second = old.with_header("cookie", &cookie(&next));
    assert_eq!(sign_in(&second, &code(&app).await).await.status, 200);
    assert_eq!((app.rows("session"), changes().await), (1, before + 1));
}

#[tokio::test]
async fn session_use_stored_after_sign_out_does_not_revive_the_session() {
    let (app, browser) = signed_in().await;
    let digest = SecretToken::read(&secret(&browser)).expect("a text").digest();
    let session = app.app.store.session(digest).await.expect("read").expect("a session").session;
    assert_eq!(browser.delete("/api/session").await.status, 200);
    // A slow request has read the session before the sign-out, and stores only now that the session was used.
    assert!(app.app.directory.notes_use(&session, app.clock.now().later_by(Duration::from_secs(300))));
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn disabled_person_loses_their_sessions_permanently() {
    let (app, browser) = signed_in().await;
    let admin = with_role(&app, ADMIN, "admin");
    let path = format!("/api/people/{TEACHER}");
    assert_eq!(admin.patch(&path, json!({"status": "disabled"})).await.status, 200);
    assert!(!is_signed_in(&browser).await);
    assert_eq!(admin.patch(&path, json!({"status": "active"})).await.status, 200);
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn event_stream_ends_within_fifteen_seconds_after_its_session_ended() {
    for age in [Duration::ZERO, MAX_AGE - Duration::from_millis(1)] {
        let (app, browser) = signed_in().await;
        assert!(is_signed_in(&browser).await);
        app.clock.advance(age);
        let mut stream = Stream::open(&browser, "/api/events").await;
        assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
        app.app.store.change_person(teacher(), disabled(), stamp(&app)).await.expect("stored");
        app.clock.advance(RECHECK);
        assert_eq!(stream.next().await, None);
    }
}

fn teacher() -> ObjectId {
    TEACHER.parse().expect("an id")
}

fn disabled() -> PersonChange {
    PersonChange { status: Some(PersonStatus::Disabled), ..PersonChange::default() }
}

fn stamp(app: &TestApp) -> Stamp {
    Stamp { actor: AuditActor::default(), at: app.clock.now() }
}
