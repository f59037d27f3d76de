//! Copies a whole store to another store, and compares two stores. Each investigation is copied in one transaction. API
//! keys, the audit log and the cached findings of a language model are copied as well. The trash, events, stored
//! answers to requests with an idempotency key, and the token secret are not copied.
//!
//! An interrupted copy can be started again. The new copy skips investigations that are already equal in both stores.

mod api_keys;
mod audit;

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::{Detection, InvestigationSnapshot, Store, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::list::ListQuery;

/// Number of investigation ids per query.
const IDS: u32 = 1000;

/// Number of cached findings per query.
const DETECTIONS: u32 = 200;

/// Reason why stores could not be copied or compared, as a sentence for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MoveError(pub String);

/// What [`copy`] copied and skipped.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// Number of investigations that the target did not have.
    pub new: u64,
    /// Number of investigations that replaced an older state in the target.
    pub replaced: u64,
    /// Number of investigations that were already equal in the target.
    pub skipped: u64,
    /// Number of API keys that the target did not have, or had in another state.
    pub api_keys: u64,
    /// Number of entries of the audit log that the target did not have.
    pub audit_entries: u64,
    /// Number of cached findings of a language model that were copied.
    pub detections: u64,
}

/// What [`compare`] compared, and how many differences there are.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// Number of investigations that are in at least one of the stores.
    pub investigations: u64,
    /// Number of API keys that are in at least one of the stores.
    pub api_keys: u64,
    /// Number of entries of the audit log that are in at least one of the stores.
    pub audit_entries: u64,
    /// Number of cached findings of a language model in the source.
    pub detections: u64,
    /// Number of differences.
    pub differences: u64,
}

/// Copies a store to another store. After each investigation, calls `progress` with the number of finished
/// investigations and the total number. Writes nothing if the target has an investigation, a newer revision, an API key
/// or an entry of the audit log that the source lacks.
///
/// # Errors
/// [`MoveError`] if a store fails, or if the target has data that must not be overwritten. Investigations that were
/// already copied stay in the target, and the next call skips them.
pub async fn copy(from: &Store, to: &Store, mut progress: impl FnMut(u64, u64)) -> Result<Copied, MoveError> {
    let total = check_target(from, to).await?;
    let keys = api_keys::to_copy(from, to).await?;
    audit::check_target(from, to).await?;
    let mut copied = Copied::default();
    let mut ids = Ids::of(from);
    while let Some((id, _)) = ids.next().await.map_err(of_source)? {
        // `None` if the investigation was deleted after its id was read.
        if let Some(new) = from.whole(id).await.map_err(|e| of_one(id, "source", &e))? {
            let old = to.whole(id).await.map_err(|e| of_one(id, "target", &e))?;
            if old.as_ref() == Some(&new) {
                copied.skipped += 1;
            } else {
                match &old {
                    Some(old) => {
                        check_older(old, &new)?;
                        copied.replaced += 1;
                    }
                    None => copied.new += 1,
                }
                to.put_snapshot(new).await.map_err(|e| of_one(id, "target", &e))?;
            }
        }
        progress(copied.new + copied.replaced + copied.skipped, total);
    }
    copied.api_keys = keys.len() as u64;
    for key in keys {
        to.put_api_key(key).await.map_err(of_target)?;
    }
    copied.audit_entries = audit::copy(from, to).await?;
    let mut last = i64::MIN;
    loop {
        let (missing, known) = detections_after(from, to, &mut last).await?;
        if missing.is_empty() && known == 0 {
            return Ok(copied);
        }
        copied.detections += missing.len() as u64;
        to.put_detections(missing).await.map_err(of_target)?;
    }
}

/// Compares two stores. Calls `report` with a sentence about each difference. Ignores cached findings that only the
/// target has.
///
/// # Errors
/// [`MoveError`] if one of the stores cannot be read.
pub async fn compare(from: &Store, to: &Store, mut report: impl FnMut(&str)) -> Result<Compared, MoveError> {
    let mut compared = Compared::default();
    let mut differs = |compared: &mut Compared, difference: String| {
        compared.differences += 1;
        report(&difference);
    };
    let (mut sources, mut targets) = (Ids::of(from), Ids::of(to));
    loop {
        let (source, target) = next_of_both(&mut sources, &mut targets).await?;
        let Some(id) = source.or(target).map(|(id, _)| id) else { break };
        compared.investigations += 1;
        let one = from.whole(id).await.map_err(|e| of_one(id, "source", &e))?;
        let other = to.whole(id).await.map_err(|e| of_one(id, "target", &e))?;
        match (one, other) {
            (Some(one), Some(other)) if one != other => {
                let parts = one.differences(&other).join(", ");
                differs(&mut compared, format!("the investigation {id} differs: {parts}"));
            }
            (Some(_), None) => differs(&mut compared, format!("the investigation {id} is missing in the target")),
            (None, Some(_)) => differs(&mut compared, format!("the investigation {id} exists only in the target")),
            _ => {}
        }
    }
    compared.api_keys = api_keys::compare(from, to, |difference| differs(&mut compared, difference)).await?;
    compared.audit_entries = audit::compare(from, to, |difference| differs(&mut compared, difference)).await?;
    let mut last = i64::MIN;
    loop {
        let (missing, known) = detections_after(from, to, &mut last).await?;
        if missing.is_empty() && known == 0 {
            break;
        }
        compared.detections += missing.len() as u64 + known;
        for Detection { key, .. } in missing {
            differs(&mut compared, format!("what a language model found differs under the key {key}"));
        }
    }
    for (store, side) in [(from, "source"), (to, "target")] {
        for id in store.wrongly_indexed().await.map_err(|e| MoveError(format!("the {side}: {e}")))? {
            differs(
                &mut compared,
                format!("the {side} does not find the investigation {id} by the words of its content"),
            );
        }
    }
    if groups(from).await.map_err(of_source)? != groups(to).await.map_err(of_target)? {
        differs(&mut compared, "the counts of the groups in the list are not the same".to_owned());
    }
    Ok(compared)
}

/// Checks that every investigation of the target is also in the source, in the same or a newer revision. Returns the
/// number of investigations in the source.
async fn check_target(from: &Store, to: &Store) -> Result<u64, MoveError> {
    let (mut total, mut unexpected, mut newer) = (0, Examples::default(), Examples::default());
    let (mut sources, mut targets) = (Ids::of(from), Ids::of(to));
    loop {
        match next_of_both(&mut sources, &mut targets).await? {
            (Some((id, revision)), target) => {
                total += 1;
                if target.is_some_and(|(_, there)| there > revision) {
                    newer.add(id);
                }
            }
            (None, Some((id, _))) => unexpected.add(id),
            (None, None) => break,
        }
    }
    if let Some(shown) = unexpected.shown() {
        return Err(MoveError(format!(
            "the target has investigations that the source does not have: {shown}; delete them there, also where they were deleted in the source since an earlier copy, or choose an empty target"
        )));
    }
    if let Some(shown) = newer.shown() {
        return Err(MoveError(format!(
            "the target has investigations in a newer revision than the source: {shown}; it has been written to since an earlier copy: copy the other way, or choose an empty target"
        )));
    }
    Ok(total)
}

/// Checks that `new` (from the source) may replace `old` (in the target). Replacing must lose no work: `old` must not
/// have a higher revision, other data at the same revision, or links or visits that `new` lacks.
fn check_older(old: &InvestigationSnapshot, new: &InvestigationSnapshot) -> Result<(), MoveError> {
    let id = new.id();
    match old.revision().cmp(&new.revision()) {
        Ordering::Greater => {
            return Err(MoveError(format!(
                "the target has the investigation {id} in a newer revision than the source"
            )));
        }
        Ordering::Equal => {
            let differences = old.differences_except_links(new);
            if !differences.is_empty() {
                return Err(MoveError(format!(
                    "the investigation {id} has the same revision in both, but differs: {}; see which is right, and delete it in the target to have it copied",
                    differences.join(", ")
                )));
            }
        }
        Ordering::Less => {}
    }
    let beyond = old.links_ahead_of(new);
    if beyond.is_empty() {
        return Ok(());
    }
    Err(MoveError(format!(
        "the target has links of the investigation {id}, or visits of them, that the source does not have: {}; delete those links there, also where they were deleted in the source since an earlier copy, or choose an empty target",
        beyond.join(", ")
    )))
}

/// Reads up to [`DETECTIONS`] cached findings of the source after the number `last`, and moves `last` behind them.
/// Returns the findings that are missing or different in the target, and the number of equal findings. Returns an empty
/// list and 0 at the end.
async fn detections_after(from: &Store, to: &Store, last: &mut i64) -> Result<(Vec<Detection>, u64), MoveError> {
    let next = from.detections_after(*last, DETECTIONS).await.map_err(of_source)?;
    *last = next.last().map_or(*last, |detection| detection.number);
    let keys = next.iter().map(|detection| detection.key.clone()).collect();
    let known = to.detections_of(keys).await.map_err(of_target)?;
    let all = next.len();
    let missing: Vec<Detection> =
        next.into_iter().filter(|detection| known.get(&detection.key) != Some(&detection.findings)).collect();
    let there = (all - missing.len()) as u64;
    Ok((missing, there))
}

/// Returns the curriculum and the number of investigations of each group, from the table of stored counts.
async fn groups(store: &Store) -> Result<Vec<(Option<String>, u64)>, StoreError> {
    let query = ListQuery::read(&[("limit".to_owned(), "1".to_owned())]);
    let query = query.map_err(|violations| StoreError::Failed(format!("{violations:?}")))?;
    Ok(store.list(query).await?.groups)
}

/// Iterator over the ids and revisions of the investigations of a store, in the order of the ids.
struct Ids<'s> {
    store: &'s Store,
    fetched: VecDeque<(ObjectId, u64)>,
    last: Option<ObjectId>,
}

impl<'s> Ids<'s> {
    fn of(store: &'s Store) -> Self {
        Self { store, fetched: VecDeque::new(), last: None }
    }

    /// Returns the next id and revision, without consuming them.
    async fn peek(&mut self) -> Result<Option<(ObjectId, u64)>, StoreError> {
        if self.fetched.is_empty() {
            self.fetched = self.store.ids_after(self.last, IDS).await?.into();
        }
        Ok(self.fetched.front().copied())
    }

    async fn next(&mut self) -> Result<Option<(ObjectId, u64)>, StoreError> {
        let next = self.peek().await?;
        self.fetched.pop_front();
        self.last = next.map_or(self.last, |(id, _)| Some(id));
        Ok(next)
    }
}

/// Consumes the lowest remaining id of the two stores. Returns the id with its revision for each store; `None` for a
/// store that lacks the investigation. At the end, both are `None`.
async fn next_of_both(
    sources: &mut Ids<'_>,
    targets: &mut Ids<'_>,
) -> Result<(Option<(ObjectId, u64)>, Option<(ObjectId, u64)>), MoveError> {
    let source = sources.peek().await.map_err(of_source)?;
    let target = targets.peek().await.map_err(of_target)?;
    let first = source.into_iter().chain(target).map(|(id, _)| id).min();
    let at_first = |next: Option<(ObjectId, u64)>| next.filter(|(id, _)| Some(*id) == first);
    let (source, target) = (at_first(source), at_first(target));
    if source.is_some() {
        sources.next().await.map_err(of_source)?;
    }
    if target.is_some() {
        targets.next().await.map_err(of_target)?;
    }
    Ok((source, target))
}

fn of_source(error: StoreError) -> MoveError {
    MoveError(format!("the source: {error}"))
}

fn of_target(error: StoreError) -> MoveError {
    MoveError(format!("the target: {error}"))
}

fn of_one(id: ObjectId, side: &str, error: &StoreError) -> MoveError {
    MoveError(format!("the investigation {id} in the {side}: {error}"))
}

/// Number of ids, and the first three of them, for an error message.
#[derive(Default)]
struct Examples {
    first: Vec<String>,
    count: usize,
}

impl Examples {
    fn add(&mut self, id: ObjectId) {
        self.count += 1;
        if self.first.len() < 3 {
            self.first.push(id.to_string());
        }
    }

    fn shown(&self) -> Option<String> {
        let more = self.count - self.first.len();
        match (self.count, more) {
            (0, _) => None,
            (_, 0) => Some(self.first.join(", ")),
            _ => Some(format!("{} and {more} more", self.first.join(", "))),
        }
    }
}
