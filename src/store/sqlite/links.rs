//! Stores, reads, changes and deletes links.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, events, idempotent_answers, rows};
use crate::domain::event::{EventKind, LinkName};
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};
use crate::domain::link_request::LinkChange;
use crate::domain::page::{DayPosition, LinkPosition, OwnLinkPosition, Page, PageRequest};
use crate::domain::time::Timestamp;
use crate::store::{IdempotentAnswer, LinkChanged, LinkCreated, Reports, Stamp, StoreError, Visited};

impl Sqlite {
    pub async fn create_link(
        &self,
        link: Link,
        answer_for_repeats: Option<IdempotentAnswer>,
        reports: Reports,
    ) -> Result<LinkCreated, StoreError> {
        self.writer
            .write(move |connection| {
                if let Some(answer) = &answer_for_repeats
                    && let Some(kept) = idempotent_answers::find_earlier(connection, answer)?
                {
                    return Ok(LinkCreated::KeyUsed(kept));
                }
                let Some((n, revision, latest)) = place_of(connection, link.investigation_id)? else {
                    return Ok(LinkCreated::NoInvestigation);
                };
                if link.options.version.is_some_and(|version| version > latest) {
                    return Ok(LinkCreated::NoVersion);
                }
                if !insert(connection, n, &link)? {
                    return Ok(LinkCreated::Taken);
                }
                if let Some(answer) = &answer_for_repeats {
                    idempotent_answers::keep(connection, answer)?;
                }
                events::record(connection, link.investigation_id, revision, link.created_at, &reports)?;
                Ok(LinkCreated::Done)
            })
            .await
    }

    pub async fn links(
        &self,
        investigation: ObjectId,
        wanted: PageRequest<LinkPosition>,
    ) -> Result<Option<Page<Link, LinkPosition>>, StoreError> {
        self.readers
            .read(move |connection| {
                let Some(n) = rows::number_of(connection, investigation)? else { return Ok(None) };
                // A position contains row number and id, because SQLite may give the row number of a deleted link to a
                // new link.
                let after = wanted.after.map_or((0, String::new()), |place| (place.number, place.id.to_string()));
                let found = connection
                    .prepare_cached(&format!(
                        "SELECT {}, l.n FROM link l JOIN investigation i ON i.n = l.investigation
                         WHERE l.investigation = ?1 AND l.n >= ?2 AND (l.n, l.id) > (?2, ?3) ORDER BY l.n LIMIT ?4",
                        rows::LINK
                    ))?
                    .query_map(params![n, after.0, after.1, i64::from(wanted.limit) + 1], |row| {
                        let link = rows::link(row)?;
                        Ok((LinkPosition::of(&link, row.get(rows::LINK_COLUMNS)?), link))
                    })?
                    .collect::<Result<Vec<_>, rusqlite::Error>>()?;
                Ok::<_, rusqlite::Error>(Some(Page::up_to(found, wanted.limit)))
            })
            .await
    }

    pub async fn links_of(
        &self,
        creator: ObjectId,
        wanted: PageRequest<OwnLinkPosition>,
    ) -> Result<Page<Link, OwnLinkPosition>, StoreError> {
        self.readers
            .read(move |connection| {
                let after = wanted.after.map_or((i64::MAX, String::new()), |at| (at.created_at.0, at.id.to_string()));
                let found = connection
                    .prepare_cached(&format!(
                        "SELECT {} FROM link l JOIN investigation i ON i.n = l.investigation
                         WHERE l.creator = ?1 AND (l.created_at, l.id) < (?2, ?3)
                         ORDER BY l.created_at DESC, l.id DESC LIMIT ?4",
                        rows::LINK
                    ))?
                    .query_map(params![creator.to_string(), after.0, after.1, i64::from(wanted.limit) + 1], |row| {
                        let link = rows::link(row)?;
                        Ok((OwnLinkPosition::from(&link), link))
                    })?
                    .collect::<Result<Vec<_>, rusqlite::Error>>()?;
                Ok::<_, rusqlite::Error>(Page::up_to(found, wanted.limit))
            })
            .await
    }

    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        self.readers.look_up(|connection| find(connection, &key, &sub_link)).await
    }

    pub async fn visit(&self, key: String, sub_link: String, at: Timestamp) -> Result<Visited, StoreError> {
        self.writer.visit(LinkName { key, sub_link }, at).await
    }

    pub async fn change_link(
        &self,
        key: String,
        sub_link: String,
        change: LinkChange,
        stamp: Stamp,
    ) -> Result<LinkChanged, StoreError> {
        self.writer
            .write(move |connection| {
                let Some(mut link) = find(connection, &key, &sub_link)? else { return Ok(LinkChanged::NoLink) };
                let Some((_, revision, latest)) = place_of(connection, link.investigation_id)? else {
                    return Ok(LinkChanged::NoLink);
                };
                let new_events = change.events(&mut link, stamp.at);
                if link.options.version.is_some_and(|version| version > latest) {
                    return Ok(LinkChanged::NoVersion);
                }
                update(connection, &link)?;
                let reports = Reports::of(stamp, link.investigation_id, new_events);
                events::record(connection, link.investigation_id, revision, stamp.at, &reports)?;
                Ok(LinkChanged::Done(link))
            })
            .await
    }

    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
        wanted: PageRequest<DayPosition>,
    ) -> Result<Option<(Link, Page<DayCount, DayPosition>)>, StoreError> {
        self.readers
            .read(move |connection| {
                let Some(link) = find(connection, &key, &sub_link)? else { return Ok(None) };
                let after = wanted.after.map(|place| place.day).unwrap_or_default();
                let days = days(connection, &link, &after, i64::from(wanted.limit) + 1)?;
                Ok::<_, rusqlite::Error>(Some((link, Page::of_days(days, wanted.limit))))
            })
            .await
    }

    pub async fn delete_link(&self, key: String, sub_link: String, stamp: Stamp) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let Some(link) = find(connection, &key, &sub_link)? else { return Ok(false) };
                connection
                    .prepare_cached("DELETE FROM link WHERE key = ?1 AND sub_link = ?2")?
                    .execute([key, sub_link])?;
                let reports = Reports::of(stamp, link.investigation_id, vec![EventKind::LinkClosed(link.name())]);
                report(connection, link.investigation_id, stamp.at, &reports)?;
                Ok(true)
            })
            .await
    }
}

/// Returns the links of the investigation with this row number, oldest first.
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

/// Returns up to `limit` days with visits after the day `after`, oldest first. A negative `limit` means no limit.
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

/// Stores a link of the investigation with this row number, unless another link has the same key and sub-link. Returns
/// whether the link was stored.
pub(super) fn insert(connection: &Connection, n: i64, link: &Link) -> Result<bool, rusqlite::Error> {
    let inserted = connection
        .prepare_cached(
            "INSERT INTO link (id, investigation, key, sub_link, description, creator, created_at, visit_count, shows,
                 version, expires_at, max_visits, archived)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT (key, sub_link) DO NOTHING",
        )?
        .execute(params![
            link.id.to_string(),
            n,
            link.key,
            link.sub_link,
            link.description,
            rows::text(link.creator),
            link.created_at.0,
            link.visit_count,
            link.options.shows.name(),
            link.options.version,
            link.options.expires_at.map(|end| end.0),
            link.options.max_visits,
            link.options.archived,
        ])?;
    Ok(inserted == 1)
}

/// Stores the number of visits of a link on a day that has no row yet.
pub(super) fn insert_day(connection: &Connection, link: &Link, day: &DayCount) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached(
            "INSERT INTO link_day (link, day, count) SELECT n, ?3, ?4 FROM link WHERE key = ?1 AND sub_link = ?2",
        )?
        .execute(params![link.key, link.sub_link, day.day, day.count])?;
    Ok(())
}

pub(super) fn find(connection: &Connection, key: &str, sub_link: &str) -> Result<Option<Link>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {} FROM link l JOIN investigation i ON i.n = l.investigation WHERE l.key = ?1 AND l.sub_link = ?2",
            rows::LINK
        ))?
        .query_row([key, sub_link], rows::link)
        .optional()
}

/// Returns the row number, revision and latest version of an investigation.
fn place_of(connection: &Connection, id: ObjectId) -> Result<Option<(i64, u64, u64)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT n, revision, latest_version FROM investigation WHERE id = ?1")?
        .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()
}

/// Stores events and audit entries about a link. The events get the current revision of the investigation `id`.
pub(super) fn report(
    connection: &Connection,
    id: ObjectId,
    at: Timestamp,
    reports: &Reports,
) -> Result<(), StoreError> {
    let Some((_, revision, _)) = place_of(connection, id)? else { return Ok(()) };
    events::record(connection, id, revision, at, reports)
}

fn update(connection: &Connection, link: &Link) -> Result<(), rusqlite::Error> {
    let options = &link.options;
    connection
        .prepare_cached(
            "UPDATE link SET description = ?3, shows = ?4, version = ?5, expires_at = ?6, max_visits = ?7, archived = ?8
             WHERE key = ?1 AND sub_link = ?2",
        )?
        .execute(params![
            link.key,
            link.sub_link,
            link.description,
            options.shows.name(),
            options.version,
            options.expires_at.map(|end| end.0),
            options.max_visits,
            options.archived,
        ])?;
    Ok(())
}
