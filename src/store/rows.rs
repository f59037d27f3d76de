//! The rows that statements return. Columns are read by name.

use std::str::FromStr;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::value::Value;
use super::{FixableError, StoreError};
use crate::domain::time::Timestamp;

/// A row that a statement returned.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    columns: Arc<[String]>,
    cells: Vec<Value>,
}

pub type Rows = Vec<Row>;

impl Row {
    /// Creates a row with a value for each column.
    pub fn new(columns: &Arc<[String]>, cells: Vec<Value>) -> Self {
        Self { columns: columns.clone(), cells }
    }

    /// Returns the value of a column as it is stored.
    pub fn value(&self, name: &str) -> Result<&Value, StoreError> {
        let place = self.columns.iter().position(|column| column == name);
        place.and_then(|place| self.cells.get(place)).ok_or_else(|| self.wrong(name, "a value"))
    }

    /// Returns the value of a column as text, to identify a row that cannot be read.
    pub fn shown(&self, name: &str) -> String {
        match self.value(name) {
            Ok(Value::Integer(number)) => number.to_string(),
            Ok(Value::Text(text)) => text.escape_debug().to_string(),
            Ok(Value::Bytes(bytes)) => String::from_utf8_lossy(bytes).escape_debug().to_string(),
            _ => "?".to_owned(),
        }
    }

    pub fn is_null(&self, name: &str) -> Result<bool, StoreError> {
        Ok(*self.value(name)? == Value::Null)
    }

    pub fn text(&self, name: &str) -> Result<&str, StoreError> {
        self.optional_text(name)?.ok_or_else(|| self.wrong(name, "a text"))
    }

    pub fn optional_text(&self, name: &str) -> Result<Option<&str>, StoreError> {
        match self.value(name)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => Err(self.wrong(name, "a text")),
        }
    }

    pub fn integer(&self, name: &str) -> Result<i64, StoreError> {
        self.optional_integer(name)?.ok_or_else(|| self.wrong(name, "a number"))
    }

    pub fn optional_integer(&self, name: &str) -> Result<Option<i64>, StoreError> {
        match self.value(name)? {
            Value::Null => Ok(None),
            Value::Integer(number) => Ok(Some(*number)),
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
        match self.value(name)? {
            Value::Flag(flag) => Ok(*flag),
            Value::Integer(number) => Ok(*number != 0),
            _ => Err(self.wrong(name, "a flag")),
        }
    }

    pub fn bytes(&self, name: &str) -> Result<&[u8], StoreError> {
        self.optional_bytes(name)?.ok_or_else(|| self.wrong(name, "bytes"))
    }

    pub fn optional_bytes(&self, name: &str) -> Result<Option<&[u8]>, StoreError> {
        match self.value(name)? {
            Value::Null => Ok(None),
            Value::Bytes(bytes) => Ok(Some(bytes)),
            _ => Err(self.wrong(name, "bytes")),
        }
    }

    pub fn time(&self, name: &str) -> Result<Timestamp, StoreError> {
        self.integer(name).map(Timestamp)
    }

    pub fn optional_time(&self, name: &str) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.optional_integer(name)?.map(Timestamp))
    }

    /// Reads an identifier, or another value that is stored as text.
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
