//! The stored form of a chat entry. The state of the investigation that an entry shows is stored separately, and is
//! compressed. Entries of a chat that show the same state share it.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::StoreError;
use super::row::to_json;
use crate::domain::chat::{AssistantTurn, ChatEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::{ChatPosition, Page};

#[derive(Debug, PartialEq)]
pub struct ChatPage {
    pub id: ObjectId,
    /// Entries, newest first.
    pub page: Page<ChatEntry, ChatPosition>,
}

/// Which parts of a chat entry to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatPart {
    All,
    /// The entry without the state of the investigation. An empty text takes its place.
    Words,
}

/// A chat entry, split into its words and the state of the investigation that it shows.
#[derive(Debug)]
pub struct ChatRow {
    /// The entry as JSON, with an empty text in place of the investigation's state, which is in `shown`.
    pub entry: String,
    /// The investigation at the time of the entry; `None` if the entry does not show the investigation.
    pub shown: Option<ShownState>,
}

/// JSON text of the investigation that one or more chat entries show.
#[derive(Debug)]
pub struct ShownState {
    /// SHA-256 of the text; identifies the state within the chat.
    pub digest: Vec<u8>,
    text: Arc<str>,
}

impl ChatRow {
    /// Splits a chat entry into its words and the state that it shows.
    pub fn of(entry: &ChatEntry) -> Result<Self, StoreError> {
        let ChatEntry { user, assistant: AssistantTurn { content, metadata: text, content_for_llm } } = entry;
        let (content, content_for_llm) = (content.clone(), content_for_llm.clone());
        let assistant = AssistantTurn { content, metadata: "".into(), content_for_llm };
        let shown = (!text.is_empty())
            .then(|| ShownState { digest: digest(&SHA256, text.as_bytes()).as_ref().to_vec(), text: text.clone() });
        Ok(Self { entry: to_json(&ChatEntry { user: user.clone(), assistant })?, shown })
    }
}

/// The rows of a new chat, oldest first, each with its compressed state; `None` if there is no state or an earlier row
/// has the same state.
pub type ChatRows = Vec<(ChatRow, Option<Vec<u8>>)>;

/// Returns the rows of a new chat with the entries `history`.
pub fn rows_of(history: &[ChatEntry]) -> Result<ChatRows, StoreError> {
    let mut known = HashSet::new();
    let row_of = |entry| {
        let row = ChatRow::of(entry)?;
        let new = row.shown.as_ref().filter(|shown| known.insert(shown.digest.clone()));
        let packed = new.map(ShownState::packed).transpose()?;
        Ok((row, packed))
    };
    history.iter().map(row_of).collect()
}

impl ShownState {
    /// Returns the length of the uncompressed text in bytes.
    pub fn length(&self) -> i64 {
        self.text.len() as i64
    }

    pub fn packed(&self) -> Result<Vec<u8>, StoreError> {
        let failed = |error: std::io::Error| StoreError::Failed(error.to_string());
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(self.text.as_bytes()).map_err(failed)?;
        encoder.finish().map_err(failed)
    }
}

/// The states of a chat that were already read, by digest. Entries with the same state share one text in memory.
#[derive(Debug, Default)]
pub struct ShownStates(HashMap<Vec<u8>, Arc<str>>);

impl ShownStates {
    /// Returns the text of the state with this digest. If the state was not read before, `packed` is its compressed
    /// text.
    ///
    /// # Errors
    /// The error for damaged data if the state is missing or cannot be decompressed.
    pub fn text(&mut self, digest: &[u8], packed: Option<&[u8]>) -> Result<Arc<str>, StoreError> {
        if let Some(text) = self.0.get(digest) {
            return Ok(text.clone());
        }
        let text = unpacked(packed)?;
        self.0.insert(digest.to_vec(), text.clone());
        Ok(text)
    }
}

fn unpacked(packed: Option<&[u8]>) -> Result<Arc<str>, StoreError> {
    let packed =
        packed.ok_or_else(|| StoreError::damaged(&"the state of the investigation in a chat entry is missing"))?;
    let mut text = String::new();
    ZlibDecoder::new(packed).read_to_string(&mut text).map_err(|error| StoreError::damaged(&error))?;
    Ok(text.into())
}
