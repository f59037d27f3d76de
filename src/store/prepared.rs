//! A change that is ready to be written. All work that takes CPU time is done before the transaction begins, so that
//! other writers do not wait for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chat_row::ChatRow;
use super::row::{Row, to_json};
use super::{Commit, Reports, StoreError};
use crate::domain::content::{self, Content};
use crate::domain::history::Step;
use crate::domain::index::{self, Index};
use crate::domain::keys::{Keys, Names};

/// A change in the form of database rows.
#[derive(Debug)]
pub struct Prepared {
    pub(super) base_revision: u64,
    pub(super) row: Row,
    pub(super) changed: bool,
    pub(super) step: Step,
    /// Content of version 0 as JSON, if the change creates the first version record.
    pub(super) first_copy: Option<String>,
    pub(super) chat_row: Option<ChatRow>,
    /// Compressed snapshot of the chat entry, if any.
    pub(super) packed: Option<Vec<u8>>,
    pub(super) reports: Reports,
    /// Empty on SQLite, which indexes all words of a changed investigation again.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "used by `postgres`"))]
    pub(super) index_change: IndexChange,
}

/// Effect of a change on the search index (words) and on the group counts (group).
#[derive(Debug, Default)]
#[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "used by `postgres`"))]
pub struct IndexChange {
    /// Group key of the investigation before the change.
    pub(super) group: String,
    /// Search words that only the content before the change contains.
    pub(super) dropped: Vec<String>,
    /// Search words that only the content after the change contains.
    pub(super) added: Vec<String>,
}

impl Prepared {
    /// Prepares a change. `single_words` is true for PostgreSQL, which stores each search word in its own row, and
    /// therefore must know which words and groups change.
    pub(super) fn of(commit: Commit, single_words: bool) -> Result<Self, StoreError> {
        let Commit { base_revision, investigation, step, content_before, chat_entry, reports } = commit;
        let changed = investigation.content != content_before;
        let is_first = matches!(&step, Step::Record(record) if record.version == 1);
        let first_copy = is_first.then(|| to_json(&content_before)).transpose()?;
        let chat_row = chat_entry.as_ref().map(ChatRow::of).transpose()?;
        let snapshot = chat_row.as_ref().and_then(|chat_row| chat_row.snapshot.as_ref());
        let packed = snapshot.map(|snapshot| snapshot.packed()).transpose()?;
        let names = Names::of(&investigation.content);
        let index = Index::of(&investigation.content, &names, |_, _| true);
        let row = Row::with(Arc::clone(&investigation), &names, &index)?;
        let index_change =
            if single_words { IndexChange::before(&content_before, &row, &index) } else { IndexChange::default() };
        Ok(Self { base_revision, row, changed, step, first_copy, chat_row, packed, reports, index_change })
    }
}

impl IndexChange {
    /// Compares the search words before and after the change. Looks only at the changed fields, because an added or
    /// removed word is in one of them. If either content is too large to be indexed completely, looks at all fields: a
    /// change of one field can then add or remove indexed words of another field.
    fn before(before: &Content, row: &Row, index: &Index<'_>) -> Self {
        let after = &row.investigation.content;
        let cut = [before, after].iter().any(|content| index::may_be_cut(content::bytes(content)));
        let names = Names::of(before);
        let index_before = Index::of(before, &names, |field, value| cut || after.get(field) != Some(value));
        let old = index_before.words(|_| true);
        let new = index.words(|field| cut || after.get(field) != before.get(field));
        let all: BTreeSet<&str> = row.words.split_whitespace().collect();
        let owned = |words: BTreeSet<&str>| words.into_iter().map(str::to_owned).collect();
        Self { group: Keys::from(&names).group, dropped: owned(&old - &all), added: owned(&new - &old) }
    }
}
