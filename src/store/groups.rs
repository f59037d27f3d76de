//! Counts of the investigations in each group of the list. Every write that adds, moves or removes an investigation
//! changes them.

use super::dialect::Dialect;
use super::sql::Statement;
use crate::domain::id::ObjectId;

/// Maximum length of a group's stored name, in characters. Lists read the names of many groups.
pub(super) const MAX_NAME: usize = 200;

/// Returns the statement that counts the investigation `id` in a group.
pub(super) fn entered(dialect: Dialect, id: ObjectId, group_key: &str, curriculum: Option<&str>) -> Statement {
    let columns = vec![
        ("group_key", group_key.into()),
        ("slot", slot(dialect, id).into()),
        ("curriculum", curriculum.map(shortened).into()),
        ("count", 1_i64.into()),
    ];
    Statement::insert("group_count", columns)
        .then("ON CONFLICT (group_key, slot) DO UPDATE SET count = group_count.count + 1")
}

/// Returns the statements that remove the investigation `id` from the count of a group. `group_key` must be the key
/// that is stored with the investigation.
pub(super) fn left(dialect: Dialect, id: ObjectId, group_key: &str) -> [Statement; 2] {
    let leave = "UPDATE group_count SET count = count - 1 WHERE group_key = $group_key AND slot = $slot";
    let delete = "DELETE FROM group_count WHERE group_key = $group_key AND slot = $slot AND count = 0";
    [leave, delete].map(|sql| Statement::new(sql).with("group_key", group_key).with("slot", slot(dialect, id)))
}

/// Returns the number of the counter that counts an investigation in its group. It is constant for an investigation.
fn slot(dialect: Dialect, id: ObjectId) -> u64 {
    (id.low_bits() % dialect.slots()) as u64
}

fn shortened(name: &str) -> &str {
    name.char_indices().nth(MAX_NAME).map_or(name, |(end, _)| &name[..end])
}
