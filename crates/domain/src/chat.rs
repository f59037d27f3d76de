//! The chat of an investigation with the assistant.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::id::ObjectId;

/// Value of `content_for_llm` in entries that the service itself writes. The language model gets `content` instead.
pub const INVESTIGATION_PROVIDED: &str = "[investigation_provided]";

/// The chat of an investigation. Each investigation has at most one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    /// Id of the chat.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The investigation that the chat belongs to.
    pub investigation_id: ObjectId,
    /// The entries, oldest first.
    pub history: Vec<ChatEntry>,
}

/// An entry of the chat: a message by the person, and the assistant's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatEntry {
    /// The person's message.
    pub user: UserTurn,
    /// The assistant's answer.
    pub assistant: AssistantTurn,
}

/// The person's part of a chat entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserTurn {
    /// The message; empty in entries that the service itself writes.
    pub content: String,
    /// Who wrote the message; `None` if that is not known. The API never shows it. Exports contain it, and so does the
    /// export of this person's data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ObjectId>,
}

/// The assistant's part of a chat entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssistantTurn {
    /// The message.
    pub content: String,
    /// The investigation as JSON, as it was when the entry was written.
    pub metadata: Arc<str>,
    /// Text that the language model gets in later calls instead of the message. If this text is empty or
    /// `[investigation_provided]`, the model gets the message.
    pub content_for_llm: String,
}

/// A new chat entry without the investigation. [`NewMessage::entry`] adds the investigation as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// The person's message; empty if the service itself writes the entry.
    pub by_person: String,
    /// Who wrote it, if that is known.
    pub person: Option<ObjectId>,
    /// The assistant's message.
    pub by_assistant: String,
    /// See [`AssistantTurn::content_for_llm`].
    pub for_llm: String,
}

impl NewMessage {
    /// Creates an entry that the service itself writes. `message` is the assistant's message.
    pub fn by_service(message: impl Into<String>) -> Self {
        Self {
            by_person: String::new(),
            person: None,
            by_assistant: message.into(),
            for_llm: INVESTIGATION_PROVIDED.to_owned(),
        }
    }

    /// Returns the chat entry. `investigation` is the JSON of the investigation at the time of the entry.
    pub fn entry(self, investigation: String) -> ChatEntry {
        let Self { by_person, person, by_assistant, for_llm } = self;
        let assistant =
            AssistantTurn { content: by_assistant, metadata: investigation.into(), content_for_llm: for_llm };
        ChatEntry { user: UserTurn { content: by_person, by: person }, assistant }
    }
}
