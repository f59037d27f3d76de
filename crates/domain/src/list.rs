//! Queries for lists of investigations: filters, order and pages. Lists are sorted by the keys that
//! [`super::sort_keys`] computes, so their order is the same on every store.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::content::is_system_field;
use super::id::ObjectId;
use super::named::Named;
use super::page::{self, MAX_ANSWER, MAX_LIGHT_ANSWER};
use super::schema::Violation;
use super::search;
use super::size::MAX_LIST;
use super::status::Status;
use super::text::hash;

/// Maximum number of items on a page.
pub const MAX_LIMIT: u32 = 100;

/// Maximum number of rows that a list without a filter may skip before it counts as a heavy request.
const MAX_LIGHT_OFFSET: u64 = 10_000;
const DEFAULT_LIMIT: u32 = 20;
/// Maximum number of words in a search. For twice as many words, PostgreSQL would need seconds just to plan the search.
pub const MAX_WORDS: usize = 50;

/// Query parameters of a list. Other parameters are ignored.
const PARAMETERS: [&str; 13] = [
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
    "fields",
];

const IGNORED_IF_BLANK: [&str; 7] = ["title", "grade", "curriculum", "status", "author", "search", "fields"];

/// Query parameters that are lists: `status=a,b` or `status=a&status=b`.
const LISTS: [&str; 2] = ["status", "fields"];

/// System fields that every row of a list has, even if the parameter `fields` does not name them.
pub const ROW_FIELDS: [&str; 6] = ["_id", "status", "version", "revision", "createdAt", "updatedAt"];

/// Further system fields, in addition to [`ROW_FIELDS`], that the parameter `fields` can name.
const CHOSEN_FIELDS: [&str; 2] = ["author", "contradictions"];

/// Sort orders of investigations within their group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum SortBy {
    /// By creation time.
    CreatedAt,
    /// By the time of the last stored change.
    UpdatedAt,
    /// By title, ignoring case and accents.
    Title,
    /// By grade, in numerical order: K, 1, 2, … 10, 11.
    Grade,
    /// By curriculum, ignoring case and accents.
    Curriculum,
    /// By the name of the status.
    Status,
}

/// Conditions for the investigations in a list. All conditions must be true. `None` means no condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The title contains this text, ignoring case and accents. The text is normalized.
    pub title: Option<String>,
    /// The grade equals this text. Whole numbers are equal whether written `5`, `5.0` or `"5"`.
    pub grade: Option<String>,
    /// The curriculum equals this text.
    pub curriculum: Option<String>,
    /// The investigation has one of these statuses; empty means no condition.
    pub statuses: Vec<Status>,
    /// The author has this id.
    pub author: Option<ObjectId>,
    /// Each of these words is the beginning of a word in the content. A search without words finds nothing.
    pub words: Option<BTreeSet<String>>,
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
    /// Position of the last item before the page; `None` if no cursor was given.
    pub after: Option<Position>,
    /// Names of the fields of each row, besides [`ROW_FIELDS`]; `None` if rows are whole investigations.
    pub fields: Option<BTreeSet<String>>,
}

/// Position of an item in a sorted list. Each item has a different position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Key of the item's group; empty if the list is not grouped.
    pub group: String,
    /// Sort key of the item. A time is written as the decimal number of milliseconds since 1970.
    pub key: String,
    /// Id of the item, which makes the position unique.
    pub id: ObjectId,
}

/// Content of a cursor: the position after which the next page starts, the number of items before that page, and the
/// digest from [`ListQuery::fingerprint`].
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
    /// Reads the query parameters of a request, in any order.
    pub fn read(given: &[(String, String)]) -> Result<Self, Vec<Violation>> {
        let mut query = Self {
            filter: Filter::default(),
            sort_by: SortBy::CreatedAt,
            ascending: false,
            grouped: true,
            limit: DEFAULT_LIMIT,
            offset: 0,
            after: None,
            fields: None,
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
                (Some(first), second) if LISTS.contains(&parameter) => {
                    query.take_list(parameter, std::iter::once(first).chain(second).chain(values))
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
        // Blank parameters are ignored, because HTML forms also send empty fields.
        if IGNORED_IF_BLANK.contains(&name) && value.trim().is_empty() {
            return Ok(());
        }
        let text = |value: String| Some(value).filter(|text| !text.is_empty());
        match name {
            "limit" => self.limit = number(value, 1, u64::from(MAX_LIMIT))? as u32,
            "offset" => self.offset = number(value, 0, i64::MAX as u64)?,
            "sortBy" => self.sort_by = pick_named(value)?,
            "sortOrder" => self.ascending = pick(value, &[(true, "asc"), (false, "desc")])?,
            "groupBy" => self.grouped = pick(value, &[(true, "curriculum"), (false, "none")])?,
            "author" => {
                let id = value.parse().map_err(|_| "must be an object identifier (24 hexadecimal digits)")?;
                self.filter.author = Some(id);
            }
            "title" => self.filter.title = text(search::fold(value.trim())),
            "grade" => self.filter.grade = text(whole(value.trim()).to_owned()),
            "curriculum" => self.filter.curriculum = text(value.trim().to_owned()),
            "search" => {
                let words: BTreeSet<String> = search::words(value).into_iter().collect();
                if words.len() > MAX_WORDS {
                    return Err(format!("must have at most {MAX_WORDS} words"));
                }
                self.filter.words = Some(words);
            }
            _ => {}
        }
        Ok(())
    }

    fn take_list<'v>(&mut self, name: &str, values: impl Iterator<Item = &'v String>) -> Result<(), String> {
        let given = values.filter(|value| !value.trim().is_empty());
        let entries: Vec<&str> = given.flat_map(|value| value.split(',')).map(str::trim).collect();
        if entries.len() > MAX_LIST {
            return Err(format!("must have at most {MAX_LIST} entries"));
        }
        match name {
            _ if entries.is_empty() => {}
            "status" => {
                let chosen: Vec<Status> = entries.iter().map(|name| pick_named(name)).collect::<Result<_, _>>()?;
                // Sorted, so that a cursor is also valid if the request names the same statuses in another order.
                self.filter.statuses = Status::ALL.iter().copied().filter(|status| chosen.contains(status)).collect();
            }
            _ => self.fields = Some(fields(&entries)?),
        }
        Ok(())
    }

    /// Returns whether the list has a filter. Such a list can read many more rows than it shows.
    pub fn is_filtered(&self) -> bool {
        self.filter != Filter::default()
    }

    /// Returns whether the store reads many more rows than the list shows.
    pub fn is_heavy(&self) -> bool {
        self.is_filtered() || self.offset > MAX_LIGHT_OFFSET
    }

    /// Returns the maximum size of the response, in bytes.
    pub fn max_answer(&self) -> usize {
        if self.is_filtered() { MAX_ANSWER } else { MAX_LIGHT_ANSWER }
    }

    /// Returns whether the groups are in descending order. This is so only if the list is sorted by curriculum in
    /// descending order.
    pub fn groups_descend(&self) -> bool {
        self.sort_by == SortBy::Curriculum && !self.ascending
    }

    /// Returns the cursor for the page that follows this page. This page has `rows` rows of the list
    /// and ends at `last`.
    pub fn next_cursor(&self, last: Position, rows: u32) -> String {
        page::cursor(&Cursor { position: last, offset: self.offset + u64::from(rows), list: self.fingerprint() })
    }

    fn read_cursor(&self, text: &str) -> Option<Cursor> {
        let cursor: Cursor = page::read_cursor(text)?;
        let storable = !cursor.position.group.contains('\0') && !cursor.position.key.contains('\0');
        (cursor.list == self.fingerprint() && cursor.offset <= i64::MAX as u64 && storable).then_some(cursor)
    }

    /// Returns a digest of the filters and the order. A cursor is valid only for a list with the same digest.
    fn fingerprint(&self) -> String {
        let list = format!("{:?} {:?} {} {}", self.filter, self.sort_by, self.ascending, self.grouped);
        format!("{:x}", hash(&list))
    }
}

fn fields(names: &[&str]) -> Result<BTreeSet<String>, String> {
    let known = |name: &str| ROW_FIELDS.contains(&name) || CHOSEN_FIELDS.contains(&name);
    let refused = |name: &&&str| name.is_empty() || is_system_field(name) && !known(name);
    match names.iter().find(refused) {
        Some(&"") => Err("must be names of fields, separated by commas".to_owned()),
        Some(name) => {
            Err(format!("must name content fields, author or contradictions; {name} is another system field"))
        }
        None => Ok(names.iter().map(|name| (*name).to_owned()).collect()),
    }
}

/// Removes `.0` from the end of a whole number. Returns any other text unchanged.
fn whole(text: &str) -> &str {
    let number = text.strip_suffix(".0").filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    number.filter(|number| !number.is_empty()).unwrap_or(text)
}

/// Parses a whole decimal number from `least` to `most`, both included.
///
/// # Errors
/// A phrase with the limits.
pub fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|n| digits && (least..=most).contains(n))
        .ok_or_else(|| format!("must be a whole number from {least} to {most}"))
}

/// Returns the value with the name `text`.
///
/// # Errors
/// A phrase with the names.
pub fn pick_named<T: Named>(text: &str) -> Result<T, String> {
    pick(text, &T::ALL.iter().map(|value| (*value, value.name())).collect::<Vec<_>>())
}

/// Returns the value whose name in `choices` is `text`.
///
/// # Errors
/// A phrase with the names.
fn pick<T: Copy>(text: &str, choices: &[(T, &str)]) -> Result<T, String> {
    choices.iter().find(|(_, name)| *name == text).map(|(choice, _)| *choice).ok_or_else(|| {
        format!("must be one of {}", choices.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", "))
    })
}
