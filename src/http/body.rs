//! Request bodies. Their size is limited. Duplicate keys and numbers that would be rounded are errors.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use fieldbook_reader::Source;
use http_body_util::BodyExt;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::framing;
use super::headers::content_length;
use crate::admission::{self, Actor, Permit, WAIT};
use crate::app::App;
use crate::domain::json::{self, JsonErrorKind};
use crate::domain::size::MAX_STORED;

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

/// A picture file. The type is detected from the bytes, not from the `Content-Type`; other files are refused.
pub struct PictureBody(pub Bytes);

/// A document: the text or HTML in a body such as `{"text": "…"}`, or a file with its media type.
pub struct DocumentBody {
    given: GivenDocument,
    body: ReceivedBody,
}

enum GivenDocument {
    Text(GivenText),
    File { media_type: String },
}

/// A document in a JSON body. The body is deserialized directly into this type. A generic JSON value would take many
/// times its size.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GivenText {
    Text(String),
    Html(String),
}

/// The mark U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Memory for a body is reserved in steps of this number of bytes.
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
        let body = read(request, MAX_STORED).await?;
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
        let arrived = read(request, MAX_STORED).await?;
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

impl FromRequest<App> for DocumentBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let body = read(request, fieldbook_reader::MAX_BYTES).await?;
        let media_type = body.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let given = match media_type {
            Some(media_type) if !has_type(&body.headers, &["application/json"]) => {
                check_encoding(&body.headers)?;
                GivenDocument::File { media_type: media_type.to_owned() }
            }
            _ => GivenDocument::Text(body.on_core(app, || text(&body.headers, &body.bytes)).await?),
        };
        Ok(Self { given, body })
    }
}

impl FromRequest<App> for PictureBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        check_encoding(&parts.headers)?;
        let most = fieldbook_pictures::MAX_BYTES;
        to_bytes(body, most).await.map(Self).map_err(|_| too_large(most))
    }
}

impl DocumentBody {
    pub fn source(&self) -> Source<'_> {
        match &self.given {
            GivenDocument::Text(GivenText::Text(text)) => Source::Text(text),
            GivenDocument::Text(GivenText::Html(html)) => Source::Html(html),
            GivenDocument::File { media_type } => Source::File { media_type, bytes: &self.body.bytes },
        }
    }
}

struct ReceivedBody {
    headers: HeaderMap,
    bytes: Bytes,
}

impl ReceivedBody {
    async fn parse(&self, app: &App, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
        self.on_core(app, || parse(&self.headers, &self.bytes, types)).await
    }

    /// Waits until the caller may use a CPU core, and runs work on the body.
    async fn on_core<T>(&self, app: &App, work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
        let core = timeout(WAIT, app.admission.core(admission::actor(), self.bytes.len())).await;
        core.map_err(|_| ApiError::busy(None))?.run(work)
    }
}

async fn object(request: Request, app: &App, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    read(request, MAX_STORED).await?.parse(app, types).await
}

/// Takes the body of a request that was admitted, so all of it has arrived. It has at most `most` bytes.
async fn read(request: Request, most: usize) -> Result<ReceivedBody, ApiError> {
    let (parts, body) = request.into_parts();
    let mut bytes = to_bytes(body, most).await.map_err(|_| too_large(most))?;
    // Some editors and Windows programs add a byte order mark. RFC 8259, section 8.1, allows parsers to ignore it.
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes = bytes.slice(BYTE_ORDER_MARK.len()..);
    }
    Ok(ReceivedBody { headers: parts.headers, bytes })
}

fn too_large(most: usize) -> ApiError {
    ApiError::too_large(format!("The body has more than {most} bytes"))
}

/// A body in memory, with its memory reservation.
pub struct Received {
    pub bytes: Bytes,
    _room: Vec<Permit>,
}

/// Receives the body of a request that may have one, of at most `most` bytes. Reserves memory as it arrives.
pub async fn receive(
    parts: &Parts,
    mut body: Body,
    app: &App,
    actor: Actor,
    most: usize,
) -> Result<Received, ApiError> {
    let (mut bytes, mut room) = (Vec::new(), Vec::new());
    if parts.method != Method::POST && parts.method != Method::PATCH {
        return Ok(Received { bytes: bytes.into(), _room: room });
    }
    if content_length(&parts.headers).is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| framing::failed(error.into_inner()))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(too_large(most));
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
    check_type(headers, types)?;
    match json::parse(bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(ApiError::invalid_at("", "must be a JSON object")),
        Err(error) => Err(ApiError::invalid_at(error.path.to_string(), error.kind.to_string())),
    }
}

fn text(headers: &HeaderMap, bytes: &[u8]) -> Result<GivenText, ApiError> {
    check_type(headers, &["application/json"])?;
    let raw: &RawValue = serde_json::from_slice(bytes)
        .map_err(|error| ApiError::invalid_at("", JsonErrorKind::Syntax(error.to_string()).to_string()))?;
    match serde_json::from_str(raw.get()) {
        Ok(GivenText::Text(text) | GivenText::Html(text)) if text.trim().is_empty() => Err(no_text()),
        Ok(given) => Ok(given),
        Err(_) => Err(no_text()),
    }
}

fn no_text() -> ApiError {
    ApiError::invalid_at("", "must have one member: text or html, a string that is not blank")
}

fn check_type(headers: &HeaderMap, types: &[&str]) -> Result<(), ApiError> {
    check_encoding(headers)?;
    match has_type(headers, types) {
        true => Ok(()),
        false => Err(ApiError::unsupported(format!("Send the header Content-Type: {}", types.join(" or ")))),
    }
}

fn check_encoding(headers: &HeaderMap) -> Result<(), ApiError> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    match encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        true => Err(ApiError::unsupported("Send the body without a Content-Encoding")),
        false => Ok(()),
    }
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
