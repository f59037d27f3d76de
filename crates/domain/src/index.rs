//! Computes the search words of an investigation's content, by field.

use std::collections::BTreeSet;
use std::ops::Range;

use ahash::AHashSet;
use serde_json::Value;

use super::content::{self, Content};
use super::keys::Names;
use super::search::{MAX_FOLDED, MAX_GROWTH, fold_to, start_of, words_in};

/// Normalized texts and numbers of an investigation's content, by field.
pub struct Index<'c> {
    texts: String,
    fields: Vec<(&'c str, Range<usize>)>,
}

impl<'c> Index<'c> {
    /// Builds the index of the fields for which `wanted` returns true. Fields in `names` are not normalized again,
    /// because `names` contains their normalized texts.
    pub fn of(content: &'c Content, names: &Names<'_>, wanted: impl Fn(&str, &Value) -> bool) -> Self {
        let mut index = Self { texts: String::new(), fields: Vec::new() };
        for (field, value) in content.iter().filter(|(field, value)| wanted(field, value)) {
            let start = index.texts.len();
            match names.folded(field) {
                Some(name) => index.add_folded(name),
                None => content::for_each_leaf_value(std::iter::once(value), &mut |leaf| match leaf {
                    Value::String(text) => index.add(text),
                    Value::Number(number) => index.add(&number.to_string()),
                    _ => {}
                }),
            }
            index.fields.push((field, start..index.texts.len()));
        }
        index
    }

    fn add(&mut self, text: &str) {
        let (start, room) = (self.texts.len(), MAX_FOLDED.saturating_sub(self.texts.len()));
        if room == 0 {
            return;
        }
        if text.is_ascii() {
            // ASCII text is appended first and then normalized in place, without an intermediate copy.
            self.texts.push_str(start_of(text, room));
            self.texts.get_mut(start..).into_iter().for_each(str::make_ascii_lowercase);
        } else {
            self.texts.push_str(&fold_to(text, room));
        }
        self.texts.push(' ');
    }

    fn add_folded(&mut self, folded: &str) {
        self.texts.push_str(start_of(folded, MAX_FOLDED.saturating_sub(self.texts.len())));
        self.texts.push(' ');
    }

    /// Returns the words of the fields for which `wanted` returns true.
    pub fn words(&self, wanted: impl Fn(&str) -> bool) -> BTreeSet<&str> {
        let fields = self.fields.iter().filter(|(field, _)| wanted(field));
        fields.flat_map(|(_, texts)| words_in(self.texts.get(texts.clone()).unwrap_or_default())).collect()
    }

    /// Returns all words, each once and in alphabetical order, separated by single spaces.
    pub fn text(&self) -> String {
        // Most words occur several times, so it is faster to remove duplicates before sorting. The set rarely grows.
        let mut seen = AHashSet::with_capacity(self.texts.len() / 16);
        let mut words: Vec<&str> = words_in(&self.texts).filter(|word| seen.insert(*word)).collect();
        words.sort_unstable();
        words.join(" ")
    }
}

/// Returns all words of the content's texts and numbers, each once and in alphabetical order, separated by single
/// spaces.
pub fn index_text(content: &Content) -> String {
    Index::of(content, &Names::of(content), |_, _| true).text()
}

/// Returns whether content of `bytes` bytes of JSON may be too large to be indexed completely.
pub fn may_be_cut(bytes: usize) -> bool {
    bytes > MAX_FOLDED / MAX_GROWTH
}
