//! Answers to requests with an idempotency key, stored for a day. Only one thread writes, and before it stores an
//! answer, it looks for an answer with the same key. So two requests cannot both use one key.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Sqlite;
use crate::domain::time::Timestamp;
use crate::store::commands::MAX_DELETED;
use crate::store::{ANSWER_TTL, IdempotentAnswer, StoreError, StoredAnswer};

impl Sqlite {
    pub async fn stored_answer(
        &self,
        caller: String,
        key: String,
        now: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        let over = now.0.saturating_sub(ANSWER_TTL);
        self.readers.look_up(|connection| find(connection, &caller, &key, over)).await
    }

    pub async fn finalize_answer(&self, caller: String, key: String, answer: String) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                connection
                    .prepare_cached(
                        "UPDATE first_answer SET answer = ?3, settled = 1 WHERE caller = ?1 AND key = ?2 AND NOT settled",
                    )?
                    .execute([caller, key, answer])?;
                Ok(())
            })
            .await
    }
}

/// Returns the stored answer to an earlier request with the same caller and idempotency key as `answer`.
pub(super) fn find_earlier(
    connection: &Connection,
    answer: &IdempotentAnswer,
) -> Result<Option<StoredAnswer>, rusqlite::Error> {
    find(connection, &answer.caller, &answer.key, answer.expiry_cutoff())
}

/// Stores an answer, and deletes some expired answers. The caller must have checked with [`find_earlier`] that the key
/// is unused.
pub(super) fn keep(connection: &Connection, answer: &IdempotentAnswer) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached(
            "DELETE FROM first_answer WHERE rowid IN (SELECT rowid FROM first_answer WHERE at <= ?1 ORDER BY at LIMIT ?2)",
        )?
        .execute(params![answer.expiry_cutoff(), MAX_DELETED])?;
    connection
        .prepare_cached(
            "INSERT INTO first_answer (caller, key, request, answer, settled, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (caller, key) DO UPDATE SET request = excluded.request, answer = excluded.answer,
                 settled = excluded.settled, at = excluded.at WHERE at <= ?7",
        )?
        .execute(params![
            answer.caller,
            answer.key,
            answer.request,
            answer.answer,
            answer.is_final,
            answer.at.0,
            answer.expiry_cutoff()
        ])?;
    Ok(())
}

fn find(connection: &Connection, caller: &str, key: &str, over: i64) -> Result<Option<StoredAnswer>, rusqlite::Error> {
    let read = |row: &Row<'_>| Ok(StoredAnswer { request: row.get(0)?, answer: row.get(1)?, is_final: row.get(2)? });
    connection
        .prepare_cached("SELECT request, answer, settled FROM first_answer WHERE caller = ?1 AND key = ?2 AND at > ?3")?
        .query_row(params![caller, key, over], read)
        .optional()
}
