//! Counts visits. One row update counts several visits of the same link.

use rusqlite::{Connection, OptionalExtension, params};

use super::{links, rows};
use crate::domain::event::{EventKind, LinkName};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::commands::Count;
use crate::store::{Reports, StoreError};

/// Statement that counts visits of an open link without a visit limit. Most links have no limit.
const COUNT_UNLIMITED: &str = "UPDATE link SET visit_count = visit_count + ?3
     WHERE key = ?1 AND sub_link = ?2 AND max_visits IS NULL AND archived = 0 AND coalesce(expires_at > ?4, 1)
     RETURNING n, visit_count, (SELECT id FROM investigation i WHERE i.n = link.investigation), shows, version";

/// Counts `visits` visits of one link at the time `at`, but not more than its visit limit allows.
pub fn count(
    connection: &Connection,
    (key, sub_link): (&str, &str),
    at: Timestamp,
    visits: u64,
) -> Result<Count, StoreError> {
    let unlimited = connection
        .prepare_cached(COUNT_UNLIMITED)?
        .query_row(params![key, sub_link, visits, at.0], |row| {
            let counted = Count::Counted {
                investigation_id: rows::parsed(row, 2)?,
                after: row.get(1)?,
                added: visits,
                shows: rows::shows(row, 3)?,
                version: row.get(4)?,
            };
            Ok((row.get(0)?, counted))
        })
        .optional()?;
    let counted = match unlimited {
        Some(counted) => Ok(counted),
        None => count_limited(connection, (key, sub_link), at, visits)?,
    };
    let (n, counted) = match counted {
        Ok(counted) => counted,
        Err(refused) => return Ok(refused),
    };
    if let Count::Counted { investigation_id, added, .. } = counted {
        add_to_day(connection, (n, key, sub_link), (investigation_id, at), added)?;
    }
    Ok(counted)
}

/// Counts visits if [`COUNT_UNLIMITED`] found no row: the link has a visit limit, is closed or does not exist. The
/// inner `Ok` contains the link's row number and the count. The inner error says why no visit was counted.
fn count_limited(
    connection: &Connection,
    (key, sub_link): (&str, &str),
    at: Timestamp,
    visits: u64,
) -> Result<Result<(i64, Count), Count>, StoreError> {
    let Some(link) = links::find(connection, key, sub_link)? else { return Ok(Err(Count::NoLink)) };
    let added = link.admits(visits, at);
    if added == 0 {
        return Ok(Err(Count::Closed));
    }
    let (n, after): (i64, u64) = connection
        .prepare_cached(
            "UPDATE link SET visit_count = visit_count + ?3 WHERE key = ?1 AND sub_link = ?2 RETURNING n, visit_count",
        )?
        .query_row(params![key, sub_link, added], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if link.options.max_visits == Some(after) {
        let used_up = Reports::events(vec![EventKind::LinkClosed(link.name())]);
        links::report(connection, link.investigation_id, at, &used_up)?;
    }
    let (shows, version) = (link.options.shows, link.options.version);
    Ok(Ok((n, Count::Counted { investigation_id: link.investigation_id, after, added, shows, version })))
}

/// Adds `added` visits to the count of the day. The first visits of a day also store an event: the number of visits on
/// the last earlier day with visits.
fn add_to_day(
    connection: &Connection,
    (n, key, sub_link): (i64, &str, &str),
    (investigation, at): (ObjectId, Timestamp),
    added: u64,
) -> Result<(), StoreError> {
    let day = at.day();
    let on_day: u64 = connection
        .prepare_cached(
            "INSERT INTO link_day (link, day, count) VALUES (?1, ?2, ?3)
             ON CONFLICT (link, day) DO UPDATE SET count = count + excluded.count RETURNING count",
        )?
        .query_row(params![n, day, added], |row| row.get(0))?;
    if on_day > added {
        return Ok(());
    }
    let before = connection
        .prepare_cached("SELECT day, count FROM link_day WHERE link = ?1 AND day < ?2 ORDER BY day DESC LIMIT 1")?
        .query_row(params![n, day], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((day, count)) = before else { return Ok(()) };
    let link = LinkName { key: key.to_owned(), sub_link: sub_link.to_owned() };
    links::report(connection, investigation, at, &Reports::events(vec![EventKind::LinkVisits { link, day, count }]))
}
