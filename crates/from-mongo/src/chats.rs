//! Reads chats, in the form of the earlier service or as messages with a role.

use fieldbook_domain::chat::{Chat, ChatEntry, NewMessage};
use serde_json::Value;

use crate::document::{Converted, Document, Fate, REFERENCES};

const ROLES: &str = "role sender from";

pub fn read(document: &mut Document) -> Converted<Chat> {
    let (id, investigation_id) = (document.own_id("_id", "chat")?, document.own_id(REFERENCES, "investigation")?);
    let list = document.find("history messages", Value::is_array).ok_or("it has no list: history or messages")?;
    let count = document.get(list).and_then(Value::as_array).map_or(0, Vec::len);
    if count == 0 {
        document.set(list, &Fate::Kept);
    }
    let mut history: Vec<ChatEntry> = Vec::new();
    for at in (0..count).map(|index| format!("{list}.{index}.")) {
        document.set(&format!("{at}_id"), &Fate::Unneeded("messages have no ids here"));
        let Some(role) = document.find(&below(&at, ROLES), Value::is_string).map(str::to_owned) else {
            history.extend(both(document, &at));
            continue;
        };
        let word = document.get(&role).and_then(Value::as_str).map(str::to_lowercase).unwrap_or_default();
        let is_answer = match word.as_str() {
            "user" | "human" | "person" => false,
            "assistant" | "ai" | "bot" | "model" => true,
            _ => continue,
        };
        let Some(text) = text(document, &at, "content text message") else { continue };
        document.set(&role, &Fate::Mapped);
        let is_open = |last: &&mut ChatEntry| !last.user.content.is_empty() && last.assistant.content.is_empty();
        match history.last_mut().filter(is_open) {
            Some(last) if is_answer => last.assistant.content = text,
            _ if is_answer => history.push(message(String::new(), text)),
            _ => history.push(message(text, String::new())),
        }
    }
    if history.is_empty() && count > 0 {
        return Err(format!("no message in its {list} has user and assistant, or a known role and a text"));
    }
    Ok((investigation_id, Chat { id, investigation_id, history }))
}

fn message(by_person: String, by_assistant: String) -> ChatEntry {
    NewMessage { by_person, by_assistant, for_llm: String::new() }.entry(String::new())
}

/// Reads a message with its answer.
fn both(document: &mut Document, at: &str) -> Option<ChatEntry> {
    document.find(&below(at, "user assistant"), |_| true)?;
    let mut part = |names: &str| text(document, at, names).unwrap_or_default();
    let by_person = part("user.content user");
    let by_assistant = part("assistant.content assistant");
    let for_llm = part("assistant.content_for_llm");
    Some(NewMessage { by_person, by_assistant, for_llm }.entry(part("assistant.metadata")))
}

/// Takes the first of `names` in a message, as a text. Joins the texts of a list of parts with line breaks.
fn text(document: &mut Document, at: &str, names: &str) -> Option<String> {
    let names = below(at, names);
    let Some(list) = document.find(&names, Value::is_array) else { return document.text(&names) };
    let count = document.get(list).and_then(Value::as_array).map_or(0, Vec::len);
    let part = |index| {
        let text = document.text(&format!("{list}.{index}.text"))?;
        document.set(&format!("{list}.{index}.type"), &Fate::Mapped);
        Some(text)
    };
    let texts: Vec<_> = (0..count).filter_map(part).collect();
    Some(texts.join("\n")).filter(|text| !text.is_empty())
}

fn below(at: &str, names: &str) -> String {
    names.split(' ').map(|name| format!("{at}{name}")).collect::<Vec<_>>().join(" ")
}
