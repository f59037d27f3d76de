//! The chats of investigations.

use super::{Postgres, rows};
use crate::domain::chat::Chat;
use crate::domain::id::ObjectId;
use crate::store::StoreError;

impl Postgres {
    /// Whether an investigation has a chat.
    pub async fn has_chat(&self, id: ObjectId) -> Result<bool, StoreError> {
        let found = self.ask("SELECT 1 FROM chat WHERE investigation = $1", &[&id.to_string()]).await?;
        Ok(!found.rows.is_empty())
    }

    /// The chat of an investigation.
    pub async fn chat(&self, id: ObjectId) -> Result<Option<Chat>, StoreError> {
        let found = self
            .ask(
                "SELECT c.id, e.entry FROM chat c LEFT JOIN chat_entry e ON e.investigation = c.investigation
                 WHERE c.investigation = $1 ORDER BY e.place",
                &[&id.to_string()],
            )
            .await?;
        let Some(first) = found.rows.first() else { return Ok(None) };
        let mut chat = Chat { id: rows::parsed(first, 0)?, investigation_id: id, history: Vec::new() };
        for row in &found.rows {
            if rows::get::<Option<&str>>(row, 1)?.is_some() {
                chat.history.push(rows::json(row, 1)?);
            }
        }
        Ok(Some(chat))
    }
}
