//! The conversation that belongs to an investigation.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::id::ObjectId;

/// What stands in `content_for_llm` of entries that the service writes.
pub const INVESTIGATION_PROVIDED: &str = "[investigation_provided]";

/// The chat record: one for each investigation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    /// Its identity.
    #[serde(rename = "_id")]
    #[schema(value_type = String)]
    pub id: ObjectId,
    /// The investigation that it belongs to.
    #[schema(value_type = String)]
    pub investigation_id: ObjectId,
    /// What was said, oldest first.
    pub history: Vec<ChatEntry>,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatEntry {
    /// What the person said.
    pub user: UserTurn,
    /// What the assistant said.
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
    /// What a language model reads in place of the investigation.
    pub content_for_llm: String,
}

/// What is said in a turn. The investigation is added when it is stored, as it then stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// What the person said; empty where the service itself speaks.
    pub by_person: String,
    /// What the assistant answered.
    pub by_assistant: String,
    /// What a language model is to read of that later.
    pub for_llm: String,
}

impl NewMessage {
    /// Said by the service: no person spoke, and the investigation goes with the message.
    pub fn by_service(message: impl Into<String>) -> Self {
        Self { by_person: String::new(), by_assistant: message.into(), for_llm: INVESTIGATION_PROVIDED.to_owned() }
    }

    /// The entry of the chat, with the investigation of that time as JSON.
    pub fn entry(self, investigation: String) -> ChatEntry {
        let Self { by_person, by_assistant, for_llm } = self;
        let assistant =
            AssistantTurn { content: by_assistant, metadata: investigation.into(), content_for_llm: for_llm };
        ChatEntry { user: UserTurn { content: by_person }, assistant }
    }
}
