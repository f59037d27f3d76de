//! Names a version, or removes its name.

use super::change::{Decided, change};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::record;
use crate::app::App;
use crate::domain::history::{Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

/// The new name of a version; `None` removes the name.
#[derive(Debug, Clone)]
pub struct VersionName {
    pub version: u64,
    pub name: Option<String>,
}

/// Names a version. The content and the history stay as they are.
pub async fn name_version(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    VersionName { version, name }: VersionName,
) -> Result<Investigation, AuthoringError> {
    let load = |_| async move {
        let found = app.store.record(id, version).await?;
        record(app, id, found, AuthoringError::VersionNotFound(version)).await
    };
    let decide = |before: &Investigation, record: &VersionRecord| {
        let step = if record.name == name { Step::Stay } else { Step::Name { version, name: name.clone() } };
        let now = app.clock.now();
        let after = before.after(&step, before.content.clone(), before.findings.clone(), &app.schema, now);
        Ok(Decided::step(after, step))
    };
    change(app, id, context, load, decide).await.map(|(investigation, ())| investigation)
}
