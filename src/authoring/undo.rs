//! Undoes the latest change.

use super::change::{Decided, after_step, change};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::{Current, Loaded, missing};
use super::processing;
use crate::app::App;
use crate::domain::history::{self, Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

struct Latest {
    record: VersionRecord,
    /// Whether the assistant created the parent of the current version.
    parent_with_ai: bool,
}

/// Goes back to the parent of the current version.
pub async fn undo(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Investigation, AuthoringError> {
    let decide = |before: &Investigation, Latest { record, parent_with_ai }: &Latest| {
        let step = Step::Undo { from: record.version, to: record.parent, with_ai: *parent_with_ai };
        let content = history::undo(before.content.clone(), record)?;
        let status = record.status()?.map_or(before.status, |(old, _)| old);
        let after = after_step(app, &Investigation { status, ..before.without_content() }, &step, content);
        Ok(Decided::step(after, step))
    };
    let (changed, ()) = change(app, id, context, |current| load(app, current), decide).await?;
    Ok(processing::process(app, changed, context).await)
}

async fn load(app: &App, Current { id, version, .. }: Current) -> Result<Loaded<Latest>, AuthoringError> {
    if version == 0 {
        return Err(AuthoringError::NothingToUndo);
    }
    let Some(record) = app.store.record(id, version).await? else {
        return Err(missing(app, id, AuthoringError::damaged("a version record is missing")).await);
    };
    let parent_with_ai = app.store.is_with_ai(id, record.parent).await?;
    Ok(Loaded { bytes: record.bytes(), input: Latest { record, parent_with_ai } })
}
