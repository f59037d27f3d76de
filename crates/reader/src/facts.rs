//! Facts about a lesson that are next to each other in a line: "Year 8 · 1 hour · pupils work in pairs".

pub(crate) mod byline;

use crate::characters::ORDINALS;
use crate::marks::{self, latin_digit};
use crate::time;
use crate::words::{self, Meaning};

/// A text that is split into its label and the rest, such as "Grade: 5" and "**Grade** 5".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Labelled<'t> {
    pub(crate) meaning: Meaning,
    pub(crate) label: &'t str,
    pub(crate) value: &'t str,
}

/// Returns the known label at the beginning of a text, and the text after it. `bold` is the length of the bold text at
/// the beginning, in bytes.
pub(crate) fn labelled(text: &str, bold: usize) -> Option<Labelled<'_>> {
    const MAX_LABEL: usize = 60;
    const MAX_WORDS: usize = 5;
    let colon = text.char_indices().find(|(at, character)| matches!(character, ':' | '：') || *at > MAX_LABEL);
    let by_colon = colon.filter(|(_, character)| matches!(character, ':' | '：')).and_then(|(at, character)| {
        let (label, value) = (text.get(..at)?, text.get(at + character.len_utf8()..)?);
        // "12:30" and "https://" are not labels.
        if value.starts_with("//")
            || value.starts_with(|next: char| next.is_ascii_digit())
                && label.ends_with(|last: char| last.is_ascii_digit())
        {
            return None;
        }
        Some((label, value))
    });
    let by_bold = || text.split_at_checked(bold).filter(|(label, _)| !label.is_empty());
    let found = [by_colon, by_bold()].into_iter().flatten().find_map(|(label, value)| known(label, value));
    found.or_else(|| {
        // In "Careful with glass: …", the words before the colon are part of the warning, so they stay in the value.
        let is_short = |label: &str| label.split_whitespace().count() <= MAX_WORDS;
        let (label, _) = by_colon.filter(|(label, value)| is_short(label) && value.contains(char::is_alphanumeric))?;
        let meaning = words::longer_heading(label).filter(|meaning| meaning.key == "safety")?;
        Some(Labelled { meaning, label: "", value: text })
    })
}

/// Returns whether a text begins with a few words and a colon.
pub(crate) fn has_label(text: &str) -> bool {
    const MAX_LABEL: usize = 40;
    const MAX_WORDS: usize = 4;
    let label = text.split_once([':', '：']).map_or("", |(label, _)| label).trim();
    label.len() <= MAX_LABEL
        && label.split_whitespace().count() <= MAX_WORDS
        && label.ends_with(|last: char| last.is_alphabetic() || last == ')')
}

fn known<'t>(label: &'t str, value: &'t str) -> Option<Labelled<'t>> {
    let value = value.trim_start_matches([':', '.', ' ', '\t', '\n', '–']);
    // A form has a line to write on, as in "Name: ____". Such a line is not a value.
    let is_full = value.contains(char::is_alphanumeric);
    let mut meaning = words::heading(label).filter(|_| !label.trim().is_empty() && is_full)?;
    // The class size is not a field, but "Pupils: in pairs" gives the group size.
    if meaning.key == "pupils" {
        group_size(value, false)?;
        meaning.key = "groupSize";
    }
    Some(Labelled { meaning, label, value })
}

/// Returns the field of a fact that needs no label: a school year, a duration, a group size.
pub(crate) fn unlabelled(text: &str) -> Option<&'static str> {
    if is_grade(text) {
        Some("grade")
    } else if time::minutes(text, false).is_some() {
        Some("durationMinutes")
    } else if group_size(text, false).is_some() {
        Some("groupSize")
    } else {
        None
    }
}

fn tokens(text: &str) -> Vec<&str> {
    text.split(|character: char| !character.is_alphanumeric() && !matches!(character, 'º' | 'ª'))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns whether a text names a school year: "Year 8", "6. Klasse", "5th grade", "CM2".
pub(crate) fn is_grade(text: &str) -> bool {
    const MAX_WORDS: usize = 4;
    let mut words = if text.len() > 30 { Vec::new() } else { tokens(text) };
    // Skips the first word of "For: Grade 4".
    words.drain(..words.iter().take_while(|word| words::is("for", word)).count());
    if words.is_empty() || words.len() > MAX_WORDS {
        return false;
    }
    if words.len() == 1 && words::is("gradenames", text) && text.len() > 1 {
        return true;
    }
    // A subject and a class, such as "Chemie 9b".
    let is_class = |(subject, class): (&str, &str)| {
        let number = class.strip_suffix(|last: char| last.is_lowercase()).unwrap_or_default();
        words::is("subjects", subject) && number.len() <= 2 && marks::digits(number).is_some()
    };
    if text.trim().rsplit_once(' ').is_some_and(is_class) {
        return true;
    }
    let is_value = |word: &str| {
        let digits = word.chars().take_while(|character| latin_digit(*character).is_some()).count();
        let rest: String = word.chars().skip(digits).collect();
        let is_number = (1..=2).contains(&digits) && (rest.chars().count() <= 1 || ORDINALS.contains(&rest.as_str()));
        let is_roman = !word.is_empty() && word.len() <= 4 && word.chars().all(|character| "IVX".contains(character));
        is_number || is_roman || ORDINALS.contains(&word)
    };
    let is_name = |word: &&str| words::is("grades", word);
    let (known, subject) = words.split_at(words.iter().take_while(|word| is_name(word) || is_value(word)).count());
    // A school year and a subject, such as "Year 9 Physics".
    let is_subject = subject.iter().all(|word| word.starts_with(char::is_uppercase)) && !text.ends_with(':');
    let names = known.iter().filter(|word| is_name(word)).count();
    let has_digit = text.contains(|character: char| latin_digit(character).is_some() || "IVX".contains(character));
    names > 0 && names < known.len() && has_digit && (subject.is_empty() || is_subject)
}

/// Returns the number of pupils in a group: "groups of 4", "in pairs", "zu zweit". `is_labelled` is true if a label
/// says that the text is a group size.
pub(crate) fn group_size(text: &str, is_labelled: bool) -> Option<u32> {
    const MAX_WORDS: usize = 8;
    const MAX_LENGTH: usize = 120;
    const MAX_SIZE: u32 = 100;
    let words = if text.len() > MAX_LENGTH { Vec::new() } else { tokens(text) };
    if words.is_empty() || words.len() > MAX_WORDS {
        return None;
    }
    let mut size = None;
    let mut is_group = is_labelled;
    for word in words {
        let pair = words::number("pairs", word);
        let number = pair.or_else(|| marks::digits(word));
        let number = number.or_else(|| words::number("numbers", word).filter(|number| *number > 1));
        is_group |= pair.is_some() || words::is("grouping", word);
        match number {
            Some(number) if size.is_none() => size = Some(number),
            Some(_) => return None,
            None if ["groups", "grouping", "each", "for"].iter().any(|list| words::is(list, word)) => {}
            None => return None,
        }
    }
    size.filter(|size| is_group && (1..=MAX_SIZE).contains(size))
}

/// Maximum length of a line that can contain facts, in bytes.
const MAX_LINE: usize = 400;

/// Splits a line at characters that nearly always separate facts, such as "|" and "•", at tabs and at wide gaps.
pub(crate) fn cells(text: &str) -> Vec<&str> {
    if text.len() > MAX_LINE { vec![text] } else { parts(text, &['|', '·', '\t', '•', '■', '●'], &["   "]) }
}

/// Splits a line at separators between facts, if it contains facts. Returns nothing if the line is not split.
pub(crate) fn split(text: &str) -> Option<Vec<&str>> {
    if text.len() > MAX_LINE || text.contains('\n') {
        return None;
    }
    let is_fact =
        |part: &str| labelled(part, 0).is_some_and(|found| found.meaning.is_fact()) || unlabelled(part).is_some();
    let count = |parts: &[&str]| parts.iter().filter(|part| is_fact(part)).count();
    let strong = cells(text);
    // Without a label, the parts may be cells of a table, some of which look like facts, such as times. Then nearly all
    // of them must be facts.
    let are_cells = strong.iter().all(|part| labelled(part, 0).is_none_or(|found| !found.meaning.is_fact()));
    let least = if are_cells { strong.len().saturating_sub(1).max(2) } else { 1 };
    if strong.len() > 1 && count(&strong) >= least {
        return Some(strong);
    }
    let weak = parts(text, &[';'], &[" – ", " - ", " — ", "  ", ", "]);
    // A comma inside the value of a label does not separate facts. A gap between a step and its time does not either.
    let is_step = weak.first().is_some_and(|first| first.ends_with(['.', '!', '?']));
    let has_more = !is_step && weak.iter().skip(1).any(|part| is_fact(part));
    if weak.len() > 1 && has_more && count(&weak) * 2 >= weak.len() {
        return Some(weak);
    }
    at_labels(text)
}

/// Splits a text at separators, but not between a label and its value.
fn parts<'t>(text: &'t str, signs: &[char], strings: &[&str]) -> Vec<&'t str> {
    let several = strings.iter().flat_map(|sign| text.match_indices(sign));
    let mut gaps: Vec<(usize, usize)> =
        text.match_indices(signs).chain(several).map(|(at, sign)| (at, at + sign.len())).collect();
    gaps.sort_unstable();
    let (mut parts, mut start) = (Vec::new(), 0);
    for (from, to) in gaps.into_iter().chain([(text.len(), text.len())]) {
        match text.get(start..from).map(str::trim) {
            // Separators can overlap, for example in a run of several spaces. Then there is no part between them.
            None | Some("") => start = start.max(to),
            Some(part) if part.ends_with(':') && from < text.len() => {}
            Some(part) if is_first_of_range(part, text.get(to..).unwrap_or_default()) => {}
            Some(part) => {
                parts.push(part);
                start = to;
            }
        }
    }
    parts
}

/// Returns whether a part is the beginning of a range: "Time: 45" of "Time: 45 – 60 min".
fn is_first_of_range(part: &str, next: &str) -> bool {
    let is_number = |word: &str| marks::digits(word).is_some();
    let value = labelled(part, 0).map_or(part, |found| if found.meaning.key == "grade" { "" } else { found.value });
    let is_known =
        |word: &str| is_number(word) || ["about", "groups", "grouping"].iter().any(|list| words::is(list, word));
    let mut words = tokens(value).into_iter().peekable();
    let next = next.trim_start().starts_with(|next| latin_digit(next).is_some());
    next && words.peek().is_some() && words.all(is_known) && value.ends_with(|last| latin_digit(last).is_some())
}

/// Splits off a note about the class, in parentheses, from a fact: "Class: 6b (26 pupils)", "Pupils: 24 (groups of 4)".
pub(crate) fn split_class(text: &str) -> Option<[&str; 2]> {
    let (label, value) = text.split_once(':')?;
    let meaning = words::heading(label).filter(|meaning| meaning.is_fact() || meaning.key == "pupils")?;
    let (own, inner) = value.trim_end().strip_suffix(')').and_then(|value| value.rsplit_once('('))?;
    let mut words = tokens(inner).into_iter();
    let are_pupils = words.next().is_some_and(|first| marks::digits(first).is_some())
        && words.clone().next().is_some()
        && words.all(|word| ["groups", "persons"].iter().any(|list| words::is(list, word)));
    let is_class = meaning.key == "grade" && are_pupils;
    let is_size = || group_size(inner, false).is_some() && group_size(value, true).is_none() && meaning.key != "grade";
    let is_split = own.contains(char::is_alphanumeric) && (is_class || is_size());
    let (fact, rest) = text.split_at_checked(label.len() + 1 + own.len()).filter(|_| is_split)?;
    Some([fact.trim_end(), rest])
}

/// Splits a line that states a number, and then more: "Time: 1 hour, then a day to dry", "Group size: 3, 30 in all".
pub(crate) fn split_number(text: &str) -> Option<[&str; 2]> {
    const MAX_VALUE: usize = 200;
    if let Some(parts) = split_class(text) {
        return Some(parts);
    }
    let found = labelled(text, 0)?;
    let number: fn(&str, bool) -> Option<u32> = match found.meaning.key {
        "durationMinutes" => time::minutes,
        "groupSize" => group_size,
        _ => return None,
    };
    let value = found.value;
    if value.len() > MAX_VALUE || number(value, true).is_some() {
        return None;
    }
    let is_end = |at: &usize| {
        let rest = value.get(*at..).unwrap_or_default().trim_start();
        let word = rest.split_whitespace().next().unwrap_or_default();
        let is_sign = rest.starts_with([',', ';', '+']) || rest.starts_with('(') && *at > 0;
        let is_number = |word: &str| {
            marks::digits(word).is_some()
                || ["each", "until", "minutes", "hours", "lessons"].iter().any(|list| words::is(list, word))
        };
        // In "90 min in the lab", the value ends before the words.
        let is_other = || {
            let is_word = rest.starts_with(char::is_lowercase) && found.meaning.key == "durationMinutes";
            is_word
                && value.get(*at..).is_some_and(|rest| rest.starts_with(' '))
                && !tokens(rest).into_iter().any(is_number)
        };
        is_sign || words::is("then", word) || is_other()
    };
    let mut places = value.char_indices().map(|(at, _)| at).filter(is_end);
    let at = places
        .rfind(|at| value.get(..*at).is_some_and(|first| number(first, found.meaning.key == "groupSize").is_some()))?;
    let at = text.len() - value.len() + at;
    let rest = text.get(at..)?.trim_start_matches([',', ';', ' ']);
    Some([text.get(..at)?.trim_end(), rest]).filter(|_| rest.contains(char::is_alphanumeric))
}

/// Returns the byte offset of a label that begins a sentence inside a paragraph: "… too much. Aim: they find out …".
pub(crate) fn inner_label(text: &str) -> Option<usize> {
    const FIELDS: [&str; 4] = ["objectives", "homework", "differentiation", "vocabulary"];
    const MAX_LABEL: usize = 30;
    let is_label = |at: &usize| {
        let rest = text.get(*at..).unwrap_or_default();
        // Only the beginning is searched, since a text may have many sentences.
        let is_short = rest.bytes().take(MAX_LABEL + 1).any(|byte| byte == b':');
        let found = if is_short && rest.starts_with(char::is_uppercase) { labelled(rest, 0) } else { None };
        found.is_some_and(|found| !found.meaning.is_weak && FIELDS.contains(&found.meaning.key))
    };
    let ends = text.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let starts = ends.filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(' '))).map(|at| at + 1);
    starts.into_iter().find(is_label)
}

/// Returns the group size in a label: 4 for "Materials (per team of 4)".
pub(crate) fn group_of(text: &str) -> Option<u32> {
    let has_each = |part: &str| tokens(part).iter().any(|word| words::is("each", word));
    // A word such as "each" must come before the number: "je 4 SuS", German for "for each 4 pupils", is a group size,
    // and "1 per pupil" is not.
    let is_before = |part: &str| {
        tokens(part).iter().take_while(|word| marks::digits(word).is_none()).any(|word| words::is("each", word))
    };
    let mut parts = text.split(['(', ')', ':']).filter(|part| part.len() < text.len().max(40) && has_each(part));
    parts.find_map(|part| group_size(part, is_before(part))).or_else(|| group_with_size(text))
}

/// Returns the group size after the word for a group: "per group (4 pupils)", "für eine Gruppe von 4". A number alone
/// is not enough, because it may count something else.
fn group_with_size(text: &str) -> Option<u32> {
    let is_group = |word: &&str| words::is("grouping", word);
    let group = tokens(text).into_iter().find(is_group)?;
    let (_, size) = text.split_once(group)?;
    group_size(size, true).filter(|_| size.contains(char::is_alphabetic))
}

/// Splits before each label of a fact inside a line: "Science Time: 60 minutes Group size: 3".
fn at_labels(text: &str) -> Option<Vec<&str>> {
    const MAX_LABEL_WORDS: usize = 3;
    let mut starts = vec![0];
    let mut has_fact = false;
    // After a fact, an unknown word with a colon is a label, too, as in "Grade: 3–5 Difficulty: Easy".
    let begins_with_fact =
        labelled(text, 0).is_some_and(|found| matches!(found.meaning.key, "grade" | "durationMinutes" | "groupSize"));
    for (colon, _) in text.char_indices().filter(|(_, character)| *character == ':') {
        let before = text.get(..colon)?.trim_end();
        let mut words = before.char_indices().rev().filter(|(at, character)| {
            !character.is_whitespace()
                && (*at == 0 || before.get(..*at).is_some_and(|rest| rest.ends_with(char::is_whitespace)))
        });
        let mut found = None;
        for (at, first) in words.by_ref().take(MAX_LABEL_WORDS) {
            let label = before.get(at..)?;
            let meaning = words::heading(label).filter(|meaning| meaning.key != "title");
            let is_fact = meaning.is_some_and(Meaning::is_fact);
            let is_other = label.contains(' ') && meaning.is_some_and(|meaning| meaning.key == "other");
            let is_word = begins_with_fact && !label.contains(' ') && label.chars().all(char::is_alphabetic);
            // A label such as "Pro Gruppe:" ("per group") says who gets something, and begins no fact.
            if label.contains(' ') && words::is_for_whom(label) {
                found = None;
                break;
            }
            if (is_fact || is_other || is_word) && (first.is_uppercase() || !first.is_lowercase()) {
                found = Some(at);
                has_fact |= is_fact;
            }
        }
        starts.extend(found.filter(|at| *at > 0));
    }
    starts.dedup();
    if starts.len() == 1 || !has_fact && !begins_with_fact {
        return None;
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().zip(ends).filter_map(|(start, end)| text.get(*start..end));
    Some(parts.map(str::trim).filter(|part| !part.is_empty()).collect())
}
