//! The five statuses. Three draft statuses are computed from the content. Two statuses are set by a person, and stay
//! until a person sets another status.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::content::Content;
use super::finding::Findings;
use super::schema::Schema;

/// Status of an investigation. The order is that in which an investigation usually passes through them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    /// A field that is necessary for completeness is missing or blank.
    DraftIncomplete,
    /// All necessary fields are present, and no contradiction was found.
    DraftNonContradictoryComplete,
    /// All necessary fields are present, and there is a contradiction.
    DraftContradictoryComplete,
    /// Set by a person who is working on the investigation.
    InDevelopment,
    /// Set by a person who has published the investigation.
    Published,
}

impl Status {
    /// Returns whether this status is set by a person. If so, it stays until a person sets another status.
    pub const fn is_set_by_hand(self) -> bool {
        matches!(self, Status::InDevelopment | Status::Published)
    }

    /// Returns the status of an investigation between a change and the check of its content. After the check,
    /// [`Self::after_processing`] computes the next status. `wanted` is the status that a person asked for, if any. A
    /// status set by hand is taken as it is. A draft status cannot be chosen: it leaves a current draft status
    /// unchanged, and changes a current status set by hand to `DraftIncomplete`.
    #[must_use]
    pub fn with_requested(self, wanted: Option<Status>) -> Self {
        match wanted {
            Some(by_hand) if by_hand.is_set_by_hand() => by_hand,
            Some(_) if self.is_set_by_hand() => Status::DraftIncomplete,
            _ => self,
        }
    }

    /// Returns the status after `content` was checked for contradictions. A status set by hand stays. A draft status
    /// stays if no field is missing and no contradiction was found, but not everything could be checked.
    #[must_use]
    pub fn after_processing(self, content: &Content, findings: &Findings, schema: &Schema) -> Self {
        if self.is_set_by_hand() {
            self
        } else if schema.missing_fields(content).next().is_some() {
            Status::DraftIncomplete
        } else if !findings.contradictions.is_empty() {
            Status::DraftContradictoryComplete
        } else if findings.is_complete() {
            Status::DraftNonContradictoryComplete
        } else {
            self
        }
    }
}
