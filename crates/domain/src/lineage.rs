//! Validates an imported history. Walks from the current version to every other version and checks that the records fit
//! the content and each other, so that undo and redo will work.

use super::change::same_content;
use super::content::Content;
use super::history::{self, VersionRecord};
use super::investigation::Investigation;

/// Why a history is rejected, as a phrase that follows "the history".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineageError(pub String);

/// Calls `visit` with each version and its content, one at a time, in an unspecified order.
///
/// # Errors
/// [`LineageError`] if a record does not fit the content, and the errors of `visit`.
pub fn walk(
    investigation: &Investigation,
    records: &[VersionRecord],
    mut visit: impl FnMut(u64, &Content) -> Result<(), LineageError>,
) -> Result<(), LineageError> {
    let lines = Lines::of(investigation, records)?;
    let mut content = investigation.content.clone();
    let mut at = investigation.version;
    loop {
        visit(at, &content)?;
        content = visit_side_branches(&lines, at, content, &mut visit)?;
        let Some(record) = lines.record(at) else { return Ok(()) };
        content = undo_checked(content, record)?;
        at = record.parent;
    }
}

/// The records. `side_branches[3]` contains the children of version 3 that are not on the path from 0 to the current
/// version.
struct Lines<'r> {
    records: &'r [VersionRecord],
    side_branches: Vec<Vec<&'r VersionRecord>>,
}

impl<'r> Lines<'r> {
    fn of(investigation: &Investigation, records: &'r [VersionRecord]) -> Result<Self, LineageError> {
        let latest = records.len() as u64;
        if investigation.latest_version != latest {
            return Err(LineageError(format!(
                "has {latest} records, but the latest version is {}",
                investigation.latest_version
            )));
        }
        for (number, record) in (1..).zip(records) {
            if record.version != number {
                return Err(LineageError(format!("has the record {} in place of {number}", record.version)));
            }
            if record.parent >= number {
                return Err(LineageError(format!(
                    "has the record {number}, based on the later version {}",
                    record.parent
                )));
            }
        }
        let mut lines = Self { records, side_branches: vec![Vec::new(); records.len() + 1] };
        let mut on_current_path = vec![false; records.len() + 1];
        let mut at = investigation.version;
        if at > latest {
            return Err(LineageError(format!("has no record of the current version {at}")));
        }
        while let Some(record) = lines.record(at) {
            if let Some(mark) = on_current_path.get_mut(at as usize) {
                *mark = true;
            }
            at = record.parent;
        }
        for (record, on_current_path) in records.iter().zip(on_current_path.iter().skip(1)) {
            if record.undone == *on_current_path {
                let is = if record.undone {
                    "is marked undone, but the content includes it"
                } else {
                    "is not marked undone, but the content does not include it"
                };
                return Err(LineageError(format!("has the record {}, which {is}", record.version)));
            }
            if let Some(children) = lines.side_branches.get_mut(record.parent as usize).filter(|_| !on_current_path) {
                children.push(record);
            }
        }
        Ok(lines)
    }

    fn record(&self, version: u64) -> Option<&'r VersionRecord> {
        self.records.get(usize::try_from(version).ok()?.checked_sub(1)?)
    }

    fn side_branches(&self, version: u64) -> &[&'r VersionRecord] {
        self.side_branches.get(version as usize).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Visits all versions on the side branches that start at the version `from`. `content` is the content at `from`. Each
/// record is applied to `content` and later reverted, so that the returned content is the content at `from` again.
fn visit_side_branches(
    lines: &Lines<'_>,
    from: u64,
    mut content: Content,
    visit: &mut impl FnMut(u64, &Content) -> Result<(), LineageError>,
) -> Result<Content, LineageError> {
    let mut path = vec![(from, 0)];
    while let Some((version, next)) = path.last_mut() {
        if let Some(record) = lines.side_branches(*version).get(*next) {
            *next += 1;
            content = redo_checked(content, record)?;
            visit(record.version, &content)?;
            path.push((record.version, 0));
        } else {
            let version = *version;
            path.pop();
            if let Some(record) = lines.record(version).filter(|_| !path.is_empty()) {
                content = undo_checked(content, record)?;
            }
        }
    }
    Ok(content)
}

fn undo_checked(content: Content, record: &VersionRecord) -> Result<Content, LineageError> {
    let before = history::undo(content.clone(), record).map_err(|_| record_mismatch(record))?;
    let again = history::redo(before.clone(), record).map_err(|_| record_mismatch(record))?;
    if same_content(&again, &content) { Ok(before) } else { Err(record_mismatch(record)) }
}

fn redo_checked(content: Content, record: &VersionRecord) -> Result<Content, LineageError> {
    let after = history::redo(content.clone(), record).map_err(|_| record_mismatch(record))?;
    let again = history::undo(after.clone(), record).map_err(|_| record_mismatch(record))?;
    if same_content(&again, &content) { Ok(after) } else { Err(record_mismatch(record)) }
}

fn record_mismatch(record: &VersionRecord) -> LineageError {
    LineageError(format!("has the record {}, which does not fit the content", record.version))
}
