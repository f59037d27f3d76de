//! The authoring page: the embedded files of `ui/`, which use only the public API.
//!
//! Browsers revalidate their cached files on every visit, using a hash of the file as the entity tag. The style sheets
//! and the first script are inlined into `index.html`, so that the first paint needs only one response. Lists and
//! limits of the service are inlined as well, so that the scripts of the page do not repeat them. Scripts and style
//! sheets are served without their comments.

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, File, include_dir};
use serde_json::json;

use super::digest::{digest_of, inline_source};
use super::error::ApiError;
use super::error_code::ErrorCode;
use super::headers::{accepts_gzip, listed};
use super::params::MAX_ENTRIES;
use crate::app::{App, Editing};
use crate::domain::content::SYSTEM_FIELDS;
use crate::domain::named::Named;
use crate::domain::status::Status;
use crate::domain::{dismissal, history, link, list};
use crate::examples;
use crate::store::PRESENCE_TTL;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/ui");

/// The files of the page as they are served, by name. They are built on first use.
static ASSETS: LazyLock<HashMap<&str, Asset>> =
    LazyLock::new(|| files(&FILES).filter_map(|file| Some((file.path().to_str()?, Asset::of(file)?))).collect());

const FIRST: &str = "index.html";

const TAG_DIGITS: usize = 24;

/// Start and end of a line in `index.html` that loads a style sheet.
const STYLE_LINK: (&str, &str) = (r#"<link rel="stylesheet" href="/ui/"#, r#"">"#);
/// The line in `index.html` that loads the first script, and this script.
const START: (&str, &str) = (r#"<script type="module" src="/ui/core/start.js"></script>"#, "core/start.js");
/// Start and end of the line in `index.html` that contains [`constants`].
const CONSTANTS: (&str, &str) = (r#"<script type="application/json" id="constants">"#, "</script>\n");

/// Returns the content security policy of a file. Scripts and style sheets must come from this service. Those that are
/// inlined are allowed by their hashes, so text of users can add none. `blob:` shows pictures that are not sent yet.
fn policy(styles: &[String], script: Option<&String>) -> String {
    let source = |text: &String| format!(" {}", inline_source(text));
    let (styles, script) = (styles.iter().map(source).collect::<String>(), script.map(source).unwrap_or_default());
    format!(
        "default-src 'none'; script-src 'self'{script}; style-src 'self'{styles}; img-src 'self' data: blob: https:; \
         connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'"
    )
}

/// Builds the files in advance, so that the first visitor does not wait.
pub fn prepare() {
    LazyLock::force(&ASSETS);
}

struct Asset {
    content_type: &'static str,
    tag: HeaderValue,
    policy: HeaderValue,
    bytes: Vec<u8>,
    gzip: Vec<u8>,
}

/// Returns the files of a folder and of the folders in it.
fn files(folder: &'static Dir<'static>) -> Box<dyn Iterator<Item = &'static File<'static>>> {
    Box::new(folder.files().chain(folder.dirs().flat_map(files)))
}

/// Serves `index.html` at `/` and `/sign-in`, all files below `/ui/`, and the icon at `/favicon.ico`, too.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/ui/service.json", get(service))
        .route("/ui/examples.json", get(examples))
        .route("/", get(first))
        // Opening a sign-in link does not use it up: the page sends the code when somebody presses the button.
        .route("/sign-in", get(first))
        // Browsers request this address if a page names no icon.
        .route("/favicon.ico", get(async |headers: HeaderMap| asset_response("icon.svg", &headers)))
        .route("/ui/{*name}", get(async |Path(name): Path<String>, headers: HeaderMap| asset_response(&name, &headers)))
}

async fn first(headers: HeaderMap) -> Response {
    asset_response(FIRST, &headers)
}

/// Returns the lists and limits that the page needs, as JSON.
fn constants() -> String {
    let by_hand = Status::ALL.iter().filter(|status| status.is_set_by_hand()).map(|status| status.name());
    json!({
        "systemFields": SYSTEM_FIELDS,
        "statusesByHand": by_hand.collect::<Vec<_>>(),
        "maxPage": list::MAX_LIMIT,
        "maxEntries": MAX_ENTRIES,
        "maxReason": dismissal::MAX_REASON,
        "maxVersionName": history::MAX_NAME,
        "maxLinkName": link::MAX_NAME,
        "maxLinkDescription": link::MAX_DESCRIPTION,
        "presenceSeconds": PRESENCE_TTL.as_secs(),
    })
    .to_string()
}

/// Returns settings of this service that the page needs. They are public, because the page reads them before anybody
/// has signed in.
async fn service(State(app): State<App>) -> Response {
    Json(json!({
        "publicUrl": app.http.public_url,
        "converses": app.assistant.model().is_some(),
        "editors": app.http.editing == Editing::Author,
        "trashDays": app.http.trash_days,
        "defaultRole": app.http.default_role,
    }))
    .into_response()
}

/// Returns the example investigations, which the page offers to add if the store is empty.
async fn examples() -> Result<Response, ApiError> {
    let examples = examples::read().map_err(|_| ApiError::internal())?;
    Ok(Json(examples.into_values().collect::<Vec<_>>()).into_response())
}

impl Asset {
    fn of(file: &'static File<'static>) -> Option<Self> {
        let content_type = match file.path().extension()?.to_str()? {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => return None,
        };
        let text = file.contents_utf8()?;
        let (text, policy) = match file.path().extension()?.to_str()? {
            "html" => completed(text)?,
            "js" => (without_comments(text), policy(&[], None)),
            "css" => (compact(text), policy(&[], None)),
            _ => (text.to_owned(), policy(&[], None)),
        };
        let bytes = text.into_bytes();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzip = encoder.write_all(&bytes).and_then(|()| encoder.finish()).ok()?;
        let tag = HeaderValue::try_from(format!("W/\"{}\"", digest_of(&bytes).get(..TAG_DIGITS)?)).ok()?;
        let policy = HeaderValue::try_from(policy).ok()?;
        Some(Self { content_type, tag, policy, bytes, gzip })
    }
}

/// Returns a script or a style sheet in which comment lines are replaced by empty lines, because comments would be a
/// quarter of what is sent. The empty lines keep the line numbers of the file.
fn without_comments(text: &str) -> String {
    let mut is_in_comment = false;
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let words = line.trim_start();
        let begins = words.starts_with("/*") && !words.contains("*/");
        let is_whole = words.starts_with("//") || words.starts_with("/*") && words.find("*/") == Some(words.len() - 2);
        let is_comment = is_in_comment || begins || is_whole;
        is_in_comment = begins || is_in_comment && !words.ends_with("*/");
        code.extend([if is_comment { "" } else { line }, "\n"]);
    }
    code
}

/// Returns a style sheet without comments, indentation and empty lines, so that `index.html`, which contains all style
/// sheets, fits into the first round trip of a connection, which is ten packets.
fn compact(style: &str) -> String {
    let code = without_comments(style);
    code.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

/// Returns `index.html` with the constants, and with its style sheets and its first script inlined, and its content
/// security policy; `None` if a file is missing.
fn completed(html: &str) -> Option<(String, String)> {
    let script = without_comments(FILES.get_file(START.1)?.contents_utf8()?);
    let (mut whole, mut styles) = (String::new(), Vec::new());
    for line in html.lines() {
        match line.strip_prefix(STYLE_LINK.0).and_then(|rest| rest.strip_suffix(STYLE_LINK.1)) {
            Some(name) => {
                let style = compact(FILES.get_file(name)?.contents_utf8()?);
                whole.extend(["<style>", &style, "</style>\n"]);
                styles.push(style);
            }
            None if line.starts_with(CONSTANTS.0) => whole.extend([CONSTANTS.0, &constants(), CONSTANTS.1]),
            None if line == START.0 => whole.extend([r#"<script type="module">"#, &script, "</script>\n"]),
            None => whole.extend([line, "\n"]),
        }
    }
    Some((whole, policy(&styles, Some(&script))))
}

fn asset_response(name: &str, asked: &HeaderMap) -> Response {
    let Some(Asset { content_type, tag, policy, bytes, gzip }) = ASSETS.get(name) else {
        return ApiError::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found").into_response();
    };
    let headers = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        (header::CONTENT_SECURITY_POLICY, policy.clone()),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ];
    if listed(asked, header::IF_NONE_MATCH).any(|known| known == tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
    if accepts_gzip(asked) {
        return ([(header::CONTENT_ENCODING, "gzip")], content_type, headers, gzip.as_slice()).into_response();
    }
    (content_type, headers, bytes.as_slice()).into_response()
}
