//! Lists of investigations.

use std::collections::HashMap;

use super::dialect::Dialect;
use super::engine::{ReadKind, Snapshot};
use super::list_conditions::{Conditions, StoredPosition};
use super::list_size::{ListSize, group_order, read_size, size};
use super::readable::{or_named, readable};
use super::row::column;
use super::shown::{Entry, RevisionKey, STATE, Shown};
use super::sql::{Row, Statement, list};
use super::{Store, StoreError, investigations};
use crate::domain::list::{ListQuery, MAX_LIMIT, Position, SortBy};
use crate::domain::page::ByteBudget;

#[derive(Debug)]
pub struct Page {
    /// The investigations, each with the [`PageEnd`] of a page that would end after it.
    pub items: Vec<(PageEnd, Shown)>,
    pub has_more: bool,
    /// The end of the page, which may be after rows that cannot be read.
    pub end: PageEnd,
    /// Number of investigations in the whole list.
    pub total: u64,
    /// The first groups of the whole list, in order; empty if the list is not grouped. Each group consists of:
    /// - its curriculum, which may be truncated; `None` for investigations without a curriculum
    /// - its number of investigations
    pub groups: Vec<(Option<String>, u64)>,
    /// Whether the list has more groups.
    pub has_more_groups: bool,
}

/// The end of a page, or the end that the page would have after one of its investigations.
#[derive(Debug)]
pub struct PageEnd {
    /// Position of the last row; `None` if there is no row, or its position cannot be read.
    pub position: Option<Position>,
    /// Number of rows of the list from the beginning of the page, with those that cannot be read.
    pub rows: u32,
}

impl Store {
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        let dialect = self.dialect();
        let snapshot = self.begin(if query.is_heavy() { ReadKind::Heavy } else { ReadKind::Light }).await?;
        let filter = Conditions::of_filter(&query.filter, dialect);
        let mut after = query.after.as_ref().map(|after| StoredPosition::of(after, query.sort_by));
        let mut skipped = 0;
        loop {
            let mut statements = vec![size(&query, &filter)];
            statements.extend(pages(&query, filter.clone(), after.as_ref()));
            let rows = snapshot.read(statements).await?;
            let chosen = Chosen::of(rows[1..].iter().flatten(), &query, skipped)?;
            let Chosen { rows: readable_rows, last, end, has_more } = chosen;
            let Items { items, is_cut } = self.items(&snapshot, readable_rows, &query).await?;
            let is_at_start = after.is_some() || query.offset == 0;
            if items.is_empty() && has_more && is_at_start && end.saturating_add(query.limit) <= MAX_LIMIT {
                // No row of the page can be read, so the page continues after these rows. It skips at most as many rows
                // as a request may ask for.
                after = last.map(StoredPosition::read).transpose()?;
                skipped = end;
                continue;
            }
            let end = PageEnd { position: last.and_then(|row| position(row, &query).ok()), rows: end };
            let has_more = has_more || is_cut;
            let ListSize { total, groups, has_more_groups } = read_size(&snapshot, &query, &filter, &rows[0]).await?;
            snapshot.end();
            return Ok(Page { items, has_more, end, total, groups, has_more_groups });
        }
    }

    /// Returns the investigations of these rows, in order, as far as they fit into memory. Reads only those that are
    /// not cached.
    async fn items(&self, snapshot: &Snapshot, rows: Vec<ChosenRow>, query: &ListQuery) -> Result<Items, StoreError> {
        let cached: Vec<_> = rows.iter().map(|row| self.shown.get(row.position.id, row.state)).collect();
        let missing = rows.iter().zip(&cached).filter(|(_, entry)| entry.is_none());
        let missing: Vec<String> = missing.map(|(row, _)| row.position.id.to_string()).collect();
        let found = match missing.is_empty() {
            true => Vec::new(),
            false => snapshot.get(investigations_of(missing, snapshot.dialect())).await?,
        };
        let mut of_id: HashMap<&str, &Row> = HashMap::new();
        for row in &found {
            of_id.insert(row.text("id")?, row);
        }
        // This is a limit on memory, not on the text: short fields take several times the memory of their text.
        let mut room = ByteBudget::new(2 * query.max_answer());
        let mut items = Vec::new();
        for (ChosenRow { position, number, .. }, cached) in rows.into_iter().zip(cached) {
            let entry = match (cached, of_id.get(position.id.to_string().as_str())) {
                (Some(entry), _) => Some(entry),
                (None, Some(row)) => {
                    let entry = or_named(investigations::TABLE, row, Entry::read(row))?;
                    entry.map(|entry| self.shown.keep(entry))
                }
                (None, None) => None,
            };
            let Some(Entry { shown, bytes, .. }) = entry else { continue };
            if !room.takes(bytes) {
                return Ok(Items { items, is_cut: true });
            }
            items.push((PageEnd { position: Some(position), rows: number }, shown));
        }
        Ok(Items { items, is_cut: false })
    }
}

/// The investigations of a page.
struct Items {
    /// The investigations, each with the [`PageEnd`] of a page that would end after it.
    items: Vec<(PageEnd, Shown)>,
    /// Whether some investigations were left out, because they do not fit into memory.
    is_cut: bool,
}

/// Returns the queries for the rows of the page, in order. If a page of a grouped list begins after a position, there
/// are two: one for the rest of the group, and one for later groups. Otherwise there is one. Each query selects one row
/// more than the page has, to find out whether more follow. The queries select no contents, so that sorting is fast.
fn pages(query: &ListQuery, filter: Conditions, after: Option<&StoredPosition>) -> Vec<Statement> {
    let conditions = match after {
        None => vec![filter],
        Some(after) if query.grouped => {
            vec![filter.clone().after_place(query, after), filter.in_later_groups(query, after)]
        }
        Some(after) => vec![filter.after_place(query, after)],
    };
    let direction = if query.ascending { "ASC" } else { "DESC" };
    let group = if query.grouped { format!("i.group_key {}, ", group_order(query)) } else { String::new() };
    let key = column(query.sort_by);
    let order = format!("{group}{key} {direction}, i.id {direction}");
    let offset = if after.is_none() { query.offset } else { 0 };
    let page = |conditions: Conditions| {
        let sql = format!(
            "SELECT i.id, {STATE}, i.group_key, {key} AS sort_key, octet_length(i.content) AS bytes
             FROM investigation i {} ORDER BY {order} LIMIT $limit OFFSET $offset",
            conditions.clause()
        );
        conditions.statement(sql).with("limit", u64::from(query.limit) + 1).with("offset", offset)
    };
    conditions.into_iter().map(page).collect()
}

struct Chosen<'r> {
    /// The rows that can be read.
    rows: Vec<ChosenRow>,
    /// The last row, which may be one that cannot be read.
    last: Option<&'r Row>,
    /// Number of the last row on the page.
    end: u32,
    /// Whether more investigations follow, or do not fit because the investigations are large.
    has_more: bool,
}

struct ChosenRow {
    position: Position,
    /// Number of the row on the page. The first row has the number 1, even if it cannot be read.
    number: u32,
    state: RevisionKey,
}

fn position(row: &Row, query: &ListQuery) -> Result<Position, StoreError> {
    let key = match query.sort_by {
        SortBy::CreatedAt | SortBy::UpdatedAt => row.integer("sort_key")?.to_string(),
        _ => row.text("sort_key")?.to_owned(),
    };
    let group = if query.grouped { row.text("group_key")?.to_owned() } else { String::new() };
    Ok(Position { group, key, id: row.parsed("id")? })
}

impl<'r> Chosen<'r> {
    /// Chooses the rows that follow the first `skipped` rows of the page.
    fn of(found: impl Iterator<Item = &'r Row>, query: &ListQuery, skipped: u32) -> Result<Self, StoreError> {
        let (mut chosen, mut room, mut has_more) = (Vec::new(), ByteBudget::new(query.max_answer()), false);
        for row in found {
            if chosen.len() == query.limit as usize || !room.takes(row.count("bytes")? as usize) {
                has_more = true;
                break;
            }
            chosen.push(row);
        }
        let last = chosen.last().copied();
        let mut number = skipped;
        let read = |row: &Row| {
            number += 1;
            Ok(ChosenRow { position: position(row, query)?, number, state: RevisionKey::read(row)? })
        };
        let rows = readable(investigations::TABLE, chosen, read)?;
        Ok(Self { rows, last, end: number, has_more })
    }
}

fn investigations_of(ids: Vec<String>, dialect: Dialect) -> Statement {
    let columns = list("i", &investigations::COLUMNS);
    let sql = format!("SELECT i.body, {columns} FROM investigation i WHERE {}", dialect.any_of("i.id", "ids"));
    Statement::new(sql).with("ids", ids)
}
