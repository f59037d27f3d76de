//! All that is kept, as it was at one moment, one piece after the other.

use rusqlite::Connection;
use tokio::sync::mpsc::Sender;

use super::{Sqlite, detections, whole};
use crate::domain::id::ObjectId;
use crate::store::{Piece, StoreError};

/// So many rows are looked up at once.
const ROWS: u32 = 200;

impl Sqlite {
    /// Sends all that is kept.
    pub async fn snapshot(&self, to: Sender<Piece>) -> Result<(), StoreError> {
        self.readers.read(move |connection| send(connection, &to)).await
    }
}

/// Whoever listens may go away: then nobody wants to know the rest.
fn send(connection: &Connection, to: &Sender<Piece>) -> Result<(), StoreError> {
    let total = connection.query_row("SELECT count(*) FROM investigation", [], |row| row.get(0))?;
    let mut gone = to.blocking_send(Piece::Total(total)).is_err();
    let mut after: Option<ObjectId> = None;
    while !gone {
        let ids = whole::ids_after(connection, after, ROWS)?;
        let Some((last, _)) = ids.last() else { break };
        after = Some(*last);
        for (id, _) in &ids {
            if let Some(found) = whole::read(connection, *id)? {
                gone = to.blocking_send(Piece::Whole(Box::new(found))).is_err();
            }
            if gone {
                return Ok(());
            }
        }
    }
    let mut number = i64::MIN;
    while !gone {
        let found = detections::after(connection, number, ROWS)?;
        let Some(last) = found.last() else { break };
        number = last.number;
        gone = found.into_iter().any(|detection| to.blocking_send(Piece::Detection(detection)).is_err());
    }
    Ok(())
}
