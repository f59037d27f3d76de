//! `GET /api/audit`

use axum::extract::State;
use axum::response::Response;

use super::auth::Administers;
use super::envelope::page_response;
use super::error::ApiError;
use super::params::{OfInvestigation, Paged};
use crate::app::App;
use crate::domain::page::AuditPosition;

/// Lists the entries of the audit log, newest first: who changed which record, and how.
pub async fn audit(
    State(app): State<App>,
    _: Administers,
    OfInvestigation(of): OfInvestigation,
    pages: Paged<AuditPosition>,
) -> Result<Response, ApiError> {
    page_response(app.store.audit(of, pages.0).await?)
}
