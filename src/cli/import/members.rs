//! Counts every member of imported documents as kept, mapped to another place, or reported. A member is a value that
//! contains no other value: a text, a number, a date, `true`, `null`, and also an empty object or array.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde_json::{Map, Value};

use crate::domain::path::{self, FieldPath};

/// What happened to a reported member, which is a value inside an imported document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The member is not stored.
    LeftOut,
    /// The member is not stored, because the service computes its value.
    Replaced,
    /// The member is stored in an unusual form, for example a number as a text.
    Altered,
}

/// Path pattern (`steps.*.text`), outcome and reason. The pattern has no array indexes, so that equal cases share a
/// note.
type Note = (String, Outcome, String);

/// Maximum number of notes. After that, new paths share the path `other paths`, with one note per outcome and reason.
const MAX_NOTES: usize = 10_000;

/// Counts of the members of one document or of all documents. At the end, `read` is `kept` + `mapped` + `reported`.
#[derive(Debug, Default)]
pub struct Account {
    pub read: u64,
    /// Number of members that are stored under their names.
    pub kept: u64,
    /// Number of members that are stored under another name or in another form.
    pub mapped: u64,
    /// Number of members that are not stored.
    pub reported: u64,
    /// Paths to which the field map moved members. A member that is kept there counts as mapped.
    pub moved: HashSet<FieldPath>,
    /// For each note, the number of lines that have it, and the place of the first, such as `12: steps.3.text`.
    notes: BTreeMap<Note, (u64, String)>,
}

impl Account {
    /// Creates the counts for a document. Counts its members in `read`; the other counts are zero.
    pub fn of(document: &Value) -> Self {
        Self { read: count(document), ..Self::default() }
    }

    /// Adds a note about a path, without counting members.
    pub fn note(&mut self, path: &FieldPath, outcome: Outcome, reason: impl Into<String>) {
        let pattern = path.segments().iter().map(|s| if path::index(s).is_some() { "*".into() } else { s.clone() });
        let pattern = FieldPath::from(pattern.collect::<Vec<_>>()).to_string();
        self.notes.entry((pattern, outcome, reason.into())).or_insert_with(|| (1, path.to_string()));
    }

    /// Adds a note for each member of `value`, and counts the members as reported.
    pub fn report(&mut self, path: &FieldPath, value: &Value, outcome: Outcome, reason: &str) {
        for_each(path, value, &mut |path, _| {
            self.reported += 1;
            self.note(path, outcome, reason);
        });
    }

    /// Adds the account of the document on `line`. If `line` is `None`, adds the account of a part of this document.
    pub fn add(&mut self, part: Self, line: Option<&str>) {
        self.read += part.read;
        self.kept += part.kept;
        self.mapped += part.mapped;
        self.reported += part.reported;
        for (mut note, (_, path)) in part.notes {
            if self.notes.len() >= MAX_NOTES && !self.notes.contains_key(&note) {
                note.0 = "other paths".to_owned();
            }
            let Some(line) = line else {
                self.notes.entry(note).or_insert((1, path));
                continue;
            };
            let first = if note.0 == path { line.to_owned() } else { format!("{line}: {path}") };
            self.notes.entry(note).or_insert((0, first)).0 += 1;
        }
    }

    /// Adds the account of a rejected document. All its members count as reported.
    pub fn add_rejected(&mut self, part: &Self) {
        self.read += part.read;
        self.reported += part.read;
    }

    /// Returns the number of notes about members that were left out.
    pub fn left_out(&self) -> usize {
        self.notes.keys().filter(|(_, outcome, _)| *outcome == Outcome::LeftOut).count()
    }

    /// Returns whether the field map moved a member to this path, or to a path that contains it.
    pub fn is_moved(&self, path: &FieldPath) -> bool {
        let mut path = path.clone();
        while !self.moved.is_empty() && !path.segments().is_empty() {
            if self.moved.contains(&path) {
                return true;
            }
            path.pop();
        }
        false
    }

    fn keep(&mut self, path: &FieldPath, value: &Value) {
        for_each(path, value, &mut |path, _| {
            let is_moved = self.is_moved(path);
            *(if is_moved { &mut self.mapped } else { &mut self.kept }) += 1;
        });
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((path, outcome, reason), (lines, first)) in &self.notes {
            let outcome = match outcome {
                Outcome::LeftOut => "left out of",
                Outcome::Replaced => "replaced in",
                Outcome::Altered => "altered in",
            };
            writeln!(f, "{path}: {outcome} {lines} lines, first line {first}: {reason}")?;
        }
        let Self { read, kept, mapped, reported, .. } = self;
        write!(f, "{read} members were read: {kept} were kept, {mapped} mapped and {reported} reported")
    }
}

/// Calls `visit` with each member of a value. A value of Extended JSON, such as `{"$oid": …}`, is one member.
pub fn for_each(path: &FieldPath, value: &Value, visit: &mut impl FnMut(&FieldPath, &Value)) {
    match value {
        Value::Object(object) if !object.is_empty() && !is_extended(object) => {
            object.iter().for_each(|(key, member)| for_each(&path.child(key.as_str()), member, visit));
        }
        Value::Array(array) if !array.is_empty() => {
            array.iter().enumerate().for_each(|(index, e)| for_each(&path.child(index.to_string()), e, visit));
        }
        member => visit(path, member),
    }
}

/// Returns the number of members of a value.
pub fn count(value: &Value) -> u64 {
    let mut count = 0;
    for_each(&FieldPath::root(), value, &mut |_, _| count += 1);
    count
}

fn has_members(value: &Value) -> bool {
    value.as_object().is_some_and(|object| !object.is_empty() && !is_extended(object))
}

/// Returns whether an object is a single value in Extended JSON, such as `{"$oid": …}`.
pub fn is_extended(object: &Map<String, Value>) -> bool {
    object.keys().next().is_some_and(|key| key.starts_with('$'))
}

/// The members of an object that were not taken yet. Taking a member counts it. On drop, the rest counts as left out.
pub struct Members<'a> {
    at: FieldPath,
    rest: Map<String, Value>,
    account: &'a mut Account,
    /// Why the members that are never taken are left out.
    pub reason: &'static str,
}

impl<'a> Members<'a> {
    /// Starts with all members of a document. `reason` says why the members that are never taken are left out.
    pub fn of(document: Map<String, Value>, account: &'a mut Account, reason: &'static str) -> Self {
        Self { at: FieldPath::root(), rest: document, account, reason }
    }

    /// Returns a member without taking it.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.rest.get(field)
    }

    /// Returns whether a note says that a member, or a part of it, was left out.
    pub fn is_lost(&self, field: &str) -> bool {
        self.account
            .notes
            .keys()
            .any(|(path, outcome, _)| *outcome == Outcome::LeftOut && path.split('.').next() == Some(field))
    }

    /// Takes a member that is stored under its name. Counts it as kept, or as mapped if the field map moved it.
    pub fn keep(&mut self, field: &str) -> Option<Value> {
        let value = self.rest.shift_remove(field)?;
        self.account.keep(&self.at.child(field), &value);
        Some(value)
    }

    /// Takes a member that is stored under another name or in another form. Counts it as mapped.
    pub fn map(&mut self, field: &str) -> Option<Value> {
        let value = self.rest.shift_remove(field)?;
        self.account.mapped += count(&value);
        Some(value)
    }

    /// `names` are separated by spaces. Returns the first name whose member satisfies `fits`.
    pub fn find<'n>(&self, names: &'n str, fits: impl Fn(&Value) -> bool) -> Option<&'n str> {
        names.split(' ').find(|name| self.get(name).is_some_and(&fits))
    }

    /// Takes a member that is stored under the first name in `names`. If `field` is another name, it counts as mapped.
    pub fn take(&mut self, field: &str, names: &str) -> Option<Value> {
        if names.split(' ').next() == Some(field) { self.keep(field) } else { self.map(field) }
    }

    /// Takes the first member in `names` that satisfies `fits`. This member is stored under the first name in `names`.
    pub fn take_first(&mut self, names: &str, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        self.find(names, fits).and_then(|field| self.take(field, names))
    }

    /// Takes a member and returns its parsed value. If `parse` fails, reports that the member is not `expected`. A null
    /// is not reported.
    pub fn read<T>(&mut self, field: &str, expected: &str, parse: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let value = self.get(field)?;
        let parsed = parse(value);
        if parsed.is_some() || value.is_null() {
            self.keep(field);
        } else {
            self.take_reported(field, Outcome::LeftOut, &format!("it is not {expected}"));
        }
        parsed
    }

    /// Adds a note that a member is stored in an unusual form. The member is neither taken nor counted.
    pub fn note(&mut self, field: &str, reason: &str) {
        self.account.note(&self.at.child(field), Outcome::Altered, reason);
    }

    /// Takes a member and counts it as reported.
    pub fn take_reported(&mut self, field: &str, outcome: Outcome, reason: &str) {
        if let Some(value) = self.rest.shift_remove(field) {
            self.account.report(&self.at.child(field), &value, outcome, reason);
        }
    }

    /// Takes all members whose names `wanted` accepts. Counts them as kept if `is_kept` is true, otherwise as mapped.
    pub fn take_matching(&mut self, wanted: impl Fn(&str) -> bool, is_kept: bool) -> Map<String, Value> {
        let all = std::mem::take(&mut self.rest).into_iter();
        let (taken, rest): (Map<_, _>, Map<_, _>) = all.partition(|(name, _)| wanted(name));
        self.rest = rest;
        for (name, value) in &taken {
            match is_kept {
                true => self.account.keep(&self.at.child(name.as_str()), value),
                false => self.account.mapped += count(value),
            }
        }
        taken
    }

    /// Takes a member that is a non-empty object, and returns the members of the object.
    pub fn take_object(&mut self, field: &str, reason: &'static str) -> Option<Members<'_>> {
        self.get(field).filter(|value| has_members(value))?;
        let Some(Value::Object(rest)) = self.rest.shift_remove(field) else { return None };
        Some(Members { at: self.at.child(field), rest, account: self.account, reason })
    }

    /// Takes an array, and calls `take` with the members of each non-empty object in it. Leaves out the other elements.
    pub fn take_elements<T>(
        &mut self,
        field: &str,
        reason: &'static str,
        mut take: impl FnMut(&FieldPath, Members<'_>) -> T,
    ) -> Vec<T> {
        let (at, mut taken) = (self.at.child(field), Vec::new());
        let elements = if self.get(field).is_some_and(Value::is_array) { self.rest.shift_remove(field) } else { None };
        let Some(Value::Array(elements)) = elements else { return taken };
        // An empty array has no elements, but counts as a member.
        self.account.mapped += u64::from(elements.is_empty());
        for (index, element) in elements.into_iter().enumerate() {
            let at = at.child(index.to_string());
            match element {
                Value::Object(rest) if !rest.is_empty() && !is_extended(&rest) => {
                    taken.push(take(&at, Members { at: at.clone(), rest, account: self.account, reason }));
                }
                other => self.account.report(&at, &other, Outcome::LeftOut, reason),
            }
        }
        taken
    }
}

impl Drop for Members<'_> {
    fn drop(&mut self) {
        for (field, value) in std::mem::take(&mut self.rest) {
            self.account.report(&self.at.child(field), &value, Outcome::LeftOut, self.reason);
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/import/members.rs"]
mod tests;
