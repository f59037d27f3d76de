//! Statements, which are the same text for both engines, and the rows that they return.
//!
//! A parameter is written `$name` and has its value under this name. Columns are read by name as well.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{Obstacle, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    Flag(bool),
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    /// A list of texts, for conditions such as `IN`. See [`Dialect::any_of`](super::dialect::Dialect::any_of).
    Texts(Arc<[String]>),
}

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
    /// Whether the engine keeps the prepared statement. Statements with many possible texts are not kept.
    pub(super) is_kept: bool,
}

impl Statement {
    pub fn new(sql: impl Into<Cow<'static, str>>) -> Self {
        Self { sql: sql.into(), values: Vec::new(), expected: None, is_deferred: false, is_kept: true }
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
        let mut sql = format!("UPDATE {table} SET ");
        for (place, (name, _)) in columns.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            // Writing to a text cannot fail.
            let _ = write!(sql, "{comma}{name} = ${name}");
        }
        sql += " WHERE ";
        sql += condition;
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

    /// Demands that the statement returns or changes exactly `rows` rows.
    pub fn expect(mut self, rows: u64) -> Self {
        self.expected = Some(rows);
        self
    }

    /// Lets the embedded store run the statement at the end of its transaction, together with those of other writes.
    pub fn deferred(mut self) -> Self {
        self.is_deferred = true;
        self
    }

    /// Marks a statement whose text has many forms, so that the engine does not keep it prepared.
    pub fn once(mut self) -> Self {
        self.is_kept = false;
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
    let mut list = String::new();
    for (place, column) in columns.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        list.extend([comma, alias, ".", column]);
    }
    list
}

/// A row that a statement returned. All its texts are in one string, and all its bytes in one vector, because one
/// allocation per column would take more time than the rest of reading a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    columns: Arc<[String]>,
    cells: Vec<Cell>,
    texts: String,
    bytes: Vec<u8>,
}

/// A value of a row. The range of a text or of bytes is its place in [`Row`].
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Null,
    Integer(i64),
    Flag(bool),
    Text(Range<usize>),
    Bytes(Range<usize>),
}

pub type Rows = Vec<Row>;

/// A value that an engine read.
#[derive(Debug, Clone, Copy)]
pub enum Found<'v> {
    Null,
    Integer(i64),
    Flag(bool),
    Text(&'v str),
    Bytes(&'v [u8]),
}

impl Row {
    pub fn new(columns: &Arc<[String]>) -> Self {
        Self { columns: columns.clone(), cells: Vec::with_capacity(columns.len()), ..Self::default() }
    }

    /// Appends the value of the next column.
    pub fn push(&mut self, value: Found<'_>) {
        let cell = match value {
            Found::Null => Cell::Null,
            Found::Integer(number) => Cell::Integer(number),
            Found::Flag(flag) => Cell::Flag(flag),
            Found::Text(text) => {
                let start = self.texts.len();
                self.texts.push_str(text);
                Cell::Text(start..self.texts.len())
            }
            Found::Bytes(bytes) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(bytes);
                Cell::Bytes(start..self.bytes.len())
            }
        };
        self.cells.push(cell);
    }

    fn cell(&self, name: &str) -> Result<&Cell, StoreError> {
        let place = self.columns.iter().position(|column| column == name);
        place.and_then(|place| self.cells.get(place)).ok_or_else(|| self.wrong(name, "a value"))
    }

    /// Returns the value of a column as it is stored, for use as a parameter.
    pub fn value(&self, name: &str) -> Result<Value, StoreError> {
        Ok(match self.cell(name)? {
            Cell::Null => Value::Null,
            Cell::Integer(number) => Value::Integer(*number),
            Cell::Flag(flag) => Value::Flag(*flag),
            Cell::Text(place) => Value::from(self.texts.get(place.clone()).unwrap_or_default()),
            Cell::Bytes(place) => Value::from(self.bytes.get(place.clone()).unwrap_or_default()),
        })
    }

    /// Returns the value of a column as it is stored, to name a row that cannot be read.
    pub fn shown(&self, name: &str) -> String {
        match self.cell(name) {
            Ok(Cell::Integer(number)) => number.to_string(),
            Ok(Cell::Text(place)) => self.texts.get(place.clone()).unwrap_or_default().escape_debug().to_string(),
            Ok(Cell::Bytes(place)) => {
                let bytes = self.bytes.get(place.clone()).unwrap_or_default();
                String::from_utf8_lossy(bytes).escape_debug().to_string()
            }
            _ => "?".to_owned(),
        }
    }

    pub fn is_null(&self, name: &str) -> Result<bool, StoreError> {
        Ok(*self.cell(name)? == Cell::Null)
    }

    pub fn text(&self, name: &str) -> Result<&str, StoreError> {
        self.optional_text(name)?.ok_or_else(|| self.wrong(name, "a text"))
    }

    pub fn optional_text(&self, name: &str) -> Result<Option<&str>, StoreError> {
        match self.cell(name)? {
            Cell::Null => Ok(None),
            Cell::Text(place) => Ok(self.texts.get(place.clone())),
            _ => Err(self.wrong(name, "a text")),
        }
    }

    pub fn integer(&self, name: &str) -> Result<i64, StoreError> {
        self.optional_integer(name)?.ok_or_else(|| self.wrong(name, "a number"))
    }

    pub fn optional_integer(&self, name: &str) -> Result<Option<i64>, StoreError> {
        match self.cell(name)? {
            Cell::Null => Ok(None),
            Cell::Integer(number) => Ok(Some(*number)),
            _ => Err(self.wrong(name, "a number")),
        }
    }

    /// Reads a number that is not negative.
    pub fn count(&self, name: &str) -> Result<u64, StoreError> {
        self.optional_count(name)?.ok_or_else(|| self.wrong(name, "a count"))
    }

    pub fn optional_count(&self, name: &str) -> Result<Option<u64>, StoreError> {
        let number = self.optional_integer(name)?;
        number.map(|number| u64::try_from(number).map_err(|_| self.wrong(name, "a count"))).transpose()
    }

    pub fn flag(&self, name: &str) -> Result<bool, StoreError> {
        match self.cell(name)? {
            Cell::Flag(flag) => Ok(*flag),
            Cell::Integer(number) => Ok(*number != 0),
            _ => Err(self.wrong(name, "a flag")),
        }
    }

    pub fn bytes(&self, name: &str) -> Result<&[u8], StoreError> {
        self.optional_bytes(name)?.ok_or_else(|| self.wrong(name, "bytes"))
    }

    pub fn optional_bytes(&self, name: &str) -> Result<Option<&[u8]>, StoreError> {
        match self.cell(name)? {
            Cell::Null => Ok(None),
            Cell::Bytes(place) => Ok(self.bytes.get(place.clone())),
            _ => Err(self.wrong(name, "bytes")),
        }
    }

    pub fn time(&self, name: &str) -> Result<Timestamp, StoreError> {
        self.integer(name).map(Timestamp)
    }

    pub fn optional_time(&self, name: &str) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.optional_integer(name)?.map(Timestamp))
    }

    /// Reads an identifier, or another value that has a text.
    pub fn parsed<T: FromStr>(&self, name: &str) -> Result<T, StoreError> {
        self.text(name)?.parse().map_err(|_| self.wrong(name, "an identifier"))
    }

    pub fn optional_parsed<T: FromStr>(&self, name: &str) -> Result<Option<T>, StoreError> {
        if self.is_null(name)? { Ok(None) } else { self.parsed(name).map(Some) }
    }

    pub fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, StoreError> {
        serde_json::from_str(self.text(name)?).map_err(|error| self.wrong(name, &format!("JSON: {error}")))
    }

    /// Returns the error for a column that does not have the expected value.
    pub(super) fn wrong(&self, name: &str, expected: &str) -> StoreError {
        let reason = format!("the column {name} should have {expected}");
        StoreError::Hindered { hindrance: Obstacle::Damaged, reason }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u64> for Value {
    /// A count above `i64::MAX` is none that the store contains. It becomes `i64::MAX`.
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.as_str().into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<Vec<String>> for Value {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts.into())
    }
}

impl From<ObjectId> for Value {
    fn from(id: ObjectId) -> Self {
        Self::Text(id.to_string().into())
    }
}

impl From<Timestamp> for Value {
    fn from(at: Timestamp) -> Self {
        Self::Integer(at.0)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
