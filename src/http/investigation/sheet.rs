//! `GET /api/investigation/{id}/sheet`

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use fieldbook_reader::WORD;

use crate::app::{App, SheetKey};
use crate::authoring::AuthoringError;
use crate::domain::named::Named;
use crate::http::auth::Reads;
use crate::http::error::ApiError;
use crate::http::headers::UNINDEXED;
use crate::http::lesson_page;
use crate::http::params::{InvestigationId, SheetWanted};
use crate::http::sheet::html::FRAMED;
use crate::http::sheet::{Format, attachment, document, page};
use crate::http::words::Words;

const WORDS: Words = Words::fixed("Sheet written successfully", "Failed to write sheet");

/// Returns a lesson as a sheet for an audience, as it is now or at a version. The page for authors may show it in a frame.
pub async fn sheet(
    State(app): State<App>,
    reader: Reads,
    InvestigationId(id): InvestigationId,
    SheetWanted { audience, format, version }: SheetWanted,
) -> Result<Response, ApiError> {
    let state = AuthoringError::unless_found(app.store.state(id).await);
    let state = state.map_err(WORDS.error(&app))?;
    let key = SheetKey { investigation: id, state, version, audience };
    match format {
        Format::Html => {
            let pictures = format!("/api/investigation/{id}/pictures/");
            let html = page(&app, reader.0.actor, key, &pictures, "").await.map_err(WORDS.error(&app))?;
            let framed = [
                (header::CONTENT_SECURITY_POLICY, FRAMED.clone()),
                (header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
            ];
            Ok((lesson_page::headers(), framed, html).into_response())
        }
        Format::Docx => {
            let document = document(&app, reader.0.actor, key).await.map_err(WORDS.error(&app))?;
            let (title, bytes) = document.map_err(|error| {
                tracing::error!(%error, "a Word document could not be written");
                ApiError::internal()
            })?;
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static(WORD)),
                (header::CONTENT_DISPOSITION, attachment(&title, audience.name(), "docx")),
                UNINDEXED,
            ];
            Ok((headers, bytes).into_response())
        }
    }
}
