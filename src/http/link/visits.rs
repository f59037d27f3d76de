//! `GET /api/link/{key}/{subLink}/visits`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::app::App;
use crate::authoring::AuthoringError;
use crate::domain::page::{ByteBudget, DayPosition, MAX_LIGHT_ANSWER};
use crate::http::auth::SignedIn;
use crate::http::envelope::{Answer, paginate};
use crate::http::error::ApiError;
use crate::http::params::{LinkName, Paged};

/// Maximum number of days in a response: about 27 years.
const MAX_DAYS: u32 = 10_000;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Visits {
    key: String,
    sub_link: String,
    visit_count: u64,
    days: Vec<Box<RawValue>>,
}

/// Returns the number of visits of a link on each day. Days without visits are left out.
pub async fn visits(
    State(app): State<App>,
    _: SignedIn,
    LinkName { key, sub_link }: LinkName,
    pages: Paged<DayPosition, MAX_DAYS>,
) -> Result<Response, ApiError> {
    let found = app.store.visits_per_day(key, sub_link, pages.0).await?;
    let (link, days) = found.ok_or(AuthoringError::LinkNotFound)?;
    let (days, pagination) = paginate(days, ByteBudget::of_answer(MAX_LIGHT_ANSWER))?;
    let data = Visits { key: link.key, sub_link: link.sub_link, visit_count: link.visit_count, days };
    Ok(Answer::new("Visits retrieved successfully", data).followed_by(pagination).into_response())
}
