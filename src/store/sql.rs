//! Statements, which are the same text for both engines. A statement contains its parameters as `$name`, and stores a
//! value for each name.

use std::borrow::Cow;

use super::StoreError;
pub use super::rows::{Row, Rows};
pub use super::value::Value;
use crate::domain::id::ObjectId;

/// An SQL statement and the values of its parameters.
#[derive(Debug, Clone)]
pub struct Statement {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<(Cow<'static, str>, Value)>,
    /// Number of rows that the statement must return or change. Another number means that a concurrent write came
    /// first, and rolls the whole write back.
    pub(super) expected: Option<u64>,
    /// Whether the embedded store runs the statement at the end of its transaction, which may contain several writes.
    pub(super) is_deferred: bool,
}

impl Statement {
    pub fn new(sql: impl Into<Cow<'static, str>>) -> Self {
        Self { sql: sql.into(), values: Vec::new(), expected: None, is_deferred: false }
    }

    pub fn insert(table: &str, columns: Columns) -> Self {
        let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let sql = format!("INSERT INTO {table} ({}) VALUES (${})", names.join(", "), names.join(", $"));
        Self { values: named(columns), ..Self::new(sql) }
    }

    /// Creates an `INSERT` of a row that belongs to the investigation with the id `investigation`. Inserts nothing if
    /// there is no such investigation.
    pub fn insert_for(investigation: ObjectId, table: &str, columns: Columns) -> Self {
        let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let sql = format!(
            "INSERT INTO {table} (body, {}) SELECT i.body, ${} FROM investigation i WHERE i.id = $investigation",
            names.join(", "),
            names.join(", $")
        );
        Self { values: named(columns), ..Self::new(sql) }.with("investigation", investigation)
    }

    /// Creates an `UPDATE` that sets these columns. The text `condition` follows `WHERE`.
    pub fn update(table: &str, columns: Columns, condition: &str) -> Self {
        let set = columns.iter().map(|(name, _)| format!("{name} = ${name}")).collect::<Vec<_>>();
        let sql = format!("UPDATE {table} SET {} WHERE {condition}", set.join(", "));
        Self { values: named(columns), ..Self::new(sql) }
    }

    /// Appends to the text, for example `ON CONFLICT (id) DO NOTHING`.
    pub fn then(mut self, sql: &str) -> Self {
        self.sql = Cow::Owned(format!("{} {sql}", self.sql));
        self
    }

    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    /// Returns the value of the parameter `$name`.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Like [`Self::value`], but fails if there is no value.
    pub(super) fn parameter(&self, name: &str) -> Result<&Value, StoreError> {
        self.value(name).ok_or_else(|| StoreError::Failed(format!("the parameter ${name} has no value")))
    }

    /// Returns the approximate size of the values, in bytes.
    pub fn bytes(&self) -> usize {
        self.values.iter().map(|(_, value)| value.bytes()).sum()
    }

    /// Returns whether the statement returns rows, and not the number of rows that it changed.
    pub(super) fn returns_rows(&self) -> bool {
        self.sql.starts_with("SELECT") || self.sql.contains("RETURNING")
    }

    /// Requires that the statement returns or changes exactly `rows` rows.
    pub fn expect(mut self, rows: u64) -> Self {
        self.expected = Some(rows);
        self
    }

    /// Lets the embedded store run the statement at the end of its transaction, together with the deferred statements
    /// of other writes.
    pub fn deferred(mut self) -> Self {
        self.is_deferred = true;
        self
    }

    /// Undoes [`Self::deferred`], so that the statement runs at its position in the write.
    pub fn at_once(mut self) -> Self {
        self.is_deferred = false;
        self
    }
}

/// Columns of a table and their values.
pub type Columns = Vec<(&'static str, Value)>;

fn named(columns: Columns) -> Vec<(Cow<'static, str>, Value)> {
    columns.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}

/// Returns the columns as a list for `SELECT`, each with the alias of its table: `l.id, l.key`.
pub fn list(alias: &str, columns: &[&str]) -> String {
    columns.iter().map(|column| format!("{alias}.{column}")).collect::<Vec<_>>().join(", ")
}
