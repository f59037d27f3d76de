//! Commits a change, but only if the investigation still has the revision that the change is based on.

use super::chat_row::ChatRow;
use super::dialect::Dialect;
use super::engine::WriteKind;
use super::row::{InvestigationRow, RECORDS_PER_COPY, to_json};
use super::sql::{Rows, Statement};
use super::{Commit, Store, StoreError, chats, groups, investigations, pictures, records};
use crate::domain::history::{Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::search;
use crate::domain::sort_keys::text_of;

/// Columns of an investigation that never change.
const FIXED: [&str; 3] = ["id", "cloned_from", "created_at"];

/// A change that is ready to be written.
#[derive(Debug)]
pub struct Prepared {
    statements: Vec<Statement>,
    /// The statements that store events and audit entries, which come last.
    reports: Vec<Statement>,
    /// The new group of the investigation in lists that are grouped by curriculum, if the change sets another
    /// curriculum.
    new_group: Option<NewGroup>,
}

/// The change of an investigation to another group of the list. The key of the old group is not computed, but read in
/// the transaction, because another version of the program may have computed it in another way.
#[derive(Debug)]
struct NewGroup {
    id: ObjectId,
    base_revision: u64,
    key: String,
    curriculum: Option<String>,
}

impl Store {
    /// Prepares a change for [`Self::commit`]. This takes CPU time, so it is done before the transaction begins, and
    /// other writers do not wait for it.
    pub fn prepare(&self, commit: Commit) -> Result<Prepared, StoreError> {
        let Commit { base_revision, investigation, step, content_before, chat_entry, pictures, reports } = commit;
        let dialect = self.dialect();
        let row = InvestigationRow::of(investigation)?;
        let new = &row.investigation;
        let is_moved = text_of(&content_before, "curriculum").as_deref() != row.curriculum.as_deref();
        let new_group = is_moved.then(|| NewGroup {
            id: new.id,
            base_revision,
            key: row.keys.group.clone(),
            curriculum: row.curriculum.clone(),
        });
        // If the first statement changes no row, the others are not executed.
        let mut statements = vec![replace(&row, base_revision, is_moved)];
        if new.content != content_before {
            let before = || search::index_words(&content_before);
            statements.extend(dialect.index_again(new.id.into(), before, &row.words));
        }
        match &step {
            Step::Stay => {}
            Step::Record(record) => {
                if record.version == 1 {
                    statements.push(records::insert_copy(new.id, 0, &to_json(&content_before)?));
                }
                statements.extend(add_record(new.id, record)?);
            }
            Step::Undo { from, .. } => statements.push(set_undone(new.id, *from, true)),
            Step::Redo { to, .. } => statements.push(set_undone(new.id, *to, false)),
            Step::Name { version, name } => {
                let rename = "UPDATE version_record SET name = $name WHERE";
                statements.push(at_version(rename, new.id, *version).with("name", name.as_deref()));
            }
        }
        if let Some(entry) = &chat_entry {
            let chat_row = ChatRow::of(entry)?;
            let packed = chat_row.shown.as_ref().map(|shown| shown.packed()).transpose()?;
            statements.extend(chats::add(new.id, &chat_row, packed.as_deref()));
        }
        if !pictures.is_empty() {
            statements.push(pictures::show(new.id, pictures, dialect));
        }
        let reports = reports.statements(new.id, Some(new.revision), new.updated_at)?;
        Ok(Prepared { statements, reports, new_group })
    }

    /// Stores a change, but only if the investigation still has the revision that the change is based on. Returns false
    /// and stores nothing if another change or a deletion was committed first.
    pub async fn commit(&self, prepared: Prepared) -> Result<bool, StoreError> {
        let Prepared { mut statements, reports, new_group } = prepared;
        let Some(new_group) = new_group else {
            statements.extend(reports);
            return self.write_if("commit", statements).await;
        };
        let dialect = self.dialect();
        let reads = vec![investigations::lock(new_group.id, dialect)];
        let decide = move |rows: &[Rows]| {
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), false)) };
            if found.count("revision")? != new_group.base_revision {
                return Ok((Vec::new(), false));
            }
            // Other writes wait while a counter is locked. A write may have many statements for search words, so these
            // run before those for the counters.
            let counts = new_group.counts(found.text("group_key")?, dialect);
            Ok((statements.iter().cloned().chain(counts).chain(reports.clone()).collect(), true))
        };
        Ok(self.attempt(WriteKind::Once, "commit", reads, decide).await?.unwrap_or(false))
    }
}

/// Returns the statement that replaces the row. The stored key of the group changes only if the row moves to another
/// group. Otherwise it must stay the key under which the investigation was counted.
fn replace(row: &InvestigationRow, base_revision: u64, is_moved: bool) -> Statement {
    let mut columns = investigations::columns(row);
    columns.retain(|(name, _)| !FIXED.contains(name) && (is_moved || *name != "group_key"));
    Statement::update("investigation", columns, "id = $id AND revision = $base_revision")
        .with("id", row.investigation.id)
        .with("base_revision", base_revision)
        .expect(1)
}

impl NewGroup {
    /// Returns the statements that count the investigation in this group instead of the one with the key `old_key`.
    /// They are in the order of the groups, so that no two commits wait for each other.
    fn counts(&self, old_key: &str, dialect: Dialect) -> Vec<Statement> {
        let Self { id, key, curriculum, .. } = self;
        let leave = groups::left(dialect, *id, old_key).to_vec();
        let enter = vec![groups::entered(dialect, *id, key, curriculum.as_deref())];
        if old_key < key.as_str() { [leave, enter].concat() } else { [enter, leave].concat() }
    }
}

/// Returns the statements that store a version record, and a full copy of the content if one is due.
fn add_record(id: ObjectId, record: &VersionRecord) -> Result<Vec<Statement>, StoreError> {
    let columns = records::columns(record, to_json(&record.changes)?);
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let insert = Statement::new(format!(
        "INSERT INTO version_record (body, {}, since_copy)
         SELECT i.body, ${}, (coalesce((SELECT p.since_copy FROM version_record p
             WHERE p.body = i.body AND p.version = $parent), 0) + 1) % {RECORDS_PER_COPY}
         FROM investigation i WHERE i.id = $id",
        names.join(", "),
        names.join(", $")
    ));
    let insert = columns.into_iter().fold(insert, |insert, (name, value)| insert.with(name, value));
    let copy = Statement::new(
        "INSERT INTO content_copy (body, version, content) SELECT i.body, i.version, i.content
         FROM investigation i JOIN version_record r ON r.body = i.body AND r.version = i.version
         WHERE i.id = $id AND r.since_copy = 0",
    );
    let mut statements = vec![insert.with("id", id), copy.with("id", id)];
    statements.extend(records::index(id, record));
    Ok(statements)
}

fn set_undone(id: ObjectId, version: u64, undone: bool) -> Statement {
    at_version("UPDATE version_record SET undone = $undone WHERE", id, version).with("undone", undone)
}

/// Completes a statement about a version record with the condition that the record belongs to `version`.
fn at_version(sql: &'static str, id: ObjectId, version: u64) -> Statement {
    Statement::new(sql)
        .then("body = (SELECT i.body FROM investigation i WHERE i.id = $id) AND version = $version")
        .with("id", id)
        .with("version", version)
}
