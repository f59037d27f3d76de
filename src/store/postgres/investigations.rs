//! Investigations: creation, reading, deletion.

use super::{Postgres, rows};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::store::row::Row;
use crate::store::{Deleted, StoreError};

/// Into so many slots the count of a group is parted.
const SLOTS: usize = 16;

impl Postgres {
    /// Stores a new investigation with its chat.
    pub async fn create(&self, investigation: Investigation, chat: ObjectId) -> Result<(), StoreError> {
        let row = Row::of(&investigation)?;
        let new = &row.investigation;
        let words: Vec<&str> = row.words.split_whitespace().collect();
        // Identities are never given twice: one that is there already was stored by an earlier attempt.
        self.ask(
            "WITH new AS (
                 INSERT INTO investigation
                     (id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version,
                      cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key,
                      curriculum, grade, title, findings, content)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
                 ON CONFLICT (id) DO NOTHING RETURNING id),
             words AS (INSERT INTO search_word (investigation, word) SELECT id, unnest($21::text[]) FROM new),
             talk AS (INSERT INTO chat (investigation, id, entries) SELECT id, $22, 0 FROM new)
             INSERT INTO group_count (group_key, slot, curriculum, count) SELECT $12, $23, $16, 1 FROM new
             ON CONFLICT (group_key, slot) DO UPDATE SET count = group_count.count + 1",
            &[
                &new.id.to_string(),
                &rows::signed(new.revision)?,
                &new.status.stored(),
                &rows::text(new.author),
                &rows::text(new.metadata_author),
                &new.last_change_with_ai,
                &rows::signed(new.version)?,
                &rows::signed(new.latest_version)?,
                &rows::text(new.cloned_from),
                &new.created_at.0,
                &new.updated_at.0,
                &row.keys.group,
                &row.keys.curriculum,
                &row.keys.title,
                &row.keys.grade,
                &row.curriculum,
                &row.grade,
                &row.title,
                &row.findings,
                &row.content,
                &words,
                &chat.to_string(),
                &slot(new.id),
            ],
        )
        .await
        .map(drop)
    }

    /// The investigation as it stands.
    pub async fn load(&self, id: ObjectId) -> Result<Option<Investigation>, StoreError> {
        let sql = format!("SELECT {} FROM investigation i WHERE i.id = $1", rows::INVESTIGATION);
        let found = self.ask(&sql, &[&id.to_string()]).await?;
        found.rows.first().map(rows::investigation).transpose()
    }

    /// Deletes an investigation with all that belongs to it.
    pub async fn delete(&self, id: ObjectId, revision: Option<u64>) -> Result<Deleted, StoreError> {
        let id_text = id.to_string();
        let found = self
            .ask(
                "SELECT i.revision, (SELECT count(*) FROM chat c WHERE c.investigation = i.id)
                 FROM investigation i WHERE i.id = $1",
                &[&id_text],
            )
            .await?;
        let Some(row) = found.rows.first() else { return Ok(Deleted::Unknown) };
        let chats = rows::whole(row, 1)?;
        let expected = revision.map(rows::signed).transpose()?;
        if expected.is_some_and(|expected| rows::get::<i64>(row, 0).is_ok_and(|stored| stored != expected)) {
            return Ok(Deleted::Lost);
        }
        // Records, copies, words, the chat, links and their counts go by cascade.
        let gone = self
            .ask(
                "WITH gone AS (
                     DELETE FROM investigation WHERE id = $1 AND ($2::bigint IS NULL OR revision = $2) RETURNING group_key),
                 counted AS (
                     UPDATE group_count g SET count = g.count - 1 FROM gone WHERE g.group_key = gone.group_key AND g.slot = $3)
                 SELECT 1 FROM gone",
                &[&id_text, &expected, &slot(id)],
            )
            .await?;
        if !gone.rows.is_empty() {
            return Ok(Deleted::Done { chats });
        }
        let left = self.engine.look_up("SELECT 1 FROM investigation WHERE id = $1", &[&id_text]).await?;
        // It was there when this began. Gone now without an answer to the first attempt, it went with that.
        Ok(match left.rows.is_empty() {
            true if gone.again => Deleted::Done { chats },
            true => Deleted::Unknown,
            false => Deleted::Lost,
        })
    }
}

/// In which slot an investigation is counted.
pub fn slot(id: ObjectId) -> i32 {
    (id.low_bits() % SLOTS) as i32
}
