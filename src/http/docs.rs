//! The OpenAPI document, which is generated from the code, and a documentation page that loads nothing from other
//! hosts.

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::get;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    OpenApi, RefOr, Response, ResponseBuilder,
    content::ContentBuilder,
    path::{Operation, Parameter},
};
use utoipa::{Modify, OpenApi as _};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::error::{ApiError, ErrorBody};
use super::idempotency;
use crate::domain::event_view::EventView;
use crate::domain::status::Status;

/// The OpenAPI document without operations. The router adds the operations.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Fieldbook", description = "Investigations, their history and contradictions, and links to them.",
         license(name = "MIT", identifier = "MIT")),
    components(schemas(ErrorBody, EventView)),
    modifiers(&Bearer),
    tags((name = "investigation", description = "Investigations: content, history, contradictions"),
         (name = "link", description = "Short links with exact visit counts"),
         (name = "events", description = "What happens to investigations, as it happens"),
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

/// Completes the document with everything that the operations have in common.
pub fn complete(mut document: OpenApi) -> OpenApi {
    for item in document.paths.paths.values_mut() {
        let reading = [&mut item.get, &mut item.head].map(|operation| (operation, false));
        let changing = [&mut item.delete, &mut item.post, &mut item.patch].map(|operation| (operation, true));
        for (operation, changes) in reading.into_iter().chain(changing) {
            if let Some(operation) = operation {
                describe_parameters(operation);
                add_refusals(operation, changes);
            }
        }
    }
    document
}

/// Returns the document without operations.
pub fn empty() -> OpenApi {
    Document::openapi()
}

/// Adds a schema to each parameter. Parameters of the same name have the same schema in all operations.
fn describe_parameters(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && let Some(schema) = schema_of(&parameter.name)
        {
            parameter.schema = Some(RefOr::T(schema.into()));
        }
    }
}

fn schema_of(name: &str) -> Option<Object> {
    let text = || ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
    let choice = |names: Vec<&str>| text().enum_values(Some(names));
    Some(
        match name {
            "id" | "dismissalId" | "investigation" => text().pattern(Some("^[0-9A-Fa-f]{24}$")),
            "author" => text().pattern(Some("^([0-9A-Fa-f]{24}|\\s*)$")),
            "after" | "Last-Event-ID" => text().pattern(Some("^(0|evt_[0-9a-f]{1,15}_[0-9a-f]{1,15}_[0-9a-f]{1,15})$")),
            "key" | "subLink" => text().pattern(Some("^[A-Za-z0-9_-]{1,64}$")),
            idempotency::NAME => text().pattern(Some("^[!-~]{1,255}$")),
            "If-Match" => text().pattern(Some("^(\\*|\"[0-9]+\")$")),
            "sortBy" => choice(vec!["createdAt", "updatedAt", "title", "grade", "curriculum", "status"]),
            "sortOrder" => choice(vec!["asc", "desc"]),
            "groupBy" => choice(vec!["curriculum", "none"]),
            "status" => choice(Status::ALL.map(Status::name).to_vec()),
            _ => return None,
        }
        .build(),
    )
}

/// Adds the error responses that operations have in common. `changes` is true if the operation changes something.
fn add_refusals(operation: &mut Operation, changes: bool) {
    if operation.tags.iter().flatten().any(|tag| tag == "health") {
        return;
    }
    let takes = |name: &str| {
        let is_it = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(p) if p.name == name);
        operation.parameters.iter().flatten().any(is_it)
    };
    let has_body = operation.request_body.is_some();
    let refusals = [
        ("400", true, "The form of the request was broken"),
        ("401", operation.security.is_some(), "No valid token"),
        (
            "403",
            operation.security.is_some() && changes,
            "The caller's role changes nothing, or the investigation is somebody else's",
        ),
        ("404", takes("id"), "Not found; a 500 if `error-statuses` selects the statuses of the contract"),
        ("408", has_body, "The body took too long to arrive"),
        ("409", takes(idempotency::NAME), "The Idempotency-Key belongs to another request"),
        (
            "409",
            takes("If-Match"),
            "Cannot be done now; with the statuses of the contract (`error-statuses`) this is a 500",
        ),
        ("412", takes("If-Match"), "The investigation has another revision"),
        ("413", has_body, "Too large"),
        ("415", has_body, "Not JSON"),
        ("429", true, "The caller has too much under way; Retry-After says when to come back"),
        ("500", true, "The operation failed"),
        ("503", true, "The service is busy, or its store away; `error` says whether something may have been changed"),
    ];
    for (status, _, description) in refusals.into_iter().filter(|(_, applies, _)| *applies) {
        let responses = &mut operation.responses.responses;
        responses.entry(status.to_owned()).or_insert_with(|| RefOr::T(refusal(description)));
    }
}

fn refusal(description: &str) -> Response {
    let schema = utoipa::openapi::Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

/// Serves the document and the documentation page.
pub fn routes<S: Clone + Send + Sync + 'static>(document: &OpenApi) -> Router<S> {
    let text = document.to_pretty_json().unwrap_or_default();
    let shown = [("content-type", "application/json"), ("cache-control", "no-cache")];
    let json = move || std::future::ready((shown, text.clone()));
    let page = SwaggerUi::new("/docs").config(Config::new(["/api/openapi.json"]).validator_url("none"));
    let page = Router::from(page).layer(map_response(as_a_page));
    Router::new().route("/api/openapi.json", get(json)).merge(page)
}

/// Content security policy of the documentation page: the page may load its own scripts and pictures, and call this
/// service.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sets the headers of the documentation page. A 404 from the page's library has no body, so this function replaces it
/// with the usual error envelope.
async fn as_a_page(mut response: HttpResponse) -> HttpResponse {
    if response.status() == StatusCode::NOT_FOUND {
        return ApiError::new(StatusCode::NOT_FOUND, "route_not_found", "Not found").into_response();
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
