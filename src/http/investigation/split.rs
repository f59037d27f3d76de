//! `POST /api/investigation/split`

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring;
use crate::http::auth::Creates;
use crate::http::body::DocumentBody;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::params::Sorting;

pub async fn split(
    State(app): State<App>,
    Creates(caller): Creates,
    Sorting(by): Sorting,
    document: DocumentBody,
) -> Result<Response, ApiError> {
    let split = authoring::split(&app, caller.actor, document.source(), by).await?;
    Ok(Answer::new("Document split successfully", split).into_response())
}
