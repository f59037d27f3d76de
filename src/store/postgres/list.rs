//! Reads lists of investigations by running a [`Plan`] on PostgreSQL.

use std::collections::HashMap;

use tokio_postgres::types::ToSql;

use super::engine::{Engine, MAX_WAIT, in_time};
use super::{Postgres, investigations, rows};
use crate::domain::id::ObjectId;
use crate::domain::list::ListQuery;
use crate::domain::page::MAX_ANSWER;
use crate::store::StoreError;
use crate::store::document_cache::{SharedInvestigation, State};
use crate::store::list::{Condition, Dialect, Page, PageQuery, Plan, Value};
use crate::store::reads::is_heavy;

/// Maximum number of attempts to read a page. An attempt fails if an investigation changes between the two queries.
const ATTEMPTS: usize = 16;

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
            self.heavy.read(self.page(self.heavy.engine(), query)).await
        } else {
            in_time(MAX_WAIT, self.page(&self.engine, query)).await
        }
    }

    async fn page(&self, engine: &Engine, query: ListQuery) -> Result<Page, StoreError> {
        let plan = Plan::of(&query, &DIALECT);
        let groups = if query.grouped { groups(engine, &plan).await? } else { Vec::new() };
        let total = match query.grouped {
            true => groups.iter().map(|(_, count)| count).sum(),
            false => count(engine, &plan).await?,
        };
        let mut found = Found::default();
        for query in &plan.queries {
            self.read(engine, &mut found, &plan, query).await?;
        }
        Ok(plan.page(found.items, found.cut, total, groups))
    }

    /// Adds the investigations of the query to `found`, until the page is full.
    async fn read(
        &self,
        engine: &Engine,
        found: &mut Found,
        Plan { order_terms, rows_to_read, .. }: &Plan,
        PageQuery { conditions, offset }: &PageQuery,
    ) -> Result<(), StoreError> {
        if found.cut || found.items.len() >= *rows_to_read {
            return Ok(());
        }
        // Selects no contents, which makes sorting fast. Returns rows up to the byte limit, but at least one per page.
        let sql = numbered(&format!(
            "WITH page AS (
                 SELECT i.id, i.revision, i.updated_at, i.insertion, row_number() OVER place AS place,
                     sum(octet_length(i.content)) OVER place AS upto, count(*) OVER () AS size
                 FROM (SELECT i.*, i.xmin::text::bigint AS insertion FROM investigation i {} ORDER BY {order_terms} LIMIT ? OFFSET ?) i
                 WINDOW place AS (ORDER BY {order_terms}))
             SELECT page.id, page.revision, page.updated_at, page.insertion, page.size, page.upto::bigint FROM page
             WHERE page.upto <= ? OR (page.place = 1 AND {}) ORDER BY page.place",
            conditions.clause(),
            found.items.is_empty(),
        ));
        let limit = (rows_to_read - found.items.len()) as i64;
        let offset = rows::signed(*offset)?;
        let room = MAX_ANSWER.saturating_sub(found.bytes) as i64;
        let mut values = values(&conditions.values);
        values.extend([&limit, &offset, &room].map(|value| value as &(dyn ToSql + Sync)));
        for _ in 0..ATTEMPTS {
            let answer = engine.ask(&sql, &values).await?;
            let state = |row| Ok((rows::parsed(row, 0)?, rows::state(row, 1)?));
            let states = answer.rows.iter().map(state).collect::<Result<Vec<_>, StoreError>>()?;
            if let Some(items) = self.shown(engine, &states).await? {
                let last = answer.rows.last();
                found.cut = last.map_or(Ok(0), |row| rows::whole(row, 4))? as usize > items.len();
                found.bytes += last.map_or(Ok(0), |row| rows::whole(row, 5))? as usize;
                found.items.extend(items);
                return Ok(());
            }
        }
        Err(StoreError::Busy)
    }

    /// Returns the investigations with these ids, in this order, from the cache if possible; `None` if one of them was
    /// deleted, or is no longer in the state that is given with its id.
    async fn shown(
        &self,
        engine: &Engine,
        states: &[(ObjectId, State)],
    ) -> Result<Option<Vec<SharedInvestigation>>, StoreError> {
        let kept = |(id, state): &(ObjectId, State)| Some((*id, (self.recent.get(*id, *state)?, *state)));
        let mut known: HashMap<ObjectId, (SharedInvestigation, State)> = states.iter().filter_map(kept).collect();
        let missing = states.iter().filter(|(id, _)| !known.contains_key(id));
        let missing: Vec<String> = missing.map(|(id, _)| id.to_string()).collect();
        if !missing.is_empty() {
            let sql = format!("{} WHERE i.id = ANY($1::text[])", *investigations::SHOWN);
            for row in &engine.ask(&sql, &[&missing]).await?.rows {
                let (shown, state) = self.keep(row)?;
                known.insert(shown.id, (shown, state));
            }
        }
        let as_it_was =
            |(id, state): &(ObjectId, State)| known.remove(id).filter(|(_, now)| now == state).map(|(shown, _)| shown);
        Ok(states.iter().map(as_it_was).collect())
    }
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
    items: Vec<SharedInvestigation>,
    bytes: usize,
    /// Whether the page ends early because its investigations are large.
    cut: bool,
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
