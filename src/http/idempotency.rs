//! `Idempotency-Key`: lets clients safely repeat a request that creates something.
//!
//! Each caller has a separate set of keys. Callers are identified by user id, or else by the name in the token, or else
//! by the token. Anonymous callers share one set.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::auth::Caller;
use super::digest::digest_of;
use super::error::ApiError;
use crate::app::App;
use crate::authoring::IdempotentRequest;
use crate::domain::id::ObjectId;

pub const NAME: &str = "Idempotency-Key";

/// Response header which says that the response repeats the response to an earlier request.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

const MAX_KEY: usize = 255;

/// The idempotency key of a request; `None` if the request has none.
pub struct IdempotencyKey(Option<String>);

impl FromRequestParts<App> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let mut values = parts.headers.get_all(NAME).into_iter();
        let Some(value) = values.next() else { return Ok(Self(None)) };
        if values.next().is_some() {
            return Err(ApiError::invalid_at(NAME, "must appear once"));
        }
        let visible = value.to_str().ok().filter(|key| key.bytes().all(|byte| byte.is_ascii_graphic()));
        match visible.filter(|key| (1..=MAX_KEY).contains(&key.len())) {
            Some(key) => Ok(Self(Some(key.to_owned()))),
            None => Err(ApiError::invalid_at(NAME, format!("must be 1 to {MAX_KEY} visible ASCII characters"))),
        }
    }
}

impl IdempotencyKey {
    /// Returns what the store needs to recognize a repeated request:
    /// - the caller
    /// - the key
    /// - a digest of operation, target and body
    ///
    /// Returns `None` if the request has no key.
    pub fn of(
        self,
        caller: &Caller,
        operation: &str,
        target: Option<ObjectId>,
        body: Option<&Map<String, Value>>,
    ) -> Option<IdempotentRequest> {
        let key = self.0?;
        let caller = match (&caller.principal.user, caller.token_name.as_deref(), caller.bearer()) {
            (Some(user), ..) => format!("user {user}"),
            (None, Some(name), _) => format!("name {}", digest_of(name.as_bytes())),
            (None, None, Some(token)) => format!("token {}", digest_of(token.expose().as_bytes())),
            (None, None, None) => "anybody".to_owned(),
        };
        let mut request = json!([operation, target, body]);
        // The order of the members of a JSON object has no meaning.
        request.sort_all_objects();
        let request = digest_of(request.to_string().as_bytes());
        Some(IdempotentRequest { caller, key, request })
    }
}

pub fn marked(again: bool, mut response: Response) -> Response {
    if again {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
