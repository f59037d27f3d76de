//! Materials, with amounts and notes.

use serde_json::{Map, Value};

use crate::amount::{self, Amount};
use crate::document::Kind;
use crate::fill::{Entry, MAX_VALUES, Placed};
use crate::lists;
use crate::marks;
use crate::words;

/// The label above a part of the list. It is added to the notes of each entry of the part.
#[derive(Debug, Clone)]
struct Group<'d> {
    at: usize,
    text: &'d str,
    /// Whether the label means "per group". This is the default, so it is not added to the notes.
    is_rule: bool,
    /// Nesting level of the list item that is the label; 0 if the label is a heading or a line.
    level: u8,
}

impl<'d> Group<'d> {
    fn of(placed: &Placed<'d>, text: &'d str, level: u8) -> Option<Self> {
        let text = text.trim().trim_end_matches([':', ' ']);
        let is_rule = words::fold(text).split_whitespace().any(|word| words::is("each", word));
        (!text.is_empty()).then_some(Self { at: placed.at, text, is_rule, level })
    }
}

#[derive(Debug, Default)]
struct Material {
    name: String,
    quantity: Option<Value>,
    unit: Option<String>,
    notes: Vec<String>,
    dropped: Vec<String>,
}

/// Maximum length of a label, in bytes. It is short, because the label is repeated in the notes of each entry.
const MAX_LABEL: usize = 150;

pub(crate) fn read(placed: &[Placed<'_>]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut group: Option<Group<'_>> = None;
    let mut columns: Vec<&'static [&'static str]> = Vec::new();
    for (place, current) in placed.iter().enumerate() {
        // A lesson cannot contain more entries, so the remaining blocks are not split.
        if entries.len() > MAX_VALUES {
            break;
        }
        let next = placed.get(place + 1);
        let block = current.block;
        if current.is_head() {
            columns = block.form.cells.iter().map(|cell| words::columns(cell)).collect();
            continue;
        }
        if current.is_label {
            group = None;
            continue;
        }
        if block.kind == Kind::Row {
            let mut full = block.form.cells.iter().filter(|cell| !cell.is_empty());
            if let (Some(label), None) = (full.next(), full.next())
                && words::is_for_whom(label)
            {
                group = Group::of(current, label, 0);
                continue;
            }
            let material = material_of_row(current, &columns);
            entries.extend(material.map(|material| entry(material, current.at, group.as_mut())));
            continue;
        }
        if group.as_ref().is_some_and(|group| group.level > 0 && block.level <= group.level) {
            group = None;
        }
        let is_short = current.text.len() <= MAX_LABEL;
        let is_paragraph = block.kind == Kind::Paragraph;
        let are_items = |next: &Placed<'_>| block.kind == Kind::Item && next.block.kind == Kind::Item;
        let is_above = next.is_some_and(|next| are_items(next) && next.block.level > block.level);
        let is_label = block.kind == Kind::Heading || is_paragraph && current.text.ends_with(':') || is_above;
        if is_short && (is_label || words::is_for_whom(current.text)) {
            group = Group::of(current, current.text, if is_above { block.level } else { 0 });
            continue;
        }
        columns.clear();
        // A label that says for whom the materials are, as in "For the teacher: kettle, ice".
        let labelled = current.text.split_once(':').filter(|(label, _)| words::is_for_whom(label));
        let (label, text) = labelled.unwrap_or(("", current.text));
        if labelled.is_some() {
            group = Group::of(current, label, 0);
        }
        let is_labelled = labelled.is_some() || current.label.is_some();
        for (place, sentence) in sentences(text, is_labelled).into_iter().enumerate() {
            let texts = if place == 0 { apart(sentence, is_paragraph, is_labelled) } else { vec![sentence.to_owned()] };
            entries.extend(texts.iter().map(|text| entry(material(text), current.at, group.as_mut())));
        }
    }
    entries
}

fn entry(mut material: Material, at: usize, group: Option<&mut Group<'_>>) -> Entry {
    let mut blocks = vec![at];
    if let Some(group) = group {
        // "Per group" is not added to any note. A line that consists of nothing else stays unplaced. Inside a line,
        // "per group" is dropped.
        if !group.is_rule {
            blocks.push(group.at);
            material.notes.push(group.text.to_owned());
        } else if group.at == at {
            let text = std::mem::take(&mut group.text);
            material.dropped.extend(Some(text).filter(|text| !text.is_empty()).map(str::to_owned));
        }
    }
    let mut value = Map::new();
    value.insert("name".to_owned(), Value::String(material.name));
    value.extend(material.quantity.map(|quantity| ("quantity".to_owned(), quantity)));
    value.extend(material.unit.map(|unit| ("unit".to_owned(), Value::String(unit))));
    if !material.notes.is_empty() {
        value.insert("notes".to_owned(), Value::String(material.notes.join("; ")));
    }
    Entry { value: Value::Object(value), blocks, dropped: material.dropped }
}

/// Separates an inline list after a label from the sentence that follows it: "… a ruler. Also tape for me".
fn sentences(text: &str, is_labelled: bool) -> Vec<&str> {
    const MAX_LENGTH: usize = 2000;
    if !is_labelled || text.len() > MAX_LENGTH {
        return vec![text];
    }
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let is_end = |at: &usize| text.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let is_list = |at: &usize| text.get(..*at).is_some_and(|list| lists::parts(list, &[',', ';']).len() > 1);
    match ends.filter(is_end).find(is_list).and_then(|at| text.split_at_checked(at)) {
        Some((list, rest)) => vec![list, rest.trim()],
        None => vec![text],
    }
}

/// Splits a line of short names at its commas, if it is a list. Three or more names are a list. Two names are a list
/// only after a label: elsewhere, the second may be the amount of the first.
fn apart(text: &str, is_paragraph: bool, is_labelled: bool) -> Vec<String> {
    const MAX_NAME: usize = 50;
    let mut names: Vec<String> = Vec::new();
    for part in lists::parts(text.trim_end_matches('.'), &[',', ';', '،', '؛']) {
        match names.last_mut().filter(|_| is_size(part)) {
            Some(name) => name.extend([", ", part]),
            None => names.push(part.to_owned()),
        }
    }
    // A comma between digits, as in "0,5 l", is a decimal comma.
    let is_number = names.windows(2).any(|pair| {
        pair.iter().take(1).all(|name| name.ends_with(|last: char| last.is_ascii_digit()))
            && pair.iter().skip(1).all(|name| name.starts_with(|first: char| first.is_ascii_digit()))
    });
    let is_short = names.iter().all(|name| {
        let bare = words::without_brackets(name);
        bare.len() <= MAX_NAME && name.len() <= MAX_LABEL && !bare.contains([':', '!', '?'])
    });
    let is_list = match names.as_slice() {
        [_, second] => is_labelled && amount::whole(second).is_none(),
        names => names.len() > 2 && (is_paragraph || is_labelled),
    };
    // "1 grape, 1 small cork" are two things, and "1 cylinder, 250 ml" is one.
    let is_counted = |name: &String| {
        let has_number = name.starts_with(|first: char| first.is_ascii_digit());
        has_number && amount::whole(name).is_none() && amount::split(name).is_some()
    };
    let are_counted = names.len() > 1 && names.iter().all(is_counted);
    if (is_list || are_counted) && is_short && !is_number { names } else { vec![text.to_owned()] }
}

/// Returns whether a text states the size of the material before it: "2 inches long".
fn is_size(text: &str) -> bool {
    amount::split(text).is_some_and(|found| found.unit.is_some() && words::is("sizes", &found.name))
}

fn material(text: &str) -> Material {
    let mut material = Material::default();
    let (text, addresses) = without_addresses(text);
    let text = text.trim().trim_end_matches([',', ';']);
    // The last entry of a list may begin with "and": "a magnet, five clips, and a ruler".
    let is_and = |word: &str| word.chars().all(char::is_lowercase) && words::is("and", word);
    let (and, text) = text.split_once(' ').filter(|(and, _)| is_and(and)).unwrap_or(("", text));
    material.dropped.extend(Some(and).filter(|and| !and.is_empty()).map(str::to_owned));
    let (name, note) = bracketed(text);
    match amount::split(name).or_else(|| amount::split(text)) {
        Some(found) if note.is_some() && amount::split(name).is_none() => material.take(found),
        Some(found) => {
            material.take(found);
            material.notes.extend(note.map(str::to_owned));
        }
        None => {
            let share = share(name);
            material.name = share.map_or(name, |(name, ..)| name).to_owned();
            material.quantity = share.map(|(_, number, _)| amount::quantity(number));
            material.notes.extend(share.map(|(.., whom)| whom).into_iter().chain(note).map(str::to_owned));
        }
    }
    let name = material.name.clone();
    if let Some((name, size)) =
        name.rsplit_once(", ").filter(|(_, size)| size.starts_with(|first: char| first.is_ascii_digit()))
        && material.quantity.is_some()
    {
        material.name = name.to_owned();
        material.notes.insert(0, size.to_owned());
    }
    material.notes.extend(addresses);
    material
}

/// Returns the name, the number and the recipient: "pipettes, 3 per group".
fn share(text: &str) -> Option<(&str, &str, &str)> {
    let (name, share) = text.rsplit_once(", ")?;
    let (number, whom) = share.split_once(' ')?;
    (marks::digits(number).is_some() && words::is_for_whom(whom)).then_some((name, number, whom))
}

/// Removes the addresses of links, which follow their texts in parentheses.
fn without_addresses(text: &str) -> (String, Vec<String>) {
    const BEGINNINGS: [&str; 3] = ["http://", "https://", "mailto:"];
    let (mut kept, mut addresses, mut from) = (String::new(), Vec::new(), 0);
    for (at, bracket) in text.match_indices(" (") {
        let inner = text.get(at + bracket.len()..).unwrap_or_default();
        if at < from || !BEGINNINGS.iter().any(|beginning| inner.starts_with(beginning)) {
            continue;
        }
        let Some((address, _)) = inner.split_once(')') else { break };
        kept.push_str(text.get(from..at).unwrap_or_default());
        addresses.push(address.to_owned());
        from = at + bracket.len() + address.len() + 1;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    (kept, addresses)
}

/// Splits off the parentheses at the end.
fn bracketed(text: &str) -> (&str, Option<&str>) {
    let inner = text.trim_end_matches('.').strip_suffix(')').and_then(|text| {
        let mut depth = 1;
        let start = text.char_indices().rev().find(|(_, character)| {
            match character {
                ')' => depth += 1,
                '(' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        Some((text.get(..start.0)?.trim(), text.get(start.0 + 1..)?.trim()))
    });
    match inner {
        Some((name, note)) if !name.is_empty() && !note.is_empty() => (name, Some(note)),
        _ => (text, None),
    }
}

impl Material {
    fn take(&mut self, found: Amount) {
        self.name = found.name;
        self.quantity = Some(found.quantity);
        self.unit = found.unit;
        self.dropped.extend(found.joint);
    }
}

fn material_of_row(placed: &Placed<'_>, columns: &[&'static [&'static str]]) -> Option<Material> {
    let cells = &placed.block.form.cells;
    let mut found = Material::default();
    let place = |wanted: &str| columns.iter().position(|column| column.contains(&wanted));
    // A row without column headings: "4 pairs" in the first cell, "goggles" in the second.
    if columns.is_empty()
        && let [first, name] = cells.as_slice()
        && let Some(amount) = amount_in_front(first).filter(|_| amount::whole(name).is_none())
    {
        let (name, note) = bracketed(name);
        found.take(Amount { name: name.to_owned(), ..amount });
        found.notes.extend(note.map(str::to_owned));
        return Some(found);
    }
    let amount_place = place("amount").or(if columns.is_empty() { Some(1) } else { None });
    let name_place = place("item").filter(|name| Some(*name) != amount_place).unwrap_or(0);
    let unit_place = place("unit").or(if columns.is_empty() && cells.len() > 2 { Some(2) } else { None });
    let mut name = cells.get(name_place)?.clone();
    if name.is_empty() {
        name = cells.iter().find(|cell| !cell.is_empty())?.clone();
    }
    for (at, cell) in
        cells.iter().enumerate().filter(|(at, cell)| *at != name_place && !cell.is_empty() && **cell != name)
    {
        let is_unit = Some(at) == unit_place
            && (words::is("units", cell) || words::is("containers", cell) || cell.chars().count() <= 4);
        if Some(at) == amount_place && found.quantity.is_none() {
            match amount::whole(cell) {
                Some(amount) => {
                    found.quantity = Some(amount.quantity);
                    found.unit = amount.unit;
                }
                None if columns.is_empty() => found.notes.push(cell.clone()),
                None => found.quantity = Some(amount::quantity(cell)),
            }
        } else if is_unit && found.unit.is_none() {
            found.unit = Some(cell.clone());
        } else {
            found.notes.push(cell.clone());
        }
    }
    if found.quantity.is_none() {
        // The row has no quantity, so the amount is read from the name. A unit without a quantity becomes a note.
        let others = found.unit.into_iter().chain(found.notes);
        found = material(&name);
        found.notes.extend(others);
    } else {
        found.name = name;
    }
    Some(found)
}

/// Returns the amount in a cell. In a cell, any word after the number is taken as the unit, as in "4 pairs".
fn amount_in_front(cell: &str) -> Option<Amount> {
    let of_words = || {
        let (number, unit) = cell.split_once(' ').filter(|(_, unit)| !unit.contains(' '))?;
        let is_number = number.starts_with(|first: char| first.is_ascii_digit());
        let is_word = unit.chars().all(char::is_alphabetic);
        let (quantity, unit) = (amount::quantity(number), Some(unit.to_owned()));
        (is_number && is_word).then(|| Amount { name: String::new(), quantity, unit, joint: None })
    };
    amount::whole(cell).or_else(of_words)
}
