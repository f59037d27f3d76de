//! `GET /api/link/{key}/{subLink}/visits`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::link::DayCount;
use crate::http::auth::SignedIn;
use crate::http::envelope::{Answer, answer};
use crate::http::error::ApiError;
use crate::http::params::LinkName;

/// The visits of a link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Visits {
    key: String,
    sub_link: String,
    /// All of them.
    visit_count: u64,
    /// The days (UTC) that had some, oldest first.
    days: Vec<DayCount>,
}

/// Gives the visits of each day.
#[utoipa::path(get, path = "/api/link/{key}/{subLink}/visits", operation_id = "getLinkVisits", tag = "link",
    security(("bearer" = [])),
    params(("key" = String, Path, description = "The key"), ("subLink" = String, Path, description = "The sub-link")),
    responses((status = 200, description = "The counts", body = Answer<Visits>),
              (status = 404, description = "No such link", body = crate::http::error::ErrorBody)))]
pub async fn visits(
    State(app): State<App>,
    _: SignedIn,
    LinkName { key, sub_link }: LinkName,
) -> Result<Response, ApiError> {
    let found = app.store.visits_per_day(key, sub_link).await.map_err(Failure::from);
    let (link, days) = found.and_then(|link| link.ok_or(Failure::LinkNotFound)).map_err(ApiError::plain)?;
    let visits = Visits { key: link.key, sub_link: link.sub_link, visit_count: link.visit_count, days };
    Ok(answer(StatusCode::OK, "Visits retrieved successfully", visits))
}
