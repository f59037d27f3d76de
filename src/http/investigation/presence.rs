//! `POST /api/investigation/{id}/presence`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::representation::Profile;
use crate::http::auth::Reads;
use crate::http::body::JsonObject;
use crate::http::docs::content::PresenceBody;
use crate::http::envelope::{Answer, answer};
use crate::http::error::ApiError;
use crate::http::params::InvestigationId;

/// Who else has an investigation open.
#[derive(Serialize, ToSchema)]
pub struct Presence {
    /// The other users who have the investigation open, at most 64.
    others: Vec<Profile>,
}

/// Records whether the caller has an investigation open, and returns the other users who have it open. While the
/// investigation is open, repeat the request at least every 40 seconds: a user who sends nothing for 45 seconds counts
/// as gone. A caller whose token contains no user id is not recorded, and gets an empty list.
#[utoipa::path(post, path = "/api/investigation/{id}/presence", operation_id = "notePresence", tag = "investigation",
    security(("bearer" = [])), request_body = PresenceBody,
    params(InvestigationId),
    responses((status = 200, description = "Who else has it open", body = Answer<Presence>)))]
pub async fn presence(
    State(app): State<App>,
    Reads(caller): Reads,
    InvestigationId(id): InvestigationId,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let Some(open) = body.get("open").and_then(Value::as_bool).filter(|_| body.len() == 1) else {
        return Err(ApiError::invalid_at("open", "must be true or false, and the only member"));
    };
    app.store.show(id).await?.ok_or(Failure::InvestigationNotFound)?;
    let now = app.clock.now();
    let others = match caller.user {
        Some(user) => app.store.note_presence(id, user, open, now).await?,
        None => Vec::new(),
    };
    let others: Vec<_> = others.into_iter().map(Some).collect();
    let others = app.profiles.of(caller.bearer.as_ref(), &others).await;
    Ok(answer(StatusCode::OK, "Presence noted successfully", Presence { others }))
}
