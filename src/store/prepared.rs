//! A commit that is ready to be written. Preparing it does all work that costs CPU time and needs no store.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chat_row::ChatRow;
use super::row::{Row, to_json};
use super::{Commit, Reports, StoreError};
use crate::domain::content::{self, Content};
use crate::domain::history::Step;
use crate::domain::index::{self, Index};
use crate::domain::keys::{Keys, Names};

/// A decided change in the form of database rows.
#[derive(Debug)]
pub struct Prepared {
    pub(super) decided_on: u64,
    pub(super) row: Row,
    pub(super) changed: bool,
    pub(super) step: Step,
    /// Content before the first version record.
    pub(super) first_copy: Option<String>,
    pub(super) chat_row: Option<ChatRow>,
    /// Compressed snapshot of the chat entry.
    pub(super) packed: Option<Vec<u8>>,
    pub(super) reports: Reports,
    /// Changes to the search index.
    pub(super) found: Found,
}

/// Changes to the search index: the previous group, and the removed and added words.
#[derive(Debug, Default)]
pub struct Found {
    /// Group of the investigation before the change.
    pub(super) group: String,
    /// Words that are no longer in the content.
    pub(super) dropped: Vec<String>,
    /// Words that are new in the content.
    pub(super) added: Vec<String>,
}

impl Prepared {
    /// Prepares a commit. `single_words` is true for a backend that stores each group and word in a row of its own.
    pub(super) fn of(commit: Commit, single_words: bool) -> Result<Self, StoreError> {
        let Commit { decided_on, investigation, step, content_before, chat_entry, reports } = commit;
        let changed = investigation.content != content_before;
        let is_first = matches!(&step, Step::Record(record) if record.version == 1);
        let first_copy = is_first.then(|| to_json(&content_before)).transpose()?;
        let chat_row = chat_entry.as_ref().map(ChatRow::of).transpose()?;
        let snapshot = chat_row.as_ref().and_then(|chat_row| chat_row.snapshot.as_ref());
        let packed = snapshot.map(|snapshot| snapshot.packed()).transpose()?;
        let names = Names::of(&investigation.content);
        let index = Index::of(&investigation.content, &names, |_, _| true);
        let row = Row::with(Arc::clone(&investigation), &names, &index)?;
        let found = if single_words { Found::before(&content_before, &row, &index) } else { Found::default() };
        Ok(Self { decided_on, row, changed, step, first_copy, chat_row, packed, reports, found })
    }
}

impl Found {
    /// Compares the search words before and after the change. Reads changed fields only, because an added or removed
    /// word must be in one of them; a content that is too large to be indexed completely is compared as a whole.
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
