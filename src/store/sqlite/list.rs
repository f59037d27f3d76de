//! Lists: filters, order, groups, and pages by offset or from a position.

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};

use super::readers::Reading;
use super::{Sqlite, rows, show};
use crate::domain::list::{Filter, ListQuery, Position, SortBy};
use crate::domain::page::Room;
use crate::store::document_cache::{DocumentCache, Shown};
use crate::store::reads::is_heavy;
use crate::store::row::column;
use crate::store::{Page, StoreError};

impl Sqlite {
    /// A page of a list.
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        let recent = self.recent.clone();
        let pool = if is_heavy(&query) { &self.heavy } else { &self.readers };
        pool.read(move |connection| page(connection, &recent, &query)).await
    }
}

fn page(connection: &Reading<'_>, recent: &DocumentCache, query: &ListQuery) -> Result<Page, StoreError> {
    let filter = Conditions::of_filter(query);
    let groups = if query.grouped { groups(connection, query, &filter)? } else { Vec::new() };
    let total = match query.grouped {
        true => groups.iter().map(|(_, count)| count).sum(),
        false => count(connection, query, &filter)?,
    };

    // One more than requested shows whether more follow.
    let wanted = query.limit as usize + 1;
    let mut found = Found { items: Vec::new(), room: Room::of_rows(), cut: false };
    match &query.after {
        None => found.take(connection, recent, query, &filter, wanted, query.offset)?,
        Some(after) => {
            found.take(connection, recent, query, &filter.beyond(query, after), wanted, 0)?;
            if query.grouped {
                found.take(connection, recent, query, &filter.in_later_groups(query, after), wanted, 0)?;
            }
        }
    }
    let has_more = found.cut || found.items.len() == wanted;
    found.items.truncate(query.limit as usize);
    Ok(Page { items: found.items, has_more, total, groups })
}

/// The direction in which groups are ordered.
fn of_groups(query: &ListQuery) -> &'static str {
    if query.groups_descend() { "DESC" } else { "ASC" }
}

/// The items of a page so far.
struct Found {
    items: Vec<Shown>,
    room: Room,
    /// Whether the page ends early because its items are large.
    cut: bool,
}

impl Found {
    /// Adds matching rows, in order, until there are `wanted` items.
    fn take(
        &mut self,
        connection: &Reading<'_>,
        recent: &DocumentCache,
        query: &ListQuery,
        conditions: &Conditions,
        wanted: usize,
        offset: u64,
    ) -> Result<(), StoreError> {
        if self.cut || self.items.len() >= wanted {
            return Ok(());
        }
        let direction = if query.ascending { "ASC" } else { "DESC" };
        let group = if query.grouped { format!("i.group_key {}, ", of_groups(query)) } else { String::new() };
        let order = format!("{group}{} {direction}, i.id {direction}", column(query.sort_by));
        // Sorts rows without their documents; only documents that are not cached are read.
        let sql = format!(
            "SELECT i.id, octet_length(i.content), {} FROM investigation i WHERE i.n IN
                 (SELECT i.n FROM investigation i {} ORDER BY {order} LIMIT ? OFFSET ?)
             ORDER BY {order}",
            rows::STATE,
            conditions.clause(),
        );
        let limit = (wanted - self.items.len()) as i64;
        let values = conditions.values.iter().cloned().chain([Sql::from(limit), Sql::from(offset as i64)]);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut found = statement.query(params_from_iter(values))?;
        while let Some(row) = found.next()? {
            connection.check()?;
            if !self.room.takes(row.get(1)?) {
                self.cut = true;
                break;
            }
            let (id, state) = (rows::parsed(row, 0)?, rows::state(row, 2)?);
            self.items.extend(show::show(connection, recent, id, state)?);
        }
        Ok(())
    }
}

/// The groups in order with their counts, which every write updates for the unfiltered list.
fn groups(
    connection: &Connection,
    query: &ListQuery,
    filter: &Conditions,
) -> Result<Vec<(Option<String>, u64)>, rusqlite::Error> {
    let sql = if query.filter == Filter::default() {
        format!("SELECT curriculum, count FROM group_count ORDER BY group_key {}", of_groups(query))
    } else {
        let clause = filter.clause();
        format!(
            "SELECT i.curriculum, count(*) FROM investigation i {clause} GROUP BY i.group_key ORDER BY i.group_key {}",
            of_groups(query)
        )
    };
    connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(&filter.values), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The number of matches, which every write updates for the unfiltered list.
fn count(connection: &Connection, query: &ListQuery, filter: &Conditions) -> Result<u64, rusqlite::Error> {
    let sql = if query.filter == Filter::default() {
        "SELECT coalesce(sum(count), 0) FROM group_count".to_owned()
    } else {
        format!("SELECT count(*) FROM investigation i {}", filter.clause())
    };
    connection.prepare_cached(&sql)?.query_row(params_from_iter(&filter.values), |row| row.get(0))
}

/// Conditions joined by AND, with the values of their placeholders in order.
#[derive(Clone)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Sql>,
}

impl Conditions {
    fn of_filter(query: &ListQuery) -> Self {
        let filter = &query.filter;
        let words = filter.words.iter().map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" AND ");
        let given = [
            ("instr(i.title, ?) > 0", filter.title.clone()),
            ("i.curriculum = ?", filter.curriculum.clone()),
            ("i.status = ?", filter.status.map(|status| status.stored().to_owned())),
            ("i.author = ?", filter.author.map(|author| author.to_string())),
            // Words consist of letters and digits, so inside quotes none can be an operator.
            ("i.n IN (SELECT rowid FROM search WHERE search MATCH ?)", Some(words).filter(|words| !words.is_empty())),
        ];
        let mut conditions = Self { sql: Vec::new(), values: Vec::new() };
        for (sql, value) in given {
            if let Some(value) = value {
                conditions.add(sql.to_owned(), [Sql::from(value)]);
            }
        }
        if let Some(grade) = &filter.grade {
            conditions.add("i.grade IN (?, ?)".to_owned(), [grade.clone(), format!("{grade}.0")].map(Sql::from));
        }
        conditions
    }

    /// Restricts to items after this position; in a grouped list within its group.
    fn beyond(&self, query: &ListQuery, after: &Position) -> Self {
        let key = match query.sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Sql::from(after.key.parse().unwrap_or(0_i64)),
            _ => Sql::from(after.key.clone()),
        };
        let mut narrowed = self.clone();
        if query.grouped {
            narrowed.add("i.group_key = ?".to_owned(), [Sql::from(after.group.clone())]);
        }
        let beyond = if query.ascending { ">" } else { "<" };
        let position = format!("({}, i.id) {beyond} (?, ?)", column(query.sort_by));
        narrowed.add(position, [key, Sql::from(after.id.to_string())]);
        narrowed
    }

    /// These, and only in the groups after that of this position.
    fn in_later_groups(&self, query: &ListQuery, after: &Position) -> Self {
        let mut narrowed = self.clone();
        let later = if query.groups_descend() { "<" } else { ">" };
        narrowed.add(format!("i.group_key {later} ?"), [Sql::from(after.group.clone())]);
        narrowed
    }

    fn add(&mut self, sql: String, values: impl IntoIterator<Item = Sql>) {
        self.sql.push(sql);
        self.values.extend(values);
    }

    fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }
}
