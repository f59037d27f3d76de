//! Chooses the fields that a sheet shows, and their order.

use serde_json::Value;

use super::address::{Piece, pieces};
use super::audience::Audience;
use super::block::{Block, List, ListKind, Picture, block, label, words};
use super::cut::SizeBudget;
use super::headings::translated;
use super::language::Language;
use crate::content::Content;
use crate::label::resolve;
use crate::schema::Schema;

/// Maximum length of a text that shares a row with its neighbors, in characters.
const MAX_FACT: usize = 24;

/// The heading of a field whose value is a number of minutes.
const IN_MINUTES: &str = "Duration in minutes";

/// Numbers of blank lines for writing: below a question or homework, and below the steps.
const ANSWER_LINES: usize = 3;
const RESULT_LINES: usize = 8;

/// A lesson as a sheet for an audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The audience.
    pub audience: Audience,
    /// The language of the lesson.
    pub language: Language,
    /// The title; `None` if it is blank, or if it is not for this audience.
    pub title: Option<String>,
    /// The fields, in order.
    pub sections: Vec<Section>,
    /// Whether the sheet was truncated, because the lesson is too long.
    pub is_cut: bool,
}

/// A field of an investigation on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Name of the field.
    pub field: String,
    /// Heading of the field.
    pub heading: String,
    /// Whether the field is about safety. Such a field is highlighted.
    pub is_safety: bool,
    /// Value of the field.
    pub block: Block,
    /// Number of blank lines below the value for writing.
    pub lines: usize,
    /// Label above the lines; `None` if the field itself says what to write there.
    pub lines_label: Option<&'static str>,
}

impl Section {
    /// Returns whether the heading is visually hidden and only for screen readers, because the value consists of
    /// pictures.
    pub fn is_heard(&self) -> bool {
        matches!(self.block, Block::Pictures(_)) && self.field == "pictures"
    }

    /// Returns the value if it is so short that it can share a row with others.
    pub fn fact(&self) -> Option<&str> {
        let Block::Text(paragraphs) = &self.block else { return None };
        let [only] = paragraphs.as_slice() else { return None };
        let is_short = self.lines == 0 && only.chars().count() <= MAX_FACT && !only.contains('\n');
        is_short.then_some(only.as_str())
    }
}

impl Sheet {
    /// Returns the sheet of a lesson for an audience. The fields of the schema come first, sorted by `x-order`. Blank
    /// fields are left out.
    pub fn of(schema: &Schema, content: &Content, audience: Audience) -> Self {
        let text = content.values().map(words).collect::<Vec<_>>().join("\n");
        let language = Language::of(content.get("language").and_then(Value::as_str), &text);
        let mut budget = SizeBudget::new();
        let (mut title, mut sections) = (None, Vec::new());
        for (name, property, value) in fields(schema, content) {
            // The sheet is written in the lesson's language, so it does not name the language.
            let is_seen = name == "language" && value.as_str().is_some_and(|tag| tag.trim() == language.tag);
            if !audience.reads(property) || is_seen {
                continue;
            }
            match value.as_str().map(str::trim).filter(|text| name == "title" && budget.takes([*text; 3])) {
                Some(text) => title = Some(text.to_owned()).filter(|text| !text.is_empty()),
                None => sections.extend(section(schema, name, value, audience, &language)),
            }
        }
        sections.retain_mut(|section| {
            let is_begun = budget.takes([section.heading.as_str()]);
            budget.cut(&mut section.block);
            is_begun
        });
        Self { audience, language, title, sections, is_cut: budget.is_full }
    }

    /// Returns the title, or a placeholder if there is none.
    pub fn shown_title(&self) -> &str {
        self.title.as_deref().unwrap_or(self.say("Lesson"))
    }

    /// Returns the title with the grade, if the sheet shows one.
    pub fn full_title(&self) -> String {
        let grade = self.sections.iter().find(|section| section.field == "grade");
        let grade = grade.and_then(|section| Some(format!(" · {} {}", section.heading, section.fact()?)));
        format!("{}{}", self.shown_title(), grade.unwrap_or_default())
    }

    /// Returns a word such as `min` in the language of the sheet, or else in English.
    pub fn say<'w>(&self, english: &'w str) -> &'w str {
        translated(english, &self.language)
    }

    /// Returns the pictures on the sheet.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        let mut found = Vec::new();
        self.sections.iter().for_each(|section| pictures(&section.block, &mut found));
        found.into_iter()
    }
}

/// Returns the fields of a document in the order of a sheet, each with its schema: null if the schema does not name it.
fn fields<'d>(schema: &'d Schema, content: &'d Content) -> impl Iterator<Item = (&'d str, &'d Value, &'d Value)> {
    let root = schema.document();
    let known = root.get("properties").and_then(Value::as_object);
    let mut described: Vec<(f64, &String, &Value)> = Vec::new();
    for (position, (name, property)) in known.into_iter().flatten().enumerate() {
        let order = property.get("x-order").and_then(Value::as_f64).unwrap_or(1000.0 + position as f64);
        described.push((order, name, property));
    }
    described.sort_by(|one, other| one.0.total_cmp(&other.0));
    let described = described.into_iter().map(|(_, name, property)| (name, property));
    let others = content.keys().filter(move |name| known.is_none_or(|known| !known.contains_key(*name)));
    let fields = described.chain(others.map(|name| (name, &Value::Null)));
    fields.filter_map(|(name, property)| Some((name.as_str(), property, content.get(name)?)))
}

fn section(schema: &Schema, name: &str, value: &Value, audience: Audience, language: &Language) -> Option<Section> {
    let root = schema.document();
    let property = resolve(root, root.get("properties").and_then(|properties| properties.get(name)));
    let mut block = block(root, property, value)?;
    translate(&mut block, language);
    let for_pupils = property.get("x-pupil-title").and_then(Value::as_str).filter(|_| audience != Audience::Teachers);
    let mut heading = for_pupils.map_or_else(|| label(name, property), str::to_owned);
    if heading == IN_MINUTES
        && let Some(minutes) = value.as_u64()
    {
        block = Block::Text(vec![format!("{minutes} {}", translated("min", language))]);
        heading = "Duration".to_owned();
    }
    let (lines, lines_label) = match &block {
        _ if audience != Audience::Class => (0, None),
        Block::List(List { kind: ListKind::Steps, .. }) => (RESULT_LINES, Some(translated("Our results", language))),
        Block::Text(_) | Block::List(_) if name == "homework" => (ANSWER_LINES, None),
        // The hypothesis comes before the procedure: pupils write their prediction first.
        Block::Text(paragraphs) if paragraphs.iter().any(|text| asks(text)) => {
            let label = (name == "drivingQuestion").then(|| translated("Our guess", language));
            (ANSWER_LINES, label)
        }
        _ => (0, None),
    };
    let heading = translated(&heading, language).to_owned();
    Some(Section { field: name.to_owned(), heading, is_safety: name == "safety", block, lines, lines_label })
}

/// Returns whether a text asks something. A question mark in an address asks nothing.
fn asks(text: &str) -> bool {
    pieces(text).iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(['?', '？', '؟'])))
}

/// Translates the labels of members into a language.
fn translate(block: &mut Block, language: &Language) {
    let Block::Members(members) = block else { return };
    for (label, block) in members {
        *label = translated(label, language).to_owned();
        translate(block, language);
    }
}

fn pictures<'b>(block: &'b Block, found: &mut Vec<&'b Picture>) {
    match block {
        Block::Text(_) => {}
        Block::List(list) => found.extend(list.entries.iter().filter_map(|entry| entry.picture.as_ref())),
        Block::Members(members) => members.iter().for_each(|(_, block)| pictures(block, found)),
        Block::Pictures(shown) => found.extend(shown),
    }
}
