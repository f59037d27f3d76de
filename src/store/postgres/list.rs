//! Lists: filters, order, groups, and pages by offset or from a position.

use std::collections::HashMap;

use tokio_postgres::types::ToSql;

use super::engine::{Engine, PATIENCE, in_time};
use super::{Postgres, investigations, rows};
use crate::domain::id::ObjectId;
use crate::domain::list::{Filter, ListQuery, Position, SortBy};
use crate::domain::page::MAX_ANSWER;
use crate::store::document_cache::{Shown, State};
use crate::store::reads::is_heavy;
use crate::store::row::column;
use crate::store::{Page, StoreError};

/// Maximum number of attempts to read a page whose investigations change meanwhile.
const ATTEMPTS: usize = 16;

impl Postgres {
    /// A page of a list.
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        if is_heavy(&query) {
            self.heavy.read(self.page(self.heavy.engine(), query)).await
        } else {
            in_time(PATIENCE, self.page(&self.engine, query)).await
        }
    }

    async fn page(&self, engine: &Engine, query: ListQuery) -> Result<Page, StoreError> {
        let filter = Conditions::of_filter(&query);
        let groups = if query.grouped { self.groups(engine, &query, &filter).await? } else { Vec::new() };
        let total = if query.grouped {
            groups.iter().map(|(_, count)| count).sum()
        } else {
            self.count(engine, &query, &filter).await?
        };

        // One more than requested shows whether more follow.
        let wanted = query.limit as usize + 1;
        let mut found = Found::default();
        match &query.after {
            None => self.take(engine, &mut found, &query, filter, wanted, query.offset).await?,
            Some(after) => {
                self.take(engine, &mut found, &query, filter.clone().beyond(&query, after), wanted, 0).await?;
                if query.grouped {
                    self.take(engine, &mut found, &query, filter.in_later_groups(&query, after), wanted, 0).await?;
                }
            }
        }
        let has_more = found.cut || found.items.len() == wanted;
        found.items.truncate(query.limit as usize);
        Ok(Page { items: found.items, has_more, total, groups })
    }

    /// Adds matching rows, in order, until there are `wanted` items.
    async fn take(
        &self,
        engine: &Engine,
        found: &mut Found,
        query: &ListQuery,
        mut conditions: Conditions,
        wanted: usize,
        offset: u64,
    ) -> Result<(), StoreError> {
        if found.cut || found.items.len() >= wanted {
            return Ok(());
        }
        let direction = if query.ascending { "ASC" } else { "DESC" };
        let group = if query.grouped { format!("i.group_key {}, ", of_groups(query)) } else { String::new() };
        let order = format!("{group}{} {direction}, i.id {direction}", column(query.sort_by));
        let clause = conditions.clause();
        let limit = conditions.value((wanted - found.items.len()) as i64);
        let offset = conditions.value(rows::signed(offset)?);
        let room = conditions.value(MAX_ANSWER.saturating_sub(found.bytes) as i64);
        // Sorts rows without their documents. Returns rows until the byte limit, at least one.
        let sql = format!(
            "WITH page AS (
                 SELECT i.id, i.revision, i.updated_at, i.storing, row_number() OVER place AS place,
                     sum(octet_length(i.content)) OVER place AS upto, count(*) OVER () AS size
                 FROM (SELECT i.*, i.xmin::text::bigint AS storing FROM investigation i {clause} ORDER BY {order} LIMIT {limit} OFFSET {offset}) i
                 WINDOW place AS (ORDER BY {order}))
             SELECT page.id, page.revision, page.updated_at, page.storing, page.size, page.upto::bigint FROM page
             WHERE page.upto <= {room} OR (page.place = 1 AND {}) ORDER BY page.place",
            found.items.is_empty(),
        );
        for _ in 0..ATTEMPTS {
            let answer = engine.ask(&sql, &conditions.values()).await?;
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

    /// The investigations in these states, read unless they are cached; `None` if one has changed since.
    async fn shown(&self, engine: &Engine, states: &[(ObjectId, State)]) -> Result<Option<Vec<Shown>>, StoreError> {
        let kept = |(id, state): &(ObjectId, State)| Some((*id, (self.recent.get(*id, *state)?, *state)));
        let mut known: HashMap<ObjectId, (Shown, State)> = states.iter().filter_map(kept).collect();
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

    /// The groups in order with their counts, which every write updates for the unfiltered list.
    async fn groups(
        &self,
        engine: &Engine,
        query: &ListQuery,
        filter: &Conditions,
    ) -> Result<Vec<(Option<String>, u64)>, StoreError> {
        let sql = if query.filter == Filter::default() {
            format!(
                "SELECT min(g.curriculum), sum(g.count)::bigint FROM group_count g GROUP BY g.group_key
                 HAVING sum(g.count) > 0 ORDER BY g.group_key {}",
                of_groups(query)
            )
        } else {
            format!(
                "SELECT min(i.curriculum), count(*) FROM investigation i {} GROUP BY i.group_key ORDER BY i.group_key {}",
                filter.clause(),
                of_groups(query)
            )
        };
        let answer = engine.ask(&sql, &filter.values()).await?;
        answer.rows.iter().map(|row| Ok((rows::get(row, 0)?, rows::whole(row, 1)?))).collect()
    }

    /// The number of matches, which every write updates for the unfiltered list.
    async fn count(&self, engine: &Engine, query: &ListQuery, filter: &Conditions) -> Result<u64, StoreError> {
        let sql = if query.filter == Filter::default() {
            "SELECT coalesce(sum(count), 0)::bigint FROM group_count".to_owned()
        } else {
            format!("SELECT count(*) FROM investigation i {}", filter.clause())
        };
        let answer = engine.ask(&sql, &filter.values()).await?;
        answer.rows.first().map_or(Ok(0), |row| rows::whole(row, 0))
    }
}

/// The direction in which groups are ordered.
fn of_groups(query: &ListQuery) -> &'static str {
    if query.groups_descend() { "DESC" } else { "ASC" }
}

/// The items of a page so far.
#[derive(Default)]
struct Found {
    items: Vec<Shown>,
    bytes: usize,
    /// Whether the page ends early because its items are large.
    cut: bool,
}

/// A value of a placeholder.
#[derive(Clone)]
enum Sql {
    Text(String),
    Whole(i64),
}

/// Conditions joined by AND, with the values of their placeholders in order.
#[derive(Clone, Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Sql>,
}

impl Conditions {
    fn of_filter(query: &ListQuery) -> Self {
        let filter = &query.filter;
        let given = [
            ("strpos(i.title, ?) > 0", filter.title.clone()),
            ("i.curriculum = ?", filter.curriculum.clone()),
            ("i.status = ?", filter.status.map(|status| status.stored().to_owned())),
            ("i.author = ?", filter.author.map(|author| author.to_string())),
        ];
        let mut conditions = Self::default();
        for (sql, value) in given {
            if let Some(value) = value {
                conditions.add(sql, [Sql::Text(value)]);
            }
        }
        if let Some(grade) = &filter.grade {
            conditions.add("i.grade IN (?, ?)", [grade.clone(), format!("{grade}.0")].map(Sql::Text));
        }
        for word in &filter.words {
            // All words with this prefix, in byte order: no word sorts after the prefix with the last Unicode
            // character.
            let after = format!("{word}\u{10ffff}");
            conditions.add(
                "i.id IN (SELECT s.investigation FROM search_word s WHERE s.word >= ? AND s.word < ?)",
                [Sql::Text(word.clone()), Sql::Text(after)],
            );
        }
        conditions
    }

    /// Restricts to items after this position; in a grouped list within its group.
    fn beyond(mut self, query: &ListQuery, after: &Position) -> Self {
        let key = match query.sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Sql::Whole(after.key.parse().unwrap_or(0)),
            _ => Sql::Text(after.key.clone()),
        };
        if query.grouped {
            self.add("i.group_key = ?", [Sql::Text(after.group.clone())]);
        }
        let beyond = if query.ascending { ">" } else { "<" };
        let position = format!("({}, i.id) {beyond} (?, ?)", column(query.sort_by));
        self.add(&position, [key, Sql::Text(after.id.to_string())]);
        self
    }

    /// These, and only in the groups after that of this position.
    fn in_later_groups(mut self, query: &ListQuery, after: &Position) -> Self {
        let later = if query.groups_descend() { "<" } else { ">" };
        self.add(&format!("i.group_key {later} ?"), [Sql::Text(after.group.clone())]);
        self
    }

    /// Adds a condition; its question marks become the next placeholders.
    fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Sql>) {
        let mut pieces = sql.split('?');
        let mut condition = pieces.next().unwrap_or_default().to_owned();
        for (piece, value) in pieces.zip(values) {
            self.values.push(value);
            condition += &format!("${}{piece}", self.values.len());
        }
        self.sql.push(condition);
    }

    /// A placeholder for one more value.
    fn value(&mut self, value: i64) -> String {
        self.values.push(Sql::Whole(value));
        format!("${}", self.values.len())
    }

    fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }

    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values
            .iter()
            .map(|value| -> &(dyn ToSql + Sync) {
                match value {
                    Sql::Text(text) => text,
                    Sql::Whole(whole) => whole,
                }
            })
            .collect()
    }
}
