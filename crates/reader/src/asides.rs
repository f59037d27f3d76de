//! Marks asides: the parts of a page that do not belong to the lesson.

use crate::builder::Line;
use crate::document::Kind;
use crate::pages;
use crate::words;

/// Marks lists of links, letter heads and signatures, copyright notices, and page numbers as asides.
pub(crate) fn set_aside(lines: &mut [Line]) {
    set_links_aside(lines);
    set_letter_aside(lines);
    lines.iter_mut().for_each(|line| line.form.is_aside |= is_notice(&line.text) || pages::is_count(&line.text));
}

/// Returns whether a line is a copyright notice: "© 2018 School board".
pub(crate) fn is_notice(text: &str) -> bool {
    text.starts_with(['©', '℗']) || text.starts_with("(c) ") || text.starts_with("(C) ")
}

/// Returns whether a line is a blank line to fill in: "………", "______".
pub(crate) fn is_form(text: &str) -> bool {
    const MIN_LENGTH: usize = 3;
    let is_sign = |character: char| character.is_whitespace() || "….·_-–—=*~".contains(character);
    text.contains(['…', '.', '_', '·']) && text.chars().all(is_sign) && text.len() >= MIN_LENGTH
}

/// Returns whether the service wrote a line on a sheet: "Name Date", "Our guess", the address of a link. Other words in
/// such a line were written by a person, so they are kept.
pub(crate) fn is_of_sheet(text: &str) -> bool {
    let is_word = |word: &str| words::is("sheet", word);
    let is_address = || text.contains("/l/") && !text.contains(char::is_whitespace);
    is_word(text) || text.split_whitespace().all(is_word) || is_address()
}

/// Returns whether a line consists only of a few labels, each with space to write after it: "Name: ______ Date:
/// ______".
pub(crate) fn is_to_fill_in(text: &str) -> bool {
    const MAX_WORDS: usize = 3;
    let is_room = |character: char| matches!(character, '_' | '…');
    let labels: Vec<&str> = text.split(is_room).map(str::trim).filter(|label| !label.is_empty()).collect();
    let is_label = |label: &&str| label.split_whitespace().count() <= MAX_WORDS && !label.contains(['.', '?', '!']);
    let has_room = text.contains("__") || text.contains('…');
    has_room
        && text.trim_end().ends_with(is_room)
        && labels.iter().all(is_label)
        && (labels.len() > 1 || labels.iter().any(|label| label.ends_with(':')))
}

/// Returns a question without the blanks ("____", "……") for the answer after it.
pub(crate) fn without_room(text: &str) -> &str {
    let question = text.trim_end_matches(|character: char| character.is_whitespace() || "_….".contains(character));
    if question.ends_with(['?', '؟']) { question } else { text }
}

/// Marks lists of links as asides. A single link can be a material.
fn set_links_aside(lines: &mut [Line]) {
    const MIN_LINKS: usize = 3;
    for run in lines.chunk_by_mut(|one, next| one.form.is_linked == next.form.is_linked) {
        if run.len() >= MIN_LINKS {
            run.iter_mut().for_each(|line| line.form.is_aside |= line.form.is_linked);
        }
    }
}

/// Marks the header and the end of a letter as asides: lines such as "From: …" and "To: …" at the beginning, and
/// "Cheers," or two dashes at the end.
fn set_letter_aside(lines: &mut [Line]) {
    const MIN_HEAD: usize = 2;
    const MAX_LINES: usize = 8;
    const MAX_NAMES: usize = 2;
    const MAX_WORDS: usize = 4;
    let label = |line: &Line| line.text.split_once(':').map(|(label, _)| label.to_owned());
    let is_mail = |line: &&Line| label(line).is_some_and(|label| words::is("mail", &label));
    let head = lines.iter().take_while(is_mail).count();
    // A lesson can also begin with labels such as "Date" and "Subject". So the text is a letter only if another of its
    // labels, such as "From", is not a label of lessons.
    let is_letter = lines.iter().take(head).filter_map(label).any(|label| words::heading(&label).is_none());
    let head = if is_letter && head >= MIN_HEAD { head } else { 0 };
    let is_short = |line: &Line| {
        line.kind == Kind::Paragraph
            && line.text.split_whitespace().count() <= MAX_WORDS
            && !line.text.ends_with(['.', '?', '!', ':'])
    };
    let dashes = lines.iter().rposition(|line| line.text.trim() == "--").filter(|at| lines.len() - at <= MAX_LINES);
    let end = dashes.unwrap_or(lines.len());
    // A greeting and names may also be above the two dashes.
    let most = if dashes.is_some() { MAX_NAMES + 1 } else { MAX_LINES };
    let above = lines.iter().take(end).rev().take_while(|line| is_short(line)).take(most);
    let names = above.enumerate().filter(|(below, line)| *below > 0 && line.text.ends_with(',')).last();
    let mut end = names.map_or(end, |(below, _)| end - below - 1);
    // A closing sentence, such as "Let me know how it goes.", above the greeting or the name.
    let is_closing = |line: &&Line| line.kind == Kind::Paragraph && words::begins("closings", &words::fold(&line.text));
    let names = lines.iter().take(end).rev().take_while(|line| is_short(line)).take(MAX_NAMES).count();
    let closing = lines.iter().take(end - names).rev().take_while(is_closing).count();
    let has_end = names > 0 || head > 0 || end < lines.len();
    end -= if closing > 0 && has_end { names + closing } else { 0 };
    let is_part = |at: usize| at < head || at >= end;
    lines.iter_mut().enumerate().filter(|(at, _)| is_part(*at)).for_each(|(_, line)| line.form.is_aside = true);
}
