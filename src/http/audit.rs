//! `GET /api/audit`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::auth::Administers;
use super::envelope::{Data, Paged, paginate};
use super::error::ApiError;
use super::params::{AuditPages, OfInvestigation};
use crate::app::App;
use crate::authoring::Failure;
use crate::domain::audit::AuditEntry;

/// Lists the entries of the audit log, newest first: who changed which record, and how. Covers investigations (created,
/// cloned, restored, deleted, undeleted, status or editors changed), links (created, changed, closed) and API keys
/// (added, revoked). Entries never contain text that anybody wrote.
#[utoipa::path(get, path = "/api/audit", operation_id = "listAudit", tag = "audit",
    security(("bearer" = [])),
    params(("investigation" = Option<String>, Query, description = "Only entries of this investigation"),
           ("limit" = Option<u32>, Query, description = "The most entries of a page: 1 to 1000, default 1000", minimum = 1, maximum = 1000),
           ("cursor" = Option<String>, Query, description = "nextCursor of the page before")),
    responses((status = 200, description = "The entries. Where more follow, `pagination` has the cursor of the next page", body = Paged<Data<Vec<AuditEntry>>>),
              (status = 403, description = "The caller is not an admin", body = crate::http::error::ErrorBody)))]
pub async fn audit(
    State(app): State<App>,
    _: Administers,
    OfInvestigation(of): OfInvestigation,
    pages: AuditPages,
) -> Result<Response, ApiError> {
    let page = app.store.audit(of, pages.0).await.map_err(|error| ApiError::with_http_status(Failure::Store(error)))?;
    let (data, pagination) = paginate(page)?;
    Ok(Json(Paged { answer: Data { success: true, data }, pagination }).into_response())
}
