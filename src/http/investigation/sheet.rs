//! `GET /api/investigation/{id}/sheet`

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use fieldbook_reader::WORD;

use crate::app::{App, SheetKey};
use crate::authoring::AuthoringError;
use crate::domain::event::LinkName;
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::http::auth::Reads;
use crate::http::error::ApiError;
use crate::http::headers::UNINDEXED;
use crate::http::lesson_page;
use crate::http::link::qr;
use crate::http::messages::Messages;
use crate::http::params::{InvestigationId, SheetWanted};
use crate::http::sheet::html::FRAMED;
use crate::http::sheet::{Code, Format, attachment, document, page};

const MESSAGES: Messages = Messages::fixed("Sheet written successfully", "Failed to write sheet");

/// Returns the current or an earlier version of a lesson as a sheet for an audience. The page for authors may show the
/// sheet in a frame.
pub async fn sheet(
    State(app): State<App>,
    reader: Reads,
    InvestigationId(id): InvestigationId,
    SheetWanted { audience, format, version, link }: SheetWanted,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let state = AuthoringError::unless_found(app.store.state(id).await);
    let state = state.map_err(MESSAGES.error(&app))?;
    let key = SheetKey { investigation: id, state, version, audience };
    match format {
        Format::Html => {
            let pictures = format!("/api/investigation/{id}/pictures/");
            let html = page(&app, reader.0.actor, key, &pictures, "").await.map_err(MESSAGES.error(&app))?;
            let framed = [
                (header::CONTENT_SECURITY_POLICY, FRAMED.clone()),
                (header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
            ];
            Ok((lesson_page::headers(), framed, html).into_response())
        }
        Format::Docx => {
            let link = code_of(&app, id, link, &headers).await?;
            let document = document(&app, reader.0.actor, key, link).await.map_err(MESSAGES.error(&app))?;
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

/// Returns the QR code of a link, which must belong to this investigation.
async fn code_of(
    app: &App,
    id: ObjectId,
    link: Option<LinkName>,
    headers: &HeaderMap,
) -> Result<Option<Code>, ApiError> {
    let Some(LinkName { key, sub_link }) = link else { return Ok(None) };
    let found = app.store.link(key, sub_link).await?.filter(|link| link.investigation_id == id);
    let address = qr::address(&app.http, headers, &found.ok_or(AuthoringError::LinkNotFound)?)?;
    Code::of(address).map(Some).ok_or_else(|| ApiError::invalid_at("Host", "is too long for a QR code"))
}
