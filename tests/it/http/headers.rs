//! The headers of every answer, and the rights of pages from other origins.

use fieldbook::app::{HttpSettings, Origins};
use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::json;

use super::permissions::add_key;
use crate::support::{Caller, Exchange, TestApp};

/// Returns the status and the sorted headers of an answer, without `date` and `content-length`.
fn shown(answer: &Exchange) -> String {
    let mut lines = vec![answer.status.to_string()];
    for (name, value) in &answer.headers {
        if !["date", "content-length"].contains(&name.as_str()) {
            lines.push(format!("{name}: {}", value.to_str().expect("a text")));
        }
    }
    lines[1..].sort();
    lines.join("\n")
}

#[tokio::test]
async fn response_headers_prevent_caching_and_content_execution() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let read = teacher.get(&format!("/api/investigation/{id}")).await;
    assert_snapshot!(shown(&read), @r#"
    200 OK
    cache-control: no-store
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    content-type: application/json
    cross-origin-resource-policy: same-origin
    etag: "1"
    referrer-policy: no-referrer
    x-content-type-options: nosniff
    x-frame-options: DENY
    x-request-id: test
    "#);
    let link = teacher.create_link(&id, "k", "s").await;
    for (path, expected) in [
        ("/api/investigation", "401 no scripts, same-origin, no-store"),
        ("/api/investigation/x", "401 no scripts, same-origin, no-store"),
        ("/nothing", "404 no scripts, same-origin, no-store"),
        ("/health/live", "200 no scripts, same-origin, no-store"),
        ("/metrics", "200 no scripts, same-origin, no-store"),
        ("/api/openapi.json", "200 no scripts, same-origin, no-cache"),
        ("/docs", "200 scripts, same-origin, no-cache"),
        ("/docs/", "200 scripts, same-origin, no-cache"),
        ("/docs/swagger-ui.css", "200 scripts, same-origin, no-cache"),
        ("/docs/nothing", "404 no scripts, same-origin, no-store"),
        (&link, "200 no scripts, same-origin, no-store"),
        (&format!("{link}/qr.svg"), "200 no scripts, cross-origin, no-cache"),
    ] {
        let answer = anon.get(path).await;
        let header = |name: &str| answer.header(name).unwrap_or("none").to_owned();
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(
            (header("referrer-policy"), header("x-frame-options")),
            ("no-referrer".into(), "DENY".into()),
            "{path}"
        );
        for told in ["server", "x-powered-by", "strict-transport-security", "access-control-allow-origin"] {
            assert_eq!(answer.header(told), None, "{path}");
        }
        let policy = header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; ") && policy.ends_with("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        let scripts = if policy.contains("script-src 'self'") { "scripts" } else { "no scripts" };
        let (resource, cache) = (header("cross-origin-resource-policy"), header("cache-control"));
        assert_eq!(format!("{} {scripts}, {resource}, {cache}", answer.status.as_u16()), expected, "{path}");
    }
}

#[tokio::test]
async fn hsts_is_sent_only_for_an_https_public_url() {
    for (url, told) in
        [("https://fieldbook.example.org", Some("max-age=31536000")), ("http://fieldbook.example.org", None)]
    {
        let http = HttpSettings { public_url: Some(url.into()), ..HttpSettings::default() };
        let (_app, anon, _) = TestApp::start_with(http).await;
        assert_eq!(anon.get("/health/live").await.header("strict-transport-security"), told);
    }
}

#[tokio::test]
async fn listed_cors_origins_may_send_requests_and_preflights_without_a_token() {
    let cors_origins = Origins::Listed(vec!["https://a.example.org".into(), "http://localhost:5173".into()]);
    let (_app, anon, teacher) = TestApp::start_with(HttpSettings { cors_origins, ..HttpSettings::default() }).await;
    let asking = |origin: &str| {
        let caller = anon.clone().with_header("origin", origin).with_header("access-control-request-method", "PATCH");
        caller.with_header("access-control-request-headers", "authorization,if-match")
    };
    let asked = asking("https://a.example.org").send(Method::OPTIONS, "/api/investigation/x", None).await;
    assert_snapshot!(shown(&asked), @"
    200 OK
    access-control-allow-headers: authorization,content-type,if-match,if-none-match,prefer,idempotency-key,last-event-id,mcp-method,mcp-name,mcp-protocol-version
    access-control-allow-methods: GET,HEAD,POST,PATCH,DELETE
    access-control-allow-origin: https://a.example.org
    access-control-max-age: 3600
    allow: GET,HEAD,PATCH,DELETE
    cache-control: no-store
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    cross-origin-resource-policy: same-origin
    referrer-policy: no-referrer
    vary: origin
    x-content-type-options: nosniff
    x-frame-options: DENY
    x-request-id: test
    ");
    let called = teacher.with_header("origin", "http://localhost:5173").get("/api/investigation").await;
    assert_snapshot!(shown(&called), @"
    200 OK
    access-control-allow-origin: http://localhost:5173
    access-control-expose-headers: allow,etag,location,retry-after,idempotent-replayed,preference-applied,ratelimit,ratelimit-policy,x-request-id
    cache-control: no-store
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    content-type: application/json
    cross-origin-resource-policy: same-origin
    referrer-policy: no-referrer
    vary: origin
    x-content-type-options: nosniff
    x-frame-options: DENY
    x-request-id: test
    ");
    let refused = anon.clone().with_header("origin", "http://localhost:5173").get("/api/investigation").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert_eq!(refused.header("access-control-allow-origin"), Some("http://localhost:5173"), "pages can read why");
    for other in ["https://a.example.org.evil.example", "http://a.example.org", "https://A.example.org", "null"] {
        let asked = asking(other).send(Method::OPTIONS, "/api/investigation/x", None).await;
        assert_eq!(asked.header("access-control-allow-origin"), None, "{other}");
        let called = anon.clone().with_header("origin", other).get("/api/link/k/s").await;
        assert_eq!(called.header("access-control-allow-origin"), None, "{other}");
    }
}

#[tokio::test]
async fn any_cors_origin_is_allowed_if_configured_and_none_by_default() {
    let http = HttpSettings { cors_origins: Origins::Any, ..HttpSettings::default() };
    let (_app, anon, _) = TestApp::start_with(http).await;
    let called = anon.with_header("origin", "https://anyone.example.org").get("/api/link/k/s").await;
    assert_eq!(called.header("access-control-allow-origin"), Some("*"));
    assert_eq!(called.header("access-control-allow-credentials"), None);
    let (_app, anon, _) = TestApp::start().await;
    let asked = anon
        .with_header("origin", "https://anyone.example.org")
        .send(Method::OPTIONS, "/api/investigation", None)
        .await;
    assert_eq!((asked.status, asked.header("access-control-allow-origin")), (StatusCode::METHOD_NOT_ALLOWED, None));
}

#[tokio::test]
async fn cross_site_change_is_refused_unless_its_origin_is_listed() {
    let named = "https://a.example.org";
    let refusal = r#"{"success":false,"message":"Not allowed","error":"pages of other sites may not change anything; see the setting cors-origins","code":"cross_site"}"#;
    for (cors_origins, site, origin, status) in [
        (Origins::None, "cross-site", None, 403),
        (Origins::None, "same-site", Some(named), 403),
        (Origins::Any, "cross-site", Some(named), 403),
        (Origins::Listed(vec![named.into()]), "cross-site", None, 403),
        (Origins::Listed(vec![named.into()]), "cross-site", Some("https://b.example.org"), 403),
        (Origins::Listed(vec![named.into()]), "cross-site", Some(named), 201),
        (Origins::Listed(vec![named.into()]), "same-site", Some(named), 201),
        (Origins::None, "same-origin", None, 201),
        (Origins::None, "none", None, 201),
    ] {
        let http = HttpSettings { cors_origins: cors_origins.clone(), ..HttpSettings::default() };
        let (_app, anon, teacher) = TestApp::start_with(http).await;
        let from_site = |caller: &Caller| {
            let caller = caller.clone().with_header("sec-fetch-site", site);
            origin.map_or(caller.clone(), |origin| caller.with_header("origin", origin))
        };
        let (page, stranger) = (from_site(&teacher), from_site(&anon));
        let created = page.post("/api/investigation", json!({"title": "Cress"})).await;
        assert_eq!(created.status.as_u16(), status, "{cors_origins:?} {site} {origin:?}: {created}");
        assert_eq!(page.get("/api/investigation").await.status, StatusCode::OK, "reading changes nothing");
        if status != 403 {
            continue;
        }
        assert_eq!(created.text, refusal);
        let path = format!("/api/investigation/{}", teacher.create(json!({})).await);
        for refused in [
            page.patch(&path, json!({"title": "Peas"})).await,
            page.delete(&path).await,
            page.post_empty(&format!("{path}/clone")).await,
            page.post("/mcp", json!({})).await,
            stranger.post_empty("/l/k/s").await,
        ] {
            assert_eq!((refused.status, refused.text.as_str()), (StatusCode::FORBIDDEN, refusal), "{refused}");
        }
    }
}

#[tokio::test]
async fn service_works_after_the_year_9999_and_omits_only_the_date_header() {
    let (app, _) = TestApp::start_with_trash().await;
    let live = app.anon().get("/health/live").await;
    assert_eq!(live.header("date"), Some("Sat, 21 Nov 2026 08:00:00 GMT"));
    let key = add_key(&app, 1, "admin").await;
    // The caller uses an API key, because every token expires by the end of the year 9999.
    let teacher = app.anon().bearing(key.expose());
    app.clock.jump(8000 * 366 * 24 * 3600 * 1000);
    let path = teacher.create_path(json!({"title": "Cress", "curriculum": "NGSS"})).await;
    let link = teacher.create_link(path.rsplit('/').next().expect("an id"), "class", "cress").await;
    for answer in [
        teacher.patch(&path, json!({"title": "Peas", "curriculum": "Alberta"})).await,
        teacher.post_empty(&format!("{path}/undo")).await,
        teacher.get(&path).await,
        teacher.get("/api/investigation?limit=1").await,
        teacher.get(&format!("{path}/versions")).await,
        teacher.get(&format!("{path}/history/title")).await,
        app.anon().get(&link).await,
        app.anon().get("/l/class/cress").await,
        teacher.get(&format!("{link}/visits")).await,
        teacher.delete(&path).await,
        teacher.get("/api/trash").await,
        teacher.post_empty(&format!("{path}/undelete")).await,
        app.anon().get("/metrics").await,
    ] {
        assert_eq!((answer.status, answer.header("date")), (StatusCode::OK, None), "{answer}");
    }
    app.sweep().await;
}
