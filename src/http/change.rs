//! What the operations that change an investigation have in common: the request, and the response with the
//! investigation afterwards.

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;

use super::auth::{Caller, Changes};
use super::envelope::{Answer, document_response};
use super::error::ApiError;
use super::messages::Messages;
use super::params::{DryRun, InvestigationId};
use super::preconditions::IfMatch;
use super::prefer::Prefer;
use crate::app::App;
use crate::authoring::{AuthoringError, ChangeContext};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::representation::Document;

/// A request to change an investigation: the caller, `id` in the path, and the header `If-Match`.
pub struct ChangeRequest {
    pub caller: Caller,
    pub id: ObjectId,
    pub context: ChangeContext,
}

impl FromRequestParts<App> for ChangeRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Changes(caller) = Changes::from_request_parts(parts, app).await?;
        let InvestigationId(id) = InvestigationId::from_request_parts(parts, app).await?;
        let IfMatch(expected) = IfMatch::from_request_parts(parts, app).await?;
        let context = ChangeContext { expected, ..caller.change() };
        Ok(Self { caller, id, context })
    }
}

impl ChangeRequest {
    pub fn with(self, DryRun(dry_run): DryRun, Prefer(respond_after): Prefer) -> Self {
        Self { context: ChangeContext { dry_run, respond_after, ..self.context }, ..self }
    }

    /// Returns the response `{ success, message, data }` with the investigation after the change.
    pub async fn respond(
        &self,
        app: &App,
        messages: Messages,
        changed: Result<Investigation, AuthoringError>,
    ) -> Result<Response, ApiError> {
        let investigation = changed.map_err(messages.error(app))?;
        let body = |data| Answer::new(messages.done, data);
        Ok(self.respond_with(app, investigation, body).await)
    }

    /// Returns a response with a body that is specific to the operation. A dry run stores nothing, so its result has no
    /// revision.
    pub async fn respond_with<B: Serialize>(
        &self,
        app: &App,
        investigation: Investigation,
        body: impl FnOnce(Document) -> B,
    ) -> Response {
        let pending = investigation.findings.pending;
        let mut response = document_response(app, &self.caller, investigation, body).await;
        if self.context.dry_run {
            response.headers_mut().remove(header::ETAG);
            return response;
        }
        Prefer(self.context.respond_after).mark(pending, response)
    }
}
