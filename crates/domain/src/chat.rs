//! The conversation that belongs to an investigation.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::id::ObjectId;

/// `content_for_llm` of entries that the service writes.
pub const INVESTIGATION_PROVIDED: &str = "[investigation_provided]";

/// The chat record: one for each investigation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    /// Id of the chat.
    #[serde(rename = "_id")]
    #[schema(value_type = String)]
    pub id: ObjectId,
    /// The investigation that it belongs to.
    #[schema(value_type = String)]
    pub investigation_id: ObjectId,
    /// The entries, oldest first.
    pub history: Vec<ChatEntry>,
}

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatEntry {
    /// The person's turn.
    pub user: UserTurn,
    /// The assistant's turn.
    pub assistant: AssistantTurn,
}

/// The person's part of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserTurn {
    /// Empty in entries that the service writes.
    pub content: String,
}

/// The assistant's part of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AssistantTurn {
    /// The message.
    pub content: String,
    /// The investigation at that time, as JSON. Entries with no change between them may share it.
    #[schema(value_type = String)]
    pub metadata: Arc<str>,
    /// Text for the language model instead of the investigation.
    pub content_for_llm: String,
}

/// A new chat entry without the investigation, which is added as it is when the entry is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// The person's message; empty if the service itself writes the entry.
    pub by_person: String,
    /// The assistant's message.
    pub by_assistant: String,
    /// Text of this entry for later model calls.
    pub for_llm: String,
}

impl NewMessage {
    /// Creates a message by the service itself: no person wrote anything, and the investigation is attached.
    pub fn by_service(message: impl Into<String>) -> Self {
        Self { by_person: String::new(), by_assistant: message.into(), for_llm: INVESTIGATION_PROVIDED.to_owned() }
    }

    /// Returns the entry of the chat, with the investigation of that time as JSON.
    pub fn entry(self, investigation: String) -> ChatEntry {
        let Self { by_person, by_assistant, for_llm } = self;
        let assistant =
            AssistantTurn { content: by_assistant, metadata: investigation.into(), content_for_llm: for_llm };
        ChatEntry { user: UserTurn { content: by_person }, assistant }
    }
}
