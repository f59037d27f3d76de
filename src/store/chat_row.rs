//! The stored form of a chat entry. The text of the investigation in an entry is stored separately, as a compressed
//! snapshot. Entries of a chat with the same text share one snapshot.

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
    /// The entry without its snapshot of the investigation. The snapshot is replaced by an empty text.
    Words,
}

/// A chat entry, split into its words and its snapshot of the investigation.
#[derive(Debug)]
pub struct ChatRow {
    /// The entry as JSON. Its snapshot is replaced by an empty text.
    pub entry: String,
    /// The investigation at the time of the entry; `None` if the entry does not show the investigation.
    pub snapshot: Option<Snapshot>,
}

/// JSON text of the investigation that one or more chat entries show.
#[derive(Debug)]
pub struct Snapshot {
    /// SHA-256 of the text; identifies the snapshot within the chat.
    pub digest: Vec<u8>,
    text: Arc<str>,
}

impl ChatRow {
    /// Splits a chat entry into its words and its snapshot of the investigation.
    pub fn of(entry: &ChatEntry) -> Result<Self, StoreError> {
        let ChatEntry { user, assistant: AssistantTurn { content, metadata: text, content_for_llm } } = entry;
        let (content, content_for_llm) = (content.clone(), content_for_llm.clone());
        let assistant = AssistantTurn { content, metadata: "".into(), content_for_llm };
        let snapshot = (!text.is_empty())
            .then(|| Snapshot { digest: digest(&SHA256, text.as_bytes()).as_ref().to_vec(), text: text.clone() });
        Ok(Self { entry: to_json(&ChatEntry { user: user.clone(), assistant })?, snapshot })
    }
}

/// The rows of a new chat, oldest first, each with its compressed snapshot; `None` if there is no snapshot or an
/// earlier row has the same snapshot.
pub type ChatRows = Vec<(ChatRow, Option<Vec<u8>>)>;

/// Returns the rows of a new chat with the entries `history`.
pub fn rows_of(history: &[ChatEntry]) -> Result<ChatRows, StoreError> {
    let mut known = HashSet::new();
    let row_of = |entry| {
        let row = ChatRow::of(entry)?;
        let new = row.snapshot.as_ref().filter(|snapshot| known.insert(snapshot.digest.clone()));
        let packed = new.map(Snapshot::packed).transpose()?;
        Ok((row, packed))
    };
    history.iter().map(row_of).collect()
}

impl Snapshot {
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

/// The snapshots of a chat that were already read, by digest. Entries with the same snapshot share one text in memory.
#[derive(Debug, Default)]
pub struct Snapshots(HashMap<Vec<u8>, Arc<str>>);

impl Snapshots {
    /// Returns the text of the snapshot with this digest. If the snapshot was not read before, `packed` is its
    /// compressed text.
    ///
    /// # Errors
    /// The error for damaged data if the snapshot is missing or cannot be decompressed.
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
    let packed = packed.ok_or_else(|| StoreError::damaged(&"the snapshot of a chat entry is missing"))?;
    let mut text = String::new();
    ZlibDecoder::new(packed).read_to_string(&mut text).map_err(|error| StoreError::damaged(&error))?;
    Ok(text.into())
}
