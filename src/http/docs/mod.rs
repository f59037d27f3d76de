//! The OpenAPI document, which `api/openapi.json` contains, and a documentation page that loads nothing from other
//! hosts.

use std::io::Read as _;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::{MethodRouter, get};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use utoipa_swagger_ui::{Config, SwaggerUi};

mod content;

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::headers::accepts_gzip;
use crate::app::App;
use crate::domain::schema::BUILT_IN;

/// Example requests and responses, by operation and status. A test generates the file.
const EXAMPLES: &str = include_str!("../../../api/examples.json");

/// Returns the OpenAPI document, without the parts that depend on the settings or the content schema.
pub fn openapi() -> Value {
    serde_json::from_str(include_str!("../../../api/openapi.json")).unwrap_or_default()
}

pub fn document() -> MethodRouter<App> {
    let text: Arc<OnceLock<Bytes>> = Arc::default();
    get(move |State(app): State<App>| {
        let text = text.get_or_init(|| document_of(&app).into()).clone();
        std::future::ready(([("content-type", "application/json"), ("cache-control", "no-cache")], text))
    })
}

fn document_of(app: &App) -> String {
    let mut document = openapi();
    let url = app.http.public_url.as_deref().unwrap_or("/");
    document["servers"] = json!([{"url": url, "description": "This service"}]);
    let schema = app.schema.document();
    // The examples contain content for the built-in schema, so they would be invalid with another schema.
    if serde_json::from_str::<Value>(BUILT_IN).is_ok_and(|built_in| built_in == *schema) {
        add_examples(&mut document);
    }
    content::add_content(&mut document, schema);
    format!("{document:#}")
}

fn add_examples(document: &mut Value) {
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
        let example = operation["operationId"].as_str().and_then(|name| examples[name].as_object());
        for (part, value) in example.into_iter().flatten() {
            let body =
                if part == "request" { &mut operation["requestBody"] } else { &mut operation["responses"][part] };
            for (_, content) in body["content"].as_object_mut().into_iter().flatten() {
                content["example"] = value.clone();
            }
        }
    }
}

pub fn page<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let page = SwaggerUi::new("/docs").config(Config::new(["/api/openapi.json"]).validator_url("none"));
    Router::from(page).layer(from_fn(as_a_page))
}

/// Content security policy of the documentation page: the page may load its own scripts and pictures, and call this
/// service.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sets the headers of the documentation page. Decompresses files for clients that do not accept gzip. Gives a 404 the
/// usual error body, because the library of the page sends none.
async fn as_a_page(request: Request, next: Next) -> HttpResponse {
    let accepts_gzip = accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        return ApiError::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found").into_response();
    }
    if !accepts_gzip && response.headers_mut().remove(header::CONTENT_ENCODING).is_some() {
        let (parts, body) = response.into_parts();
        let compressed = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let mut file = Vec::new();
        if GzDecoder::new(&compressed[..]).read_to_end(&mut file).is_err() {
            return ApiError::internal().into_response();
        }
        response = (parts, file).into_response();
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
