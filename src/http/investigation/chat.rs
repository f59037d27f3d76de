//! `GET /api/investigation/{id}/chat`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::app::App;
use crate::authoring::{self, AuthoringError};
use crate::domain::id::ObjectId;
use crate::domain::page::{ByteBudget, ChatPosition, MAX_ANSWER};
use crate::http::auth::Reads;
use crate::http::envelope::{Answer, paginate};
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::{InvestigationId, Paged};
use crate::store::ChatPart;

const MESSAGES: Messages = Messages::fixed("Chat retrieved successfully", "Failed to fetch chat");

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChatPageData {
    #[serde(rename = "_id")]
    id: ObjectId,
    investigation_id: ObjectId,
    history: Vec<Box<RawValue>>,
}

/// Returns the chat of an investigation, one page at a time, beginning with the page of the newest entries.
pub async fn chat(
    State(app): State<App>,
    _: Reads,
    InvestigationId(id): InvestigationId,
    pages: Paged<ChatPosition>,
) -> Result<Response, ApiError> {
    let wanted = pages.of(id, |place| place.investigation)?;
    let chat = match app.store.chat(id, wanted, ChatPart::All).await {
        Ok(Some(chat)) => Ok(chat),
        Ok(None) => Err(authoring::missing(&app, id, AuthoringError::ChatNotFound(id)).await),
        Err(error) => Err(error.into()),
    };
    let mut chat = chat.map_err(MESSAGES.error(&app))?;
    for (_, entry) in &mut chat.page.entries {
        entry.user.by = None;
    }
    let (mut history, pagination) = paginate(chat.page, ByteBudget::of_answer(MAX_ANSWER))?;
    history.reverse();
    let data = ChatPageData { id: chat.id, investigation_id: id, history };
    Ok(Answer::new(MESSAGES.done, data).followed_by(pagination).into_response())
}
