//! Short links to investigations, and their visits. A link consists of a key and a sub-link.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::event::LinkName;
use super::id::ObjectId;
use super::json::MAX_COUNT;
use super::time::Timestamp;

/// Number of characters of a generated sub-link.
pub const GENERATED_LENGTH: usize = 8;

/// Characters of generated sub-links: digits and lower-case letters without 0, o, 1, i and l, which look alike.
pub const ALPHABET: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// Maximum length of a key or sub-link, in characters.
pub const MAX_NAME: usize = 64;
/// Maximum length of a description, in characters.
pub const MAX_DESCRIPTION: usize = 500;

/// Maximum number of links of an investigation. The answer to a restore from the trash may have to list all of them.
pub const MAX_LINKS: u64 = 10_000;

/// A key that links cannot have, because `/api/link/investigation/{id}` is another route.
const RESERVED_KEY: &str = "investigation";

/// Which part of the investigation the page of a link shows.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Shows {
    /// No content of the investigation.
    #[default]
    Nothing,
    /// The fields that the schema marks with `"x-audience": "pupil"`.
    Handout,
    /// Every field.
    Lesson,
}

/// Properties of a link that can be set when it is created, and changed later.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LinkOptions {
    /// Which part of the investigation the page of the link shows.
    pub shows: Shows,
    /// Version of the investigation that the page shows; null for the current version.
    pub version: Option<u64>,
    /// Time at which the link expires; null if it never expires.
    pub expires_at: Option<Timestamp>,
    /// Number of visits after which the link closes; null for no limit.
    pub max_visits: Option<u64>,
    /// Whether the link is archived. An archived link is closed.
    pub archived: bool,
}

/// A link to an investigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Id of the link.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The first part of the link's address.
    pub key: String,
    /// The second part of the link's address.
    pub sub_link: String,
    /// The author's note about the link.
    pub description: String,
    /// The investigation that the link points to.
    pub investigation_id: ObjectId,
    /// The user who created the link, if known.
    pub creator: Option<ObjectId>,
    /// Number of counted visits.
    pub visit_count: u64,
    /// When the link was created.
    pub created_at: Timestamp,
    /// The options of the link, which can be changed later.
    #[serde(flatten)]
    pub options: LinkOptions,
}

impl Link {
    /// Returns how many of `visits` visits at the time `at` may be counted: 0 if the link is closed, and fewer than
    /// `visits` if the limit of the link would be exceeded.
    pub fn admits(&self, visits: u64, at: Timestamp) -> u64 {
        if self.has_ended(at) {
            return 0;
        }
        let max_visits = self.options.max_visits;
        max_visits.map_or(visits, |most| most.saturating_sub(self.visit_count).min(visits))
    }

    /// Returns whether the link is archived or has expired at the time `at`. If so, nobody can open it, not even
    /// visitors who were counted before.
    pub fn has_ended(&self, at: Timestamp) -> bool {
        self.options.archived || self.options.expires_at.is_some_and(|end| end <= at)
    }

    /// Returns the visit with this number.
    pub fn visit(&self, number: u64) -> Visit {
        Visit {
            link: self.id,
            investigation_id: self.investigation_id,
            key: self.key.clone(),
            sub_link: self.sub_link.clone(),
            visit_count: number,
            shows: self.options.shows,
            version: self.options.version,
        }
    }

    /// Returns the address of the link: its key and its sub-link.
    pub fn name(&self) -> LinkName {
        LinkName { key: self.key.clone(), sub_link: self.sub_link.clone() }
    }

    /// Returns the address of the link as one text, such as `class-5b/radishes`.
    pub fn address(&self) -> String {
        format!("{}/{}", self.key, self.sub_link)
    }

    /// Returns whether the link is archived, has expired or has reached its visit limit at the time `at`.
    pub fn is_closed(&self, at: Timestamp) -> bool {
        self.admits(1, at) == 0
    }
}

/// How somebody uses the address of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VisitKind {
    /// A program resolves the link, or a person has decided to open it. This counts as a visit.
    Open,
    /// A person, or a program that makes a preview, looks at the page of the link. This counts as a visit unless the
    /// link has a visit limit, because a preview must not use up a visit.
    Look,
}

/// A counted visit of a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Visit {
    /// Id of the link.
    #[serde(skip)]
    pub link: ObjectId,
    /// The investigation that the link points to.
    pub investigation_id: ObjectId,
    /// The first part of the link's address.
    pub key: String,
    /// The second part of the link's address.
    pub sub_link: String,
    /// The link's visit count after this visit. It is different for each visit.
    pub visit_count: u64,
    /// Which part of the investigation the page of the link shows.
    #[serde(skip)]
    pub shows: Shows,
    /// Version of the investigation that the page shows; `None` for the current version.
    #[serde(skip)]
    pub version: Option<u64>,
}

/// Number of visits of a link on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayCount {
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// Number of visits on that day.
    pub count: u64,
}

/// Returns what is wrong with a key or sub-link, as a phrase that follows "key" or "subLink"; `None` if it is valid.
pub fn name_fault(name: &str) -> Option<String> {
    let taken = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(taken))
        .then(|| format!("must be 1 to {MAX_NAME} characters of A-Z a-z 0-9 _ -"))
}

/// Returns what is wrong with an imported link, as a phrase that follows the link's address; `None` if it is valid.
pub fn fault(link: &Link) -> Option<String> {
    let named = |field: &str, fault: Option<String>| fault.map(|fault| format!("is invalid: {field} {fault}"));
    named("key", key_fault(&link.key))
        .or_else(|| named("subLink", name_fault(&link.sub_link)))
        .or_else(|| named("description", description_fault(&link.description)))
        .or_else(|| named("visitCount", count_fault(link.visit_count)))
        .or_else(|| named("maxVisits", link.options.max_visits.and_then(max_visits_fault)))
}

/// Returns whether a text is a day in UTC, such as `2026-11-30`.
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
