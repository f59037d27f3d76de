//! Puts blocks into fields, after a field was chosen for each block.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use crate::document::{Block, Document, Kind};
use crate::facts;
use crate::fields::{Fields, Form, Meant};
use crate::headings::{below, name_and_time, says_more};
use crate::{lists, materials, pictures, steps, vocabulary, words};

/// A lesson that was read from a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    pub content: Map<String, Value>,
    /// The blocks of the document, with the fields they are in.
    pub blocks: Vec<Block>,
    /// Ids of the blocks whose words are in no field.
    pub not_placed: Vec<String>,
    pub notices: Vec<String>,
    /// The path of each placed picture, such as `pictures` or `steps.2.picture`, by block id. The pictures are not in
    /// `content`: `content` would need their ids, and a picture gets its id only when it is stored.
    pub pictures: BTreeMap<String, String>,
    /// Captions of pictures, by block id. The captions are not in `content` either.
    pub captions: BTreeMap<String, String>,
    /// Words that are neither in `content` nor in `not_placed`: headings and labels that determined a field, times that
    /// became minutes, words such as "of".
    pub dropped: Vec<String>,
}

/// A value of a field, or an element of a list, with the blocks that it comes from.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) value: Value,
    pub(crate) blocks: Vec<usize>,
    pub(crate) dropped: Vec<String>,
}

/// A block in a field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'d> {
    pub(crate) at: usize,
    pub(crate) block: &'d Block,
    /// The text without the label that chose the field.
    pub(crate) text: &'d str,
    pub(crate) label: Option<&'d str>,
    /// Whether it is a heading that only names the field, or a table header that only names the columns.
    pub(crate) is_label: bool,
}

impl Placed<'_> {
    /// Returns the text, or the cells of a row one after the other.
    pub(crate) fn whole(&self) -> String {
        let cells: Vec<&str> =
            self.block.form.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
        if self.block.kind == Kind::Row { cells.join(" ") } else { self.text.to_owned() }
    }

    pub(crate) fn is_head(&self) -> bool {
        self.block.kind == Kind::Row && self.block.form.is_head
    }
}

/// Maximum number of values, and of bytes, that a lesson has. Slightly below the limits of the service, to leave space
/// for the other parts of a request that creates an investigation.
pub(crate) const MAX_VALUES: usize = 9_000;
const MAX_BYTES: usize = 240 * 1024;

/// Puts each block into the field at the same index in `choices`. Leaves out blocks that their field cannot contain.
/// `violations` returns the paths of values that the service would refuse, such as `materials.3.name`. These values are
/// left out, too.
pub fn fill(
    document: &Document,
    choices: &[Option<String>],
    fields: &Fields,
    violations: &dyn Fn(&Map<String, Value>) -> Vec<String>,
) -> Filled {
    let mut entries: BTreeMap<usize, (String, Vec<Entry>)> = BTreeMap::new();
    for (order, name) in fields.names().enumerate() {
        let Some(form) = fields.form(name) else { continue };
        let placed = placed(document, choices, fields, name);
        let found = read(form, name, &placed);
        if !found.is_empty() {
            entries.insert(order, (name.to_owned(), found));
        }
    }
    // A label such as "Per group of 4" above a list states the group size.
    let size = fields.names().position(|name| name == "groupSize");
    if let Some(order) = size.filter(|order| !entries.contains_key(order)) {
        let found = group_size(document, choices, fields);
        entries.extend(found.map(|entry| (order, ("groupSize".to_owned(), vec![entry]))));
    }
    let mut notices = document.notices.clone();
    limit(&mut entries, &mut notices);
    let content = valid(&mut entries, fields, violations, &mut notices);
    finish(document, choices, fields, entries, content, notices)
}

fn group_size(document: &Document, choices: &[Option<String>], fields: &Fields) -> Option<Entry> {
    let is_material =
        |choice: &Option<String>| choice.as_ref().and_then(|name| fields.form(name)) == Some(Form::Materials);
    let size = |(block, _): (&Block, _)| match block.kind {
        Kind::Row => block.form.cells.iter().filter(|_| block.form.is_head).find_map(|cell| facts::group_of(cell)),
        Kind::Heading | Kind::Paragraph => facts::group_of(&block.text),
        _ => None,
    };
    let value = document.blocks.iter().zip(choices).filter(|(_, choice)| is_material(choice)).find_map(size)?;
    Some(Entry { value: Value::from(value), blocks: Vec::new(), dropped: Vec::new() })
}

fn placed<'d>(document: &'d Document, choices: &'d [Option<String>], fields: &Fields, name: &str) -> Vec<Placed<'d>> {
    let is_chosen =
        |choice: &Option<String>| choice.as_deref().is_some_and(|choice| choice.split('.').next() == Some(name));
    let is_placed = |(at, (block, choice)): &(usize, (&Block, &Option<String>))| {
        block.kind != Kind::Picture && is_chosen(choice) && !pictures::is_caption(document, choices, fields, *at)
    };
    let chosen = document.blocks.iter().zip(choices).enumerate().filter(is_placed);
    let is_inside = |at: usize| at.checked_sub(1).and_then(|before| choices.get(before)).is_some_and(is_chosen);
    let is_above = |at: usize| choices.get(at + 1).is_some_and(is_chosen);
    let is_lead_in = |at: usize, block: &Block| {
        let has_item = document.blocks.get(at + 1).is_some_and(|next| next.kind == Kind::Item);
        let is_line = matches!(block.kind, Kind::Paragraph | Kind::Heading);
        is_line && is_above(at) && fields.form(name) == Some(Form::Texts) && words::is_lead_in(&block.text, has_item)
    };
    let placed = |(at, (block, _)): (usize, (&'d Block, _))| {
        let placed = labelled(at, block, fields, name, is_inside(at));
        Placed { is_label: placed.is_label || is_lead_in(at, block), ..placed }
    };
    chosen.map(placed).collect()
}

fn labelled<'d>(at: usize, block: &'d Block, fields: &Fields, name: &str, is_inside: bool) -> Placed<'d> {
    let is_meant = |meant: Meant<'_>| matches!(meant, Meant::Field(field) if field.split('.').next() == Some(name));
    let found = facts::labelled(&block.text, block.form.label);
    // In the middle of steps, and in the name of a phase, a label such as "Activity" is a part of the text.
    let is_named = is_inside || block.kind == Kind::Heading;
    let is_step = is_named && fields.form(name) == Some(Form::Steps);
    // In a title, a label is ignored even if it names a field, such as "Subject: …" in an e-mail.
    let is_single = lists::SINGLE.contains(&name);
    let is_own = |found: &facts::Labelled<'_>| {
        let is_other = is_single && matches!(found.meaning.key, "other" | "title");
        (is_meant(fields.meant(found.meaning.key)) || is_other)
            && !(name == "differentiation" && words::is("levels", found.label))
    };
    // Two kinds of labels stay in the text. "Answers" separates questions from answers. A label such as "Exit ticket"
    // is a subheading if another block of the same field is above it.
    let is_part = is_inside && !is_single && matches!(fields.form(name), Some(Form::Text { .. }));
    let is_kept = |found: &facts::Labelled<'_>| is_part || words::is_answers(found.label);
    let label = found.filter(|found| block.kind != Kind::Row && !is_step && is_own(found) && !is_kept(found));
    let is_known = |cell: &String| cell.trim().is_empty() || !words::columns(cell).is_empty();
    let is_label = match block.kind {
        Kind::Heading => {
            label.is_none() && fields.means(name_and_time(block).0).is_some_and(|(meant, _)| is_meant(meant))
        }
        Kind::Row => block.form.is_head && block.form.cells.iter().all(is_known),
        _ => false,
    };
    let is_label = (is_label || block.form.is_label) && !words::is_answers(name_and_time(block).0);
    let (label, text) = label.map_or((None, block.text.as_str()), |found| (Some(found.label), found.value));
    Placed { at, block, text, label, is_label }
}

fn read(form: Form, name: &str, placed: &[Placed<'_>]) -> Vec<Entry> {
    let own: Vec<Placed<'_>> = placed.iter().filter(|placed| !placed.is_label && !placed.is_head()).copied().collect();
    match form {
        Form::Text { takes_numbers } => lists::text(name, placed, takes_numbers),
        Form::Number => lists::number(name, &own),
        Form::Texts => lists::texts(&own),
        Form::Materials => materials::read(placed),
        Form::Steps => steps::read(placed),
        Form::Terms => vocabulary::read(&own),
        Form::Variables => lists::variables(placed),
        Form::Pictures => Vec::new(),
    }
}

/// Removes elements from the end of each list until the lesson is small enough.
fn limit(entries: &mut BTreeMap<usize, (String, Vec<Entry>)>, notices: &mut Vec<String>) {
    let (mut values, mut bytes, mut is_full) = (0, 0, false);
    for (_, list) in entries.values_mut() {
        let mut last = None;
        list.retain(|entry| {
            values += count(&entry.value);
            bytes += entry.value.to_string().len();
            let fits = values <= MAX_VALUES && bytes <= MAX_BYTES;
            if !fits {
                last = last.or(entry.blocks.first().copied());
            }
            is_full |= !fits;
            fits
        });
        list.retain(|entry| last.is_none() || entry.blocks.first() != last.as_ref());
    }
    if is_full {
        notices.push("The document is too large for one lesson. The rest was not placed.".to_owned());
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(elements) => elements.iter().map(count).sum(),
        _ => 1,
    }
}

fn content(entries: &BTreeMap<usize, (String, Vec<Entry>)>, fields: &Fields) -> Map<String, Value> {
    let mut content = Map::new();
    for (name, list) in entries.values() {
        let is_list = matches!(fields.form(name), Some(Form::Texts | Form::Materials | Form::Steps | Form::Terms));
        let mut values = list.iter().map(|entry| entry.value.clone());
        let value = if is_list { Some(Value::Array(values.collect())) } else { values.next() };
        content.extend(value.map(|value| (name.clone(), value)));
    }
    content.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    content
}

/// Removes values until no value is refused.
fn valid(
    entries: &mut BTreeMap<usize, (String, Vec<Entry>)>,
    fields: &Fields,
    violations: &dyn Fn(&Map<String, Value>) -> Vec<String>,
    notices: &mut Vec<String>,
) -> Map<String, Value> {
    /// For a large lesson, each round reports only one violation. The limit keeps the number of rounds small.
    const MAX_ROUNDS: usize = 100;
    let mut refused: HashSet<String> = HashSet::new();
    for _ in 0..MAX_ROUNDS {
        let current = content(entries, fields);
        let paths = violations(&current);
        if paths.is_empty() || current.is_empty() {
            notices.extend(notice(refused));
            return current;
        }
        // Other elements from the same block are removed with it, so that the block's words stay together.
        let block = |(field, element): (String, Option<usize>)| {
            let list = entries.values().find(|(name, _)| *name == field).map(|(_, list)| list);
            let block = list.and_then(|list| list.get(element?)?.blocks.first().copied());
            (field, block)
        };
        let places: BTreeSet<(String, Option<usize>)> = paths.iter().map(|path| block(place(path))).collect();
        let mut is_changed = false;
        for (field, block) in places {
            // The violation may be that a value is missing. Then there is nothing to remove.
            let Some((_, list)) = entries.values_mut().find(|(name, list)| *name == field && !list.is_empty()) else {
                continue;
            };
            is_changed = true;
            list.retain(|entry| block.is_some() && entry.blocks.first().copied() != block);
            refused.insert(field);
        }
        if !is_changed && paths.iter().all(|path| !path.is_empty()) {
            notices.extend(notice(refused));
            return current;
        }
        // The remaining violations are about the lesson as a whole, so there is no single value to remove.
        if !is_changed {
            break;
        }
    }
    entries.clear();
    notices.push("The content schema refuses the lesson as a whole, so nothing was placed.".to_owned());
    Map::new()
}

fn place(path: &str) -> (String, Option<usize>) {
    let mut segments = path.trim_start_matches('/').split(['.', '/']);
    let field = segments.next().unwrap_or_default().to_owned();
    (field, segments.next().and_then(|element| element.parse().ok()))
}

fn notice(refused: HashSet<String>) -> Option<String> {
    let mut names: Vec<String> = refused.into_iter().collect();
    names.sort();
    (!names.is_empty()).then(|| format!("Some texts do not fit into {} and were not placed.", names.join(", ")))
}

fn finish(
    document: &Document,
    choices: &[Option<String>],
    fields: &Fields,
    entries: BTreeMap<usize, (String, Vec<Entry>)>,
    content: Map<String, Value>,
    notices: Vec<String>,
) -> Filled {
    let mut blocks = document.blocks.clone();
    let mut dropped = Vec::new();
    // Headings whose words would be in no field. A label that the user chose is kept with all its words.
    let mut unsaid: HashSet<usize> = HashSet::new();
    let mut set = |at: usize, field: &str, label: bool| {
        if let Some(block) = blocks.get_mut(at) {
            block.field = Some(field.to_owned());
            block.label = label;
        }
    };
    let mut used: HashSet<usize> = HashSet::new();
    for (name, list) in entries.values() {
        for entry in list {
            dropped.extend(entry.dropped.iter().cloned());
            used.extend(entry.blocks.iter().copied());
            entry.blocks.iter().for_each(|at| set(*at, name, false));
        }
        let all = placed(document, choices, fields, name);
        // A label that chose the field is dropped from the text if something below it is in the field.
        for (place, label) in all.iter().enumerate().filter(|(_, placed)| placed.is_label) {
            let is_heading = |placed: &Placed<'_>| placed.is_label && !placed.is_head();
            let below = all.iter().skip(place + 1).take_while(|placed| !is_heading(placed));
            if below.into_iter().any(|below| used.contains(&below.at)) && used.insert(label.at) {
                if says_more(label.block, &content) {
                    unsaid.insert(label.at);
                } else {
                    dropped.push(label.block.text.clone());
                }
                set(label.at, name, label.block.form.is_label);
            }
        }
        let labels =
            all.iter().filter(|placed| !placed.is_label && used.contains(&placed.at)).filter_map(|placed| placed.label);
        dropped.extend(labels.map(str::to_owned));
    }
    let pictures = pictures::paths(document, choices, fields, entries.values());
    let mut captions = BTreeMap::new();
    let is_caption = |(at, _): &(usize, &Block)| pictures::is_caption(document, choices, fields, *at);
    for (at, caption) in document.blocks.iter().enumerate().filter(is_caption) {
        let Some(picture) = at.checked_sub(1).and_then(|above| document.blocks.get(above)) else { continue };
        let field = pictures.get(&picture.id).and_then(|path| path.split('.').next());
        if let Some((field, block)) = field.zip(blocks.get_mut(at)) {
            block.field = Some(field.to_owned());
            captions.insert(picture.id.clone(), caption.text.clone());
        }
    }
    blocks.iter_mut().zip(below(document, fields)).for_each(|(block, below)| block.below = below);
    let is_left = |(at, block): &(usize, &Block)| block.field.is_none() || unsaid.contains(at);
    let not_placed = blocks.iter().enumerate().filter(is_left).map(|(_, block)| block.id.clone()).collect();
    Filled { content, blocks, not_placed, notices, pictures, captions, dropped }
}
