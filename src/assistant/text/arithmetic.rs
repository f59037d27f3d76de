//! `arithmetic`: numbers that do not come out: a class of so many in groups of that size gives another number of groups,
//! and the calculations that a text carries out.

mod counted;
mod leftover;
mod members;
mod per_group;
mod shares;
mod told;

use self::counted::{GROUPS, LAID, PARTS, PEOPLE, PLACES, READY};
use super::{Match, calculations, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::numbers::{self, Numeral};
use crate::assistant::facts::words::Token;
use crate::assistant::facts::{phrases, words};
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;
use serde_json::json;

/// Finds calculations that do not come out, and classes that do not divide into the groups they form.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> =
        classes(lesson).or_else(|| shared(lesson)).or_else(|| of_members(lesson)).into_iter().collect();
    found.extend(calculations::find(lesson));
    found
}

/// How many there are of something, and where it is said.
struct Count {
    value: i64,
    numeral: Numeral,
}

/// Finds the first text in which the class of so many forms another number of groups than it divides into.
fn classes(lesson: &Lesson) -> Option<Match> {
    let size = lesson.group_size().filter(|size| (2..=12).contains(size))?;
    let read = lesson.texts_of(|role| {
        use Role::*;
        matches!(role, Title | Step(_) | Phenomenon | MaterialNotes(_) | Objective(_) | Safety(_) | Assessment)
    });
    let mut class_said: Option<(i64, &Text)> = None;
    let mut several = false;
    for text in read {
        let numerals = text.numerals();
        let mut counts = shares::counts(text);
        counts.retain(|count| !is_partial(text, count));
        if counts.is_empty() || !sizes(text, numerals).iter().all(|other| *other == size) {
            continue;
        }
        let here = counts.iter().find(|count| (6..=60).contains(&count.value) && is_a_class(text, count));
        if let Some(here) = here {
            several = several || class_said.is_some_and(|(known, _)| known != here.value);
            class_said = class_said.or(Some((here.value, text)));
        }
        let class = here.map(|count| count.value);
        let others = || counts.iter().filter(|count| here.is_none_or(|here| here.numeral != count.numeral));
        let fits = |class: i64, groups: i64| (class / size..=(class + size - 1) / size).contains(&groups);
        let fitting = |count: &Count| {
            class.is_some_and(|class| fits(class, count.value)) && group_kind(text, count, true).is_some()
        };
        // "Five groups sit on the left and three on the right"
        let halves = |class: i64| {
            let mut values =
                others().map(|count| count.value).filter(|value| (2..class).contains(value) && *value != size);
            let first = values.next();
            first.is_some_and(|first| values.any(|value| fits(class, first + value)))
        };
        if others().any(fitting) || class.is_some_and(halves) {
            continue;
        }
        for count in others() {
            let Some(kind) = group_kind(text, count, class.is_some()) else { continue };
            let Some(class) = class.or(class_said.filter(|_| kind == Said::All && !several).map(|(class, _)| class))
            else {
                continue;
            };
            let own = own_size(text, count).unwrap_or(size);
            // Of things that are laid out there can be more than one for each group, and a number in another text may be none of
            // the class: "the sign allows eight persons".
            let groups = (class + size - 1) / size;
            if (kind == Said::Ready || here.is_none()) && (2 * count.value > 3 * groups || 3 * count.value < 2 * groups)
            {
                continue;
            }
            if own != size || fits(class, count.value) || count.value < 2 {
                continue;
            }
            return Some(finding(text, count, class, (size, groups)));
        }
    }
    None
}

/// The same where the text says itself how many share one thing.
fn shared(lesson: &Lesson) -> Option<Match> {
    let size = lesson.group_size().filter(|size| (2..=12).contains(size))?;
    let read = lesson.texts_of(|role| {
        use Role::*;
        matches!(role, Step(_) | Phenomenon | Objective(_) | Safety(_) | Assessment | MaterialNotes(_))
    });
    let plain = |role: Role| matches!(role, Role::Step(_) | Role::Phenomenon | Role::Objective(_));
    let groups = |(count, class): (Count, i64)| (count, class, (class + size - 1) / size);
    let found = |text: &Text| {
        let told = Some(text).filter(|text| plain(text.role)).and_then(|text| shares::find(text, size));
        told.or_else(|| per_group::find(text, size)).map(groups).or_else(|| leftover::find(text, size))
    };
    read.filter_map(|text| found(text).map(|(count, class, groups)| finding(text, &count, class, (size, groups))))
        .next()
}

/// The same for what the members of a group share.
fn of_members(lesson: &Lesson) -> Option<Match> {
    let size = lesson.group_size().filter(|size| (2..=12).contains(size))?;
    let read = lesson.texts_of(|role| {
        use Role::*;
        matches!(
            role,
            Step(_) | Safety(_) | Objective(_) | Assessment | MaterialNotes(_) | Phenomenon | DrivingQuestion
        )
    });
    read.filter_map(|text| {
        let (each, members) = members::find(text, size)?;
        let path = FieldPath::root().child("groupSize");
        let quote = text.quote_sentence(each.start);
        let written = text.words(&each);
        let reason = format!("Shares of {written} are for {members} members, but the groups are of {size}.");
        let new = conflict("arithmetic", quote, Evidence::new(&path, size.to_string()), reason)
            .suggesting(format!("Share it among {size}, or set the group size to {members}."));
        Some(new.mended_by(Mend { path, edit: Edit::Replace(json!(members)) }))
    })
    .next()
}

fn finding(text: &Text, count: &Count, class: i64, (size, groups): (i64, i64)) -> Match {
    let path = FieldPath::root().child("groupSize");
    let quote = text.quote_sentence(count.numeral.tokens.start);
    let written = text.words(&count.numeral.tokens);
    let reason = format!("{class} in groups of {size} are {groups} groups, but the text says \"{written}\".");
    let range = count.numeral.bytes(&text.tokens);
    let mut found = conflict("arithmetic", quote, Evidence::new(&path, size.to_string()), reason)
        .suggesting(format!("Say {groups} here, or change the number of the class or the size of the groups."));
    if let Some(form) = numbers::in_form_of(written, groups) {
        found = found.mended_by(Mend { path: text.path.clone(), edit: Edit::Splice { range, text: form } });
    }
    if class % count.value == 0 && class / count.value > 1 {
        found = found.mended_by(Mend { path, edit: Edit::Replace(json!(class / count.value)) });
    }
    found
}

/// The sentence of a number, without what another clause between semicolons says.
fn is_partial(text: &Text, count: &Count) -> bool {
    let sentence = text.sentence(count.numeral.tokens.start);
    text.tokens.get(sentence).is_none_or(|sentence| {
        // "A volunteer who is fit" is no part of the class.
        let able = |at: usize| {
            at.checked_sub(1).and_then(|at| sentence.get(at)).is_some_and(|token| token.is_one_of(&["is", "are"]))
        };
        let part = |(at, token): (usize, &Token)| {
            // "Numbers first:" and "around the side benches" tell of no part.
            let next = |words: &[&str]| sentence.get(at + 1).is_some_and(|next| next.is_one_of(words));
            let aside = token.is("first") && next(&[":", ","]) || token.is("around") && next(&["the", "our", "these"]);
            // "So the helpers carry nine trays"
            let carried = token.is("helpers")
                && sentence.get(at + 1).is_some_and(|next| {
                    phrases::lists!("carry bring fetch hand lay set put share give deal pass take", &next.word)
                });
            // "Set out eight stands around the room"
            let everywhere = token.is("room")
                && at
                    .checked_sub(1)
                    .and_then(|at| sentence.get(at))
                    .is_some_and(|token| token.is_one_of(&["the", "our"]));
            let whole = aside || carried || everywhere || token.is("fit") && able(at);
            // "Only sixteen of the 28 pupils"
            let only = token.is("only")
                && sentence.get(at + 2).is_some_and(|next| next.is("of"))
                && sentence.get(at + 3).is_some_and(|next| next.is_one_of(&["the", "our", "these"]));
            only || PARTS.contains(&token.word.as_str()) && !whole || token.is("?")
        };
        sentence.iter().enumerate().any(part)
    })
}

fn lemma_at(text: &Text, at: usize) -> String {
    words::lemma(text.word(at))
}

/// Whether the number counts the whole class: "class of 28", "28 of you", "the 28 young scientists".
fn is_a_class(text: &Text, count: &Count) -> bool {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    if before(1) == "of" && matches!(before(2), "class" | "classroom" | "roster" | "whole") {
        return !matches!(text.word(end), "minutes" | "minute" | "-");
    }
    let whole = phrases::lists!(
        "class course cohort section form year roll roster homeroom roomful total party crowd crew",
        before(2),
    );
    if before(1) == "of" && whole && PEOPLE.contains(&lemma_at(text, end).as_str()) {
        return true;
    }
    if told::is_told(text, count) {
        return true;
    }
    if matches!(before(1), "of" | "in" | "only" | "these" | "every" | "each")
        && before(2) != "all"
        && before(1) != "these"
    {
        return false;
    }
    let followed = |at: usize| {
        !matches!(text.word(at), "per" | "to" | "at" | "apiece" | "each" | "from") || text.has_at(at, &["each", "of"])
    };
    let told = matches!((before(2), before(1)), ("we", "are") | ("you", "are"));
    if told && matches!(text.word(end), "," | "." | ";" | "in" | "so" | "today" | "and") {
        return true;
    }
    if text.word(end) == "of" && matches!(text.word(end + 1), "you" | "us" | "them") {
        return true;
    }
    if text.word(end) == "in"
        && matches!(text.word(end + 1), "the" | "our" | "your" | "my" | "this")
        && matches!(text.word(end + 2), "class" | "room" | "classroom")
    {
        return true;
    }
    // "There are 28 geologists in our class"
    let called = phrases::lists!(
        "geologist biologist chemist physicist botanist ecologist scientist astronomer meteorologist engineer explorer \
         detective investigator inventor builder researcher",
        &lemma_at(text, end),
    );
    if called
        && text.word(end + 1) == "in"
        && matches!(text.word(end + 2), "our" | "the" | "your")
        && text.word(end + 3) == "class"
    {
        return true;
    }
    const LISTS: &str = "register roster list roll";
    let listed = |at: usize| (at..at + 3).any(|at| phrases::lists!(LISTS, text.word(at)));
    if matches!(text.word(end), "heads" | "strong" | "present")
        || matches!(text.word(end), "names" | "on") && listed(end + 1)
        || matches!(before(1), "says" | "has" | "shows" | "lists") && phrases::lists!(LISTS, before(2))
        || before(1) == "is"
            && matches!(before(2), "class" | "set" | "section" | "roster" | "count" | "attendance")
            && text.word(end) == ","
    {
        return true;
    }
    // "We have thirty-three people, so …"
    if text.word(end) == "people" && matches!(before(1), "have" | "are") && matches!(before(2), "we" | "there") {
        return !matches!(text.word(end + 1), "who" | "per" | "in" | "on" | "at")
            || text.has_at(end + 1, &["in", "the", "room"]);
    }
    let skip = if text.word(end) == "-" { 1 } else { 0 };
    let near = (end + skip..end + skip + 3).take_while(|at| text.tokens.get(*at).is_some_and(|token| token.is_word()));
    let person = near.into_iter().find(|at| PEOPLE.contains(&lemma_at(text, *at).as_str()));
    person.is_some_and(|at| followed(at + 1))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Said {
    /// "into six teams", "all six teams"
    All,
    /// "six teams", "so six trays"
    Here,
    /// "15 coins ready"
    Ready,
}

/// How a number counts the groups of the class.
fn group_kind(text: &Text, count: &Count, with_class: bool) -> Option<Said> {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    let follows = phrases::lists!(LAID, before(1))
        || matches!((before(2), before(1)), ("so" | "and" | "thus", "so" | "we" | "that" | "there"))
        || matches!(before(2), "so" | "makes" | "make" | "gives" | "into");
    let sentence = text.sentence(start);
    for at in end..end + 3 {
        let token = text.tokens.get(at).filter(|token| token.is_word())?;
        if token.is_one_of(&["of", "in", "for", "to", "at", "more"]) {
            return None;
        }
        let noun = lemma_at(text, at);
        let plural = noun != token.word;
        let of = text.word(at + 1) == "of";
        let of_things = of
            && numbers::numeral(&text.tokens, at + 2).is_none()
            && !PEOPLE.contains(&lemma_at(text, at + 2).as_str())
            && !matches!(text.word(at + 2), "equal" | "similar");
        // "Ten groups at the benches" are all, "six groups at the window" are some.
        let placed = text.word(at + 1) == "at"
            && !(at + 2..at + 5).any(|at| text.word(at) != text.lemma(at) && phrases::lists!(PLACES, text.lemma(at)));
        if GROUPS.contains(&noun.as_str()) && plural {
            if of_things || placed || matches!(text.word(at + 1), "share" | "per" | "each") {
                return None;
            }
            // "Each of the eight groups"
            let each = before(1) == "the" && before(2) == "of" && matches!(before(3), "each" | "all");
            let all = each || matches!(before(1), "into" | "all" | "form" | "forms");
            return if all { Some(Said::All) } else { with_class.then_some(Said::Here) };
        }
        let is_group =
            |at: usize| GROUPS.contains(&lemma_at(text, at).as_str()) || matches!(text.word(at), "table" | "bench");
        let one_each = || {
            (at + 1..sentence.end).any(|i| {
                let for_each = text.word(i) == "one"
                    && matches!(text.word(i + 1), "for" | "per" | "to" | "at" | "on" | "each")
                    && (i + 1..i + 5).any(is_group);
                // "every group fetches one"
                let takes_one = matches!(text.word(i), "each" | "every")
                    && is_group(i + 1)
                    && (i + 2..i + 6).any(|i| {
                        text.word(i) == "one" && !text.tokens.get(i + 1).is_some_and(|t| t.is_word() && !t.is("and"))
                    });
                // "twelve sets of slides, a set from each group"
                let from_each = matches!(text.word(i), "a" | "an")
                    && text.word(i + 1) == noun
                    && matches!(text.word(i + 2), "from" | "for" | "per" | "to" | "by")
                    && (i + 3..i + 5).any(is_group);
                // "Six lanes, a separate lane for every team"
                let apart = phrases::lists!("separate own", text.word(i))
                    && text.word(i + 1) == noun
                    && matches!(text.word(i + 2), "for" | "per" | "to")
                    && (i + 3..i + 5)
                        .any(|i| is_group(i) && !phrases::lists!("member child pupil student", text.lemma(i + 1)));
                // "At six tables, one group to a table"
                let at_each = text.word(i) == "one"
                    && is_group(i + 1)
                    && matches!(text.word(i + 2), "to" | "at" | "per")
                    && (i + 3..i + 5).any(|i| text.word(i) == noun);
                for_each || takes_one || from_each || apart || at_each
            })
        };
        let laid = || (at + 1..at + 5).any(|at| phrases::lists!(READY, text.word(at)));
        // "Each group needs three trays"
        let apiece = || {
            (sentence.start..start).any(|at| {
                matches!(text.word(at), "each" | "every" | "per") && GROUPS.contains(&lemma_at(text, at + 1).as_str())
            })
        };
        // "Two to a microscope, at twelve microscopes"
        let at_them = || {
            before(1) == "at"
                && (sentence.start..start)
                    .any(|at| matches!(text.word(at), "a" | "each" | "every") && text.word(at + 1) == noun)
        };
        let place =
            || !apiece() && phrases::lists!(PLACES, &noun) && (!of || matches!(noun.as_str(), "set" | "kit" | "tray"));
        if plural && with_class && (one_each() || place() && (follows || before(1) == "all" || laid() || at_them())) {
            return Some(Said::Here);
        }
        // "15 coins ready", whatever each group gets one of
        let ready = || (at + 1..at + 4).any(|at| text.word(at) == "ready");
        if plural && with_class && !of && !apiece() && ready() {
            return Some(Said::Ready);
        }
        if plural && one_each() {
            return Some(Said::All);
        }
    }
    None
}

/// "teams of four", right after the number of the teams.
fn own_size(text: &Text, count: &Count) -> Option<i64> {
    let end = count.numeral.tokens.end;
    let of = (end..end + 4).find(|at| text.word(*at) == "of")?;
    numbers::numeral(&text.tokens, of + 1)?.whole()
}

/// The sizes of groups that a text names: "threes", "four to a table", "teams of three"; zero for what has several.
fn sizes(text: &Text, numerals: &[Numeral]) -> Vec<i64> {
    const MANY: [(&str, i64); 11] = [
        ("twos", 2),
        ("threes", 3),
        ("fours", 4),
        ("fives", 5),
        ("sixes", 6),
        ("pairs", 2),
        ("trios", 3),
        ("threesomes", 3),
        ("foursomes", 4),
        ("quartets", 4),
        ("duos", 2),
    ];
    let named =
        text.tokens.iter().filter_map(|token| MANY.iter().find(|(word, _)| token.is(word)).map(|(_, size)| *size));
    let counted = numerals.iter().filter_map(|numeral| {
        let start = numeral.tokens.start;
        let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
        let end = numeral.tokens.end;
        let of_groups = before(1) == "of" && start >= 2 && GROUPS.contains(&lemma_at(text, start - 2).as_str());
        let to_each = matches!(text.word(end), "to" | "per" | "at")
            && matches!(text.word(end + 1), "a" | "each" | "every" | "one")
            && (GROUPS.contains(&lemma_at(text, end + 2).as_str())
                || phrases::lists!(PLACES, &lemma_at(text, end + 2)));
        let per_group = text.word(end) == "per" && GROUPS.contains(&lemma_at(text, end + 1).as_str());
        // "Six groups of four and one of five"
        let odd = before(1) == "of"
            && start > 2
            && matches!(before(3), "and" | ",")
            && numbers::small_number(before(2)).is_some()
            && (2..13).contains(&numeral.whole().unwrap_or(0));
        // "One per pair" is what each pair gets.
        (of_groups || odd || to_each || per_group).then(|| numeral.whole().unwrap_or(0)).filter(|size| *size != 1)
    });
    named.chain(counted).collect()
}

#[cfg(test)]
mod tests;
