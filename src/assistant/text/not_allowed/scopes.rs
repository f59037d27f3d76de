//! For what a ban holds: a place of the lesson, a grade, those who learn.

use std::ops::Range;

use super::Ban;
use super::bans::before_reason;
use super::rules::{Named, after, everywhere, kept};
use crate::assistant::facts::grades;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::nouns;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::lemma;

/// Whether what follows the word of a ban says that it holds in the whole lesson, or at a place and no more.
pub(super) fn holds(text: &Text, range: Range<usize>) -> bool {
    everywhere(text, range.clone()) || is_for_pupils(text, range.clone()) || place(text, range).is_some()
}

/// The place that follows the word of a ban: "on the carpet", "at the stream".
pub(super) fn place(text: &Text, range: Range<usize>) -> Option<Vec<String>> {
    let end = before_reason(text, range.start, range.end);
    let end = (range.start..end).find(|t| matches!(text.word(*t), "," | "-" | "–")).unwrap_or(end);
    let placed = lists!("in on at into onto inside", text.word(range.start)) && end <= range.start + 6;
    let scoped = (range.start..end).any(|t| {
        phrases::begins_condition(text.word(t))
            || lists!("this that your own their hands other during near for and or to", text.word(t))
    });
    let mut groups = phrases::groups(text, range.start..end).into_iter();
    let group = groups.next().filter(|_| placed && !scoped && groups.next().is_none())?;
    let head = group.head().to_owned();
    (!lists!("table desk bench floor shelf tray group home time mouth face hand", &head)).then(|| vec![head])
}

/// "Acid and base never go into the same cylinder" keeps them apart and bans neither.
pub(super) fn joins(text: &Text, at: usize) -> bool {
    let shared = |t: usize| match text.word(t) {
        "together" => true,
        "same" => !lists!("time room classroom lab laboratory school building lesson class", text.word(t + 1)),
        _ => false,
    };
    (at + 1..phrases::clause_end(text, at)).any(shared)
}

/// "Off limits for students", "not permitted to pupils", "not used by the children"
pub(super) fn is_for_pupils(text: &Text, range: Range<usize>) -> bool {
    let near = range.start..range.end.min(range.start + 4);
    let article = |t: usize| usize::from(lists!("the any our your", text.word(t)));
    near.clone().any(|t| lists!("for to by", text.word(t)) && phrases::is_pupil(text.word(t + 1 + article(t + 1))))
}

/// Whether a ban holds where a text stands: at a place that it or the title of the lesson names.
pub(super) fn is_there(lesson: &Lesson, ban: &Ban, text: &Text) -> bool {
    let names = |text: &Text| text.tokens.iter().any(|token| ban.place.contains(&token.lemma));
    let here = matches!(text.role, Role::Step(_)) && names(text);
    ban.place.is_empty() || here || lesson.texts_of(|role| role == Role::Title).any(names)
}

/// Whether a ban is for other grades than that of the lesson: "not to be used below grade 5".
pub(super) fn is_of_other_grades(lesson: &Lesson, ban: &Ban) -> bool {
    let sentence = ban.text.sentence(ban.at);
    if !sentence.clone().any(|t| lists!("grade grades year years class form", ban.text.word(t))) {
        return false;
    }
    let levels = grades::named(ban.text.words(&sentence));
    let (Some(level), Some(grade)) = (levels.first(), lesson.field("grade").and_then(grades::of_grade)) else {
        return !levels.is_empty();
    };
    let below = |t: usize| {
        lists!("below under before", ban.text.word(t)) && lists!("grade year class form", ban.text.word(t + 1))
    };
    if sentence.clone().any(below) { grade.high >= level.low } else { !level.meets(&grade) }
}

/// "Ethanol is authorised, methanol is not": the tokens before the second "is".
pub(super) fn denied_again(text: &Text, part: &Range<usize>, at: usize) -> Option<Range<usize>> {
    let is = at.checked_sub(1).filter(|is| lists!("is are may", text.word(*is)))?;
    let closes = at + 1 == part.end || lists!(", ; : . because as since due owing", text.word(at + 1));
    let start = phrases::clause_start(text, at);
    let before = text.sentence(at).start..start;
    let allowed = |t: usize| {
        lists!(
            "allowed permitted authorised authorized accepted approved fine acceptable admitted ok okay used",
            text.word(t)
        ) && !phrases::is_denied(text, t)
    };
    (closes && before.into_iter().any(allowed)).then_some(start..is)
}

/// "A latex-free school", "we keep this room free of glass".
pub(super) fn free_of(text: &Text, part: &Range<usize>, at: usize) -> Option<Vec<Named>> {
    // "Its alcohol-free gel" is no place.
    let gel = text.word(at.wrapping_sub(1)) == "-"
        && text.tokens.get(at + 1).is_some_and(|next| next.is_word() && !nouns::ends_a_phrase(next));
    let range = if gel { at + 1..part.end.min(at + 3) } else { part.clone() };
    let place = range.into_iter().any(|t| {
        lists!("room classroom school building lab zone site lesson campus kitchen table class", text.word(t))
    });
    if !place || phrases::is_denied(text, at) || matches!(text.role, Role::MaterialNotes(_)) {
        return None;
    }
    if text.word(at.wrapping_sub(1)) == "-" {
        let thing = at.checked_sub(2).filter(|t| part.contains(t))?;
        return Some(kept(vec![(thing, vec![lemma(text.word(thing))])]));
    }
    lists!("of from", text.word(at + 1)).then(|| after(text, at + 2..part.end))?
}

/// "At the tables", "at any bench", "in student hands", "in any form": the place is that of everybody.
pub(super) fn is_where_all_work(text: &Text, at: usize) -> bool {
    let at = at + usize::from(lists!("student pupil students' pupils'", text.word(at)));
    let led = |by: &str| {
        (at.saturating_sub(3)..at).any(|before| {
            text.word(before) == by
                && (before + 1..at).all(|t| lists!("the your our any student pupil students' pupils'", text.word(t)))
        })
    };
    lists!("table tables bench benches desk desks", text.word(at)) && led("at")
        || lists!("hands form shape", text.word(at)) && led("in")
}

/// Whether an objective begins with something to be done that makes nothing: "Estimate …, calculator not allowed".
pub(super) fn is_a_task(text: &Text, sentence: &Range<usize>) -> bool {
    const TASKS: &[&str] = &[
        "estimate",
        "read",
        "convert",
        "calculate",
        "describe",
        "work",
        "solve",
        "derive",
        "predict",
        "compute",
        "judge",
        "draw",
        "find",
        "compare",
        "add",
        "multiply",
        "round",
    ];
    phrases::verb(text.word(sentence.start), TASKS).is_some()
}
