//! Links and the visits of each day.

use super::{Postgres, rows};
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};
use crate::store::{LinkCreated, StoreError};

impl Postgres {
    /// Stores a new link.
    pub async fn create_link(&self, link: Link) -> Result<LinkCreated, StoreError> {
        let (id, investigation) = (link.id.to_string(), link.investigation_id.to_string());
        let stored = self
            .change(
                "INSERT INTO link
                     (key, sub_link, id, investigation, place, description, creator, created_at, visit_count)
                 SELECT $1, $2, $3, i.id,
                     (SELECT coalesce(max(l.place), 0) + 1 FROM link l WHERE l.investigation = $4), $5, $6, $7, $8
                 FROM investigation i WHERE i.id = $4
                 ON CONFLICT (key, sub_link) DO NOTHING RETURNING 1",
                &[
                    &link.key,
                    &link.sub_link,
                    &id,
                    &investigation,
                    &link.description,
                    &rows::text(link.creator),
                    &link.created_at.0,
                    &rows::signed(link.visit_count)?,
                ],
            )
            .await?;
        if !stored.rows.is_empty() {
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
