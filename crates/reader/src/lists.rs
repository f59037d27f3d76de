//! Fields that are texts, numbers, lists of texts, and the variables.

use serde_json::{Map, Value, json};

use crate::amount;
use crate::document::{Block, Kind};
use crate::facts;
use crate::fill::{Entry, MAX_VALUES, Placed};
use crate::headings::name_and_time;
use crate::marks;
use crate::time;
use crate::vocabulary;
use crate::words;

/// Fields that hold a few words. Further blocks do not belong to them.
pub(crate) const SINGLE: [&str; 4] = ["title", "grade", "curriculum", "language"];

/// Maximum number of prefixes such as "Re:" that are removed from the subject of an e-mail.
const MAX_MARKS: usize = 5;

pub(crate) fn text(name: &str, placed: &[Placed<'_>], takes_numbers: bool) -> Vec<Entry> {
    // A field in `SINGLE` uses only one of its blocks: a title the first, another field the first with a label, if any.
    let own = numbered(placed, !SINGLE.contains(&name));
    // A school year takes precedence over the name of a class: "Year: 8" or "Year group: Year 8" over "Class: 8X2".
    let is_number = |(placed, text): &(&Placed<'_>, String)| {
        let is_year = || facts::is_grade(text) && text.split_whitespace().any(|word| marks::digits(word).is_some());
        name == "grade" && placed.label.is_some() && (marks::digits(text.trim()).is_some() || is_year())
    };
    let labelled = || own.iter().position(|(placed, _)| placed.label.is_some()).filter(|_| name != "title");
    let labelled = own.iter().position(is_number).or_else(labelled);
    let skipped = labelled.filter(|_| SINGLE.contains(&name)).unwrap_or(0);
    let Some(((first, whole), others)) = own.get(skipped..).and_then(<[_]>::split_first) else { return Vec::new() };
    let mut blocks = vec![first.at];
    let mut dropped = Vec::new();
    let mut text = whole.as_str();
    // Removes the prefixes of a subject such as "Re: Fwd: Magnets".
    for _ in 0..MAX_MARKS {
        let marked = text.split_once(':').filter(|(mark, _)| name == "title" && words::is("mail", mark));
        let Some((mark, rest)) = marked else { break };
        dropped.push(mark.to_owned());
        text = rest.trim();
    }
    let mut text = text.to_owned();
    for (more, next) in others {
        if !SINGLE.contains(&name) {
            text.push('\n');
            text.push_str(next);
            blocks.push(more.at);
        } else if next.len() == text.len() && next.to_lowercase() == text.to_lowercase() {
            // Front matter and the first heading often have the same title.
            blocks.push(more.at);
            dropped.push(next.clone());
        }
    }
    if let Some(code) = words::language(&text).filter(|_| name == "language") {
        dropped.push(text);
        return vec![Entry { value: Value::from(code), blocks, dropped }];
    }
    // In "Grade 6", the first word is the name of the field. In "Year 6" it is not, because these are different grades.
    let grade = text.split_once(' ').filter(|(label, _)| name == "grade" && label.eq_ignore_ascii_case("grade"));
    if let Some((label, number)) = grade.filter(|(_, number)| marks::digits(number).is_some()) {
        dropped.push(label.to_owned());
        text = number.to_owned();
    }
    let whole = amount::number(text.trim()).filter(|number| takes_numbers && (number.is_i64() || number.is_u64()));
    vec![Entry { value: whole.map_or_else(|| Value::String(text), Value::Number), blocks, dropped }]
}

/// Returns the blocks of a field with their texts. Questions keep their numbers if answers follow.
fn numbered<'p, 'd>(placed: &'p [Placed<'d>], takes_several: bool) -> Vec<(&'p Placed<'d>, String)> {
    let has_answers = takes_several && placed.iter().any(|placed| is_answers(placed.block));
    let mut count = Count::default();
    let text = |placed: &'p Placed<'d>| {
        let number = count.next(placed.block).filter(|_| has_answers);
        let text = number.map_or_else(|| placed.whole(), |number| format!("{number}. {}", placed.whole()));
        (placed, text)
    };
    placed.iter().map(text).filter(|(placed, _)| !placed.is_label && !placed.is_head()).collect()
}

fn is_answers(block: &Block) -> bool {
    words::is_answers(name_and_time(block).0)
}

/// Counts the items of numbered lists, so that answers have the numbers of their questions.
#[derive(Default)]
struct Count {
    last: u32,
    level: Option<u8>,
    /// Whether the items are numbered in the document itself. If so, items with letters get no number.
    is_given: bool,
}

impl Count {
    /// Returns the number of an item. Text between two items does not begin a new list.
    fn next(&mut self, block: &Block) -> Option<u32> {
        if block.kind != Kind::Item {
            if block.kind == Kind::Heading || is_answers(block) {
                *self = Self::default();
            }
            return None;
        }
        let number = block.form.number;
        let is_top = *self.level.get_or_insert(block.level) == block.level;
        self.is_given |= is_top && number.is_some();
        if !is_top || !block.form.is_ordered || self.is_given && number.is_none() {
            return None;
        }
        self.last = number.unwrap_or_else(|| self.last.saturating_add(1));
        Some(self.last)
    }
}

/// Returns the number in the first block that states one: a duration, a group size, or a number alone.
pub(crate) fn number(name: &str, placed: &[Placed<'_>]) -> Vec<Entry> {
    let value = |placed: &Placed<'_>| {
        let is_labelled = placed.label.is_some() || placed.block.kind != Kind::Heading;
        let number = match name {
            "groupSize" => facts::group_size(placed.text, is_labelled),
            _ if name.to_lowercase().ends_with("minutes") => time::minutes(placed.text, is_labelled),
            _ => marks::digits(placed.text.trim()),
        };
        Some(Entry { value: json!(number?), blocks: vec![placed.at], dropped: vec![placed.text.to_owned()] })
    };
    placed.iter().find_map(value).into_iter().collect()
}

/// Returns the text of a block. In a table row, the first cell names what the other cells are about.
fn named(placed: &Placed<'_>) -> String {
    const MAX_WORDS: usize = 6;
    let mut cells = placed.block.form.cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty());
    let is_name = |cell: &&str| {
        cell.split_whitespace().count() <= MAX_WORDS
            && cell.ends_with(|last: char| last.is_alphanumeric() || last == ')')
    };
    let name = cells.next().filter(|_| placed.block.kind == Kind::Row).filter(is_name);
    let rest = cells.collect::<Vec<_>>().join(" ");
    name.filter(|_| !rest.is_empty()).map_or_else(|| placed.whole(), |name| format!("{name}: {rest}"))
}

pub(crate) fn texts(placed: &[Placed<'_>]) -> Vec<Entry> {
    let entry = |placed: &Placed<'_>| Entry {
        value: Value::String(named(placed)),
        blocks: vec![placed.at],
        dropped: Vec::new(),
    };
    placed.iter().map(entry).collect()
}

/// Splits a text at separators that are not in brackets.
pub(crate) fn parts<'t>(text: &'t str, signs: &[char]) -> Vec<&'t str> {
    let mut depth = 0_i32;
    let parts = text.split(|character: char| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && signs.contains(&character)
    });
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).take(MAX_VALUES).collect();
    // A lesson cannot contain so many parts, so the text is not split.
    if parts.len() < MAX_VALUES { parts } else { vec![text] }
}

fn is_part(label: &str) -> bool {
    words::heading(label).is_some_and(|meaning| meaning.key.starts_with("variables."))
}

/// Returns the variables of an experiment. The label of a line says whether they are independent, dependent or
/// controlled.
pub(crate) fn variables(placed: &[Placed<'_>]) -> Vec<Entry> {
    let mut value = Map::new();
    let (mut blocks, mut dropped) = (Vec::new(), Vec::new());
    let mut open: Option<&'static str> = None;
    for placed in placed {
        let (label, text) = match &placed.block.form.cells.as_slice() {
            [label, text] if placed.block.kind == Kind::Row => (Some(label.as_str()), text.as_str()),
            _ if placed.block.kind == Kind::Heading => (Some(placed.block.text.as_str()), ""),
            _ => match (placed.label, vocabulary::by_sign(placed.text)) {
                (None, Some((label, text))) if is_part(label) => (Some(label), text),
                (label, _) => (label, placed.text),
            },
        };
        let part = label.and_then(words::heading).and_then(|meaning| meaning.key.strip_prefix("variables."));
        if label.is_some() {
            open = part;
        }
        let Some(part) = open.filter(|_| !text.is_empty()) else { continue };
        if part == "controlled" {
            let sign = if text.contains(';') { ';' } else { ',' };
            let more = parts(text, &[sign]).into_iter().map(|text| Value::from(text.trim_end_matches('.')));
            let list = value.entry(part).or_insert_with(|| json!([]));
            list.as_array_mut().into_iter().for_each(|list| list.extend(more.clone()));
        } else if value.contains_key(part) {
            continue;
        } else {
            value.insert(part.to_owned(), Value::from(text));
        }
        if placed.label.is_none() {
            dropped.extend(label.map(str::to_owned));
        }
        blocks.push(placed.at);
    }
    if value.is_empty() { Vec::new() } else { vec![Entry { value: Value::Object(value), blocks, dropped }] }
}
