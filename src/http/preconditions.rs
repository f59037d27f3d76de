//! Entity tags in requests. `If-Match`: a write succeeds only if the investigation still has a revision that the caller
//! has read. `If-None-Match`: a read returns the investigation only if the caller does not know its revision.

use axum::extract::FromRequestParts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts};
use axum::response::{IntoResponse, Response};

use super::error::ApiError;
use crate::app::App;
use crate::domain::investigation::Expected;

/// The header `If-Match`: the write succeeds only if the investigation has one of these revisions.
pub struct IfMatch(pub Expected);

/// The header `If-None-Match`: the caller knows the investigation at these revisions. `None` if the header is missing.
pub struct IfNoneMatch(Option<Tags>);

/// The value of a header with entity tags.
enum Tags {
    /// `*`
    Any,
    Listed(Vec<Tag>),
}

struct Tag {
    text: String,
    is_weak: bool,
}

impl FromRequestParts<App> for IfMatch {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::IF_MATCH) {
            return Ok(Self(Expected::Any));
        }
        match tags(&parts.headers, header::IF_MATCH) {
            Some(Tags::Any) => Ok(Self(Expected::Any)),
            Some(Tags::Listed(tags)) => {
                // Weak tags (W/"…") and unknown tags match no revision, so the response is a 412.
                let revisions = tags.iter().filter(|tag| !tag.is_weak).filter_map(Tag::revision);
                Ok(Self(Expected::Revisions(revisions.collect())))
            }
            None => Err(ApiError::invalid_at("If-Match", "must be *, or entity tags in their quotes, such as \"3\"")),
        }
    }
}

impl FromRequestParts<App> for IfNoneMatch {
    type Rejection = ApiError;

    /// Ignores an invalid header, so that the caller gets the investigation.
    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        Ok(Self(tags(&parts.headers, header::IF_NONE_MATCH)))
    }
}

impl IfNoneMatch {
    /// Returns the response for a caller who knows this revision; `None` if the caller does not.
    pub fn not_modified(&self, revision: u64) -> Option<Response> {
        let is_known = match &self.0 {
            None => false,
            Some(Tags::Any) => true,
            // Proxies that compress a response make its tag weak.
            Some(Tags::Listed(tags)) => tags.iter().any(|tag| tag.revision() == Some(revision)),
        };
        let tag = entity_tag(revision).filter(|_| is_known)?;
        Some((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response())
    }
}

impl Tag {
    /// Returns the revision in the tag. Returns `None` for a tag such as "01", because tags are compared as text.
    fn revision(&self) -> Option<u64> {
        self.text.parse().ok().filter(|revision: &u64| revision.to_string() == self.text)
    }
}

pub fn entity_tag(revision: u64) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("\"{revision}\"")).ok()
}

/// Reads a header, which may occur several times. Returns `None` if it contains no tag, or something else.
fn tags(headers: &HeaderMap, name: HeaderName) -> Option<Tags> {
    let mut tags = Vec::new();
    for value in headers.get_all(name) {
        let value = value.to_str().ok()?;
        if value.trim() == "*" {
            return Some(Tags::Any);
        }
        read_list(value, &mut tags)?;
    }
    (!tags.is_empty()).then_some(Tags::Listed(tags))
}

/// Reads a list of tags. A tag may contain a comma.
fn read_list(list: &str, tags: &mut Vec<Tag>) -> Option<()> {
    const BETWEEN: [char; 3] = [' ', '\t', ','];
    let mut rest = list.trim_start_matches(BETWEEN);
    while !rest.is_empty() {
        let weak = rest.strip_prefix("W/");
        let (text, after) = weak.unwrap_or(rest).strip_prefix('"')?.split_once('"')?;
        if !after.is_empty() && !after.starts_with(BETWEEN) {
            return None;
        }
        tags.push(Tag { text: text.to_owned(), is_weak: weak.is_some() });
        rest = after.trim_start_matches(BETWEEN);
    }
    Some(())
}
