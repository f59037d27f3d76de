//! Lists of investigations.

use std::collections::HashMap;

use super::dialect::Dialect;
use super::engine::{ReadKind, Snapshot};
use super::groups::MAX_NAME;
use super::readable::{Table, or_named, readable};
use super::row::column;
use super::shown::{Entry, RevisionKey, STATE, Shown};
use super::sql::{Row, Statement, Value, list};
use super::{Store, StoreError, investigations};
use crate::domain::list::{Filter, ListQuery, MAX_LIMIT, Position, SortBy};
use crate::domain::named::Named;
use crate::domain::page::ByteBudget;

/// Maximum number of groups in a page. Fewer fit if their names are long.
const MAX_GROUPS: usize = 10_000;

const GROUPS: Table = Table { name: "group_count", key: &["curriculum"] };

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
            let mut statements = vec![total(&query, &filter), groups(&query, &filter)];
            statements.extend(pages(&query, filter.clone(), after.as_ref()));
            let rows = snapshot.read(statements).await?;
            let chosen = Chosen::of(rows[2..].iter().flatten(), &query, skipped)?;
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
            snapshot.end();
            let total = rows[0].first().map(|row| row.count("total")).transpose()?.unwrap_or_default();
            let has_more_groups = rows[1].len() > MAX_GROUPS;
            let groups = readable(GROUPS, rows[1].iter().take(MAX_GROUPS), group)?;
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

/// SQL conditions that are joined by AND, and the values of their parameters `p1`, `p2` and so on.
#[derive(Debug, Clone, Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn of_filter(filter: &Filter, dialect: Dialect) -> Self {
        let Filter { title, grade, curriculum, statuses, author, words } = filter;
        let mut conditions = Self::default();
        if let Some(title) = title {
            let part = conditions.value(title);
            conditions.sql.push(dialect.contains("i.title", &part));
        }
        if let Some(curriculum) = curriculum {
            conditions.compare("i.curriculum", "=", curriculum);
        }
        if let Some(author) = author {
            conditions.compare("i.author", "=", *author);
        }
        if let Some(grade) = grade {
            let grades = conditions.value(vec![grade.clone(), format!("{grade}.0")]);
            conditions.sql.push(dialect.any_of("i.grade", &grades));
        }
        if !statuses.is_empty() {
            let names = statuses.iter().map(|status| status.name().to_owned()).collect::<Vec<_>>();
            let names = conditions.value(names);
            conditions.sql.push(dialect.any_of("i.status", &names));
        }
        if let Some(words) = words {
            let of_words = dialect.has_words(words, |value| conditions.value(value));
            conditions.sql.extend(of_words);
        }
        conditions
    }

    /// Restricts the conditions to rows after the place `after`. In a grouped list, keeps only the group of `after`.
    fn after_place(mut self, query: &ListQuery, after: &StoredPosition) -> Self {
        if query.grouped {
            let group = self.stored(&after.group);
            self.sql.push(format!("i.group_key = {group}"));
        }
        let (key, id) = (self.stored(&after.key), self.stored(&after.id));
        let operator = if query.ascending { ">" } else { "<" };
        self.sql.push(format!("({}, i.id) {operator} ({key}, {id})", column(query.sort_by)));
        self
    }

    /// Restricts the conditions to rows in the groups after the group of the place `after`.
    fn in_later_groups(mut self, query: &ListQuery, after: &StoredPosition) -> Self {
        let group = self.stored(&after.group);
        self.sql.push(format!("i.group_key {} {group}", if query.groups_descend() { "<" } else { ">" }));
        self
    }

    fn compare(&mut self, column: &str, operator: &str, value: impl Into<Value>) {
        let name = self.value(value);
        self.sql.push(format!("{column} {operator} ${name}"));
    }

    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("p{}", self.values.len())
    }

    /// Stores a value of a row, and returns its parameter. A damaged text was read as bytes, but is compared as a text.
    fn stored(&mut self, value: &Value) -> String {
        let name = self.value(value.clone());
        if matches!(value, Value::Bytes(_)) { format!("CAST(${name} AS TEXT)") } else { format!("${name}") }
    }

    /// Returns the clause, such as `WHERE i.author = $p1`; empty if there are no conditions.
    fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }

    fn statement(self, sql: String) -> Statement {
        let statement = Statement::new(sql);
        let named = (1..).zip(self.values).map(|(number, value)| (format!("p{number}"), value));
        named.fold(statement, |statement, (name, value)| statement.with(name, value))
    }
}

fn group_order(query: &ListQuery) -> &'static str {
    if query.groups_descend() { "DESC" } else { "ASC" }
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

/// Returns the query for the curriculum and the size of each group, in order: one group more than a page shows, to find
/// out whether more follow. The function [`group`] reads its rows.
fn groups(query: &ListQuery, filter: &Conditions) -> Statement {
    let (count, rows) = counted(query, filter);
    let (order, limit) = (group_order(query), if query.grouped { MAX_GROUPS + 1 } else { 0 });
    let sql = format!(
        "SELECT min(substr(i.curriculum, 1, {MAX_NAME})) AS curriculum, {count} AS total FROM {rows}
         GROUP BY i.group_key ORDER BY i.group_key {order} LIMIT {limit}"
    );
    filter.clone().statement(sql)
}

fn group(row: &Row) -> Result<(Option<String>, u64), StoreError> {
    Ok((row.optional_text("curriculum")?.map(str::to_owned), row.count("total")?))
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

/// The place of a row in the list, as it is stored. Unlike a [`Position`], it can be the place of a damaged row.
#[derive(Debug)]
struct StoredPosition {
    group: Value,
    key: Value,
    id: Value,
}

impl StoredPosition {
    fn of(position: &Position, sort_by: SortBy) -> Self {
        let Position { group, key, id } = position;
        let key = match sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Value::Integer(key.parse().unwrap_or(0)),
            _ => Value::from(key),
        };
        Self { group: group.into(), key, id: (*id).into() }
    }

    fn read(row: &Row) -> Result<Self, StoreError> {
        let value = |name: &str| row.value(name).cloned();
        Ok(Self { group: value("group_key")?, key: value("sort_key")?, id: value("id")? })
    }
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
