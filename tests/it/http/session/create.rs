//! `POST /api/session`: a sign-in with a link. Also tests how long a session lasts.

use std::time::Duration;

use fieldbook::app::HttpSettings;
use fieldbook::domain::secret_token::SecretToken;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use super::{add, browser, code, cookie, is_signed_in, person, secret, sign_in, signed_in};
use crate::http::permissions::{ADMIN, with_role};
use crate::support::{TEACHER, TestApp, log};

const HOUR: Duration = Duration::from_secs(60 * 60);
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn code_of_a_sign_in_link_signs_in_only_once() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let (browser, code) = (browser(&app), code(&app).await);
    // A dry run says whom the link signs in, and does not use up the link.
    let asked = browser.post("/api/session?dryRun=true", json!({ "code": code })).await;
    assert_eq!((asked.data(), asked.header("set-cookie")), (json!({"id": TEACHER, "name": "Ada"}), None));
    let signed_in = sign_in(&browser, &code).await;
    let set = signed_in.header("set-cookie").expect("a cookie").to_owned();
    let secret = cookie(&signed_in).replace("fieldbook_session=", "");
    assert_eq!(set, format!("fieldbook_session={secret}; Path=/; HttpOnly; SameSite=Lax"));
    assert_eq!(secret.len(), 43);
    assert_snapshot!(signed_in.data(), @r#"{"id":"aaaaaaaaaaaaaaaaaaaaaaaa","name":"Ada","email":"Ada@School.example","role":"author","signedInBy":"link","may":{"read":true,"create":true,"administer":false},"signIn":{"provider":null,"password":true}}"#);
    let again = sign_in(&browser, &code).await;
    assert_snapshot!(again.to_string().replace(&code, "CODE"), @r#"
    POST /api/session
    {"code":"CODE"}
    401 Unauthorized
    www-authenticate: Bearer
    {
      "success": false, "message": "Not signed in",
      "error": "this link was used, or is no longer valid; ask for a new one", "code": "wrong_credentials"
    }
    "#);
    for other in ["", "x", &"A".repeat(43)] {
        assert_eq!(sign_in(&browser, other).await.refusal(), again.refusal());
    }
    for body in [json!({}), json!({"code": 1}), json!({"code": code, "more": 1})] {
        let refused = browser.post("/api/session", body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!("code")), "{refused}");
    }
}

#[tokio::test]
async fn sign_in_link_is_valid_for_seven_days_or_until_replaced() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let browser = browser(&app);
    let old = code(&app).await;
    app.clock.advance(7 * 24 * HOUR);
    assert_eq!(sign_in(&browser, &old).await.json()["code"], "wrong_credentials");
    let admin = with_role(&app, ADMIN, "admin");
    let replaced = code(&app).await;
    let newer = code(&app).await;
    assert_eq!(sign_in(&browser, &replaced).await.json()["code"], "wrong_credentials");
    let path = format!("/api/people/{TEACHER}");
    admin.patch(&path, json!({"name": "Ada Lovelace"})).await;
    assert_eq!(browser.post("/api/session?dryRun=true", json!({ "code": newer })).await.data()["name"], "Ada Lovelace");
    for change in [json!({"email": "ada@lovelace.example"}), json!({"role": "reader"})] {
        let code = code(&app).await;
        admin.patch(&path, change).await;
        assert_eq!(sign_in(&browser, &code).await.json()["code"], "wrong_credentials");
    }
    let last = code(&app).await;
    app.clock.advance(7 * 24 * HOUR - Duration::from_millis(1));
    assert_eq!(sign_in(&browser, &last).await.status, 200);
}

#[tokio::test]
async fn session_ends_twelve_hours_after_its_last_use_and_after_thirty_days() {
    let (app, browser) = signed_in().await;
    for _ in 0..60 {
        app.clock.advance(12 * HOUR - 10 * MINUTE);
        assert!(is_signed_in(&browser).await);
    }
    app.clock.advance(30 * 24 * HOUR - 60 * (12 * HOUR - 10 * MINUTE));
    let ended = browser.get("/api/investigation").await;
    assert_eq!(ended.refusal(), r#"401 "unauthenticated" "Authentication required""#);
    assert_eq!(ended.json()["error"], "your session has ended; sign in again");

    let (app, browser) = signed_in().await;
    app.clock.advance(12 * HOUR);
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn session_use_is_stored_at_most_every_five_minutes() {
    let (app, browser) = signed_in().await;
    let digest = SecretToken::read(&secret(&browser)).expect("a text").digest();
    let (directory, store) = (&app.app.directory, &app.app.store);
    let start = app.clock.now();
    for (minutes, expected) in [(0, false), (4, false), (5, true), (6, false), (9, false), (10, true)] {
        let session = store.session(digest.clone()).await.expect("read").expect("a session").session;
        let now = start.later_by(minutes * MINUTE);
        assert_eq!(directory.notes_use(&session, now), expected, "{minutes}");
    }
    store.note_session_use(digest.clone(), start.later_by(10 * MINUTE)).await.expect("noted");
    // If an earlier use of the session is stored after a later one, the time of the later use is kept.
    store.note_session_use(digest.clone(), start.later_by(5 * MINUTE)).await.expect("noted");
    let noted = store.session(digest).await.expect("read").expect("a session").session.last_used_at;
    assert_eq!(noted, start.later_by(10 * MINUTE));
}

#[tokio::test]
async fn session_that_is_used_on_another_copy_stays_valid_on_this_copy() {
    let (app, browser) = signed_in().await;
    assert!(is_signed_in(&browser).await);
    let digest = SecretToken::read(&secret(&browser)).expect("a text").digest();
    app.clock.advance(11 * HOUR);
    app.app.store.note_session_use(digest, app.clock.now()).await.expect("noted");
    app.clock.advance(11 * HOUR);
    assert!(is_signed_in(&browser).await);
    app.clock.advance(12 * HOUR);
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn background_requests_do_not_extend_a_session() {
    let (app, browser) = signed_in().await;
    let lesson = browser.create_path(json!({"title": "Cress"})).await;
    app.clock.advance(12 * HOUR - MINUTE);
    let page = browser.clone().with_header("fieldbook-background", "?1");
    assert_eq!(page.get(&lesson).await.status, 200);
    assert_eq!(page.post(&format!("{lesson}/presence"), json!({"open": true})).await.status, 200);
    drop(browser.open("/api/events").await);
    app.clock.advance(MINUTE);
    assert!(!is_signed_in(&browser).await);
}

#[tokio::test]
async fn sign_in_replaces_the_previous_session_of_the_browser() {
    let (app, first) = signed_in().await;
    let second = sign_in(&first, &code(&app).await).await;
    assert!(!is_signed_in(&first).await);
    let second = first.with_header("cookie", &cookie(&second));
    assert!(is_signed_in(&second).await);
    assert_eq!(app.rows("session"), 1);
}

#[tokio::test]
async fn cross_site_requests_cannot_sign_in_or_change_anything() {
    let (app, browser) = signed_in().await;
    let lesson = browser.create_path(json!({"title": "Cress"})).await;
    let code = code(&app).await;
    let cookie = format!("fieldbook_session={}", secret(&browser));
    let own = format!("http://{}", app.address);
    let outcome = async |site: Option<&str>, origin: Option<&str>| {
        let mut caller = app.anon().with_header("cookie", &cookie);
        if let Some(site) = site {
            caller = caller.with_header("sec-fetch-site", site);
        }
        if let Some(origin) = origin {
            caller = caller.with_header("origin", origin);
        }
        let read = caller.get(&lesson).await.status.as_u16();
        let changed = caller.patch(&lesson, json!({"title": "Peas"})).await;
        let asked = caller.post("/api/session?dryRun=true", json!({ "code": code })).await;
        assert_eq!(changed.status, asked.status, "{changed} {asked}");
        (read, changed.status.as_u16(), changed.json()["code"].clone())
    };
    for (site, origin) in [(Some("same-origin"), None), (None, Some(own.as_str()))] {
        assert_eq!(outcome(site, origin).await, (200, 200, Value::Null), "{site:?} {origin:?}");
    }
    for (site, origin) in [
        (Some("cross-site"), Some("https://evil.example")),
        (Some("same-site"), Some("https://sibling.school.example")),
        (Some("cross-site"), Some(own.as_str())),
        (Some("none"), None),
        (None, None),
        (None, Some("null")),
        (None, Some("https://evil.example")),
        (None, Some("http://127.0.0.1:1")),
    ] {
        assert_eq!(outcome(site, origin).await, (200, 403, json!("cross_site")), "{site:?} {origin:?}");
    }
}

#[tokio::test]
async fn session_cookie_of_a_service_with_tls_has_a_name_that_only_its_host_can_set() {
    let http =
        HttpSettings { public_url: Some("https://fieldbook.school.example".to_owned()), ..HttpSettings::default() };
    let (app, ..) = TestApp::start_with(http).await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let browser = browser(&app);
    let made = with_role(&app, ADMIN, "admin").post_empty(&format!("/api/people/{TEACHER}/link")).await;
    let link = made.data()["signInLink"].as_str().expect("a link").to_owned();
    let code = link.strip_prefix("https://fieldbook.school.example/sign-in#code=").expect("a code");
    let answer = sign_in(&browser, code).await;
    let cookie = cookie(&answer);
    let set = answer.header("set-cookie").expect("a cookie");
    assert_eq!(set, format!("{cookie}; Path=/; HttpOnly; SameSite=Lax; Secure"));
    let (name, secret) = cookie.split_once('=').expect("a pair");
    assert_eq!(name, "__Host-fieldbook_session");
    assert!(is_signed_in(&browser.clone().with_header("cookie", &cookie)).await);
    // Another site of the same domain can set only cookies without the prefix `__Host-`, so the service ignores them.
    assert!(!is_signed_in(&browser.with_header("cookie", &format!("fieldbook_session={secret}"))).await);
}

#[tokio::test]
async fn duplicate_session_cookies_are_ignored_and_a_token_overrides_a_cookie() {
    let (app, browser) = signed_in().await;
    let secret = secret(&browser);
    let twice = browser.clone().with_header("cookie", &format!("fieldbook_session={secret}; fieldbook_session=x"));
    assert!(!is_signed_in(&twice).await);
    let signed_out = twice.delete("/api/session").await;
    assert_eq!((signed_out.status.as_u16(), signed_out.header("set-cookie").is_some()), (200, true), "{signed_out}");
    let colleague = browser.bearing(&app.token(crate::support::COLLEAGUE));
    assert_eq!(colleague.get("/api/me").await.data()["signedInBy"], "token");
}

#[tokio::test]
async fn request_from_a_page_that_one_person_opened_is_refused_in_the_session_of_another_person() {
    let (app, browser) = signed_in().await;
    let lesson = browser.create_path(json!({"title": "Cress"})).await;
    for (person, status) in [(TEACHER, 200), (crate::support::COLLEAGUE, 401), ("", 401)] {
        let page = browser.clone().with_header("fieldbook-person", person);
        assert_eq!(page.patch(&lesson, json!({"title": "Peas"})).await.status, status, "{person}");
    }
    // A proxy may add the token of another person, who has signed in at the proxy.
    for (person, status) in [(TEACHER, 200), (crate::support::COLLEAGUE, 401)] {
        let behind_proxy = app.signed_in(TEACHER).with_header("fieldbook-person", person);
        assert_eq!(behind_proxy.patch(&lesson, json!({"title": "Beans"})).await.status, status, "{person}");
    }
}

#[tokio::test]
async fn mcp_does_not_accept_session_cookies() {
    let (_app, browser) = signed_in().await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let assistant = browser.with_header("accept", "application/json, text/event-stream");
    assert_eq!(assistant.post("/mcp", message).await.refusal(), r#"401 "unauthenticated" "Authentication required""#);
}

#[tokio::test]
async fn ip_address_is_rate_limited_after_fifty_refused_sign_in_codes_in_a_minute() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let browser = browser(&app);
    for wrong in ["x", &"A".repeat(43)].into_iter().cycle().take(50) {
        assert_eq!(sign_in(&browser, wrong).await.status, 401);
    }
    let refused = sign_in(&browser, "x").await;
    assert_eq!(
        (refused.refusal(), refused.header("retry-after")),
        (r#"429 "rate_limited" "Too many requests""#.to_owned(), Some("2"))
    );
    for _ in 0..3 {
        assert_eq!(sign_in(&browser, &code(&app).await).await.status, 200);
    }
}

#[tokio::test]
async fn unknown_cookies_do_not_evict_known_sessions() {
    let (app, browser) = signed_in().await;
    assert!(is_signed_in(&browser).await);
    let stranger = app.anon().with_header("cookie", &format!("fieldbook_session={}", "A".repeat(43)));
    assert_eq!(stranger.get("/api/me").await.status, 401);
    // After the store is closed, the service knows only the sessions in its cache.
    app.app.store.close().await;
    assert!(is_signed_in(&browser).await);
    assert_eq!(stranger.get("/api/me").await.status, 503);
}

#[tokio::test]
async fn sign_in_codes_and_session_cookies_are_not_in_logs_or_the_store() {
    let (log, _guard) = log::captured();
    let (app, ..) = TestApp::start_with(HttpSettings { log_requests: true, ..HttpSettings::default() }).await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let (browser, code) = (browser(&app), code(&app).await);
    let cookie = cookie(&sign_in(&browser, &code).await);
    let secret = cookie.split_once('=').expect("a pair").1;
    let browser = browser.with_header("cookie", &cookie);
    browser.get("/api/investigation").await;
    browser.send(Method::DELETE, "/api/session", None).await;
    let audit = with_role(&app, ADMIN, "admin").get("/api/audit").await.text;
    assert!(audit.contains("person.signed_in"), "{audit}");
    for text in [log.text(), audit] {
        assert!(!text.contains(&code) && !text.contains(secret), "{text}");
    }
}
