//! `GET /api/investigation/{id}/sheet`

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::app::{App, SheetKey};
use crate::authoring::Failure;
use crate::http::auth::Reads;
use crate::http::error::ApiError;
use crate::http::lesson_page;
use crate::http::params::{InvestigationId, SheetWanted};
use crate::http::sheet::html::{FRAMED, addressed};
use crate::http::sheet::{Format, rendered};
use crate::http::words::Words;

const WORDS: Words = Words::fixed("Sheet written successfully", "Failed to write sheet");

/// Returns a lesson as a sheet for an audience, as it is now or at a version. The page for authors may show it in a frame.
pub async fn sheet(
    State(app): State<App>,
    reader: Reads,
    InvestigationId(id): InvestigationId,
    SheetWanted { audience, format, version }: SheetWanted,
) -> Result<Response, ApiError> {
    let state = Failure::unless_found(app.store.state(id).await, Failure::InvestigationNotFound);
    let state = state.map_err(WORDS.failure(&app))?;
    let key = SheetKey { investigation: id, state, version, audience };
    match format {
        Format::Html => {
            let html = rendered(&app, reader.0.actor, key).await.map_err(WORDS.failure(&app))?;
            let html = addressed(&html, &format!("/api/investigation/{id}/pictures/"), "");
            let framed = [
                (header::CONTENT_SECURITY_POLICY, FRAMED.clone()),
                (header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
            ];
            Ok((lesson_page::headers(), framed, Bytes::from_owner(html)).into_response())
        }
    }
}
