//! All routes of the service, one line each.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::routing::get;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::{
    audit, docs, events, headers, health, investigation, lesson_page, link, mcp, metrics, observe, page, panic, trash,
};
use crate::app::App;

pub fn operations() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(docs::empty())
        .routes(routes!(investigation::create::create, investigation::list::list))
        .routes(routes!(investigation::format::format))
        .routes(routes!(investigation::split::split))
        .routes(routes!(investigation::get::get, investigation::update::update, investigation::delete::delete))
        .routes(routes!(investigation::clone::clone))
        .routes(routes!(investigation::history::history))
        .routes(routes!(investigation::versions::versions))
        .routes(routes!(investigation::version::version, investigation::name_version::name_version))
        .routes(routes!(investigation::restore::restore))
        .routes(routes!(investigation::undelete::undelete))
        .routes(routes!(investigation::undo::undo))
        .routes(routes!(investigation::redo::redo))
        .routes(routes!(investigation::resolve_contradiction::resolve_contradiction))
        .routes(routes!(investigation::regenerate::regenerate))
        .routes(routes!(investigation::dismiss::dismiss))
        .routes(routes!(investigation::remove_dismissal::remove_dismissal))
        .routes(routes!(investigation::presence::presence))
        .routes(routes!(investigation::chat::chat, investigation::converse::converse))
        .routes(routes!(link::create::create, link::list::list))
        .routes(routes!(link::create::create_alias, link::list::list_alias))
        .routes(routes!(link::resolve::resolve, link::resolve::head, link::change::change, link::delete::delete))
        .routes(routes!(link::own::own))
        .routes(routes!(link::visits::visits))
        .routes(routes!(link::qr::qr))
        .routes(routes!(events::events))
        .routes(routes!(audit::audit))
        .routes(routes!(trash::trash))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::metrics))
}

/// The routes that do not depend on the settings. They are built once per process, because documenting all operations
/// takes several milliseconds.
static ROUTES: LazyLock<Router<App>> = LazyLock::new(|| {
    Router::from(operations())
        .route("/api/investigation/{id}/history", get(investigation::history::without_field))
        .merge(docs::page())
        .merge(page::routes())
        .merge(lesson_page::routes())
});

/// The OpenAPI document. It is built when somebody asks for it, because it takes several MiB.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| docs::complete(operations().into_openapi()));

/// Returns the OpenAPI document, without the parts that depend on the settings or the content schema.
pub fn openapi() -> &'static Value {
    &DOCUMENT
}

/// Returns the router of the whole service. The server must pass each request through `blank_segments` first.
pub fn router(app: App) -> Router {
    let answered = |routes: Router<App>| {
        routes
            .fallback(no_such_route)
            .method_not_allowed_fallback(no_such_method)
            .layer(middleware::from_fn_with_state(app.http.error_statuses, panic::catch))
    };
    let routes = ROUTES.clone().route("/api/openapi.json", docs::document(openapi));
    // MCP tools send requests to `operations`, which lacks `observe`: only the request to `/mcp` is logged and counted.
    let operations = answered(routes.clone()).with_state(app.clone());
    let routes = answered(routes.route("/mcp", mcp::route(operations)));
    let routes = match headers::cross_origin(&app.http) {
        Some(cross_origin) => routes.layer(cross_origin),
        None => routes,
    };
    // `observe` is one layer with several tasks, because each layer allocates for each request.
    routes.layer(middleware::from_fn_with_state(app.clone(), observe::observe)).with_state(app)
}

/// Replaces each empty path segment with a blank. So a request with an empty id reaches its operation, which reports
/// that the id is missing.
pub fn blank_segments<B>(mut request: axum::http::Request<B>) -> axum::http::Request<B> {
    let path = request.uri().path();
    if path.starts_with("/api/") && (path.ends_with('/') || path.contains("//")) {
        let filled: Vec<&str> = path[1..].split('/').map(|s| if s.is_empty() { "%20" } else { s }).collect();
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        if let Ok(uri) = format!("/{}{query}", filled.join("/")).parse::<Uri>() {
            let asked = std::mem::replace(request.uri_mut(), uri);
            request.extensions_mut().insert(RequestedUri(asked));
        }
    }
    request
}

/// The URI as the client sent it, before [`blank_segments`] changed it.
#[derive(Clone)]
struct RequestedUri(Uri);

fn requested_path(request: &Request) -> &str {
    request.extensions().get::<RequestedUri>().map_or(request.uri(), |RequestedUri(uri)| uri).path()
}

async fn no_such_route(request: Request) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found").with_reason(format!(
        "{} {} does not exist; see /docs",
        request.method(),
        requested_path(&request)
    ))
}

async fn no_such_method(request: Request) -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed, "Method not allowed")
        .with_reason(format!("{} does not support {}; see /docs", requested_path(&request), request.method()))
}
