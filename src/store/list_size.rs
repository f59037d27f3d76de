//! The size of a list, and the sizes of its groups.

use super::StoreError;
use super::engine::Snapshot;
use super::groups::MAX_NAME;
use super::list_conditions::Conditions;
use super::readable::{Table, readable};
use super::sql::{Row, Statement};
use crate::domain::list::ListQuery;

/// Maximum number of groups in a page. Fewer fit if their names are long.
const MAX_GROUPS: usize = 10_000;

const GROUPS: Table = Table { name: "group_count", key: &["curriculum"] };

/// The size of a list and the sizes of its groups. See [`Page`](super::Page).
pub(super) struct ListSize {
    pub(super) total: u64,
    pub(super) groups: Vec<(Option<String>, u64)>,
    pub(super) has_more_groups: bool,
}

/// Reads the rows of [`size`]. The total of a grouped list is the sum of its groups. Only if it has more groups than a
/// page shows, another query counts its investigations: with a filter, counting may take most of the time of a list.
pub(super) async fn read_size(
    snapshot: &Snapshot,
    query: &ListQuery,
    filter: &Conditions,
    rows: &[Row],
) -> Result<ListSize, StoreError> {
    if !query.grouped {
        return Ok(ListSize { total: total_in(rows)?, groups: Vec::new(), has_more_groups: false });
    }
    let groups = readable(GROUPS, rows.iter().take(MAX_GROUPS), group)?;
    let has_more_groups = rows.len() > MAX_GROUPS;
    let total = match has_more_groups {
        true => total_in(&snapshot.get(total(query, filter)).await?)?,
        false => rows.iter().filter_map(|row| row.count("total").ok()).sum(),
    };
    Ok(ListSize { total, groups, has_more_groups })
}

/// Returns the query for the sizes of the groups, or for the size of the whole list if it is not grouped. The function
/// [`read_size`] reads its rows.
pub(super) fn size(query: &ListQuery, filter: &Conditions) -> Statement {
    if query.grouped { groups(query, filter) } else { total(query, filter) }
}

/// Returns two pieces of SQL:
/// - the expression that counts the investigations of a list; for an unfiltered list, it adds up the stored counts
/// - the rows in which it counts them, as they follow `FROM`
fn counted(query: &ListQuery, filter: &Conditions) -> (&'static str, String) {
    if query.is_filtered() {
        ("count(*)", format!("investigation i {}", filter.clause()))
    } else {
        ("CAST(coalesce(sum(i.count), 0) AS BIGINT)", "group_count i".to_owned())
    }
}

/// Returns the query for the size of the whole list. If a count is damaged, only its group is missing from the sum.
fn total(query: &ListQuery, filter: &Conditions) -> Statement {
    let (count, mut rows) = counted(query, filter);
    if !query.is_filtered() {
        rows.push_str(" WHERE i.count > 0");
    }
    filter.clone().statement(format!("SELECT {count} AS total FROM {rows}"))
}

fn total_in(rows: &[Row]) -> Result<u64, StoreError> {
    Ok(rows.first().map(|row| row.count("total")).transpose()?.unwrap_or_default())
}

/// Returns the direction in which the groups are sorted.
pub(super) fn group_order(query: &ListQuery) -> &'static str {
    if query.groups_descend() { "DESC" } else { "ASC" }
}

/// Returns the query for the curriculum and the size of each group, in order: one group more than a page shows, to find
/// out whether more follow. The function [`group`] reads its rows.
fn groups(query: &ListQuery, filter: &Conditions) -> Statement {
    let (count, rows) = counted(query, filter);
    let (order, limit) = (group_order(query), MAX_GROUPS + 1);
    let sql = format!(
        "SELECT min(substr(i.curriculum, 1, {MAX_NAME})) AS curriculum, {count} AS total FROM {rows}
         GROUP BY i.group_key ORDER BY i.group_key {order} LIMIT {limit}"
    );
    filter.clone().statement(sql)
}

fn group(row: &Row) -> Result<(Option<String>, u64), StoreError> {
    Ok((row.optional_text("curriculum")?.map(str::to_owned), row.count("total")?))
}
