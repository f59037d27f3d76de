//! `If-Match`: a write succeeds only if the investigation still has a revision that the caller has read.

use axum::extract::FromRequestParts;
use axum::http::{HeaderValue, header, request::Parts};

use super::error::ApiError;
use crate::app::App;
use crate::domain::investigation::Expected;

/// The header `If-Match`: the write succeeds only if the investigation has one of these revisions.
pub struct IfMatch(pub Expected);

impl FromRequestParts<App> for IfMatch {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let mut headers = parts.headers.get_all(header::IF_MATCH).into_iter().peekable();
        if headers.peek().is_none() {
            return Ok(Self(Expected::Any));
        }
        let mut revisions = Vec::new();
        for value in headers {
            for tag in value.to_str().unwrap_or_default().split(',').map(str::trim) {
                if tag == "*" {
                    return Ok(Self(Expected::Any));
                }
                // Weak tags (W/"…") and unknown tags match no revision, so the response is a 412.
                let revision: Option<u64> =
                    tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).and_then(revision);
                revisions.extend(revision);
            }
        }
        Ok(Self(Expected::Revisions(revisions)))
    }
}

pub fn entity_tag(revision: u64) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("\"{revision}\"")).ok()
}

/// Returns the revision in an entity tag. Returns `None` for "01", because tags are compared as text.
fn revision(tag: &str) -> Option<u64> {
    tag.parse().ok().filter(|revision: &u64| revision.to_string() == tag)
}
