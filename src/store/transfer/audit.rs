//! Copies and compares the audit logs of two stores. Entries keep their numbers, so that their order stays the same and
//! a repeated copy adds no entry twice.

use std::collections::VecDeque;

use super::{MoveError, Store, StoreError, of_source, of_target};
use crate::domain::audit::AuditEntry;
use crate::domain::page::{AuditPosition, PageRequest};

/// Number of entries per query, and per transaction.
const ENTRIES: u32 = 1000;

/// Checks that each entry of the target is also in the source, unchanged.
pub async fn check_target(from: &Store, to: &Store) -> Result<(), MoveError> {
    let mut pairs = Pairs::of(from, to);
    while let Some(pair) = pairs.next().await? {
        if let (source, Some(target)) = (pair.source, pair.target)
            && source.as_ref() != Some(&target)
        {
            return Err(MoveError(format!(
                "the audit log of the target has entries that the source does not have, the newest of {}; the target has been written to since an earlier copy: copy the other way, or choose an empty target",
                target.at
            )));
        }
    }
    Ok(())
}

/// Copies the entries that the target lacks, and returns their number.
///
/// # Errors
/// [`MoveError`] if a store fails. Entries that were already copied stay in the target.
pub async fn copy(from: &Store, to: &Store) -> Result<u64, MoveError> {
    let mut pairs = Pairs::of(from, to);
    let (mut missing, mut count) = (Vec::new(), 0);
    loop {
        let pair = pairs.next().await?;
        let is_last = pair.is_none();
        if let Some(Pair { place, source: Some(entry), target: None }) = pair {
            missing.push((place, entry));
        }
        if missing.len() == ENTRIES as usize || is_last && !missing.is_empty() {
            count += missing.len() as u64;
            to.put_audit(std::mem::take(&mut missing)).await.map_err(of_target)?;
        }
        if is_last {
            return Ok(count);
        }
    }
}

/// Compares the logs of two stores. Returns the number of entries that are in at least one of them.
///
/// # Errors
/// [`MoveError`] if the log of a store cannot be read.
pub async fn compare(from: &Store, to: &Store, mut differs: impl FnMut(String)) -> Result<u64, MoveError> {
    let mut pairs = Pairs::of(from, to);
    let mut count = 0;
    while let Some(Pair { place, source, target }) = pairs.next().await? {
        count += 1;
        let how = match (&source, &target) {
            (Some(source), Some(target)) if source == target => continue,
            (Some(_), Some(_)) => "differs",
            (_, None) => "is missing in the target",
            (None, _) => "exists only in the target",
        };
        let at = source.or(target).map(|entry| entry.at.to_string()).unwrap_or_default();
        differs(format!("the entry {} of the audit log, of {at}, {how}", place.number));
    }
    Ok(count)
}

/// The entries with the same number in two logs; `None` for a log without such an entry.
struct Pair {
    place: AuditPosition,
    source: Option<AuditEntry>,
    target: Option<AuditEntry>,
}

/// Iterator over the entries of two logs, in pairs with the same number, newest first.
struct Pairs<'s> {
    source: Log<'s>,
    target: Log<'s>,
}

impl<'s> Pairs<'s> {
    fn of(from: &'s Store, to: &'s Store) -> Self {
        Self { source: Log::of(from), target: Log::of(to) }
    }

    async fn next(&mut self) -> Result<Option<Pair>, MoveError> {
        let source = self.source.peek().await.map_err(of_source)?;
        let target = self.target.peek().await.map_err(of_target)?;
        let Some(number) = source.max(target) else { return Ok(None) };
        let place = AuditPosition { number };
        Ok(Some(Pair { place, source: self.source.take(place), target: self.target.take(place) }))
    }
}

/// A log that is read page by page, newest entries first. Ignores entries added after the first page was read.
struct Log<'s> {
    store: &'s Store,
    fetched: VecDeque<(AuditPosition, AuditEntry)>,
    /// The request for the next page; `None` after the last page.
    next: Option<PageRequest<AuditPosition>>,
}

impl<'s> Log<'s> {
    fn of(store: &'s Store) -> Self {
        Self { store, fetched: VecDeque::new(), next: Some(PageRequest::first(ENTRIES)) }
    }

    /// Returns the number of the next entry, without consuming the entry; `None` at the end.
    async fn peek(&mut self) -> Result<Option<i64>, StoreError> {
        if let (true, Some(wanted)) = (self.fetched.is_empty(), self.next) {
            let page = self.store.audit(None, wanted).await?;
            let after = page.entries.last().map(|(place, _)| *place);
            self.next = page.has_more.then_some(PageRequest { after, ..wanted });
            self.fetched = page.entries.into();
        }
        Ok(self.fetched.front().map(|(place, _)| place.number))
    }

    /// Consumes and returns the next entry if it has the number in `place`.
    fn take(&mut self, place: AuditPosition) -> Option<AuditEntry> {
        self.fetched.pop_front_if(|(next, _)| *next == place).map(|(_, entry)| entry)
    }
}
