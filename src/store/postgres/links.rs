//! Links and the visits of each day.

use tokio_postgres::types::ToSql;

use super::first_answers::Claim;
use super::{Postgres, rows};
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};
use crate::store::{FirstAnswer, LinkCreated, StoreError};

/// Stores a link, unless key and sub-link are taken.
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

/// The same, if the key of the first answer is free. Where the link is taken, the whole statement fails: nothing is kept.
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

    /// The links of an investigation, oldest first.
    pub async fn links(&self, investigation: ObjectId) -> Result<Option<Vec<Link>>, StoreError> {
        let sql = format!(
            "SELECT {} FROM investigation i LEFT JOIN link l ON l.investigation = i.id
             WHERE i.id = $1 ORDER BY l.place, l.created_at, l.id",
            rows::LINK
        );
        let found = self.ask(&sql, &[&investigation.to_string()]).await?;
        match found.rows.first() {
            None => Ok(None),
            Some(first) if rows::get::<Option<&str>>(first, 0)?.is_none() => Ok(Some(Vec::new())),
            Some(_) => found.rows.iter().map(rows::link).collect::<Result<_, _>>().map(Some),
        }
    }

    /// A link, without visiting it.
    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        let sql = format!("SELECT {} FROM link l WHERE l.key = $1 AND l.sub_link = $2", rows::LINK);
        let found = self.ask(&sql, &[&key, &sub_link]).await?;
        found.rows.first().map(rows::link).transpose()
    }

    /// A link and the visits of each day that had some, oldest first.
    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
    ) -> Result<Option<(Link, Vec<DayCount>)>, StoreError> {
        let sql = format!(
            "SELECT {}, d.day, d.count FROM link l
             LEFT JOIN link_day d ON d.key = l.key AND d.sub_link = l.sub_link
             WHERE l.key = $1 AND l.sub_link = $2 ORDER BY d.day",
            rows::LINK
        );
        let found = self.ask(&sql, &[&key, &sub_link]).await?;
        let Some(first) = found.rows.first() else { return Ok(None) };
        let mut days = Vec::new();
        for row in &found.rows {
            if let Some(day) = rows::get(row, 8)? {
                days.push(DayCount { day, count: rows::whole(row, 9)? });
            }
        }
        Ok(Some((rows::link(first)?, days)))
    }

    /// Deletes a link with its counts.
    pub async fn delete_link(&self, key: String, sub_link: String) -> Result<bool, StoreError> {
        let there = self.link(key.clone(), sub_link.clone()).await?.is_some();
        let gone =
            self.change("DELETE FROM link WHERE key = $1 AND sub_link = $2 RETURNING 1", &[&key, &sub_link]).await?;
        // It was there when this began: gone without an answer to the first attempt, it went with that.
        Ok(!gone.rows.is_empty() || gone.again && there)
    }
}
