//! Reassigns the content of one person to another.

use super::change::{Decided, change};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::Loaded;
use crate::app::App;
use crate::domain::history::Step;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::store::StoreError;

/// Number of investigations per read.
const SLICE: u32 = 500;

/// Replaces `from` with `to` as author and editor, one investigation at a time. Returns how many were changed. After a
/// failure, the call can be repeated.
pub async fn reassign(app: &App, context: &ChangeContext, from: ObjectId, to: ObjectId) -> Result<u64, AuthoringError> {
    let mut count = 0;
    let mut after = Some(String::new());
    while let Some(begin) = after {
        let slice = app.store.slice_of(from, &begin, SLICE).await?;
        for id in slice.found {
            let decide = |before: &Investigation, (): &()| Ok(decide(app, before, from, to));
            match change(app, id, context, Loaded::nothing(0), decide).await {
                Ok((_, is_changed)) => count += u64::from(is_changed),
                // The investigation was deleted in the meantime.
                Err(AuthoringError::InvestigationNotFound) => {}
                Err(error) => return Err(error),
            }
        }
        after = slice.end;
    }
    app.store.reassign_trash(from, to).await?;
    Ok(count)
}

/// Returns whether `new_author` can become the author of what the person `id` wrote. The new author must be another
/// active person with a role.
pub async fn can_reassign(app: &App, id: ObjectId, new_author: ObjectId) -> Result<bool, StoreError> {
    let found = app.store.people(&[new_author]).await?.pop();
    Ok(new_author != id && found.is_some_and(|person| person.can_become_author(app.http.default_role)))
}

fn decide(app: &App, before: &Investigation, from: ObjectId, to: ObjectId) -> Decided<bool> {
    let reassigned = |person: ObjectId| if person == from { to } else { person };
    let (content, findings) = (before.content.clone(), before.findings.clone());
    let mut after = before.after(&Step::Stay, content, findings, &app.schema, app.clock.now());
    after.author = before.author.map(reassigned);
    after.metadata_author = before.metadata_author.map(reassigned);
    after.editors.clear();
    for editor in before.editors.iter().copied().map(reassigned) {
        if !after.editors.contains(&editor) {
            after.editors.push(editor);
        }
    }
    let is_changed = !after.equals_except_revision(before);
    Decided { after, step: Step::Stay, message: None, answer: is_changed }
}
