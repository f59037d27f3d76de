//! Vocabulary: words, each with its meaning if it has one.

use serde_json::json;

use crate::document::Kind;
use crate::fill::{Entry, MAX_VALUES, Placed};
use crate::lists;

pub(crate) fn read(placed: &[Placed<'_>]) -> Vec<Entry> {
    placed.iter().flat_map(entries).collect()
}

fn entries(placed: &Placed<'_>) -> Vec<Entry> {
    let block = placed.block;
    let text = placed.text;
    if block.kind == Kind::Row {
        let Some((term, definition)) = block.form.cells.split_first() else { return Vec::new() };
        return entry(placed, term, &definition.join(" ")).into_iter().collect();
    }
    // Several words in one line, of which at least one has a meaning.
    let several = lists::parts(text, &[';', '؛']);
    let has_meanings = several.iter().any(|part| by_sign(part).is_some());
    if several.len() > 1 && has_meanings && several.iter().all(|part| by_sign(part).is_some() || is_term(part)) {
        let made = |part: &str| match by_sign(part) {
            Some((term, definition)) => entry(placed, term, definition),
            None => Some(new(placed, part.trim_end_matches('.'), "")),
        };
        return several.into_iter().filter_map(made).collect();
    }
    // The bold text includes the label that chose the field.
    let bold = block.form.label.saturating_sub(block.text.len() - text.len());
    let by_bold =
        || text.split_at_checked(bold).filter(|(term, rest)| !term.trim().is_empty() && !rest.trim().is_empty());
    match by_sign(text).or_else(by_bold) {
        Some((term, definition)) => entry(placed, term, definition).into_iter().collect(),
        None if block.kind != Kind::Heading => bare(placed),
        None => Vec::new(),
    }
}

fn is_term(term: &str) -> bool {
    const MAX_WORDS: usize = 4;
    let words = term.split_whitespace().count();
    words <= MAX_WORDS && !term.contains([':', '!', '?', '…']) && term.contains(char::is_alphabetic)
}

/// Returns words without meanings: "ion, emission".
fn bare(placed: &Placed<'_>) -> Vec<Entry> {
    let terms = lists::parts(placed.text.trim_end_matches('.'), &[',', ';', '،', '؛', '·', '•', '|', '\n']);
    if !terms.iter().all(|term| is_term(term) && !term.contains('.')) || terms.len() >= MAX_VALUES {
        return Vec::new();
    }
    terms.into_iter().map(|term| new(placed, term, "")).collect()
}

fn entry(placed: &Placed<'_>, term: &str, definition: &str) -> Option<Entry> {
    const MAX_TERM: usize = 120;
    let is_edge = |character: char| character.is_whitespace() || matches!(character, ':' | '–' | '—' | '=' | '-');
    let (term, definition) = (term.trim_matches(is_edge), definition.trim_matches(is_edge));
    let is_usable = !term.is_empty() && !definition.is_empty() && term.len() <= MAX_TERM;
    is_usable.then(|| new(placed, term, definition))
}

fn new(placed: &Placed<'_>, term: &str, definition: &str) -> Entry {
    let value = json!({"term": term, "definition": definition});
    Entry { value, blocks: vec![placed.at], dropped: Vec::new() }
}

/// Splits a text at a colon, dash or equals sign.
pub(crate) fn by_sign(text: &str) -> Option<(&str, &str)> {
    let signs = [": ", " – ", " — ", " - ", " = ", " : ", "\t"];
    let found = signs.iter().filter_map(|sign| Some((text.find(sign)?, sign.len())));
    let (at, length) = found.min()?;
    Some((text.get(..at)?, text.get(at + length..)?))
}
