//! `POST /api/investigation/split`

use axum::body::HttpBody;
use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring;
use crate::domain::page::MAX_ANSWER;
use crate::http::auth::Creates;
use crate::http::body::DocumentBody;
use crate::http::envelope::{Answer, json};
use crate::http::error::ApiError;
use crate::http::params::Sorting;

pub async fn split(
    State(app): State<App>,
    Creates(caller): Creates,
    Sorting(by): Sorting,
    document: DocumentBody,
) -> Result<Response, ApiError> {
    let source = document.source();
    let split = authoring::split(&app, caller.actor, source, by).await?;
    let answer = Answer::new("Document split successfully", split);
    let response = app.admission.core(caller.actor, source.text_bytes()).await.run(|| json(1, &answer));
    // The size is checked, because text that JSON has to escape may exceed the memory that is reserved for a response.
    match response.body().size_hint().upper() {
        Some(size) if size > MAX_ANSWER as u64 => {
            Err(ApiError::too_large(format!("The answer would have more than {MAX_ANSWER} bytes")))
        }
        _ => Ok(response),
    }
}
