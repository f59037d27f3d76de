//! Commits a change, but only if the investigation still has the revision that the change is based on.

use super::chat_row::ChatRow;
use super::dialect::Dialect;
use super::row::{RECORDS_PER_COPY, Row, to_json};
use super::sql::Statement;
use super::{Commit, Committed, Store, StoreError, chats, groups, investigations, records};
use crate::domain::history::{Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::keys::{Keys, text_of};

/// Columns of an investigation that no change changes.
const FIXED: [&str; 3] = ["id", "cloned_from", "created_at"];

/// A change that is ready to be written, as statements.
#[derive(Debug)]
pub struct Prepared(Vec<Statement>);

impl Store {
    /// Prepares a change for [`Self::commit`]. This takes CPU time, so it is done before the transaction begins, and other
    /// writers do not wait for it.
    pub fn prepare(&self, commit: Commit) -> Result<Prepared, StoreError> {
        let Commit { base_revision, investigation, step, content_before, chat_entry, reports } = commit;
        let dialect = self.dialect();
        let row = Row::of(investigation)?;
        let new = &row.investigation;
        // The first statement decides whether the others are carried out.
        let mut statements = vec![replace(&row, base_revision)];
        if text_of(&content_before, "curriculum").as_deref() != row.curriculum.as_deref() {
            statements.extend(move_to_group(&row, &Keys::of(&content_before).group, dialect));
        }
        if new.content != content_before {
            statements.extend(dialect.index_again(&new.id.into(), &row.words));
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
            let packed = chat_row.snapshot.as_ref().map(|snapshot| snapshot.packed()).transpose()?;
            statements.extend(chats::add(new.id, &chat_row, packed.as_deref()));
        }
        statements.extend(reports.statements(new.id, Some(new.revision), new.updated_at)?);
        Ok(Prepared(statements))
    }

    /// Stores a change, but only if the investigation still has the revision that the change is based on.
    pub async fn commit(&self, prepared: Prepared) -> Result<Committed, StoreError> {
        let is_stored = self.write_if("commit", prepared.0).await?;
        Ok(if is_stored { Committed::Done } else { Committed::Conflict })
    }
}

fn replace(row: &Row, base_revision: u64) -> Statement {
    let mut columns = investigations::columns(row);
    columns.retain(|(name, _)| !FIXED.contains(name));
    Statement::update("investigation", columns, "id = $id AND revision = $base_revision")
        .with("id", row.investigation.id)
        .with("base_revision", base_revision)
        .expect(1)
}

/// Returns the statements that count the investigation in its new group, in the order of the groups, so that no two
/// commits wait for each other.
fn move_to_group(row: &Row, old_key: &str, dialect: Dialect) -> [Statement; 2] {
    let id = row.investigation.id;
    let leave = groups::counted(dialect, id, old_key, None, -1);
    let enter = groups::counted(dialect, id, &row.keys.group, row.curriculum.as_deref(), 1);
    if old_key < row.keys.group.as_str() { [leave, enter] } else { [enter, leave] }
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

/// Adds the condition that a version record is the one of `version`.
fn at_version(sql: &'static str, id: ObjectId, version: u64) -> Statement {
    Statement::new(sql)
        .then("body = (SELECT i.body FROM investigation i WHERE i.id = $id) AND version = $version")
        .with("id", id)
        .with("version", version)
}
