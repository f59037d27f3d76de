//! Runs statements on a connection.

use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};

use crate::store::StoreError;
use crate::store::sql::{Row, Rows, Statement, Value};
use crate::store::write::WriteError;

/// Runs a statement and returns its rows.
pub fn rows_of(connection: &Connection, statement: &Statement) -> Result<Rows, StoreError> {
    rows(&mut *connection.prepare_cached(&statement.sql)?, statement)
}

/// Runs a statement of a write. Fails with [`WriteError::LostRace`] if the statement returns or changes a different
/// number of rows than expected.
pub fn change(connection: &Connection, statement: &Statement) -> Result<Rows, WriteError> {
    let rows = rows_of(connection, statement)?;
    let changed = if statement.returns_rows() { rows.len() as u64 } else { connection.changes() };
    match statement.expected {
        Some(expected) if expected != changed => Err(WriteError::LostRace),
        _ => Ok(rows),
    }
}

fn rows(prepared: &mut rusqlite::Statement<'_>, statement: &Statement) -> Result<Rows, StoreError> {
    for place in 1..=prepared.parameter_count() {
        let name = prepared.parameter_name(place).and_then(|name| name.strip_prefix('$')).unwrap_or_default();
        prepared.raw_bind_parameter(place, bound(statement.parameter(name)?)?)?;
    }
    let mut found = prepared.raw_query();
    let mut rows = Rows::new();
    // Reads the column names only with the first row, because most statements of writes return no rows.
    let mut columns: Option<Arc<[String]>> = None;
    while let Some(row) = found.next()? {
        let columns = columns.get_or_insert_with(|| row.as_ref().column_names().map(str::to_owned).collect());
        rows.push(read(row, columns)?);
    }
    Ok(rows)
}

fn bound(value: &Value) -> Result<ToSqlOutput<'_>, StoreError> {
    Ok(ToSqlOutput::Borrowed(match value {
        Value::Null => ValueRef::Null,
        Value::Integer(number) => ValueRef::Integer(*number),
        Value::Flag(flag) => ValueRef::Integer((*flag).into()),
        Value::Text(text) => ValueRef::Text(text.as_bytes()),
        Value::Bytes(bytes) => ValueRef::Blob(bytes),
        Value::Texts(texts) => {
            let list = serde_json::to_string(texts).map_err(|error| StoreError::Failed(error.to_string()))?;
            return Ok(ToSqlOutput::Owned(list.into()));
        }
    }))
}

fn read(found: &rusqlite::Row<'_>, columns: &Arc<[String]>) -> Result<Row, StoreError> {
    let cell = |place| {
        Ok(match found.get_ref(place)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            // A damaged value becomes bytes, so that only its own row cannot be read.
            ValueRef::Text(text) => std::str::from_utf8(text).map_or_else(|_| text.into(), Value::from),
            ValueRef::Blob(bytes) => bytes.into(),
            ValueRef::Real(number) => number.to_be_bytes().as_slice().into(),
        })
    };
    Ok(Row::new(columns, (0..columns.len()).map(cell).collect::<Result<_, StoreError>>()?))
}
