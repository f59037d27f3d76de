//! Lists of investigations.

use std::collections::HashMap;

use super::dialect::Dialect;
use super::engine::{Limit, Snapshot};
use super::readable::{Table, readable};
use super::reads::is_heavy;
use super::row::column;
use super::shown::{Entry, STATE, Shown, State};
use super::sql::{Row, Statement, Value, list};
use super::{Store, StoreError, investigations};
use crate::domain::id::ObjectId;
use crate::domain::list::{Filter, ListQuery, Position, SortBy};
use crate::domain::page::ByteBudget;

const GROUPS: Table = Table { name: "group_count", key: &["curriculum"] };

#[derive(Debug)]
pub struct Page {
    pub items: Vec<Shown>,
    pub has_more: bool,
    /// Number of investigations in the whole list.
    pub total: u64,
    /// The groups of the whole list, in order: curriculum, and number of investigations. The curriculum is `None` for
    /// the group of investigations without one. Empty if the list is not grouped.
    pub groups: Vec<(Option<String>, u64)>,
}

impl Store {
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        let dialect = self.dialect();
        let snapshot = self.begin(if is_heavy(&query) { Limit::Heavy } else { Limit::Light }).await?;
        let filter = Conditions::of_filter(&query.filter, dialect);
        let mut skipped = 0;
        loop {
            let mut statements = vec![counts(&query, &filter)];
            statements.extend(pages(&query, filter.clone(), skipped));
            let rows = snapshot.read(statements).await?;
            let places = rows[1..].iter().flatten().skip(skipped);
            let Chosen { rows: chosen, count, has_more } = Chosen::of(places, query.limit as usize)?;
            let items = self.items(&snapshot, &chosen, dialect).await?;
            if items.is_empty() && has_more && (query.after.is_some() || query.offset == 0) {
                // None of these can be read, but the caller needs an investigation to ask for those after it.
                skipped += count;
                continue;
            }
            snapshot.end();
            let counts = readable(GROUPS, &rows[0], group)?;
            return Ok(Page {
                items,
                has_more,
                total: counts.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count)),
                groups: if query.grouped { counts } else { Vec::new() },
            });
        }
    }

    /// Returns the investigations of these rows, in order. Reads only those that are not cached.
    async fn items(&self, snapshot: &Snapshot, rows: &[ChosenRow], dialect: Dialect) -> Result<Vec<Shown>, StoreError> {
        let items: Vec<Option<Shown>> = rows.iter().map(|row| self.shown.get(row.id, row.state)).collect();
        let missing = rows.iter().zip(&items).filter(|(_, item)| item.is_none()).map(|(row, _)| row.id.to_string());
        let missing: Vec<String> = missing.collect();
        if missing.is_empty() {
            return Ok(items.into_iter().flatten().collect());
        }
        let mut read = HashMap::new();
        let found = snapshot.get(investigations_of(missing, dialect)).await?;
        for entry in readable(investigations::TABLE, &found, Entry::read)? {
            let shown = self.shown.keep(entry);
            read.insert(shown.id, shown);
        }
        Ok(rows.iter().zip(items).filter_map(|(row, item)| item.or_else(|| read.remove(&row.id))).collect())
    }
}

/// Conditions joined by AND, and the values of their parameters `p1`, `p2` and so on.
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
        let of_words = dialect.has_words(words, |value| conditions.value(value));
        conditions.sql.extend(of_words);
        conditions
    }

    /// Restricts the conditions to rows after the position `after`. In a grouped list, keeps only the group of `after`.
    fn after_position(mut self, query: &ListQuery, after: &Position) -> Self {
        if query.grouped {
            self.compare("i.group_key", "=", &after.group);
        }
        let key = match query.sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Value::Integer(after.key.parse().unwrap_or(0)),
            _ => Value::from(&after.key),
        };
        let (key, id) = (self.value(key), self.value(after.id));
        let operator = if query.ascending { ">" } else { "<" };
        self.sql.push(format!("({}, i.id) {operator} (${key}, ${id})", column(query.sort_by)));
        self
    }

    /// Restricts the conditions to rows in the groups after the group of the position `after`.
    fn in_later_groups(mut self, query: &ListQuery, after: &Position) -> Self {
        self.compare("i.group_key", if query.groups_descend() { "<" } else { ">" }, &after.group);
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

    /// Returns the clause, such as `WHERE i.author = $p1`; empty if there are no conditions.
    fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }

    fn statement(self, query: &ListQuery, sql: String) -> Statement {
        let statement = Statement::new(sql);
        // Filters have many forms.
        let statement = if is_heavy(query) { statement.once() } else { statement };
        let named = (1..).zip(self.values).map(|(number, value)| (format!("p{number}"), value));
        named.fold(statement, |statement, (name, value)| statement.with(name, value))
    }
}

fn group_order(query: &ListQuery) -> &'static str {
    if query.groups_descend() { "DESC" } else { "ASC" }
}

/// Returns the query for the curriculum and the size of each group, in order, or for the size of the whole list if it is
/// not grouped. For an unfiltered list, adds up the stored counts. The function [`group`] reads its rows.
fn counts(query: &ListQuery, filter: &Conditions) -> Statement {
    let (count, rows) = if is_heavy(query) {
        ("count(*)", format!("investigation i {}", filter.clause()))
    } else {
        ("CAST(coalesce(sum(i.count), 0) AS BIGINT)", "group_count i".to_owned())
    };
    let sql = if query.grouped {
        let order = group_order(query);
        format!(
            "SELECT min(i.curriculum) AS curriculum, {count} AS total FROM {rows}
             GROUP BY i.group_key HAVING {count} > 0 ORDER BY i.group_key {order}"
        )
    } else {
        format!("SELECT NULL AS curriculum, {count} AS total FROM {rows}")
    };
    filter.clone().statement(query, sql)
}

fn group(row: &Row) -> Result<(Option<String>, u64), StoreError> {
    Ok((row.optional_text("curriculum")?.map(str::to_owned), row.count("total")?))
}

/// Returns the queries for the rows of the page, in order. A page after a position of a grouped list has two: one for
/// the rest of its group, and one for later groups. Every other page has one. Each query selects one row more than
/// the page has, to find out whether more follow, and `skipped` more. It selects no contents, which makes sorting fast.
fn pages(query: &ListQuery, filter: Conditions, skipped: usize) -> Vec<Statement> {
    let conditions = match &query.after {
        None => vec![filter],
        Some(after) if query.grouped => {
            vec![filter.clone().after_position(query, after), filter.in_later_groups(query, after)]
        }
        Some(after) => vec![filter.after_position(query, after)],
    };
    let direction = if query.ascending { "ASC" } else { "DESC" };
    let group = if query.grouped { format!("i.group_key {}, ", group_order(query)) } else { String::new() };
    let order = format!("{group}{} {direction}, i.id {direction}", column(query.sort_by));
    let offset = if query.after.is_none() { query.offset } else { 0 };
    let page = |conditions: Conditions| {
        let sql = format!(
            "SELECT i.id, {STATE}, octet_length(i.content) AS bytes FROM investigation i {}
             ORDER BY {order} LIMIT $limit OFFSET $offset",
            conditions.clause()
        );
        conditions
            .statement(query, sql)
            .with("limit", u64::from(query.limit) + 1 + skipped as u64)
            .with("offset", offset)
    };
    conditions.into_iter().map(page).collect()
}

struct Chosen {
    /// The rows that can be read.
    rows: Vec<ChosenRow>,
    /// Number of rows.
    count: usize,
    /// Whether more investigations follow, or do not fit because the investigations are large.
    has_more: bool,
}

struct ChosenRow {
    id: ObjectId,
    state: State,
}

impl Chosen {
    fn of<'r>(found: impl Iterator<Item = &'r Row>, limit: usize) -> Result<Self, StoreError> {
        let (mut chosen, mut room, mut has_more) = (Vec::new(), ByteBudget::of_rows(), false);
        for row in found {
            if chosen.len() == limit || !room.takes(row.count("bytes")? as usize) {
                has_more = true;
                break;
            }
            chosen.push(row);
        }
        let count = chosen.len();
        let read = |row: &Row| Ok(ChosenRow { id: row.parsed("id")?, state: State::read(row)? });
        Ok(Self { rows: readable(investigations::TABLE, chosen, read)?, count, has_more })
    }
}

fn investigations_of(ids: Vec<String>, dialect: Dialect) -> Statement {
    let columns = list("i", &investigations::COLUMNS);
    let sql = format!("SELECT i.body, {columns} FROM investigation i WHERE {}", dialect.any_of("i.id", "ids"));
    Statement::new(sql).with("ids", ids)
}
