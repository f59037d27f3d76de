//! Reads chats of a MongoDB collection, in the form of the earlier service or as messages with a role.

use serde_json::{Map, Value};

use super::members::{Members, Outcome};
use super::values::{take_reference, time};
use crate::domain::chat::{AssistantTurn, Chat, ChatEntry, UserTurn};
use crate::domain::id::ObjectId;
use crate::domain::path::FieldPath;
use crate::domain::time::Timestamp;

/// Names of fields that may contain the messages, separated by spaces.
pub const TURNS: &str = "history messages";
const ROLES: &str = "role sender from";
const TEXTS: &str = "content text message";
const TIMES: &str = "timestamp createdAt created_at sentAt time date at";

const NOT_KEPT: &str = "it is not kept of a message";

/// A chat document. If an investigation has several chat documents, they are merged.
#[derive(Debug)]
pub struct ChatPart {
    pub chat: Chat,
    /// Time of each entry of the chat; `None` if unknown.
    pub times: Vec<Option<Timestamp>>,
}

/// One element of the list of messages in a chat document.
enum Turn {
    User(String),
    Assistant(String),
    Both(ChatEntry),
    /// A message without text, or a message of somebody else, such as the system.
    Empty,
}

/// Returns whether a value is an array whose first element looks like a message.
pub fn has_turns(value: &Value) -> bool {
    let first = value.as_array().and_then(|turns| turns.first()?.as_object());
    first.is_some_and(|turn| ROLES.split(' ').chain(["user", "assistant"]).any(|name| turn.contains_key(name)))
}

/// Returns whether chats of one investigation can be merged: the time of every entry is known, or at most one chat has
/// entries.
pub fn can_merge<'p>(parts: impl Iterator<Item = &'p ChatPart> + Clone) -> bool {
    parts.clone().filter(|part| !part.times.is_empty()).count() < 2
        || parts.flat_map(|part| &part.times).all(Option::is_some)
}

/// Merges chats of one investigation, sorted by the times of the entries if all are known. Keeps the first chat's id.
pub fn merged(parts: Vec<ChatPart>) -> Option<Chat> {
    let is_timed = parts.iter().flat_map(|part| &part.times).all(Option::is_some);
    let mut entries = Vec::new();
    let mut merged: Option<Chat> = None;
    for ChatPart { mut chat, times } in parts {
        entries.extend(times.into_iter().zip(std::mem::take(&mut chat.history)));
        merged.get_or_insert(chat);
    }
    if is_timed {
        entries.sort_by_key(|(at, _)| *at);
    }
    merged.map(|chat| Chat { history: entries.into_iter().map(|(_, entry)| entry).collect(), ..chat })
}

/// Reads a chat. The error says why the chat is left out, as a phrase that follows the line number.
pub fn read(id: ObjectId, mut members: Members<'_>) -> Result<ChatPart, String> {
    members.take_reported("__v", Outcome::Replaced, "the service computes it");
    let investigation_id = take_reference(&mut members)?;
    let field = members.find(TURNS, Value::is_array).ok_or("is left out: it has no list of messages")?;
    let is_other = |turn: &Value| turn.as_object().is_none_or(Map::is_empty);
    let turns = members.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_empty = turns.is_empty();
    if let Some(place) = turns.iter().position(is_other) {
        return Err(format!("is left out: {field}.{place} is not a message"));
    }
    let turns = members.take_elements(field, NOT_KEPT, turn).into_iter().collect::<Result<Vec<_>, _>>()?;
    let (mut history, mut times, mut is_open) = (Vec::new(), Vec::new(), false);
    for (at, turn) in turns {
        let entry = match turn {
            Turn::Empty => continue,
            Turn::Both(entry) => entry,
            Turn::User(text) => entry(text, String::new()),
            Turn::Assistant(text) => match history.last_mut() {
                Some(ChatEntry { assistant, .. }) if is_open => {
                    assistant.content = text;
                    is_open = false;
                    continue;
                }
                _ => entry(String::new(), text),
            },
        };
        is_open = !entry.user.content.is_empty() && entry.assistant.content.is_empty();
        history.push(entry);
        times.push(at);
    }
    if history.is_empty() && !is_empty {
        return Err("is left out: no message in it has a text".to_owned());
    }
    Ok(ChatPart { chat: Chat { id, investigation_id, history }, times })
}

fn entry(by_user: String, by_assistant: String) -> ChatEntry {
    let assistant =
        AssistantTurn { content: by_assistant, metadata: String::new().into(), content_for_llm: String::new() };
    ChatEntry { user: UserTurn { content: by_user }, assistant }
}

fn turn(path: &FieldPath, mut turn: Members<'_>) -> Result<(Option<Timestamp>, Turn), String> {
    let at = TIMES.split(' ').find_map(|name| turn.get(name).and_then(time));
    turn.take_reported("_id", Outcome::Replaced, "the service numbers messages");
    let is_side = |value: &Value| value.is_object() || value.is_string() || value.is_null();
    if turn.find("user assistant", is_side).is_some() {
        let mut both = entry(String::new(), String::new());
        both.user.content = if let Some(mut user) = turn.take_object("user", NOT_KEPT) {
            text(&mut user, "content")
        } else {
            text(&mut turn, "user")
        }
        .unwrap_or_default();
        both.assistant.content = if let Some(mut assistant) = turn.take_object("assistant", NOT_KEPT) {
            both.assistant.metadata = text(&mut assistant, "metadata").unwrap_or_default().into();
            both.assistant.content_for_llm = text(&mut assistant, "content_for_llm").unwrap_or_default();
            text(&mut assistant, "content")
        } else {
            text(&mut turn, "assistant")
        }
        .unwrap_or_default();
        return Ok((at, Turn::Both(both)));
    }
    let Some(field) = turn.find(ROLES, Value::is_string) else {
        return Err(format!("is left out: {path} is a message in no known form"));
    };
    let role = turn.get(field).and_then(Value::as_str).map(str::to_lowercase).unwrap_or_default();
    let make = match role.as_str() {
        "user" | "human" | "person" => Turn::User,
        "assistant" | "ai" | "bot" | "model" => Turn::Assistant,
        "system" | "developer" | "tool" | "function" => {
            turn.reason = "neither a person nor the assistant says it";
            return Ok((at, Turn::Empty));
        }
        _ => return Err(format!("is left out: {path} is a message by {role:?}, which is not a known role")),
    };
    let Some(text) = text(&mut turn, TEXTS) else {
        turn.reason = "the message has no text";
        return Ok((at, Turn::Empty));
    };
    turn.map(field);
    Ok((at, make(text)))
}

/// Takes the first member in `names` that is not null, as a text. Joins the texts of a list of parts with line breaks.
fn text(members: &mut Members<'_>, names: &str) -> Option<String> {
    let field = members.find(names, |value| !value.is_null()).or_else(|| members.find(names, Value::is_null))?;
    if members.get(field).is_some_and(Value::is_array) {
        let parts = members.take_elements(field, "only the texts of a message are kept", |_, mut part| {
            let text = part.take_first("text", Value::is_string)?;
            part.map("type");
            text.as_str().map(str::to_owned)
        });
        return Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty());
    }
    match members.take(field, names)? {
        Value::Null => None,
        Value::Object(object) if object.is_empty() => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}
