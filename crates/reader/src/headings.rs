//! Chooses a field for each block by headings and labels.

mod guess;
mod labels;
mod parts;

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::blocks::FORMED;
use crate::document::{Block, Document, Kind};
use crate::facts;
use crate::fields::{Fields, Form, Meant};
use crate::marks;
use crate::pictures::place_pictures;
use crate::steps::is_day;
use crate::time;
use crate::title::title;
use crate::words;

/// A part of the document that belongs to a field.
#[derive(Debug, Clone)]
struct Section {
    field: String,
    /// Level of the heading at its start. Deeper headings belong to this section.
    level: u8,
    /// Whether the section contains the heading of a phase, such as "Warm-up". Only sections of steps have phases.
    has_phase: bool,
}

/// Level of a section that begins with an inline label or a table. It contains that block and the list items below it.
const RUN_IN: u8 = u8::MAX;

impl Section {
    fn is_run_in(&self) -> bool {
        self.level == RUN_IN
    }
}

struct Chooser<'d> {
    blocks: &'d [Block],
    fields: &'d Fields,
    /// Fields that have an unambiguous heading.
    strong: HashSet<&'d str>,
    title: Option<usize>,
    section: Option<Section>,
    /// Set while the current part does not belong to the lesson: the level of the part's heading, and the section
    /// around the part.
    beside: Option<(u8, Option<Section>)>,
    choices: Vec<Option<String>>,
    /// Whether each block begins a separate part, regardless of the headings above it.
    begins: Vec<bool>,
    /// Whether the current block begins such a part.
    is_beginning: bool,
}

/// Returns the field of each block, by headings, labels, the heads of tables and the forms of facts.
pub fn by_headings(document: &Document, fields: &Fields) -> Vec<Option<String>> {
    let mut choices = Chooser::of(document, fields).choices;
    place_pictures(document, fields, &mut choices);
    choices
}

/// Returns how many blocks belong to each heading: those up to the next heading of the same level, or the next block
/// that begins a separate part or is an aside.
pub(crate) fn below(document: &Document, fields: &Fields) -> Vec<usize> {
    parts::below(&document.blocks, &Chooser::of(document, fields).begins)
}

/// Returns the fields that have an unambiguous heading.
fn strong<'d>(blocks: &[Block], fields: &'d Fields) -> HashSet<&'d str> {
    let plain = blocks.iter().filter(|block| block.kind == Kind::Heading).filter_map(|block| {
        match fields.means(name_and_time(block).0)? {
            // A heading for answers does not count, because the field may have another heading for the questions.
            (Meant::Field(field), false) if !words::is_answers(name_and_time(block).0) => Some(field),
            _ => None,
        }
    });
    plain.collect()
}

/// Returns the name of a heading without mark, time and trailing punctuation, and its minutes.
pub(crate) fn name_and_time(block: &Block) -> (&str, Option<&time::Timed>) {
    (&block.form.name, block.form.timed.as_ref())
}

/// Returns the name and the time of a block with this text.
pub(crate) fn named(text: &str) -> (String, Option<time::Timed>) {
    let text = text.get(marks::without(text)).unwrap_or_default();
    let timed = time::of_heading(text);
    let name = timed.as_ref().map(|timed| timed.rest.as_str());
    let name = name.or_else(|| time::before_range(text)).unwrap_or(text);
    (name.trim_end_matches([':', '!', '?', '.', '…', ' ', '–', '-']).trim().to_owned(), timed)
}

/// Returns whether a heading contains words in addition to the name of its field, such as "(per group)", that are in no
/// field. A heading that the user marked as a label has none.
pub(crate) fn says_more(block: &Block, content: &Map<String, Value>) -> bool {
    let has_more = |text: &String| {
        let is_size = || facts::group_of(text).is_some_and(|size| content.get("groupSize") == Some(&Value::from(size)));
        words::beside_name(text).is_some() && !is_size()
    };
    match block.kind {
        _ if block.form.is_label => false,
        Kind::Row => block.form.cells.iter().any(has_more),
        _ => name_and_time(block).1.is_some() || has_more(&block.text),
    }
}

/// Returns whether a heading names a numbered part of the steps, such as "Step 2" and "Part 1: Predict".
pub(crate) fn is_numbered_phase(name: &str) -> bool {
    let mut words = name.split(|character: char| character.is_whitespace() || character == ':');
    let is_phase = words.next().is_some_and(|first| {
        words::is("stepwords", first) || words::heading(first).is_some_and(|meaning| meaning.key == "phase")
    });
    let is_number =
        |word: &str| marks::digits(word).is_some() || word.len() == 1 || matches!(word, "II" | "III" | "IV");
    is_phase && words.next().is_some_and(|second| is_number(second.trim_end_matches(['.', ')', '-', '–'])))
}

impl<'d> Chooser<'d> {
    fn of(document: &'d Document, fields: &'d Fields) -> Self {
        let blocks = document.blocks.as_slice();
        let mut chooser = Self {
            blocks,
            fields,
            strong: strong(blocks, fields),
            title: title(blocks, fields),
            section: None,
            beside: None,
            choices: Vec::new(),
            begins: Vec::new(),
            is_beginning: false,
        };
        chooser.choose();
        chooser
    }

    fn choose(&mut self) {
        for (at, block) in self.blocks.iter().enumerate() {
            self.is_beginning = block.form.is_aside;
            let choice = self.choice(at, block);
            self.choices.push(choice);
            self.begins.push(self.is_beginning);
        }
        self.guess_steps();
        self.guess_questions();
    }

    fn choice(&mut self, at: usize, block: &'d Block) -> Option<String> {
        if Some(at) == self.title {
            self.section = None;
            self.is_beginning = true;
            Some("title".to_owned())
        } else if self.is_title_again(block) {
            self.is_beginning = true;
            Some("title".to_owned())
        } else if block.form.is_aside || block.form.is_caption || block.kind == Kind::Picture {
            None
        } else if block.kind == Kind::Heading {
            self.heading(block)
        } else {
            self.other(at, block)
        }
    }

    /// Returns whether a heading repeats the title, as after front matter.
    fn is_title_again(&self, block: &Block) -> bool {
        let title = self.title.and_then(|at| self.blocks.get(at));
        let text = title.map(|title| {
            facts::labelled(&title.text, title.form.label).map_or(title.text.as_str(), |found| found.value)
        });
        block.kind == Kind::Heading && !block.form.is_aside && text == Some(block.text.as_str())
    }

    fn is_in(&self, form: Form) -> bool {
        self.section.as_ref().is_some_and(|section| self.fields.form(&section.field) == Some(form))
    }

    fn is_in_steps(&self) -> bool {
        self.is_in(Form::Steps)
    }

    /// Returns whether a text in the materials says who gets the materials below it, such as "Per group".
    fn is_for_whom(&self, text: &str) -> bool {
        let label = text.split([':', '：']).next().unwrap_or_default();
        self.is_in(Form::Materials) && words::is_for_whom(label)
    }

    fn open(&mut self, field: &str, level: u8) -> Option<String> {
        self.beside = None;
        self.section = Some(Section { field: field.to_owned(), level, has_phase: false });
        self.is_beginning = true;
        Some(field.to_owned())
    }

    /// Returns the first field with this form.
    fn field_of(&self, form: Form) -> Option<&'d str> {
        self.fields.names().find(|name| self.fields.form(name) == Some(form))
    }

    fn heading(&mut self, block: &Block) -> Option<String> {
        if self.is_for_whom(&block.text) {
            return self.section.as_ref().map(|section| section.field.clone());
        }
        if let Some(labelled) = facts::labelled(&block.text, block.form.label).filter(|_| !self.is_in_steps()) {
            return self.label(block, &labelled);
        }
        let (name, timed) = name_and_time(block);
        // A heading that only names the type of the document, such as "Worksheet", belongs to no field.
        if words::is("documents", name) {
            return None;
        }
        if let Some((level, around)) = self.beside.take() {
            let is_field = matches!(self.fields.means(name), Some((Meant::Field(_), false)));
            if block.level > level && !is_field {
                self.beside = Some((level, around));
                return None;
            }
            self.section = around.filter(|section| section.level < block.level);
        }
        if words::heading(name).is_some_and(|meaning| matches!(meaning.key, "aside" | "preparation")) {
            self.beside = Some((block.level, self.section.take()));
            self.is_beginning = true;
            return None;
        }
        let meant = self.fields.means(name).filter(|(meant, is_weak)| match meant {
            Meant::Field(field) => !is_weak || !self.strong.contains(field),
            Meant::Phase => !is_weak || self.is_in_steps() || timed.is_some(),
            Meant::Other => true,
        });
        let is_deeper = self.section.as_ref().is_some_and(|section| block.level > section.level);
        let is_day = is_day(name) && name.split_whitespace().count() == 2;
        let is_above_item = || self.blocks.get(self.choices.len() + 1).is_some_and(|next| next.kind == Kind::Item);
        let is_phase = timed.is_some() && !matches!(meant, Some((Meant::Field(_), _)))
            || matches!(meant, Some((Meant::Phase, _)))
            || self.is_in_steps() && (timed.is_some() || is_numbered_phase(name))
            // "Lesson 2" above a list is a phase if no other heading in the document is for the steps.
            || is_day && is_above_item() && self.field_of(Form::Steps).is_some_and(|steps| !self.strong.contains(steps));
        // A bold line below a real heading has no level, so it begins a separate section.
        let is_own = block.level >= FORMED
            && self.section.as_ref().is_some_and(|section| section.level < FORMED)
            && matches!(meant, Some((Meant::Field(_), false)));
        if self.is_in_steps() && is_deeper && !is_own || is_phase && self.field_of(Form::Steps).is_some() {
            let open = self.section.take().filter(|open| self.fields.form(&open.field) == Some(Form::Steps));
            let level = open.as_ref().map_or(block.level, |open| open.level.min(block.level));
            let field = open.map(|open| open.field).or_else(|| self.field_of(Form::Steps).map(str::to_owned))?;
            self.section = Some(Section { field: field.clone(), level, has_phase: true });
            return Some(field);
        }
        match meant {
            Some((Meant::Field(field), _)) => self.open(field, block.level),
            Some(_) => {
                self.section = None;
                self.is_beginning = true;
                None
            }
            None if is_deeper => self.section.as_ref().map(|section| section.field.clone()),
            None => {
                self.longer(block);
                None
            }
        }
    }

    /// Begins a section below a heading that names a field and has other words. The heading itself stays unplaced
    /// because of the other words.
    fn longer(&mut self, block: &Block) {
        let meant = words::longer_heading(name_and_time(block).0).map(|meaning| self.fields.meant(meaning.key));
        self.section = None;
        if let Some(Meant::Field(field)) =
            meant.filter(|meant| !matches!(meant, Meant::Field(field) if self.strong.contains(field)))
        {
            self.open(field, if block.kind == Kind::Heading { block.level } else { FORMED });
        }
    }

    fn other(&mut self, at: usize, block: &Block) -> Option<String> {
        let is_warning = block.text.starts_with(['⚠', '☠', '☢', '☣']);
        if is_warning && !self.is_in_steps() && self.fields.form("safety").is_some() {
            return Some("safety".to_owned());
        }
        if block.kind != Kind::Row && self.is_for_whom(&block.text) {
            return self.section.as_ref().map(|section| section.field.clone());
        }
        let labelled = facts::labelled(&block.text, block.form.label);
        // A note for teachers inside a section is not part of the section.
        if labelled.is_some_and(|found| found.meaning.key == "aside") {
            return None;
        }
        if let Some(labelled) = labelled.filter(|found| self.is_switch(at, block, found)) {
            return self.label(block, &labelled);
        }
        if self.section.as_ref().is_none_or(Section::is_run_in) {
            let fact = facts::unlabelled(&block.text)
                .filter(|field| block.kind != Kind::Row && self.fields.form(field).is_some());
            if let Some(field) = fact {
                return Some(field.to_owned());
            }
        }
        if block.kind == Kind::Row {
            self.table(at, block);
        }
        let is_paragraph = block.kind == Kind::Paragraph;
        let is_free = self.section.as_ref().is_none_or(Section::is_run_in);
        let is_colon = is_paragraph && block.text.ends_with(':');
        let has_item_below = self.blocks.get(at + 1).is_some_and(|next| next.kind == Kind::Item);
        let is_lead_in = is_paragraph && words::is_lead_in(&block.text, has_item_below);
        // A line that introduces a list of aims ends the section above it if the field of that section is a single
        // text, such as the driving question.
        let is_text = || {
            self.section
                .as_ref()
                .is_some_and(|section| matches!(self.fields.form(&section.field), Some(Form::Text { .. })))
        };
        let is_free = is_free || is_lead_in && has_item_below && is_text();
        if is_free && (is_colon || is_lead_in) {
            self.longer(block);
            if self.section.is_none() && is_lead_in && self.fields.form("objectives").is_some() {
                self.open("objectives", FORMED);
            }
            return None;
        }
        let section = self.section.as_ref()?;
        if section.is_run_in() && is_paragraph && !(self.is_in_steps() && time::is_timed(&block.text)) {
            self.section = None;
            return None;
        }
        let field = section.field.clone();
        let form = self.fields.form(&field)?;
        let is_left = is_lead_in && form != Form::Steps && form != Form::Terms || is_colon && form == Form::Texts;
        if is_left { None } else { Some(field) }
    }

    /// Begins a section for a table whose header names its field.
    fn table(&mut self, at: usize, block: &Block) {
        let is_first =
            at.checked_sub(1).and_then(|before| self.blocks.get(before)).is_none_or(|before| before.kind != Kind::Row);
        if !is_first || !block.form.is_head || self.is_in_steps() {
            return;
        }
        let is_free = self.section.as_ref().is_none_or(Section::is_run_in);
        let has = |column: &str| block.form.cells.iter().any(|cell| words::is_column(cell, column));
        let has_person = || block.form.cells.iter().any(|cell| words::has_person(cell));
        let form = if has("who") && (has("time") || has("step") && has_person()) {
            Form::Steps
        } else if is_free && has("item") && (has("amount") || has("unit")) {
            Form::Materials
        } else if is_free && has("term") && has("definition") {
            Form::Terms
        } else {
            return;
        };
        if let Some(field) = self.field_of(form) {
            self.open(field, RUN_IN);
        }
    }
}
