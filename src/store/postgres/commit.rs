//! The commit of a change: one statement, which stores everything or nothing, and only on the revision decided on.

use super::{Postgres, events, investigations, rows};
use crate::domain::history::{Step, VersionRecord};
use crate::domain::time::Timestamp;
use crate::store::row::{RECORDS_PER_COPY, to_json};
use crate::store::{Committed, Prepared, StoreError};

/// Number of revisions whose commits can be looked up.
const MARKS: i64 = 1000;

/// For a part that has nothing to do, the parameters are null or empty lists.
pub const COMMIT: &str = "WITH won AS (
     UPDATE investigation SET
         revision = $3, status = $4, metadata_author = $5, last_change_with_ai = $6, version = $7,
         latest_version = $8, updated_at = $9, group_key = $10, curriculum_key = $11, title_key = $12,
         grade_key = $13, curriculum = $14, grade = $15, title = $16, findings = $17, content = $18, author = $39
     WHERE id = $1 AND revision = $2
         AND NOT EXISTS (SELECT 1 FROM commit_mark m WHERE m.investigation = $1 AND m.mark = $19)
     RETURNING id),
 marked AS (INSERT INTO commit_mark (investigation, revision, mark) SELECT id, $3, $19 FROM won),
 forgotten AS (DELETE FROM commit_mark WHERE investigation = $1 AND revision = $20),
 dropped AS (DELETE FROM search_word s USING won WHERE s.investigation = won.id AND s.word = ANY($21::text[])),
 added AS (
     INSERT INTO search_word (investigation, word) SELECT id, unnest($22::text[]) FROM won ON CONFLICT DO NOTHING),
 recorded AS (
     INSERT INTO version_record
         (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes)
     SELECT won.id, $23::bigint, $24::bigint, $25::text, $26::bigint, $27::text, $28::boolean, false,
         (coalesce((SELECT p.since_copy FROM version_record p WHERE p.investigation = $1 AND p.version = $24), 0) + 1) % $30::int,
         $29::text
     FROM won WHERE $23 IS NOT NULL RETURNING investigation, version, since_copy),
 fields AS (
     INSERT INTO version_field (investigation, version, field) SELECT investigation, version, unnest($31::text[]) FROM recorded),
 first_copy AS (
     INSERT INTO content_copy (investigation, version, content) SELECT id, 0, $32::text FROM won WHERE $32 IS NOT NULL),
 copied AS (
     INSERT INTO content_copy (investigation, version, content)
     SELECT investigation, version, $18 FROM recorded WHERE since_copy = 0),
 moved AS (
     UPDATE version_record r SET undone = $34::boolean FROM won WHERE r.investigation = won.id AND r.version = $33::bigint),
 place AS (
     UPDATE chat SET entries = entries + 1 FROM won WHERE chat.investigation = won.id AND $35::text IS NOT NULL
     RETURNING chat.investigation, entries),
 said AS (
     INSERT INTO chat_entry (investigation, place, entry, snapshot) SELECT investigation, entries, $35, $40::bytea FROM place),
 shown AS (
     INSERT INTO chat_snapshot (investigation, digest, length, packed)
     SELECT investigation, $40, $41::bigint, $42::bytea FROM place WHERE $40 IS NOT NULL ON CONFLICT DO NOTHING),
 -- Groups in their order, so that no two commits wait for each other.
 counted AS (
     INSERT INTO group_count (group_key, slot, curriculum, count)
     SELECT g.group_key, $36::int, g.curriculum, g.change
     FROM won, (VALUES ($37::text COLLATE \"C\", NULL::text, -1), ($10, $14, 1)) AS g (group_key, curriculum, change)
     WHERE $37 <> $10 ORDER BY g.group_key
     ON CONFLICT (group_key, slot) DO UPDATE SET count = group_count.count + excluded.count),
 told AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $9, won.id, $3, e.what FROM won, unnest($38::text[]) WITH ORDINALITY AS e (what, place) ORDER BY e.place)
 SELECT 1 FROM won";

impl Postgres {
    /// Stores a decided change, if the investigation still has the revision that it was decided on.
    pub async fn commit(&self, commit: Prepared) -> Result<Committed, StoreError> {
        let Prepared { decided_on, row, changed: _, step, first_copy, turn, packed, events, found } = commit;
        let new = &row.investigation;
        let mark = self.engine.mark()?;
        let id = new.id.to_string();
        let decided_on = rows::signed(decided_on)?;
        let revision = rows::signed(new.revision)?;
        let record = RecordValues::of(&step)?;
        let moved: Option<(i64, bool)> = match &step {
            Step::Undo { from, .. } => Some((rows::signed(*from)?, true)),
            Step::Redo { to, .. } => Some((rows::signed(*to)?, false)),
            Step::Stay | Step::Record(_) => None,
        };
        let snapshot = turn.as_ref().and_then(|turn| turn.snapshot.as_ref());
        let fields = record.as_ref().map(|record| record.fields.clone()).unwrap_or_default();
        let record = record.as_ref();
        let events = events::kept(&events)?;
        let answer = self
            .change(
                COMMIT,
                &[
                    &id,
                    &decided_on,
                    &revision,
                    &new.status.stored(),
                    &rows::text(new.metadata_author),
                    &new.last_change_with_ai,
                    &rows::signed(new.version)?,
                    &rows::signed(new.latest_version)?,
                    &new.updated_at.0,
                    &row.keys.group,
                    &row.keys.curriculum,
                    &row.keys.title,
                    &row.keys.grade,
                    &row.curriculum,
                    &row.grade,
                    &row.title,
                    &row.findings,
                    &row.content,
                    &mark,
                    &(revision - MARKS),
                    &found.dropped,
                    &found.added,
                    &record.map(|record| record.version),
                    &record.map(|record| record.parent),
                    &record.map(|record| record.kind),
                    &record.map(|record| record.at.0),
                    &record.and_then(|record| record.by.clone()),
                    &record.map(|record| record.with_ai),
                    &record.map(|record| record.changes.as_str()),
                    &RECORDS_PER_COPY,
                    &fields,
                    &first_copy,
                    &moved.map(|(version, _)| version),
                    &moved.map(|(_, undone)| undone),
                    &turn.as_ref().map(|turn| turn.entry.as_str()),
                    &investigations::slot(new.id),
                    &found.group,
                    &events,
                    &rows::text(new.author),
                    &snapshot.map(|snapshot| snapshot.digest.as_slice()),
                    &snapshot.map(|snapshot| snapshot.length()),
                    &packed,
                ],
            )
            .await?;
        if !answer.rows.is_empty() || answer.again && self.was_stored(&id, revision, &mark).await? {
            return Ok(Committed::Done);
        }
        Ok(Committed::Lost)
    }

    /// Whether an earlier attempt with this mark was carried out.
    async fn was_stored(&self, id: &str, revision: i64, mark: &str) -> Result<bool, StoreError> {
        let found = self
            .engine
            .look_up(
                "SELECT EXISTS (SELECT 1 FROM commit_mark m WHERE m.investigation = i.id AND m.mark = $2), i.revision
                 FROM investigation i WHERE i.id = $1",
                &[&id, &mark],
            )
            .await?;
        let Some(row) = found.rows.first() else { return Ok(false) };
        let stored: bool = rows::get(row, 0)?;
        if !stored && rows::get::<i64>(row, 1)? >= revision + MARKS {
            return Err(StoreError::Unanswered("the answer to a commit was lost, and so many came after it".into()));
        }
        Ok(stored)
    }
}

/// A version record as its row holds it.
struct RecordValues {
    version: i64,
    parent: i64,
    kind: &'static str,
    at: Timestamp,
    by: Option<String>,
    with_ai: bool,
    changes: String,
    fields: Vec<String>,
}

impl RecordValues {
    fn of(step: &Step) -> Result<Option<Self>, StoreError> {
        let Step::Record(record) = step else { return Ok(None) };
        let VersionRecord { version, parent, kind, at, by, with_ai, changes, .. } = record;
        Ok(Some(Self {
            version: rows::signed(*version)?,
            parent: rows::signed(*parent)?,
            kind: kind.name(),
            at: *at,
            by: rows::text(*by),
            with_ai: *with_ai,
            changes: to_json(changes)?,
            fields: record.fields().into_iter().map(rows::field_key).collect(),
        }))
    }
}
