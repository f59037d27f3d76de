//! `GET /l/{key}/{subLink}`: the page of a link.

use fieldbook::app::{HttpSettings, LinkTarget};
use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

const PAGE: &str = "/l/k/s";
/// The `Accept` header of browsers.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

fn lesson() -> Value {
    json!({
        "title": "Cress in the <dark>", "drivingQuestion": "Does cress need light?",
        "objectives": ["Say what a seed needs."],
        "materials": [
            {"name": "water", "quantity": 300, "unit": "ml"},
            {"name": "saucer", "quantity": 2, "notes": "flat"},
            {"name": "salt", "unit": "a pinch"},
            {"name": "cress seeds"},
        ],
        "steps": [{"text": "Sow twenty seeds.", "minutes": 15}, {"text": "Wait."}], "safety": ["Wash your hands."],
        "assessment": "The answer is no.", "vocabulary": [{"term": "germinate", "definition": "begin to grow"}],
        "secret": {"note": "for teachers"},
    })
}

async fn with_link(teacher: &Caller, options: Value) -> String {
    let id = teacher.create(lesson()).await;
    let mut body = json!({"key": "k", "subLink": "s", "description": ""});
    body.as_object_mut().expect("an object").extend(options.as_object().cloned().expect("an object"));
    let created = teacher.post(&format!("/api/link/investigation/{id}"), body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    id
}

/// Returns the page without its style sheet, with one tag per line.
fn readable(html: &str) -> String {
    let (head, rest) = html.split_once("<style>").expect("a style sheet");
    let body = rest.split_once("</style>").expect("its end").1;
    format!("{head}{body}").replace('<', "\n<").replace("\n</", "</").trim_start().to_owned()
}

#[tokio::test]
async fn handout_link_page_has_only_the_fields_for_pupils() {
    let (_app, anon, teacher) = TestApp::start().await;
    with_link(&teacher, json!({"shows": "handout"})).await;
    let page = anon.get(PAGE).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_snapshot!(readable(&page.text), @r#"
    <!DOCTYPE html>
    <html lang="en" dir="ltr" data-title="Cress in the &lt;dark&gt;">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="description" content="A lesson of a science class, to read and to print.">
    <title>Cress in the &lt;dark&gt;</title>
    <link rel="icon" href="/ui/icon.svg" type="image/svg+xml"></head>
    <body>
    <main>
    <h1>Cress in the &lt;dark&gt;</h1>
    <p class="pupil">
    <span>Name</span>
    <span>Date</span></p>
    <section>
    <h2>Our question</h2>
    <p>Does cress need light?</p></section>
    <section>
    <h2>Materials</h2>
    <ul class="checklist">
    <li>
    <label>
    <input type="checkbox">
    <span class="amount">300 ml</span> 
    <span>water</span></label></li>
    <li>
    <label>
    <input type="checkbox">
    <span class="amount">2</span> 
    <span>saucer
    <span class="note"> · flat</span></span></label></li>
    <li>
    <label>
    <input type="checkbox">
    <span class="amount"></span> 
    <span>salt (a pinch)</span></label></li>
    <li>
    <label>
    <input type="checkbox">
    <span class="amount"></span> 
    <span>cress seeds</span></label></li></ul></section>
    <section class="safety">
    <h2>Safety</h2>
    <ul>
    <li>Wash your hands.</li></ul></section>
    <section>
    <h2>Steps</h2>
    <ol class="steps">
    <li>
    <span class="minutes">15 min </span>
    <p>Sow twenty seeds.</p></li>
    <li>
    <p>Wait.</p></li></ol></section>
    <section>
    <h2>Vocabulary</h2>
    <dl>
    <dt>germinate</dt>
    <dd>begin to grow</dd></dl></section></main></body></html>
    "#);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex"),
        ("vary", "accept"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("script"), "{policy}");
    assert_eq!(teacher.get("/api/link/k/s/visits").await.data()["visitCount"], 1);
}

#[tokio::test]
async fn link_page_of_an_oversized_lesson_is_cut() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress", "materials": vec![json!({"name": "a"}); 9_000]})).await;
    let link = json!({"key": "k", "subLink": "s", "description": "", "shows": "lesson"});
    teacher.post(&format!("/api/link/investigation/{id}"), link).await;
    let page = anon.get(PAGE).await.text;
    assert!((500_000..1024 * 1024 + 16 * 1024).contains(&page.len()), "{}", page.len());
    let (_, end) = page.rsplit_once("</section>").expect("a section");
    assert_eq!(end, "<p>This lesson is too long for one sheet, so the rest is left out.</p></main></body></html>");
}

#[tokio::test]
async fn link_page_shows_every_field_if_the_link_shows_the_lesson_and_none_by_default() {
    let (_app, anon, teacher) = TestApp::start().await;
    with_link(&teacher, json!({})).await;
    let nothing = anon.get(PAGE).await.text;
    assert!(
        nothing.contains("it shows no lesson") && !nothing.contains("Cress") && !nothing.contains("seeds"),
        "{nothing}"
    );
    assert_eq!(teacher.patch("/api/link/k/s", json!({"shows": "lesson"})).await.status, StatusCode::OK);
    let all = anon.get(PAGE).await.text;
    for words in ["Objectives", "Say what a seed needs.", "The answer is no.", "Secret", "for teachers"] {
        assert!(all.contains(words), "{words}: {all}");
    }
}

#[tokio::test]
async fn link_page_shows_the_current_content_unless_the_link_names_a_version() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = with_link(&teacher, json!({"shows": "handout"})).await;
    let title = async || {
        let html = anon.get(PAGE).await.text;
        html.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>")).expect("a title").0.to_owned()
    };
    assert_eq!(title().await, "Cress in the &lt;dark&gt;");
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Beans"})).await;
    assert_eq!(title().await, "Beans");
    teacher.patch("/api/link/k/s", json!({"version": 0})).await;
    assert_eq!(title().await, "Cress in the &lt;dark&gt;");
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas"})).await;
    assert_eq!(title().await, "Cress in the &lt;dark&gt;");
    teacher.patch("/api/link/k/s", json!({"version": 2})).await;
    assert_eq!(title().await, "Peas");
    teacher.patch("/api/link/k/s", json!({"version": null})).await;
    assert_eq!(title().await, "Peas");
}

#[tokio::test]
async fn unknown_closed_and_misspelled_links_get_the_same_page() {
    let (_app, anon, teacher) = TestApp::start().await;
    with_link(&teacher, json!({"shows": "lesson", "archived": true})).await;
    let closed = anon.get(PAGE).await;
    assert_eq!(closed.status, StatusCode::NOT_FOUND);
    assert!(closed.text.contains("This link does not work"), "{closed}");
    for path in [
        "/l/k/unknown",
        "/l/k/bad.name",
        "/l/k%20k/s",
        "/l/k/s/",
        "/l/k/unknown/",
        "/l/k",
        "/l/k/",
        "/l",
        "/l/",
        "/l/k/s/t",
        "/l//s",
    ] {
        let unknown = anon.get(path).await;
        assert_eq!((unknown.status, &unknown.text), (StatusCode::NOT_FOUND, &closed.text), "{path}");
        assert_eq!(unknown.headers.keys().collect::<Vec<_>>(), closed.headers.keys().collect::<Vec<_>>(), "{path}");
        assert_eq!(anon.head(path).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn trailing_slash_of_a_link_page_address_is_ignored() {
    let (_app, anon, teacher) = TestApp::start().await;
    with_link(&teacher, json!({"shows": "lesson"})).await;
    let page = anon.get(PAGE).await;
    let with_slash = anon.get("/l/k/s/").await;
    assert_eq!((with_slash.status, &with_slash.text), (StatusCode::OK, &page.text));
    assert_eq!(teacher.get("/api/link/k/s/visits").await.data()["visitCount"], 2);
}

#[tokio::test]
async fn link_answers_html_or_json_depending_on_the_accept_header() {
    let (_app, anon, teacher) = TestApp::start().await;
    with_link(&teacher, json!({"shows": "handout"})).await;
    for (client, accept, kind) in [
        ("Firefox, Safari", Some(BROWSER), "text/html"),
        (
            "Chrome, Edge",
            Some(
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
            ),
            "text/html",
        ),
        (
            "Samsung Internet",
            Some("text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8"),
            "text/html",
        ),
        ("curl, Python requests, fetch(), previews of Slack, Facebook, Discord", Some("*/*"), "application/json"),
        ("Go net/http, Java HttpClient", None, "application/json"),
        ("Java HttpURLConnection", Some("text/html, image/gif, image/jpeg, */*; q=0.2"), "text/html"),
        ("axios", Some("application/json, text/plain, */*"), "application/json"),
        ("Telegram, WhatsApp, Mastodon previews", Some("text/html"), "text/html"),
        ("a client that prefers JSON", Some("application/json, text/html;q=0.9"), "application/json"),
        ("a client that refuses HTML", Some("text/html;q=0, */*"), "application/json"),
        ("a client that takes any text", Some("text/*"), "application/json"),
    ] {
        let caller = match accept {
            Some(accept) => anon.clone().with_header("accept", accept),
            None => anon.clone(),
        };
        let got = caller.get("/api/link/k/s").await;
        assert_eq!(got.header("content-type").and_then(|given| given.split(';').next()), Some(kind), "{client}");
        assert_eq!(got.header("vary"), Some("accept"), "{client}");
    }
}

#[tokio::test]
async fn visitors_in_a_browser_are_redirected_to_the_configured_link_target() {
    let target = "https://lessons.example.org/{investigationId}?link={key}/{subLink}".to_owned();
    let http = HttpSettings { link_target: Some(LinkTarget(target)), ..HttpSettings::default() };
    let (app, anon, teacher) = TestApp::start_with(http).await;
    let id = with_link(&teacher, json!({"shows": "lesson"})).await;
    // This client follows no redirects.
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).redirect(reqwest::redirect::Policy::none());
    let client = client.build().expect("a client");
    for (path, accept) in [(PAGE, "*/*"), ("/api/link/k/s", BROWSER)] {
        for method in [Method::GET, Method::HEAD] {
            let request = client.request(method, format!("http://{}{path}", app.address)).header("accept", accept);
            let led = request.send().await.expect("an answer");
            assert_eq!(led.status(), StatusCode::FOUND, "{led:?}");
            let expected = format!("https://lessons.example.org/{id}?link=k/s");
            assert_eq!(led.headers()["location"], expected.as_str());
            assert_eq!(led.headers()["cache-control"], "no-store");
        }
    }
    assert_eq!(anon.get("/api/link/k/s").await.data()["visitCount"], 3, "programs get JSON, and each visit counts");
    assert_eq!(anon.get("/l/k/t").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn head_requests_and_rate_limited_requests_to_a_link_page_count_no_visit() {
    let (_app, anon, teacher) =
        TestApp::start_with(HttpSettings { resolve_rate_limit: 2, ..HttpSettings::default() }).await;
    with_link(&teacher, json!({})).await;
    let head = anon.head(PAGE).await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
    assert_eq!(head.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(head.header("content-length"), None, "only GET knows it");
    anon.get(PAGE).await;
    let refused = anon.get(PAGE).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused}");
    assert!(refused.text.contains("Wait a moment") && refused.header("retry-after").is_some(), "{refused}");
    let types: Vec<_> = refused.headers.get_all("content-type").iter().collect();
    assert_eq!(types, ["text/html; charset=utf-8"], "{refused}");
    assert_eq!(teacher.get("/api/link/k/s/visits").await.data()["visitCount"], 1);
}
