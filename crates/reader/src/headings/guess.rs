//! Guesses the steps of a document that has no heading for them.

use super::{Chooser, name_and_time};
use crate::document::{Block, Kind};
use crate::facts;
use crate::fields::{Form, Meant};
use crate::time;
use crate::words;

impl Chooser<'_> {
    /// Chooses `field` for lines that state how long they take, if there are several such lines.
    fn guess_timed(&mut self, field: &str) {
        let is_step = |block: &Block| {
            let is_line = matches!(block.kind, Kind::Paragraph | Kind::Item) && !block.form.is_aside;
            is_line && facts::labelled(&block.text, block.form.label).is_none() && time::is_timed(&block.text)
        };
        // Lines under a heading such as Homework can have times, too, but are not steps.
        let mut is_other = false;
        let mut timed = Vec::new();
        for (choice, block) in self.choices.iter_mut().zip(self.blocks) {
            if block.kind == Kind::Heading {
                is_other = self.fields.means(name_and_time(block).0).is_some_and(|(meant, _)| meant == Meant::Other);
            }
            if choice.is_none() && !is_other && is_step(block) {
                timed.push(choice);
            }
        }
        if timed.len() > 1 {
            timed.into_iter().for_each(|choice| *choice = Some(field.to_owned()));
        }
    }

    /// Adds the questions directly below a heading without a field to the assessment.
    pub(super) fn guess_questions(&mut self) {
        const MIN_QUESTIONS: usize = 2;
        let Some(field) = self.fields.form("assessment").map(|_| "assessment".to_owned()) else { return };
        let is_question = |block: &Block| {
            let is_line = matches!(block.kind, Kind::Paragraph | Kind::Item) && !block.form.is_aside;
            is_line && block.text.ends_with(['?', '؟'])
        };
        for (at, heading) in self.blocks.iter().enumerate() {
            let meaning = words::heading(name_and_time(heading).0);
            let is_beside = heading.form.is_aside || meaning.is_some_and(|meaning| meaning.key == "aside");
            if heading.kind != Kind::Heading || is_beside || self.choices.get(at) != Some(&None) {
                continue;
            }
            let below = self.blocks.iter().zip(&self.choices).skip(at + 1);
            let count = below.take_while(|(block, choice)| choice.is_none() && is_question(block)).count();
            if count >= MIN_QUESTIONS {
                self.choices.get_mut(at + 1..=at + count).unwrap_or_default().fill(Some(field.clone()));
            }
        }
    }

    /// If the document has no steps, chooses the lines with times as steps, or else the first long numbered list above
    /// all headings.
    pub(super) fn guess_steps(&mut self) {
        const MIN_STEPS: usize = 3;
        let Some(field) = self.field_of(Form::Steps) else { return };
        let has_steps = self.choices.iter().flatten().any(|choice| choice == field);
        if !has_steps {
            self.guess_timed(field);
        }
        if self.choices.iter().flatten().any(|choice| choice == field) {
            return;
        }
        let is_step = |block: &Block| block.kind == Kind::Item && block.form.is_ordered && !block.form.is_aside;
        let is_heading = |block: &Block| block.kind == Kind::Heading && !words::is("documents", name_and_time(block).0);
        let mut start = 0;
        for run in self.blocks.chunk_by(|one, next| is_step(one) == is_step(next)) {
            let is_list = run.len() >= MIN_STEPS && run.iter().all(is_step);
            let choices = self.choices.get_mut(start..start + run.len()).unwrap_or_default();
            if is_list && choices.iter().all(Option::is_none) {
                choices.fill(Some(field.to_owned()));
                return;
            }
            let mut places = (start..).zip(run);
            if places.any(|(at, block)| Some(at) != self.title && is_heading(block)) {
                return;
            }
            start += run.len();
        }
    }
}
