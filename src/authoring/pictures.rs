//! Adds pictures to investigations, and removes them.

use fieldbook_pictures::Picture;

use super::change::{check_right, in_time};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::{check_permission, load_expected};
use crate::admission::{self, Class};
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::permission::{self, Operation};
use crate::store::{PictureAdded, PictureRemoved, StoreError};

/// Converts a file into a picture, and adds it to an investigation. The content and the revision stay the same.
pub async fn add(app: &App, id: ObjectId, context: &ChangeContext, file: &[u8]) -> Result<Picture, AuthoringError> {
    check_right(app, context).await?;
    check_permission(app, id, context).await?;
    app.store.state(id).await?.ok_or(AuthoringError::InvestigationNotFound)?;
    // Takes the permit for pictures again, because loading a large investigation may have replaced it.
    admission::hold(Class::Picture).await.map_err(StoreError::from)?;
    // Treats the work as large, because even a small file can contain a large picture.
    let core = app.admission.core(context.actor, fieldbook_pictures::MAX_BYTES).await;
    let made = core.run(|| fieldbook_pictures::make(file))?;
    drop(core);
    let stored = app.store.add_picture(id, made.clone(), app.clock.now());
    match in_time(app, context, async { Ok(stored.await?) }).await? {
        PictureAdded::Done => Ok(made),
        PictureAdded::NoInvestigation => Err(AuthoringError::InvestigationNotFound),
        PictureAdded::Full => Err(AuthoringError::TooManyPictures),
    }
}

/// Removes a picture from an investigation and all its versions. Requires the permission to delete the investigation
/// permanently.
pub async fn remove(app: &App, id: ObjectId, context: &ChangeContext, picture: String) -> Result<(), AuthoringError> {
    let remove = async {
        let before = load_expected(app, id, context).await?;
        permission::decide(context.caller, Operation::Own, Some(before.ownership()), app.http.editing)?;
        let removed = app.store.remove_picture(id, picture, context.expected.clone(), context.stamp(app)).await?;
        match removed {
            PictureRemoved::Done => Ok(()),
            PictureRemoved::NoInvestigation => Err(AuthoringError::InvestigationNotFound),
            PictureRemoved::NoPicture => Err(AuthoringError::PictureNotFound),
            PictureRemoved::Changed { revision } => Err(AuthoringError::Changed { revision }),
        }
    };
    in_time(app, context, remove).await
}
