//! The rows that statements return. Columns are read by name.

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::value::Value;
use super::{FixableError, StoreError};
use crate::domain::time::Timestamp;

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

/// Length of the texts in a row without content, in bytes.
const TYPICAL_TEXTS: usize = 256;

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
        Self {
            columns: columns.clone(),
            cells: Vec::with_capacity(columns.len()),
            texts: String::with_capacity(TYPICAL_TEXTS),
            bytes: Vec::new(),
        }
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
        StoreError::Fixable { kind: FixableError::Damaged, reason }
    }
}
