//! The route: receives a message, and gives it to the library.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{Method, Request, StatusCode, header};
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use http_body_util::Full;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use tracing::Span;

use super::call::ToolServer;
use crate::admission::Admitted;
use crate::app::App;
use crate::http::auth::Reads;
use crate::http::body::JsonText;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::telemetry::Work;

/// Maximum size, in bytes, of the text with which the MCP library rejects a message.
const MAX_REFUSAL: usize = 64 * 1024;

/// Returns the handler of `POST /mcp`. Tools send their requests to the router `operations`.
pub fn route(operations: Router) -> MethodRouter<App> {
    post(move |State(app): State<App>, Reads(caller): Reads, _: KnownOrigin, head: Parts, message: JsonText| {
        let (span, work, admitted) = (Span::current(), Work::current(), Admitted::current());
        let tools = ToolServer { app, operations: operations.clone(), actor: caller.actor, head, span, work, admitted };
        answer(tools, message)
    })
}

async fn answer(tools: ToolServer, message: JsonText) -> Result<Response, ApiError> {
    let mut request = Request::new(Full::new(message.bytes()));
    *request.method_mut() = Method::POST;
    request.headers_mut().clone_from(&tools.head.headers);
    // The library logs requests, and the log must not contain tokens.
    request.headers_mut().remove(header::AUTHORIZATION);
    request.headers_mut().remove(header::COOKIE);
    // The library's check of the host is off. It protects against DNS rebinding, which is harmless here, because
    // callers send tokens.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    let service =
        StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(NeverSessionManager::default()), config);
    let response = service.handle(request).await.map(Body::new);
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if response.status().is_success() || is_json {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, MAX_REFUSAL).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if parts.status.is_server_error() {
        tracing::error!(error.code = "internal_error", reason = %text, "could not answer an MCP message");
        return Err(ApiError::internal());
    }
    let invalid = |status| ApiError::new(status, ErrorCode::InvalidMessage, "Invalid message");
    Err(match parts.status {
        // The MCP library uses this status for a wrong content type and for a body that is not an MCP message. The
        // content type was checked before, so the body is the cause.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            invalid(StatusCode::BAD_REQUEST).with_reason("the body must be one JSON-RPC message of MCP")
        }
        status => invalid(status).with_reason(text),
    })
}

/// Extractor that refuses requests of web pages from origins that are not listed in the settings. MCP requires this
/// check, even for browsers that do not send `Sec-Fetch-Site`.
struct KnownOrigin;

impl FromRequestParts<App> for KnownOrigin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Some(origin) = parts.headers.get(header::ORIGIN) else { return Ok(Self) };
        let error = ApiError::new(StatusCode::FORBIDDEN, ErrorCode::UnknownOrigin, "Not allowed")
            .with_reason("pages of this origin may not call the service; see the setting cors-origins");
        if app.http.cors_origins.lists(origin.as_bytes()) { Ok(Self) } else { Err(error) }
    }
}
