//! The history of a field as read from version records, compared with the contents of all versions.

use std::collections::{BTreeMap, BTreeSet};

use fieldbook::domain::change::{self, Change};
use fieldbook::domain::content::Content;
use fieldbook::domain::field_history::{Direction, FieldWalk, Line, RebuildPlan, ValueAt};
use fieldbook::domain::history::{FieldChange, Kind, VersionRecord};
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::time::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The number of records between two full copies on a branch.
const RECORDS_PER_COPY: usize = 3;

/// A history that keeps the content of every version, and counts how many copies and records are read.
struct FullHistory {
    records: Vec<VersionRecord>,
    contents: Vec<Content>,
    copies: BTreeSet<u64>,
    copies_read: usize,
    records_read: usize,
}

#[derive(Debug, Clone)]
enum Move {
    Edit(Content),
    Undo,
    Redo,
}

impl FullHistory {
    fn of(first: Content, moves: Vec<Move>) -> Self {
        let (mut records, mut contents, mut at) = (Vec::<VersionRecord>::new(), vec![first], 0_usize);
        let mut since_copy = vec![0];
        for step in moves {
            match step {
                Move::Edit(content) => {
                    let changes = change::diff_objects(&contents[at], &content);
                    if changes.is_empty() {
                        continue;
                    }
                    let version = records.len() as u64 + 1;
                    records.push(VersionRecord {
                        version,
                        parent: at as u64,
                        kind: Kind::Update,
                        at: Timestamp(0),
                        by: None,
                        with_ai: false,
                        undone: true,
                        changes,
                        name: None,
                    });
                    contents.push(content);
                    since_copy.push((since_copy[at] + 1) % RECORDS_PER_COPY);
                    at = version as usize;
                }
                Move::Undo if at > 0 => at = records[at - 1].parent as usize,
                Move::Undo => {}
                Move::Redo => {
                    let child = records.iter().rfind(|record| record.parent == at as u64);
                    at = child.map_or(at, |child| child.version as usize);
                }
            }
        }
        while at > 0 {
            records[at - 1].undone = false;
            at = records[at - 1].parent as usize;
        }
        let copies = (0..).zip(since_copy).filter(|(_, since)| *since == 0).map(|(version, _)| version).collect();
        Self { records, contents, copies, copies_read: 0, records_read: 0 }
    }

    fn line(&self, mut version: u64) -> Line {
        let mut versions = Vec::new();
        while !self.copies.contains(&version) {
            versions.push(version);
            version = self.records[version as usize - 1].parent;
        }
        Line { versions, copy: version }
    }

    fn changes(&mut self, version: u64) -> Vec<Change> {
        self.records_read += 1;
        self.records[version as usize - 1].changes.clone()
    }

    fn move_to(&mut self, path: &FieldPath, value: &mut ValueAt, version: u64) {
        let way = match value.records_back_to(version) {
            Some(back) => back.into_iter().map(|version| (version, Direction::Backward)).collect(),
            None => {
                let RebuildPlan { copy, records } = value.plan_to(self.line(version));
                if let Some(copy) = copy {
                    self.copies_read += 1;
                    let field = path.field().expect("a field");
                    value.begin(self.contents[copy as usize].get(field).cloned());
                }
                records
            }
        };
        for (version, direction) in way {
            value.take(self.changes(version), direction).expect("a record that fits");
        }
    }

    /// Returns the entries of the history below a version, read from records as the stores read them.
    fn walked(&mut self, path: &FieldPath, before: u64) -> Vec<(u64, FieldChange)> {
        let below: Vec<_> = self.records.iter().filter(|record| record.version < before).cloned().collect();
        let newest = below.iter().rfind(|record| !record.undone).map_or(0, |record| record.version);
        let mut start = ValueAt::new(path.clone());
        self.move_to(path, &mut start, newest);
        let mut walk = FieldWalk::new(path.clone(), start.into_value());
        let mut entries = Vec::new();
        for mut record in below.into_iter().rev() {
            let effect = walk.effect(&mut record).expect("changes of one record");
            if let Some(version) = walk.needs(&record, &effect) {
                self.move_to(path, &mut walk.side_branch, version);
            }
            entries.extend(walk.take(&record, effect).expect("it fits").map(|change| (record.version, change)));
        }
        entries
    }

    /// Returns the same entries as [`Self::walked`], computed from the content of every version.
    fn compared(&self, path: &FieldPath, before: u64) -> Vec<(u64, FieldChange)> {
        let value = |version: u64| path.get_in(&self.contents[version as usize]).cloned();
        let below = self.records.iter().rev().filter(|record| record.version < before);
        let entry = |record: &VersionRecord| {
            let change = FieldChange { before: value(record.parent), after: value(record.version) };
            change.if_any().map(|change| (record.version, change))
        };
        below.filter_map(entry).collect()
    }

    /// Returns every path that has a value in some version.
    fn paths(&self) -> BTreeSet<FieldPath> {
        let mut paths = BTreeSet::new();
        for content in &self.contents {
            collect(&FieldPath::root(), &Value::Object(content.clone()), &mut paths);
        }
        paths.remove(&FieldPath::root());
        paths
    }
}

fn collect(path: &FieldPath, value: &Value, paths: &mut BTreeSet<FieldPath>) {
    paths.insert(path.clone());
    match value {
        Value::Object(object) => object.iter().for_each(|(key, v)| collect(&path.child(key.as_str()), v, paths)),
        Value::Array(array) => {
            array.iter().enumerate().for_each(|(i, v)| collect(&path.child(i.to_string()), v, paths));
        }
        _ => {}
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), (0..4_i32).prop_map(Value::from), "[a-c]{0,2}".prop_map(Value::from)];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let objects = prop::collection::vec(("[a-c]|0|1", inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::Array),
            objects.prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn contents() -> impl Strategy<Value = Content> {
    let field = prop_oneof![2 => (0..3_i32).prop_map(Value::from), 3 => values()];
    prop::collection::btree_map("[ab]", field, 0..3).prop_map(|fields: BTreeMap<_, _>| Map::from_iter(fields))
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![4 => contents().prop_map(Move::Edit), 3 => Just(Move::Undo), 1 => Just(Move::Redo)];
    prop::collection::vec(one, 0..24)
}

fn text(entries: &[(u64, FieldChange)]) -> Vec<String> {
    let side = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
    entries.iter().map(|(n, change)| format!("{n}: {} -> {}", side(&change.before), side(&change.after))).collect()
}

proptest! {
    #[test]
    fn field_history_is_the_same_from_change_records_and_from_full_contents(
        first in contents(),
        moves in moves(),
        cut in 1_u64..24,
    ) {
        let mut kept = FullHistory::of(first, moves);
        for path in kept.paths() {
            for before in [u64::MAX, cut] {
                let walked = kept.walked(&path, before);
                prop_assert_eq!(text(&walked), text(&kept.compared(&path, before)), "{} below {}", path, before);
            }
        }
    }
}

fn object(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

#[test]
fn field_history_with_a_thousand_undone_changes_reads_at_most_three_full_copies() {
    let edit = |n: usize| Move::Edit(object(json!({"v": {"kept": 0, "n": n}, "large": [0, 1, 2]})));
    // One edit is the current version. It has 500 branches of two edits each, and every branch is undone.
    let branch = |n: usize| [edit(2 * n), edit(2 * n + 1), Move::Undo, Move::Undo];
    let moves = std::iter::once(edit(0)).chain((1..=500).flat_map(branch)).collect();
    let mut kept = FullHistory::of(object(json!({"v": {"kept": 0}})), moves);
    assert_eq!(kept.walked(&FieldPath::parse("v.n"), u64::MAX).len(), 1001);
    assert_eq!((kept.copies_read, kept.records_read), (1, 1), "a leaf is read from its own records");
    kept.records_read = 0;
    assert_eq!(kept.walked(&FieldPath::parse("v"), u64::MAX).len(), 1001);
    assert_eq!(kept.copies_read, 3, "where the walk begins on the line, and on the branches");
    assert!(kept.records_read <= 1001, "{} records were read again", kept.records_read);
}
