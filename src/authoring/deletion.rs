//! Deletes investigations, permanently or into the trash, and restores them from the trash.

use std::sync::Arc;

use super::change::{MAX_RACES, in_time};
use super::context::ChangeContext;
use super::failure::Failure;
use super::load::{is_checked, load_expected};
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};
use crate::domain::permission::{self, Operation, Ownership};
use crate::store::{Deleted, Discarded, MAX_TRASH_WEIGHT, Undeleted};

/// Moves an investigation with its versions, links and chats to the trash. If the service has no trash, deletes it
/// permanently. `for_good` skips the trash, which only the author and admins may do. Returns the number of chats.
pub async fn delete(app: &App, id: ObjectId, context: &ChangeContext, for_good: bool) -> Result<u64, Failure> {
    in_time(app, context.actor, delete_locked(app, id, context, for_good || app.http.trash_days == 0)).await
}

async fn delete_locked(app: &App, id: ObjectId, context: &ChangeContext, for_good: bool) -> Result<u64, Failure> {
    let _lock = app.edit_locks.lock(id).await;
    for _ in 0..MAX_RACES {
        let deleted = if for_good { remove(app, id, context).await? } else { discard(app, id, context).await? };
        match deleted {
            Deleted::Done { chats } => {
                app.feed.changed();
                return Ok(chats);
            }
            Deleted::Unknown => return Err(Failure::InvestigationNotFound),
            Deleted::Conflict => {}
        }
    }
    Err(Failure::TooManyRaces)
}

async fn remove(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Deleted, Failure> {
    let passes_by_the_trash = app.http.trash_days > 0 && !context.caller.roles.admin;
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

async fn discard(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Deleted, Failure> {
    let expected = load_expected(app, id, context).await?.revision;
    // The whole investigation is held in memory, so this counts as a heavy read.
    let _share = app.heavy_reads.take(context.actor).await;
    let weight = app.store.weight(id).await?.unwrap_or_default();
    if weight > MAX_TRASH_WEIGHT {
        return Err(Failure::TooLargeForTrash);
    }
    let whole = app.store.whole(id).await?.ok_or(Failure::InvestigationNotFound)?;
    if whole.revision() != expected {
        return Ok(Deleted::Conflict);
    }
    let (stamp, bytes) = (context.stamp(app), usize::try_from(weight).unwrap_or(usize::MAX));
    let discarded = app.capacity.compute(context.actor, bytes, || Discarded::of(whole, stamp)).await?;
    Ok(app.store.discard(discarded).await?)
}

/// Restores an investigation from the trash. Does not restore a link whose address another link has now. Returns the
/// investigation, and the addresses of the links that were not restored, such as `class-5b/radishes`.
pub async fn undelete(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
) -> Result<(Arc<Investigation>, Vec<String>), Failure> {
    in_time(app, context.actor, undelete_locked(app, id, context)).await
}

async fn undelete_locked(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
) -> Result<(Arc<Investigation>, Vec<String>), Failure> {
    let _lock = app.edit_locks.lock(id).await;
    let _share = app.heavy_reads.take(context.actor).await;
    let since = app.clock.now().earlier_by(app.http.trash_kept());
    let trashed = app.store.trashed(id, since).await?.ok_or(Failure::NotInTrash)?;
    let ownership = Ownership { author: trashed.item.author, editors: &[] };
    permission::decide(context.caller, Operation::Own, Some(ownership), app.http.editing)?;
    let restored = app.capacity.compute(context.actor, usize::MAX, || trashed.restored()).await?;
    let investigation = restored.investigation().clone();
    match app.store.undelete(restored, context.stamp(app)).await? {
        Undeleted::Done { links_left_out } => {
            app.feed.changed();
            Ok((investigation, links_left_out))
        }
        Undeleted::Exists => Err(Failure::InvestigationExists),
        Undeleted::NotInTrash => Err(Failure::NotInTrash),
    }
}
