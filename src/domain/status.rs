//! The five statuses. Three are computed from the content, two are set by a person and stay.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::content::Content;
use super::finding::Findings;
use super::schema::Schema;

/// Where an investigation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// A field that counts towards completeness is missing or blank.
    DraftIncomplete,
    /// Complete, and no contradiction was found.
    DraftNonContradictoryComplete,
    /// Complete, with a contradiction.
    DraftContradictoryComplete,
    /// Set by a person.
    InDevelopment,
    /// Set by a person.
    Published,
}

impl Status {
    /// All of them, in the order of an investigation's life.
    pub const ALL: [Status; 5] = [
        Status::DraftIncomplete,
        Status::DraftNonContradictoryComplete,
        Status::DraftContradictoryComplete,
        Status::InDevelopment,
        Status::Published,
    ];

    /// The name that clients see. This is the one place to edit when the names change.
    pub const fn name(self) -> &'static str {
        match self {
            Status::DraftIncomplete => "draft_incomplete",
            Status::DraftNonContradictoryComplete => "draft_non_contradictory_complete",
            Status::DraftContradictoryComplete => "draft_contradictory_complete",
            Status::InDevelopment => "in_development",
            Status::Published => "published",
        }
    }

    /// The status that clients call `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The name under which stores keep it, for ever, whatever clients call it.
    pub const fn stored(self) -> &'static str {
        match self {
            Status::DraftIncomplete => "draft_incomplete",
            Status::DraftNonContradictoryComplete => "draft_non_contradictory_complete",
            Status::DraftContradictoryComplete => "draft_contradictory_complete",
            Status::InDevelopment => "in_development",
            Status::Published => "published",
        }
    }

    /// The status that stores keep as `text`.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.stored() == text)
    }

    /// Whether a person set it, so that it stays until a person sets another.
    pub const fn is_set_by_hand(self) -> bool {
        matches!(self, Status::InDevelopment | Status::Published)
    }

    /// The status before processing, where a person asked for `wanted`. A draft status is computed; until it can be,
    /// the draft status that is there stays.
    #[must_use]
    pub fn asked(self, wanted: Option<Status>) -> Self {
        match wanted {
            Some(by_hand) if by_hand.is_set_by_hand() => by_hand,
            Some(_) if self.is_set_by_hand() => Status::DraftIncomplete,
            _ => self,
        }
    }

    /// This status once contradiction processing has been applied to `content`. Where nothing was found but not
    /// everything was read, this says nothing about the content: the status stays as it is.
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

/// Reads the status that a client sent.
///
/// # Errors
/// A sentence with the names that are taken.
pub fn read(value: &Value) -> Result<Status, String> {
    value
        .as_str()
        .and_then(Status::from_name)
        .ok_or_else(|| format!("must be one of {}", Status::ALL.map(Status::name).join(", ")))
}

impl Serialize for Status {
    /// As stores keep it: responses show [`Status::name`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.stored())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::from_stored(&text).ok_or_else(|| serde::de::Error::custom(format!("there is no status {text:?}")))
    }
}
