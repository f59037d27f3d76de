//! Reads the bodies of requests that create or update an investigation.
//!
//! System fields are ignored, except those that a person may set. So clients may send back an investigation as they
//! received it.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::content::{self, Content};
use super::id::ObjectId;
use super::merge_patch;
use super::named::Named;
use super::schema::Violation;
use super::size::MAX_LIST;
use super::status::Status;

/// A request to create an investigation.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateRequest {
    /// The content.
    pub content: Content,
    /// The author's id; `None` to make the caller the author.
    pub author: Option<ObjectId>,
    /// `metadata.author`, if it is a valid id.
    pub metadata_author: Option<ObjectId>,
    /// The status that the person asks for, if any.
    pub status: Option<Status>,
    /// The editors, each once.
    pub editors: Vec<ObjectId>,
}

/// A request to update an investigation.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateRequest {
    /// A JSON Merge Patch of the content.
    pub patch: Map<String, Value>,
    /// `metadata.author`, if it is a valid id.
    pub metadata_author: Option<ObjectId>,
    /// The status that the person asks for, if any.
    pub status: Option<Status>,
    /// The new editors, each once; empty to remove all editors, and `None` to leave them unchanged.
    pub editors: Option<Vec<ObjectId>>,
}

impl CreateRequest {
    /// Reads the body of a request.
    pub fn read(body: Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let author = body.get("author").and_then(|value| {
            author(value).unwrap_or_else(|()| {
                violations.push(Violation::new("author", "must be an object identifier (24 hexadecimal digits)"));
                None
            })
        });
        let status = read_status(&body, &mut violations);
        let editors = read_editors(&body, &mut violations).unwrap_or_default();
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self { author, status, editors, metadata_author: metadata_author(&body), content: content_of(body) })
    }
}

impl UpdateRequest {
    /// Reads the body of a request.
    pub fn read(body: Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let status = read_status(&body, &mut violations);
        let editors = read_editors(&body, &mut violations);
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self { status, editors, metadata_author: metadata_author(&body), patch: content_of(body) })
    }

    /// Applies the patch to `content`.
    pub fn apply(&self, content: Content) -> Content {
        merge_patch::merge_objects(content, &self.patch)
    }
}

fn content_of(body: Map<String, Value>) -> Content {
    body.into_iter().filter(|(name, _)| !content::is_system_field(name)).collect()
}

/// Reads the author in a body: an id, a profile object as in responses, or null.
fn author(value: &Value) -> Result<Option<ObjectId>, ()> {
    match value {
        Value::Null => Ok(None),
        Value::String(id) => id.parse().map(Some).map_err(|_| ()),
        Value::Object(profile) => match profile.get("id") {
            Some(id) if !id.is_object() => author(id),
            _ => Err(()),
        },
        _ => Err(()),
    }
}

/// Reads `metadata.author`, ignoring surrounding white space; `None` if it is not a valid id.
fn metadata_author(body: &Map<String, Value>) -> Option<ObjectId> {
    body.get("metadata")?.get("author")?.as_str()?.trim().parse().ok()
}

fn read_status(body: &Map<String, Value>, violations: &mut Vec<Violation>) -> Option<Status> {
    let status = body.get("status")?.as_str().and_then(|name| name.parse::<Status>().ok());
    if status.is_none() {
        let names = Status::names().join(", ");
        violations.push(Violation::new("status", format!("must be one of {names}")));
    }
    status
}

fn read_editors(body: &Map<String, Value>, violations: &mut Vec<Violation>) -> Option<Vec<ObjectId>> {
    let given = match body.get("editors")? {
        Value::Null => &[][..],
        Value::Array(given) => given,
        _ => {
            violations.push(Violation::new("editors", "must be a list of object identifiers, or null"));
            return None;
        }
    };
    let (mut editors, mut seen) = (Vec::new(), HashSet::new());
    for (index, id) in given.iter().enumerate() {
        match id.as_str().and_then(|id| id.parse().ok()) {
            Some(id) if !seen.insert(id) => {}
            Some(id) => editors.push(id),
            None => violations.push(Violation::new(
                format!("editors.{index}"),
                "must be an object identifier (24 hexadecimal digits)",
            )),
        }
    }
    if editors.len() > MAX_LIST {
        violations.push(Violation::new("editors", format!("must have at most {MAX_LIST} entries")));
    }
    Some(editors)
}
