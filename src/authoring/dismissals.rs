//! Dismisses findings, and removes dismissals. Neither operation changes the content or adds a version record.

use super::change::{Decided, after_step, change};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::Loaded;
use super::processing;
use crate::app::App;
use crate::domain::dismissal::{self, Dismissal, DismissalRequest};
use crate::domain::history::Step;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

pub async fn dismiss(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    asked: &DismissalRequest,
) -> Result<Investigation, AuthoringError> {
    let decide = |before: &Investigation, (): &()| {
        let finding = asked.find(&before.findings).ok_or(AuthoringError::FindingNotFound)?.clone();
        let at = app.clock.now();
        let reason = asked.reason.clone();
        let new = Dismissal::new(app.ids.object_id(at), finding, &before.content, context.caller.user, at, reason);
        let dismissals = dismissal::added(&before.dismissals, new)?;
        let start = Investigation { dismissals, ..before.without_content() };
        // The other findings stay valid, because the content does not change.
        let after = start.after(&Step::Stay, before.content.clone(), before.findings.clone(), &app.schema, at);
        Ok(Decided::step(after, Step::Stay))
    };
    change(app, id, context, Loaded::nothing(asked.bytes()), decide).await.map(|(investigation, ())| investigation)
}

/// Removes a dismissal. The finding is shown again if the content still has it.
pub async fn remove(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    dismissal: ObjectId,
) -> Result<Investigation, AuthoringError> {
    let decide = |before: &Investigation, (): &()| {
        let mut start = before.without_content();
        start.dismissals.retain(|kept| kept.id != dismissal);
        if start.dismissals.len() == before.dismissals.len() {
            return Err(AuthoringError::DismissalNotFound);
        }
        let after = after_step(app, &start, &Step::Stay, before.content.clone());
        Ok(Decided::step(after, Step::Stay))
    };
    let (changed, ()) = change(app, id, context, Loaded::nothing(0), decide).await?;
    Ok(processing::process(app, changed, context).await)
}
