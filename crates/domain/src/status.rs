//! The five statuses. Three are computed from the content, two are set by a person and stay.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::content::Content;
use super::finding::Findings;
use super::schema::Schema;

/// Status of an investigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// A field that counts towards completeness is missing or blank.
    DraftIncomplete,
    /// Complete, and no contradiction was found.
    DraftNonContradictoryComplete,
    /// Complete, with a contradiction.
    DraftContradictoryComplete,
    /// A person is working on it.
    InDevelopment,
    /// A person has published it.
    Published,
}

impl Status {
    /// All statuses, in the order of an investigation's life.
    pub const ALL: [Status; 5] = [
        Status::DraftIncomplete,
        Status::DraftNonContradictoryComplete,
        Status::DraftContradictoryComplete,
        Status::InDevelopment,
        Status::Published,
    ];

    /// Returns the name that clients see. This is the one place to edit when the names change.
    pub const fn name(self) -> &'static str {
        match self {
            Status::DraftIncomplete => "draft_incomplete",
            Status::DraftNonContradictoryComplete => "draft_non_contradictory_complete",
            Status::DraftContradictoryComplete => "draft_contradictory_complete",
            Status::InDevelopment => "in_development",
            Status::Published => "published",
        }
    }

    /// Returns the status that clients call `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns the stored name, which never changes.
    pub const fn stored(self) -> &'static str {
        match self {
            Status::DraftIncomplete => "draft_incomplete",
            Status::DraftNonContradictoryComplete => "draft_non_contradictory_complete",
            Status::DraftContradictoryComplete => "draft_contradictory_complete",
            Status::InDevelopment => "in_development",
            Status::Published => "published",
        }
    }

    /// Returns the status with this stored name.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.stored() == text)
    }

    /// Returns whether a person sets this status. It then stays until a person sets another.
    pub const fn is_set_by_hand(self) -> bool {
        matches!(self, Status::InDevelopment | Status::Published)
    }

    /// Returns the status before processing, if a person asked for `wanted`. A draft status is computed by processing;
    /// until then the current draft status stays.
    #[must_use]
    pub fn asked(self, wanted: Option<Status>) -> Self {
        match wanted {
            Some(by_hand) if by_hand.is_set_by_hand() => by_hand,
            Some(_) if self.is_set_by_hand() => Status::DraftIncomplete,
            _ => self,
        }
    }

    /// Returns the status after contradiction processing of `content`. If nothing was found and detection is
    /// incomplete, the status stays.
    #[must_use]
    pub fn after_processing(self, content: &Content, findings: &Findings, schema: &Schema) -> Self {
        if self.is_set_by_hand() {
            self
        } else if schema.missing_fields(content).next().is_some() {
            Status::DraftIncomplete
        } else if !findings.contradictions.is_empty() {
            Status::DraftContradictoryComplete
        } else if findings.is_all() {
            Status::DraftNonContradictoryComplete
        } else {
            self
        }
    }
}

/// Reads a status from a client.
///
/// # Errors
/// A sentence with the accepted names.
pub fn read(value: &Value) -> Result<Status, String> {
    value
        .as_str()
        .and_then(Status::from_name)
        .ok_or_else(|| format!("must be one of {}", Status::ALL.map(Status::name).join(", ")))
}

impl Serialize for Status {
    /// Returns the stored form; responses use [`Status::name`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.stored())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::from_stored(&text).ok_or_else(|| serde::de::Error::custom(format!("the status {text:?} does not exist")))
    }
}
