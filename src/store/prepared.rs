//! A change that is ready to be written. All work that takes CPU time is done before the transaction begins, so that
//! other writers do not wait for it.

use super::chat_row::ChatRow;
use super::row::{Row, to_json};
use super::{Commit, Reports, StoreError};
use crate::domain::history::Step;
use crate::domain::keys::{Keys, text_of};

/// A change in the form of database rows.
#[derive(Debug)]
pub struct Prepared {
    pub(super) base_revision: u64,
    pub(super) row: Row,
    pub(super) changed: bool,
    /// Group key before the change, if the change moves the investigation to another group.
    pub(super) old_group_key: Option<String>,
    pub(super) step: Step,
    /// Content of version 0 as JSON, if the change creates the first version record.
    pub(super) first_copy: Option<String>,
    pub(super) chat_row: Option<ChatRow>,
    /// Compressed snapshot of the chat entry, if any.
    pub(super) packed: Option<Vec<u8>>,
    pub(super) reports: Reports,
}

impl Prepared {
    /// Prepares a change for [`Store::commit`](super::Store::commit). This takes CPU time.
    pub fn of(commit: Commit) -> Result<Self, StoreError> {
        let Commit { base_revision, investigation, step, content_before, chat_entry, reports } = commit;
        let changed = investigation.content != content_before;
        let is_first = matches!(&step, Step::Record(record) if record.version == 1);
        let first_copy = is_first.then(|| to_json(&content_before)).transpose()?;
        let chat_row = chat_entry.as_ref().map(ChatRow::of).transpose()?;
        let snapshot = chat_row.as_ref().and_then(|chat_row| chat_row.snapshot.as_ref());
        let packed = snapshot.map(|snapshot| snapshot.packed()).transpose()?;
        let row = Row::of(investigation)?;
        let is_moved = text_of(&content_before, "curriculum").as_deref() != row.curriculum.as_deref();
        let old_group_key = is_moved.then(|| Keys::of(&content_before).group);
        Ok(Self { base_revision, row, changed, old_group_key, step, first_copy, chat_row, packed, reports })
    }
}
