//! All routes of the service, one line each.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter};

use super::admit::{Operations, handle};
use super::error::ApiError;
use super::error_code::ErrorCode;
use super::{
    audit, auth, docs, events, headers, health, investigation, lesson_page, link, mcp, me, metrics, observe, page,
    people, session, sign_in, trash,
};
use crate::admission::Class;
use crate::app::App;

const GET: MethodFilter = MethodFilter::GET;
const HEAD: MethodFilter = MethodFilter::HEAD;
const POST: MethodFilter = MethodFilter::POST;
const PATCH: MethodFilter = MethodFilter::PATCH;
const DELETE: MethodFilter = MethodFilter::DELETE;

const VISIT: Option<Class> = Some(Class::Visit);
const PAGE: Option<Class> = Some(Class::Page);
const SIGN_IN: Option<Class> = Some(Class::SignIn);
const METRICS: Option<Class> = Some(Class::Metrics);
const LIGHT: Option<Class> = Some(Class::Light);
const LIST: Option<Class> = Some(Class::List);
const HEAVY: Option<Class> = Some(Class::Heavy);
const DOCUMENT: Option<Class> = Some(Class::Document);
const PICTURE: Option<Class> = Some(Class::Picture);
const ASSISTANT: Option<Class> = Some(Class::Assistant);
/// Operations that need no permit, so that they are answered even under full load. They load nothing.
const ALWAYS: Option<Class> = None;

/// A path of the HTTP API with its operations, which `api/openapi.json` describes.
pub struct ApiPath {
    pub path: &'static str,
    /// The methods, each with the class of its requests.
    pub methods: Vec<(MethodFilter, Option<Class>)>,
    handlers: MethodRouter<App>,
}

impl ApiPath {
    fn on<H: Handler<T, App>, T: 'static>(mut self, method: (MethodFilter, Option<Class>), handler: H) -> Self {
        self.methods.push(method);
        self.handlers = self.handlers.on(method.0, handler);
        self
    }

    /// Returns the handlers, which get only requests that were admitted.
    fn admitted(self, app: &App) -> MethodRouter<App> {
        let operations = Operations { app: app.clone(), classes: self.methods.into() };
        self.handlers.route_layer(middleware::from_fn_with_state(operations, handle))
    }
}

fn at(path: &'static str) -> ApiPath {
    ApiPath { path, methods: Vec::new(), handlers: MethodRouter::new() }
}

pub fn api_paths() -> Vec<ApiPath> {
    vec![
        at("/api/investigation")
            .on((POST, LIGHT), investigation::create::create)
            .on((GET, LIST), investigation::list::list),
        at("/api/investigation/format").on((GET, LIGHT), investigation::format::format),
        at("/api/investigation/split").on((POST, DOCUMENT), investigation::split::split),
        at("/api/investigation/{id}")
            .on((GET, LIGHT), investigation::get::get)
            .on((PATCH, LIGHT), investigation::update::update)
            .on((DELETE, LIGHT), investigation::delete::delete),
        at("/api/investigation/{id}/clone").on((POST, HEAVY), investigation::clone::clone),
        at("/api/investigation/{id}/history/{fieldPath}").on((GET, HEAVY), investigation::history::history),
        at("/api/investigation/{id}/versions").on((GET, HEAVY), investigation::versions::versions),
        at("/api/investigation/{id}/versions/{version}")
            .on((GET, HEAVY), investigation::version::version)
            .on((PATCH, LIGHT), investigation::name_version::name_version),
        at("/api/investigation/{id}/versions/{version}/restore").on((POST, HEAVY), investigation::restore::restore),
        at("/api/investigation/{id}/sheet").on((GET, HEAVY), investigation::sheet::sheet),
        at("/api/investigation/{id}/undelete").on((POST, HEAVY), investigation::undelete::undelete),
        at("/api/investigation/{id}/undo").on((POST, LIGHT), investigation::undo::undo),
        at("/api/investigation/{id}/redo").on((POST, LIGHT), investigation::redo::redo),
        at("/api/investigation/{id}/resolve-contradiction")
            .on((POST, ASSISTANT), investigation::resolve_contradiction::resolve_contradiction),
        at("/api/investigation/{id}/regenerate").on((POST, ASSISTANT), investigation::regenerate::regenerate),
        at("/api/investigation/{id}/dismissals").on((POST, LIGHT), investigation::dismiss::dismiss),
        at("/api/investigation/{id}/dismissals/{dismissalId}")
            .on((DELETE, LIGHT), investigation::remove_dismissal::remove_dismissal),
        at("/api/investigation/{id}/pictures").on((POST, PICTURE), investigation::add_picture::add_picture),
        at("/api/investigation/{id}/pictures/{pictureId}")
            .on((GET, LIST), investigation::picture::picture)
            .on((DELETE, LIGHT), investigation::remove_picture::remove_picture),
        at("/api/investigation/{id}/presence").on((POST, LIGHT), investigation::presence::presence),
        at("/api/investigation/{id}/chat")
            .on((GET, HEAVY), investigation::chat::chat)
            .on((POST, ASSISTANT), investigation::converse::converse),
        at("/api/link/investigation/{id}").on((POST, LIGHT), link::create::create).on((GET, LIST), link::list::list),
        at("/api/investigation/{id}/links").on((POST, LIGHT), link::create::create).on((GET, LIST), link::list::list),
        at("/api/link/{key}/{subLink}")
            .on((GET, VISIT), link::resolve::resolve)
            .on((HEAD, VISIT), link::resolve::head)
            .on((PATCH, LIGHT), link::change::change)
            .on((DELETE, LIGHT), link::delete::delete),
        at("/api/link").on((GET, LIST), link::own::own),
        at("/api/link/{key}/{subLink}/visits").on((GET, LIST), link::visits::visits),
        at("/api/link/{key}/{subLink}/qr.svg").on((GET, VISIT), link::qr::qr),
        at("/api/events").on((GET, LIGHT), events::events),
        at("/api/audit").on((GET, LIST), audit::audit),
        at("/api/me").on((GET, VISIT), me::me),
        at("/api/session").on((POST, VISIT), session::create::create).on((DELETE, VISIT), session::delete::delete),
        at("/api/people").on((GET, LIST), people::list::list).on((POST, LIGHT), people::invite::invite),
        at("/api/people/{id}").on((PATCH, LIGHT), people::change::change).on((DELETE, HEAVY), people::erase::erase),
        at("/api/people/{id}/link").on((POST, LIGHT), people::link::link),
        at("/api/people/{id}/reassign").on((POST, HEAVY), people::reassign::reassign),
        at("/api/trash").on((GET, LIST), trash::trash),
        at("/api/trash/{id}").on((DELETE, HEAVY), trash::purge),
        at("/health/live").on((GET, ALWAYS), health::live),
        at("/health/ready").on((GET, ALWAYS), health::ready),
        at("/metrics").on((GET, METRICS), metrics::metrics),
    ]
}

/// The paths of operations that `api/openapi.json` does not describe, such as the page of a link.
fn other_paths() -> [ApiPath; 6] {
    [
        at("/sign-in/provider").on((GET, SIGN_IN), sign_in::begin::begin),
        at("/sign-in/callback").on((GET, SIGN_IN), sign_in::finish::finish).on((HEAD, ALWAYS), sign_in::finish::head),
        at("/api/investigation/{id}/history").on((GET, LIGHT), investigation::history::without_field),
        lesson_sheet("/l/{key}/{subLink}"),
        lesson_sheet("/l/{key}/{subLink}/"),
        at("/l/{key}/{subLink}/{pictureId}").on((GET, PAGE), lesson_page::picture::picture),
    ]
}

fn lesson_sheet(path: &'static str) -> ApiPath {
    at(path)
        .on((GET, PAGE), lesson_page::open)
        .on((HEAD, VISIT), lesson_page::head)
        .on((POST, VISIT), lesson_page::press)
}

fn routes(app: &App) -> Router<App> {
    let mut routes = Router::new();
    for path in api_paths().into_iter().chain(other_paths()) {
        routes = routes.route(path.path, path.admitted(app));
    }
    let files = Router::new().route("/api/openapi.json", docs::document()).merge(docs::page()).merge(page::routes());
    let operations = Operations { app: app.clone(), classes: Arc::new([]) };
    routes.merge(files.route_layer(middleware::from_fn_with_state(operations, handle)))
}

/// Returns the router of the whole service. The server must pass each request through `blank_segments` first.
pub fn router(app: App) -> Router {
    let answered = |routes: Router<App>| routes.fallback(no_such_route).method_not_allowed_fallback(no_such_method);
    let routes = routes(&app);
    // MCP tools send requests to `operations`, which is without `observe`. So only the request to `/mcp` is logged and
    // counted.
    let operations = answered(routes.clone()).with_state(app.clone());
    let mcp = ApiPath { path: auth::MCP, methods: vec![(POST, HEAVY)], handlers: mcp::route(operations) };
    let routes = answered(routes.route(auth::MCP, mcp.admitted(&app)));
    let routes = match headers::cross_origin(&app.http) {
        Some(cross_origin) => routes.layer(cross_origin),
        None => routes,
    };
    // `observe` does the work of several layers in one layer, because each layer allocates memory for each request.
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

async fn no_such_route(request: Request) -> Response {
    if request.uri().path() == "/l" || request.uri().path().starts_with("/l/") {
        return lesson_page::not_found_page();
    }
    let error = ApiError::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found").with_reason(format!(
        "{} {} does not exist; see /docs",
        request.method(),
        requested_path(&request)
    ));
    error.into_response()
}

async fn no_such_method(request: Request) -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed, "Method not allowed")
        .with_reason(format!("{} does not support {}; see /docs", requested_path(&request), request.method()))
}
