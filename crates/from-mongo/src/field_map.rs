//! The map of a collection: moves members with other names or inside other objects, such as `data.name` to `title`.

use std::collections::{BTreeMap, HashSet};

use fieldbook_domain::path::{self, FieldPath};
use serde_json::{Map, Value};

use crate::document::{Fate, for_each};

/// Pairs of paths: a member at the source moves to the target. The source `data.name` comes before the source `data`,
/// so that the most specific pair applies. A `*` stands for every element of an array, or every member of an object.
#[derive(Debug, Default)]
pub struct FieldMap(Vec<(FieldPath, FieldPath)>);

impl FieldMap {
    /// Parses a file with a table for each collection in `names`.
    pub fn parse_all(text: &str, names: &[&str]) -> Result<BTreeMap<String, Self>, String> {
        let tables: BTreeMap<String, BTreeMap<String, String>> = toml::from_str(text).map_err(|e| e.to_string())?;
        if let Some(other) = tables.keys().find(|table| !names.contains(&table.as_str())) {
            return Err(format!("{other} is not a valid table; the tables are {}", names.join(", ")));
        }
        let paths = |(source, target): (&String, &String)| (FieldPath::parse(source), FieldPath::parse(target));
        let map = |pairs: &BTreeMap<String, String>| Self(pairs.iter().rev().map(paths).collect());
        Ok(tables.iter().map(|(name, pairs)| (name.clone(), map(pairs))).collect())
    }

    /// Moves members to their targets, and their fates with them. Members that are overwritten are added to `dropped`.
    /// The error says why the map cannot be applied to the document.
    pub fn apply(
        &self,
        document: Value,
        fates: &mut BTreeMap<FieldPath, Fate>,
        dropped: &mut Vec<(FieldPath, Fate)>,
    ) -> Result<Value, String> {
        if !document.is_object() {
            return Err("it is not an object".to_owned());
        }
        let (mut members, mut places, mut lists) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut refusal = None;
        for_each(&FieldPath::root(), &document, &mut |path, value| {
            let target = self.0.iter().find_map(|(source, target)| target_of(path, source, target));
            places.extend(target.iter().map(|(target, _)| target.clone()));
            if let Some((_, Some(list))) = &target
                && list.get(&document).is_some_and(Value::is_object)
            {
                // The list may replace the object from which its elements come, and the rest of that object is left
                // out. The list must not replace an object from which none of its elements come.
                if !list.is_prefix_of(path) {
                    refusal = Some(format!("the map puts {path} into a list at {list}, which is an object here"));
                }
                lists.insert(list.clone());
            }
            members.push((path.clone(), target.map(|(target, _)| target), value.clone()));
        });
        places.extend(lists.iter().cloned());
        let mut mapped = Value::Null;
        for (path, target, value) in members {
            let is_moved = target.is_some();
            if !is_moved && places.iter().any(|place| place.is_prefix_of(&path)) {
                dropped.push((path, Fate::Lost("the map puts another value there".to_owned())));
                continue;
            }
            let fate = fates.remove(&path).or(is_moved.then_some(Fate::Mapped));
            let target = target.unwrap_or(path);
            let is_object = |at: &FieldPath| at.get(&document).is_some_and(Value::is_object) && !lists.contains(at);
            if !put(&mut mapped, &target, is_object, value) {
                refusal
                    .get_or_insert_with(|| format!("the map has no free position at {target}; positions count from 0"));
            }
            fates.extend(fate.map(|fate| (target, fate)));
        }
        refusal.map_or(Ok(mapped), Err)
    }
}

/// Returns where the map puts the member at `path`:
/// - the new path of the member
/// - the path of the list that must contain the member; `None` if no segment of `target` is a position, such as `0`
///
/// Returns `None` if `path` is neither `source` nor inside it.
fn target_of(path: &FieldPath, source: &FieldPath, target: &FieldPath) -> Option<(FieldPath, Option<FieldPath>)> {
    let (matched, below) = path.segments().split_at_checked(source.segments().len())?;
    let pairs = || source.segments().iter().zip(matched);
    if !pairs().all(|(wanted, segment)| **wanted == *"*" || wanted == segment) {
        return None;
    }
    let mut captured = pairs().filter(|(wanted, _)| ***wanted == *"*").map(|(_, segment)| segment);
    let found = target.segments().iter().map(|s| if **s == *"*" { captured.next().unwrap_or(s) } else { s });
    let found: Vec<_> = found.chain(below).cloned().collect();
    let place = target.segments().iter().position(|segment| path::index(segment).is_some());
    let list = place.and_then(|place| found.get(..place)).map(|list| FieldPath::from(list.to_vec()));
    Some((FieldPath::from(found), list))
}

/// Stores `value` at `path` if there is no value or null. Returns whether the value was stored. Creates missing
/// containers. An index in `path` creates a list, unless `is_object` is true for the path of the container.
fn put(root: &mut Value, path: &FieldPath, is_object: impl Fn(&FieldPath) -> bool, value: Value) -> bool {
    let (mut slot, mut at) = (root, FieldPath::root());
    for segment in path.segments() {
        let index = path::index(segment).filter(|_| !is_object(&at));
        if slot.is_null() {
            *slot = if index.is_some() && !at.segments().is_empty() {
                Vec::<Value>::new().into()
            } else {
                Map::new().into()
            };
        }
        let next = match (slot, index) {
            (Value::Object(object), _) => Some(object.entry(&**segment).or_insert(Value::Null)),
            (Value::Array(array), Some(index)) => {
                array.extend((index == array.len()).then_some(Value::Null));
                array.get_mut(index)
            }
            _ => None,
        };
        let Some(next) = next else { return false };
        (slot, at) = (next, at.child(segment.clone()));
    }
    let is_free = slot.is_null();
    if is_free {
        *slot = value;
    }
    is_free
}
