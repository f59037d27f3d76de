//! Redoes an undone change.

use super::change::{Decided, after_step, change};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::{Current, record};
use super::processing;
use crate::app::App;
use crate::domain::history::{self, Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

/// Goes forward to the newest undone version that follows the current version.
pub async fn redo(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Investigation, AuthoringError> {
    let load = |Current { id, version, .. }| async move {
        let child = app.store.newest_child(id, version).await?;
        record(app, id, child, AuthoringError::NothingToRedo).await
    };
    let decide = |before: &Investigation, record: &VersionRecord| {
        let step = Step::Redo { to: record.version, with_ai: record.with_ai };
        let content = history::redo(before.content.clone(), record)?;
        let status = record.status()?.map_or(before.status, |(_, new)| new);
        let after = after_step(app, &Investigation { status, ..before.without_content() }, &step, content);
        Ok(Decided::step(after, step))
    };
    let (changed, ()) = change(app, id, context, load, decide).await?;
    Ok(processing::process(app, changed, context).await)
}
