//! The OpenAPI document, which is generated from the code, and a documentation page that loads nothing from other
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
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi as _};
use utoipa_swagger_ui::{Config, SwaggerUi};

pub mod content;
mod operations;
pub mod parameters;
mod schemas;

use super::error::{ApiError, ErrorBody};
use super::error_code::ErrorCode;
use super::headers::accepts_gzip;
use crate::app::App;
use crate::domain::client_schema::pascal;
use crate::domain::event::EventType;
use crate::domain::event_view::EventView;
use crate::domain::finding::Finding;
use crate::domain::list::ROW_FIELDS;
use crate::domain::representation::{DismissedView, Metadata};
use crate::domain::schema::BUILT_IN;

/// Parts of the OpenAPI document that no type of this program describes: request bodies, response headers,
/// and requests to webhooks.
const COMMON: &str = include_str!("../../../api/common.json");

/// The OpenAPI document without operations. The router adds the operations.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Fieldbook", description = "Investigations, their history and contradictions, and links to them.",
         contact(name = "The operator of this service"), license(name = "MIT", identifier = "MIT")),
    components(schemas(DismissedView<'static>, ErrorBody, EventView, Finding, Metadata)),
    modifiers(&Bearer),
    tags((name = "investigation", description = "Investigations: content, history, contradictions"),
         (name = "link", description = "Short links with exact visit counts"),
         (name = "events", description = "What happens to investigations, as it happens"),
         (name = "webhooks", description = "What the service tells other services"),
         (name = "audit", description = "Who did what, for admins"),
         (name = "health", description = "Whether the service works"))
)]
pub struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        document.components.get_or_insert_default().add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// Completes the OpenAPI document with webhooks, headers, error responses and simpler schemas. Returns it as JSON.
pub fn complete(document: OpenApi) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    let mut common: Value = serde_json::from_str(COMMON).unwrap_or_default();
    common["schemas"]["ListedFields"] = common["schemas"]["SystemFields"].clone();
    common["schemas"]["ListedFields"]["required"] = json!(ROW_FIELDS);
    let by_hand = common["schemas"].as_object().cloned().unwrap_or_default();
    document["components"]["schemas"].as_object_mut().into_iter().for_each(|all| all.extend(by_hand.clone()));
    document["webhooks"] = webhooks(&common["webhook"]);
    document["components"]["headers"] = common["headers"].clone();
    schemas::simplify(&mut document);
    operations::annotate(&mut document);
    document
}

/// Returns a description of the request to a webhook, for each type of event. `post` is the same for all types.
fn webhooks(post: &Value) -> Value {
    let webhook = |kind: &&str| {
        let mut post = post.clone();
        post["operationId"] = json!(format!("on{}", pascal(kind)));
        ((*kind).to_owned(), json!({ "post": post }))
    };
    Value::Object(EventType::ALL.iter().map(webhook).collect())
}

pub fn empty() -> OpenApi {
    Document::openapi()
}

pub fn page<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let page = SwaggerUi::new("/docs").config(Config::new(["/api/openapi.json"]).validator_url("none"));
    Router::from(page).layer(from_fn(as_a_page))
}

/// Serves the OpenAPI document of this service. Calls `base` for the first request, and adds what depends on the
/// settings and the content schema to its result.
pub fn document(base: fn() -> &'static Value) -> MethodRouter<App> {
    let text: Arc<OnceLock<Bytes>> = Arc::default();
    get(move |State(app): State<App>| {
        let text = text.get_or_init(|| document_of(base().clone(), &app).into()).clone();
        std::future::ready(([("content-type", "application/json"), ("cache-control", "no-cache")], text))
    })
}

fn document_of(mut document: Value, app: &App) -> String {
    let url = app.http.public_url.as_deref().unwrap_or("/");
    document["servers"] = json!([{"url": url, "description": "This service"}]);
    let schema = app.schema.document();
    // The examples contain content for the built-in schema, so they would be invalid with another schema.
    if serde_json::from_str::<Value>(BUILT_IN).is_ok_and(|built_in| built_in == *schema) {
        operations::add_examples(&mut document);
    }
    format!("{:#}", content::with_content(document, schema))
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
