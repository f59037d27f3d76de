//! Deletes investigations, permanently or into the trash, and restores or purges what is in the trash.

use tokio::time::Instant;

use super::change::{MAX_RACES, in_time, in_turn, under_lock};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::{check_permission, is_checked, load_expected};
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};
use crate::domain::permission::{self, Operation, Ownership};
use crate::store::{Deleted, Discarded, Undeleted};

/// Moves an investigation with its versions and links to the trash, and deletes its chats. If the service has no trash,
/// deletes everything. `for_good` skips the trash, which only the author and admins may do. Returns the number of
/// chats.
pub async fn delete(app: &App, id: ObjectId, context: &ChangeContext, for_good: bool) -> Result<u64, AuthoringError> {
    in_time(app, context, delete_locked(app, id, context, for_good || app.http.trash_days == 0)).await
}

async fn delete_locked(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    for_good: bool,
) -> Result<u64, AuthoringError> {
    check_permission(app, id, context).await?;
    let begin = Instant::now();
    for _ in 0..MAX_RACES {
        let (_lock, deleted) = under_lock(app, id, begin, || delete_once(app, id, context, for_good)).await?;
        match deleted {
            Deleted::Done { chats } => return Ok(chats),
            Deleted::Unknown => return Err(AuthoringError::InvestigationNotFound),
            Deleted::Conflict => {}
        }
    }
    Err(AuthoringError::TooManyRaces)
}

async fn delete_once(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    for_good: bool,
) -> Result<Deleted, AuthoringError> {
    if for_good { remove(app, id, context).await } else { discard(app, id, context).await }
}

async fn remove(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Deleted, AuthoringError> {
    let passes_by_the_trash = app.http.trash_days > 0 && !context.caller.is_admin();
    let revision = if context.expected == Expected::Any && !passes_by_the_trash && !is_checked(app, context) {
        None
    } else {
        let before = load_expected(app, id, context).await?;
        if passes_by_the_trash {
            permission::decide(context.caller, Operation::Own, Some(before.ownership()), app.http.editing)?;
        }
        Some(before.revision)
    };
    Ok(app.store.delete(id, revision, context.stamp(app)).await?)
}

async fn discard(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Deleted, AuthoringError> {
    let investigation = load_expected(app, id, context).await?;
    Ok(app.store.discard(&investigation, context.stamp(app)).await?)
}

/// Restores an investigation from the trash, with an empty chat. A link whose address has been taken by another link is
/// not restored. Returns the investigation, and the addresses of the links that were not restored, such as
/// `class-5b/radishes`.
pub async fn undelete(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
) -> Result<(Investigation, Vec<String>), AuthoringError> {
    in_time(app, context, undelete_locked(app, id, context)).await
}

async fn undelete_locked(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
) -> Result<(Investigation, Vec<String>), AuthoringError> {
    let _lock = in_turn(Instant::now(), app.edit_locks.lock(id)).await?;
    let discarded = find_discarded(app, id, context).await?;
    let restored = discarded.restored();
    let stamp = context.stamp(app);
    match app.store.undelete(discarded, app.ids.object_id(stamp.at), stamp).await? {
        Undeleted::Done { links_left_out } => Ok((restored, links_left_out)),
        Undeleted::Exists => Err(AuthoringError::InvestigationExists),
        Undeleted::NotInTrash => Err(AuthoringError::NotInTrash),
    }
}

/// Permanently deletes an investigation in the trash.
pub async fn purge(app: &App, id: ObjectId, context: &ChangeContext) -> Result<(), AuthoringError> {
    in_time(app, context, purge_found(app, id, context)).await
}

async fn purge_found(app: &App, id: ObjectId, context: &ChangeContext) -> Result<(), AuthoringError> {
    let discarded = find_discarded(app, id, context).await?;
    if app.store.purge(discarded, context.stamp(app)).await? { Ok(()) } else { Err(AuthoringError::NotInTrash) }
}

/// Finds an investigation in the trash. Only its author and admins may restore or purge it. Other users get the same
/// error as for an investigation that is not in the trash.
async fn find_discarded(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Discarded, AuthoringError> {
    let since = app.clock.now().earlier_by(app.http.trash_kept());
    let discarded = app.store.discarded(id, since).await?.ok_or(AuthoringError::NotInTrash)?;
    let ownership = Ownership { author: discarded.investigation.author, editors: &[] };
    let permitted = permission::decide(context.caller, Operation::Own, Some(ownership), app.http.editing);
    permitted.map(|()| discarded).map_err(|_| AuthoringError::NotInTrash)
}
