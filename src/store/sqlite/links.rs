//! Links and their visits.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, first_answers, rows};
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link, Visit};
use crate::domain::page::{DayPlace, LinkPlace, Page, PageRequest};
use crate::store::{FirstAnswer, LinkCreated, StoreError};

impl Sqlite {
    /// Stores a new link, and perhaps the first answer.
    pub async fn create_link(&self, link: Link, first: Option<FirstAnswer>) -> Result<LinkCreated, StoreError> {
        self.writer
            .write(move |connection| {
                if let Some(first) = &first
                    && let Some(kept) = first_answers::before(connection, first)?
                {
                    return Ok(LinkCreated::Before(kept));
                }
                let Some(n) = rows::number_of(connection, link.investigation_id)? else {
                    return Ok(LinkCreated::NoInvestigation);
                };
                if !insert(connection, n, &link)? {
                    return Ok(LinkCreated::Taken);
                }
                if let Some(first) = &first {
                    first_answers::keep(connection, first)?;
                }
                Ok(LinkCreated::Done)
            })
            .await
    }

    /// A page of the links of an investigation, oldest first.
    pub async fn links(
        &self,
        investigation: ObjectId,
        wanted: PageRequest<LinkPlace>,
    ) -> Result<Option<Page<Link, LinkPlace>>, StoreError> {
        self.readers
            .read(move |connection| {
                let Some(n) = rows::number_of(connection, investigation)? else { return Ok(None) };
                // A link may get the number of the newest one that was deleted, but not its identity.
                let after = wanted.after.map_or((0, String::new()), |place| (place.number, place.id.to_string()));
                let mut entries: Vec<_> = connection
                    .prepare_cached(&format!(
                        "SELECT {}, l.n FROM link l JOIN investigation i ON i.n = l.investigation
                         WHERE l.investigation = ?1 AND l.n >= ?2 AND (l.n, l.id) > (?2, ?3) ORDER BY l.n LIMIT ?4",
                        rows::LINK
                    ))?
                    .query_map(params![n, after.0, after.1, i64::from(wanted.limit) + 1], |row| {
                        let link = rows::link(row)?;
                        Ok((LinkPlace::of(&link, row.get(8)?), link))
                    })?
                    .collect::<Result<_, rusqlite::Error>>()?;
                let has_more = entries.len() > wanted.limit as usize;
                entries.truncate(wanted.limit as usize);
                Ok::<_, rusqlite::Error>(Some(Page { entries, has_more }))
            })
            .await
    }

    /// A link, without visiting it.
    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        self.readers.look_up(|connection| find(connection, &key, &sub_link)).await
    }

    /// Counts a visit.
    pub async fn visit(&self, key: String, sub_link: String, day: String) -> Result<Option<Visit>, StoreError> {
        self.writer.visit((key, sub_link), day).await
    }

    /// A link and a page of the days that had visits, oldest first.
    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
        wanted: PageRequest<DayPlace>,
    ) -> Result<Option<(Link, Page<DayCount, DayPlace>)>, StoreError> {
        self.readers
            .read(move |connection| {
                let Some(link) = find(connection, &key, &sub_link)? else { return Ok(None) };
                let after = wanted.after.map(|place| place.day).unwrap_or_default();
                let days = days(connection, &link, &after, i64::from(wanted.limit) + 1)?;
                Ok::<_, rusqlite::Error>(Some((link, Page::of_days(days, wanted.limit))))
            })
            .await
    }

    /// Deletes a link with its counts.
    pub async fn delete_link(&self, key: String, sub_link: String) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let deleted = connection
                    .prepare_cached("DELETE FROM link WHERE key = ?1 AND sub_link = ?2")?
                    .execute([key, sub_link])?;
                Ok(deleted == 1)
            })
            .await
    }
}

/// The links of the investigation with this number, oldest first.
pub(super) fn of_investigation(connection: &Connection, n: i64) -> Result<Vec<Link>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {} FROM link l JOIN investigation i ON i.n = l.investigation
             WHERE l.investigation = ?1 ORDER BY l.n",
            rows::LINK
        ))?
        .query_map([n], rows::link)?
        .collect()
}

/// Days with visits after this one, oldest first, at most `limit`.
pub(super) fn days(
    connection: &Connection,
    link: &Link,
    after: &str,
    limit: i64,
) -> Result<Vec<DayCount>, rusqlite::Error> {
    connection
        .prepare_cached(
            "SELECT d.day, d.count FROM link l JOIN link_day d ON d.link = l.n
             WHERE l.key = ?1 AND l.sub_link = ?2 AND d.day > ?3 ORDER BY d.day LIMIT ?4",
        )?
        .query_map(params![link.key, link.sub_link, after, limit], |row| {
            Ok(DayCount { day: row.get(0)?, count: row.get(1)? })
        })?
        .collect()
}

/// Stores a link of the investigation with this number, unless key and sub-link are taken. Returns whether it was
/// stored.
pub(super) fn insert(connection: &Connection, n: i64, link: &Link) -> Result<bool, rusqlite::Error> {
    let inserted = connection
        .prepare_cached(
            "INSERT INTO link (id, investigation, key, sub_link, description, creator, created_at, visit_count)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (key, sub_link) DO NOTHING",
        )?
        .execute(params![
            link.id.to_string(),
            n,
            link.key,
            link.sub_link,
            link.description,
            rows::text(link.creator),
            link.created_at.0,
            link.visit_count
        ])?;
    Ok(inserted == 1)
}

/// Stores the visits of a link on a day that has none yet.
pub(super) fn insert_day(connection: &Connection, link: &Link, day: &DayCount) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached(
            "INSERT INTO link_day (link, day, count) SELECT n, ?3, ?4 FROM link WHERE key = ?1 AND sub_link = ?2",
        )?
        .execute(params![link.key, link.sub_link, day.day, day.count])?;
    Ok(())
}

fn find(connection: &Connection, key: &str, sub_link: &str) -> Result<Option<Link>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {} FROM link l JOIN investigation i ON i.n = l.investigation WHERE l.key = ?1 AND l.sub_link = ?2",
            rows::LINK
        ))?
        .query_row([key, sub_link], rows::link)
        .optional()
}

/// Adds visits of one day to a link and returns its target and new count; `None` for an unknown link.
pub fn count_visits(
    connection: &Connection,
    key: &str,
    sub_link: &str,
    day: &str,
    visits: u64,
) -> Result<Option<(ObjectId, u64)>, rusqlite::Error> {
    let counted = connection
        .prepare_cached(
            "UPDATE link SET visit_count = visit_count + ?3 WHERE key = ?1 AND sub_link = ?2
             RETURNING n, visit_count, (SELECT id FROM investigation i WHERE i.n = link.investigation)",
        )?
        .query_row(params![key, sub_link, visits], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?, rows::parsed(row, 2)?))
        })
        .optional()?;
    let Some((n, count, investigation)) = counted else { return Ok(None) };
    connection
        .prepare_cached(
            "INSERT INTO link_day (link, day, count) VALUES (?1, ?2, ?3)
             ON CONFLICT (link, day) DO UPDATE SET count = count + excluded.count",
        )?
        .execute(params![n, day, visits])?;
    Ok(Some((investigation, count)))
}
