//! `PATCH /api/investigation/{id}/versions/{version}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::domain::history;
use crate::http::auth::Changes;
use crate::http::body::MergePatch;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{InvestigationId, Version};
use crate::http::preconditions::IfMatch;

/// The body of a request to name a version.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes what `history::read_name` reads")]
pub struct VersionNameBody {
    /// The name, without spaces around it. Null removes the name.
    #[schema(required, min_length = 1, max_length = 100, example = "Before the trial lesson")]
    name: Option<String>,
}

/// Names a version, or removes its name. The content and the history stay as they are. Version 0, the initial content,
/// cannot have a name.
#[utoipa::path(patch, path = "/api/investigation/{id}/versions/{version}", operation_id = "nameInvestigationVersion", tag = "investigation",
    security(("bearer" = [])),
    request_body(content((VersionNameBody = "application/json"), (VersionNameBody = "application/merge-patch+json"))),
    params(("id" = String, Path, description = "The investigation"), ("version" = u64, Path, description = "The version to name"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)")),
    responses((status = 200, description = "The investigation afterwards", body = Answer<InvestigationSchema>)))]
pub async fn name_version(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    Version(version): Version,
    IfMatch(expected): IfMatch,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let name = history::read_name(&body).map_err(ApiError::invalid)?;
    let context = ChangeContext { expected, ..caller.change() };
    let named = authoring::name_version(&app, id, &context, (version, name)).await;
    let investigation = named.map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to name investigation version"), app.http.error_statuses)
    })?;
    Ok(investigation_response(&app, &caller, StatusCode::OK, "Investigation version named successfully", investigation)
        .await)
}
