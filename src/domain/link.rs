//! Short links: a key and a sub-link that lead to an investigation, and the visits they had.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::id::ObjectId;
use super::json::MAX_COUNT;
use super::schema::Violation;
use super::time::Timestamp;

/// A sub-link that the service makes has this many characters.
pub const GENERATED_LENGTH: usize = 8;

/// Alphabet of generated sub-links: one case, without 0, o, 1, i and l, which look alike.
pub const ALPHABET: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 500;

/// A key that the route for the links of an investigation would hide.
const RESERVED_KEY: &str = "investigation";

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
}

/// The visits of one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayCount {
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// Number of visits on that day.
    pub count: u64,
}

/// A link that someone asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRequest {
    /// The key.
    pub key: String,
    /// The sub-link; if `None`, the service generates one.
    pub sub_link: Option<String>,
    /// The description.
    pub description: String,
}

impl LinkRequest {
    /// Reads the body of a create request.
    ///
    /// # Errors
    /// Every violation of its form.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let mut text = |field: &str, check: fn(&str) -> Option<String>| match body.get(field) {
            None => None,
            Some(Value::String(text)) => {
                violations.extend(check(text).map(|message| Violation::new(field, message)));
                Some(text.clone())
            }
            Some(_) => {
                violations.push(Violation::new(field, "must be a string"));
                Some(String::new())
            }
        };
        let key = text("key", key_fault);
        let sub_link = match body.get("subLink") {
            Some(Value::Null) => None,
            Some(Value::String(text)) if text.is_empty() => None,
            _ => text("subLink", name_fault),
        };
        let description = text("description", description_fault);
        for (field, missing) in [("key", key.is_none()), ("description", description.is_none())] {
            if missing {
                violations.push(Violation::new(field, "is required"));
            }
        }
        let unknown = body.keys().filter(|field| !["key", "subLink", "description"].contains(&field.as_str()));
        violations.extend(unknown.map(|field| Violation::new(field, "is not a field of a link")));
        match (key, description) {
            (Some(key), Some(description)) if violations.is_empty() => Ok(Self { key, sub_link, description }),
            _ => Err(violations),
        }
    }
}

/// What is wrong with a key or sub-link; `None` if nothing is.
pub fn name_fault(name: &str) -> Option<String> {
    let taken = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(taken))
        .then(|| format!("must be 1 to {MAX_NAME} characters of A-Z a-z 0-9 _ -"))
}

/// What is wrong with an imported link, as a phrase that follows its name; `None` if nothing is.
pub fn fault(link: &Link) -> Option<String> {
    let named = |field: &str, fault: Option<String>| fault.map(|fault| format!("breaks its form: {field} {fault}"));
    named("key", key_fault(&link.key))
        .or_else(|| named("subLink", name_fault(&link.sub_link)))
        .or_else(|| named("description", description_fault(&link.description)))
        .or_else(|| named("visitCount", count_fault(link.visit_count)))
}

/// Whether a text is a day in the format of [`DayCount`].
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && Timestamp::from_rfc3339(&format!("{text}T00:00:00Z")).is_some()
}

fn key_fault(key: &str) -> Option<String> {
    if key == RESERVED_KEY {
        return Some(format!("must not be \"{RESERVED_KEY}\", which the service uses itself"));
    }
    name_fault(key)
}

fn count_fault(count: u64) -> Option<String> {
    (count > MAX_COUNT).then(|| format!("must be at most {MAX_COUNT}"))
}

fn description_fault(description: &str) -> Option<String> {
    (description.chars().count() > MAX_DESCRIPTION).then(|| format!("must have at most {MAX_DESCRIPTION} characters"))
}
