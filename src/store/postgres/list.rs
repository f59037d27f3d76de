//! Reads lists of investigations by running a [`Plan`] on PostgreSQL.

use std::sync::Arc;

use tokio_postgres::types::ToSql;

use super::engine::{Engine, MAX_WAIT, in_time};
use super::{Postgres, rows};
use crate::domain::content::RawContent;
use crate::domain::investigation::Investigation;
use crate::domain::list::ListQuery;
use crate::domain::page::MAX_ANSWER;
use crate::store::StoreError;
use crate::store::list::{Condition, Dialect, Page, PageQuery, Plan, Value};
use crate::store::reads::is_heavy;

const DIALECT: Dialect = Dialect { title_contains: "strpos(i.title, ?) > 0", words: prefixes };

/// Returns a condition for each word prefix. In byte order, the words that begin with `rad` are between `rad` and `rad`
/// followed by the last Unicode character.
fn prefixes(words: &[String]) -> Vec<Condition> {
    let condition = |word: &String| {
        (
            "i.id IN (SELECT s.investigation FROM search_word s WHERE s.word >= ? AND s.word < ?)",
            vec![Value::Text(word.clone()), Value::Text(format!("{word}\u{10ffff}"))],
        )
    };
    words.iter().map(condition).collect()
}

impl Postgres {
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        if is_heavy(&query) {
            self.heavy.read(page(self.heavy.engine(), query)).await
        } else {
            in_time(MAX_WAIT, page(&self.engine, query)).await
        }
    }
}

async fn page(engine: &Engine, query: ListQuery) -> Result<Page, StoreError> {
    let plan = Plan::of(&query, &DIALECT);
    let groups = if query.grouped { groups(engine, &plan).await? } else { Vec::new() };
    let total = match query.grouped {
        true => groups.iter().map(|(_, count)| count).sum(),
        false => count(engine, &plan).await?,
    };
    let mut found = Found::default();
    for query in &plan.queries {
        found.read(engine, &plan, query).await?;
    }
    Ok(plan.page(found.items, found.cut, total, groups))
}

/// Returns the curriculum and the number of investigations of each group, in order. For an unfiltered list, reads the
/// stored counts. Writes keep these counts up to date.
async fn groups(engine: &Engine, plan: &Plan) -> Result<Vec<(Option<String>, u64)>, StoreError> {
    let Plan { filter, is_unfiltered, group_order, .. } = plan;
    let sql = if *is_unfiltered {
        format!(
            "SELECT min(g.curriculum), sum(g.count)::bigint FROM group_count g GROUP BY g.group_key
             HAVING sum(g.count) > 0 ORDER BY g.group_key {group_order}"
        )
    } else {
        format!(
            "SELECT min(i.curriculum), count(*) FROM investigation i {} GROUP BY i.group_key ORDER BY i.group_key {group_order}",
            filter.clause()
        )
    };
    let answer = engine.ask(&numbered(&sql), &values(&filter.values)).await?;
    answer.rows.iter().map(|row| Ok((rows::get(row, 0)?, rows::whole(row, 1)?))).collect()
}

/// Returns the number of matching rows. For an unfiltered list, adds up the stored counts of the groups.
async fn count(engine: &Engine, Plan { filter, is_unfiltered, .. }: &Plan) -> Result<u64, StoreError> {
    let sql = if *is_unfiltered {
        "SELECT coalesce(sum(count), 0)::bigint FROM group_count".to_owned()
    } else {
        format!("SELECT count(*) FROM investigation i {}", filter.clause())
    };
    let answer = engine.ask(&numbered(&sql), &values(&filter.values)).await?;
    answer.rows.first().map_or(Ok(0), |row| rows::whole(row, 0))
}

/// Investigations of a page that were read so far.
#[derive(Default)]
struct Found {
    items: Vec<Arc<Investigation<RawContent>>>,
    bytes: usize,
    /// Whether the page ends early because its investigations are large.
    cut: bool,
}

impl Found {
    /// Adds the investigations of the query, until the page is full.
    async fn read(
        &mut self,
        engine: &Engine,
        Plan { order_terms, rows_to_read, .. }: &Plan,
        PageQuery { conditions, offset }: &PageQuery,
    ) -> Result<(), StoreError> {
        if self.cut || self.items.len() >= *rows_to_read {
            return Ok(());
        }
        // The page selects no contents, which makes sorting fast. Returns rows up to the byte limit, but at least
        // one per page.
        let sql = numbered(&format!(
            "WITH page AS (
                 SELECT i.id, row_number() OVER place AS place, sum(octet_length(i.content)) OVER place AS upto,
                     count(*) OVER () AS size
                 FROM (SELECT i.* FROM investigation i {} ORDER BY {order_terms} LIMIT ? OFFSET ?) i
                 WINDOW place AS (ORDER BY {order_terms}))
             SELECT {}, page.size, page.upto::bigint FROM page JOIN investigation i ON i.id = page.id
             WHERE page.upto <= ? OR (page.place = 1 AND {}) ORDER BY page.place",
            conditions.clause(),
            rows::INVESTIGATION,
            self.items.is_empty(),
        ));
        let limit = (rows_to_read - self.items.len()) as i64;
        let offset = rows::signed(*offset)?;
        let room = MAX_ANSWER.saturating_sub(self.bytes) as i64;
        let mut values = values(&conditions.values);
        values.extend([&limit, &offset, &room].map(|value| value as &(dyn ToSql + Sync)));
        let answer = engine.ask(&sql, &values).await?.rows;
        if let Some(last) = answer.last() {
            self.cut = rows::whole(last, rows::INVESTIGATION_COLUMNS)? as usize > answer.len();
            self.bytes += rows::whole(last, rows::INVESTIGATION_COLUMNS + 1)? as usize;
        }
        for row in &answer {
            self.items.push(Arc::new(rows::investigation(row)?));
        }
        Ok(())
    }
}

/// Replaces each `?` by `$1`, `$2` and so on, as PostgreSQL expects.
fn numbered(sql: &str) -> String {
    let mut pieces = sql.split('?');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.zip(1..).fold(first, |sql, (piece, number)| format!("{sql}${number}{piece}"))
}

fn values(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(value).collect()
}

fn value(value: &Value) -> &(dyn ToSql + Sync) {
    match value {
        Value::Text(text) => text,
        Value::Integer(integer) => integer,
    }
}
