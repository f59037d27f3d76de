//! Translates a list query to SQL, which is the same for all backends except for its [`Dialect`].

use std::sync::Arc;

use super::row::column;
use crate::domain::content::RawContent;
use crate::domain::investigation::Investigation;
use crate::domain::list::{Filter, ListQuery, Position, SortBy};

#[derive(Debug)]
pub struct Page {
    pub items: Vec<Arc<Investigation<RawContent>>>,
    pub has_more: bool,
    /// Number of investigations in the whole list.
    pub total: u64,
    /// The groups of the whole list, in order: curriculum, and number of investigations. The curriculum is `None` for
    /// the group of investigations without one. Empty if the list is not grouped.
    pub groups: Vec<(Option<String>, u64)>,
}

/// A value for a placeholder of a condition.
#[derive(Debug, Clone)]
pub enum Value {
    Text(String),
    /// An integer, such as a time in milliseconds since 1970.
    Integer(i64),
}

/// An SQL condition such as `i.author = ?`, and the values of its placeholders.
pub type Condition = (&'static str, Vec<Value>);

/// SQL that differs between backends.
pub struct Dialect {
    /// Condition that the column `title` contains the text `?`.
    pub title_contains: &'static str,
    /// Returns the conditions of a search: for each prefix, such as `rad`, the content has a word that begins with it.
    pub words: fn(&[String]) -> Vec<Condition>,
}

/// Conditions joined by AND. Each `?` is the placeholder of the next value.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    sql: Vec<String>,
    /// The values of the placeholders, in order.
    pub values: Vec<Value>,
}

/// A query for rows of a page. In a grouped list, a page after a cursor needs two queries: one for the rest of the
/// cursor's group, and one for later groups. Every other page needs one query.
#[derive(Debug)]
pub struct PageQuery {
    pub conditions: Conditions,
    pub offset: u64,
}

/// Plan for reading a page.
#[derive(Debug)]
pub struct Plan {
    /// Conditions for the rows of the whole list.
    pub filter: Conditions,
    /// Whether the list is unfiltered. If so, the group counts need not be computed, because the store keeps them.
    pub is_unfiltered: bool,
    /// Queries for the rows of the page, to be run in order until `rows_to_read` rows are found.
    pub queries: Vec<PageQuery>,
    /// Terms of the `ORDER BY` clause, such as `i.title_key ASC, i.id ASC`.
    pub order_terms: String,
    /// Sort direction of the groups: `ASC` or `DESC`.
    pub group_order: &'static str,
    /// Number of rows to read: one more than requested, to find out whether more follow.
    pub rows_to_read: usize,
}

impl Plan {
    pub fn of(query: &ListQuery, dialect: &Dialect) -> Self {
        let filter = Conditions::of_filter(&query.filter, dialect);
        let queries = match &query.after {
            None => vec![PageQuery { conditions: filter.clone(), offset: query.offset }],
            Some(after) => {
                let rest = Some(filter.clone().after_position(query, after));
                let later_groups = query.grouped.then(|| filter.clone().in_later_groups(query, after));
                rest.into_iter().chain(later_groups).map(|conditions| PageQuery { conditions, offset: 0 }).collect()
            }
        };
        let direction = if query.ascending { "ASC" } else { "DESC" };
        let group_order = if query.groups_descend() { "DESC" } else { "ASC" };
        let group = if query.grouped { format!("i.group_key {group_order}, ") } else { String::new() };
        Self {
            filter,
            is_unfiltered: query.filter == Filter::default(),
            queries,
            order_terms: format!("{group}{} {direction}, i.id {direction}", column(query.sort_by)),
            group_order,
            rows_to_read: query.limit as usize + 1,
        }
    }

    /// Creates the page from the investigations that were read. `is_cut` is true if reading stopped early because the
    /// investigations are large.
    pub fn page(
        self,
        mut items: Vec<Arc<Investigation<RawContent>>>,
        is_cut: bool,
        total: u64,
        groups: Vec<(Option<String>, u64)>,
    ) -> Page {
        let has_more = is_cut || items.len() == self.rows_to_read;
        items.truncate(self.rows_to_read - 1);
        Page { items, has_more, total, groups }
    }
}

impl Conditions {
    fn of_filter(filter: &Filter, dialect: &Dialect) -> Self {
        let Filter { title, grade, curriculum, statuses, author, words } = filter;
        let given = [
            (dialect.title_contains, title.clone()),
            ("i.curriculum = ?", curriculum.clone()),
            ("i.author = ?", author.map(|author| author.to_string())),
        ];
        let mut conditions = Self::default();
        for (sql, value) in given {
            if let Some(value) = value {
                conditions.add(sql, [Value::Text(value)]);
            }
        }
        if let Some(grade) = grade {
            conditions.add("i.grade IN (?, ?)", [grade.clone(), format!("{grade}.0")].map(Value::Text));
        }
        if !statuses.is_empty() {
            let placeholders = vec!["?"; statuses.len()].join(", ");
            let names = statuses.iter().map(|status| Value::Text(status.name().to_owned()));
            conditions.add(&format!("i.status IN ({placeholders})"), names);
        }
        for (sql, values) in (dialect.words)(words) {
            conditions.add(sql, values);
        }
        conditions
    }

    /// Restricts the conditions to rows after the position `after`. In a grouped list, keeps only the group of `after`.
    fn after_position(mut self, query: &ListQuery, after: &Position) -> Self {
        let key = match query.sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Value::Integer(after.key.parse().unwrap_or(0)),
            _ => Value::Text(after.key.clone()),
        };
        if query.grouped {
            self.add("i.group_key = ?", [Value::Text(after.group.clone())]);
        }
        let operator = if query.ascending { ">" } else { "<" };
        let position = format!("({}, i.id) {operator} (?, ?)", column(query.sort_by));
        self.add(&position, [key, Value::Text(after.id.to_string())]);
        self
    }

    /// Restricts the conditions to rows in the groups after the group of the position `after`.
    fn in_later_groups(mut self, query: &ListQuery, after: &Position) -> Self {
        let operator = if query.groups_descend() { "<" } else { ">" };
        self.add(&format!("i.group_key {operator} ?"), [Value::Text(after.group.clone())]);
        self
    }

    fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push(sql.to_owned());
        self.values.extend(values);
    }

    /// Returns the clause, such as `WHERE i.author = ? AND i.grade IN (?, ?)`; empty if there are no conditions.
    pub fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }
}
