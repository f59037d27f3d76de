//! Short links: a key and a sub-link that lead to an investigation, and the visits they had.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::event::LinkName;
use super::id::ObjectId;
use super::json::MAX_COUNT;
use super::time::Timestamp;

/// A sub-link that the service makes has this many characters.
pub const GENERATED_LENGTH: usize = 8;

/// Alphabet of generated sub-links: one case, without 0, o, 1, i and l, which look alike.
pub const ALPHABET: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 500;

/// A key that the route for the links of an investigation would hide.
const RESERVED_KEY: &str = "investigation";

/// What the page of a link shows of its investigation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shows {
    /// No content.
    #[default]
    Nothing,
    /// The fields that the schema marks with `"x-audience": "pupil"`.
    Handout,
    /// Every field.
    Lesson,
}

impl Shows {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::Nothing, Self::Handout, Self::Lesson];

    /// Returns the name in JSON and in stores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Handout => "handout",
            Self::Lesson => "lesson",
        }
    }

    /// Returns the value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shows| shows.name() == name)
    }
}

/// What an author decides about a link, at its creation and later.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LinkOptions {
    /// What the page of the link shows.
    pub shows: Shows,
    /// Version of the investigation that the page shows; null for the current one.
    pub version: Option<u64>,
    /// Time from which the link is closed; null for never.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// Number of visits after which the link is closed; null for no limit.
    #[schema(minimum = 1)]
    pub max_visits: Option<u64>,
    /// Whether the author has closed the link.
    pub archived: bool,
}

/// A link as responses show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Id of the link.
    #[serde(rename = "_id")]
    #[schema(value_type = String)]
    pub id: ObjectId,
    /// The first part of its address.
    pub key: String,
    /// The second part of its address.
    pub sub_link: String,
    /// The author's note about the link.
    pub description: String,
    /// The investigation it leads to.
    #[schema(value_type = String)]
    pub investigation_id: ObjectId,
    /// The user who created the link.
    #[schema(value_type = Option<String>)]
    pub creator: Option<ObjectId>,
    /// Number of visits.
    pub visit_count: u64,
    /// When it was created.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// The author's decisions about the link.
    #[serde(flatten)]
    pub options: LinkOptions,
}

impl Link {
    /// Returns how many of these visits at this time the link admits: none if it is closed.
    pub fn admits(&self, visits: u64, at: Timestamp) -> u64 {
        let LinkOptions { expires_at, max_visits, archived, .. } = &self.options;
        if *archived || expires_at.is_some_and(|end| end <= at) {
            return 0;
        }
        max_visits.map_or(visits, |most| most.saturating_sub(self.visit_count).min(visits))
    }

    /// Returns its address.
    pub fn name(&self) -> LinkName {
        LinkName { key: self.key.clone(), sub_link: self.sub_link.clone() }
    }

    /// Checks whether the link admits no visit at this time: it is archived, expired or used up.
    pub fn is_closed(&self, at: Timestamp) -> bool {
        self.admits(1, at) == 0
    }
}

/// Result of resolving a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Visit {
    /// The investigation it leads to.
    #[schema(value_type = String)]
    pub investigation_id: ObjectId,
    /// The first part of the link's address.
    pub key: String,
    /// The second part of the link's address.
    pub sub_link: String,
    /// The count after this visit; no other visit of this link has the same.
    pub visit_count: u64,
    /// What the page of the link shows.
    #[serde(skip)]
    pub shows: Shows,
    /// Version of the investigation that the page shows; `None` for the current one.
    #[serde(skip)]
    pub version: Option<u64>,
}

/// The visits of one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayCount {
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// Number of visits on that day.
    pub count: u64,
}

/// Returns what is wrong with a key or sub-link; `None` if nothing is.
pub fn name_fault(name: &str) -> Option<String> {
    let taken = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(taken))
        .then(|| format!("must be 1 to {MAX_NAME} characters of A-Z a-z 0-9 _ -"))
}

/// Returns what is wrong with an imported link, as a phrase that follows its name; `None` if nothing is.
pub fn fault(link: &Link) -> Option<String> {
    let named = |field: &str, fault: Option<String>| fault.map(|fault| format!("breaks its form: {field} {fault}"));
    named("key", key_fault(&link.key))
        .or_else(|| named("subLink", name_fault(&link.sub_link)))
        .or_else(|| named("description", description_fault(&link.description)))
        .or_else(|| named("visitCount", count_fault(link.visit_count)))
        .or_else(|| named("maxVisits", link.options.max_visits.and_then(max_visits_fault)))
}

/// Returns whether a text is a day in the format of [`DayCount`].
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && Timestamp::from_rfc3339(&format!("{text}T00:00:00Z")).is_some()
}

pub(super) fn key_fault(key: &str) -> Option<String> {
    if key == RESERVED_KEY {
        return Some(format!("must not be \"{RESERVED_KEY}\", which the service uses itself"));
    }
    name_fault(key)
}

pub(super) fn max_visits_fault(most: u64) -> Option<String> {
    (most == 0 || most > MAX_COUNT).then(|| format!("must be 1 to {MAX_COUNT}"))
}

fn count_fault(count: u64) -> Option<String> {
    (count > MAX_COUNT).then(|| format!("must be at most {MAX_COUNT}"))
}

pub(super) fn description_fault(description: &str) -> Option<String> {
    (description.chars().count() > MAX_DESCRIPTION).then(|| format!("must have at most {MAX_DESCRIPTION} characters"))
}
