//! The OpenAPI document, made from the code, and its reading page, which needs no other host.

use axum::Router;
use axum::routing::get;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi, RefOr, Response, ResponseBuilder, content::ContentBuilder, path::Operation};
use utoipa::{Modify, OpenApi as _};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::error::ErrorBody;

/// What the operations of the router are added to.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Fieldbook", description = "Investigations, their history and contradictions, and links to them.",
         license(name = "MIT", identifier = "MIT")),
    components(schemas(ErrorBody)),
    modifiers(&Bearer),
    tags((name = "investigation", description = "Investigations: content, history, contradictions"),
         (name = "link", description = "Short links with exact visit counts"),
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

/// The OpenAPI document of the whole service.
pub fn document() -> OpenApi {
    let (_, mut document) = super::router::operations().split_for_parts();
    add_refusals(&mut document);
    document
}

/// An empty document to add operations to.
pub fn empty() -> OpenApi {
    Document::openapi()
}

/// What any operation may be refused with, said once here rather than by each.
fn add_refusals(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        let operations = [
            (&mut item.get, false),
            (&mut item.delete, false),
            (&mut item.post, true),
            (&mut item.patch, true),
            (&mut item.head, false),
        ];
        for (operation, writes) in operations {
            if let Some(operation) = operation.as_mut().filter(|o| o.tags.as_ref().is_none_or(|t| t[0] != "health")) {
                refusals_of(operation, writes);
            }
        }
    }
}

fn refusals_of(operation: &mut Operation, writes: bool) {
    let mut add = |status: &str, description: &str| {
        let known = operation.responses.responses.contains_key(status);
        if !known {
            operation.responses.responses.insert(status.to_owned(), RefOr::T(refusal(description)));
        }
    };
    add("400", "The form of the request was broken");
    if operation.security.is_some() {
        add("401", "No valid token");
    }
    if writes {
        add("412", "The investigation has another revision");
        add("413", "Too large");
        add("415", "Not JSON");
    }
    add("500", "The operation failed");
    add("503", "The service is busy; nothing was changed");
}

fn refusal(description: &str) -> Response {
    let schema = utoipa::openapi::Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

/// Serves the document and the page.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let text = document().to_pretty_json().unwrap_or_default();
    let json = move || std::future::ready(([("content-type", "application/json")], text.clone()));
    let page = SwaggerUi::new("/docs").config(Config::new(["/api/openapi.json"]).validator_url("none"));
    Router::new().route("/api/openapi.json", get(json)).merge(page)
}
