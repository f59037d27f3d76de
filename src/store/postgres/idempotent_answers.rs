//! Answers to requests with an idempotency key, stored for a day. The statement that creates a record inserts the key
//! first. If two requests with the same key run concurrently, the second waits for the first and creates nothing.

use super::{Postgres, rows};
use crate::domain::time::Timestamp;
use crate::store::commands::MAX_DELETED;
use crate::store::{ANSWER_TTL, IdempotentAnswer, StoreError, StoredAnswer};

/// Which request stored an idempotency key. Looked up if the creation of an investigation or link stored nothing.
pub enum Claim {
    /// This request, possibly in an earlier attempt whose answer was lost.
    ThisRequest,
    /// An earlier request. Contains its stored answer.
    EarlierRequest(StoredAnswer),
    /// No request: the key is not stored, or it has expired.
    Unused,
}

impl Postgres {
    pub async fn stored_answer(
        &self,
        caller: String,
        key: String,
        now: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        let found = self.ask(FIND, &[&caller, &key, &now.0.saturating_sub(ANSWER_TTL)]).await?;
        found.rows.first().map(from_row).transpose()
    }

    pub async fn finalize_answer(&self, caller: String, key: String, answer: String) -> Result<(), StoreError> {
        let sql = "UPDATE first_answer SET answer = $3, settled = true WHERE caller = $1 AND key = $2 AND NOT settled";
        self.change(sql, &[&caller, &key, &answer]).await.map(drop)
    }

    /// Returns which request stored the idempotency key of `answer`.
    pub(super) async fn claim(&self, answer: &IdempotentAnswer) -> Result<Claim, StoreError> {
        let found = self.engine.look_up(FIND, &[&answer.caller, &answer.key, &answer.expiry_cutoff()]).await?;
        let Some(kept) = found.rows.first().map(from_row).transpose()? else { return Ok(Claim::Unused) };
        // The answer contains the id of the new record. Ids are never reused, so an equal answer comes from an earlier
        // attempt.
        Ok(if kept.answer == answer.answer { Claim::ThisRequest } else { Claim::EarlierRequest(kept) })
    }

    /// Deletes up to [`MAX_DELETED`] expired answers. If this fails, a later creation deletes them.
    pub(super) async fn forget_answers(&self, answer: &IdempotentAnswer) {
        let sql = "DELETE FROM first_answer WHERE (caller, key) IN (
             SELECT caller, key FROM first_answer WHERE at <= $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)";
        if let Err(error) = self.change(sql, &[&answer.expiry_cutoff(), &MAX_DELETED]).await {
            tracing::warn!(%error, "cannot delete expired idempotency answers");
        }
    }
}

const FIND: &str = "SELECT request, answer, settled FROM first_answer WHERE caller = $1 AND key = $2 AND at > $3";

fn from_row(row: &tokio_postgres::Row) -> Result<StoredAnswer, StoreError> {
    Ok(StoredAnswer { request: rows::get(row, 0)?, answer: rows::get(row, 1)?, is_final: rows::get(row, 2)? })
}
