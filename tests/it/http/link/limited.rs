//! Links with a visit limit: opening the page uses up no visit, and a click on its button uses up one.

use std::time::Duration;

use fieldbook::app::{HttpSettings, LinkTarget};
use insta::assert_snapshot;
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Caller, TEACHER, TestApp};

const PAGE: &str = "/l/k/s";
const LINK: &str = "/api/link/k/s";
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn with_limited_link(teacher: &Caller, sub_link: &str, most: u32) -> String {
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = json!({"key": "k", "subLink": sub_link, "description": "", "shows": "lesson", "maxVisits": most});
    let created = teacher.post(&format!("/api/link/investigation/{id}"), link).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    id
}

async fn visits(teacher: &Caller) -> Value {
    teacher.get(&format!("{LINK}/visits")).await.data()["visitCount"].clone()
}

/// Presses the button of a link as a browser does. Returns the status, and the address to which the answer redirects.
pub async fn press(app: &TestApp, page: &str) -> (StatusCode, Option<String>) {
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).redirect(Policy::none());
    let client = client.build().expect("a client");
    let pressed = client.post(format!("http://{}{page}", app.address)).header("sec-fetch-site", "same-origin").send();
    let pressed = pressed.await.expect("an answer");
    let location = pressed.headers().get("location").map(|location| location.to_str().expect("a text").to_owned());
    (pressed.status(), location)
}

/// Returns the address to which the form of a page is sent.
fn action(page: &str) -> String {
    let (_, action) = page.split_once("action=\"").expect("a form");
    action.split_once('"').expect("an end").0.to_owned()
}

#[tokio::test]
async fn visit_to_a_link_with_a_visit_limit_shows_a_button_and_is_not_counted() {
    let (_app, anon, teacher) = TestApp::start().await;
    with_limited_link(&teacher, "s", 1).await;
    let page = anon.get(PAGE).await;
    let (_, body) = page.text.split_once("<body>").expect("a body");
    assert_eq!(page.status, StatusCode::OK);
    assert_snapshot!(body, @r#"<main class="message"><h1>Your lesson is ready</h1><p>This link opens a limited number of times, so open it when you need it.</p><form method="post" action="/l/k/s?press=00000000000000000000000000000004"><button>Open the lesson</button></form></main></body></html>"#);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("form-action 'self';"), "{policy}");
    let browser = anon.clone().with_header("accept", BROWSER);
    let again = browser.get(LINK).await.text;
    assert_eq!(again.replacen(&action(&again), &action(&page.text), 1), page.text);
    assert_ne!(action(&again), action(&page.text), "each page has a button of its own");
    assert_eq!(anon.head(PAGE).await.status, StatusCode::OK);
    assert_eq!(visits(&teacher).await, 0);
    assert_eq!(anon.get(LINK).await.data()["visitCount"], 1, "a program resolves");
}

#[tokio::test]
async fn button_of_a_limited_link_counts_a_visit_and_opens_the_page_for_an_hour() {
    let (app, anon, teacher) = TestApp::start().await;
    with_limited_link(&teacher, "s", 1).await;
    with_limited_link(&teacher, "t", 1).await;
    let (status, location) = press(&app, PAGE).await;
    let location = location.expect("an address");
    assert_eq!((status, location.split_once('=').map(|(path, _)| path)), (StatusCode::SEE_OTHER, Some("/l/k/s?visit")));
    for _ in 0..2 {
        let page = anon.get(&location).await;
        assert_eq!((page.status, page.text.contains("Cress")), (StatusCode::OK, true), "{page}");
    }
    assert_eq!(visits(&teacher).await, 1);
    assert_eq!(anon.clone().with_header("purpose", "prefetch").get(&location).await.status, StatusCode::FORBIDDEN);
    let closed = anon.get(PAGE).await;
    assert_eq!((closed.status, closed.text.contains("This link does not work")), (StatusCode::NOT_FOUND, true));
    assert_eq!(press(&app, PAGE).await, (StatusCode::NOT_FOUND, None), "its only visit is used up");
    let other = anon.get(&location.replace("/s?", "/t?")).await;
    assert!(other.text.contains("Open the lesson"), "the token is for another link: {other}");
    assert_eq!(teacher.patch(LINK, json!({"archived": true})).await.status, StatusCode::OK);
    assert_eq!(anon.get(&location).await.status, StatusCode::NOT_FOUND, "it is archived");
    assert_eq!(teacher.patch(LINK, json!({"archived": false})).await.status, StatusCode::OK);
    app.clock.advance(Duration::from_secs(3599));
    assert_eq!(anon.get(&location).await.status, StatusCode::OK);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(anon.get(&location).await.status, StatusCode::NOT_FOUND, "the token has ended");
}

#[tokio::test]
async fn repeated_click_on_the_button_of_a_limited_link_counts_one_visit() {
    let (app, anon, teacher) = TestApp::start().await;
    with_limited_link(&teacher, "s", 2).await;
    with_limited_link(&teacher, "t", 2).await;
    let button = action(&anon.get(PAGE).await.text);
    let first = press(&app, &button).await;
    assert_eq!(first.0, StatusCode::SEE_OTHER);
    assert_eq!(press(&app, &button).await, first);
    assert_eq!(visits(&teacher).await, 1);
    assert_eq!(press(&app, &button.replace("/s?", "/t?")).await.0, StatusCode::SEE_OTHER, "it is another link");
    app.clock.advance(Duration::from_secs(3600));
    assert_eq!(press(&app, &button).await.0, StatusCode::SEE_OTHER, "the first visit has ended");
    assert_eq!(visits(&app.signed_in(TEACHER)).await, 2);
    assert_eq!(press(&app, &button).await.0, StatusCode::SEE_OTHER, "the second has not");
    assert_eq!(press(&app, PAGE).await.0, StatusCode::NOT_FOUND, "both visits are used up");
}

#[tokio::test]
async fn two_concurrent_clicks_on_the_button_of_a_limited_link_count_one_visit() {
    let (app, anon, teacher) = TestApp::start().await;
    with_limited_link(&teacher, "s", 1).await;
    let button = action(&anon.get(PAGE).await.text);
    let (first, second) = tokio::join!(press(&app, &button), press(&app, &button));
    assert_eq!((first.0, &second), (StatusCode::SEE_OTHER, &first));
    assert_eq!(visits(&teacher).await, 1);
}

#[tokio::test]
async fn button_click_for_an_unlimited_link_redirects_to_the_page_that_counts_the_visit() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "k", "s").await;
    let (status, location) = press(&app, PAGE).await;
    assert_eq!((status, location.as_deref()), (StatusCode::SEE_OTHER, Some(PAGE)));
    assert_eq!(visits(&teacher).await, 0);
    assert_eq!(anon.get(PAGE).await.status, StatusCode::OK);
    assert_eq!(visits(&teacher).await, 1);
    assert_eq!(press(&app, "/l/k/unknown").await, (StatusCode::NOT_FOUND, None));
}

#[tokio::test]
async fn visit_after_a_button_click_is_counted_if_the_visit_limit_was_removed_meanwhile() {
    let (app, anon, teacher) = TestApp::start().await;
    with_limited_link(&teacher, "s", 1).await;
    let location = press(&app, PAGE).await.1.expect("an address");
    assert_eq!(teacher.patch(LINK, json!({"maxVisits": null})).await.status, StatusCode::OK);
    assert_eq!(anon.get(&location).await.status, StatusCode::OK);
    assert_eq!(visits(&teacher).await, 2);
}

#[tokio::test]
async fn button_of_a_limited_link_redirects_to_the_configured_link_target() {
    let target = "https://lessons.example.org/{investigationId}".to_owned();
    let http = HttpSettings { link_target: Some(LinkTarget(target)), ..HttpSettings::default() };
    let (app, anon, teacher) = TestApp::start_with(http).await;
    let id = with_limited_link(&teacher, "s", 1).await;
    let page = anon.get(PAGE).await;
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("form-action 'self' https://lessons.example.org;"), "{policy}");
    for of_button in [anon.head(PAGE).await, anon.clone().with_header("accept", BROWSER).head(LINK).await] {
        let seen = (of_button.status, of_button.header("content-security-policy"));
        assert_eq!(seen, (StatusCode::OK, Some(policy)), "{of_button}");
    }
    let (_, location) = press(&app, PAGE).await;
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).redirect(Policy::none());
    let client = client.build().expect("a client");
    let address = format!("http://{}{}", app.address, location.expect("an address"));
    for method in [Method::GET, Method::HEAD] {
        let led = client.request(method, &address).send().await.expect("an answer");
        assert_eq!(led.status(), StatusCode::FOUND, "{led:?}");
        assert_eq!(led.headers()["location"], format!("https://lessons.example.org/{id}").as_str());
    }
    assert_eq!(visits(&teacher).await, 1);
    assert_eq!(anon.head(PAGE).await.status, StatusCode::NOT_FOUND, "without the token");
}

#[tokio::test]
async fn prefetch_of_a_link_is_refused_and_counts_no_visit() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = json!({"key": "k", "subLink": "s", "description": "", "shows": "lesson"});
    teacher.post(&format!("/api/link/investigation/{id}"), link).await;
    for (name, value) in [("sec-purpose", "prefetch"), ("sec-purpose", "prefetch;prerender"), ("purpose", "prefetch")] {
        let browser = anon.clone().with_header(name, value).with_header("accept", BROWSER);
        for path in [PAGE, LINK] {
            let refused = browser.get(path).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused}");
            assert!(refused.text.contains("Not open yet") && !refused.text.contains("Cress"), "{refused}");
            assert_eq!(browser.head(path).await.status, StatusCode::FORBIDDEN, "{name}: {value} {path}");
        }
    }
    assert_eq!(visits(&teacher).await, 0);
    let opened = anon.clone().with_header("sec-purpose", "other").get(PAGE).await;
    assert!(opened.text.contains("Cress"), "{opened}");
    let program = anon.with_header("purpose", "prefetch").get(LINK).await;
    assert_eq!(program.data()["visitCount"], 2, "each resolve by a program counts");
}
