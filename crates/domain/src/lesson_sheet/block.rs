//! Values of a document as text to read.

use serde_json::{Map, Value};

use crate::label::{from_key, resolve};
use crate::picture::is_id;

/// A value as text. Line breaks are as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Text, one item per paragraph.
    Text(Vec<String>),
    /// A list.
    List(List),
    /// Members of an object, each with its label.
    Members(Vec<(String, Block)>),
    /// A list of pictures, or one picture.
    Pictures(Vec<Picture>),
}

/// A list with its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The kind of all entries.
    pub kind: ListKind,
    /// The entries. Every entry contains something to read.
    pub entries: Vec<Entry>,
}

/// The kind of the entries of a list, derived from their members.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListKind {
    /// Texts, objects of another kind, or a mixture.
    #[default]
    Plain,
    /// Objects with `name` and possibly `quantity` and `unit`: a list to check.
    Materials,
    /// Objects with `text` and possibly `minutes`: a numbered list.
    Steps,
    /// Objects with `term` and possibly `definition`, which is a note.
    Terms,
}

/// An entry of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// How much of a material is needed, as written: `300 ml`, or `2`. It is a separate field, so that no separator is
    /// needed between amount and name, in any language.
    pub amount: Option<String>,
    /// Main text of the entry: the text of a step, the name of a material, or a term. Empty if there is only a picture.
    pub lead: String,
    /// The other members, as text.
    pub notes: Vec<String>,
    /// Minutes that a step takes, such as `20`; `None` if unknown, or if the entry is not a step.
    pub minutes: Option<String>,
    /// Picture of a step.
    pub picture: Option<Picture>,
}

/// A picture that the document refers to. The store may have lost it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its identifier: 64 hexadecimal digits.
    pub id: String,
    /// Its description (alt text).
    pub alt: String,
    /// Its caption.
    pub caption: Option<String>,
}

/// Returns the block for a value; `None` if it contains nothing to read.
pub(super) fn block(root: &Value, schema: &Value, value: &Value) -> Option<Block> {
    match value {
        Value::Array(elements) => {
            let of = resolve(root, schema.get("items"));
            if let Some(pictures) = elements.iter().map(picture).collect::<Option<Vec<_>>>() {
                return (!pictures.is_empty()).then_some(Block::Pictures(pictures));
            }
            let entries = elements.iter().filter_map(|element| entry(root, of, element));
            let (kinds, entries): (Vec<ListKind>, Vec<Entry>) = entries.unzip();
            let kind = kinds.first().copied().filter(|first| kinds.iter().all(|kind| kind == first));
            (!entries.is_empty()).then_some(Block::List(List { kind: kind.unwrap_or_default(), entries }))
        }
        Value::Object(members) => {
            if let Some(picture) = picture(value) {
                return Some(Block::Pictures(vec![picture]));
            }
            let shown = |(name, value): (&String, &Value)| {
                let part = part(root, schema, name);
                Some((label(name, part), block(root, part, value)?))
            };
            let members: Vec<_> = members.iter().filter_map(shown).collect();
            (!members.is_empty()).then_some(Block::Members(members))
        }
        single => {
            let text = words(single);
            let paragraphs = text.split("\n\n").map(|part| part.trim_matches('\n').trim_end());
            let paragraphs: Vec<String> =
                paragraphs.filter(|part| !part.trim().is_empty()).map(str::to_owned).collect();
            (!paragraphs.is_empty()).then_some(Block::Text(paragraphs))
        }
    }
}

/// Returns the label of a value: its title in the schema, or its name as words.
pub(super) fn label(name: &str, property: &Value) -> String {
    property.get("title").and_then(Value::as_str).map_or_else(|| from_key(name), str::to_owned)
}

fn part<'s>(root: &'s Value, schema: &'s Value, name: &str) -> &'s Value {
    resolve(root, schema.get("properties").and_then(|properties| properties.get(name)))
}

/// Returns the picture that a value refers to; `None` if the value is not a reference to a picture.
fn picture(value: &Value) -> Option<Picture> {
    let members = value.as_object()?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let id = text("id").map(str::to_ascii_lowercase).filter(|id| is_id(id))?;
    let others = members.iter().filter(|(name, _)| !["id", "alt"].contains(&name.as_str()));
    let caption = joined(others.map(|(_, value)| words(value)));
    let caption = Some(caption).filter(|caption| !caption.is_empty());
    Some(Picture { id, alt: text("alt")?.to_owned(), caption })
}

fn entry(root: &Value, schema: &Value, element: &Value) -> Option<(ListKind, Entry)> {
    let Value::Object(members) = element else {
        let lead = words(element).trim().to_owned();
        return (!lead.is_empty()).then(|| (ListKind::Plain, Entry { lead, ..Entry::default() }));
    };
    let text = |name: &str| members.get(name).map(words).filter(|text| !text.trim().is_empty());
    let (kind, lead, used): (_, Option<String>, &[&str]) = if let Some(name) = text("name") {
        (ListKind::Materials, Some(name), &["name", "quantity", "unit"])
    } else if let Some(step) = text("text") {
        (ListKind::Steps, Some(step), &["text", "minutes"])
    } else if let Some(term) = text("term") {
        (ListKind::Terms, Some(term), &["term"])
    } else {
        (ListKind::Plain, None, &[])
    };
    let mut entry =
        Entry { lead: lead.unwrap_or_default(), picture: members.get("picture").and_then(picture), ..Entry::default() };
    match kind {
        ListKind::Materials => entry.measure(text("quantity"), text("unit")),
        ListKind::Steps => entry.minutes = text("minutes"),
        ListKind::Terms | ListKind::Plain => {}
    }
    let is_used = |name: &str| used.contains(&name) || name == "picture" && entry.picture.is_some();
    let is_note = |name: &&String| !is_used(name.as_str());
    entry.notes = notes(root, schema, members, is_note);
    if entry.lead.is_empty() && !entry.notes.is_empty() {
        entry.lead = entry.notes.remove(0);
    }
    (!entry.lead.is_empty() || entry.picture.is_some()).then_some((kind, entry))
}

impl Entry {
    /// Sets the amount of a material, as people write it.
    fn measure(&mut self, quantity: Option<String>, unit: Option<String>) {
        self.amount = match (quantity, unit) {
            (Some(quantity), Some(unit)) => Some(format!("{quantity} {unit}")),
            (None, Some(unit)) => {
                self.lead = format!("{} ({unit})", self.lead);
                None
            }
            (quantity, None) => quantity,
        };
    }
}

/// Returns the members of an entry that are notes, as text. Numbers and booleans are preceded by their label.
fn notes(
    root: &Value,
    schema: &Value,
    members: &Map<String, Value>,
    is_note: impl Fn(&&String) -> bool,
) -> Vec<String> {
    let shown = members.iter().filter(|(name, _)| is_note(name)).filter_map(|(name, value)| {
        let text = words(value);
        let needs_label = value.is_number() || value.is_boolean();
        let shown = if needs_label { format!("{}: {text}", label(name, part(root, schema, name))) } else { text };
        (!shown.trim().is_empty()).then_some(shown)
    });
    shown.collect()
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns all texts of a value.
pub(super) fn words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(elements) => joined(elements.iter().map(words)),
        Value::Object(members) => joined(members.values().map(words)),
    }
}
