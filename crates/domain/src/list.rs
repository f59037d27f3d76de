//! Queries for lists of investigations: filters, order and pages. Lists are sorted by the keys of [`super::keys`], so
//! their order is the same on every store.
//!
//! Lists are sorted by keys that are made in [`super::keys`] and compared byte by byte, so the order is the same on
//! every store.

use serde::{Deserialize, Serialize};

use super::content::Content;
use super::id::ObjectId;
use super::investigation::Investigation;
use super::keys::{Keys, Names, hash};
use super::page;
use super::schema::Violation;
use super::search;
use super::status::Status;

/// Maximum number of items on a page.
pub const MAX_LIMIT: u32 = 100;
const DEFAULT_LIMIT: u32 = 20;
/// Maximum number of words in a search.
const MAX_WORDS: usize = 50;

/// Query parameters of a list. Others are ignored.
const PARAMETERS: [&str; 12] = [
    "limit",
    "offset",
    "sortBy",
    "sortOrder",
    "groupBy",
    "title",
    "grade",
    "curriculum",
    "status",
    "author",
    "search",
    "cursor",
];

/// Parameters that filter. Blank ones are ignored.
const FILTERS: [&str; 6] = ["title", "grade", "curriculum", "status", "author", "search"];

/// Sort orders within groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// When it was created.
    CreatedAt,
    /// When it was last stored.
    UpdatedAt,
    /// The title, as people read it.
    Title,
    /// The grade, as people count: K, 1, 2, … 10, 11.
    Grade,
    /// The curriculum, as people read it.
    Curriculum,
    /// The status, by its name.
    Status,
}

impl SortBy {
    const ALL: [(SortBy, &'static str); 6] = [
        (SortBy::CreatedAt, "createdAt"),
        (SortBy::UpdatedAt, "updatedAt"),
        (SortBy::Title, "title"),
        (SortBy::Grade, "grade"),
        (SortBy::Curriculum, "curriculum"),
        (SortBy::Status, "status"),
    ];
}

/// Conditions for the investigations in a list. All of them must be true.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The title contains this text, regardless of case.
    pub title: Option<String>,
    /// The grade equals this text. Whole numbers are equal whether written `5`, `5.0` or `"5"`.
    pub grade: Option<String>,
    /// The curriculum equals this text.
    pub curriculum: Option<String>,
    /// The status equals this one.
    pub status: Option<Status>,
    /// The author has this id.
    pub author: Option<ObjectId>,
    /// For each of these words, the content contains a word that begins with it.
    pub words: Vec<String>,
}

/// A request for one page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// Conditions for the investigations.
    pub filter: Filter,
    /// Order within a group.
    pub sort_by: SortBy,
    /// Whether the order is ascending.
    pub ascending: bool,
    /// Whether the result is grouped by curriculum.
    pub grouped: bool,
    /// Maximum number of items.
    pub limit: u32,
    /// Number of items before the page.
    pub offset: u64,
    /// The last item before the page, if a cursor was given.
    pub after: Option<Position>,
}

/// Position of an item in an order. Each item has a different one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Key of its group; empty if the list is not grouped.
    pub group: String,
    /// Sort key. A time is in milliseconds as a decimal number.
    pub key: String,
    /// Id of the item, which makes the position unique.
    pub id: ObjectId,
}

impl Position {
    /// Returns the position of `investigation` in the order of `query`.
    fn of<C>(investigation: &Investigation<C>, content: &Content, query: &ListQuery) -> Self {
        let keys = Keys::from(&Names::of(content));
        let key = match query.sort_by {
            SortBy::CreatedAt => investigation.created_at.0.to_string(),
            SortBy::UpdatedAt => investigation.updated_at.0.to_string(),
            SortBy::Title => keys.title,
            SortBy::Grade => keys.grade,
            SortBy::Curriculum => keys.curriculum,
            SortBy::Status => investigation.status.stored().to_owned(),
        };
        Self { group: if query.grouped { keys.group } else { String::new() }, key, id: investigation.id }
    }
}

/// Content of a cursor: the position after which the next page starts, and the list that it belongs to.
#[derive(Serialize, Deserialize)]
struct Cursor {
    #[serde(rename = "p")]
    position: Position,
    #[serde(rename = "o")]
    offset: u64,
    #[serde(rename = "q")]
    list: String,
}

impl ListQuery {
    /// Reads query parameters, in any order.
    ///
    /// # Errors
    /// Every invalid parameter.
    pub fn read(given: &[(String, String)]) -> Result<Self, Vec<Violation>> {
        let mut query = Self {
            filter: Filter::default(),
            sort_by: SortBy::CreatedAt,
            ascending: false,
            grouped: true,
            limit: DEFAULT_LIMIT,
            offset: 0,
            after: None,
        };
        let mut violations = Vec::new();
        let mut cursor = None;
        for parameter in PARAMETERS {
            let mut values = given.iter().filter(|(name, _)| name == parameter).map(|(_, value)| value);
            let outcome = match (values.next(), values.next()) {
                (None, _) => Ok(()),
                (Some(value), None) if parameter == "cursor" => {
                    cursor = Some(value);
                    Ok(())
                }
                (Some(value), None) => query.take(parameter, value),
                (Some(_), Some(_)) => Err("must appear once".to_owned()),
            };
            violations.extend(outcome.err().map(|message| Violation::new(parameter, message)));
        }
        if let Some(text) = cursor {
            if query.offset > 0 {
                violations.push(Violation::new("offset", "must not be combined with cursor, which replaces it"));
            }
            match query.read_cursor(text) {
                Some(cursor) => (query.offset, query.after) = (cursor.offset, Some(cursor.position)),
                None => violations
                    .push(Violation::new("cursor", "must be the nextCursor of a page with the same filters and order")),
            }
        }
        if violations.is_empty() { Ok(query) } else { Err(violations) }
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        // HTML forms send empty fields, too.
        if FILTERS.contains(&name) && value.trim().is_empty() {
            return Ok(());
        }
        let text = |value: String| Some(value).filter(|text| !text.is_empty());
        match name {
            "limit" => self.limit = number(value, 1, u64::from(MAX_LIMIT))? as u32,
            "offset" => self.offset = number(value, 0, i64::MAX as u64)?,
            "sortBy" => self.sort_by = pick(value, &SortBy::ALL)?,
            "sortOrder" => self.ascending = pick(value, &[(true, "asc"), (false, "desc")])?,
            "groupBy" => self.grouped = pick(value, &[(true, "curriculum"), (false, "none")])?,
            "status" => self.filter.status = Some(pick(value, &Status::ALL.map(|status| (status, status.name())))?),
            "author" => {
                let id = value.parse().map_err(|_| "must be an object identifier (24 hexadecimal digits)")?;
                self.filter.author = Some(id);
            }
            "title" => self.filter.title = text(search::fold(value.trim())),
            "grade" => self.filter.grade = text(whole(value.trim()).to_owned()),
            "curriculum" => self.filter.curriculum = text(value.trim().to_owned()),
            "search" => {
                self.filter.words = distinct(search::words(value));
                if self.filter.words.len() > MAX_WORDS {
                    return Err(format!("must have at most {MAX_WORDS} words"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns whether groups are in descending order: only if the list is sorted by the field that groups it.
    pub fn groups_descend(&self) -> bool {
        self.sort_by == SortBy::Curriculum && !self.ascending
    }

    /// Returns the cursor for the page after one of `count` items that ends with `last`, whose content this is.
    pub fn next_cursor<C>(&self, last: &Investigation<C>, content: &Content, count: usize) -> String {
        let position = Position::of(last, content, self);
        page::cursor(&Cursor { position, offset: self.offset + count as u64, list: self.fingerprint() })
    }

    fn read_cursor(&self, text: &str) -> Option<Cursor> {
        let cursor: Cursor = page::read_cursor(text)?;
        let storable = !cursor.position.group.contains('\0') && !cursor.position.key.contains('\0');
        (cursor.list == self.fingerprint() && cursor.offset <= i64::MAX as u64 && storable).then_some(cursor)
    }

    /// Returns a digest of filters and order. A cursor is valid only for the list with the same digest.
    fn fingerprint(&self) -> String {
        let list = format!("{:?} {:?} {} {}", self.filter, self.sort_by, self.ascending, self.grouped);
        format!("{:x}", hash(&list))
    }
}

/// Removes `.0` from a whole number; other texts stay.
fn whole(text: &str) -> &str {
    let number = text.strip_suffix(".0").filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    number.filter(|number| !number.is_empty()).unwrap_or(text)
}

/// Reads a whole decimal number from `least` to `most`.
///
/// # Errors
/// A sentence with the limits.
pub fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|n| digits && (least..=most).contains(n))
        .ok_or_else(|| format!("must be a whole number from {least} to {most}"))
}

fn pick<T: Copy>(text: &str, choices: &[(T, &str)]) -> Result<T, String> {
    choices.iter().find(|(_, name)| *name == text).map(|(choice, _)| *choice).ok_or_else(|| {
        format!("must be one of {}", choices.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", "))
    })
}

fn distinct(mut words: Vec<String>) -> Vec<String> {
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
#[path = "../tests/unit/list.rs"]
mod tests;
