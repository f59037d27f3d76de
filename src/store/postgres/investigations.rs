//! Creates, reads and deletes investigations.

use std::sync::{Arc, LazyLock};

use serde::de::DeserializeOwned;
use tokio_postgres::types::ToSql;

use super::idempotent_answers::Claim;
use super::{Postgres, audit, events, rows};
use crate::domain::audit::AuditActor;
use crate::domain::content::RawContent;
use crate::domain::event::{self, EventKind};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::store::row::Row;
use crate::store::{Created, Deleted, IdempotentAnswer, Reports, Stamp, StoreError};

/// Number of counters per group of investigations. Each counter is a row of `group_count`, and their sum is the count
/// of the group. With a single counter, concurrent writers would often wait for each other.
const SLOTS: usize = 16;

/// Builds the statement that stores a [`NewRow`]: the investigation, its search words, chat and reports, and the group
/// count. Ids are never reused, so an existing row with the same id comes from an earlier attempt.
macro_rules! creation {
    ($first:literal, $values:literal) => {
        concat!(
            "WITH ", $first, " new AS (
     INSERT INTO investigation
         (id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version,
          cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key,
          curriculum, grade, title, findings, content) ",
            $values,
            " ON CONFLICT (id) DO NOTHING RETURNING id),
 words AS (INSERT INTO search_word (investigation, word) SELECT id, unnest($21::text[]) FROM new),
 talk AS (INSERT INTO chat (investigation, id, entries) SELECT id, $22::text, $24::bigint FROM new WHERE $22 IS NOT NULL),
 new_events AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $10, new.id, $2, e.what FROM new, unnest($25::text[]) WITH ORDINALITY AS e (what, place) ORDER BY e.place),
 audited AS (
     INSERT INTO audit (investigation, entry)
     SELECT new.id, e.entry FROM new, unnest($26::text[]) WITH ORDINALITY AS e (entry, place) ORDER BY e.place)
 INSERT INTO group_count (group_key, slot, curriculum, count) SELECT $12, $23, $16, 1 FROM new
 ON CONFLICT (group_key, slot) DO UPDATE SET count = group_count.count + 1 RETURNING 1"
        )
    };
}

/// Statement that stores a new investigation.
pub const CREATE: &str =
    creation!("", "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)");

/// Statement that stores a new investigation if its idempotency key is unused.
const CREATE_ONCE: &str = creation!(
    "kept AS (
     INSERT INTO first_answer AS f (caller, key, request, answer, settled, at) VALUES ($27, $28, $29, $30, $31, $32)
     ON CONFLICT (caller, key) DO UPDATE SET request = excluded.request, answer = excluded.answer,
         settled = excluded.settled, at = excluded.at WHERE f.at <= $33 RETURNING 1), ",
    "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20 FROM kept"
);

/// Deletes an investigation and updates the group counts. If the revision `$2` is not null, deletes the investigation
/// only at this revision. Version records, full copies, search words, the chat and the links are deleted by cascade.
/// For a deletion without reports, the event `$5` is null and the list of audit entries `$6` is empty.
pub const DELETE: &str = "WITH gone AS (
     DELETE FROM investigation WHERE id = $1 AND ($2::bigint IS NULL OR revision = $2) RETURNING group_key, revision),
 counted AS (
     UPDATE group_count g SET count = g.count - 1 FROM gone WHERE g.group_key = gone.group_key AND g.slot = $3),
 new_events AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $4::bigint, $1, gone.revision, $5::text FROM gone WHERE $5 IS NOT NULL),
 audited AS (INSERT INTO audit (investigation, entry) SELECT $1, unnest($6::text[]) FROM gone)
 SELECT 1 FROM gone";

/// Returns the query for one investigation.
pub fn reading() -> String {
    format!("SELECT {} FROM investigation i WHERE i.id = $1", rows::INVESTIGATION)
}

impl Postgres {
    pub async fn create(
        &self,
        row: Row,
        chat: ObjectId,
        answer_for_repeats: Option<IdempotentAnswer>,
        actor: AuditActor,
    ) -> Result<Created, StoreError> {
        let stamp = Stamp { actor, at: row.investigation.created_at };
        let reports = Reports::of(stamp, row.investigation.id, event::of_creation(&row.investigation));
        let new = NewRow::of(&row, Some(chat), 0, &reports)?;
        let Some(stored_answer) = answer_for_repeats else {
            return self.change(CREATE, &new.values()).await.map(|_| Created::Done);
        };
        let IdempotentAnswer { caller, key, request, answer, is_final, at } = &stored_answer;
        let cutoff = stored_answer.expiry_cutoff();
        let values: [&(dyn ToSql + Sync); 7] = [caller, key, request, answer, is_final, &at.0, &cutoff];
        let stored = self.change(CREATE_ONCE, &[&new.values()[..], &values].concat()).await?;
        match if stored.rows.is_empty() { self.claim(&stored_answer).await? } else { Claim::ThisRequest } {
            Claim::ThisRequest => {
                self.forget_answers(&stored_answer).await;
                Ok(Created::Done)
            }
            Claim::EarlierRequest(kept) => Ok(Created::KeyUsed(kept)),
            // The key was in use, but it has expired in the meantime, so a retry will succeed.
            Claim::Unused => Err(StoreError::Busy),
        }
    }

    pub async fn load(&self, id: ObjectId) -> Result<Option<Investigation>, StoreError> {
        self.read(id).await
    }

    pub async fn show(&self, id: ObjectId) -> Result<Option<Arc<Investigation<RawContent>>>, StoreError> {
        Ok(self.read(id).await?.map(Arc::new))
    }

    async fn read<C: DeserializeOwned>(&self, id: ObjectId) -> Result<Option<Investigation<C>>, StoreError> {
        static SQL: LazyLock<String> = LazyLock::new(reading);
        let found = self.ask(&SQL, &[&id.to_string()]).await?;
        found.rows.first().map(rows::investigation).transpose()
    }

    pub async fn delete(&self, id: ObjectId, revision: Option<u64>, stamp: Stamp) -> Result<Deleted, StoreError> {
        let id_text = id.to_string();
        let found = self
            .ask(
                "SELECT i.revision, (SELECT count(*) FROM chat c WHERE c.investigation = i.id)
                 FROM investigation i WHERE i.id = $1",
                &[&id_text],
            )
            .await?;
        let Some(row) = found.rows.first() else { return Ok(Deleted::Unknown) };
        let chats = rows::whole(row, 1)?;
        let expected = revision.map(rows::signed).transpose()?;
        if expected.is_some_and(|expected| rows::get::<i64>(row, 0).is_ok_and(|stored| stored != expected)) {
            return Ok(Deleted::Conflict);
        }
        let reports = Reports::of(stamp, id, vec![EventKind::Deleted]);
        let (event, audit) = (events::to_rows(&reports.events)?.pop(), audit::to_rows(&reports.audit)?);
        let gone = self.change(DELETE, &[&id_text, &expected, &slot(id), &stamp.at.0, &event, &audit]).await?;
        if !gone.rows.is_empty() {
            return Ok(Deleted::Done { chats });
        }
        let left = self.engine.look_up("SELECT 1 FROM investigation WHERE id = $1", &[&id_text]).await?;
        // The investigation existed before the statement was sent. If it no longer exists after a retry, an earlier
        // attempt probably deleted it, and the answer to this attempt was lost.
        Ok(match left.rows.is_empty() {
            true if gone.may_be_stored => Deleted::Done { chats },
            true => Deleted::Unknown,
            false => Deleted::Conflict,
        })
    }
}

/// Parameters of [`CREATE`].
pub struct NewRow<'r> {
    row: &'r Row,
    id: String,
    revision: i64,
    status: &'static str,
    author: Option<String>,
    metadata_author: Option<String>,
    version: i64,
    latest_version: i64,
    cloned_from: Option<String>,
    words: Vec<&'r str>,
    chat: Option<String>,
    slot: i32,
    entries: i64,
    events: Vec<String>,
    audit: Vec<String>,
}

impl<'r> NewRow<'r> {
    /// Creates the parameters for this row, its chat and these reports. `entries` is the number of entries of the chat.
    pub fn of(row: &'r Row, chat: Option<ObjectId>, entries: usize, reports: &Reports) -> Result<Self, StoreError> {
        let new = &row.investigation;
        Ok(Self {
            row,
            id: new.id.to_string(),
            revision: rows::signed(new.revision)?,
            status: new.status.name(),
            author: rows::text(new.author),
            metadata_author: rows::text(new.metadata_author),
            version: rows::signed(new.version)?,
            latest_version: rows::signed(new.latest_version)?,
            cloned_from: rows::text(new.cloned_from),
            words: row.words.split_whitespace().collect(),
            chat: rows::text(chat),
            slot: slot(new.id),
            entries: rows::signed(entries as u64)?,
            events: events::to_rows(&reports.events)?,
            audit: audit::to_rows(&reports.audit)?,
        })
    }

    /// Returns the values in the order of the placeholders.
    pub fn values(&self) -> [&(dyn ToSql + Sync); 26] {
        let Row { investigation, keys, curriculum, grade, title, findings, content, words: _ } = self.row;
        [
            &self.id,
            &self.revision,
            &self.status,
            &self.author,
            &self.metadata_author,
            &investigation.last_change_with_ai,
            &self.version,
            &self.latest_version,
            &self.cloned_from,
            &investigation.created_at.0,
            &investigation.updated_at.0,
            &keys.group,
            &keys.curriculum,
            &keys.title,
            &keys.grade,
            curriculum,
            grade,
            title,
            findings,
            content,
            &self.words,
            &self.chat,
            &self.slot,
            &self.entries,
            &self.events,
            &self.audit,
        ]
    }
}

/// Returns the number of the counter that counts this investigation in its group.
pub fn slot(id: ObjectId) -> i32 {
    (id.low_bits() % SLOTS) as i32
}
