//! Reads documents that `mongoexport` wrote from MongoDB collections: investigations, their chats and their links.

use serde_json::{Map, Value};

use super::extended;
use crate::assistant::Assistant;
use crate::domain::chat::{AssistantTurn, Chat, ChatEntry, UserTurn};
use crate::domain::content::is_system_field;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Investigation, NewInvestigation};
use crate::domain::json::{self, MAX_DEPTH};
use crate::domain::link::{self, Link, LinkOptions};
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;
use crate::domain::status::Status;
use crate::domain::time::Timestamp;

/// Additional levels of nesting that Extended JSON needs for dates and numbers.
const EXTRA_DEPTH: usize = 4;

/// Fields that are ignored. The database library of the earlier service adds them to every document.
const IGNORED_FIELDS: [&str; 1] = ["__v"];

/// A converted document of a collection.
#[derive(Debug)]
pub enum Document {
    /// An investigation.
    Investigation(Box<Investigation>),
    /// The chat of an investigation.
    Chat(Chat),
    /// A link to an investigation.
    Link(Link),
}

/// Converter of documents. It computes values that a document lacks, such as the contradictions.
pub struct Reader<'r> {
    /// Schema that determines the status.
    pub schema: &'r Schema,
    /// Assistant that detects the contradictions.
    pub assistant: &'r Assistant,
}

impl Reader<'_> {
    /// Converts a document. Adds a message to `notes` for everything that is changed or omitted.
    ///
    /// # Errors
    /// Why the document is rejected, as a phrase that follows the line number.
    pub fn read(&self, text: &[u8], notes: &mut Vec<String>) -> Result<Document, String> {
        let value = json::parse_to_depth(text, MAX_DEPTH + EXTRA_DEPTH).map_err(|refusal| {
            let path = refusal.path.to_string();
            if path.is_empty() { format!("{}", refusal.problem) } else { format!("{path} {}", refusal.problem) }
        })?;
        let Value::Object(mut document) = extended::plain(value, &FieldPath::root(), notes)? else {
            return Err("is not a document: it must be an object".to_owned());
        };
        document.retain(|field, _| !IGNORED_FIELDS.contains(&field.as_str()));
        let id = identity(document.get("_id")).ok_or("cannot be imported: its _id is not an object identifier")?;
        if document.get("history").is_some_and(Value::is_array) && document.contains_key("investigationId") {
            return chat(id, &document).map(Document::Chat);
        }
        if document.contains_key("key") && document.contains_key("subLink") {
            return a_link(id, &document).map(Document::Link);
        }
        Ok(Document::Investigation(Box::new(self.investigation(id, document, notes))))
    }

    fn investigation(&self, id: ObjectId, document: Map<String, Value>, notes: &mut Vec<String>) -> Investigation {
        let status = document.get("status").and_then(|status| {
            let known = status.as_str().and_then(Status::from_name);
            if known.is_none() {
                notes.push(format!("status is {status}, which does not exist; it is computed"));
            }
            known
        });
        let author = |value: Option<&Value>, field: &str, notes: &mut Vec<String>| {
            let given = value.filter(|value| !value.is_null());
            let author = identity(given);
            if given.is_some() && author.is_none() {
                notes.push(format!("{field} is not an object identifier, and is left out"));
            }
            author
        };
        for field in ["createdAt", "updatedAt"] {
            if document.get(field).is_some_and(|value| !value.is_null() && time(Some(value)).is_none()) {
                notes.push(format!("{field} is not a time, and is left out"));
            }
        }
        let metadata = document.get("metadata").and_then(Value::as_object);
        for member in metadata.into_iter().flat_map(Map::keys).filter(|member| *member != "author") {
            notes.push(format!("metadata.{member} is left out"));
        }
        let birth = NewInvestigation {
            id,
            author: author(document.get("author"), "author", notes),
            metadata_author: author(metadata.and_then(|metadata| metadata.get("author")), "metadata.author", notes),
            status,
            cloned_from: identity(document.get("clonedFrom")),
            at: time(document.get("createdAt")).unwrap_or_else(|| id.made_at()),
        };
        let (updated_at, with_ai) = (time(document.get("updatedAt")), document.get("lastChangeWithAI").cloned());
        let content = document.into_iter().filter(|(field, _)| !is_system_field(field)).collect();
        // An import does not ask a language model. The model will read the content after the next change.
        let findings = Findings { pending: false, ..self.assistant.detect(&content) };
        let mut investigation = Investigation::new(birth, content, findings, self.schema);
        investigation.updated_at = updated_at.unwrap_or(birth.at).max(birth.at);
        investigation.last_change_with_ai = with_ai.as_ref().and_then(Value::as_bool).unwrap_or(false);
        investigation
    }
}

fn identity(value: Option<&Value>) -> Option<ObjectId> {
    value?.as_str()?.trim().parse().ok()
}

fn time(value: Option<&Value>) -> Option<Timestamp> {
    Timestamp::from_rfc3339(value?.as_str()?)
}

fn chat(id: ObjectId, document: &Map<String, Value>) -> Result<Chat, String> {
    let investigation_id = identity(document.get("investigationId"))
        .ok_or("cannot be imported: its investigationId is not an object identifier")?;
    let text = |entry: &Value, part: &str, field: &str| match entry.get(part).and_then(|part| part.get(field)) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let entries = document.get("history").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let history = entries.iter().enumerate().map(|(place, entry)| {
        if !entry.is_object() {
            return Err(format!("cannot be imported: history.{place} is not an object"));
        }
        Ok(ChatEntry {
            user: UserTurn { content: text(entry, "user", "content") },
            assistant: AssistantTurn {
                content: text(entry, "assistant", "content"),
                metadata: text(entry, "assistant", "metadata").into(),
                content_for_llm: text(entry, "assistant", "content_for_llm"),
            },
        })
    });
    Ok(Chat { id, investigation_id, history: history.collect::<Result<_, _>>()? })
}

fn a_link(id: ObjectId, document: &Map<String, Value>) -> Result<Link, String> {
    let text = |field: &str| match document.get(field) {
        Some(Value::String(text)) => Ok(text.clone()),
        None | Some(Value::Null) if field == "description" => Ok(String::new()),
        _ => Err(format!("cannot be imported: its {field} is not a text")),
    };
    let target = ["investigationId", "investigation"].into_iter().find_map(|field| identity(document.get(field)));
    let visits = ["visitCount", "visits"].into_iter().find_map(|field| document.get(field));
    let link = Link {
        id,
        key: text("key")?,
        sub_link: text("subLink")?,
        description: text("description")?,
        investigation_id: target.ok_or("cannot be imported: its investigationId is not an object identifier")?,
        creator: identity(document.get("creator")),
        visit_count: match visits {
            None | Some(Value::Null) => 0,
            Some(count) => count.as_u64().ok_or_else(|| format!("cannot be imported: it was visited {count} times"))?,
        },
        created_at: time(document.get("createdAt")).unwrap_or_else(|| id.made_at()),
        options: LinkOptions {
            archived: ["isActive", "active"].iter().any(|field| document.get(*field) == Some(&Value::Bool(false))),
            expires_at: ["expiresAt", "expires"].into_iter().find_map(|field| time(document.get(field))),
            ..LinkOptions::default()
        },
    };
    match link::fault(&link) {
        Some(fault) => Err(format!("cannot be imported: the link {}/{} {fault}", link.key, link.sub_link)),
        None => Ok(link),
    }
}
