//! Sessions: sign-in and sign-out on the page, and the permissions of requests with a session.

mod create;
mod delete;
mod password;

use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};

use super::people::{add, person};
use super::permissions::{ADMIN, with_role};
use crate::support::{Caller, Exchange, TEACHER, TestApp};

/// Returns a browser that has the page open.
fn browser(app: &TestApp) -> Caller {
    app.anon().with_header("sec-fetch-site", "same-origin")
}

/// Returns the code of a new sign-in link for the teacher, whom the directory knows.
async fn code(app: &TestApp) -> String {
    let made = with_role(app, ADMIN, "admin").post_empty(&format!("/api/people/{TEACHER}/link")).await;
    let link = made.data()["signInLink"].as_str().expect("a link").to_owned();
    link.split_once("#code=").expect("a code").1.to_owned()
}

/// Returns the cookie that an answer sets, as a browser sends it.
fn cookie(answer: &Exchange) -> String {
    let cookie = answer.headers.get(SET_COOKIE).expect("a cookie").to_str().expect("a text");
    cookie.split(';').next().expect("a pair").to_owned()
}

async fn sign_in(browser: &Caller, code: &str) -> Exchange {
    browser.post("/api/session", json!({ "code": code })).await
}

/// Starts a service, and returns the teacher's browser with a session.
async fn signed_in() -> (TestApp, Caller) {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let browser = browser(&app);
    let cookie = cookie(&sign_in(&browser, &code(&app).await).await);
    (app, browser.with_header("cookie", &cookie))
}

/// Returns the text in the cookie that a browser sends.
fn secret(browser: &Caller) -> String {
    browser.sent("cookie").split_once('=').expect("a pair").1.to_owned()
}

async fn is_signed_in(browser: &Caller) -> bool {
    browser.get("/api/me").await.json()["data"]["id"] != Value::Null
}
