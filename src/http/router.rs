//! All routes of the service, one line each.

use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::{StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, get};

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::{
    audit, auth, cross_site, docs, events, headers, health, investigation, lesson_page, link, mcp, me, metrics,
    observe, page, panic, people, session, trash,
};
use crate::app::App;

const GET: MethodFilter = MethodFilter::GET;
const HEAD: MethodFilter = MethodFilter::HEAD;
const POST: MethodFilter = MethodFilter::POST;
const PATCH: MethodFilter = MethodFilter::PATCH;
const DELETE: MethodFilter = MethodFilter::DELETE;

/// A path of the HTTP API with its operations, which `api/openapi.json` describes.
pub struct ApiPath {
    pub path: &'static str,
    pub methods: Vec<MethodFilter>,
    handlers: MethodRouter<App>,
}

impl ApiPath {
    fn on<H: Handler<T, App>, T: 'static>(mut self, method: MethodFilter, handler: H) -> Self {
        self.methods.push(method);
        self.handlers = self.handlers.on(method, handler);
        self
    }
}

fn at(path: &'static str) -> ApiPath {
    ApiPath { path, methods: Vec::new(), handlers: MethodRouter::new() }
}

pub fn api_paths() -> Vec<ApiPath> {
    vec![
        at("/api/investigation").on(POST, investigation::create::create).on(GET, investigation::list::list),
        at("/api/investigation/format").on(GET, investigation::format::format),
        at("/api/investigation/split").on(POST, investigation::split::split),
        at("/api/investigation/{id}")
            .on(GET, investigation::get::get)
            .on(PATCH, investigation::update::update)
            .on(DELETE, investigation::delete::delete),
        at("/api/investigation/{id}/clone").on(POST, investigation::clone::clone),
        at("/api/investigation/{id}/history/{fieldPath}").on(GET, investigation::history::history),
        at("/api/investigation/{id}/versions").on(GET, investigation::versions::versions),
        at("/api/investigation/{id}/versions/{version}")
            .on(GET, investigation::version::version)
            .on(PATCH, investigation::name_version::name_version),
        at("/api/investigation/{id}/versions/{version}/restore").on(POST, investigation::restore::restore),
        at("/api/investigation/{id}/undelete").on(POST, investigation::undelete::undelete),
        at("/api/investigation/{id}/undo").on(POST, investigation::undo::undo),
        at("/api/investigation/{id}/redo").on(POST, investigation::redo::redo),
        at("/api/investigation/{id}/resolve-contradiction")
            .on(POST, investigation::resolve_contradiction::resolve_contradiction),
        at("/api/investigation/{id}/regenerate").on(POST, investigation::regenerate::regenerate),
        at("/api/investigation/{id}/dismissals").on(POST, investigation::dismiss::dismiss),
        at("/api/investigation/{id}/dismissals/{dismissalId}")
            .on(DELETE, investigation::remove_dismissal::remove_dismissal),
        at("/api/investigation/{id}/presence").on(POST, investigation::presence::presence),
        at("/api/investigation/{id}/chat")
            .on(GET, investigation::chat::chat)
            .on(POST, investigation::converse::converse),
        at("/api/link/investigation/{id}").on(POST, link::create::create).on(GET, link::list::list),
        at("/api/investigation/{id}/links").on(POST, link::create::create).on(GET, link::list::list),
        at("/api/link/{key}/{subLink}")
            .on(GET, link::resolve::resolve)
            .on(HEAD, link::resolve::head)
            .on(PATCH, link::change::change)
            .on(DELETE, link::delete::delete),
        at("/api/link").on(GET, link::own::own),
        at("/api/link/{key}/{subLink}/visits").on(GET, link::visits::visits),
        at("/api/link/{key}/{subLink}/qr.svg").on(GET, link::qr::qr),
        at("/api/events").on(GET, events::events),
        at("/api/audit").on(GET, audit::audit),
        at("/api/me").on(GET, me::me),
        at("/api/session").on(POST, session::create::create).on(DELETE, session::delete::delete),
        at("/api/people").on(GET, people::list::list).on(POST, people::invite::invite),
        at("/api/people/{id}").on(PATCH, people::change::change).on(DELETE, people::erase::erase),
        at("/api/people/{id}/link").on(POST, people::link::link),
        at("/api/trash").on(GET, trash::trash),
        at("/api/trash/{id}").on(DELETE, trash::purge),
        at("/health/live").on(GET, health::live),
        at("/health/ready").on(GET, health::ready),
        at("/metrics").on(GET, metrics::metrics),
    ]
}

fn routes() -> Router<App> {
    let mut routes = Router::new();
    for ApiPath { path, handlers, .. } in api_paths() {
        routes = routes.route(path, handlers);
    }
    routes
        .route("/api/investigation/{id}/history", get(investigation::history::without_field))
        .route("/api/openapi.json", docs::document())
        .merge(docs::page())
        .merge(page::routes())
        .merge(lesson_page::routes())
}

/// Returns the router of the whole service. The server must pass each request through `blank_segments` first.
pub fn router(app: App) -> Router {
    let answered = |routes: Router<App>| {
        routes
            .fallback(no_such_route)
            .method_not_allowed_fallback(no_such_method)
            .layer(middleware::from_fn_with_state(app.clone(), run))
    };
    let routes = routes();
    // MCP tools send requests to `operations`, which lacks `observe`: only the request to `/mcp` is logged and counted.
    let operations = answered(routes.clone()).with_state(app.clone());
    let routes = answered(routes.route(auth::MCP, mcp::route(operations)));
    let routes = match headers::cross_origin(&app.http) {
        Some(cross_origin) => routes.layer(cross_origin),
        None => routes,
    };
    // `observe` is one layer with several tasks, because each layer allocates for each request.
    routes.layer(middleware::from_fn_with_state(app.clone(), observe::observe)).with_state(app)
}

/// Runs an operation, unless it is a change that another site sends.
async fn run(State(app): State<App>, request: Request, next: Next) -> Response {
    match cross_site::check(&app.http, &request) {
        Ok(()) => panic::catch(State(app.http.error_statuses), request, next).await,
        Err(refusal) => refusal.into_response(),
    }
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

async fn no_such_route(request: Request) -> Response {
    if request.uri().path() == "/l" || request.uri().path().starts_with("/l/") {
        return lesson_page::nowhere();
    }
    let refusal = ApiError::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found").with_reason(format!(
        "{} {} does not exist; see /docs",
        request.method(),
        requested_path(&request)
    ));
    refusal.into_response()
}

async fn no_such_method(request: Request) -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed, "Method not allowed")
        .with_reason(format!("{} does not support {}; see /docs", requested_path(&request), request.method()))
}
