//! The chats of investigations. Entries are read in pages, newest first, and added one by one.

use super::chat_row::{ChatRow, ChatRows, ShownStates};
use super::engine::{ReadKind, Snapshot};
use super::readable::{Table, readable};
use super::sql::{Row, Rows, Statement};
use super::{ChatPage, ChatPart, Store, StoreError};
use crate::domain::chat::{Chat, ChatEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::{ChatPosition, MAX_ANSWER, Page, PageRequest};

/// Number of entries per round while a whole chat is read.
const ENTRIES_PER_ROUND: u32 = 100;

const TABLE: Table = Table { name: "chat_entry", key: &["chat", "place"] };

const CHAT: &str = "SELECT c.id, (SELECT min(e.place) FROM chat_entry e WHERE e.chat = c.n) AS oldest
     FROM investigation i JOIN chat c ON c.body = i.body WHERE i.id = $investigation";

/// Query for the entries before the place `$before`, newest first: up to `$limit` entries and `$bytes` bytes, but at
/// least one entry. If `$all` is true, also returns the states of the investigation that these entries show. A state
/// that several entries show is only in the row of the newest of them.
const ENTRIES: &str =
    "SELECT e.chat, e.place, e.entry, p.snapshot, CASE WHEN p.of_snapshot = 1 THEN s.packed END AS packed
     FROM (
         SELECT p.chat, p.place, p.snapshot, sum(p.bytes) OVER newest AS upto, row_number() OVER newest AS nth,
             row_number() OVER (PARTITION BY p.snapshot ORDER BY p.place DESC) AS of_snapshot
         FROM (
             SELECT e.chat, e.place, CASE WHEN $all THEN e.snapshot END AS snapshot,
                 octet_length(e.entry) + coalesce(s.length, 0) AS bytes
             FROM investigation i JOIN chat c ON c.body = i.body JOIN chat_entry e ON e.chat = c.n
             LEFT JOIN chat_snapshot s ON $all AND s.chat = e.chat AND s.digest = e.snapshot
             WHERE i.id = $investigation AND e.place < $before ORDER BY e.place DESC LIMIT $limit) p
         WINDOW newest AS (ORDER BY p.place DESC)) p
     JOIN chat_entry e ON e.chat = p.chat AND e.place = p.place
     LEFT JOIN chat_snapshot s ON s.chat = p.chat AND s.digest = p.snapshot
     WHERE p.upto <= CAST($bytes AS BIGINT) OR p.nth = 1 ORDER BY e.place DESC";

impl Store {
    pub async fn has_chat(&self, id: ObjectId) -> Result<bool, StoreError> {
        Ok(!self.get(Statement::new(CHAT).with("investigation", id)).await?.is_empty())
    }

    /// Returns a page of the chat of an investigation, newest entries first; `None` if the investigation has no chat.
    pub async fn chat(
        &self,
        id: ObjectId,
        wanted: PageRequest<ChatPosition>,
        part: ChatPart,
    ) -> Result<Option<ChatPage>, StoreError> {
        let mut wanted = wanted;
        // A page of a chat may be large, so it is not read on the calling thread.
        let snapshot = self.begin(ReadKind::Light).await?;
        loop {
            let rows = snapshot.read(statements(id, wanted, part)).await?;
            let mut states = ShownStates::default();
            let entries = readable(TABLE, &rows[1], |row| entry(row, id, &mut states))?;
            let page = page(&rows, entries)?;
            // If no entry of the page can be read, reads an older page.
            match (&page, rows[1].last()) {
                (Some(chat), Some(oldest)) if chat.page.entries.is_empty() && chat.page.has_more => {
                    wanted.after = Some(ChatPosition { investigation: id, number: oldest.integer("place")? });
                }
                _ => {
                    snapshot.end();
                    return Ok(page);
                }
            }
        }
    }
}

/// Returns the queries for a page. The function [`page`] reads their rows.
fn statements(id: ObjectId, wanted: PageRequest<ChatPosition>, part: ChatPart) -> Vec<Statement> {
    let entries = Statement::new(ENTRIES)
        .with("investigation", id)
        .with("before", wanted.after.map_or(i64::MAX, |place| place.number))
        .with("limit", wanted.limit)
        .with("bytes", MAX_ANSWER as u64)
        .with("all", part == ChatPart::All);
    vec![Statement::new(CHAT).with("investigation", id), entries]
}

/// Returns the page with these entries; `None` if there is no chat.
fn page(rows: &[Rows], entries: Vec<(ChatPosition, ChatEntry)>) -> Result<Option<ChatPage>, StoreError> {
    let Some(chat) = rows[0].first() else { return Ok(None) };
    let has_more = match rows[1].last() {
        Some(last) => chat.integer("oldest")? < last.integer("place")?,
        None => false,
    };
    Ok(Some(ChatPage { id: chat.parsed("id")?, page: Page { entries, has_more } }))
}

fn entry(row: &Row, id: ObjectId, states: &mut ShownStates) -> Result<(ChatPosition, ChatEntry), StoreError> {
    // Reads the state before the entry: even if the entry is damaged, later entries may need the state.
    let text = match row.optional_bytes("snapshot")? {
        Some(digest) => Some(states.text(digest, row.optional_bytes("packed")?)?),
        None => None,
    };
    let mut entry: ChatEntry = row.json("entry")?;
    entry.assistant.metadata = text.unwrap_or(entry.assistant.metadata);
    Ok((ChatPosition { investigation: id, number: row.integer("place")? }, entry))
}

pub(super) async fn whole(snapshot: &Snapshot, id: ObjectId) -> Result<Option<Chat>, StoreError> {
    let (mut history, mut states) = (Vec::new(), ShownStates::default());
    let mut wanted = PageRequest::first(ENTRIES_PER_ROUND);
    loop {
        let rows = snapshot.read(statements(id, wanted, ChatPart::All)).await?;
        let entries = rows[1].iter().map(|row| entry(row, id, &mut states)).collect::<Result<_, _>>()?;
        let Some(ChatPage { id: chat, page }) = self::page(&rows, entries)? else { return Ok(None) };
        wanted.after = page.entries.last().map(|(place, _)| *place);
        history.extend(page.entries.into_iter().map(|(_, entry)| entry));
        if !page.has_more {
            history.reverse();
            return Ok(Some(Chat { id: chat, investigation_id: id, history }));
        }
    }
}

/// Returns the statement that stores the chat of the investigation `id`. The number of its entries is `entries`.
pub(super) fn insert(id: ObjectId, chat: ObjectId, entries: u64) -> Statement {
    Statement::insert_for(id, "chat", vec![("id", chat.into()), ("entries", entries.into())])
}

/// Returns the statements that add an entry to the chat of the investigation `id`. `packed` is the compressed state
/// that the entry shows; `None` if it shows none, or the state is already stored.
pub(super) fn add(id: ObjectId, row: &ChatRow, packed: Option<&[u8]>) -> Vec<Statement> {
    let count = "UPDATE chat SET entries = entries + 1
         WHERE body = (SELECT i.body FROM investigation i WHERE i.id = $investigation)";
    let mut statements = vec![Statement::new(count).with("investigation", id), insert_entry(id, row, "c.entries")];
    statements.extend(insert_state(id, row, packed));
    statements
}

/// Returns the statements that store a chat of the investigation `id` with all its entries.
pub(super) fn insert_whole(id: ObjectId, chat: ObjectId, rows: &ChatRows) -> Vec<Statement> {
    let mut statements = vec![insert(id, chat, rows.len() as u64)];
    for ((row, packed), place) in rows.iter().zip(1_u64..) {
        statements.push(insert_entry(id, row, "$place").with("place", place));
        statements.extend(insert_state(id, row, packed.as_deref()));
    }
    statements
}

fn insert_entry(id: ObjectId, row: &ChatRow, place: &str) -> Statement {
    let digest = row.shown.as_ref().map(|shown| shown.digest.as_slice());
    Statement::new(format!(
        "INSERT INTO chat_entry (chat, place, entry, snapshot) SELECT c.n, {place}, $entry, $snapshot
         FROM investigation i JOIN chat c ON c.body = i.body WHERE i.id = $investigation"
    ))
    .with("investigation", id)
    .with("entry", &row.entry)
    .with("snapshot", digest)
}

/// Returns the statement that stores the state that an entry shows, unless it is already stored.
fn insert_state(id: ObjectId, row: &ChatRow, packed: Option<&[u8]>) -> Option<Statement> {
    let shown = row.shown.as_ref()?;
    let insert = Statement::new(
        "INSERT INTO chat_snapshot (chat, digest, length, packed) SELECT c.n, $digest, $length, $packed
         FROM investigation i JOIN chat c ON c.body = i.body WHERE i.id = $investigation
         ON CONFLICT (chat, digest) DO NOTHING",
    );
    let insert = insert.with("investigation", id).with("digest", shown.digest.as_slice());
    Some(insert.with("length", shown.length()).with("packed", packed?))
}
