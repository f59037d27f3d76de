//! Pictures of investigations. An investigation shows only pictures that it holds.

use fieldbook_pictures::Picture;

use super::change::{Decided, check_right, in_time, refuse};
use super::context::ChangeContext;
use super::failure::Failure;
use super::load::{check_permission, load_expected};
use crate::admission::{self, Class};
use crate::app::App;
use crate::domain::history::{Kind, Step};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::permission::{self, Operation};
use crate::domain::picture::{self, Reference};
use crate::domain::schema::Violation;
use crate::store::{PictureAdded, PictureRemoved, StoreError};

/// Makes a picture out of a file, and adds it to an investigation. This is no change: the revision stays.
pub async fn add(app: &App, id: ObjectId, context: &ChangeContext, file: &[u8]) -> Result<Picture, Failure> {
    check_right(app, context).await?;
    check_permission(app, id, context).await?;
    app.store.state(id).await?.ok_or(Failure::InvestigationNotFound)?;
    // A large investigation needed another permit.
    admission::hold(Class::Picture).await.map_err(StoreError::from)?;
    // A small file can be a large picture.
    let core = app.admission.core(context.actor, fieldbook_pictures::MAX_BYTES).await;
    let made = core.run(|| fieldbook_pictures::make(file))?;
    drop(core);
    let stored = app.store.add_picture(id, made.clone(), app.clock.now());
    match in_time(app, context, async { Ok(stored.await?) }).await? {
        PictureAdded::Done => Ok(made),
        PictureAdded::NoInvestigation => Err(Failure::InvestigationNotFound),
        PictureAdded::Full => Err(Failure::TooManyPictures),
    }
}

/// Removes a picture from an investigation and all its versions. Whoever may delete the investigation for good may do this.
pub async fn remove(app: &App, id: ObjectId, context: &ChangeContext, picture: String) -> Result<(), Failure> {
    let remove = async {
        let before = load_expected(app, id, context).await?;
        permission::decide(context.caller, Operation::Own, Some(before.ownership()), app.http.editing)?;
        let removed = app.store.remove_picture(id, picture, context.expected.clone(), context.stamp(app)).await?;
        match removed {
            PictureRemoved::Done => Ok(()),
            PictureRemoved::NoInvestigation => Err(Failure::InvestigationNotFound),
            PictureRemoved::NoPicture => Err(Failure::PictureNotFound),
            PictureRemoved::Changed { revision } => Err(Failure::Changed { revision }),
        }
    };
    in_time(app, context, remove).await?;
    app.feed.changed();
    Ok(())
}

/// Returns the ids of the pictures that a change begins to show. A change that goes back to an earlier content may show
/// pictures that were removed since: their places say so.
///
/// # Errors
/// [`Failure::Invalid`] if the investigation does not hold one of them.
pub(super) async fn introduced<T>(
    app: &App,
    before: &Investigation,
    decided: &Decided<T>,
) -> Result<Vec<String>, Failure> {
    let goes_back = match &decided.step {
        Step::Record(record) => record.kind == Kind::Restore,
        Step::Undo { .. } | Step::Redo { .. } => true,
        Step::Stay | Step::Name { .. } => return Ok(Vec::new()),
    };
    let introduced = picture::introduced(&before.content, &decided.after.content);
    if goes_back || introduced.is_empty() {
        return Ok(Vec::new());
    }
    let ids = picture::ids(&introduced);
    let held = app.store.held_pictures(before.id, ids.clone()).await?;
    refuse(violations(&introduced, &held))?;
    Ok(ids)
}

/// Returns a violation for each reference to a picture that is not held.
pub(super) fn violations(references: &[Reference<'_>], held: &[String]) -> Vec<Violation> {
    let missing = references.iter().filter(|reference| !held.iter().any(|id| id == reference.id));
    let violation = |reference: &Reference<'_>| {
        Violation::new(
            reference.path.clone(),
            "must be the id of a picture that this investigation holds; send the picture to it first",
        )
    };
    missing.map(violation).collect()
}
