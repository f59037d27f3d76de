//! The user's assignment of blocks to fields.

use std::ops::RangeInclusive;

use crate::document::{Document, Kind};
use crate::facts;

/// Fields, each with the numbers of its blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    fields: Vec<(String, Vec<RangeInclusive<usize>>)>,
    /// Blocks that are labels of the blocks below them.
    labels: Vec<RangeInclusive<usize>>,
}

/// Marks blocks as labels, where a choice otherwise has the name of a field. No field has this name.
const LABELS: &str = "*";

impl Places {
    /// Reads numbers of blocks by field, such as `materials:1-4,7;safety:8;*:1`. Those after `*` are labels.
    pub fn parse(text: &str) -> Option<Self> {
        let range = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            Some(first.parse().ok()?..=last.parse().ok()?)
        };
        let place = |text: &str| {
            let (field, blocks) = text.split_once(':')?;
            let blocks: Option<Vec<_>> = blocks.split(',').map(range).collect();
            Some((field.to_owned(), blocks?))
        };
        let places: Option<Vec<_>> = text.split(';').filter(|place| !place.is_empty()).map(place).collect();
        let (labels, fields): (Vec<_>, Vec<_>) = places?.into_iter().partition(|(name, _)| name == LABELS);
        Some(Self { fields, labels: labels.into_iter().flat_map(|(_, blocks)| blocks).collect() })
    }

    /// Creates an assignment from block ids by field, and the ids of labels. Unknown ids are ignored.
    pub fn of(fields: impl IntoIterator<Item = (String, Vec<String>)>, labels: Vec<String>) -> Self {
        let number = |id: &String| id.strip_prefix('b')?.parse().ok();
        let blocks = |ids: Vec<String>| ids.iter().filter_map(number).map(|number: usize| number..=number).collect();
        Self { fields: fields.into_iter().map(|(field, ids)| (field, blocks(ids))).collect(), labels: blocks(labels) }
    }

    /// Returns the field of each of `count` blocks. A block that is listed twice is put into the first field.
    pub fn choices(&self, count: usize) -> Vec<Option<String>> {
        let mut choices: Vec<Option<String>> = vec![None; count];
        for (field, blocks) in &self.fields {
            for range in blocks {
                let (first, last) = (range.start().saturating_sub(1), (*range.end()).min(count));
                for choice in choices.iter_mut().take(last).skip(first) {
                    choice.get_or_insert_with(|| field.clone());
                }
            }
        }
        choices
    }

    /// Returns the field of each block, and marks the labels. A label gets the field of the block below it. A block
    /// that is too long for a label, contains a value itself, or has nothing below it, is not a label but content.
    pub fn apply(&self, document: &mut Document) -> Vec<Option<String>> {
        const MAX_WORDS: usize = 8;
        let mut choices = self.choices(document.blocks.len());
        let mut are_labels = vec![false; document.blocks.len()];
        for range in &self.labels {
            let (first, last) = (range.start().saturating_sub(1), (*range.end()).min(are_labels.len()));
            are_labels.iter_mut().take(last).skip(first).for_each(|is_label| *is_label = true);
        }
        let mut below: Option<String> = None;
        for (at, block) in document.blocks.iter_mut().enumerate().rev() {
            let Some(choice) = choices.get_mut(at).filter(|_| block.kind != Kind::Picture) else { continue };
            let is_short = matches!(block.kind, Kind::Heading | Kind::Paragraph | Kind::Item)
                && block.text.split_whitespace().count() <= MAX_WORDS
                && facts::labelled(&block.text, block.form.label).is_none();
            let is_label = is_short && are_labels.get(at) == Some(&true);
            if is_label && choice.is_none() {
                choice.clone_from(&below);
            }
            block.form.is_label = is_label && choice.is_some() && *choice == below;
            below.clone_from(choice);
        }
        choices
    }
}
