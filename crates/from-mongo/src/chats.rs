//! Reads chats.

use fieldbook_domain::chat::{Chat, ChatEntry, NewMessage};
use serde_json::Value;

use crate::document::{Converted, Document, Fate, REFERENCES};

pub fn read(document: &mut Document) -> Converted<Chat> {
    let id = document.own_id("_id", "chat")?;
    let investigation_id = document.own_id(REFERENCES, "investigation")?;
    let entries = document.get("history").and_then(Value::as_array).ok_or("it has no list history")?;
    let count = entries.len();
    if count == 0 {
        document.set("history", &Fate::Kept);
    }
    let history: Vec<_> = (0..count).filter_map(|index| entry(document, &format!("history.{index}"))).collect();
    if history.is_empty() && count > 0 {
        return Err("no entry of its history has user or assistant messages".to_owned());
    }
    Ok((investigation_id, Chat { id, investigation_id, history }))
}

fn entry(document: &mut Document, at: &str) -> Option<ChatEntry> {
    document.set(&format!("{at}._id"), &Fate::Unneeded("entries have no ids here"));
    let by_person = document.text(&format!("{at}.user.content {at}.user"));
    let by_assistant = document.text(&format!("{at}.assistant.content {at}.assistant"));
    if by_person.is_none() && by_assistant.is_none() {
        return None;
    }
    let for_llm = document.text(&format!("{at}.assistant.content_for_llm")).unwrap_or_default();
    let investigation = document.text(&format!("{at}.assistant.metadata")).unwrap_or_default();
    let (by_person, by_assistant) = (by_person.unwrap_or_default(), by_assistant.unwrap_or_default());
    Some(NewMessage { by_person, person: None, by_assistant, for_llm }.entry(investigation))
}
