//! Pagination: the size limit of a response, the positions of entries, and the cursor of the next page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

use super::id::ObjectId;
use super::link::{self, DayCount, Link};
use super::time::Timestamp;

/// Maximum size of a response with a list of entries, in bytes. It also limits the stored rows that are read for the
/// response. A page contains at least one entry, even if this entry exceeds the maximum.
pub const MAX_ANSWER: usize = 8 * 1024 * 1024;

/// Maximum size of the response for a list without a filter or a list of short entries, in bytes. It is lower than
/// [`MAX_ANSWER`], because many callers may read such lists at once.
pub const MAX_LIGHT_ANSWER: usize = 2 * 1024 * 1024;

/// Approximate size of the parts of a response that are not entries, in bytes.
const ENVELOPE: usize = 4 * 1024;

/// Remaining bytes for the entries of one response.
#[derive(Debug, Clone, Copy)]
pub struct ByteBudget {
    left: usize,
    is_empty: bool,
}

impl ByteBudget {
    /// Returns a budget of this many bytes.
    pub fn new(bytes: usize) -> Self {
        Self { left: bytes, is_empty: true }
    }

    /// Returns the budget for the entries of a response of at most `max_answer` bytes.
    pub fn of_answer(max_answer: usize) -> Self {
        Self::new(max_answer.saturating_sub(ENVELOPE))
    }

    /// Returns a new budget of half the size, for one of two collections in a response.
    #[must_use]
    pub fn half(self) -> Self {
        Self::new(self.left / 2)
    }

    /// Returns a new budget, reduced by the `bytes` bytes of another collection in the response.
    #[must_use]
    pub fn without(self, bytes: usize) -> Self {
        Self::new(self.left.saturating_sub(bytes))
    }

    /// Subtracts `bytes`, the size of an entry, and returns whether the entry fits. The first entry always fits. After
    /// an entry that does not fit, no other entry fits.
    pub fn takes(&mut self, bytes: usize) -> bool {
        let rest = self.left.checked_sub(bytes);
        let takes = self.is_empty || rest.is_some();
        (self.left, self.is_empty) = (rest.unwrap_or(0), false);
        takes
    }
}

/// A request for one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<P> {
    /// Maximum number of entries.
    pub limit: u32,
    /// Position of the last entry of the previous page; `None` for the first page.
    pub after: Option<P>,
}

impl<P> PageRequest<P> {
    /// Creates the request for the first page.
    pub fn first(limit: u32) -> Self {
        Self { limit, after: None }
    }
}

/// One page of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, P> {
    /// Entries of the page, each with its position.
    pub entries: Vec<(P, T)>,
    /// Whether more entries follow.
    pub has_more: bool,
}

impl<T, P> Page<T, P> {
    /// Creates a page with the first `limit` of these entries. `has_more` is true if there are more entries.
    pub fn up_to(mut entries: Vec<(P, T)>, limit: u32) -> Self {
        let has_more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        Self { entries, has_more }
    }
}

impl Page<DayCount, DayPosition> {
    /// Creates a page with the first `limit` of these days. `has_more` is true if there are more days.
    pub fn of_days(days: Vec<DayCount>, limit: u32) -> Self {
        Self::up_to(days.into_iter().map(|day| (DayPosition { day: day.day.clone() }, day)).collect(), limit)
    }
}

/// Position of an entry in a chat. The newest entries come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatPosition {
    /// The investigation.
    #[serde(rename = "c")]
    pub investigation: ObjectId,
    /// Number of the entry, which increases with each new entry.
    #[serde(rename = "n")]
    pub number: i64,
}

/// Position of a link among the links of its investigation. The oldest links come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkPosition {
    /// The investigation.
    #[serde(rename = "l")]
    pub investigation: ObjectId,
    /// Number of the link. It is never lower than the number of an older link. Links that are created at the same time
    /// may have the same number.
    #[serde(rename = "n")]
    pub number: i64,
    /// When the link was created.
    #[serde(rename = "t")]
    pub created_at: Timestamp,
    /// Id of the link, which makes the position unique.
    #[serde(rename = "i")]
    pub id: ObjectId,
}

impl LinkPosition {
    /// Returns the position of `link`. `number` is the number of the link.
    pub fn of(link: &Link, number: i64) -> Self {
        Self { investigation: link.investigation_id, number, created_at: link.created_at, id: link.id }
    }
}

/// Position of a link among all links of a user. The newest links come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnLinkPosition {
    /// When the link was created.
    #[serde(rename = "c")]
    pub created_at: Timestamp,
    /// Id of the link, which makes the position unique.
    #[serde(rename = "o")]
    pub id: ObjectId,
}

impl From<&Link> for OwnLinkPosition {
    fn from(link: &Link) -> Self {
        Self { created_at: link.created_at, id: link.id }
    }
}

/// Position of an entry in the audit log. The newest entries come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPosition {
    /// Number of the entry, which increases with each new entry.
    #[serde(rename = "a")]
    pub number: i64,
}

/// Position of an investigation in the trash. The investigations that were deleted last come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrashPosition {
    /// When the investigation was deleted.
    #[serde(rename = "d")]
    pub deleted_at: Timestamp,
    /// Id of the investigation, which makes the position unique.
    #[serde(rename = "i")]
    pub id: ObjectId,
}

/// Position of a person in the directory, in the order of names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonPosition {
    /// The words of the name, without differences of case and accents.
    #[serde(rename = "w")]
    pub words: String,
    /// Id of the person, which makes the position unique.
    #[serde(rename = "p")]
    pub id: ObjectId,
}

/// Position of a day among the days on which a link had visits. The oldest days come first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayPosition {
    /// The day in UTC, `YYYY-MM-DD`.
    #[serde(rename = "d", deserialize_with = "read_day")]
    pub day: String,
}

fn read_day<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).and_then(|day| if link::is_day(&day) { Ok(day) } else { Err(D::Error::custom("no day")) })
}

/// Returns a cursor that contains the value `holds`, such as a position in a list.
pub fn cursor(holds: &impl Serialize) -> String {
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(holds).unwrap_or_default())
}

/// Returns the content of the cursor `text`; `None` if `text` is not a cursor with content of the type `T`.
pub fn read_cursor<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}
