//! The line of an investigation in the trash.

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::{StoreError, Trashed};

/// An investigation in the trash, with everything that a restore brings back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrashLine {
    deleted_at: Timestamp,
    deleted_by: Option<ObjectId>,
    investigation: Entry,
}

impl TrashLine {
    pub fn id(&self) -> ObjectId {
        self.investigation.id()
    }

    /// Validates the investigation.
    ///
    /// # Errors
    /// What is wrong with the investigation, as a phrase that follows the line number: `cannot be imported: …`.
    pub fn trashed(self) -> Result<Trashed, String> {
        let whole = self.investigation.whole()?;
        Trashed::of(whole, self.deleted_at, self.deleted_by).map_err(|error| format!("cannot be imported: {error}"))
    }
}

impl TryFrom<&Trashed> for TrashLine {
    type Error = StoreError;

    fn try_from(trashed: &Trashed) -> Result<Self, StoreError> {
        let investigation = trashed.entry()?;
        Ok(Self { deleted_at: trashed.item.deleted_at, deleted_by: trashed.item.deleted_by, investigation })
    }
}
