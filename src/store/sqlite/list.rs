//! Lists: filters, order, groups, and pages by offset or from a position.

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};

use super::{Sqlite, rows};
use crate::domain::list::{ListQuery, Position, SortBy};
use crate::store::{Page, StoreError};

impl Sqlite {
    /// A page of a list.
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        self.readers.read(move |connection| page(connection, &query)).await
    }
}

fn page(connection: &Connection, query: &ListQuery) -> Result<Page, rusqlite::Error> {
    let filter = Conditions::of_filter(query);
    let groups = if query.grouped { groups(connection, &filter)? } else { Vec::new() };
    let total = if query.grouped { groups.iter().map(|(_, count)| count).sum() } else { count(connection, &filter)? };

    let mut conditions = filter;
    if let Some(after) = &query.after {
        conditions.only_after(query, after);
    }
    let offset = if query.after.is_some() { 0 } else { query.offset };
    let direction = if query.ascending { "ASC" } else { "DESC" };
    let group = if query.grouped { "i.group_key, " } else { "" };
    let sql = format!(
        "SELECT {} FROM investigation i {} ORDER BY {group}{} {direction}, i.id {direction} LIMIT ? OFFSET ?",
        rows::INVESTIGATION,
        conditions.clause(),
        column(query.sort_by),
    );
    // One more than asked for tells whether more follow.
    let limit = i64::from(query.limit) + 1;
    let values = conditions.values.into_iter().chain([Sql::from(limit), Sql::from(offset as i64)]);
    let mut items = connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(values), rows::investigation)?
        .collect::<Result<Vec<_>, _>>()?;
    let has_more = items.len() as i64 == limit;
    items.truncate(query.limit as usize);
    Ok(Page { items, has_more, total, groups })
}

fn groups(connection: &Connection, filter: &Conditions) -> Result<Vec<(Option<String>, u64)>, rusqlite::Error> {
    let sql = format!(
        "SELECT i.curriculum, count(*) FROM investigation i {} GROUP BY i.group_key ORDER BY i.group_key",
        filter.clause()
    );
    connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(&filter.values), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

fn count(connection: &Connection, filter: &Conditions) -> Result<u64, rusqlite::Error> {
    connection
        .prepare_cached(&format!("SELECT count(*) FROM investigation i {}", filter.clause()))?
        .query_row(params_from_iter(&filter.values), |row| row.get(0))
}

fn column(sort_by: SortBy) -> &'static str {
    match sort_by {
        SortBy::CreatedAt => "i.created_at",
        SortBy::UpdatedAt => "i.updated_at",
        SortBy::Title => "i.title_key",
        SortBy::Grade => "i.grade_key",
        SortBy::Curriculum => "i.curriculum_key",
        SortBy::Status => "i.status",
    }
}

/// Conditions joined by AND, with the values of their placeholders in order.
struct Conditions {
    sql: Vec<String>,
    values: Vec<Sql>,
}

impl Conditions {
    fn of_filter(query: &ListQuery) -> Self {
        let filter = &query.filter;
        let words = filter.words.iter().map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" AND ");
        let given = [
            ("instr(i.title_key, ?) > 0", filter.title.clone()),
            ("i.grade = ?", filter.grade.clone()),
            ("i.curriculum = ?", filter.curriculum.clone()),
            ("i.status = ?", filter.status.map(|status| status.stored().to_owned())),
            ("i.author = ?", filter.author.map(|author| author.to_string())),
            // Words are letters and digits alone: between quotes none of them can be an operator.
            ("i.n IN (SELECT rowid FROM search WHERE search MATCH ?)", Some(words).filter(|words| !words.is_empty())),
        ];
        let mut conditions = Self { sql: Vec::new(), values: Vec::new() };
        for (sql, value) in given {
            if let Some(value) = value {
                conditions.sql.push(sql.to_owned());
                conditions.values.push(Sql::from(value));
            }
        }
        conditions
    }

    /// Only what comes after this position in the order of the query.
    fn only_after(&mut self, query: &ListQuery, after: &Position) {
        let key = match query.sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Sql::from(after.key.parse().unwrap_or(0_i64)),
            _ => Sql::from(after.key.clone()),
        };
        let column = column(query.sort_by);
        let beyond = if query.ascending { ">" } else { "<" };
        let id = Sql::from(after.id.to_string());
        let within = format!("({column}, i.id) {beyond} (?, ?)");
        if query.grouped {
            let group = Sql::from(after.group.clone());
            self.sql.push(format!("(i.group_key > ? OR (i.group_key = ? AND {within}))"));
            self.values.extend([group.clone(), group, key, id]);
        } else {
            self.sql.push(within);
            self.values.extend([key, id]);
        }
    }

    fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }
}
