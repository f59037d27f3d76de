//! Reads long lists in rounds, so that few rows are in memory.

use super::StoreError;
use super::engine::Snapshot;
use super::sql::{Columns, Row, Statement, Value};

/// Keyset pagination over a statement: each round reads the rows after the last one, ordered by key columns, with a
/// condition such as `t.n > $n`.
pub struct Rounds {
    statement: Statement,
    /// The columns, and their values in the last row.
    last: Columns,
    /// Rows that were read and not yet returned.
    read: std::vec::IntoIter<Row>,
}

impl Rounds {
    /// Begins after the row whose key columns have the values in `after`.
    pub fn of(statement: Statement, after: Columns) -> Self {
        Self { statement, last: after, read: Vec::new().into_iter() }
    }

    pub async fn next(&mut self, snapshot: &Snapshot) -> Result<Option<Row>, StoreError> {
        if self.read.as_slice().is_empty() {
            let after = |next: Statement, (column, value): &(_, Value)| next.with(*column, value.clone());
            let next = self.last.iter().fold(self.statement.clone(), after);
            self.read = snapshot.get(next).await?.into_iter();
        }
        let Some(row) = self.read.next() else { return Ok(None) };
        for (column, last) in &mut self.last {
            *last = row.value(column)?.clone();
        }
        Ok(Some(row))
    }
}
