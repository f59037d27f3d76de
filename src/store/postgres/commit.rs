//! Commits a change with one statement. The statement stores everything or nothing, and only if the investigation still
//! has the revision that the change is based on.

use std::sync::LazyLock;

use super::named::{NamedStatement, Value};
use super::{Postgres, audit, events, investigations, rows};
use crate::domain::history::{Step, VersionRecord};
use crate::domain::time::Timestamp;
use crate::store::row::{RECORDS_PER_COPY, to_json};
use crate::store::{Committed, Prepared, StoreError};

/// Number of commits per investigation whose marks are kept. A mark is a random text stored with a commit. If the
/// commit is sent again, the mark shows whether an earlier attempt succeeded.
const MARKS: i64 = 1000;

/// Statement that stores a whole change. Parameters for missing parts, such as a chat entry, are null or empty. The
/// words are null if the content stays: then the conditions on them are null, and no word is deleted or inserted.
pub static COMMIT: LazyLock<NamedStatement> = LazyLock::new(|| NamedStatement::new(STATEMENT));

pub const STATEMENT: &str = "WITH before AS (SELECT group_key FROM investigation WHERE id = $id),
 won AS (
     UPDATE investigation SET
         revision = $revision, status = $status, version = $version, latest_version = $latest_version,
         author = $author, metadata_author = $metadata_author,
         last_change_with_ai = $last_change_with_ai, updated_at = $updated_at,
         group_key = $group_key, curriculum_key = $curriculum_key,
         title_key = $title_key, grade_key = $grade_key,
         curriculum = $curriculum, grade = $grade, title = $title,
         findings = $findings, content = $content
     WHERE id = $id AND revision = $base_revision
         AND NOT EXISTS (SELECT 1 FROM commit_mark m WHERE m.investigation = $id AND m.mark = $mark)
     RETURNING id),
 marked AS (INSERT INTO commit_mark (investigation, revision, mark) SELECT id, $revision, $mark FROM won),
 forgotten AS (DELETE FROM commit_mark WHERE investigation = $id AND revision = $expired_mark_revision),
 dropped AS (DELETE FROM search_word s USING won WHERE s.investigation = won.id AND s.word <> ALL($words::text[])),
 added AS (
     INSERT INTO search_word (investigation, word)
     SELECT won.id, w.word FROM won, unnest($words) AS w (word)
     WHERE NOT EXISTS (SELECT 1 FROM search_word s WHERE s.investigation = won.id AND s.word = w.word)
     ON CONFLICT DO NOTHING),
 recorded AS (
     INSERT INTO version_record
         (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes)
     SELECT won.id, $record_version::bigint, $record_parent::bigint, $record_kind::text, $record_at::bigint,
         $record_by::text, $record_with_ai::boolean, false,
         (coalesce((SELECT p.since_copy FROM version_record p
             WHERE p.investigation = $id AND p.version = $record_parent), 0) + 1) % $records_per_copy::int,
         $record_changes::text
     FROM won WHERE $record_version IS NOT NULL RETURNING investigation, version, since_copy),
 fields AS (
     INSERT INTO version_field (investigation, version, field)
     SELECT investigation, version, unnest($record_fields::text[]) FROM recorded),
 first_copy AS (
     INSERT INTO content_copy (investigation, version, content)
     SELECT id, 0, $first_copy::text FROM won WHERE $first_copy IS NOT NULL),
 copied AS (
     INSERT INTO content_copy (investigation, version, content)
     SELECT investigation, version, $content FROM recorded WHERE since_copy = 0),
 moved AS (
     UPDATE version_record r SET undone = $moved_undone::boolean FROM won
     WHERE r.investigation = won.id AND r.version = $moved_version::bigint),
 named AS (
     UPDATE version_record r SET name = $version_name::text FROM won
     WHERE r.investigation = won.id AND r.version = $named_version::bigint),
 place AS (
     UPDATE chat SET entries = entries + 1 FROM won WHERE chat.investigation = won.id AND $chat_entry::text IS NOT NULL
     RETURNING chat.investigation, entries),
 said AS (
     INSERT INTO chat_entry (investigation, place, entry, snapshot)
     SELECT investigation, entries, $chat_entry, $snapshot_digest::bytea FROM place),
 shown AS (
     INSERT INTO chat_snapshot (investigation, digest, length, packed)
     SELECT investigation, $snapshot_digest, $snapshot_length::bigint, $snapshot_packed::bytea FROM place
     WHERE $snapshot_digest IS NOT NULL ON CONFLICT DO NOTHING),
 -- Groups in their order, so that no two commits wait for each other.
 counted AS (
     INSERT INTO group_count (group_key, slot, curriculum, count)
     SELECT g.group_key, $slot::int, g.curriculum, g.change
     FROM won, before, LATERAL
         (VALUES (before.group_key, NULL::text, -1), ($group_key, $curriculum, 1)) AS g (group_key, curriculum, change)
     WHERE before.group_key <> $group_key ORDER BY g.group_key
     ON CONFLICT (group_key, slot) DO UPDATE SET count = group_count.count + excluded.count),
 new_events AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $updated_at, won.id, $revision, e.what
     FROM won, unnest($events::text[]) WITH ORDINALITY AS e (what, place)
     ORDER BY e.place),
 audited AS (
     INSERT INTO audit (investigation, entry)
     SELECT won.id, e.entry FROM won, unnest($audit::text[]) WITH ORDINALITY AS e (entry, place) ORDER BY e.place)
 SELECT 1 FROM won";

impl Postgres {
    pub async fn commit(&self, commit: Prepared) -> Result<Committed, StoreError> {
        let Prepared { base_revision, row, changed, step, first_copy, chat_row, packed, reports } = commit;
        let new = &row.investigation;
        let words: Option<Vec<&str>> = changed.then(|| row.words.split_whitespace().collect());
        let mark = self.engine.mark();
        let id = new.id.to_string();
        let base_revision = rows::signed(base_revision)?;
        let revision = rows::signed(new.revision)?;
        let record = RecordValues::of(&step)?;
        let moved: Option<(i64, bool)> = match &step {
            Step::Undo { from, .. } => Some((rows::signed(*from)?, true)),
            Step::Redo { to, .. } => Some((rows::signed(*to)?, false)),
            Step::Stay | Step::Record(_) | Step::Name { .. } => None,
        };
        let (named_version, version_name) = match &step {
            Step::Name { version, name } => (Some(rows::signed(*version)?), name.as_deref()),
            _ => (None, None),
        };
        let snapshot = chat_row.as_ref().and_then(|chat_row| chat_row.snapshot.as_ref());
        let fields = record.as_ref().map(|record| record.fields.clone()).unwrap_or_default();
        let record = record.as_ref();
        let events = events::to_rows(&reports.events)?;
        let audit = audit::to_rows(&reports.audit)?;
        let status = new.status.name();
        let metadata_author = rows::text(new.metadata_author);
        let version = rows::signed(new.version)?;
        let latest_version = rows::signed(new.latest_version)?;
        let expired_mark_revision = revision - MARKS;
        let record_version = record.map(|record| record.version);
        let record_parent = record.map(|record| record.parent);
        let record_kind = record.map(|record| record.kind);
        let record_at = record.map(|record| record.at.0);
        let record_by = record.and_then(|record| record.by.clone());
        let record_with_ai = record.map(|record| record.with_ai);
        let record_changes = record.map(|record| record.changes.as_str());
        let moved_version = moved.map(|(version, _)| version);
        let moved_undone = moved.map(|(_, undone)| undone);
        let chat_entry = chat_row.as_ref().map(|chat_row| chat_row.entry.as_str());
        let slot = investigations::slot(new.id);
        let author = rows::text(new.author);
        let snapshot_digest = snapshot.map(|snapshot| snapshot.digest.as_slice());
        let snapshot_length = snapshot.map(|snapshot| snapshot.length());
        let values: &[(&str, Value<'_>)] = &[
            ("id", &id),
            ("base_revision", &base_revision),
            ("revision", &revision),
            ("status", &status),
            ("metadata_author", &metadata_author),
            ("last_change_with_ai", &new.last_change_with_ai),
            ("version", &version),
            ("latest_version", &latest_version),
            ("updated_at", &new.updated_at.0),
            ("group_key", &row.keys.group),
            ("curriculum_key", &row.keys.curriculum),
            ("title_key", &row.keys.title),
            ("grade_key", &row.keys.grade),
            ("curriculum", &row.curriculum),
            ("grade", &row.grade),
            ("title", &row.title),
            ("findings", &row.findings),
            ("content", &row.content),
            ("mark", &mark),
            ("expired_mark_revision", &expired_mark_revision),
            ("words", &words),
            ("record_version", &record_version),
            ("record_parent", &record_parent),
            ("record_kind", &record_kind),
            ("record_at", &record_at),
            ("record_by", &record_by),
            ("record_with_ai", &record_with_ai),
            ("record_changes", &record_changes),
            ("records_per_copy", &RECORDS_PER_COPY),
            ("record_fields", &fields),
            ("first_copy", &first_copy),
            ("moved_version", &moved_version),
            ("moved_undone", &moved_undone),
            ("named_version", &named_version),
            ("version_name", &version_name),
            ("chat_entry", &chat_entry),
            ("slot", &slot),
            ("events", &events),
            ("audit", &audit),
            ("author", &author),
            ("snapshot_digest", &snapshot_digest),
            ("snapshot_length", &snapshot_length),
            ("snapshot_packed", &packed),
        ];
        let answer = self.change(COMMIT.sql(), &COMMIT.values(values)?).await?;
        if !answer.rows.is_empty() || answer.may_be_stored && self.was_stored(&id, revision, &mark).await? {
            return Ok(Committed::Done);
        }
        Ok(Committed::Conflict)
    }

    /// Returns whether an earlier attempt of this commit succeeded: whether its mark is stored.
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
