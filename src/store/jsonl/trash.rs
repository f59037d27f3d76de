//! The line of an investigation in the trash.

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::Trashed;

/// An investigation in the trash, with all data that is needed to restore it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrashLine {
    pub deleted_at: Timestamp,
    pub deleted_by: Option<ObjectId>,
    /// Addresses of its links that other links have taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displaced: Vec<String>,
    pub investigation: Entry,
}

impl TrashLine {
    /// Validates the investigation.
    ///
    /// # Errors
    /// What is wrong with the investigation, as a phrase that follows the line number: `cannot be imported: …`.
    pub fn trashed(self) -> Result<Trashed, String> {
        let Self { deleted_at, deleted_by, displaced, investigation } = self;
        let whole = investigation.whole()?;
        if whole.chat.is_some() {
            return Err("cannot be imported: an investigation in the trash has no chat".to_owned());
        }
        if let Some(unknown) = displaced.iter().find(|address| !whole.has_link(address)) {
            return Err(format!(
                "cannot be imported: `displaced` names the link {unknown}, which the investigation does not have"
            ));
        }
        Ok(Trashed { whole, deleted_at, deleted_by, displaced })
    }
}
