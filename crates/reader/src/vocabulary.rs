//! Words with their meanings. A word without one stays unplaced.

use serde_json::json;

use crate::document::Kind;
use crate::fill::{Entry, Placed};

pub(crate) fn read(placed: &[Placed<'_>]) -> Vec<Entry> {
    placed.iter().filter_map(entry).collect()
}

fn entry(placed: &Placed<'_>) -> Option<Entry> {
    let block = placed.block;
    let text = placed.text;
    let (term, definition) = match (block.kind, block.form.cells.as_slice()) {
        (Kind::Row, [term, definition, rest @ ..]) => {
            (term.clone(), [std::slice::from_ref(definition), rest].concat().join(" "))
        }
        (Kind::Row, _) => return None,
        _ => {
            let bold = block.form.label;
            let by_bold = || {
                text.split_at_checked(bold).filter(|(term, rest)| !term.trim().is_empty() && !rest.trim().is_empty())
            };
            let (term, definition) = by_sign(text).or_else(by_bold)?;
            (term.to_owned(), definition.to_owned())
        }
    };
    let is_edge = |character: char| character.is_whitespace() || matches!(character, ':' | '–' | '—' | '=' | '-');
    let (term, definition) = (term.trim_matches(is_edge), definition.trim_matches(is_edge));
    let is_usable = !term.is_empty() && !definition.is_empty() && term.len() <= 120;
    is_usable.then(|| Entry {
        value: json!({"term": term, "definition": definition}),
        blocks: vec![placed.at],
        dropped: Vec::new(),
    })
}

/// Returns what is on both sides of a colon, dash or sign of equality.
pub(crate) fn by_sign(text: &str) -> Option<(&str, &str)> {
    let signs = [": ", " – ", " — ", " - ", " = ", " : ", "\t"];
    let found = signs.iter().filter_map(|sign| Some((text.find(sign)?, sign.len())));
    let (at, length) = found.min()?;
    Some((text.get(..at)?, text.get(at + length..)?))
}
