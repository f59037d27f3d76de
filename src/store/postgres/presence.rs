//! Presence, which several copies of the service share in an unlogged table: after a crash of the server it is empty.

use super::{Postgres, rows};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::StoreError;
use crate::store::presence::{MAX_ENTRIES_PER_USER, MAX_RETURNED, expiry_cutoff};

/// Statement that notes whether a user has an investigation open. Deletes expired entries, and the user's oldest
/// entries beyond the maximum. Skips rows that are being deleted, so that statements do not wait for each other.
const NOTE: &str = "WITH noted AS (
     INSERT INTO presence (investigation, user_id, at) SELECT $1, $2, $3 WHERE $4
     ON CONFLICT (investigation, user_id) DO UPDATE SET at = excluded.at),
 gone AS (
     DELETE FROM presence WHERE (investigation, user_id) IN (
         SELECT investigation, user_id FROM presence
         WHERE CASE WHEN investigation = $1 AND user_id = $2 THEN NOT $4 ELSE at <= $5 OR user_id = $2 AND at <= (
             SELECT at FROM presence WHERE user_id = $2 AND investigation <> $1 ORDER BY at DESC OFFSET $6 LIMIT 1) END
         LIMIT 100 FOR UPDATE SKIP LOCKED))
 SELECT user_id FROM presence WHERE investigation = $1 AND user_id <> $2 AND at > $5 ORDER BY user_id LIMIT $7";

impl Postgres {
    pub async fn note_presence(
        &self,
        id: ObjectId,
        user: ObjectId,
        open: bool,
        now: Timestamp,
    ) -> Result<Vec<ObjectId>, StoreError> {
        let (id, user, others) = (id.to_string(), user.to_string(), MAX_ENTRIES_PER_USER as i64 - 1);
        let found = self
            .change(NOTE, &[&id, &user, &now.0, &open, &expiry_cutoff(now).0, &others, &(MAX_RETURNED as i64)])
            .await?;
        found.rows.iter().map(|row| rows::parsed(row, 0)).collect()
    }
}
