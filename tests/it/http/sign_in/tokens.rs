//! Answers of the provider to a code: a sign-in succeeds only if the ID token is valid in every part.

use std::time::Duration;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use fieldbook::app::HttpSettings;
use fieldbook::tokens::ProviderSettings;
use serde_json::{Value, json};

use super::School;
use crate::http::provider::{with, without};
use crate::support::log;
use crate::support::provider::{Key, Mode, unsigned};
use crate::support::token::IN_AN_HOUR;
use crate::support::visitor::Visitor;

/// Changes the claims of a valid token so that they are wrong.
type Change<'c, T> = Box<dyn Fn(&Value) -> T + 'c>;

fn failed(name: &str) -> String {
    format!("/sign-in?failed={name}&to=%2F%23%2Ftrash")
}

/// Returns the address to which the service sends a browser if the provider answers the code with this token.
async fn outcome(school: &School, token: impl FnOnce(&Value) -> String) -> String {
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let claims = with(&school.claims(), "nonce", json!(begun.nonce));
    school.answer_code(&token(&claims));
    visitor.get(&school.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state))).await.location
}

#[tokio::test]
async fn id_token_with_a_wrong_claim_is_refused() {
    let school = School::start().await;
    let ours = |claims: &Value| school.key.token("k", claims);
    let wrong: [(&str, Change<'_, Value>); 13] = [
        ("another issuer", Box::new(|claims| with(claims, "iss", json!("https://id.example.org")))),
        ("no issuer", Box::new(|claims| without(claims, "iss"))),
        ("another audience", Box::new(|claims| with(claims, "aud", json!("another")))),
        ("another audience in a list", Box::new(|claims| with(claims, "aud", json!(["another"])))),
        ("no audience", Box::new(|claims| without(claims, "aud"))),
        ("several audiences", Box::new(|claims| with(claims, "aud", json!(["fieldbook", "another"])))),
        ("another party", Box::new(|claims| with(claims, "azp", json!("another")))),
        ("another nonce", Box::new(|claims| with(claims, "nonce", json!("another")))),
        ("no nonce", Box::new(|claims| without(claims, "nonce"))),
        ("too old", Box::new(|claims| with(claims, "exp", json!(IN_AN_HOUR - 3600 - 60)))),
        ("no end", Box::new(|claims| without(claims, "exp"))),
        ("not yet", Box::new(|claims| with(claims, "nbf", json!(IN_AN_HOUR)))),
        ("nobody", Box::new(|claims| without(claims, "sub"))),
    ];
    for (what, change) in wrong {
        assert_eq!(outcome(&school, |claims| ours(&change(claims))).await, failed("untrusted"), "{what}");
    }
    assert_eq!((school.app.rows("session"), school.app.rows("person")), (0, 0));
    let several =
        |claims: &Value| with(&with(claims, "aud", json!(["fieldbook", "another"])), "azp", json!("fieldbook"));
    assert_eq!(outcome(&school, |claims| ours(&several(claims))).await, "/#/trash");
}

#[tokio::test]
async fn id_token_with_a_wrong_signature_is_refused() {
    let school = School::start().await;
    let stranger = Key::ed();
    let secret = "hush: a secret/ü".as_bytes();
    let with_secret = |claims: &Value| {
        let text = unsigned(r#"{"alg":"HS256","kid":"k"}"#, &claims.to_string());
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), text.as_bytes());
        format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    };
    let wrong: [(&str, Change<'_, String>); 5] = [
        ("another key", Box::new(|claims| stranger.token("k", claims))),
        ("an unknown key", Box::new(|claims| stranger.token("other", claims))),
        ("the secret of the client", Box::new(with_secret)),
        ("none", Box::new(|claims| format!("{}.", unsigned(r#"{"alg":"none"}"#, &claims.to_string())))),
        ("no token", Box::new(|_| "x".to_owned())),
    ];
    for (what, token) in wrong {
        let outcome = outcome(&school, token).await;
        assert_eq!(outcome, failed("untrusted"), "{what}");
    }
    assert_eq!(school.app.rows("session"), 0);
}

#[tokio::test]
async fn invalid_token_response_of_the_provider_is_refused() {
    let school = School::start().await;
    for (status, text, name) in [
        (400, r#"{"error":"invalid_grant","error_description":"Call 555-1234 now"}"#, "refused"),
        (401, r#"{"error":"invalid_client"}"#, "untrusted"),
        (400, r#"{"error":"unauthorized_client"}"#, "untrusted"),
        (400, "{}", "untrusted"),
        (200, r#"{"access_token":"eyJ","token_type":"Bearer"}"#, "untrusted"),
        (200, r#"{"id_token":1}"#, "untrusted"),
        (200, "[]", "untrusted"),
        (200, "<html>Welcome</html>", "unavailable"),
        (500, "{}", "unavailable"),
        (503, "<html>Bad gateway</html>", "unavailable"),
        (429, "{}", "unavailable"),
        (302, "{}", "untrusted"),
    ] {
        let mut visitor = Visitor::new();
        let begun = school.begun(&mut visitor).await;
        school.provider.grants(status, text);
        let back = visitor.get(&school.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state))).await;
        assert_eq!(back.location, failed(name), "{status} {text}");
    }
    let long = json!({"id_token": "x".repeat(300_000)}).to_string();
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    school.provider.grants(200, &long);
    let back = visitor.get(&school.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state))).await;
    assert_eq!(back.location, failed("unavailable"));
}

#[tokio::test]
async fn length_of_an_oversized_id_token_is_logged() {
    let school = School::start().await;
    let (log, _guard) = log::captured();
    assert_eq!(outcome(&school, |_| "x".repeat(16 * 1024 + 1)).await, failed("untrusted"));
    assert!(log.text().contains("its ID token has 16385 bytes, more than 16384"), "{}", log.text());
}

#[tokio::test]
async fn unreachable_or_slow_provider_fails_the_sign_in() {
    // This deadline is long enough for a provider that answers.
    let deadline = |settings| ProviderSettings { deadline: Duration::from_secs(3), ..settings };
    let school = School::start_with(HttpSettings::default(), deadline).await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    school.provider.set_mode(Mode::Refuses(503));
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, failed("unavailable"));
    let begun = school.begun(&mut visitor).await;
    school.provider.hold();
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, failed("unavailable"));
    school.provider.let_go();
    school.provider.set_mode(Mode::Healthy);
    assert_eq!(school.sign_in(&mut visitor, &school.claims()).await.location, "/#/trash");
}

#[tokio::test]
async fn authorization_code_of_another_issuer_is_not_sent_to_the_provider() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    for (issuer, location) in
        [("https://id.example.org".to_owned(), failed("untrusted")), (school.provider.issuer(), "/#/trash".to_owned())]
    {
        let begun = school.begun(&mut visitor).await;
        let claims = with(&school.claims(), "nonce", json!(begun.nonce));
        school.answer_code(&school.key.token("k", &claims));
        let query = format!("state={}&code=c0de&iss={issuer}", begun.state);
        assert_eq!(visitor.get(&school.at(&format!("/sign-in/callback?{query}"))).await.location, location);
    }
    assert_eq!(school.provider.codes().len(), 1);
}
