//! Counts visits. One row update counts several visits of the same link.

use rusqlite::{Connection, OptionalExtension, params};

use super::{links, rows};
use crate::domain::event::{EventKind, LinkName};
use crate::domain::id::ObjectId;
use crate::domain::link::{Link, LinkOptions, Shows};
use crate::domain::time::Timestamp;
use crate::store::commands::Count;
use crate::store::{Reports, StoreError};

/// Statement that counts visits of an open link without a visit limit. Most links have no limit.
const COUNT_UNLIMITED: &str = "UPDATE link SET visit_count = visit_count + ?3
     WHERE key = ?1 AND sub_link = ?2 AND max_visits IS NULL AND archived = 0 AND coalesce(expires_at > ?4, 1)
     RETURNING n, visit_count, (SELECT id FROM investigation i WHERE i.n = link.investigation), shows, version";

/// Visits that were counted.
struct Counted {
    /// Row number of the link.
    n: i64,
    investigation_id: ObjectId,
    after: u64,
    added: u64,
    shows: Shows,
    version: Option<u64>,
}

/// Counts `visits` visits of one link at the time `at`, but not more than its visit limit allows.
pub fn count(connection: &Connection, link: &LinkName, at: Timestamp, visits: u64) -> Result<Count, StoreError> {
    let counted = match count_unlimited(connection, link, at, visits)? {
        Some(counted) => counted,
        // The link has a visit limit, is closed or does not exist.
        None => {
            let Some(link) = links::find(connection, &link.key, &link.sub_link)? else { return Ok(Count::NoLink) };
            let added = link.admits(visits, at);
            if added == 0 {
                return Ok(Count::Closed);
            }
            count_limited(connection, &link, at, added)?
        }
    };
    add_to_day(connection, link, at, &counted)?;
    let Counted { n: _, investigation_id, after, added, shows, version } = counted;
    Ok(Count::Counted { investigation_id, after, added, shows, version })
}

fn count_unlimited(
    connection: &Connection,
    link: &LinkName,
    at: Timestamp,
    visits: u64,
) -> Result<Option<Counted>, StoreError> {
    let counted = connection
        .prepare_cached(COUNT_UNLIMITED)?
        .query_row(params![link.key, link.sub_link, visits, at.0], |row| {
            Ok(Counted {
                n: row.get(0)?,
                investigation_id: rows::parsed(row, 2)?,
                after: row.get(1)?,
                added: visits,
                shows: rows::shows(row, 3)?,
                version: row.get(4)?,
            })
        })
        .optional()?;
    Ok(counted)
}

fn count_limited(connection: &Connection, link: &Link, at: Timestamp, added: u64) -> Result<Counted, StoreError> {
    let (n, after) = connection
        .prepare_cached(
            "UPDATE link SET visit_count = visit_count + ?3 WHERE key = ?1 AND sub_link = ?2 RETURNING n, visit_count",
        )?
        .query_row(params![link.key, link.sub_link, added], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if link.options.max_visits == Some(after) {
        let used_up = Reports::events(vec![EventKind::LinkClosed(link.name())]);
        links::report(connection, link.investigation_id, at, &used_up)?;
    }
    let LinkOptions { shows, version, .. } = link.options;
    Ok(Counted { n, investigation_id: link.investigation_id, after, added, shows, version })
}

/// Adds the counted visits to the count of the day. The first visits of a day also store an event: the number of visits
/// on the last earlier day with visits.
fn add_to_day(connection: &Connection, link: &LinkName, at: Timestamp, counted: &Counted) -> Result<(), StoreError> {
    let day = at.day();
    let on_day: u64 = connection
        .prepare_cached(
            "INSERT INTO link_day (link, day, count) VALUES (?1, ?2, ?3)
             ON CONFLICT (link, day) DO UPDATE SET count = count + excluded.count RETURNING count",
        )?
        .query_row(params![counted.n, day, counted.added], |row| row.get(0))?;
    if on_day > counted.added {
        return Ok(());
    }
    let before = connection
        .prepare_cached("SELECT day, count FROM link_day WHERE link = ?1 AND day < ?2 ORDER BY day DESC LIMIT 1")?
        .query_row(params![counted.n, day], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((day, count)) = before else { return Ok(()) };
    let visits = Reports::events(vec![EventKind::LinkVisits { link: link.clone(), day, count }]);
    links::report(connection, counted.investigation_id, at, &visits)
}
