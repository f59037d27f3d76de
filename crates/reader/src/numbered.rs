//! Headings that have a number and no full stop: "3 Materials".

use crate::blocks::{FORMED, name_of};
use crate::builder::Line;
use crate::document::Kind;
use crate::marks::digits;
use crate::words;

const MAX_WORDS: usize = 8;

/// Turns numbered lines into headings if they are numbered consecutively through the document, and at least half of
/// them are known headings.
pub(crate) fn number_headings(lines: &mut [Line]) {
    const MIN_HEADINGS: usize = 2;
    let mut found: Vec<(usize, u32, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((number, start)) = numbered(line) else { continue };
        // A number that does not follow the last one belongs to a list inside a part.
        if found.last().is_none_or(|(_, last, _)| number == last + 1) {
            found.push((at, number, start));
        }
    }
    let is_known = |(at, _, start): &&(usize, u32, usize)| {
        let text = lines.get(*at).and_then(|line| line.text.get(*start..)).unwrap_or_default();
        words::heading(&name_of(text)).is_some()
    };
    let known = found.iter().filter(is_known).count();
    if known < MIN_HEADINGS || known * 2 < found.len() {
        return;
    }
    for (at, _, start) in found {
        if let Some(line) = lines.get_mut(at) {
            line.text.drain(..start);
            line.form.label = line.form.label.saturating_sub(start);
            line.kind = Kind::Heading;
            line.level = FORMED;
        }
    }
}

/// Returns the number of a line that may be a heading, and where its text begins.
fn numbered(line: &Line) -> Option<(u32, usize)> {
    const MAX_NUMBER: u32 = 20;
    let (number, rest) = line.text.split_once(' ')?;
    let number = digits(number).filter(|number| (1..=MAX_NUMBER).contains(number))?;
    let text = rest.trim();
    let is_heading = line.kind == Kind::Paragraph
        && line.form.is_apart
        && !line.form.is_aside
        && text.starts_with(char::is_alphabetic)
        && !text.starts_with(char::is_lowercase)
        && text.split_whitespace().count() <= MAX_WORDS
        && !text.ends_with(['.', '!', '?', ',', ';']);
    is_heading.then_some((number, line.text.len() - rest.trim_start().len()))
}
