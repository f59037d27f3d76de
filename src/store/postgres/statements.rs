//! Runs statements on a connection. Statements that are started together go to the server together, and are answered in
//! one round trip.

use std::sync::Arc;
use std::task::Poll;

use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Column, Error};

use crate::store::StoreError;
use crate::store::sql::{Row, Rows, Statement, Value};

/// A prepared statement.
#[derive(Debug)]
pub struct Prepared {
    statement: tokio_postgres::Statement,
    /// Names of the parameters; index 0 is `$1`.
    names: Vec<String>,
    columns: Arc<[String]>,
}

impl Prepared {
    /// Prepares a statement on the server.
    pub async fn on(client: &Client, sql: &str) -> Result<Self, Error> {
        let (sql, names) = numbered(sql);
        let statement = client.prepare(&sql).await?;
        let columns = statement.columns().iter().map(|column| column.name().to_owned()).collect::<Vec<_>>().into();
        Ok(Self { statement, names, columns })
    }

    /// Returns the values in the order of the parameters.
    pub fn values<'v>(&self, given: &'v Statement) -> Result<Vec<&'v (dyn ToSql + Sync)>, StoreError> {
        self.names.iter().map(|name| given.parameter(name).map(|value| value as &(dyn ToSql + Sync))).collect()
    }
}

/// Replaces each `$name` in `sql` with `$1`, `$2` and so on, in the order in which the names first appear, as
/// PostgreSQL expects. Returns the new text and the names.
fn numbered(text: &str) -> (String, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    let sql = with_parameters(text, |name| {
        let index = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        (index + 1).to_string()
    });
    (sql, names)
}

/// Replaces the name of each parameter. Names consist of lowercase letters, digits and underscores.
fn with_parameters(text: &str, mut replace: impl FnMut(&str) -> String) -> String {
    let mut pieces = text.split('$');
    let mut sql = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let (name, rest) = piece.split_at(piece.find(|c| !is_of_name(c)).unwrap_or(piece.len()));
        sql += "$";
        sql += &replace(name);
        sql += rest;
    }
    sql
}

/// Returns statements that make the same changes in the same order. Changes that need not see each other's effects are
/// combined into one statement, because each statement costs a message in each direction.
pub fn joined(changes: Vec<Statement>) -> Vec<Statement> {
    let mut joined: Vec<Joined> = Vec::new();
    for change in changes {
        match joined.last_mut() {
            Some(last) if last.takes(&change) => last.others.push(change),
            _ => joined.push(Joined { first: change, others: Vec::new() }),
        }
    }
    joined.into_iter().map(Joined::statement).collect()
}

/// Changes that run as one statement. All of them see the store as it was when the statement began, even if it then
/// waited for a lock.
struct Joined {
    first: Statement,
    others: Vec<Statement>,
}

/// Returns the tables that a statement changes in any of its parts.
fn changed_tables(sql: &str) -> Vec<&str> {
    let words: Vec<&str> = sql.split_whitespace().map(|word| word.trim_start_matches('(')).collect();
    let table = |at: usize| words.get(at).copied();
    let changed = words.iter().enumerate().filter_map(|(at, word)| match (*word, table(at + 1)?) {
        ("INTO", next) => Some(next),
        ("UPDATE", next) if !["OF", "SET"].contains(&next) => Some(next),
        ("DELETE", "FROM") => table(at + 2),
        _ => None,
    });
    changed.collect()
}

impl Joined {
    /// Returns whether `change` can be added: it must not name a table that these changes modify.
    fn takes(&self, change: &Statement) -> bool {
        let is_plain = ["INSERT ", "UPDATE ", "DELETE "].iter().any(|verb| change.sql.starts_with(verb));
        let names = |table: &str| change.sql.split_whitespace().any(|word| word.trim_end_matches([',', ')']) == table);
        let is_apart = |earlier: &Statement| {
            let changed = changed_tables(&earlier.sql);
            !changed.is_empty() && !changed.into_iter().any(names)
        };
        is_plain && change.expected.is_none() && [&self.first].into_iter().chain(&self.others).all(is_apart)
    }

    /// Returns the combined statement. If the first change must affect a certain number of rows but affects another
    /// number, the statement fails with a division by zero. This failure prevents the commit, which is sent after it.
    fn statement(self) -> Statement {
        let Self { first, others } = self;
        let returns_rows = first.returns_rows();
        let Statement { sql, mut values, expected, .. } = first;
        let mut parts = Vec::new();
        let last = match expected {
            None => sql,
            Some(rows) => {
                let returning = if returns_rows { "" } else { " RETURNING 1" };
                parts.push(format!("changed AS ({sql}{returning})"));
                format!("SELECT 1 / CASE WHEN count(*) = {rows} THEN 1 ELSE 0 END AS one FROM changed").into()
            }
        };
        // The result does not depend on the order of the parts, because they change different tables. PostgreSQL
        // promises no order, but in practice runs the last part first. So the parts are written in reverse, and take
        // their locks in the common order.
        for (place, other) in others.into_iter().enumerate().rev() {
            let renamed = |name: &str| format!("{name}_{place}");
            parts.push(format!("part_{place} AS ({})", with_parameters(&other.sql, renamed)));
            values.extend(other.values.into_iter().map(|(name, value)| (renamed(&name).into(), value)));
        }
        let sql = match (parts.is_empty(), last.strip_prefix("WITH ")) {
            (true, _) => last,
            (false, None) => format!("WITH {} {last}", parts.join(", ")).into(),
            (false, Some(rest)) => format!("WITH {}, {rest}", parts.join(", ")).into(),
        };
        Statement { values, ..Statement::new(sql) }
    }
}

/// Runs a prepared statement and returns its rows.
pub async fn run(client: &Client, prepared: &Prepared, values: &[&(dyn ToSql + Sync)]) -> Result<Rows, RunError> {
    let found = client.query(&prepared.statement, values).await?;
    found.iter().map(|row| read(row, &prepared.columns)).collect()
}

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Server(#[from] Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Polls the futures concurrently until all have completed, or until one has failed and all before it have completed.
/// Returns the failure that comes first in the order of the futures, because the server refuses everything after it.
///
/// The futures are first polled in this order, so the server receives the messages and sends the answers in this order,
/// too. If a future fails at its first poll, it has sent nothing. In this case, the later futures are not polled, so
/// that they send nothing either.
pub async fn in_order<T, E, F: Future<Output = Result<T, E>> + Unpin>(mut futures: Vec<F>) -> Result<Vec<T>, E> {
    let mut outputs: Vec<Option<Result<T, E>>> = futures.iter().map(|_| None).collect();
    let mut is_sent = false;
    std::future::poll_fn(|context| {
        for (future, output) in futures.iter_mut().zip(&mut outputs) {
            if output.is_none() {
                match std::pin::Pin::new(future).poll(context) {
                    Poll::Ready(done) => *output = Some(done),
                    Poll::Pending if is_sent => break,
                    Poll::Pending => {}
                }
            }
            if matches!(output, Some(Err(_))) {
                break;
            }
        }
        is_sent = true;
        match outputs.iter().find(|output| !matches!(output, Some(Ok(_)))) {
            Some(None) => Poll::Pending,
            _ => Poll::Ready(()),
        }
    })
    .await;
    outputs.into_iter().flatten().collect()
}

fn read(found: &tokio_postgres::Row, columns: &Arc<[String]>) -> Result<Row, RunError> {
    let cell = |(place, column): (usize, &Column)| {
        Ok(match *column.type_() {
            Type::INT8 => get::<i64>(found, place)?.into(),
            Type::INT4 => get::<i32>(found, place)?.map(i64::from).into(),
            Type::BOOL => get::<bool>(found, place)?.into(),
            Type::BYTEA => get::<&[u8]>(found, place)?.into(),
            _ => get::<&str>(found, place)?.into(),
        })
    };
    Ok(Row::new(columns, found.columns().iter().enumerate().map(cell).collect::<Result<_, RunError>>()?))
}

fn get<'r, T: FromSql<'r>>(row: &'r tokio_postgres::Row, place: usize) -> Result<Option<T>, Error> {
    row.try_get(place)
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut bytes::BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) if *kind == Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
            Self::Integer(number) => number.to_sql(kind, out),
            Self::Flag(flag) => flag.to_sql(kind, out),
            Self::Text(text) => text.as_ref().to_sql(kind, out),
            Self::Bytes(bytes) => bytes.as_ref().to_sql(kind, out),
            Self::Texts(texts) => texts.as_ref().to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

#[cfg(test)]
#[path = "../../../tests/unit/store/postgres/statements.rs"]
mod tests;
