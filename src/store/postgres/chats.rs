//! The chats of investigations. Entries are read in pages, newest first, and added one by one.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::transaction::Transaction;
use super::{Postgres, rows};
use crate::domain::chat::{Chat, ChatEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::{ChatPosition, MAX_ANSWER, Page, PageRequest};
use crate::store::chat_row::{ChatRow, ChatRows, Snapshots};
use crate::store::{ChatPage, ChatPart, StoreError};

/// Maximum number of entries that one statement reads or writes, so that no statement takes long.
const CHUNK: usize = 100;

/// Query for a page of the chat of the investigation `$1`. Returns entries before the position `$2`, newest first: up
/// to `$3` entries and `$4` bytes, but at least one entry. If `$5` is true, also returns each snapshot once, with the
/// newest returned entry that has it. The last column is the number of entries without the limit of `$4` bytes.
const PAGE: &str = "SELECT c.id, e.place, e.entry, e.snapshot, CASE WHEN e.of_snapshot = 1 THEN e.packed END, e.picked
     FROM chat c LEFT JOIN (
         SELECT *, sum(bytes) OVER newest AS upto, row_number() OVER newest AS nth, count(*) OVER () AS picked,
             row_number() OVER (PARTITION BY snapshot ORDER BY place DESC) AS of_snapshot
         FROM (
             SELECT e.place, e.entry, CASE WHEN $5::boolean THEN e.snapshot END AS snapshot, s.packed,
                 octet_length(e.entry) + coalesce(s.length, 0) AS bytes
             FROM chat_entry e LEFT JOIN chat_snapshot s
                 ON $5 AND s.investigation = e.investigation AND s.digest = e.snapshot
             WHERE e.investigation = $1 AND e.place < $2 ORDER BY e.place DESC LIMIT $3::bigint) AS entries
         WINDOW newest AS (ORDER BY place DESC)) e ON e.upto <= $4::bigint OR e.nth = 1
     WHERE c.investigation = $1 ORDER BY e.place DESC";

impl Postgres {
    pub async fn has_chat(&self, id: ObjectId) -> Result<bool, StoreError> {
        let found = self.ask("SELECT 1 FROM chat WHERE investigation = $1", &[&id.to_string()]).await?;
        Ok(!found.rows.is_empty())
    }

    pub async fn chat(
        &self,
        id: ObjectId,
        wanted: PageRequest<ChatPosition>,
        part: ChatPart,
    ) -> Result<Option<ChatPage>, StoreError> {
        let (key, before, limit) = (id.to_string(), before(wanted), i64::from(wanted.limit) + 1);
        let values: [&(dyn ToSql + Sync); 5] = [&key, &before, &limit, &(MAX_ANSWER as i64), &(part == ChatPart::All)];
        let found = self.ask(PAGE, &values).await?;
        page(&found.rows, id, wanted, &mut Snapshots::default())
    }
}

fn before(wanted: PageRequest<ChatPosition>) -> i64 {
    wanted.after.map_or(i64::MAX, |place| place.number)
}

fn page(
    rows: &[Row],
    id: ObjectId,
    wanted: PageRequest<ChatPosition>,
    snapshots: &mut Snapshots,
) -> Result<Option<ChatPage>, StoreError> {
    let Some(first) = rows.first() else { return Ok(None) };
    let mut page = Page { entries: Vec::new(), has_more: false };
    for row in rows.iter().take(wanted.limit as usize) {
        // For a chat without entries, the query returns one row, which contains only the id of the chat.
        let Some(number) = rows::get(row, 1)? else { continue };
        let mut entry: ChatEntry = rows::json(row, 2)?;
        if let Some(digest) = rows::get::<Option<&[u8]>>(row, 3)? {
            snapshots.complete(&mut entry, digest, || rows::get(row, 4))?;
        }
        page.entries.push((ChatPosition { investigation: id, number }, entry));
    }
    page.has_more = rows::get::<Option<i64>>(first, 5)?.is_some_and(|picked| picked > page.entries.len() as i64);
    Ok(Some(ChatPage { id: rows::parsed(first, 0)?, page }))
}

/// Returns the whole chat of an investigation.
pub async fn whole(transaction: &Transaction, id: ObjectId) -> Result<Option<Chat>, StoreError> {
    let (mut history, mut snapshots, mut wanted) = (Vec::new(), Snapshots::default(), PageRequest::first(CHUNK as u32));
    let limit = CHUNK as i64 + 1;
    loop {
        let found =
            transaction.ask(PAGE, &[&id.to_string(), &before(wanted), &limit, &(MAX_ANSWER as i64), &true]).await?;
        let Some(ChatPage { id: chat, page }) = page(&found, id, wanted, &mut snapshots)? else {
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

/// Stores entries in a chat that has no entries yet.
pub async fn put_entries(transaction: &Transaction, id: &str, rows: &ChatRows) -> Result<(), StoreError> {
    for (part, chunk) in rows.chunks(CHUNK).enumerate() {
        let (mut texts, mut digests) = (Vec::new(), Vec::new());
        for (ChatRow { entry, snapshot }, packed) in chunk {
            if let (Some(snapshot), Some(packed)) = (snapshot, packed) {
                let sql = "INSERT INTO chat_snapshot (investigation, digest, length, packed) VALUES ($1, $2, $3, $4)";
                transaction.ask(sql, &[&id, &snapshot.digest, &snapshot.length(), packed]).await?;
            }
            texts.push(entry.as_str());
            digests.push(snapshot.as_ref().map(|snapshot| snapshot.digest.as_slice()));
        }
        transaction
            .ask(
                "INSERT INTO chat_entry (investigation, place, entry, snapshot)
                 SELECT $1, $2 + n, entry, snapshot
                 FROM unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS e (entry, snapshot, n)",
                &[&id, &((part * CHUNK) as i64), &texts, &digests],
            )
            .await?;
    }
    Ok(())
}
