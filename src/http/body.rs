//! Request bodies: read within a size, as JSON that keeps everything the author wrote, or refused by name.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Map, Value};

use super::error::ApiError;
use super::framing;
use crate::app::App;
use crate::domain::json::{self, MAX_BYTES};

/// A JSON object.
pub struct JsonObject(pub Map<String, Value>);

/// A JSON object that says what to change: plain JSON or a merge patch, which is read the same.
pub struct MergePatch(pub Map<String, Value>);

/// The body `{ fieldName }` of the assistant's operations.
pub struct FieldName(pub String);

/// The body `{ content }` of a turn of conversation.
pub struct Said(pub String);

/// What a person says at once has at most so many bytes: a page or several, and no book.
const MAX_SAID: usize = 16 * 1024;

impl FromRequest<App> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        object(request, &["application/json"]).await.map(Self)
    }
}

impl FromRequest<App> for MergePatch {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        object(request, &["application/json", "application/merge-patch+json"]).await.map(Self)
    }
}

impl FromRequest<App> for FieldName {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let missing = || ApiError::missing("Field name is required", "field_name_required");
        let (headers, bytes) = read(request).await?;
        if bytes.is_empty() {
            return Err(missing());
        }
        match parse(&headers, &bytes, &["application/json"])?.get("fieldName") {
            None | Some(Value::Null) => Err(missing()),
            Some(Value::String(name)) if name.trim().is_empty() => Err(missing()),
            Some(Value::String(name)) => Ok(Self(name.clone())),
            Some(_) => Err(ApiError::invalid_at("fieldName", "must be a string")),
        }
    }
}

impl FromRequest<App> for Said {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let fault = match object(request, &["application/json"]).await?.remove("content") {
            Some(Value::String(said)) if said.trim().is_empty() => "must not be blank",
            Some(Value::String(said)) if said.len() <= MAX_SAID => return Ok(Self(said)),
            Some(Value::String(_)) => "must have at most 16384 bytes",
            Some(_) => "must be a string",
            None => "is required",
        };
        Err(ApiError::invalid_at("content", fault))
    }
}

async fn object(request: Request, types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    let (headers, bytes) = read(request).await?;
    parse(&headers, &bytes, types)
}

async fn read(request: Request) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let (parts, body) = request.into_parts();
    let announced: Option<usize> =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let bytes = match announced {
        Some(length) if length > MAX_BYTES => None,
        _ => collect(body).await.map_err(|error| framing::failed(error.into_inner()))?,
    };
    let bytes = bytes.ok_or_else(|| ApiError::too_large(format!("The body has more than {MAX_BYTES} bytes")))?;
    Ok((parts.headers, bytes))
}

/// The bytes of a body; `None` once there are too many.
async fn collect(mut body: Body) -> Result<Option<Vec<u8>>, axum::Error> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        if bytes.len() + data.len() > MAX_BYTES {
            return Ok(None);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Some(bytes))
}

fn parse(headers: &HeaderMap, bytes: &[u8], types: &[&str]) -> Result<Map<String, Value>, ApiError> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "Unsupported media type",
        )
        .because("Send the body without a Content-Encoding"));
    }
    if !has_type(headers, types) {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "Unsupported media type",
        )
        .because(format!("Send the header Content-Type: {}", types.join(" or "))));
    }
    match json::parse(bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(ApiError::invalid_at("", "must be a JSON object")),
        Err(refusal) => Err(ApiError::invalid_at(refusal.path.to_string(), refusal.problem.to_string())),
    }
}

/// Whether the content type is one of `types`; its parameters do not matter, but a charset must be UTF-8.
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
