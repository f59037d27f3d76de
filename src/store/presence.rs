//! Presence: which users have an investigation open. Entries expire, and are neither exported nor audited.

use std::time::Duration;

use super::engine::WriteKind;
use super::readable::{Table, readable};
use super::sql::{Rows, Statement};
use super::{Store, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

const TABLE: Table = Table { name: "presence", key: &["user_id"] };

/// Time after which a user is no longer regarded as present in an investigation. Each call of [`Store::note_presence`]
/// restarts this time. An entry that is as far in the future is from a wrong clock, and does not count either.
pub const PRESENCE_TTL: Duration = Duration::from_secs(45);

/// Maximum number of presence entries of one user. A further entry replaces the user's oldest entry.
const MAX_ENTRIES_PER_USER: u64 = 16;
const MAX_RETURNED: u64 = 64;

impl Store {
    /// Records whether `user` has an investigation open at the time `now`. If `open` is false, the user has left the
    /// investigation. Returns up to 64 other users who have the investigation open, sorted by id.
    pub async fn note_presence(
        &self,
        id: ObjectId,
        user: ObjectId,
        open: bool,
        now: Timestamp,
    ) -> Result<Vec<ObjectId>, StoreError> {
        let others = Statement::new(
            "SELECT p.user_id FROM presence p WHERE p.investigation = $id AND p.user_id <> $user
                 AND p.at > $earliest AND p.at < $latest
             ORDER BY p.user_id LIMIT $limit",
        );
        let others = others.with("limit", MAX_RETURNED);
        let note = if open {
            Statement::new(
                "INSERT INTO presence (investigation, user_id, at) VALUES ($id, $user, $now)
                 ON CONFLICT (investigation, user_id) DO UPDATE SET at = excluded.at",
            )
            .with("now", now)
        } else {
            Statement::new("DELETE FROM presence WHERE investigation = $id AND user_id = $user")
        };
        // Deletes expired entries, and the oldest entries of the user beyond the maximum.
        let delete = self.dialect().delete_first(
            "presence",
            &["investigation", "user_id"],
            "(e.investigation, e.user_id) <> ($id, $user) AND (e.at <= $earliest OR e.at >= $latest
             OR e.user_id = $user AND e.at <= (
                 SELECT o.at FROM presence o WHERE o.user_id = $user AND o.investigation <> $id
                 ORDER BY o.at DESC LIMIT 1 OFFSET $others))",
            "e.at",
        );
        let delete = Statement::new(delete).with("others", MAX_ENTRIES_PER_USER - 1);
        let [others, delete] = [others, delete].map(|statement| {
            statement.with("earliest", now.earlier_by(PRESENCE_TTL)).with("latest", now.later_by(PRESENCE_TTL))
        });
        let [others, note, delete] =
            [others, note, delete].map(|statement| statement.with("id", id).with("user", user));
        let decide = move |found: &[Rows]| {
            let others = readable(TABLE, &found[0], |row| row.parsed("user_id"))?;
            Ok((vec![note.clone(), delete.clone()], others))
        };
        self.write_as(WriteKind::Repeatable, "note_presence", vec![others], decide).await
    }
}
