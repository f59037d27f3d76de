//! Proposals of the assistant.

use crate::domain::content::Content;

/// Result of resolving contradictions, regenerating fields, or answering a chat message.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// New content, or the old content if nothing changed.
    pub content: Content,
    /// Message for the chat. Empty for a regeneration, whose chat message is always the same.
    pub message: String,
    /// More sentences for the author, such as what could not be resolved; `None` if there are none.
    pub explanation: Option<String>,
}
