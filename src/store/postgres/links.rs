//! Links and the visits of each day.

use tokio_postgres::types::ToSql;

use super::first_answers::Claim;
use super::{Postgres, rows};
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};
use crate::domain::page::{DayPlace, LinkPlace, Page, PageRequest};
use crate::store::{FirstAnswer, LinkCreated, StoreError};

/// Stores a link unless key and sub-link are taken.
macro_rules! creation {
    ($first:literal, $also_from:literal, $conflict:literal) => {
        concat!(
            $first,
            "INSERT INTO link (key, sub_link, id, investigation, place, description, creator, created_at, visit_count)
             SELECT $1, $2, $3, i.id,
                 (SELECT coalesce(max(l.place), 0) + 1 FROM link l WHERE l.investigation = $4), $5, $6, $7, $8
             FROM investigation i",
            $also_from,
            " WHERE i.id = $4",
            $conflict,
            " RETURNING 1"
        )
    };
}

const CREATE: &str = creation!("", "", " ON CONFLICT (key, sub_link) DO NOTHING");

/// Creates a link if its idempotency key is free. If the link is taken, the whole statement fails and stores nothing.
const CREATE_ONCE: &str = creation!(
    "WITH kept AS (
         INSERT INTO first_answer AS f (caller, key, request, answer, settled, at)
         SELECT $9, $10, $11, $12, $13, $14 FROM investigation i WHERE i.id = $4
         ON CONFLICT (caller, key) DO UPDATE SET request = excluded.request, answer = excluded.answer,
             settled = excluded.settled, at = excluded.at WHERE f.at <= $15 RETURNING 1) ",
    ", kept",
    ""
);

impl Postgres {
    /// Stores a new link, and perhaps the first answer.
    pub async fn create_link(&self, link: Link, first: Option<FirstAnswer>) -> Result<LinkCreated, StoreError> {
        let (id, investigation) = (link.id.to_string(), link.investigation_id.to_string());
        let (creator, visits) = (rows::text(link.creator), rows::signed(link.visit_count)?);
        let values: [&(dyn ToSql + Sync); 8] =
            [&link.key, &link.sub_link, &id, &investigation, &link.description, &creator, &link.created_at.0, &visits];
        let stored = match &first {
            None => self.change(CREATE, &values).await?,
            Some(first) => {
                let FirstAnswer { caller, key, request, answer, settled, at } = first;
                let over = first.over();
                let more: [&(dyn ToSql + Sync); 7] = [caller, key, request, answer, settled, &at.0, &over];
                self.change(CREATE_ONCE, &[&values[..], &more].concat()).await?
            }
        };
        if let Some(first) = &first {
            match if stored.rows.is_empty() { self.claim(first).await? } else { Claim::Ours } {
                Claim::Ours => {
                    self.forget_answers(first).await;
                    return Ok(LinkCreated::Done);
                }
                Claim::Before(kept) => return Ok(LinkCreated::Before(kept)),
                Claim::Free => {}
            }
        } else if !stored.rows.is_empty() {
            return Ok(LinkCreated::Done);
        }
        let found = self
            .engine
            .look_up(
                "SELECT i.id, (SELECT l.id FROM link l WHERE l.key = $2 AND l.sub_link = $3) FROM investigation i WHERE i.id = $1",
                &[&investigation, &link.key, &link.sub_link],
            )
            .await?;
        let Some(row) = found.rows.first() else { return Ok(LinkCreated::NoInvestigation) };
        // Identities are never given twice: with this one it was stored by an earlier attempt.
        let ours = rows::get::<Option<&str>>(row, 1)? == Some(id.as_str());
        Ok(if ours { LinkCreated::Done } else { LinkCreated::Taken })
    }

    /// A page of the links of an investigation, oldest first.
    pub async fn links(
        &self,
        investigation: ObjectId,
        wanted: PageRequest<LinkPlace>,
    ) -> Result<Option<Page<Link, LinkPlace>>, StoreError> {
        let sql = format!(
            "SELECT {}, l.place FROM investigation i LEFT JOIN (
                 SELECT * FROM link WHERE investigation = $1 AND place >= $2 AND (place, created_at, id) > ($2, $3, $4)
                 ORDER BY place, created_at, id LIMIT $5) l ON true
             WHERE i.id = $1 ORDER BY l.place, l.created_at, l.id",
            rows::LINK
        );
        let (number, created_at, id) =
            wanted.after.map_or((0, 0, String::new()), |LinkPlace { number, created_at, id, .. }| {
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
            Ok((LinkPlace::of(&link, rows::get(row, 8)?), link))
        };
        let entries = found.rows.iter().take(wanted.limit as usize).map(entry).collect::<Result<_, StoreError>>()?;
        Ok(Some(Page { entries, has_more: found.rows.len() > wanted.limit as usize }))
    }

    /// A link, without visiting it.
    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        let sql = format!("SELECT {} FROM link l WHERE l.key = $1 AND l.sub_link = $2", rows::LINK);
        let found = self.ask(&sql, &[&key, &sub_link]).await?;
        found.rows.first().map(rows::link).transpose()
    }

    /// A link and a page of the days that had visits, oldest first.
    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
        wanted: PageRequest<DayPlace>,
    ) -> Result<Option<(Link, Page<DayCount, DayPlace>)>, StoreError> {
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
            if let Some(day) = rows::get(row, 8)? {
                days.push(DayCount { day, count: rows::whole(row, 9)? });
            }
        }
        Ok(Some((rows::link(first)?, Page::of_days(days, wanted.limit))))
    }

    /// Deletes a link with its counts.
    pub async fn delete_link(&self, key: String, sub_link: String) -> Result<bool, StoreError> {
        let there = self.link(key.clone(), sub_link.clone()).await?.is_some();
        let gone =
            self.change("DELETE FROM link WHERE key = $1 AND sub_link = $2 RETURNING 1", &[&key, &sub_link]).await?;
        // The link existed at the start. If it is gone after a retry, the first attempt deleted it, although its
        // answer was lost.
        Ok(!gone.rows.is_empty() || gone.again && there)
    }
}
