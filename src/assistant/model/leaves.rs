//! The leaves of a document as a model sees them: each with its path, a label and its text.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::failure::ModelFailure;
use crate::domain::content::{Content, for_each_leaf};
use crate::domain::label::{is_described, label};
use crate::domain::path::{FieldPath, index};
use crate::domain::schema::Schema;

/// The largest document that is sent to a model, in bytes of its leaves' texts, paths and labels.
const MAX_BYTES: usize = 60_000;

/// Maximum number of names that a schema lists as choices; with more, any string is allowed.
const MAX_CHOICES: usize = 250;

/// A string, a number or a boolean of the document.
pub struct Leaf {
    /// The model's name for it: its path, or an id if the path contains an author's words.
    name: String,
    /// Path of the leaf.
    pub path: FieldPath,
    /// Value of the leaf as text.
    pub text: String,
    label: String,
}

/// All leaves of a document, in reading order.
pub struct Leaves {
    all: Vec<Leaf>,
    /// Positions by path and by name.
    by_name: HashMap<String, usize>,
    /// Lists and groups of leaves from which something can be missing, as far as the schema names them.
    lists: Vec<String>,
}

impl Leaves {
    /// The leaves of `content`.
    ///
    /// # Errors
    /// [`ModelFailure::TooLarge`] if they exceed what is sent to a model.
    pub fn of(content: &Content, schema: &Schema) -> Result<Self, ModelFailure> {
        let mut all: Vec<Leaf> = Vec::new();
        let mut lists: Vec<String> = Vec::new();
        let mut bytes = 0_usize;
        for_each_leaf(content, &mut |path, value| {
            // Long keys are repeated in each path below them: beyond the limit nothing more is copied.
            bytes = bytes.saturating_add(path.segments().iter().map(|segment| segment.len()).sum());
            bytes = bytes.saturating_add(value.as_str().map_or(8, str::len) + 16);
            if bytes > MAX_BYTES {
                return;
            }
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let name = if is_described(schema, path) {
                lists.extend(lists_around(path));
                path.to_string()
            } else {
                format!("L{}", all.len() + 1)
            };
            all.push(Leaf { name, path: path.clone(), text, label: label(schema, path) });
        });
        if bytes > MAX_BYTES {
            return Err(ModelFailure::TooLarge);
        }
        lists.sort();
        lists.dedup();
        let names =
            |(position, leaf): (usize, &Leaf)| [(leaf.name.clone(), position), (leaf.path.to_string(), position)];
        let by_name = all.iter().enumerate().flat_map(names).collect();
        Ok(Self { all, by_name, lists })
    }

    /// Whether there are no leaves.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The leaf that a model names.
    pub fn named(&self, name: &str) -> Option<&Leaf> {
        self.by_name.get(name).and_then(|position| self.all.get(*position))
    }

    /// The leaf with this name that contains `quote`, or the only leaf with the quote inside the named list or element.
    pub fn quoted(&self, name: &str, quote: &str) -> Option<&Leaf> {
        if let Some(leaf) = self.named(name) {
            return Some(leaf).filter(|leaf| leaf.text.contains(quote));
        }
        let around = self.list(name)?;
        let mut found = self.all.iter().filter(|leaf| around.is_prefix_of(&leaf.path) && leaf.text.contains(quote));
        found.next().filter(|_| found.next().is_none())
    }

    /// The list or group of leaves that a model names.
    pub fn list(&self, name: &str) -> Option<FieldPath> {
        let path = FieldPath::parse(name);
        let holds = |leaf: &Leaf| leaf.path != path && path.is_prefix_of(&leaf.path);
        (path.field().is_some() && self.all.iter().any(holds)).then_some(path)
    }

    /// A line for each leaf. Only a leaf that is not called by its path has an id.
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

    /// The schema of the name of a leaf or list; words of an author are never sent outside the fence.
    pub fn names_schema(&self) -> Value {
        if self.all.len() + self.lists.len() > MAX_CHOICES {
            return json!({ "type": "string" });
        }
        let names: Vec<&String> = self.all.iter().map(|leaf| &leaf.name).chain(&self.lists).collect();
        json!({ "type": "string", "enum": names })
    }
}

/// The lists and groups around a leaf, outermost first. Elements of lists are not included.
fn lists_around(path: &FieldPath) -> impl Iterator<Item = String> {
    let lengths = 1..path.segments().len();
    let around = lengths.filter_map(|length| path.segments().get(..length));
    let lists = around.filter(|segments| segments.last().is_some_and(|last| index(last).is_none()));
    lists.map(|segments| FieldPath::from(segments.to_vec()).to_string())
}
