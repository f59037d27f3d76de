//! Counts of the investigations in each group of the list. Every write that adds, moves or removes an investigation
//! changes them.

use super::dialect::Dialect;
use super::sql::Statement;
use crate::domain::id::ObjectId;

/// Returns the statement that adds `change` to the count of a group, because of the investigation `id`. The same
/// investigation always changes the same counter of a group.
pub(super) fn counted(
    dialect: Dialect,
    id: ObjectId,
    group_key: &str,
    curriculum: Option<&str>,
    change: i64,
) -> Statement {
    let slot = (id.low_bits() % dialect.slots()) as u64;
    let columns = vec![
        ("group_key", group_key.into()),
        ("slot", slot.into()),
        ("curriculum", curriculum.into()),
        ("count", change.into()),
    ];
    Statement::insert("group_count", columns)
        .then("ON CONFLICT (group_key, slot) DO UPDATE SET count = group_count.count + excluded.count")
}
