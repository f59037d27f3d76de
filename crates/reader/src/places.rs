//! Which blocks go to which fields, as somebody chose.

use std::ops::RangeInclusive;

/// Fields, each with the numbers of its blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    fields: Vec<(String, Vec<RangeInclusive<usize>>)>,
}

impl Places {
    /// Reads numbers of blocks by field, such as `materials:1-4,7;safety:8`.
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
        let fields: Option<Vec<_>> = text.split(';').filter(|place| !place.is_empty()).map(place).collect();
        Some(Self { fields: fields? })
    }

    /// Returns the places of blocks with these ids. What is not an id of a block is left out.
    pub fn of(fields: impl IntoIterator<Item = (String, Vec<String>)>) -> Self {
        let number = |id: &String| id.strip_prefix('b')?.parse().ok();
        let blocks = |ids: Vec<String>| ids.iter().filter_map(number).map(|number: usize| number..=number).collect();
        Self { fields: fields.into_iter().map(|(field, ids)| (field, blocks(ids))).collect() }
    }

    /// Returns the field of each of `count` blocks. A block that is in two places goes to the first.
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
}
