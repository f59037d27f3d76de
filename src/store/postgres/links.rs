//! Stores, reads, changes and deletes links, and reads their visit counts per day.

use tokio_postgres::types::ToSql;

use super::idempotent_answers::Claim;
use super::{Postgres, audit, events, rows};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link, LinkOptions};
use crate::domain::link_request::LinkChange;
use crate::domain::page::{DayPosition, LinkPosition, OwnLinkPosition, Page, PageRequest};
use crate::store::{IdempotentAnswer, LinkChanged, LinkCreated, Reports, Stamp, StoreError};

/// Builds the statement that stores a link and its reports. The statement stores nothing if another link has the same
/// key and sub-link, or if the investigation lacks the version that the link shows.
macro_rules! creation {
    ($first:literal, $also_from:literal, $conflict:literal) => {
        concat!(
            "WITH ",
            $first,
            "created AS (
                 INSERT INTO link (key, sub_link, id, investigation, place, description, creator, created_at, visit_count,
                     shows, version, expires_at, max_visits, archived)
                 SELECT $1, $2, $3, i.id,
                     (SELECT coalesce(max(l.place), 0) + 1 FROM link l WHERE l.investigation = $4), $5, $6, $7, $8,
                     $9, $10, $11, $12, $13
                 FROM investigation i",
            $also_from,
            " WHERE i.id = $4 AND coalesce($10 <= i.latest_version, true)",
            $conflict,
            " RETURNING investigation),
             new_events AS (
                 INSERT INTO event (at, investigation, revision, what)
                 SELECT $7, i.id, i.revision, e.what
                 FROM created c JOIN investigation i ON i.id = c.investigation, unnest($14::text[]) AS e (what)),
             audited AS (
                 INSERT INTO audit (investigation, entry) SELECT c.investigation, unnest($15::text[]) FROM created c)
             SELECT 1 FROM created"
        )
    };
}

const CREATE: &str = creation!("", "", " ON CONFLICT (key, sub_link) DO NOTHING");

/// Statement that stores a link if its idempotency key is unused. If another link has the same key and sub-link, the
/// statement fails, so that the idempotency key is not stored either.
const CREATE_ONCE: &str = creation!(
    "kept AS (
         INSERT INTO first_answer AS f (caller, key, request, answer, settled, at)
         SELECT $16, $17, $18, $19, $20, $21 FROM investigation i
         WHERE i.id = $4 AND coalesce($10 <= i.latest_version, true)
         ON CONFLICT (caller, key) DO UPDATE SET request = excluded.request, answer = excluded.answer,
             settled = excluded.settled, at = excluded.at WHERE f.at <= $22 RETURNING 1), ",
    ", kept",
    ""
);

/// Changes a link and stores the events and audit entries, but only if the link still has the description and options
/// `$10` to `$15`.
const CHANGE: &str = "WITH changed AS (
     UPDATE link SET description = $4, shows = $5, version = $6, expires_at = $7, max_visits = $8, archived = $9
     WHERE key = $1 AND sub_link = $2 AND id = $3
         AND (description, shows, version, expires_at, max_visits, archived)
             IS NOT DISTINCT FROM ($10::text, $11::text, $12::bigint, $13::bigint, $14::bigint, $15::boolean)
     RETURNING investigation),
 new_events AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $16, i.id, i.revision, e.what
     FROM changed c JOIN investigation i ON i.id = c.investigation, unnest($17::text[]) WITH ORDINALITY AS e (what, place)
     ORDER BY e.place),
 audited AS (
     INSERT INTO audit (investigation, entry)
     SELECT c.investigation, e.entry FROM changed c, unnest($18::text[]) WITH ORDINALITY AS e (entry, place)
     ORDER BY e.place)
 SELECT 1 FROM changed";

/// Deletes the link with this id, and stores the events and audit entries.
const DELETE: &str = "WITH gone AS (
     DELETE FROM link WHERE key = $1 AND sub_link = $2 AND id = $3 RETURNING investigation),
 new_events AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $4, i.id, i.revision, unnest($5::text[]) FROM gone g JOIN investigation i ON i.id = g.investigation),
 audited AS (INSERT INTO audit (investigation, entry) SELECT g.investigation, unnest($6::text[]) FROM gone g)
 SELECT 1 FROM gone";

/// Maximum number of attempts to change a link. An attempt fails if another caller changes the link at the same time.
const MAX_ATTEMPTS: usize = 10;

impl Postgres {
    pub async fn create_link(
        &self,
        link: Link,
        answer_for_repeats: Option<IdempotentAnswer>,
        reports: Reports,
    ) -> Result<LinkCreated, StoreError> {
        let (id, investigation) = (link.id.to_string(), link.investigation_id.to_string());
        let (creator, visits) = (rows::text(link.creator), rows::signed(link.visit_count)?);
        let options = OptionValues::of(&link.options)?;
        let (new_events, audit) = (events::to_rows(&reports.events)?, audit::to_rows(&reports.audit)?);
        let first_values: [&(dyn ToSql + Sync); 8] =
            [&link.key, &link.sub_link, &id, &investigation, &link.description, &creator, &link.created_at.0, &visits];
        let values = [&first_values[..], &options.all(), &[&new_events, &audit]].concat();
        let stored = match &answer_for_repeats {
            None => self.change(CREATE, &values).await?,
            Some(answer_to_store) => {
                let IdempotentAnswer { caller, key, request, answer, is_final, at } = answer_to_store;
                let cutoff = answer_to_store.expiry_cutoff();
                let more: [&(dyn ToSql + Sync); 7] = [caller, key, request, answer, is_final, &at.0, &cutoff];
                self.change(CREATE_ONCE, &[&values[..], &more[..]].concat()).await?
            }
        };
        if let Some(answer_to_store) = &answer_for_repeats {
            match if stored.rows.is_empty() { self.claim(answer_to_store).await? } else { Claim::ThisRequest } {
                Claim::ThisRequest => {
                    self.forget_answers(answer_to_store).await;
                    return Ok(LinkCreated::Done);
                }
                Claim::EarlierRequest(kept) => return Ok(LinkCreated::KeyUsed(kept)),
                Claim::Unused => {}
            }
        } else if !stored.rows.is_empty() {
            return Ok(LinkCreated::Done);
        }
        let found = self
            .engine
            .look_up(
                "SELECT i.latest_version, (SELECT l.id FROM link l WHERE l.key = $2 AND l.sub_link = $3)
                 FROM investigation i WHERE i.id = $1",
                &[&investigation, &link.key, &link.sub_link],
            )
            .await?;
        let Some(row) = found.rows.first() else { return Ok(LinkCreated::NoInvestigation) };
        // Ids are never reused, so a link with this id comes from an earlier attempt.
        let ours = rows::get::<Option<&str>>(row, 1)? == Some(id.as_str());
        let latest: u64 = rows::whole(row, 0)?;
        Ok(match link.options.version {
            _ if ours => LinkCreated::Done,
            Some(version) if version > latest => LinkCreated::NoVersion,
            _ => LinkCreated::Taken,
        })
    }

    pub async fn links(
        &self,
        investigation: ObjectId,
        wanted: PageRequest<LinkPosition>,
    ) -> Result<Option<Page<Link, LinkPosition>>, StoreError> {
        let sql = format!(
            "SELECT {}, l.place FROM investigation i LEFT JOIN (
                 SELECT * FROM link WHERE investigation = $1 AND place >= $2 AND (place, created_at, id) > ($2, $3, $4)
                 ORDER BY place, created_at, id LIMIT $5) l ON true
             WHERE i.id = $1 ORDER BY l.place, l.created_at, l.id",
            rows::LINK
        );
        let (number, created_at, id) =
            wanted.after.map_or((0, 0, String::new()), |LinkPosition { number, created_at, id, .. }| {
                (number, created_at.0, id.to_string())
            });
        let limit = i64::from(wanted.limit) + 1;
        let found = self.ask(&sql, &[&investigation.to_string(), &number, &created_at, &id, &limit]).await?;
        let Some(first) = found.rows.first() else { return Ok(None) };
        if rows::get::<Option<&str>>(first, 0)?.is_none() {
            return Ok(Some(Page { entries: Vec::new(), has_more: false }));
        }
        let entry = |row| {
            let link = rows::link(row)?;
            Ok((LinkPosition::of(&link, rows::get(row, rows::LINK_COLUMNS)?), link))
        };
        let entries = found.rows.iter().map(entry).collect::<Result<_, StoreError>>()?;
        Ok(Some(Page::up_to(entries, wanted.limit)))
    }

    pub async fn links_of(
        &self,
        creator: ObjectId,
        wanted: PageRequest<OwnLinkPosition>,
    ) -> Result<Page<Link, OwnLinkPosition>, StoreError> {
        let sql = format!(
            "SELECT {} FROM link l WHERE l.creator = $1 AND (l.created_at, l.id) < ($2, $3)
             ORDER BY l.created_at DESC, l.id DESC LIMIT $4",
            rows::LINK
        );
        let after = wanted.after.map_or((i64::MAX, String::new()), |at| (at.created_at.0, at.id.to_string()));
        let limit = i64::from(wanted.limit) + 1;
        let found = self.ask(&sql, &[&creator.to_string(), &after.0, &after.1, &limit]).await?;
        let links = found.rows.iter().map(|row| rows::link(row).map(|link| (OwnLinkPosition::from(&link), link)));
        Ok(Page::up_to(links.collect::<Result<_, _>>()?, wanted.limit))
    }

    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        let sql = format!("SELECT {} FROM link l WHERE l.key = $1 AND l.sub_link = $2", rows::LINK);
        let found = self.ask(&sql, &[&key, &sub_link]).await?;
        found.rows.first().map(rows::link).transpose()
    }

    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
        wanted: PageRequest<DayPosition>,
    ) -> Result<Option<(Link, Page<DayCount, DayPosition>)>, StoreError> {
        let sql = format!(
            "SELECT {}, d.day, d.count FROM link l
             LEFT JOIN link_day d ON d.key = l.key AND d.sub_link = l.sub_link AND d.day > $3
             WHERE l.key = $1 AND l.sub_link = $2 ORDER BY d.day LIMIT $4",
            rows::LINK
        );
        let after = wanted.after.map(|place| place.day).unwrap_or_default();
        let found = self.ask(&sql, &[&key, &sub_link, &after, &(i64::from(wanted.limit) + 1)]).await?;
        let Some(first) = found.rows.first() else { return Ok(None) };
        let mut days = Vec::new();
        for row in &found.rows {
            if let Some(day) = rows::get(row, rows::LINK_COLUMNS)? {
                days.push(DayCount { day, count: rows::whole(row, rows::LINK_COLUMNS + 1)? });
            }
        }
        Ok(Some((rows::link(first)?, Page::of_days(days, wanted.limit))))
    }

    pub async fn change_link(
        &self,
        key: String,
        sub_link: String,
        change: LinkChange,
        stamp: Stamp,
    ) -> Result<LinkChanged, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(before) = self.link(key.clone(), sub_link.clone()).await? else { return Ok(LinkChanged::NoLink) };
            let mut link = before.clone();
            let new_events = change.events(&mut link, stamp.at);
            let reports = Reports::of(stamp, link.investigation_id, new_events);
            let (new_events, audit) = (events::to_rows(&reports.events)?, audit::to_rows(&reports.audit)?);
            let sql = "SELECT 1 FROM investigation WHERE id = $1 AND coalesce($2::bigint <= latest_version, true)";
            let version = link.options.version.map(rows::signed).transpose()?;
            if self.ask(sql, &[&link.investigation_id.to_string(), &version]).await?.rows.is_empty() {
                return Ok(LinkChanged::NoVersion);
            }
            if new_events.is_empty() {
                return Ok(LinkChanged::Done(link));
            }
            let (now, was) = (OptionValues::of(&link.options)?, OptionValues::of(&before.options)?);
            let id = link.id.to_string();
            let names: [&(dyn ToSql + Sync); 4] = [&link.key, &link.sub_link, &id, &link.description];
            let more: [&(dyn ToSql + Sync); 3] = [&stamp.at.0, &new_events, &audit];
            let values = [&names[..], &now.all(), &[&before.description], &was.all(), &more].concat();
            let changed = self.change(CHANGE, &values).await?;
            // If the statement was sent again and the link is already in the wanted state, an earlier attempt
            // succeeded.
            if !changed.rows.is_empty()
                || changed.may_be_stored
                    && self
                        .link(key.clone(), sub_link.clone())
                        .await?
                        .is_some_and(|stored| stored.options == link.options && stored.description == link.description)
            {
                return Ok(LinkChanged::Done(link));
            }
        }
        Err(StoreError::Busy)
    }

    pub async fn delete_link(&self, key: String, sub_link: String, stamp: Stamp) -> Result<bool, StoreError> {
        let Some(link) = self.link(key.clone(), sub_link.clone()).await? else { return Ok(false) };
        let reports = Reports::of(stamp, link.investigation_id, vec![EventKind::LinkClosed(link.name())]);
        let (events, audit) = (events::to_rows(&reports.events)?, audit::to_rows(&reports.audit)?);
        let gone = self.change(DELETE, &[&key, &sub_link, &link.id.to_string(), &stamp.at.0, &events, &audit]).await?;
        // The link existed before the statement was sent. If a retry does not find it, an earlier attempt probably
        // deleted it, and the answer to this attempt was lost.
        Ok(!gone.rows.is_empty() || gone.may_be_stored)
    }
}

pub(super) struct OptionValues {
    shows: &'static str,
    version: Option<i64>,
    expires_at: Option<i64>,
    max_visits: Option<i64>,
    archived: bool,
}

impl OptionValues {
    pub(super) fn of(options: &LinkOptions) -> Result<Self, StoreError> {
        let LinkOptions { shows, version, expires_at, max_visits, archived } = options;
        Ok(Self {
            shows: shows.name(),
            version: version.map(rows::signed).transpose()?,
            expires_at: expires_at.map(|end| end.0),
            max_visits: max_visits.map(rows::signed).transpose()?,
            archived: *archived,
        })
    }

    pub(super) fn all(&self) -> [&(dyn ToSql + Sync); 5] {
        [&self.shows, &self.version, &self.expires_at, &self.max_visits, &self.archived]
    }
}
