//! `GET /api/trash`, and `DELETE /api/trash/{id}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

use super::auth::{Changes, Reads};
use super::envelope::{Answer, page_response};
use super::error::ApiError;
use super::params::{InvestigationId, Paged};
use crate::app::App;
use crate::authoring;
use crate::domain::page::{Page, TrashPosition};
use crate::domain::time::Timestamp;
use crate::store::TrashItem;

#[derive(Debug, Serialize)]
pub struct TrashEntry {
    #[serde(flatten)]
    item: TrashItem,
    until: Timestamp,
}

/// Lists deleted investigations, last deleted first. Admins see all of them; other users see only those they authored.
pub async fn trash(
    State(app): State<App>,
    Reads(caller): Reads,
    pages: Paged<TrashPosition>,
) -> Result<Response, ApiError> {
    let kept = app.http.trash_kept();
    let (user, is_admin) = (caller.principal.user, caller.principal.is_admin());
    let found = if is_admin || user.is_some() {
        let of = user.filter(|_| !is_admin);
        app.store.trash(of, app.clock.now().earlier_by(kept), pages.0).await?
    } else {
        Page { entries: Vec::new(), has_more: false }
    };
    let entry = |item: TrashItem| TrashEntry { until: item.deleted_at.later_by(kept), item };
    let entries = found.entries.into_iter().map(|(place, item)| (place, entry(item))).collect();
    page_response(Page { entries, has_more: found.has_more })
}

/// Permanently deletes an investigation in the trash. Only its author and admins may do this.
pub async fn purge(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    authoring::purge(&app, id, &caller.change()).await?;
    Ok(Answer::new("Investigation deleted for good", json!({ "investigationId": id })).into_response())
}
