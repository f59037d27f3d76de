//! The leaves of a document as a model sees them: each with its path, a label and its text.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::error::ModelError;
use crate::domain::content::{Content, for_each_leaf};
use crate::domain::label::{described, label};
use crate::domain::path::{FieldPath, index};
use crate::domain::schema::Schema;

/// Maximum size of a document that is sent to a model, in bytes of texts and paths plus 16 bytes per leaf.
const MAX_BYTES: usize = 60_000;

/// Maximum number of names of leaves and lists that the answer's schema enumerates. If there are more, the schema
/// accepts any string.
const MAX_CHOICES: usize = 250;

/// A string, number or boolean in the document.
pub struct Leaf {
    /// Name of the leaf for the model: usually its path. If the schema does not know a key in the path, the name is an
    /// id such as `L1`.
    name: String,
    pub path: FieldPath,
    pub text: String,
    label: String,
}

pub struct Leaves {
    all: Vec<Leaf>,
    /// Indexes in `all`, by path and by name.
    by_name: HashMap<String, usize>,
    /// Paths of the lists and objects that contain leaves which the schema knows. A finding can state that something is
    /// missing in such a list or object.
    lists: Vec<String>,
}

impl Leaves {
    /// Collects the leaves of `content`.
    pub fn of(content: &Content, schema: &Schema) -> Result<Self, ModelError> {
        let mut all: Vec<Leaf> = Vec::new();
        let mut lists: Vec<String> = Vec::new();
        let mut bytes = 0_usize;
        for_each_leaf(content, &mut |path, value| {
            // Every path below a long key repeats that key, so copies of paths could take much memory. After the limit
            // is exceeded, nothing is copied.
            bytes = bytes.saturating_add(path.bytes());
            bytes = bytes.saturating_add(value.as_str().map_or(8, str::len) + 16);
            if bytes > MAX_BYTES {
                return;
            }
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let name = if described(schema, path).is_some() {
                lists.extend(lists_around(path));
                path.to_string()
            } else {
                format!("L{}", all.len() + 1)
            };
            all.push(Leaf { name, path: path.clone(), text, label: label(schema, path) });
        });
        if bytes > MAX_BYTES {
            return Err(ModelError::TooLarge);
        }
        lists.sort();
        lists.dedup();
        let names =
            |(position, leaf): (usize, &Leaf)| [(leaf.name.clone(), position), (leaf.path.to_string(), position)];
        let by_name = all.iter().enumerate().flat_map(names).collect();
        Ok(Self { all, by_name, lists })
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn named(&self, name: &str) -> Option<&Leaf> {
        self.by_name.get(name).and_then(|position| self.all.get(*position))
    }

    /// Returns the leaf with this name or path, if its text contains `quote`. If `name` names a list or object instead,
    /// returns the leaf in it whose text contains `quote`; `None` if several leaves in it contain `quote`.
    pub fn quoted(&self, name: &str, quote: &str) -> Option<&Leaf> {
        if let Some(leaf) = self.named(name) {
            return Some(leaf).filter(|leaf| leaf.text.contains(quote));
        }
        let around = self.list(name)?;
        let mut found = self.all.iter().filter(|leaf| around.is_prefix_of(&leaf.path) && leaf.text.contains(quote));
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the path of the list or object that `name` names. Returns `None` if no leaf is inside.
    pub fn list(&self, name: &str) -> Option<FieldPath> {
        let path = FieldPath::parse(name);
        let holds = |leaf: &Leaf| leaf.path != path && path.is_prefix_of(&leaf.path);
        (path.field().is_some() && self.all.iter().any(holds)).then_some(path)
    }

    /// Returns one JSON object per leaf. A leaf has an `id` only if its name differs from its path.
    pub fn lines(&self) -> impl Iterator<Item = Value> {
        self.all.iter().map(|Leaf { name, path, text, label }| {
            let path = path.to_string();
            if *name == path {
                json!({ "path": path, "label": label, "text": text })
            } else {
                json!({ "id": name, "path": path, "label": label, "text": text })
            }
        })
    }

    /// Returns the JSON Schema for the name of a leaf or list. It contains no text of authors, because the prompt marks
    /// only the document as data, not the schema.
    pub fn names_schema(&self) -> Value {
        if self.all.len() + self.lists.len() > MAX_CHOICES {
            return json!({ "type": "string" });
        }
        let names: Vec<&String> = self.all.iter().map(|leaf| &leaf.name).chain(&self.lists).collect();
        json!({ "type": "string", "enum": names })
    }
}

/// Returns the paths of the lists and objects around a leaf, outermost first. Paths of list elements are omitted.
fn lists_around(path: &FieldPath) -> impl Iterator<Item = String> {
    let lengths = 1..path.segments().len();
    let around = lengths.filter_map(|length| path.segments().get(..length));
    let lists = around.filter(|segments| segments.last().is_some_and(|last| index(last).is_none()));
    lists.map(|segments| FieldPath::from(segments.to_vec()).to_string())
}
