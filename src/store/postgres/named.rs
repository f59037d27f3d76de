//! SQL statements with named parameters, which keep long statements readable. PostgreSQL supports only numbered
//! parameters.

use tokio_postgres::types::ToSql;

use crate::store::StoreError;

pub type Value<'v> = &'v (dyn ToSql + Sync);

/// A statement that is written with `$name` and sent with `$1`, `$2` and so on.
pub struct NamedStatement {
    sql: String,
    /// Names of the parameters; index 0 is `$1`.
    names: Vec<&'static str>,
}

impl NamedStatement {
    /// Replaces each `$name` in `text` with `$1`, `$2` and so on, in the order in which the names first appear. Names
    /// consist of lowercase letters and underscores.
    pub fn new(text: &'static str) -> Self {
        let mut pieces = text.split('$');
        let mut sql = pieces.next().unwrap_or_default().to_owned();
        let mut names = Vec::new();
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(piece.len());
            let (name, rest) = piece.split_at(end);
            let index = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            sql += &format!("${}{rest}", index + 1);
        }
        Self { sql, names }
    }

    /// Returns the statement with numbered parameters.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Returns the values in the order of the numbered parameters.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if the names in `given` are not exactly the names of the statement's parameters.
    pub fn values<'v>(&self, given: &[(&str, Value<'v>)]) -> Result<Vec<Value<'v>>, StoreError> {
        if let Some((name, _)) = given.iter().find(|(name, _)| !self.names.contains(name)) {
            return Err(StoreError::Failed(format!("the statement has no parameter {name}")));
        }
        let value_of = |name: &&'static str| {
            let found = given.iter().find(|(given, _)| given == name);
            found
                .map(|(_, value)| *value)
                .ok_or_else(|| StoreError::Failed(format!("the parameter {name} has no value")))
        };
        self.names.iter().map(value_of).collect()
    }
}
