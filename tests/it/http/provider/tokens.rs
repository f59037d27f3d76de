//! Which tokens of a provider the service accepts.

use fieldbook::tokens::ProviderSettings;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{COOL_DOWN, DISCOVERY, LIST, lasting, status, with, with_token, without};
use crate::http::auth::MALFORMED;
use crate::support::provider::{Key, Provider, unsigned};
use crate::support::token::{IN_AN_HOUR, signed_with};
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn tokens_of_every_algorithm_are_accepted_and_name_the_user() {
    for key in [Key::rsa(), Key::ec(), Key::ed()] {
        let provider = Provider::start(&[key.jwk("k")]).await;
        let app = TestApp::start_with_provider(&provider.settings()).await;
        let author = async |claims: &Value| {
            let caller = app.anon().bearing(&key.token("k", claims));
            caller.post(LIST, json!({})).await.data()["author"]["id"].clone()
        };
        assert_eq!(author(&lasting(&provider)).await, json!(TEACHER), "{}", key.algorithm());
        let audience = with(&without(&lasting(&provider), "sub"), "aud", json!("fieldbook"));
        assert_eq!(author(&with(&audience, "sub", json!("auth0|42"))).await, Value::Null);
        assert_eq!(provider.count(DISCOVERY), 1);
        assert_eq!(provider.count("/keys"), 1);
    }
}

#[tokio::test]
async fn forged_and_broken_tokens_are_refused() {
    let (key, other) = (Key::rsa(), Key::rsa());
    let (ec, encrypting) = (Key::ec(), Key::ec());
    let (mut hidden, secret) = (encrypting.jwk("encrypting"), "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0");
    hidden["use"] = json!("enc");
    let symmetric = json!({"kty": "oct", "kid": "secret", "k": secret, "alg": "HS256", "use": "sig"});
    let provider = Provider::start(&[key.jwk("k"), ec.jwk("e"), hidden, symmetric]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let good = lasting(&provider);
    let head = json!({"alg": "RS256", "typ": "JWT", "kid": "k"});
    assert_eq!(status(&app, &key.signed(&head, &good)).await, StatusCode::OK);
    let now = IN_AN_HOUR - 3600;
    let said = |claims: Value| key.signed(&head, &claims);
    let headed = |name: &str, value: Value| key.signed(&with(&head, name, value), &good);
    let hmac = |secret: &[u8], kid: &str| {
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
        header.kid = Some(kid.to_owned());
        jsonwebtoken::encode(&header, &good, &jsonwebtoken::EncodingKey::from_secret(secret)).expect("a token")
    };
    let whole = said(good.clone());
    let (message, signature) = whole.rsplit_once('.').expect("a signature");
    let none = |alg: &str| format!("{}.", unsigned(&json!({"alg": alg, "kid": "k"}).to_string(), &good.to_string()));
    let malformed = [
        ("signed by another key", other.signed(&head, &good)),
        ("signed by another kind of key", ec.signed(&head, &good)),
        ("another algorithm than the key's", ec.signed(&with(&head, "alg", json!("ES256")), &good)),
        ("an algorithm of the same family", headed("alg", json!("RS512"))),
        ("PSS over the same key", headed("alg", json!("PS256"))),
        ("the public key as a secret", hmac(key.public(), "k")),
        ("the public key as a secret, as JSON", hmac(key.jwk("k").to_string().as_bytes(), "k")),
        ("the symmetric key of the set", hmac(b"secretsecretsecretsecretsecret", "secret")),
        ("a secret, no key named", signed_with(jsonwebtoken::Algorithm::HS256, key.public(), &good)),
        ("a key that does not sign", encrypting.token("encrypting", &good)),
        ("none", none("none")),
        ("None", none("None")),
        ("no algorithm", key.signed(&without(&head, "alg"), &good)),
        ("an unknown algorithm", headed("alg", json!("RS257"))),
        ("no signature", format!("{message}.")),
        ("a signature cut short", format!("{message}.{}", &signature[..20])),
        ("other claims under the signature", format!("{}.{signature}", unsigned(&head.to_string(), "{\"exp\":9}"))),
        ("another key's own jwk", other.signed(&with(&head, "jwk", other.jwk("k")), &good)),
        ("another key's jku", other.signed(&with(&head, "jku", json!(format!("{}/moved", provider.issuer()))), &good)),
        ("another key's x5u", other.signed(&with(&head, "x5u", json!("http://127.0.0.1:9/")), &good)),
        ("another key's x5c", other.signed(&with(&head, "x5c", json!([secret])), &good)),
        ("a path as kid", other.token("../../../../dev/null", &good)),
        ("SQL as kid", other.token("' UNION SELECT 'secret", &good)),
        ("no text as kid", other.token("", &good)),
        ("a long kid", other.token(&"k".repeat(9000), &good)),
        ("a kid that is not a text", headed("kid", json!(["k"]))),
        ("something critical", headed("crit", json!(["exp"]))),
        ("nothing critical", headed("crit", json!([]))),
        ("another kind of token", headed("typ", json!("logout+jwt"))),
        (
            "a huge expiry",
            key.signed_text(&head.to_string(), &good.to_string().replace(&IN_AN_HOUR.to_string(), "1e309")),
        ),
        ("claims that are not an object", said(json!([1]))),
        ("claims that are not JSON", key.signed_text(&head.to_string(), "{")),
        ("claims that are not text", format!("{}.__79.{signature}", message.split('.').next().expect("a header"))),
        ("a header that is not JSON", key.signed_text("{", &good.to_string())),
        ("encrypted, five parts", format!("{whole}.{signature}.{signature}")),
        ("one dot too many", format!("{whole}.")),
        ("garbage after it", format!("{whole} and more")),
        ("garbage in it", whole.replacen('.', "=.", 1)),
    ];
    let too_early = "the token is not valid yet (nbf)";
    let no_expiry = "the token does not say when it expires (exp, in seconds since 1970)";
    let other_issuer = "the token comes from another issuer (iss)";
    let for_others = "the token is meant for another audience (aud)";
    let others = [
        ("expired", said(with(&good, "exp", json!(now - 30))), "the token has expired; get a new one"),
        ("not valid yet", said(with(&good, "nbf", json!(now + 31))), too_early),
        ("a start that is not a number", said(with(&good, "nbf", json!("now"))), too_early),
        ("no expiry", said(without(&good, "exp")), no_expiry),
        ("an expiry that is a text", said(with(&good, "exp", json!(IN_AN_HOUR.to_string()))), no_expiry),
        ("an expiry in milliseconds", said(with(&good, "exp", json!(IN_AN_HOUR * 1000))), no_expiry),
        ("another issuer", said(with(&good, "iss", json!("https://id.example.org"))), other_issuer),
        ("the issuer with a slash", said(with(&good, "iss", json!(format!("{}/", provider.issuer())))), other_issuer),
        ("no issuer", said(without(&good, "iss")), other_issuer),
        ("another audience", said(with(&good, "aud", json!(["others"]))), for_others),
        ("no audience", said(without(&good, "aud")), for_others),
        ("too long", said(with(&good, "groups", json!("g".repeat(20_000)))), "the token has more than 16384 bytes"),
    ];
    let malformed = malformed.into_iter().map(|(what, token)| (what, token, MALFORMED));
    for (what, token, reason) in malformed.chain(others) {
        let refused = with_token(&app, &token).await;
        let body = refused.json();
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{what}: {refused}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{what}: {refused}");
        assert_eq!((&body["success"], &body["code"]), (&json!(false), &json!("invalid_token")), "{what}: {refused}");
        assert_eq!(body["error"], reason, "{what}");
    }
    // All the unknown keys together caused one more fetch, and the service called no address from a token.
    assert_eq!((provider.count("/keys"), provider.count("/tenant/moved")), (2, 0));
}

#[tokio::test]
async fn token_headers_that_name_or_contain_a_key_are_ignored() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let elsewhere = json!(format!("{}/elsewhere", provider.issuer()));
    for (name, value) in [
        ("jku", elsewhere.clone()),
        ("x5u", elsewhere),
        ("jwk", Key::ed().jwk("k")),
        ("typ", json!("at+jwt")),
        ("typ", json!("application/JWT")),
    ] {
        let head = with(&json!({"alg": "EdDSA", "kid": "k"}), name, value);
        assert_eq!(status(&app, &key.signed(&head, &lasting(&provider))).await, StatusCode::OK, "{name}");
    }
    assert_eq!(provider.count("/tenant/elsewhere"), 0);
}

#[tokio::test]
async fn provider_key_without_an_id_is_used_if_no_other_key_has_its_algorithm() {
    let (key, other) = (Key::ed(), Key::ed());
    let provider = Provider::start(&[without(&key.jwk(""), "kid"), Key::ec().jwk("e")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let nameless = |key: &Key| key.signed(&json!({"alg": "EdDSA"}), &lasting(&provider));
    assert_eq!(status(&app, &nameless(&key)).await, StatusCode::OK);
    assert_eq!(status(&app, &key.token("any", &lasting(&provider))).await, StatusCode::OK);
    // A wrong signature makes the service notice that the key was replaced.
    provider.has(&[without(&other.jwk(""), "kid")]);
    assert_eq!(status(&app, &nameless(&other)).await, StatusCode::OK);
    assert_eq!(status(&app, &nameless(&key)).await, StatusCode::UNAUTHORIZED);
    provider.has(&[without(&other.jwk(""), "kid"), key.jwk("k")]);
    app.clock.advance(COOL_DOWN);
    assert_eq!(status(&app, &nameless(&key)).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&app, &key.token("k", &lasting(&provider))).await, StatusCode::OK);
}

#[tokio::test]
async fn issuer_of_a_token_is_checked_only_if_an_issuer_is_configured() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings_of_keys()).await;
    let claims = with(&json!({"exp": IN_AN_HOUR}), "iss", json!("https://anyone.example.org"));
    assert_eq!(status(&app, &key.token("k", &claims)).await, StatusCode::OK);
    assert_eq!(provider.count(DISCOVERY), 0);
    let both = ProviderSettings { issuer: Some("https://id.example.org".into()), ..provider.settings_of_keys() };
    let app = TestApp::start_with_provider(&both).await;
    assert_eq!(status(&app, &key.token("k", &claims)).await, StatusCode::UNAUTHORIZED);
    let named = with(&claims, "iss", json!("https://id.example.org"));
    assert_eq!(status(&app, &key.token("k", &named)).await, StatusCode::OK);
}
