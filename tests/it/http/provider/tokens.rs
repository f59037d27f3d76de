//! Which tokens of a provider the service accepts.

use std::fmt::Write;

use fieldbook::tokens::ProviderSettings;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{COOL_DOWN, DISCOVERY, LIST, lasting, status, with, with_token, without};
use crate::support::provider::{Key, Provider, unsigned};
use crate::support::token::{IN_AN_HOUR, signed_with};
use crate::support::{TEACHER, TestApp, raw::Raw};

#[tokio::test]
async fn tokens_of_every_algorithm_count_and_name_the_user() {
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
    let tokens = [
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
        ("expired", said(with(&good, "exp", json!(now - 30)))),
        ("not valid yet", said(with(&good, "nbf", json!(now + 31)))),
        ("a start that is no number", said(with(&good, "nbf", json!("now")))),
        ("no expiry", said(without(&good, "exp"))),
        ("an expiry that is a text", said(with(&good, "exp", json!(IN_AN_HOUR.to_string())))),
        ("an expiry in milliseconds", said(with(&good, "exp", json!(IN_AN_HOUR * 1000)))),
        (
            "a huge expiry",
            key.signed_text(&head.to_string(), &good.to_string().replace(&IN_AN_HOUR.to_string(), "1e309")),
        ),
        ("another issuer", said(with(&good, "iss", json!("https://id.example.org")))),
        ("the issuer with a slash", said(with(&good, "iss", json!(format!("{}/", provider.issuer()))))),
        ("no issuer", said(without(&good, "iss"))),
        ("another audience", said(with(&good, "aud", json!(["others"])))),
        ("no audience", said(without(&good, "aud"))),
        ("claims that are no object", said(json!([1]))),
        ("claims that are no JSON", key.signed_text(&head.to_string(), "{")),
        ("claims that are no text", format!("{}.__79.{signature}", message.split('.').next().expect("a header"))),
        ("a header that is no JSON", key.signed_text("{", &good.to_string())),
        ("encrypted, five parts", format!("{whole}.{signature}.{signature}")),
        ("one dot too many", format!("{whole}.")),
        ("garbage after it", format!("{whole} and more")),
        ("garbage in it", whole.replacen('.', "=.", 1)),
        ("too long", said(with(&good, "groups", json!("g".repeat(20_000))))),
    ];
    let mut found = String::new();
    for (what, token) in tokens {
        let refused = with_token(&app, &token).await;
        let body = refused.json();
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{what}: {refused}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{what}: {refused}");
        assert_eq!((&body["success"], &body["code"]), (&json!(false), &json!("invalid_token")), "{what}: {refused}");
        let reason = body["error"].as_str().expect("a reason");
        writeln!(found, "{what}: {reason}").expect("written");
    }
    assert_snapshot!(found, @"
    signed by another key: the token is malformed or was not signed by a key that this service knows
    signed by another kind of key: the token is malformed or was not signed by a key that this service knows
    another algorithm than the key's: the token is malformed or was not signed by a key that this service knows
    an algorithm of the same family: the token is malformed or was not signed by a key that this service knows
    PSS over the same key: the token is malformed or was not signed by a key that this service knows
    the public key as a secret: the token is malformed or was not signed by a key that this service knows
    the public key as a secret, as JSON: the token is malformed or was not signed by a key that this service knows
    the symmetric key of the set: the token is malformed or was not signed by a key that this service knows
    a secret, no key named: the token is malformed or was not signed by a key that this service knows
    a key that does not sign: the token is malformed or was not signed by a key that this service knows
    none: the token is malformed or was not signed by a key that this service knows
    None: the token is malformed or was not signed by a key that this service knows
    no algorithm: the token is malformed or was not signed by a key that this service knows
    an unknown algorithm: the token is malformed or was not signed by a key that this service knows
    no signature: the token is malformed or was not signed by a key that this service knows
    a signature cut short: the token is malformed or was not signed by a key that this service knows
    other claims under the signature: the token is malformed or was not signed by a key that this service knows
    another key's own jwk: the token is malformed or was not signed by a key that this service knows
    another key's jku: the token is malformed or was not signed by a key that this service knows
    another key's x5u: the token is malformed or was not signed by a key that this service knows
    another key's x5c: the token is malformed or was not signed by a key that this service knows
    a path as kid: the token is malformed or was not signed by a key that this service knows
    SQL as kid: the token is malformed or was not signed by a key that this service knows
    no text as kid: the token is malformed or was not signed by a key that this service knows
    a long kid: the token is malformed or was not signed by a key that this service knows
    a kid that is not a text: the token is malformed or was not signed by a key that this service knows
    something critical: the token is malformed or was not signed by a key that this service knows
    nothing critical: the token is malformed or was not signed by a key that this service knows
    another kind of token: the token is malformed or was not signed by a key that this service knows
    expired: the token has expired; get a new one
    not valid yet: the token is not valid yet (nbf)
    a start that is no number: the token is not valid yet (nbf)
    no expiry: the token does not say when it expires (exp, in seconds since 1970)
    an expiry that is a text: the token does not say when it expires (exp, in seconds since 1970)
    an expiry in milliseconds: the token does not say when it expires (exp, in seconds since 1970)
    a huge expiry: the token is malformed or was not signed by a key that this service knows
    another issuer: the token comes from another issuer (iss)
    the issuer with a slash: the token comes from another issuer (iss)
    no issuer: the token comes from another issuer (iss)
    another audience: the token is meant for others (aud)
    no audience: the token is meant for others (aud)
    claims that are no object: the token is malformed or was not signed by a key that this service knows
    claims that are no JSON: the token is malformed or was not signed by a key that this service knows
    claims that are no text: the token is malformed or was not signed by a key that this service knows
    a header that is no JSON: the token is malformed or was not signed by a key that this service knows
    encrypted, five parts: the token is malformed or was not signed by a key that this service knows
    one dot too many: the token is malformed or was not signed by a key that this service knows
    garbage after it: the token is malformed or was not signed by a key that this service knows
    garbage in it: the token is malformed or was not signed by a key that this service knows
    too long: the token has more than 16384 bytes
    ");
    // All the unknown keys together caused one more fetch, and the service called no address from a token.
    assert_eq!((provider.count("/keys"), provider.count("/tenant/moved")), (2, 0));
}

#[tokio::test]
async fn a_token_in_a_header_of_another_form_is_refused() {
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let token = key.token("k", &lasting(&provider));
    let mut raw = Raw::connect(&app).await;
    let mut found = String::new();
    for (what, headers) in [
        ("as it should be", format!("authorization: Bearer {token}\r\n").into_bytes()),
        ("spaces around it", format!("authorization:   Bearer   {token}  \r\n").into_bytes()),
        ("two headers", format!("authorization: Bearer {token}\r\nauthorization: Bearer {token}\r\n").into_bytes()),
        ("bearer", format!("authorization: bearer {token}\r\n").into_bytes()),
        ("Basic", format!("authorization: Basic {token}\r\n").into_bytes()),
        ("no scheme", format!("authorization: {token}\r\n").into_bytes()),
        ("two tokens", format!("authorization: Bearer {token}, Bearer {token}\r\n").into_bytes()),
        ("no UTF-8", [format!("authorization: Bearer {token}").as_bytes(), b"\xff\r\n"].concat()),
        ("in a cookie", format!("cookie: authorization=Bearer {token}\r\n").into_bytes()),
    ] {
        let head = [b"GET /api/investigation HTTP/1.1\r\nhost: x\r\n", &headers[..], b"\r\n"].concat();
        let answer = raw.ask(head).await;
        let reason = answer.json()["error"].as_str().unwrap_or_default().to_owned();
        writeln!(found, "{what}: {} {reason}", answer.status.as_u16()).expect("written");
    }
    assert_snapshot!(found, @r#"
    as it should be: 200 
    spaces around it: 200 
    two headers: 401 the request has more than one Authorization header
    bearer: 401 the Authorization header must be "Bearer " and a token
    Basic: 401 the Authorization header must be "Bearer " and a token
    no scheme: 401 the Authorization header must be "Bearer " and a token
    two tokens: 401 the token is malformed or was not signed by a key that this service knows
    no UTF-8: 401 the Authorization header must be "Bearer " and a token
    in a cookie: 401 send a token in the header "Authorization: Bearer …"
    "#);
}

#[tokio::test]
async fn what_a_token_says_about_its_own_key_has_no_effect() {
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
async fn a_key_without_a_name_is_meant_where_it_is_the_only_one_that_fits() {
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
async fn with_the_address_of_the_keys_alone_the_issuer_does_not_matter_and_with_both_it_does() {
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
