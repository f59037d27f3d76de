//! The history of one value, computed from the version records.
//!
//! A record that replaces the whole value, or an object or array around it, contains the value before and after. Other
//! records contain only the changed parts of the value. So two copies of the value are rebuilt while the records are
//! read, newest first: one for the versions that are not undone, and one for the branches of undone versions. Only this
//! value is rebuilt, never the whole content, and no part of the history is read twice.

use serde_json::Value;

use super::change::{self, Change, ChangeError};
use super::history::{FieldChange, VersionRecord};
use super::path::FieldPath;

/// Effect of a version record on the value at a path.
#[derive(Debug)]
pub enum Effect {
    /// The record does not change the value.
    Nothing,
    /// The record contains the whole value before and after the change.
    Values(FieldChange),
    /// The record changes parts of the value. The paths of these changes are relative to the value.
    Parts(Vec<Change>),
}

impl Effect {
    /// Returns the effect that the changes of one record have on the value at `path`.
    ///
    /// # Errors
    /// [`ChangeError`] if the changes contradict each other.
    pub fn on(path: &FieldPath, changes: Vec<Change>) -> Result<Self, ChangeError> {
        let (mut values, mut parts): (Option<FieldChange>, _) = (None, Vec::new());
        for change in changes {
            if change.path.is_prefix_of(path) {
                let below = FieldPath::from(path.segments()[change.path.segments().len()..].to_vec());
                let before = match values.take() {
                    None => revert(at(change.before, &below), &parts, path)?,
                    Some(earlier) => earlier.before,
                };
                values = Some(FieldChange { before, after: at(change.after, &below) });
                parts.clear();
            } else if path.is_prefix_of(&change.path) {
                let within = FieldPath::from(change.path.segments()[path.segments().len()..].to_vec());
                parts.push(Change { path: within, ..change });
            }
        }
        Ok(match values {
            Some(FieldChange { before, after }) => {
                Self::Values(FieldChange { before, after: apply(after, &parts, path)? })
            }
            None if parts.is_empty() => Self::Nothing,
            None => Self::Parts(parts),
        })
    }
}

fn at(value: Option<Value>, path: &FieldPath) -> Option<Value> {
    if path.segments().is_empty() { value } else { path.get(value.as_ref()?).cloned() }
}

fn apply(value: Option<Value>, parts: &[Change], path: &FieldPath) -> Result<Option<Value>, ChangeError> {
    if parts.is_empty() {
        return Ok(value);
    }
    change::apply(value.ok_or_else(|| ChangeError(path.clone()))?, parts).map(Some)
}

fn revert(value: Option<Value>, parts: &[Change], path: &FieldPath) -> Result<Option<Value>, ChangeError> {
    if parts.is_empty() {
        return Ok(value);
    }
    change::revert(value.ok_or_else(|| ChangeError(path.clone()))?, parts).map(Some)
}

/// A version and its ancestors, back to the nearest version whose whole content is stored (the full copy).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The versions after the full copy, newest first; empty if there are none.
    pub versions: Vec<u64>,
    /// The version of the full copy.
    pub copy: u64,
}

impl Line {
    fn version(&self) -> u64 {
        self.versions.first().copied().unwrap_or(self.copy)
    }
}

/// Direction in which a record is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Backwards: from the value after the record to the value before it.
    Backward,
    /// Forwards: from the value before the record to the value after it.
    Forward,
}

/// A plan to rebuild the value at another version: where to start, and which records to apply or revert.
#[derive(Debug, PartialEq, Eq)]
pub struct RebuildPlan {
    /// Version of the full copy to start from; `None` to start from the most recently rebuilt value.
    pub copy: Option<u64>,
    /// Versions of the records, in order, with the direction. Records that did not change the field can be skipped.
    pub records: Vec<(u64, Direction)>,
}

/// The value at a path in one version.
#[derive(Debug)]
pub struct ValueAt {
    path: FieldPath,
    /// The version of the value, and its ancestors; `None` before the first version was read.
    line: Option<Line>,
    value: Option<Value>,
}

impl ValueAt {
    /// Creates an instance without a value, to be used before the first version is read.
    pub fn new(path: FieldPath) -> Self {
        Self { path, line: None, value: None }
    }

    /// Returns the value; `None` if the document has no value at the path in this version.
    pub fn into_value(self) -> Option<Value> {
        self.value
    }

    fn is_at(&self, version: u64) -> bool {
        self.line.as_ref().is_some_and(|line| line.version() == version)
    }

    /// Moves back to `version`: removes the newer versions from the line, and returns them, newest first. The caller
    /// must revert their records to get the value at `version`. Returns `None` if the line does not contain `version`.
    pub fn records_back_to(&mut self, version: u64) -> Option<Vec<u64>> {
        let line = self.line.as_mut()?;
        let above = match line.versions.iter().position(|at| *at == version) {
            Some(above) => above,
            None if line.copy == version => line.versions.len(),
            None => return None,
        };
        Some(line.versions.drain(..above).collect())
    }

    /// Moves to the newest version of the line `to`, and returns the plan for rebuilding the value at this version. If
    /// the previous line had the same full copy as `to`, the plan starts from the current value. Otherwise, the plan
    /// starts from the full copy of `to`. A line is a version with its ancestors, see [`Line`].
    pub fn plan_to(&mut self, to: Line) -> RebuildPlan {
        let shared = match &self.line {
            Some(from) if from.copy == to.copy => {
                let pairs = from.versions.iter().rev().zip(to.versions.iter().rev());
                Some((from, pairs.take_while(|(one, other)| one == other).count()))
            }
            _ => None,
        };
        let forth = |versions: &[u64]| versions.iter().rev().map(|version| (*version, Direction::Forward)).collect();
        let plan = match shared {
            Some((from, shared)) => {
                let back = from.versions[..from.versions.len() - shared].iter();
                let mut records: Vec<_> = back.map(|version| (*version, Direction::Backward)).collect();
                records.extend::<Vec<_>>(forth(&to.versions[..to.versions.len() - shared]));
                RebuildPlan { copy: None, records }
            }
            None => RebuildPlan { copy: Some(to.copy), records: forth(&to.versions) },
        };
        self.line = Some(to);
        plan
    }

    fn go_back_to(&mut self, parent: u64, value: Option<Value>) {
        self.value = value;
        if let Some(line) = &mut self.line {
            if line.versions.is_empty() {
                // The parent version is older than the full copy from which the value was rebuilt. From now on, the
                // value at the parent version serves as the full copy.
                line.copy = parent;
            } else {
                line.versions.remove(0);
            }
        }
    }

    /// Takes the value at the path from `field`, the value of the top-level field that contains the path.
    pub fn begin(&mut self, field: Option<Value>) {
        let below = self.path.segments().get(1..).unwrap_or_default();
        self.value = at(field, &FieldPath::from(below.to_vec()));
    }

    /// Applies or reverts the changes of one record.
    pub fn take(&mut self, changes: Vec<Change>, direction: Direction) -> Result<(), ChangeError> {
        self.value = match (Effect::on(&self.path, changes)?, direction) {
            (Effect::Nothing, _) => return Ok(()),
            (Effect::Values(values), Direction::Backward) => values.before,
            (Effect::Values(values), Direction::Forward) => values.after,
            (Effect::Parts(parts), Direction::Backward) => revert(self.value.take(), &parts, &self.path)?,
            (Effect::Parts(parts), Direction::Forward) => apply(self.value.take(), &parts, &self.path)?,
        };
        Ok(())
    }
}

/// State of reading the history of one value. Records that changed the value's field are read, newest first.
#[derive(Debug)]
pub struct FieldWalk {
    path: FieldPath,
    /// The value before the most recently read record that is not undone.
    current: Option<Value>,
    /// The value in a version on a branch of undone versions. [`FieldWalk::needs`] tells the caller when to rebuild it.
    pub side_branch: ValueAt,
}

impl FieldWalk {
    /// Starts reading. `current` is the value at the newest version of the requested range, ignoring undone versions.
    pub fn new(path: FieldPath, current: Option<Value>) -> Self {
        Self { side_branch: ValueAt::new(path.clone()), path, current }
    }

    /// Returns the effect of `record` on the value. Moves the changes out of `record`.
    pub fn effect(&self, record: &mut VersionRecord) -> Result<Effect, ChangeError> {
        Effect::on(&self.path, std::mem::take(&mut record.changes))
    }

    /// Returns the version at which the caller must rebuild [`FieldWalk::side_branch`] before it calls
    /// [`FieldWalk::take`] for this record; `None` if no rebuilding is necessary.
    pub fn needs(&self, record: &VersionRecord, effect: &Effect) -> Option<u64> {
        let at_hand = self.side_branch.is_at(record.version) || self.side_branch.is_at(record.parent);
        (record.undone && matches!(effect, Effect::Parts(_)) && !at_hand).then_some(record.parent)
    }

    /// Processes the next record and returns the change of the value; `None` if the value did not change.
    pub fn take(&mut self, record: &VersionRecord, effect: Effect) -> Result<Option<FieldChange>, ChangeError> {
        let change = match effect {
            Effect::Nothing => return Ok(None),
            Effect::Values(change) => {
                if !record.undone {
                    self.current = change.before.clone();
                } else if self.side_branch.is_at(record.version) {
                    self.side_branch.go_back_to(record.parent, change.before.clone());
                }
                change
            }
            Effect::Parts(parts) if !record.undone => {
                let after = self.current.clone();
                self.current = revert(self.current.take(), &parts, &self.path)?;
                FieldChange { before: self.current.clone(), after }
            }
            Effect::Parts(parts) if self.side_branch.is_at(record.version) => {
                let after = self.side_branch.value.clone();
                let before = revert(self.side_branch.value.take(), &parts, &self.path)?;
                self.side_branch.go_back_to(record.parent, before.clone());
                FieldChange { before, after }
            }
            Effect::Parts(parts) => {
                let before = self.side_branch.value.clone();
                FieldChange { after: apply(before.clone(), &parts, &self.path)?, before }
            }
        };
        Ok(change.if_any())
    }
}
