//! Numbers of pages: "Page 2 of 3", "Seite 1/1".

use crate::marks;

/// The text before a page number.
pub(crate) const NAMES: [&str; 6] = ["page", "seite", "página", "p.", "s.", "صفحة"];

/// Returns the number of the page at the end of its header: "Physics 7 – Page 2 of 3".
pub(crate) fn page_of(text: &str) -> Option<u32> {
    const OF: [&str; 6] = ["of", "von", "de", "sur", "/", "من"];
    const MAX_HEADER: usize = 200;
    let lower = if text.len() > MAX_HEADER { String::new() } else { text.to_lowercase() };
    let words: Vec<&str> = lower.split_whitespace().collect();
    let (page, all) = match words.as_slice() {
        [.., word, page, of, all] if NAMES.contains(word) && OF.contains(of) => (*page, *all),
        [.., word, both] if NAMES.contains(word) => both.split_once('/')?,
        _ => return None,
    };
    let (page, all) = (marks::digits(page)?, marks::digits(all)?);
    (1..=all).contains(&page).then_some(page)
}

/// Returns whether a line is only a page number: "Page 29", "Page 2 of 3". Such a line does not belong to the lesson,
/// even if it occurs only once.
pub(crate) fn is_count(text: &str) -> bool {
    const MAX_WORDS: usize = 4;
    let text = text.trim_matches(|character: char| character.is_whitespace() || "-–—|()[]".contains(character));
    let lower = if text.split_whitespace().count() > MAX_WORDS { String::new() } else { text.to_lowercase() };
    let rest = NAMES.iter().find_map(|name| lower.strip_prefix(name));
    rest.is_some_and(|rest| marks::digits(rest.trim()).is_some() || page_of(text).is_some())
}
