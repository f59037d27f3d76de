//! Passwords: how people choose them, and sign in with them.

use std::time::Duration;

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{add, browser, code, cookie, is_signed_in, person, secret, sign_in, signed_in};
use crate::http::permissions::{ADMIN, with_role};
use crate::support::{COLLEAGUE, Caller, Exchange, TEACHER, TestApp, http_statuses, log};

const EMAIL: &str = "ada@SCHOOL.example";
const PASSWORD: &str = "correct horse";
const MINUTE: Duration = Duration::from_secs(60);

async fn choose(browser: &Caller, body: Value) -> Exchange {
    browser.patch(&format!("/api/people/{TEACHER}"), body).await
}

async fn enter(browser: &Caller, email: &str, password: &str) -> Exchange {
    browser.post("/api/session", json!({"email": email, "password": password})).await
}

/// Starts a service in which the teacher has a password. Returns their browser with a session, too.
async fn with_password() -> (TestApp, Caller) {
    let (app, browser) = signed_in().await;
    assert_eq!(choose(&browser, json!({ "password": PASSWORD })).await.status, 200);
    (app, browser)
}

#[tokio::test]
async fn person_signs_in_with_a_password_chosen_after_a_sign_in_link() {
    let (app, first) = signed_in().await;
    let chosen = choose(&first, json!({ "password": PASSWORD })).await;
    assert_snapshot!(chosen.to_string().replace(PASSWORD, "PASSWORD"), @r#"
    PATCH /api/people/aaaaaaaaaaaaaaaaaaaaaaaa
    {"password":"PASSWORD"}
    200 OK
    {
      "success": true, "message": "Password changed successfully",
      "data": {
        "id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": "Ada", "email": "Ada@School.example", "role": null,
        "status": "active", "createdAt": "2026-11-21T08:00:00.000Z", "lastSignInAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
    let entered = enter(&browser(&app), EMAIL, PASSWORD).await;
    assert_eq!((entered.status.as_u16(), &entered.data()["signedInBy"]), (200, &json!("password")), "{entered}");
    let second = browser(&app).with_header("cookie", &cookie(&entered));
    assert!(is_signed_in(&second).await && is_signed_in(&first).await);
    let admin = with_role(&app, ADMIN, "admin");
    let entries = admin.get("/api/audit").await.json()["data"].to_string();
    assert!(entries.contains(r#""action":"person.signed_in","personId":"aaaaaaaaaaaaaaaaaaaaaaaa","by":"password""#));
    assert!(
        entries.contains(r#""action":"person.changed","personId":"aaaaaaaaaaaaaaaaaaaaaaaa","fields":["password"]"#)
    );
}

#[tokio::test]
async fn unknown_email_wrong_password_and_no_password_have_the_same_answer() {
    let (app, _) = with_password().await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let wrong = enter(&browser(&app), EMAIL, "wrong horse").await;
    assert_snapshot!(wrong, @r#"
    POST /api/session
    {"email":"ada@SCHOOL.example","password":"wrong horse"}
    401 Unauthorized
    www-authenticate: Bearer
    {
      "success": false, "message": "Not signed in", "error": "the e-mail address or the password is wrong",
      "code": "wrong_credentials"
    }
    "#);
    for email in ["nobody@school.example", "Grace@School.example"] {
        let other = enter(&browser(&app), email, PASSWORD).await;
        assert_eq!((other.status, other.json()), (wrong.status, wrong.json()), "{email}");
    }
}

#[tokio::test]
async fn disabled_person_is_refused_as_disabled_only_with_the_correct_password() {
    let (app, _) = with_password().await;
    let admin = with_role(&app, ADMIN, "admin");
    admin.patch(&format!("/api/people/{TEACHER}"), json!({"status": "disabled"})).await;
    assert_eq!(enter(&browser(&app), EMAIL, "wrong horse").await.json()["code"], "wrong_credentials");
    assert_eq!(enter(&browser(&app), EMAIL, PASSWORD).await.json()["code"], "disabled");
    assert_eq!(app.rows("session"), 0);
}

#[tokio::test]
async fn email_address_gets_one_attempt_a_minute_after_five_wrong_passwords() {
    let (app, _) = with_password().await;
    let other = browser(&app);
    for email in [EMAIL, "nobody@school.example"] {
        for _ in 0..5 {
            assert_eq!(enter(&other, email, "wrong horse").await.status, 401);
        }
        let refused = enter(&other, email, PASSWORD).await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("60")), "{refused}");
    }
    // A sign-in link still works.
    assert_eq!(sign_in(&other, &code(&app).await).await.status, 200);
    app.clock.advance(MINUTE);
    assert_eq!(enter(&other, EMAIL, PASSWORD).await.status, 200);
    // A sign-in with the correct password does not count towards the limit.
    assert_eq!(enter(&other, EMAIL, PASSWORD).await.status, 200);
}

/// Takes the cookie that marks a known browser from the answer to a sign-in. Returns a browser with this cookie and
/// without a session, and the cookie.
fn known_browser(app: &TestApp, entered: &Exchange) -> (Caller, String) {
    let cookies: Vec<_> = entered.headers.get_all("set-cookie").iter().map(|set| set.to_str().expect("text")).collect();
    let [_, known] = cookies[..] else { panic!("two cookies: {cookies:?}") };
    assert!(known.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"), "{known}");
    assert!(!known.to_lowercase().contains("school"), "{known}");
    let known = known.split(';').next().expect("a pair");
    assert!(known.starts_with("fieldbook_known="), "{known}");
    (browser(app).with_header("cookie", known), known.to_owned())
}

#[tokio::test]
async fn wrong_passwords_from_other_browsers_do_not_block_a_known_browser() {
    let (app, _) = with_password().await;
    let (own, known) = known_browser(&app, &enter(&browser(&app), EMAIL, PASSWORD).await);
    for _ in 0..5 {
        assert_eq!(enter(&browser(&app), EMAIL, "wrong horse").await.status, 401);
    }
    let forged = known.replacen('=', "=A", 1);
    for stranger in [browser(&app), browser(&app).with_header("cookie", &forged)] {
        assert_eq!(enter(&stranger, EMAIL, PASSWORD).await.status, 429);
    }
    assert_eq!(enter(&own, EMAIL, PASSWORD).await.status, 200);
    // The known browser also has only five attempts.
    for _ in 0..5 {
        assert_eq!(enter(&own, EMAIL, "wrong horse").await.status, 401);
    }
    assert_eq!(enter(&own, EMAIL, PASSWORD).await.status, 429);
    // For the account of another person, this browser is unknown.
    for _ in 0..5 {
        assert_eq!(enter(&own, "grace@school.example", "wrong horse").await.status, 401);
    }
    assert_eq!(enter(&browser(&app), "grace@school.example", PASSWORD).await.status, 429);
}

#[tokio::test]
async fn ip_address_is_rate_limited_after_fifty_wrong_passwords_in_a_minute() {
    let (app, _) = with_password().await;
    let other = browser(&app);
    for n in 0..50 {
        let tried = enter(&other, &format!("pupil{n}@school.example"), "wrong horse").await;
        assert_eq!(tried.status, 401, "{n}");
    }
    let refused = enter(&other, EMAIL, PASSWORD).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (429, Some("rate_limited")), "{refused}");
}

#[tokio::test]
async fn failed_sign_ins_of_a_known_person_are_audited_once_a_minute() {
    let (app, _) = with_password().await;
    let admin = with_role(&app, ADMIN, "admin");
    let failed = async |expected: usize| {
        // The audit entry is stored after the answer.
        loop {
            let entries = admin.get("/api/audit").await.json()["data"].to_string();
            if entries.matches("person.sign_in_failed").count() >= expected {
                return entries.matches("person.sign_in_failed").count();
            }
            tokio::task::yield_now().await;
        }
    };
    for email in ["nobody@school.example", EMAIL, EMAIL, EMAIL] {
        enter(&browser(&app), email, "wrong horse").await;
    }
    assert_eq!(failed(1).await, 1);
    app.clock.advance(MINUTE);
    enter(&browser(&app), EMAIL, "wrong horse").await;
    assert_eq!(failed(2).await, 2);
}

#[tokio::test]
async fn new_password_ends_other_sessions_sign_in_links_and_the_old_password() {
    let (app, first) = with_password().await;
    let second = browser(&app).with_header("cookie", &cookie(&enter(&browser(&app), EMAIL, PASSWORD).await));
    let code = code(&app).await;
    let new = "another horse";
    let changed = choose(&second, json!({"password": new, "currentPassword": PASSWORD})).await;
    assert_eq!(changed.status, 200, "{changed}");
    assert!(is_signed_in(&second).await && !is_signed_in(&first).await);
    assert_eq!(sign_in(&browser(&app), &code).await.json()["code"], "wrong_credentials");
    assert_eq!(enter(&browser(&app), EMAIL, PASSWORD).await.json()["code"], "wrong_credentials");
    assert_eq!(enter(&browser(&app), EMAIL, new).await.status, 200);
}

#[tokio::test]
async fn new_password_requires_the_old_password_except_soon_after_a_sign_in_with_a_link() {
    let (app, browser) = with_password().await;
    let new = json!({"password": "another horse"});
    assert_eq!(choose(&browser, new.clone()).await.status, 200);
    app.clock.advance(15 * MINUTE);
    let refused = choose(&browser, new).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!("currentPassword")));
    let wrong = choose(&browser, json!({"password": "a third horse", "currentPassword": PASSWORD})).await;
    assert_eq!((wrong.status.as_u16(), wrong.json()["code"].as_str()), (403, Some("wrong_credentials")), "{wrong}");
    let right = choose(&browser, json!({"password": "a third horse", "currentPassword": "another horse"})).await;
    assert_eq!(right.status, 200, "{right}");
}

#[tokio::test]
async fn failed_sign_ins_by_strangers_do_not_block_a_password_change_in_a_session() {
    let (app, own) = with_password().await;
    app.clock.advance(15 * MINUTE);
    for _ in 0..5 {
        assert_eq!(enter(&browser(&app), EMAIL, "wrong horse").await.status, 401);
    }
    assert_eq!(enter(&browser(&app), EMAIL, PASSWORD).await.status, 429);
    // A stranger who uses the session of another person also has only five attempts.
    let change = |current: &str| json!({"password": "another horse", "currentPassword": current});
    for _ in 0..5 {
        assert_eq!(choose(&own, change("wrong horse")).await.status, 403);
    }
    assert_eq!(choose(&own, change(PASSWORD)).await.status, 429);
    app.clock.advance(MINUTE);
    assert_eq!(choose(&own, change(PASSWORD)).await.status, 200);
}

#[tokio::test]
async fn sign_in_attempts_with_long_addresses_do_not_reset_the_count_of_another_address() {
    let (app, _) = with_password().await;
    for _ in 0..5 {
        assert_eq!(enter(&browser(&app), EMAIL, "wrong horse").await.status, 401);
    }
    for n in 0..4000 {
        let address = format!("{n}{}@school.example", "\u{1d11e}".repeat(230));
        assert_eq!(app.app.passwords.count_attempt(&address, &app.clock), Ok(()));
    }
    assert_eq!(enter(&browser(&app), EMAIL, PASSWORD).await.status, 429);
}

#[tokio::test]
async fn password_can_be_set_only_by_its_owner_in_a_session_and_must_be_valid() {
    let (app, browser) = signed_in().await;
    let new = json!({ "password": PASSWORD });
    let admin = with_role(&app, ADMIN, "admin");
    for (caller, expected) in
        [(app.signed_in(TEACHER), "only in a session of the page"), (admin.clone(), "only by the person it belongs to")]
    {
        let refused = choose(&caller, new.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!("password")));
        assert!(refused.text.contains(expected), "{refused}");
    }
    for body in [
        json!({"password": "too short"}),
        json!({"password": "x".repeat(201)}),
        json!({"password": 1}),
        json!({"currentPassword": PASSWORD}),
        json!({"password": PASSWORD, "name": "Ada"}),
        json!({"password": " ".repeat(10)}),
        json!({"password": "password12"}),
        json!({"password": "Ada@School.example"}),
    ] {
        assert_eq!(choose(&browser, body.clone()).await.status, 400, "{body}");
    }
    admin.patch(&format!("/api/people/{TEACHER}"), json!({"email": null})).await;
    let refused = choose(&browser, new).await;
    assert!(refused.status == 400 && refused.text.contains("needs an e-mail address"), "{refused}");
    assert_eq!(app.rows("password"), 0);
}

#[tokio::test]
async fn setting_can_turn_passwords_off() {
    let http = HttpSettings { passwords: false, ..http_statuses() };
    let (app, ..) = TestApp::start_with(http).await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let first = browser(&app);
    let first = first.clone().with_header("cookie", &cookie(&sign_in(&first, &code(&app).await).await));
    assert_eq!(first.get("/api/me").await.data()["signIn"]["password"], false);
    assert_eq!(choose(&first, json!({ "password": PASSWORD })).await.status, 400);
    let refused = enter(&browser(&app), EMAIL, PASSWORD).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!("password")));
}

#[tokio::test]
async fn password_sign_in_is_refused_from_other_sites_and_as_a_dry_run() {
    let (app, _) = with_password().await;
    assert_eq!(enter(&app.anon(), EMAIL, PASSWORD).await.json()["code"], "cross_site");
    let body = json!({"email": EMAIL, "password": PASSWORD});
    let dry = browser(&app).post("/api/session?dryRun=true", body).await;
    assert_eq!((dry.status.as_u16(), dry.header("set-cookie")), (400, None), "{dry}");
    for body in
        [json!({"email": "ada", "password": PASSWORD}), json!({"email": EMAIL}), json!({"email": EMAIL, "password": 1})]
    {
        assert_eq!(browser(&app).post("/api/session", body.clone()).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn passwords_are_never_stored_logged_or_returned() {
    let (log, _guard) = log::captured();
    let (app, browser) = with_password().await;
    enter(&browser, EMAIL, PASSWORD).await;
    enter(&browser, EMAIL, "wrong horse").await;
    let secret = secret(&browser);
    let admin = with_role(&app, ADMIN, "admin");
    let answers = format!("{}{}", admin.get("/api/audit").await.text, admin.get("/api/people").await.text);
    for hidden in [PASSWORD, "wrong horse", "argon2", &secret] {
        assert!(!answers.contains(hidden) && !log.text().contains(hidden), "{hidden}");
    }
    assert_eq!(app.rows("password WHERE digest LIKE '$argon2id$v=19$%'"), 1);
    assert_eq!(app.rows(&format!("password WHERE digest LIKE '%{PASSWORD}%'")), 0);
}
