//! `GET /api/audit`

use axum::extract::State;
use axum::response::Response;

use super::auth::Administers;
use super::envelope::{Data, Paged, page_response};
use super::error::{ApiError, ErrorBody};
use super::params::{OfInvestigation, Paged as Pages};
use crate::app::App;
use crate::domain::audit::AuditEntry;
use crate::domain::page::AuditPosition;

/// Lists the entries of the audit log, newest first: who changed which record, and how. Covers investigations (created,
/// cloned, restored, deleted, undeleted, status or editors changed), links (created, changed, closed) and API keys
/// (added, revoked). Entries never contain text that anybody wrote.
#[utoipa::path(get, path = "/api/audit", operation_id = "listAudit", tag = "audit",
    security(("bearer" = [])),
    params(OfInvestigation, Pages<AuditPosition>),
    responses((status = 200, description = "The entries. Where more follow, `pagination` has the cursor of the next page", body = Paged<Data<Vec<AuditEntry>>>),
              (status = 403, description = "The caller is not an admin", body = ErrorBody)))]
pub async fn audit(
    State(app): State<App>,
    _: Administers,
    OfInvestigation(of): OfInvestigation,
    pages: Pages<AuditPosition>,
) -> Result<Response, ApiError> {
    page_response(app.store.audit(of, pages.0).await?)
}
