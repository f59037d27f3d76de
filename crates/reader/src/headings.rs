//! Chooses a field for each block by headings and labels.

mod guess;

use std::collections::HashSet;

use crate::blocks::FORMED;
use crate::document::{Block, Document, Kind};
use crate::facts;
use crate::fields::{Fields, Form, Meant};
use crate::marks;
use crate::pictures::place_pictures;
use crate::time;
use crate::title::title;
use crate::words;

/// A part of the document that belongs to a field.
#[derive(Debug, Clone)]
struct Section {
    field: String,
    /// Level of the heading that began it. Deeper headings stay in it.
    level: u8,
    /// Whether a phase of the steps is open.
    has_phase: bool,
}

/// Level of a section that a label within a line began, or a table. It has that, and list items below it.
const RUN_IN: u8 = u8::MAX;

impl Section {
    fn is_run_in(&self) -> bool {
        self.level == RUN_IN
    }
}

struct Chooser<'d> {
    blocks: &'d [Block],
    fields: &'d Fields,
    /// Fields that have a heading which says so plainly.
    strong: HashSet<&'d str>,
    title: Option<usize>,
    section: Option<Section>,
    choices: Vec<Option<String>>,
}

/// Returns the field of each block, by headings, labels, the heads of tables and the forms of facts.
pub fn by_headings(document: &Document, fields: &Fields) -> Vec<Option<String>> {
    let blocks = document.blocks.as_slice();
    let plain = blocks.iter().filter(|block| block.kind == Kind::Heading).filter_map(|block| {
        match fields.means(&name_and_time(block).0)? {
            (Meant::Field(field), false) => Some(field),
            _ => None,
        }
    });
    let strong: HashSet<&str> = plain.collect();
    let mut chooser = Chooser { blocks, fields, strong, title: None, section: None, choices: Vec::new() };
    chooser.title = title(blocks, fields);
    for (at, block) in blocks.iter().enumerate() {
        let choice = if Some(at) == chooser.title {
            chooser.section = None;
            Some("title".to_owned())
        } else if chooser.is_title_again(block) {
            Some("title".to_owned())
        } else if block.form.is_aside || block.form.is_caption || block.kind == Kind::Picture {
            None
        } else if block.kind == Kind::Heading {
            chooser.heading(block)
        } else {
            chooser.other(at, block)
        };
        chooser.choices.push(choice);
    }
    chooser.guess_steps();
    let mut choices = chooser.choices;
    place_pictures(document, fields, &mut choices);
    choices
}

/// Returns a heading without mark, time and closing signs, and its minutes.
pub(crate) fn name_and_time(block: &Block) -> (String, Option<time::Timed>) {
    let text = block.text.get(marks::without(&block.text)).unwrap_or_default();
    let timed = time::of_heading(text);
    let name = timed.as_ref().map(|timed| timed.rest.as_str());
    let name = name.or_else(|| time::before_range(text)).unwrap_or(text);
    (name.trim_end_matches([':', '!', '?', '.', '…', ' ', '–', '-']).trim().to_owned(), timed)
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

    /// Returns whether a text says for whom a part of the materials is.
    fn is_for_whom(&self, text: &str) -> bool {
        let label = text.split([':', '：']).next().unwrap_or_default();
        self.is_in(Form::Materials) && words::is_for_whom(label)
    }

    fn open(&mut self, field: &str, level: u8) -> Option<String> {
        self.section = Some(Section { field: field.to_owned(), level, has_phase: false });
        Some(field.to_owned())
    }

    /// Returns the first field of a form.
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
        // Documents have a name of their kind above everything.
        if words::is("documents", &name) {
            return None;
        }
        let meant = self.fields.means(&name).filter(|(meant, is_weak)| match meant {
            Meant::Field(field) => !is_weak || !self.strong.contains(field),
            Meant::Phase => !is_weak || self.is_in_steps() || timed.is_some(),
            Meant::Other => true,
        });
        let is_deeper = self.section.as_ref().is_some_and(|section| block.level > section.level);
        let is_phase = timed.is_some() && !matches!(meant, Some((Meant::Field(_), _)))
            || matches!(meant, Some((Meant::Phase, _)))
            || self.is_in_steps() && (timed.is_some() || is_numbered_phase(&name));
        if self.is_in_steps() && is_deeper || is_phase && self.field_of(Form::Steps).is_some() {
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
                None
            }
            None if is_deeper => self.section.as_ref().map(|section| section.field.clone()),
            None => {
                self.longer(block);
                None
            }
        }
    }

    /// Begins a section below a heading that says a field and more. The heading itself stays unplaced, for its other
    /// words.
    fn longer(&mut self, block: &Block) {
        let meant = words::longer_heading(&name_and_time(block).0).map(|meaning| self.fields.meant(meaning.key));
        self.section = None;
        if let Some(Meant::Field(field)) =
            meant.filter(|meant| !matches!(meant, Meant::Field(field) if self.strong.contains(field)))
        {
            self.open(field, if block.kind == Kind::Heading { block.level } else { FORMED });
        }
    }

    /// Chooses for a block that begins with a label.
    fn label(&mut self, block: &Block, labelled: &facts::Labelled<'_>) -> Option<String> {
        let meant = self.fields.meant(labelled.meaning.key);
        match meant {
            Meant::Field("title") => {
                self.section = None;
                None
            }
            // Facts stand between other lines, and begin nothing.
            Meant::Field(field) if labelled.meaning.is_fact() && block.kind != Kind::Heading => Some(field.to_owned()),
            Meant::Field(field) => self.open(field, RUN_IN),
            Meant::Other => {
                self.section = None;
                None
            }
            Meant::Phase => match self.field_of(Form::Steps).filter(|_| !self.is_in_steps()) {
                Some(field) => self.open(field, RUN_IN),
                None => self.section.as_ref().map(|section| section.field.clone()),
            },
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
        if let Some(labelled) =
            facts::labelled(&block.text, block.form.label).filter(|found| self.is_switch(at, block, found))
        {
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

    /// Returns whether a label says for whom a part of the differentiation is. "HA" is homework elsewhere.
    fn is_level(&self, at: usize, labelled: &facts::Labelled<'_>) -> bool {
        let is_other = |block: &Block| {
            let label = block.text.split_once(':').map_or("", |(label, _)| label);
            words::is("levels", label) && words::fold(label) != words::fold(labelled.label)
        };
        let near = self.blocks.get(at.saturating_sub(2)..(at + 3).min(self.blocks.len())).unwrap_or_default();
        let is_known = labelled.meaning.key != "homework" || near.iter().any(is_other);
        words::is("levels", labelled.label) && is_known
    }

    /// Returns whether a label in a line begins another section.
    fn is_switch(&self, at: usize, block: &Block, labelled: &facts::Labelled<'_>) -> bool {
        let meant = self.fields.meant(labelled.meaning.key);
        // A phase begins the steps, if nothing else can be meant.
        let is_phase = !labelled.meaning.is_weak || time::of_step(&block.text).is_some();
        let Some(section) = &self.section else {
            return (meant != Meant::Phase || is_phase) && block.kind != Kind::Row;
        };
        if section.field == "differentiation" && self.is_level(at, labelled) {
            return false;
        }
        let form = self.fields.form(&section.field);
        if meant == Meant::Phase && block.kind == Kind::Paragraph && form != Some(Form::Terms) {
            let is_apart = section.is_run_in() || block.form.is_apart || block.form.label > 0;
            return if form == Some(Form::Steps) { section.is_run_in() } else { is_phase && is_apart };
        }
        if form == Some(Form::Variables) && labelled.meaning.key.starts_with("variables.") {
            return true;
        }
        if block.kind != Kind::Paragraph || labelled.meaning.is_weak || meant == Meant::Phase {
            return false;
        }
        if section.is_run_in() {
            return true;
        }
        let is_bold = block.form.label > 0;
        let is_field = |is: &dyn Fn(&str) -> bool| matches!(meant, Meant::Field(field) if is(field));
        match form {
            // Words of vocabulary, and what teachers say in a step, can be labels elsewhere.
            Some(Form::Terms) => block.form.is_apart && labelled.label.contains(' '),
            // A label in bold ends phases whose headings are bold as well.
            Some(Form::Steps) if section.has_phase => {
                is_bold && section.level >= FORMED && is_field(&|field| field != section.field)
            }
            // "Question: …" is a step, unless it is bold or stands apart from a list of steps.
            Some(Form::Steps) => {
                let is_end =
                    |before: &Block| matches!(before.kind, Kind::Item | Kind::Row) || time::is_timed(&before.text);
                let is_behind_list = at.checked_sub(1).and_then(|before| self.blocks.get(before)).is_some_and(is_end);
                labelled.meaning.key != "other" && (is_bold || block.form.is_apart && is_behind_list)
            }
            // "Directions: …" in a test is not a step.
            _ if is_field(&|field| self.fields.form(field) == Some(Form::Steps)) => false,
            // "Note: …" goes on with what the heading says.
            _ => is_bold || labelled.meaning.key != "other",
        }
    }

    /// Begins a section for a table that says itself what it is about.
    fn table(&mut self, at: usize, block: &Block) {
        let is_first =
            at.checked_sub(1).and_then(|before| self.blocks.get(before)).is_none_or(|before| before.kind != Kind::Row);
        if !is_first || !block.form.is_head || self.is_in_steps() {
            return;
        }
        let is_free = self.section.as_ref().is_none_or(Section::is_run_in);
        let has = |column: &str| block.form.cells.iter().any(|cell| words::is_column(cell, column));
        let form = if has("time") && has("who") {
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
