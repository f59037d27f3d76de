//! Computes the search words of an investigation's content.

use ahash::AHashSet;
use serde_json::Value;

use super::content::{self, Content};
use super::keys::Names;
use super::search::{MAX_FOLDED, fold_to, start_of, words_in};

/// Returns all words of the content's texts and numbers, each once and in alphabetical order, separated by single
/// spaces. Fields in `names` are not normalized again, because `names` contains their normalized texts.
pub fn words(content: &Content, names: &Names<'_>) -> String {
    let mut text = Normalized::default();
    for (field, value) in content {
        match names.folded(field) {
            Some(name) => text.add_folded(name),
            None => content::for_each_leaf_value(std::iter::once(value), &mut |leaf| match leaf {
                Value::String(leaf) => text.add(leaf),
                Value::Number(number) => text.add(&number.to_string()),
                _ => {}
            }),
        }
    }
    text.words()
}

/// Normalized texts, each followed by a space, up to [`MAX_FOLDED`] bytes.
#[derive(Default)]
struct Normalized(String);

impl Normalized {
    fn add(&mut self, text: &str) {
        let start = self.0.len();
        let room = MAX_FOLDED.saturating_sub(start);
        if room == 0 {
            return;
        }
        if text.is_ascii() {
            // ASCII text is appended first and then normalized in place, without an intermediate copy.
            self.0.push_str(start_of(text, room));
            self.0.get_mut(start..).into_iter().for_each(str::make_ascii_lowercase);
        } else {
            self.0.push_str(&fold_to(text, room));
        }
        self.0.push(' ');
    }

    fn add_folded(&mut self, folded: &str) {
        self.0.push_str(start_of(folded, MAX_FOLDED.saturating_sub(self.0.len())));
        self.0.push(' ');
    }

    fn words(&self) -> String {
        // Most words occur several times, so it is faster to remove duplicates before sorting. The set rarely grows.
        let mut seen = AHashSet::with_capacity(self.0.len() / 16);
        let mut words: Vec<&str> = words_in(&self.0).filter(|word| seen.insert(*word)).collect();
        words.sort_unstable();
        words.join(" ")
    }
}
