//! Envelopes of successful responses.

use std::sync::Arc;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::auth::Caller;
use super::error::ApiError;
use super::idempotency::marked;
use super::names;
use super::preconditions::entity_tag;
use super::prefer::Prefer;
use crate::app::App;
use crate::authoring::Created;
use crate::domain::content;
use crate::domain::investigation::Investigation;
use crate::domain::page::{self, ByteBudget, MAX_LIGHT_ANSWER, Page};
use crate::domain::representation::Document;

/// The envelope of most successful responses.
#[derive(Debug, Serialize)]
pub struct Answer<T> {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    data: T,
    /// `None` on the last page of a collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<Pagination>,
}

impl<T> Answer<T> {
    pub fn new(message: &'static str, data: T) -> Self {
        Self { success: true, message: Some(message), data, pagination: None }
    }

    pub fn without_message(data: T) -> Self {
        Self { success: true, message: None, data, pagination: None }
    }

    pub fn followed_by(self, pagination: Option<Pagination>) -> Self {
        Self { pagination, ..self }
    }
}

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Whether there is a next page, and where it starts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    pub has_more: bool,
    pub next_cursor: Option<String>,
}

/// Returns the entries of a page as JSON, up to the size `room`. Also returns the cursor of the next page; `None` if
/// this page is the last.
pub fn paginate<T: Serialize, P: Serialize>(
    page: Page<T, P>,
    room: ByteBudget,
) -> Result<(Vec<Box<RawValue>>, Option<Pagination>), ApiError> {
    let Page { entries, has_more } = page;
    let given = entries.len();
    let (places, entries): (Vec<P>, Vec<T>) = entries.into_iter().unzip();
    let entries = take_fitting(entries, room)?;
    let last = places.get(entries.len().wrapping_sub(1)).filter(|_| has_more || entries.len() < given);
    let next = last.map(|last| Pagination { has_more: true, next_cursor: Some(page::cursor(last)) });
    Ok((entries, next))
}

/// Creates the response `{ success, data, pagination }` with one page of a collection of short entries.
pub fn page_response<T: Serialize, P: Serialize>(page: Page<T, P>) -> Result<Response, ApiError> {
    let (data, pagination) = paginate(page, ByteBudget::of_answer(MAX_LIGHT_ANSWER))?;
    Ok(Answer::without_message(data).followed_by(pagination).into_response())
}

/// Returns the first entries as JSON, up to the size `room`. Always returns the first entry, even if it is larger.
pub fn take_fitting<T: Serialize>(
    entries: impl IntoIterator<Item = T>,
    mut room: ByteBudget,
) -> Result<Vec<Box<RawValue>>, ApiError> {
    let mut taken = Vec::new();
    for entry in entries {
        let entry = to_raw_value(&entry).map_err(|error| unwritable(&error))?;
        // Each entry also takes one byte for its comma.
        if !room.takes(entry.get().len() + 1) {
            break;
        }
        taken.push(entry);
    }
    Ok(taken)
}

/// Adds the authors' profiles to the investigations of a page. All profiles are looked up together.
pub async fn show_page<C: content::ContentFields>(
    app: &App,
    caller: &Caller,
    page: Vec<Arc<Investigation<C>>>,
) -> Vec<Document<C>> {
    let authors: Vec<_> = page.iter().map(|investigation| investigation.author).collect();
    let authors = names::profiles(app, caller, &authors).await;
    let document = |(investigation, author)| Document { investigation, author };
    page.into_iter().zip(authors).map(document).collect()
}

/// Creates a response with the body `{ success, message, data }` for an investigation, and with its entity tag.
pub async fn investigation_response<C: content::ContentFields>(
    app: &App,
    caller: &Caller,
    message: &'static str,
    investigation: impl Into<Arc<Investigation<C>>>,
) -> Response {
    document_response(app, caller, investigation, |data| Answer::new(message, data)).await
}

/// Creates a response for an investigation, with its entity tag. `body` puts the investigation into an envelope.
pub async fn document_response<C: content::ContentFields, B: Serialize>(
    app: &App,
    caller: &Caller,
    investigation: impl Into<Arc<Investigation<C>>>,
    body: impl FnOnce(Document<C>) -> B,
) -> Response {
    let investigation = investigation.into();
    let (revision, bytes) = (investigation.revision, investigation.content.bytes());
    let author = names::profile(app, caller, investigation.author).await;
    let body = body(Document { investigation, author });
    let mut response = app.admission.core(caller.actor, bytes).await.run(|| json(1, &body));
    if let Some(tag) = entity_tag(revision) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Creates the response with an investigation that was created or cloned.
pub async fn created_response(
    app: &App,
    caller: &Caller,
    prefer: Prefer,
    message: &'static str,
    created: Created<Investigation>,
) -> Response {
    let Created { what: investigation, replayed } = created;
    let (path, pending) = (format!("/api/investigation/{}", investigation.id), investigation.findings.pending);
    let mut response = investigation_response(app, caller, message, investigation).await;
    *response.status_mut() = StatusCode::CREATED;
    located(app, &path, marked(replayed, prefer.mark(pending, response)))
}

/// Size of a typical investigation as JSON, in bytes.
const TYPICAL_BYTES: usize = 8 * 1024;

/// Creates a JSON response. Allocates space for `investigations` investigations in advance.
pub fn json(investigations: usize, body: &impl Serialize) -> Response {
    let mut bytes = Vec::with_capacity(TYPICAL_BYTES * investigations);
    match serde_json::to_writer(&mut bytes, body) {
        Ok(()) => ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response(),
        Err(error) => unwritable(&error).into_response(),
    }
}

fn unwritable(error: &serde_json::Error) -> ApiError {
    tracing::error!(error.code = "internal_error", %error, "an answer cannot be written");
    ApiError::internal()
}

/// Sets the header `Location` to the address of the created resource, which has this path.
pub fn located(app: &App, path: &str, mut response: Response) -> Response {
    let base = app.http.public_url.as_deref().unwrap_or_default();
    if let Ok(address) = HeaderValue::try_from(format!("{base}{path}")) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

#[cfg(test)]
#[path = "../../tests/unit/http/envelope.rs"]
mod tests;
