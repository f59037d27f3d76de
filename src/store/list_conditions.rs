//! The SQL conditions of lists.

use super::StoreError;
use super::dialect::Dialect;
use super::row::column;
use super::sql::{Row, Statement, Value};
use crate::domain::list::{Filter, ListQuery, Position, SortBy};
use crate::domain::named::Named;

/// SQL conditions that are joined by AND, and the values of their parameters `p1`, `p2` and so on.
#[derive(Debug, Clone, Default)]
pub(super) struct Conditions {
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    pub(super) fn of_filter(filter: &Filter, dialect: Dialect) -> Self {
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
    pub(super) fn after_place(mut self, query: &ListQuery, after: &StoredPosition) -> Self {
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
    pub(super) fn in_later_groups(mut self, query: &ListQuery, after: &StoredPosition) -> Self {
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
    pub(super) fn clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }

    pub(super) fn statement(self, sql: String) -> Statement {
        let statement = Statement::new(sql);
        let named = (1..).zip(self.values).map(|(number, value)| (format!("p{number}"), value));
        named.fold(statement, |statement, (name, value)| statement.with(name, value))
    }
}

/// The place of a row in the list, as it is stored. Unlike a [`Position`], it can be the place of a damaged row.
#[derive(Debug)]
pub(super) struct StoredPosition {
    group: Value,
    key: Value,
    id: Value,
}

impl StoredPosition {
    pub(super) fn of(position: &Position, sort_by: SortBy) -> Self {
        let Position { group, key, id } = position;
        let key = match sort_by {
            SortBy::CreatedAt | SortBy::UpdatedAt => Value::Integer(key.parse().unwrap_or(0)),
            _ => Value::from(key),
        };
        Self { group: group.into(), key, id: (*id).into() }
    }

    pub(super) fn read(row: &Row) -> Result<Self, StoreError> {
        let value = |name: &str| row.value(name).cloned();
        Ok(Self { group: value("group_key")?, key: value("sort_key")?, id: value("id")? })
    }
}
