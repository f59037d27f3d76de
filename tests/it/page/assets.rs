//! The files of the page: their headers and size, the addresses that they call, and their accessibility.

use std::fs;
use std::path::{Path, PathBuf};

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::hurried;
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE, Window};
use crate::support::tree::{files_in, root};

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/npm/node_modules/axe-core/axe.min.js");
/// The number of bytes that arrive in the first round trip of a connection, less those of the headers.
const FIRST: usize = 10 * 1460 - 1000;
/// The maximum size of the whole page as it is sent, in bytes.
const MOST: usize = 150 * 1024;

/// Returns the names of the files below `ui/`.
fn names() -> Vec<String> {
    let name = |path: &PathBuf| path.strip_prefix("ui").ok().and_then(Path::to_str).map(str::to_owned);
    files_in("ui").iter().map(|path| name(path).expect("a name")).collect()
}

#[tokio::test]
async fn browsers_find_the_icon_at_favicon_ico_and_in_sheets() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(hurried()).await;
    let icon = anon.get("/favicon.ico").await;
    assert_eq!((icon.status, icon.text), (StatusCode::OK, anon.get("/ui/icon.svg").await.text));
    let sheet = teacher.get(&format!("/api/investigation/{id}/sheet")).await.text;
    assert!(sheet.contains(r#"<link rel="icon" href="/ui/icon.svg" type="image/svg+xml">"#), "{sheet}");
}

#[tokio::test]
async fn every_page_file_is_served_without_comments_with_cache_and_security_headers() {
    let (_app, anon, _) = TestApp::start().await;
    for name in names() {
        let path = if name == "index.html" { "/".to_owned() } else { format!("/ui/{name}") };
        let served = anon.get(&path).await;
        assert_eq!(served.status, StatusCode::OK, "{path}");
        let mut text = fs::read_to_string(root().join("ui").join(&name)).expect("a text");
        if path == "/" {
            // The first file contains the style sheets and the first script, so that both wait for one response only.
            for name in names().iter().filter(|name| name.ends_with(".css")) {
                let style = anon.get(&format!("/ui/{name}")).await.text;
                let link = format!(r#"<link rel="stylesheet" href="/ui/{name}">"#);
                assert!(text.contains(&link), "{text}");
                text = text.replace(&link, &format!("<style>{style}</style>"));
            }
            let constants =
                served.text.split_once(r#"id="constants">"#).and_then(|(_, rest)| rest.split_once("</script>"));
            text =
                text.replace(r#"id="constants">{}"#, &format!(r#"id="constants">{}"#, constants.expect("constants").0));
            let script = anon.get("/ui/core/start.js").await.text;
            text = text.replace(r#" src="/ui/core/start.js">"#, &format!(">{script}"));
        }
        if path.ends_with(".js") {
            // The service removes comments, but keeps their lines, so that line numbers stay the same.
            let (lines, sent): (Vec<&str>, Vec<&str>) = (text.lines().collect(), served.text.lines().collect());
            assert_eq!(lines.len(), sent.len(), "{path}");
            let left_out = lines
                .iter()
                .zip(&sent)
                .filter(|(line, sent)| line != sent)
                .map(|(line, sent)| (line.trim_start(), sent));
            for (line, sent) in left_out {
                assert!(
                    ["//", "/*", "*"].iter().any(|mark| line.starts_with(mark)) && sent.is_empty(),
                    "{path}: {line}"
                );
            }
            assert!(!sent.iter().any(|line| line.trim_start().starts_with("//")), "{path}");
            // A line inside a literal must not look like a comment, because it would be removed.
            let is_open = |line: &&&str| line.replace("\\`", "").matches('`').count() % 2 == 1;
            assert_eq!(sent.iter().find(is_open), None, "{path}: a literal of several lines");
        } else if path.ends_with(".css") {
            let rules = text.split("/*").enumerate().map(|(n, part)| match part.split_once("*/") {
                Some((_, rest)) if n > 0 => rest,
                _ => part,
            });
            let rules: String = rules.collect();
            let rules: Vec<&str> = rules.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            assert_eq!(served.text.lines().collect::<Vec<_>>(), rules, "{path}");
        } else {
            assert_eq!(served.text, text, "{path}");
        }
        let policy = served.header("content-security-policy").expect("a policy");
        let start = if path == "/" {
            "default-src 'none'; script-src 'self' 'sha256-"
        } else {
            "default-src 'none'; script-src 'self';"
        };
        assert!(policy.starts_with(start) && policy.contains("; style-src 'self'"), "{policy}");
        assert_eq!(policy.contains("style-src 'self';"), path != "/", "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(served.header("cache-control"), Some("no-cache"));
        let known = anon.clone().with_header("if-none-match", served.header("etag").expect("a tag"));
        let again = known.get(&path).await;
        assert_eq!((again.status, again.text.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
    }
    assert_eq!(anon.get("/ui/nothing.js").await.json()["code"], "route_not_found");
    assert_eq!(anon.get("/ui/%2e%2e%2fCargo.toml").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn compressed_page_files_stay_below_the_size_limit() {
    let (_app, anon, _) = TestApp::start().await;
    let anon = anon.with_header("accept-encoding", "gzip");
    let mut size = 0;
    // The first file contains the style sheets, so browsers do not request them.
    for name in names().iter().filter(|name| !name.ends_with(".css")) {
        let served = anon.get(&format!("/ui/{name}")).await;
        assert_eq!(served.header("content-encoding"), Some("gzip"), "{name}");
        let length = served.header("content-length").and_then(|length| length.parse::<usize>().ok()).expect("a length");
        assert!(name != "index.html" || length < FIRST, "{length} bytes");
        size += length;
    }
    assert!(size < MOST, "{size} bytes");
}

#[tokio::test]
async fn page_loads_nothing_from_other_hosts_and_violates_no_content_security_policy() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.js("window.refused = []; document.addEventListener('securitypolicyviolation', (e) => window.refused.push(e.blockedURI))").await;
    for view in ["", "/history", "/links", "/handout/class-5b/cress"] {
        page.view(&format!("#/i/{id}{view}")).await;
    }
    page.until("[...document.images].every((image) => image.complete && image.naturalWidth > 0)").await;
    let asked = page.js("return performance.getEntriesByType('resource').map((e) => e.name)").await;
    let asked: Vec<&str> = asked.as_array().expect("addresses").iter().filter_map(Value::as_str).collect();
    let base = page.js("return location.origin").await;
    assert!(asked.len() > 20 && asked.iter().all(|at| at.starts_with(base.as_str().expect("a text"))), "{asked:?}");
    assert_eq!(page.js("return window.refused").await, json!([]));
}

#[tokio::test]
async fn every_view_passes_the_accessibility_check_in_light_and_dark() {
    let axe = axe();
    let (app, teacher, id) = TestApp::with_id(hurried()).await;
    let changes = json!({"title": "Cress", "ours": {"b": 1}, "hypothesis": "It does.", "curriculum": "NGSS 4-LS1-1"});
    teacher.patch(&format!("/api/investigation/{id}"), changes).await;
    let near = json!({"fieldName": "grade", "conflictsWith": ["curriculum"], "reason": "We go over it again."});
    teacher.post(&format!("/api/investigation/{id}/dismissals"), near).await;
    teacher.create(json!({"title": "Unfinished"})).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    teacher.get("/api/link/class-5b/cress").await;
    let page = Page::of(&app, WIDE).await;
    let views = [
        "#/".to_owned(),
        format!("#/i/{id}"),
        format!("#/i/{id}/history"),
        format!("#/i/{id}/links"),
        format!("#/i/{id}/handout/class-5b/cress"),
    ];
    for window in [WIDE, Window { dark: true, ..WIDE }, PHONE, Window { dark: true, ..PHONE }] {
        page.appear(window).await;
        for view in &views {
            page.view(view).await;
            page.js("document.querySelectorAll('main details').forEach((one) => { one.open = true; })").await;
            if view.ends_with("/links") {
                page.until("document.querySelector('.chart svg')").await;
            }
            no_violations(&page, &axe, &format!("{view} {}x{} dark: {}", window.width, window.height, window.dark))
                .await;
        }
        page.view(&views[1]).await;
        page.open_findings().await;
        page.click("Correct Steps …").await;
        page.until("document.querySelector('dialog[open]')").await;
        no_violations(&page, &axe, "the preview").await;
        page.click("Leave as it is").await;
    }
}

/// A script that returns the inputs and buttons whose borders have too little contrast, with the contrast.
const PALE: &str = "
    const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (color) => {
        brush.fillStyle = color;
        brush.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const around = (element) => {
        const color = getComputedStyle(element).backgroundColor;
        return /, 0\\)$|\\/ 0\\)$/.test(color) ? around(element.parentElement) : color;
    };
    return [...document.querySelectorAll('main :is(input:not([type=checkbox]), select, .acts > button:not(.quiet), .filters input)')]
        .filter((control) => control.checkVisibility() && parseFloat(getComputedStyle(control).borderTopWidth) > 0)
        .map((control) => {
            const [line, ground] = [getComputedStyle(control).borderTopColor, around(control.parentElement)].map(light);
            const contrast = (Math.max(line, ground) + 0.05) / (Math.min(line, ground) + 0.05);
            return [control.getAttribute('aria-label') ?? control.textContent.trim(), Math.round(contrast * 10) / 10];
        })
        .filter(([, contrast]) => contrast < 3);";

#[tokio::test]
async fn borders_of_controls_have_enough_contrast_in_light_and_dark() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    for window in [WIDE, Window { dark: true, ..WIDE }] {
        page.appear(window).await;
        for view in ["#/".to_owned(), format!("#/i/{id}/links")] {
            page.view(&view).await;
            assert_eq!(page.js(PALE).await, json!([]), "{view}, dark: {}", window.dark);
        }
    }
}

#[tokio::test]
async fn page_fits_into_a_window_of_320_pixels() {
    let (app, teacher, id) = TestApp::with_id(hurried()).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Cress"})).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    let page = Page::of(&app, Window { width: 320, ..PHONE }).await;
    for view in ["#/", "#/trash", "#/account", "#/i", "#/i/history", "#/i/links", "#/i/handout/class-5b/cress"] {
        page.view(&view.replace("#/i", &format!("#/i/{id}"))).await;
        assert_eq!(page.js("return document.documentElement.scrollWidth").await, 320, "{view}");
    }
}

/// Returns the script of axe-core.
pub fn axe() -> String {
    fs::read_to_string(AXE).expect("axe-core, which scripts/npm fetches")
}

/// Asserts that axe-core finds no violation of accessibility on the page.
pub async fn no_violations(page: &Page, axe: &str, place: &str) {
    if page.js("return Boolean(window.axe)").await == false {
        page.js(axe).await;
    }
    page.js("window.seen = null; axe.run(document, { resultTypes: ['violations'] }).then((r) => { window.seen = r.violations.map((v) => [v.id, v.nodes.map((n) => `${n.target} ${n.failureSummary}`)]); })").await;
    let seen = page.until("window.seen").await;
    assert_eq!(seen, json!([]), "{place}");
}
