//! Request bodies. Their size is limited. Duplicate keys and numbers that would be rounded are errors.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use fieldbook_reader::Source;
use http_body_util::BodyExt;
use serde_json::{Map, Value};

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::{client_address, framing};
use crate::app::{App, BODY_BYTES};
use crate::authoring::Failure;
use crate::domain::json;
use crate::domain::size::MAX_STORED;
use crate::limits::Actor;
use crate::shares::Share;

pub struct JsonObject(pub Map<String, Value>);

/// A request body that is a JSON object, as text. Keeps the memory for the text reserved.
pub struct JsonText(ReceivedBody);

/// A request body with changes, which is read as a JSON Merge Patch. Its content type is `application/json` or
/// `application/merge-patch+json`.
pub struct MergePatch(pub Map<String, Value>);

/// The field in a body such as `{"fieldName": "steps"}`. An operation resolves its contradictions, or makes the other
/// fields agree with it.
pub struct FieldName(pub String);

/// The message to the assistant in a body such as `{"content": "Make it shorter"}`.
pub struct MessageBody(pub String);

/// A document: the text or HTML in a body such as `{"text": "…"}`, or a file with its media type.
pub struct DocumentBody {
    given: GivenDocument,
    body: ReceivedBody,
}

enum GivenDocument {
    Text(String),
    Html(String),
    File { media_type: String },
}

/// The mark U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
        let body = read(request, app, MAX_STORED).await?;
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
        let arrived = read(request, app, MAX_STORED).await?;
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
        let body = read(request, app, fieldbook_reader::MAX_BYTES).await?;
        let media_type = body.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let given = match media_type {
            Some(media_type) if !has_type(&body.headers, &["application/json"]) => {
                check_encoding(&body.headers)?;
                GivenDocument::File { media_type: media_type.to_owned() }
            }
            _ => {
                let members = body.parse(app, &["application/json"]).await?;
                let fault =
                    || ApiError::invalid_at("", "must have one member: text or html, a string that is not blank");
                let mut members = members.into_iter();
                match (members.next(), members.next()) {
                    (Some((name, Value::String(text))), None) if !text.trim().is_empty() => match name.as_str() {
                        "text" => GivenDocument::Text(text),
                        "html" => GivenDocument::Html(text),
                        _ => return Err(fault()),
                    },
                    _ => return Err(fault()),
                }
            }
        };
        Ok(Self { given, body })
    }
}

impl DocumentBody {
    pub fn source(&self) -> Source<'_> {
        match &self.given {
            GivenDocument::Text(text) => Source::Text(text),
            GivenDocument::Html(html) => Source::Html(html),
            GivenDocument::File { media_type } => Source::File { media_type, bytes: &self.body.bytes },
        }
    }
}

struct ReceivedBody {
    actor: Actor,
    headers: HeaderMap,
    bytes: Bytes,
    _room: Vec<Share>,
}

impl ReceivedBody {
    async fn parse(&self, app: &App, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
        app.capacity.compute(self.actor, self.bytes.len(), || parse(&self.headers, &self.bytes, types)).await
    }
}

async fn object(request: Request, app: &App, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    read(request, app, MAX_STORED).await?.parse(app, types).await
}

/// Reads a body of at most `most` bytes. Reserves memory for each part of the body when the part arrives.
async fn read(request: Request, app: &App, most: usize) -> Result<ReceivedBody, ApiError> {
    let (parts, mut body) = request.into_parts();
    let too_large = || ApiError::too_large(format!("The body has more than {most} bytes"));
    let announced: Option<usize> =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let no_room = |refused| Failure::no_room(refused, "bytes of requests", BODY_BYTES);
    let actor = client_address::actor(&parts, app);
    let (mut bytes, mut room) = (Vec::new(), Vec::new());
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| framing::failed(error.into_inner()))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(too_large());
        }
        room.push(app.capacity.body(actor, data.len()).map_err(no_room)?);
        bytes.extend_from_slice(&data);
    }
    // RFC 8259, section 8.1, allows to ignore the mark, which some editors and programs of Windows add.
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(ReceivedBody { actor, headers: parts.headers, bytes: bytes.into(), _room: room })
}

fn parse(headers: &HeaderMap, bytes: &[u8], types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    check_encoding(headers)?;
    if !has_type(headers, types) {
        return Err(ApiError::unsupported(format!("Send the header Content-Type: {}", types.join(" or "))));
    }
    match json::parse(bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(ApiError::invalid_at("", "must be a JSON object")),
        Err(refusal) => Err(ApiError::invalid_at(refusal.path.to_string(), refusal.problem.to_string())),
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
