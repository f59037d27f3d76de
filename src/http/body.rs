//! Request bodies. Their size is limited. Duplicate keys and numbers that would be rounded are errors.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::framing;
use crate::admission::{self, Permit, WAIT};
use crate::app::App;
use crate::domain::json;
use crate::domain::size::MAX_STORED;
use crate::limits::Actor;

pub struct JsonObject(pub Map<String, Value>);

/// A request body that is a JSON object, as text.
pub struct JsonText(ReceivedBody);

/// A request body with changes, which is read as a JSON Merge Patch. Its content type is `application/json` or
/// `application/merge-patch+json`.
pub struct MergePatch(pub Map<String, Value>);

/// The field in a body such as `{"fieldName": "steps"}`. An operation resolves its contradictions, or makes the other
/// fields agree with it.
pub struct FieldName(pub String);

/// The message to the assistant in a body such as `{"content": "Make it shorter"}`.
pub struct MessageBody(pub String);

/// The mark U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes of a body for which room is reserved at once.
const ROOM: u32 = 16 * 1024;

const MAX_CHAT_MESSAGE: usize = 16 * 1024;

impl FromRequest<App> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        object(request, app, &["application/json"]).await.map(Self)
    }
}

impl FromRequest<App> for JsonText {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let body = read(request).await?;
        body.parse(app, &["application/json"]).await?;
        Ok(Self(body))
    }
}

impl JsonText {
    /// Returns the text, in UTF-8. Does not copy it.
    pub fn bytes(&self) -> Bytes {
        self.0.bytes.clone()
    }
}

impl FromRequest<App> for MergePatch {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        object(request, app, &["application/json", "application/merge-patch+json"]).await.map(Self)
    }
}

impl FromRequest<App> for FieldName {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let missing = || ApiError::missing("Field name is required", ErrorCode::FieldNameRequired);
        let arrived = read(request).await?;
        if arrived.bytes.is_empty() {
            return Err(missing());
        }
        match arrived.parse(app, &["application/json"]).await?.get("fieldName") {
            None | Some(Value::Null) => Err(missing()),
            Some(Value::String(name)) if name.trim().is_empty() => Err(missing()),
            Some(Value::String(name)) => Ok(Self(name.clone())),
            Some(_) => Err(ApiError::invalid_at("fieldName", "must be a string")),
        }
    }
}

impl FromRequest<App> for MessageBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let fault = match object(request, app, &["application/json"]).await?.remove("content") {
            Some(Value::String(said)) if said.trim().is_empty() => "must not be blank",
            Some(Value::String(said)) if said.len() <= MAX_CHAT_MESSAGE => return Ok(Self(said)),
            Some(Value::String(_)) => "must have at most 16384 bytes",
            Some(_) => "must be a string",
            None => "is required",
        };
        Err(ApiError::invalid_at("content", fault))
    }
}

struct ReceivedBody {
    headers: HeaderMap,
    bytes: Bytes,
}

impl ReceivedBody {
    async fn parse(&self, app: &App, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
        let core = timeout(WAIT, app.admission.core(admission::actor(), self.bytes.len())).await;
        core.map_err(|_| ApiError::busy(None))?.run(|| parse(&self.headers, &self.bytes, types))
    }
}

async fn object(request: Request, app: &App, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    read(request).await?.parse(app, types).await
}

/// Takes the body of a request that was admitted, so all of it has arrived.
async fn read(request: Request) -> Result<ReceivedBody, ApiError> {
    let (parts, body) = request.into_parts();
    let mut bytes = to_bytes(body, MAX_STORED).await.map_err(|_| too_large(MAX_STORED))?;
    // RFC 8259, section 8.1, allows to ignore the mark, which some editors and programs of Windows add.
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes = bytes.slice(BYTE_ORDER_MARK.len()..);
    }
    Ok(ReceivedBody { headers: parts.headers, bytes })
}

fn too_large(limit: usize) -> ApiError {
    ApiError::too_large(format!("The body has more than {limit} bytes"))
}

/// A body in memory, with the room that it takes.
pub struct Received {
    pub bytes: Bytes,
    _room: Vec<Permit>,
}

/// Receives the body of a request that may have one, of at most `limit` bytes. Reserves room for it as it arrives.
pub async fn receive(
    parts: &Parts,
    mut body: Body,
    app: &App,
    actor: Actor,
    limit: usize,
) -> Result<Received, ApiError> {
    let (mut bytes, mut room) = (Vec::new(), Vec::new());
    if parts.method != Method::POST && parts.method != Method::PATCH {
        return Ok(Received { bytes: bytes.into(), _room: room });
    }
    let announced: Option<usize> =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| framing::failed(error.into_inner()))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > limit {
            return Err(too_large(limit));
        }
        while room.len() * (ROOM as usize) < bytes.len() + data.len() {
            let more = timeout(WAIT, app.admission.bodies.take(actor, ROOM)).await;
            room.push(more.map_err(|_| ApiError::busy(None))?);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Received { bytes: bytes.into(), _room: room })
}

fn parse(headers: &HeaderMap, bytes: &[u8], types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(unsupported("Send the body without a Content-Encoding"));
    }
    if !has_type(headers, types) {
        return Err(unsupported(format!("Send the header Content-Type: {}", types.join(" or "))));
    }
    match json::parse(bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(ApiError::invalid_at("", "must be a JSON object")),
        Err(refusal) => Err(ApiError::invalid_at(refusal.path.to_string(), refusal.problem.to_string())),
    }
}

fn unsupported(reason: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::UnsupportedMediaType, "Unsupported media type")
        .with_reason(reason)
}

/// Returns true if the content type is one of `types`. A `charset` must be UTF-8. Other parameters are ignored.
fn has_type(headers: &HeaderMap, types: &[&str]) -> bool {
    let Some(given) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let mut parts = given.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset_fits = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    charset_fits && types.iter().any(|known| essence.eq_ignore_ascii_case(known))
}
