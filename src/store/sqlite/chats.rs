//! The chats of investigations. Entries are read in pages, newest first, and added one by one.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, rows};
use crate::domain::chat::{Chat, ChatEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::{ByteBudget, ChatPosition, Page, PageRequest};
use crate::store::chat_row::{ChatRow, ChatRows, Snapshots};
use crate::store::{ChatPage, ChatPart, StoreError};

/// Maximum number of entries per query while a whole chat is read.
const PAGE: u32 = 1000;

impl Sqlite {
    pub async fn has_chat(&self, id: ObjectId) -> Result<bool, StoreError> {
        self.readers.look_up(|connection| number_of(connection, id).map(|chat| chat.is_some())).await
    }

    pub async fn chat(
        &self,
        id: ObjectId,
        wanted: PageRequest<ChatPosition>,
        part: ChatPart,
    ) -> Result<Option<ChatPage>, StoreError> {
        self.readers.read(move |connection| page(connection, id, wanted, part, &mut Snapshots::default())).await
    }
}

/// Returns the row number and the id of the chat of an investigation.
fn number_of(connection: &Connection, id: ObjectId) -> Result<Option<(i64, ObjectId)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT c.n, c.id FROM chat c JOIN investigation i ON i.n = c.investigation WHERE i.id = ?1")?
        .query_row([id.to_string()], |row| Ok((row.get(0)?, rows::parsed(row, 1)?)))
        .optional()
}

fn page(
    connection: &Connection,
    id: ObjectId,
    wanted: PageRequest<ChatPosition>,
    part: ChatPart,
    snapshots: &mut Snapshots,
) -> Result<Option<ChatPage>, StoreError> {
    let Some((chat, chat_id)) = number_of(connection, id)? else { return Ok(None) };
    let mut statement = connection.prepare_cached(
        "SELECT e.n, octet_length(e.entry), coalesce(s.length, 0), e.entry, e.snapshot, s.n
         FROM chat_entry e LEFT JOIN chat_snapshot s ON s.chat = e.chat AND s.digest = e.snapshot
         WHERE e.chat = ?1 AND e.n < ?2 ORDER BY e.n DESC LIMIT ?3",
    )?;
    let before = wanted.after.map_or(i64::MAX, |place| place.number);
    let mut found = statement.query(params![chat, before, i64::from(wanted.limit) + 1])?;
    let (mut page, mut room) = (Page { entries: Vec::new(), has_more: false }, ByteBudget::of_rows());
    while let Some(row) = found.next()? {
        let shown: usize = if part == ChatPart::All { row.get(2)? } else { 0 };
        if page.entries.len() == wanted.limit as usize || !room.takes(row.get::<_, usize>(1)? + shown) {
            page.has_more = true;
            break;
        }
        let mut entry: ChatEntry = rows::json(row, 3)?;
        if let Some(digest) = row.get_ref(4)?.as_blob_or_null().map_err(rusqlite::Error::from)?
            && part == ChatPart::All
        {
            snapshots.complete(&mut entry, digest, || packed(connection, row.get(5)?))?;
        }
        page.entries.push((ChatPosition { investigation: id, number: row.get(0)? }, entry));
    }
    Ok(Some(ChatPage { id: chat_id, page }))
}

/// Returns the compressed snapshot with this row number.
fn packed(connection: &Connection, n: Option<i64>) -> Result<Option<Vec<u8>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT packed FROM chat_snapshot WHERE n = ?1")?;
    Ok(statement.query_row([n], |row| row.get(0)).optional()?)
}

pub(super) fn whole(connection: &Connection, id: ObjectId) -> Result<Option<Chat>, StoreError> {
    let (mut history, mut snapshots, mut wanted) = (Vec::new(), Snapshots::default(), PageRequest::first(PAGE));
    loop {
        let Some(ChatPage { id: chat, page }) = page(connection, id, wanted, ChatPart::All, &mut snapshots)? else {
            return Ok(None);
        };
        wanted.after = page.entries.last().map(|(place, _)| *place);
        history.extend(page.entries.into_iter().map(|(_, entry)| entry));
        if !page.has_more {
            history.reverse();
            return Ok(Some(Chat { id: chat, investigation_id: id, history }));
        }
    }
}

/// Stores a chat without entries for the investigation with this row number.
pub(super) fn insert(connection: &Connection, n: i64, chat: ObjectId) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("INSERT INTO chat (id, investigation) VALUES (?1, ?2)")?
        .execute(params![chat.to_string(), n])?;
    Ok(())
}

/// Adds an entry to the chat of the investigation with this row number. `packed` is the compressed snapshot of the
/// entry; `None` if the entry has no snapshot, or its snapshot is already stored.
pub(super) fn insert_entry(
    connection: &Connection,
    n: i64,
    ChatRow { entry, snapshot }: &ChatRow,
    packed: Option<&[u8]>,
) -> Result<(), rusqlite::Error> {
    if let (Some(snapshot), Some(packed)) = (snapshot, packed) {
        connection
            .prepare_cached(
                "INSERT INTO chat_snapshot (chat, digest, length, packed)
                 SELECT c.n, ?2, ?3, ?4 FROM chat c WHERE c.investigation = ?1 ON CONFLICT (chat, digest) DO NOTHING",
            )?
            .execute(params![n, snapshot.digest, snapshot.length(), packed])?;
    }
    connection
        .prepare_cached(
            "INSERT INTO chat_entry (chat, entry, snapshot) SELECT c.n, ?2, ?3 FROM chat c WHERE c.investigation = ?1",
        )?
        .execute(params![n, entry, snapshot.as_ref().map(|snapshot| &snapshot.digest)])?;
    Ok(())
}

/// Stores a chat with its entries for the investigation with this row number.
pub(super) fn put(connection: &Connection, n: i64, chat: ObjectId, rows: &ChatRows) -> Result<(), StoreError> {
    insert(connection, n, chat)?;
    for (chat_row, packed) in rows {
        insert_entry(connection, n, chat_row, packed.as_deref())?;
    }
    Ok(())
}
