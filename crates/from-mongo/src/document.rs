//! A document, and the fate of each of its members: whether the member is kept, stored in another form, not needed, or
//! lost. A member is a value that contains no other value: a text, a number, a date, `true`, `null`, and also an empty
//! object or array.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use fieldbook_domain::content::{Content, is_blank, is_system_field};
use fieldbook_domain::id::ObjectId;
use fieldbook_domain::json;
use fieldbook_domain::path::FieldPath;
use fieldbook_domain::size::MAX_STORED_DEPTH;
use fieldbook_domain::time::Timestamp;
use serde_json::Value;

use crate::extended::{is_extended, plain};
use crate::field_map::FieldMap;

/// Additional levels of nesting that Extended JSON needs for dates and numbers.
const EXTRA_DEPTH: usize = 4;

/// Fields that may contain the id of the investigation to which a document belongs.
pub const REFERENCES: &str =
    "investigationId investigation investigation_id documentId docId entityId refId originalId";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    Kept,
    /// Stored under another name or in another form.
    Mapped,
    /// Left out, but nothing is lost: the member is empty, or Fieldbook computes its value itself.
    Unneeded(&'static str),
    Lost(String),
}

/// The result of converting a document: the id of the investigation that it is or belongs to, and the converted value.
/// The error says why the document is left out.
pub type Converted<T> = Result<(ObjectId, T), String>;

#[derive(Debug, Default)]
pub struct Document {
    pub file: String,
    /// Position in the file, counted from 1.
    pub number: usize,
    pub new_ids: bool,
    /// The `_id` as text, in lower case if it is an object identifier; empty if there is none.
    pub name: String,
    /// Keys that only this document may have in its collection, such as `_id 7`.
    pub keys: Vec<String>,
    /// Number of members in the document as it was read, before the field map (`--map`) moves any.
    pub read: usize,
    pub fates: Vec<(FieldPath, Fate)>,
    pub value: Value,
    /// Fates of the members that changed when Extended JSON was read and the field map was applied. If [`Self::set`] is
    /// later called with [`Fate::Kept`] or [`Fate::Mapped`] for such a member, it uses the fate from here instead.
    pub changed: BTreeMap<FieldPath, Fate>,
    pub taken: BTreeMap<FieldPath, Fate>,
}

impl Document {
    /// Parses the document and applies the map. The error says why the document is left out.
    pub fn parse(&mut self, text: &str, map: &FieldMap) -> Result<(), String> {
        let value = json::parse_to_depth(text.as_bytes(), MAX_STORED_DEPTH + EXTRA_DEPTH).map_err(|error| {
            let path = error.path.to_string();
            format!("{} {}", if path.is_empty() { "it" } else { &path }, error.kind)
        })?;
        for_each(&FieldPath::root(), &value, &mut |_, _| self.read += 1);
        let value = plain(value, &FieldPath::root(), &mut self.changed);
        self.value = map.apply(value, &mut self.changed, &mut self.fates)?;
        let id = self.get("_id").filter(|id| !id.is_null());
        let text = id.map(|id| id.as_str().map_or_else(|| id.to_string(), |text| text.trim().to_owned()));
        self.name = text.unwrap_or_default();
        if let Ok(id) = self.name.parse::<ObjectId>() {
            self.name = id.to_string();
        }
        self.keys.extend((!self.name.is_empty()).then(|| format!("_id {}", self.name)));
        self.set("__v", &Fate::Unneeded("it is Mongoose's internal version counter"));
        Ok(())
    }

    pub fn get(&self, path: &str) -> Option<&Value> {
        FieldPath::parse(path).get(&self.value)
    }

    /// Returns the first of `names`, which are separated by spaces, that has a value and `fits`.
    pub fn find<'n>(&self, names: &'n str, fits: impl Fn(&Value) -> bool) -> Option<&'n str> {
        names.split(' ').find(|name| self.get(name).is_some_and(|value| !value.is_null() && fits(value)))
    }

    /// Returns the path of a lost member and the reason; `None` if no member has been lost so far.
    pub fn loss(&self) -> Option<String> {
        let loss = |(path, fate): (&FieldPath, &Fate)| match fate {
            Fate::Lost(reason) => Some(format!("{path}: {reason}")),
            _ => None,
        };
        self.changed.iter().chain(&self.taken).find_map(loss)
    }

    /// Sets the fate of a member, or of all members inside it.
    pub fn set(&mut self, path: &str, fate: &Fate) {
        self.set_at(&FieldPath::parse(path), fate);
    }

    fn set_at(&mut self, path: &FieldPath, fate: &Fate) {
        for_each(path, path.get(&self.value).unwrap_or(&Value::Null), &mut |path, _| {
            let changed = self.changed.get(path).filter(|_| matches!(fate, Fate::Kept | Fate::Mapped));
            self.taken.insert(path.clone(), changed.unwrap_or(fate).clone());
        });
    }

    /// Takes the first of `names` that `parse` understands. The member is stored under the first name.
    pub fn take<T>(&mut self, names: &str, parse: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let name = self.find(names, |value| parse(value).is_some())?;
        self.set(name, if names.split(' ').next() == Some(name) { &Fate::Kept } else { &Fate::Mapped });
        self.get(name).and_then(parse)
    }

    /// Like [`Self::take`]. But if `parse` rejects all values, the first of `names` with a value is lost, because it is
    /// not what `expected` says, such as "a time".
    pub fn read<T>(&mut self, names: &str, expected: &str, parse: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let parsed = self.take(names, parse);
        if let Some(name) = self.find(names, |value| !is_blank(value)).filter(|_| parsed.is_none()) {
            self.set(name, &Fate::Lost(format!("it is not {expected}")));
        }
        parsed
    }

    pub fn text(&mut self, names: &str) -> Option<String> {
        self.take(names, |value| value.as_str().map(str::to_owned))
    }

    /// Takes all members of an object as content, except system fields.
    pub fn content(&mut self, path: &str) -> Content {
        let (path, fate) = (FieldPath::parse(path), if path.is_empty() { Fate::Kept } else { Fate::Mapped });
        let mut content = path.get(&self.value).and_then(Value::as_object).cloned().unwrap_or_default();
        content.retain(|name, _| !is_system_field(name) && name != "__v");
        content.keys().for_each(|name| self.set_at(&path.child(name.as_str()), &fate));
        content
    }

    /// Takes the first of the members `names` whose value is the identifier of a `kind`, such as a person.
    pub fn id(&mut self, names: &str, kind: &str) -> Option<ObjectId> {
        let new_ids = self.new_ids;
        self.read(names, "an object identifier; --new-ids derives one", |value| object_id(value, kind, new_ids))
    }

    /// Works like [`Self::id`] for an identifier without which the document is left out.
    pub fn own_id(&mut self, names: &str, kind: &str) -> Result<ObjectId, String> {
        let fault = || format!("it has no object identifier in {names}; --map and --new-ids can help");
        self.id(names, kind).ok_or_else(fault)
    }

    /// Takes `createdAt`. If it is missing, returns the time inside the `_id` if that is an object identifier, or else
    /// the beginning of 1970.
    pub fn creation(&mut self) -> Timestamp {
        let made_at = self.name.parse().ok().map(ObjectId::made_at);
        self.read("createdAt", "a time", time).or(made_at).unwrap_or(Timestamp(0))
    }

    /// Completes the fates: members that were not taken are lost, unless they are empty.
    pub fn finish(&mut self, collection: &str) {
        for_each(&FieldPath::root(), &std::mem::take(&mut self.value), &mut |path, value| {
            let rest = || match self.changed.get(path) {
                Some(lost @ Fate::Lost(_)) => lost.clone(),
                _ if is_blank(value) => Fate::Unneeded("it is empty"),
                _ => Fate::Lost(format!("Fieldbook has no place for it in {collection}")),
            };
            let fate = self.taken.remove(path).unwrap_or_else(rest);
            self.fates.push((path.clone(), fate));
        });
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

/// Reads an identifier. With `new_ids`, a text, a number or a UUID gives a derived one: equal values of one `kind` give
/// equal identifiers, so that references still match.
pub fn object_id(value: &Value, kind: &str, new_ids: bool) -> Option<ObjectId> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Object(object) if object.contains_key("$binary") || object.contains_key("$uuid") => value.to_string(),
        _ => return None,
    };
    text.parse().ok().or_else(|| (new_ids && !text.is_empty()).then(|| derived(kind, &text)))
}

pub fn derived(kind: &str, text: &str) -> ObjectId {
    let hash = digest(&SHA256, format!("{kind}\0{text}").as_bytes());
    let mut bytes = [0; 12];
    bytes.iter_mut().zip(hash.as_ref()).for_each(|(byte, hashed)| *byte = *hashed);
    ObjectId::from_bytes(bytes)
}

pub fn time(value: &Value) -> Option<Timestamp> {
    Timestamp::from_rfc3339(value.as_str()?)
}
