//! `GET /api/investigation/{id}`

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, AuthoringError};
use crate::domain::permission::{self, Operation};
use crate::http::auth::Reads;
use crate::http::envelope::investigation_response;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::InvestigationId;
use crate::http::preconditions::IfNoneMatch;

pub const MESSAGES: Messages = Messages::fixed("Investigation retrieved successfully", "Failed to fetch investigation");

/// Returns an investigation, unless the caller knows its revision. The response has a header `Allow` if the caller may
/// not change the investigation.
pub async fn get(
    State(app): State<App>,
    Reads(caller): Reads,
    InvestigationId(id): InvestigationId,
    known: IfNoneMatch,
) -> Result<Response, ApiError> {
    let found = AuthoringError::unless_found(app.store.show(id).await);
    let investigation = found.map_err(MESSAGES.error(&app))?;
    authoring::resume_pending(&app, &investigation);
    let ownership = Some(investigation.ownership());
    let may_change = permission::decide(caller.principal, Operation::Change, ownership, app.http.editing).is_ok();
    let mut response = match known.not_modified(investigation.revision) {
        Some(response) => response,
        None => investigation_response(&app, &caller, MESSAGES.done, investigation).await,
    };
    if !may_change {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    Ok(response)
}
