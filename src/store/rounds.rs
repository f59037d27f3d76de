//! Reads long lists in rounds, so that few rows are in memory.

use super::StoreError;
use super::engine::Snapshot;
use super::sql::{Row, Statement, Value};

/// The rows of a statement that reads some rows after `$after`, in the order of one column.
pub struct Rounds {
    statement: Statement,
    column: &'static str,
    /// Value of the column in the last row.
    last: Value,
    /// Rows that were read and not yet returned.
    read: std::vec::IntoIter<Row>,
}

impl Rounds {
    /// Returns the rows after the value `after` of the column.
    pub fn of(statement: Statement, column: &'static str, after: impl Into<Value>) -> Self {
        Self { statement, column, last: after.into(), read: Vec::new().into_iter() }
    }

    pub async fn next(&mut self, snapshot: &Snapshot) -> Result<Option<Row>, StoreError> {
        if self.read.as_slice().is_empty() {
            let next = self.statement.clone().with("after", self.last.clone());
            self.read = snapshot.get(next).await?.into_iter();
        }
        let Some(row) = self.read.next() else { return Ok(None) };
        self.last = row.value(self.column)?;
        Ok(Some(row))
    }
}
