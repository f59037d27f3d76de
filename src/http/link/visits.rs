//! `GET /api/link/{key}/{subLink}/visits`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::link::DayCount;
use crate::domain::page::DayPosition;
use crate::http::auth::SignedIn;
use crate::http::envelope::{Answer, Paged, paginate};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::{LinkName, Paged as Pages};

/// The visits of a link, in total and per day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Visits {
    key: String,
    sub_link: String,
    /// Total number of visits.
    visit_count: u64,
    /// The days (UTC) with at least one visit, oldest first.
    #[schema(value_type = Vec<DayCount>)]
    days: Vec<Box<RawValue>>,
}

/// Returns the number of visits of a link on each day. Days without visits are left out.
#[utoipa::path(get, path = "/api/link/{key}/{subLink}/visits", operation_id = "getLinkVisits", tag = "link",
    security(("bearer" = [])),
    params(LinkName, Pages<DayPosition>),
    responses((status = 200, description = "The counts. If more days follow, `pagination` has the cursor of the next page", body = Paged<Answer<Visits>>),
              (status = 404, description = "No such link", body = ErrorBody)))]
pub async fn visits(
    State(app): State<App>,
    _: SignedIn,
    LinkName { key, sub_link }: LinkName,
    pages: Pages<DayPosition>,
) -> Result<Response, ApiError> {
    let found = app.store.visits_per_day(key, sub_link, pages.0).await?;
    let (link, days) = found.ok_or(Failure::LinkNotFound)?;
    let (days, pagination) = paginate(days)?;
    let data = Visits { key: link.key, sub_link: link.sub_link, visit_count: link.visit_count, days };
    let answer = Answer { success: true, message: "Visits retrieved successfully", data };
    Ok(Json(Paged { answer, pagination }).into_response())
}
