//! Reads the rows of lists. A damaged row is skipped and logged, so that it affects only itself.

use super::engine::ReadKind;
use super::sql::{Row, Rows, Statement};
use super::{FixableError, Store, StoreError};
use crate::first_seen::FirstSeen;

/// The damaged rows that were already logged.
static NAMED: FirstSeen<String> = FirstSeen::new(1000);

/// A table, and the columns that identify its rows to an operator.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    pub key: &'static [&'static str],
}

impl Table {
    /// Returns the text that identifies a row to an operator.
    pub fn key_of(self, row: &Row) -> String {
        self.key.iter().map(|column| row.shown(column)).collect::<Vec<_>>().join(" ")
    }
}

/// Reads the rows of a list, without those that cannot be read.
pub fn readable<'r, T>(
    table: Table,
    rows: impl IntoIterator<Item = &'r Row>,
    mut read: impl FnMut(&Row) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.into_iter().filter_map(|row| or_named(table, row, read(row)).transpose()).collect()
}

/// Returns the result of reading a row. If the row is damaged, logs its key and returns `None`.
pub fn or_named<T>(table: Table, row: &Row, read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    or_noted("a row of the store cannot be read, and lists leave it out", table, row, read)
}

/// Returns the result of reading a row. If the row is damaged, logs `note` with its key, and returns `None`.
pub fn or_noted<T>(
    note: &'static str,
    table: Table,
    row: &Row,
    read: Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    match read {
        Err(StoreError::Fixable { kind: FixableError::Damaged, reason }) => {
            let (table, row) = (table.name, table.key_of(row));
            if NAMED.is_new(format!("{note} {table} {row}")) {
                tracing::error!(table, row, reason, "{note}");
            }
            Ok(None)
        }
        read => read.map(Some),
    }
}

impl Store {
    /// Reads up to `limit` readable rows of a list, with a statement that has the parameter `$limit`. If some rows are
    /// damaged, reads further rows in their place.
    pub(super) async fn listed<T>(
        &self,
        table: Table,
        statement: Statement,
        limit: u32,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.listed_of(None, table, statement, limit, read).await.map(|(_, list)| list)
    }

    /// Like [`Self::listed`], for a statement that looks at many rows: with the connections and a permit for heavy
    /// reads.
    pub(super) async fn searched<T>(
        &self,
        table: Table,
        statement: Statement,
        limit: u32,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.list_with(ReadKind::Heavy, None, table, statement, limit, read).await.map(|(_, list)| list)
    }

    /// Like [`Self::listed`], for a list that belongs to another record. Also returns the rows of the query `owner`
    /// from the same snapshot of the store.
    pub(super) async fn listed_of<T>(
        &self,
        owner: Option<Statement>,
        table: Table,
        statement: Statement,
        limit: u32,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<(Rows, Vec<T>), StoreError> {
        self.list_with(ReadKind::Light, owner, table, statement, limit, read).await
    }

    async fn list_with<T>(
        &self,
        kind: ReadKind,
        owner: Option<Statement>,
        table: Table,
        statement: Statement,
        limit: u32,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<(Rows, Vec<T>), StoreError> {
        let mut wanted = limit as usize;
        loop {
            let statement = statement.clone().with("limit", wanted as u64);
            let statements = owner.iter().cloned().chain([statement]).collect();
            let mut found = if kind == ReadKind::Light {
                self.read(statements).await?
            } else {
                let snapshot = self.begin(kind).await?;
                let found = snapshot.read(statements).await?;
                snapshot.end();
                found
            };
            let rows = found.pop().unwrap_or_default();
            let mut list = readable(table, &rows, &read)?;
            if list.len() >= limit as usize || rows.len() < wanted {
                list.truncate(limit as usize);
                return Ok((found.pop().unwrap_or_default(), list));
            }
            // Doubles the number of rows to read. With smaller steps, many damaged rows would be read again many times.
            wanted = wanted.saturating_mul(2);
        }
    }
}
