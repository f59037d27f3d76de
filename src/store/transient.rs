//! Short-lived rows. No export contains them, but the doctor reads them.

use super::dialect::Dialect;
use super::readable::Table;
use super::sql::{Columns, Row};
use super::{StoreError, answers, detections, events, sessions, webhook};

/// A table with such rows.
pub struct Kind {
    pub table: Table,
    /// Reads some rows, see [`Rounds`](super::rounds::Rounds).
    pub sql: String,
    /// The columns by which the rows are sorted, each with a start value. The start values sort before all rows.
    pub after: Columns,
    pub read: fn(&Row) -> Result<(), StoreError>,
}

pub fn kinds(dialect: Dialect) -> [Kind; 6] {
    [
        Kind {
            table: events::TABLE,
            sql: format!(
                "SELECT e.xact, e.n, e.at, e.investigation, e.revision, e.what FROM event e
                 WHERE {} ORDER BY {} LIMIT $limit",
                dialect.event_is(">"),
                dialect.event_order("")
            ),
            after: vec![("xact", i64::MIN.into()), ("n", i64::MIN.into())],
            read: |row| events::read(row).map(drop),
        },
        Kind {
            table: webhook::ENDPOINTS,
            sql: "SELECT w.endpoint, w.after_xact AS xact, w.after_n AS n, w.after_at AS at FROM webhook w
                WHERE w.endpoint > CAST($endpoint AS TEXT) ORDER BY w.endpoint LIMIT $limit"
                .to_owned(),
            after: vec![("endpoint", "".into())],
            read: |row| events::id(row).map(drop),
        },
        Kind {
            table: webhook::DELIVERIES,
            sql: "SELECT d.endpoint, d.xact, d.n, d.at, d.attempts FROM webhook_delivery d
                WHERE (d.endpoint, d.xact, d.n) > (CAST($endpoint AS TEXT), $xact, $n)
                ORDER BY d.endpoint, d.xact, d.n LIMIT $limit"
                .to_owned(),
            after: vec![("endpoint", "".into()), ("xact", i64::MIN.into()), ("n", i64::MIN.into())],
            read: |row| events::id(row).and_then(|_| row.count("attempts")).map(drop),
        },
        Kind {
            table: answers::TABLE,
            sql: "SELECT a.caller, a.key, a.request, a.answer, a.settled, a.at FROM first_answer a
                WHERE (a.caller, a.key) > (CAST($caller AS TEXT), CAST($key AS TEXT))
                ORDER BY a.caller, a.key LIMIT $limit"
                .to_owned(),
            after: vec![("caller", "".into()), ("key", "".into())],
            read: answers::check,
        },
        Kind {
            table: sessions::TABLE,
            sql: sessions::after(),
            after: vec![("digest", "".into())],
            read: |row| sessions::read(row).map(drop),
        },
        Kind {
            table: detections::TABLE,
            sql: "SELECT d.n, d.findings FROM detection d WHERE d.n > $n ORDER BY d.n LIMIT $limit".to_owned(),
            after: vec![("n", i64::MIN.into())],
            read: |row| detections::read(row).map(drop),
        },
    ]
}
