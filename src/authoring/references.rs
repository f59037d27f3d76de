//! References to pictures: an investigation shows only pictures that it holds.

use super::error::{AuthoringError, refuse};
use crate::app::App;
use crate::domain::content::Content;
use crate::domain::history::{Kind, Step};
use crate::domain::investigation::Investigation;
use crate::domain::picture::{self, Reference};
use crate::domain::schema::Violation;

/// Checks the pictures that a change refers to for the first time, and returns the ids of those that the investigation
/// holds. An undo, a redo or a restore may refer to pictures that were removed. Such pictures are shown as removed.
///
/// # Errors
/// [`AuthoringError::Invalid`] if any other change refers to a picture that the investigation does not hold.
pub async fn introduced(
    app: &App,
    before: &Investigation,
    step: &Step,
    after: &Content,
) -> Result<Vec<String>, AuthoringError> {
    let goes_back = match step {
        Step::Record(record) => record.kind == Kind::Restore,
        Step::Undo { .. } | Step::Redo { .. } => true,
        Step::Stay | Step::Name { .. } => return Ok(Vec::new()),
    };
    let introduced = picture::introduced(&before.content, after);
    if introduced.is_empty() {
        return Ok(Vec::new());
    }
    let held = app.store.held_pictures(before.id, picture::ids(&introduced)).await?;
    if !goes_back {
        check(&introduced, &held)?;
    }
    Ok(held)
}

/// Refuses references to pictures that are not held.
pub fn check(references: &[Reference<'_>], held: &[String]) -> Result<(), AuthoringError> {
    let missing = references.iter().filter(|reference| !held.iter().any(|id| id == reference.id));
    let violation = |reference: &Reference<'_>| {
        Violation::new(
            reference.path.clone(),
            "must be the id of a picture that this investigation holds; send the picture to it first",
        )
    };
    refuse(missing.map(violation).collect())
}
