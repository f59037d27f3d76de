//! Restores the content of an earlier version.

use super::change::{Decided, after_step, change};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::{Current, Loaded, missing};
use super::processing;
use crate::app::App;
use crate::domain::content::{self, Content};
use crate::domain::history::{self, Act, Kind};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

/// Restores the content of an earlier version as a new version. Does not validate the content against the current
/// schema, so that all stored content can be restored.
pub async fn restore(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    version: u64,
) -> Result<Investigation, AuthoringError> {
    let load = |current| load(app, current, version);
    let decide = |before: &Investigation, content: &Content| {
        let content = history::in_order_of(&before.content, content);
        let act = Act { kind: Kind::Restore, by: context.caller.user, at: app.clock.now() };
        let step = history::record(before, &content, act);
        let after = after_step(app, before, &step, content);
        Ok(Decided::step(after, step))
    };
    let (changed, ()) = change(app, id, context, load, decide).await?;
    Ok(processing::process(app, changed, context).await)
}

async fn load(
    app: &App,
    Current { id, latest_version, .. }: Current,
    version: u64,
) -> Result<Loaded<Content>, AuthoringError> {
    // Refuses a version that did not exist when `before` was loaded, because another copy of the service may have added
    // it since then.
    if version > latest_version {
        return Err(missing(app, id, AuthoringError::VersionNotFound(version)).await);
    }
    match app.store.content_at(id, version).await? {
        Some(content) => Ok(Loaded { bytes: content::bytes(&content), input: content }),
        None => Err(missing(app, id, AuthoringError::VersionNotFound(version)).await),
    }
}
