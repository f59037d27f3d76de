//! The keys of a token provider over time: keys change, the provider fails, and tokens name keys that never existed.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use fieldbook::tokens::ProviderSettings;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use super::{COOL_DOWN, DISCOVERY, LIST, lasting, status, with_token};
use crate::support::provider::{Key, Mode, Provider, settings_at};
use crate::support::token::{IN_AN_HOUR, signed_with};
use crate::support::{TEACHER, TestApp};

/// The age at which the service fetches the keys again.
const MAX_AGE: Duration = Duration::from_secs(600);
/// The time after which the service asks a failed provider again.
const RETRY: Duration = Duration::from_secs(10);

#[tokio::test]
async fn no_request_fails_during_a_key_rotation_of_the_provider() {
    let (old, new) = (Key::ed(), Key::ec());
    let provider = Provider::start(&[old.jwk("old")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let (before, after) = (old.token("old", &lasting(&provider)), new.token("new", &lasting(&provider)));
    assert_eq!(status(&app, &before).await, StatusCode::OK);
    // The provider publishes the new key beside the old key, and signs with it at once. Later it removes the old key.
    provider.has(&[old.jwk("old"), new.jwk("new")]);
    let callers = (0..40).map(|n| app.anon().bearing(if n % 2 == 0 { &before } else { &after }));
    let asked: Vec<_> = callers.map(|caller| tokio::spawn(async move { caller.get(LIST).await.status })).collect();
    for answer in asked {
        assert_eq!(answer.await.expect("an answer"), StatusCode::OK);
    }
    assert_eq!(provider.count("/keys"), 2, "those who waited waited for one fetch");
    provider.has(&[new.jwk("new")]);
    app.clock.advance(MAX_AGE);
    assert_eq!(status(&app, &after).await, StatusCode::OK);
    provider.asked("/keys", 3).await;
    // A token with an unknown key makes the service fetch the newest keys, which no longer include the old key.
    assert_eq!(status(&app, &old.token("unknown", &lasting(&provider))).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&app, &after).await, StatusCode::OK);
    assert_eq!(status(&app, &before).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn tokens_with_unknown_keys_cause_one_key_fetch_a_minute_and_delay_no_other_tokens() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let good = key.token("k", &lasting(&provider));
    assert_eq!(status(&app, &good).await, StatusCode::OK);
    provider.hold();
    let flood: Vec<_> = (0..50)
        .map(|n| app.anon().bearing(&Key::ed().token(&format!("unknown-{n}"), &lasting(&provider))))
        .map(|caller| tokio::spawn(async move { caller.get(LIST).await }))
        .collect();
    provider.asked(DISCOVERY, 2).await;
    // The provider has not answered yet, and tokens with a known key do not wait for its answer.
    assert_eq!(status(&app, &good).await, StatusCode::OK);
    provider.let_go();
    for refused in flood {
        let refused = refused.await.expect("an answer");
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{refused}");
    }
    let unknown = key.token("unknown", &lasting(&provider));
    assert_eq!(status(&app, &unknown).await, StatusCode::UNAUTHORIZED);
    assert_eq!(provider.count("/keys"), 2);
    app.clock.advance(COOL_DOWN - Duration::from_millis(1));
    assert_eq!(status(&app, &unknown).await, StatusCode::UNAUTHORIZED);
    assert_eq!(provider.count("/keys"), 2);
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(status(&app, &unknown).await, StatusCode::UNAUTHORIZED);
    assert_eq!(provider.count("/keys"), 3);
}

#[tokio::test]
async fn keys_of_a_provider_are_refreshed_in_the_background() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let good = key.token("k", &lasting(&provider));
    assert_eq!(status(&app, &good).await, StatusCode::OK);
    app.clock.advance(MAX_AGE - Duration::from_millis(1));
    assert_eq!(status(&app, &good).await, StatusCode::OK);
    provider.hold();
    assert_eq!(provider.count(DISCOVERY), 1);
    app.clock.advance(Duration::from_millis(1));
    for _ in 0..3 {
        assert_eq!(status(&app, &good).await, StatusCode::OK);
    }
    provider.asked(DISCOVERY, 2).await;
    provider.let_go();
    provider.asked("/keys", 2).await;
    assert_eq!(provider.count(DISCOVERY), 2);
}

/// Returns an address where no server listens.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address")
}

#[tokio::test]
async fn provider_that_is_down_at_the_start_is_asked_again_until_it_answers() {
    let address = free_address();
    let app = TestApp::start_with_provider(&settings_at(address)).await;
    let key = Key::ed();
    let claims =
        json!({"iss": format!("http://{address}/tenant"), "sub": TEACHER, "aud": "fieldbook", "exp": IN_AN_HOUR});
    let token = key.token("k", &claims);
    let refused = with_token(&app, &token).await;
    assert_snapshot!(refused, @r#"
    GET /api/investigation
    503 Service Unavailable
    retry-after: 10
    {
      "success": false, "message": "Authentication is not available",
      "error": "the keys for verifying the token cannot be fetched from its provider; nothing was changed, try again later",
      "code": "authentication_unavailable"
    }
    "#);
    // The service still refuses a token that no provider can have signed, and answers requests that need no token.
    let forged = signed_with(jsonwebtoken::Algorithm::HS256, b"secret", &claims);
    assert_eq!(status(&app, &forged).await, StatusCode::UNAUTHORIZED);
    assert_eq!(app.anon().get(LIST).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(app.anon().get("/api/link/a/b").await.status, StatusCode::NOT_FOUND);
    let provider = Provider::start_at(address, &[key.jwk("k")]).await;
    assert_eq!(provider.address(), address);
    app.clock.advance(RETRY - Duration::from_millis(1));
    let refused = with_token(&app, &token).await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, Some("1")));
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(status(&app, &token).await, StatusCode::OK);
}

#[tokio::test]
async fn keys_of_a_provider_stay_valid_for_a_day_while_it_is_down() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let day = Duration::from_secs(24 * 60 * 60);
    let good = key.token("k", &provider.claims(TEACHER, IN_AN_HOUR + 48 * 3600));
    assert_eq!(status(&app, &good).await, StatusCode::OK);
    provider.set_mode(Mode::Refuses(500));
    app.clock.advance(MAX_AGE);
    for times in 2..5 {
        assert_eq!(status(&app, &good).await, StatusCode::OK);
        provider.asked(DISCOVERY, times).await;
        // The provider may have this unknown key by now, so the service cannot call the token wrong.
        let unknown = with_token(&app, &key.token("new", &lasting(&provider))).await;
        assert_eq!(unknown.status, StatusCode::SERVICE_UNAVAILABLE, "{unknown}");
        app.clock.advance(COOL_DOWN);
    }
    app.clock.advance(day - MAX_AGE - 3 * COOL_DOWN - Duration::from_millis(1));
    assert_eq!(status(&app, &good).await, StatusCode::OK);
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(status(&app, &good).await, StatusCode::SERVICE_UNAVAILABLE);
    provider.set_mode(Mode::Healthy);
    app.clock.advance(RETRY);
    assert_eq!(status(&app, &good).await, StatusCode::OK);
}

#[tokio::test]
async fn invalid_answer_of_a_provider_gives_no_keys_and_is_retried() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let good = key.token("k", &lasting(&provider));
    for (what, mode) in [
        ("a redirect", Mode::Redirects),
        ("HTML", Mode::Says("<!doctype html><title>Sign in</title>".into())),
        ("a huge answer", Mode::Says(format!("{{\"keys\":[],\"more\":\"{}\"}}", "x".repeat(256 * 1024)))),
        ("no keys", Mode::Says("{\"keys\":[]}".into())),
        ("no set", Mode::Says("[]".into())),
        ("a missing page", Mode::Refuses(404)),
        ("another issuer", Mode::Misnames("https://id.example.org")),
        ("keys elsewhere without TLS", Mode::Misleads("http://id.example.org/keys")),
        ("keys in a file", Mode::Misleads("file:///etc/passwd")),
        ("keys nowhere", Mode::Misleads("")),
    ] {
        provider.set_mode(mode);
        let app = TestApp::start_with_provider(&provider.settings()).await;
        let refused = with_token(&app, &good).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{what}: {refused}");
        assert_eq!(refused.header("retry-after"), Some("10"), "{what}: {refused}");
        provider.set_mode(Mode::Healthy);
        app.clock.advance(RETRY);
        assert_eq!(status(&app, &good).await, StatusCode::OK, "{what}");
    }
    assert_eq!(provider.count("/moved"), 0, "no redirect is followed");
}

#[tokio::test]
async fn token_is_refused_with_503_if_the_provider_sends_no_keys_by_the_deadline() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    provider.hold();
    let settings = ProviderSettings { deadline: Duration::from_millis(50), ..provider.settings() };
    let app = TestApp::start_with_provider(&settings).await;
    let refused = with_token(&app, &key.token("k", &lasting(&provider))).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused}");
}
