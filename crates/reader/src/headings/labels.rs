//! Labels in lines: "Safety: wear goggles".

use super::{Chooser, RUN_IN};
use crate::blocks::FORMED;
use crate::document::{Block, Kind};
use crate::facts;
use crate::fields::{Form, Meant};
use crate::time;
use crate::words;

/// Maximum number of plain lines between a list and a label that does not belong to the list.
const MAX_BETWEEN: usize = 6;

impl Chooser<'_> {
    /// Chooses the field of a block that begins with a label.
    pub(super) fn label(&mut self, block: &Block, labelled: &facts::Labelled<'_>) -> Option<String> {
        let meant = self.fields.meant(labelled.meaning.key);
        self.is_beginning = true;
        match meant {
            Meant::Field("title") => {
                self.section = None;
                None
            }
            // Facts may be between other lines, and begin no section.
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

    /// Returns whether a label names a level of pupils for whom the lesson is adapted. "HA" means such a level (higher
    /// ability) only near another label of this kind. Elsewhere, it means homework (in German).
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
    pub(super) fn is_switch(&self, at: usize, block: &Block, labelled: &facts::Labelled<'_>) -> bool {
        let meant = self.fields.meant(labelled.meaning.key);
        // The label of a phase begins the steps only if the label is unambiguous.
        let is_phase = !labelled.meaning.is_weak || time::of_step(&block.text).is_some();
        let Some(section) = &self.section else {
            return (meant != Meant::Phase || is_phase) && block.kind != Kind::Row;
        };
        // In a list of materials, "Safety goggles: 1 per pupil" is an entry. Only a label that is exactly a heading can
        // end the list.
        let is_longer = words::heading(labelled.label).is_none();
        if is_longer && matches!(self.fields.form(&section.field), Some(Form::Materials | Form::Variables)) {
            return false;
        }
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
        let is_end = |before: &Block| matches!(before.kind, Kind::Item | Kind::Row) || time::is_timed(&before.text);
        // A plain line may be between a list and the label.
        let is_behind_list = || {
            let above = self.blocks.get(at.saturating_sub(MAX_BETWEEN)..at).unwrap_or_default();
            let mut lines = above.iter().rev().take_while(|before| before.kind != Kind::Heading);
            above.last().is_some_and(is_end) || lines.any(is_end)
        };
        let is_field = |is: &dyn Fn(&str) -> bool| matches!(meant, Meant::Field(field) if is(field));
        match form {
            // In vocabulary and in steps, a known label may be an ordinary word: a term, or what a teacher says.
            Some(Form::Terms) => {
                block.form.is_apart && labelled.label.contains(' ') || labelled.meaning.key == "homework"
            }
            // A bold label, or a label after a list and a blank line, ranks with bold headings. So it ends the steps if
            // the headings of their phases are only bold.
            Some(Form::Steps) if section.has_phase => {
                (is_bold || block.form.is_apart && is_behind_list())
                    && section.level >= FORMED
                    && is_field(&|field| field != section.field)
            }
            // "Question: …" is a step, unless it is bold or separated from a list of steps.
            Some(Form::Steps) => {
                labelled.meaning.key != "other" && (is_bold || block.form.is_apart && is_behind_list())
            }
            // A label such as "Directions: …" in an assessment does not begin the steps.
            _ if is_field(&|field| self.fields.form(field) == Some(Form::Steps)) => false,
            // "Note: …" belongs to the current section, unless it is separated from a list.
            _ => is_bold || labelled.meaning.key != "other" || block.form.is_apart && is_behind_list(),
        }
    }
}
