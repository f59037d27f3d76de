//! `Prefer: respond-async` (RFC 7240): asks for a response as soon as the change is stored, before a language model
//! reads the content.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

use super::error::ApiError;
use crate::app::App;
use crate::authoring::RespondAfter;

pub const NAME: HeaderName = HeaderName::from_static("prefer");

pub const APPLIED: HeaderName = HeaderName::from_static("preference-applied");

const RESPOND_ASYNC: &str = "respond-async";

/// The header `Prefer`: with `respond-async`, the response does not wait until a language model has read the change.
#[derive(Debug, Clone, Copy)]
pub struct Prefer(pub RespondAfter);

impl FromRequestParts<App> for Prefer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let values = parts.headers.get_all(NAME).into_iter().filter_map(|value| value.to_str().ok());
        let is_asked = values.flat_map(|value| value.split(',')).any(|preference| {
            let name = preference.split([';', '=']).next().unwrap_or_default();
            name.trim().eq_ignore_ascii_case(RESPOND_ASYNC)
        });
        Ok(Self(if is_asked { RespondAfter::Stored } else { RespondAfter::Processed }))
    }
}

impl Prefer {
    /// Adds the header `Preference-Applied` to a response that is sent before the language model has read the content.
    pub fn mark(self, pending: bool, mut response: Response) -> Response {
        if pending && self.0 == RespondAfter::Stored {
            response.headers_mut().insert(APPLIED, HeaderValue::from_static(RESPOND_ASYNC));
        }
        response
    }
}
