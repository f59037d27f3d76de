//! The stored time of the clock that decides what has expired.

use super::sql::Statement;
use super::{Store, StoreError};
use crate::domain::time::Timestamp;

/// Maximum difference by which a time may be earlier than the stored clock, in milliseconds: a day. The stored clock
/// may be ahead, because it followed a wrong clock for some hours.
const LONGEST_BEFORE: i64 = 24 * 3600 * 1000;

/// Returns SQL for the time in `parameter`, or for the stored clock minus a day if that is later. If the machine's
/// clock is further behind, it is wrong, and records with its time would expire as soon as it is corrected.
pub(super) fn not_long_before(parameter: &str) -> String {
    format!(
        "(SELECT max(m.at) FROM (SELECT CAST(${parameter} AS BIGINT) AS at
             UNION ALL SELECT c.at - {LONGEST_BEFORE} FROM expiry_clock c) m)"
    )
}

impl Store {
    /// Returns the stored time; `None` in a new store.
    pub async fn expiry_clock(&self) -> Result<Option<Timestamp>, StoreError> {
        let find = Statement::new("SELECT c.at FROM expiry_clock c WHERE c.one = 1");
        self.get(find).await?.first().map(|row| row.time("at")).transpose()
    }

    /// Stores the time of the clock. Keeps a later stored time of another process, unless this clock was set back.
    pub async fn keep_expiry_clock(&self, at: Timestamp, went_back: bool) -> Result<(), StoreError> {
        let keep = Statement::new(
            "INSERT INTO expiry_clock (one, at) VALUES (1, $at) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
        );
        let keep = if went_back { keep } else { keep.then("WHERE expiry_clock.at < excluded.at") };
        let keep = keep.with("at", at);
        self.write_repeatable("keep_expiry_clock", vec![keep]).await
    }
}
