//! The reader's view of an investigation: its fields as text, in the order and with the labels of the content schema.

use serde_json::{Map, Value};

use super::content::Content;
use super::label::{from_key, resolve};
use super::link::Shows;
use super::schema::Schema;

/// Approximate maximum size of a lesson sheet as HTML, in bytes. It takes many times the size of the content, and anybody
/// may open it.
pub const MAX_SHEET: usize = 1024 * 1024;

/// Approximate size of the markup around a text of a sheet, in bytes.
const MARKUP: usize = 120;

/// One field of an investigation, as its readers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Name of the field.
    pub field: String,
    /// Label of the field.
    pub label: String,
    /// Value of the field.
    pub block: Block,
}

/// A value as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Text, one item per paragraph.
    Text(Vec<String>),
    /// Entries of a list.
    Entries(Vec<Entry>),
    /// Members of an object, each with its label.
    Members(Vec<(String, Block)>),
}

/// An entry of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Main text of the entry: the text of a step, a material with its quantity, or a term.
    pub lead: String,
    /// Kind of the entry, which depends on its members.
    pub kind: EntryKind,
    /// Minutes that a step takes, such as `20`; `None` if unknown, or if the entry is no step.
    pub minutes: Option<String>,
    /// The members that are in neither `lead` nor `minutes`, as text.
    pub notes: Vec<String>,
}

/// Kind of a list entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EntryKind {
    /// A text, or an object of another kind.
    #[default]
    Plain,
    /// An object with `name` and possibly `quantity` and `unit`.
    Material,
    /// An object with `text` and possibly `minutes`.
    Step,
    /// An object with `term` and possibly `definition`.
    Term,
}

/// Returns the title of an investigation; `None` if the title is blank, or if `shows` does not include the title.
pub fn title<'c>(schema: &Schema, content: &'c Content, shows: Shows) -> Option<&'c str> {
    let property = schema.document().get("properties").and_then(|properties| properties.get("title"));
    let is_shown = includes(shows, property);
    content.get("title").and_then(Value::as_str).filter(|title| is_shown && !title.trim().is_empty())
}

/// Returns the fields that `shows` includes, without the title and blank fields. The fields of the schema come first,
/// sorted by `x-order`.
pub fn sections(schema: &Schema, content: &Content, shows: Shows) -> Vec<Section> {
    let root = schema.document();
    let known = root.get("properties").and_then(Value::as_object);
    let mut fields: Vec<(f64, &String, &Value)> = Vec::new();
    for (position, (name, property)) in known.into_iter().flatten().enumerate() {
        let order = property.get("x-order").and_then(Value::as_f64).unwrap_or(1000.0 + position as f64);
        fields.push((order, name, property));
    }
    fields.sort_by(|one, other| one.0.total_cmp(&other.0));
    let described = fields.into_iter().map(|(_, name, property)| (name, Some(property)));
    let others = content.keys().filter(|name| known.is_none_or(|known| !known.contains_key(*name)));
    described
        .chain(others.map(|name| (name, None)))
        .filter(|(name, property)| *name != "title" && includes(shows, *property))
        .filter_map(|(name, property)| {
            let property = resolve(root, property);
            let block = block(root, property, content.get(name)?)?;
            let pupils = property.get("x-pupil-title").and_then(Value::as_str).filter(|_| shows == Shows::Handout);
            let label = pupils.map_or_else(|| label(name, property), str::to_owned);
            Some(Section { field: name.clone(), label, block })
        })
        .collect()
}

/// Cuts the sections to a sheet of [`MAX_SHEET`]. Returns whether something is left out.
pub fn cut(sections: &mut Vec<Section>) -> bool {
    let mut room = Room { left: MAX_SHEET, is_full: false };
    sections.retain_mut(|section| {
        let is_begun = room.takes([&section.label]);
        if is_begun {
            room.cut(&mut section.block);
        }
        is_begun
    });
    room.is_full
}

/// Room on a sheet, in bytes.
struct Room {
    left: usize,
    /// Whether something did not fit. Then nothing that follows does.
    is_full: bool,
}

impl Room {
    /// Takes the room for an element with these texts, if they fit.
    fn takes<'t>(&mut self, texts: impl IntoIterator<Item = &'t String>) -> bool {
        let bytes = texts.into_iter().map(|text| MARKUP + escaped(text)).sum();
        let left = self.left.checked_sub(bytes).filter(|_| !self.is_full);
        self.is_full = left.is_none();
        self.left = left.unwrap_or_default();
        !self.is_full
    }

    fn cut(&mut self, block: &mut Block) {
        match block {
            Block::Text(paragraphs) => paragraphs.retain(|paragraph| self.takes([paragraph])),
            Block::Entries(entries) => {
                entries.retain(|entry| self.takes(entry.notes.iter().chain([&entry.lead]).chain(&entry.minutes)));
            }
            Block::Members(members) => members.retain_mut(|(label, block)| {
                let is_begun = self.takes([&*label]);
                if is_begun {
                    self.cut(block);
                }
                is_begun
            }),
        }
    }
}

/// Returns the size of a text in HTML, in bytes.
fn escaped(text: &str) -> usize {
    let sizes = text.bytes().map(|byte| match byte {
        b'"' => "&quot;".len(),
        b'&' => "&amp;".len(),
        b'<' | b'>' => "&lt;".len(),
        // Two of them begin a new paragraph.
        b'\n' => "<p dir=auto>".len(),
        _ => 1,
    });
    sizes.sum()
}

fn includes(shows: Shows, property: Option<&Value>) -> bool {
    let audience = property.and_then(|property| property.get("x-audience")).and_then(Value::as_str);
    match shows {
        Shows::Nothing => false,
        Shows::Handout => audience == Some("pupil"),
        Shows::Lesson => true,
    }
}

fn label(name: &str, property: &Value) -> String {
    property.get("title").and_then(Value::as_str).map_or_else(|| from_key(name), str::to_owned)
}

/// Returns the block for a value; `None` if the value contains no text.
fn block(root: &Value, schema: &Value, value: &Value) -> Option<Block> {
    match value {
        Value::Array(elements) => {
            let of = resolve(root, schema.get("items"));
            let entries: Vec<Entry> = elements.iter().filter_map(|element| entry(root, of, element)).collect();
            (!entries.is_empty()).then_some(Block::Entries(entries))
        }
        Value::Object(members) => {
            let shown = |(name, value): (&String, &Value)| {
                let part = resolve(root, schema.get("properties").and_then(|properties| properties.get(name)));
                Some((label(name, part), block(root, part, value)?))
            };
            let members: Vec<_> = members.iter().filter_map(shown).collect();
            (!members.is_empty()).then_some(Block::Members(members))
        }
        single => {
            let text = words(single);
            let paragraphs = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
            let paragraphs: Vec<String> = paragraphs.map(str::to_owned).collect();
            (!paragraphs.is_empty()).then_some(Block::Text(paragraphs))
        }
    }
}

fn entry(root: &Value, schema: &Value, element: &Value) -> Option<Entry> {
    let Value::Object(members) = element else {
        let lead = words(element).trim().to_owned();
        return (!lead.is_empty()).then(|| Entry { lead, ..Entry::default() });
    };
    let text = |name: &str| members.get(name).map(words).filter(|text| !text.trim().is_empty());
    let (kind, lead, used): (_, Option<String>, &[&str]) = if let Some(name) = text("name") {
        (EntryKind::Material, Some(material(&name, text("quantity"), text("unit"))), &["name", "quantity", "unit"])
    } else if let Some(step) = text("text") {
        (EntryKind::Step, Some(step), &["text", "minutes"])
    } else if let Some(term) = text("term") {
        (EntryKind::Term, Some(term), &["term"])
    } else {
        (EntryKind::Plain, None, &[])
    };
    let minutes = (kind == EntryKind::Step).then(|| text("minutes")).flatten();
    let mut notes = notes(root, schema, members, used);
    let lead = lead.unwrap_or_else(|| if notes.is_empty() { String::new() } else { notes.remove(0) });
    (!lead.is_empty()).then_some(Entry { lead, kind, minutes, notes })
}

/// Returns the members of an entry that are not in `used`, as text. Numbers and booleans are preceded by their label.
fn notes(root: &Value, schema: &Value, members: &Map<String, Value>, used: &[&str]) -> Vec<String> {
    let others = members.iter().filter(|(name, _)| !used.contains(&name.as_str()));
    let shown = others.filter_map(|(name, value)| {
        let text = words(value);
        let part = resolve(root, schema.get("properties").and_then(|properties| properties.get(name)));
        let needs_label = value.is_number() || value.is_boolean();
        let shown = if needs_label { format!("{}: {text}", label(name, part)) } else { text };
        (!shown.trim().is_empty()).then_some(shown)
    });
    shown.collect()
}

/// Returns a material as people say it: "300 ml water", "2 × saucer".
fn material(name: &str, quantity: Option<String>, unit: Option<String>) -> String {
    match (quantity, unit) {
        (Some(quantity), Some(unit)) => format!("{quantity} {unit} {name}"),
        (Some(quantity), None) => format!("{quantity} × {name}"),
        (None, Some(unit)) => format!("{name} ({unit})"),
        (None, None) => name.to_owned(),
    }
}

fn words(value: &Value) -> String {
    let joined = |parts: Vec<String>| {
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
        parts.join(", ")
    };
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(elements) => joined(elements.iter().map(words).collect()),
        Value::Object(members) => joined(members.values().map(words).collect()),
    }
}
