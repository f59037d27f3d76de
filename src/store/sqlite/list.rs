//! Reads lists of investigations by running a [`Plan`] on SQLite.

use std::sync::Arc;

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};

use super::readers::Reading;
use super::{Sqlite, investigations, rows};
use crate::domain::content::RawContent;
use crate::domain::investigation::Investigation;
use crate::domain::list::ListQuery;
use crate::domain::page::ByteBudget;
use crate::store::StoreError;
use crate::store::list::{Condition, Conditions, Dialect, Page, PageQuery, Plan, Value};
use crate::store::reads::is_heavy;

const DIALECT: Dialect = Dialect { title_contains: "instr(i.title, ?) > 0", words: matches };

/// Returns the full-text condition for these word prefixes; an empty list if there are no prefixes. Words have only
/// letters and digits, so they need no escaping in quotes.
fn matches(words: &[String]) -> Vec<Condition> {
    let prefixes: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
    match prefixes.is_empty() {
        true => Vec::new(),
        false => {
            vec![("i.n IN (SELECT rowid FROM search WHERE search MATCH ?)", vec![Value::Text(prefixes.join(" AND "))])]
        }
    }
}

impl Sqlite {
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        let pool = if is_heavy(&query) { &self.heavy } else { &self.readers };
        pool.read(move |connection| page(connection, &query)).await
    }
}

fn page(connection: &Reading<'_>, query: &ListQuery) -> Result<Page, StoreError> {
    let plan = Plan::of(query, &DIALECT);
    let groups = if query.grouped { groups(connection, &plan)? } else { Vec::new() };
    let total = match query.grouped {
        true => groups.iter().map(|(_, count)| count).sum(),
        false => count(connection, &plan)?,
    };
    let mut found = Found { items: Vec::new(), room: ByteBudget::of_rows(), cut: false };
    for query in &plan.queries {
        found.read(connection, &plan, query)?;
    }
    Ok(plan.page(found.items, found.cut, total, groups))
}

/// Investigations of a page that were read so far.
struct Found {
    items: Vec<Arc<Investigation<RawContent>>>,
    room: ByteBudget,
    /// Whether the page ends early because its investigations are large.
    cut: bool,
}

impl Found {
    /// Reads the rows of the query until the page is full.
    fn read(
        &mut self,
        connection: &Reading<'_>,
        Plan { order_terms, rows_to_read, .. }: &Plan,
        PageQuery { conditions, offset }: &PageQuery,
    ) -> Result<(), StoreError> {
        if self.cut || self.items.len() >= *rows_to_read {
            return Ok(());
        }
        // Selects no contents, which makes sorting fast. Contents are read one by one below.
        let sql = format!(
            "SELECT i.id, octet_length(i.content) FROM investigation i {} ORDER BY {order_terms} LIMIT ? OFFSET ?",
            conditions.clause(),
        );
        let limit = (rows_to_read - self.items.len()) as i64;
        let values = values(conditions).chain([Sql::from(limit), Sql::from(*offset as i64)]);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut found = statement.query(params_from_iter(values))?;
        while let Some(row) = found.next()? {
            connection.check()?;
            if !self.room.takes(row.get(1)?) {
                self.cut = true;
                break;
            }
            self.items.extend(investigations::load(connection, rows::parsed(row, 0)?)?.map(Arc::new));
        }
        Ok(())
    }
}

/// Returns the curriculum and the number of investigations of each group, in order. For an unfiltered list, reads the
/// stored counts. Triggers keep these counts up to date.
fn groups(connection: &Connection, plan: &Plan) -> Result<Vec<(Option<String>, u64)>, rusqlite::Error> {
    let Plan { filter, is_unfiltered, group_order, .. } = plan;
    let sql = if *is_unfiltered {
        format!("SELECT curriculum, count FROM group_count ORDER BY group_key {group_order}")
    } else {
        format!(
            "SELECT i.curriculum, count(*) FROM investigation i {} GROUP BY i.group_key ORDER BY i.group_key {group_order}",
            filter.clause()
        )
    };
    connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(values(filter)), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Returns the number of matching rows. For an unfiltered list, adds up the stored counts of the groups.
fn count(connection: &Connection, Plan { filter, is_unfiltered, .. }: &Plan) -> Result<u64, rusqlite::Error> {
    let sql = if *is_unfiltered {
        "SELECT coalesce(sum(count), 0) FROM group_count".to_owned()
    } else {
        format!("SELECT count(*) FROM investigation i {}", filter.clause())
    };
    connection.prepare_cached(&sql)?.query_row(params_from_iter(values(filter)), |row| row.get(0))
}

fn values(conditions: &Conditions) -> impl Iterator<Item = Sql> {
    conditions.values.iter().map(|value| match value {
        Value::Text(text) => Sql::from(text.clone()),
        Value::Integer(integer) => Sql::from(*integer),
    })
}
