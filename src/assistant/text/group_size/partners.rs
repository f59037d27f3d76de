//! Groups told by who works with whom: "one of you pours, the other times", "you and two friends", "student A … student B …
//! student C", "the fourth member of your group".

use std::ops::RangeInclusive;

use super::everyone::{in_group, is_member, is_one, is_person};
use super::{FORMS, Group, passes};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::numbers;

/// More people than these are no group.
const MOST: i64 = 8;

/// The groups that a text tells by who is in them.
pub(super) fn said(text: &Text) -> Vec<Group> {
    let mut groups: Vec<Group> = named(text).into_iter().collect();
    for at in 0..text.tokens.len() {
        let found = match text.word(at) {
            "other" => the_other(text, at),
            "your" | "a" | "one" => partner(text, at),
            "and" | "with" => and_some(text, at),
            "paired" | "partner" | "pair" => shared_work(text, at),
            "third" | "fourth" | "fifth" | "sixth" => {
                groups.extend(counted_up(text, at));
                ordinal(text, at)
            }
            _ => None,
        };
        groups.extend(found.and_then(|(sizes, end)| group(text, at, end, sizes)));
    }
    groups
}

fn group(text: &Text, at: usize, end: usize, sizes: RangeInclusive<i64>) -> Option<Group> {
    let bytes = numbers::bytes_of(&text.tokens, &(at..end));
    let joins = lists!("and with", text.word(at)) && numbers::numeral(&text.tokens, at + 1).is_some();
    let others = || {
        text.sentence(at).any(|at| {
            lists!(
                "another different compare discuss swap if or tell share explain pool turn absent table",
                text.word(at)
            )
        })
    };
    let passing = text.role == Role::Assessment || if joins { others() } else { passes(FORMS.as_ref()?, text, &bytes) };
    let pairs = *sizes.end() == 2;
    Some(Group { sizes, passing, pairs, all: !pairs, ..Group::whole(2, bytes) })
}

/// "One of you holds the ruler and the other reads it"
fn the_other(text: &Text, at: usize) -> Option<(RangeInclusive<i64>, usize)> {
    let word = text.word(at + 1);
    let person = lists!("student pupil child person learner member", word);
    let verb = text.word(at + 1 + usize::from(person));
    let does = verb.ends_with('s') && text.lemma(at + 1 + usize::from(person)) != verb && !verb.ends_with("ss")
        || lists!("will must should can may", verb);
    let sentence = text.sentence(at);
    let led = text.word(at.checked_sub(1)?) == "the" && at >= 2 && lists!("and while , ; but then", text.word(at - 2));
    if !led || !does {
        return None;
    }
    let before = sentence.start..at - 1;
    let mut ones = before.clone().filter(|at| is_one(text, *at, before.start));
    let one = ones.next()?;
    let of_you = text.has_at(one + 1, &["of", "you"]);
    let named = of_you || lists!("student pupil child person learner member", text.word(one + 1));
    let alone =
        ones.next().is_none() && !sentence.clone().any(|at| lists!("third fourth two three four", text.word(at)));
    (named && alone).then_some((2..=2, at + 1))
}

/// "Work with a buddy", "you and one partner". "Your partner" may be one of two.
fn partner(text: &Text, at: usize) -> Option<(RangeInclusive<i64>, usize)> {
    let skip = usize::from(lists!("lab bench science work working", text.word(at + 1)));
    let noun = text.word(at + 1 + skip);
    let found = lists!("buddy benchmate mate", noun)
        && at > 0
        && lists!("with find choose pick", text.word(at - 1))
        && !lists!("in from", text.word(at + 2 + skip));
    let partner = text.word(at) == "one" && noun == "partner" && at > 1 && text.has_at(at - 2, &["you", "and"]);
    (found || partner).then_some((2..=2, at + 2 + skip))
}

/// "You and three friends", "make a group with two classmates", "join up with three other pupils"
fn and_some(text: &Text, at: usize) -> Option<(RangeInclusive<i64>, usize)> {
    let numeral = numbers::numeral(&text.tokens, at + 1).filter(|numeral| numeral.tokens.start == at + 1)?;
    let count = numeral.whole().filter(|count| (1..MOST).contains(count))?;
    let end = numeral.tokens.end;
    let others = text.word(end) == "others" && !text.tokens.get(end + 1).is_some_and(|next| next.is("of"));
    let other = usize::from(lists!("other more", text.word(end)));
    let lemma = text.lemma(end + other);
    let friends = lists!("friend classmate partner teammate", lemma)
        || other > 0 && lists!("student pupil child learner person people", lemma);
    let joined = if text.word(at) == "and" {
        at > 0 && text.word(at - 1) == "you" && !lists!("between for", text.word(at.wrapping_sub(2)))
    } else {
        let sentence = text.sentence(at);
        (sentence.start.max(at.saturating_sub(5))..at)
            .any(|at| lists!("work works make form join group team get sit stand gather", text.word(at)))
    };
    ((others || friends) && joined).then_some((count + 1..=count + 1, end + 1))
}

/// "This paired practical", "a partner activity"
fn shared_work(text: &Text, at: usize) -> Option<(RangeInclusive<i64>, usize)> {
    let work = lists!("practical investigation experiment activity lab project task", text.word(at + 1));
    let this = at > 0 && lists!("this a our the as your", text.word(at - 1));
    (work && this).then_some((2..=2, at + 2))
}

/// "The fourth member of your group" is in one of at least four.
fn ordinal(text: &Text, at: usize) -> Option<(RangeInclusive<i64>, usize)> {
    let (number, tokens) = numbers::ordinal(&text.tokens, at)?;
    let person = is_person(text.lemma(tokens.end));
    let theirs = is_member(text.lemma(tokens.end)) && at > 0 && text.word(at - 1) == "the"
        || in_group(text, tokens.end + 1).is_some();
    (person && theirs).then_some((number..=99, tokens.end + 1))
}

/// "The first of you loads, the second reads, the third writes and the fourth" …
fn counted_up(text: &Text, at: usize) -> Option<Group> {
    let (number, _) = numbers::ordinal(&text.tokens, at)?;
    let led = at > 0 && lists!("the a", text.word(at - 1));
    let does = |at: usize| text.word(at).ends_with('s') && text.lemma(at) != text.word(at);
    let sentence = text.sentence(at);
    let person = |at: usize| is_person(text.lemma(at)) || text.has_at(at, &["of", "you"]);
    let first = (sentence.start..at).find(|at| lists!("first one", text.word(*at)) && person(at + 1));
    let first = first.filter(|_| led && does(at + 1))?;
    let before = |ordinal: &str| (first..at).any(|at| text.word(at) == ordinal);
    let lower = ["second", "third", "fourth", "fifth"];
    let asks = sentence
        .clone()
        .any(|at| lists!("if finish finished trial test turn round line row queue column relay", text.word(at)));
    let up = !asks && lower.iter().take(number as usize - 2).all(|ordinal| before(ordinal));
    let bytes = numbers::bytes_of(&text.tokens, &(at..at + 1));
    up.then(|| Group { sizes: number..=99, ..Group::whole(number, bytes) })
}

/// "Student A drops, student B times and student C writes", "label yourselves A, B and C"
fn named(text: &Text) -> Option<Group> {
    let letter = |at: usize| {
        let token = text.tokens.get(at).filter(|token| token.is_word())?;
        let mut letters = text.slice(&token.bytes).bytes();
        let first = letters.next().filter(|letter| (b'A'..=b'F').contains(letter));
        first.filter(|_| letters.next().is_none())
    };
    if (0..text.tokens.len()).all(|at| letter(at) != Some(b'B')) {
        return None;
    }
    let called = |at: usize| {
        lists!("student partner person pupil member player learner scientist", text.word(at))
            && letter(at + 1).is_some()
    };
    let labelled = |at: usize| lists!("yourselves", text.word(at)) && letter(at + 1) == Some(b'A');
    let first = (0..text.tokens.len()).find(|at| called(*at) || labelled(*at))?;
    // "Student A measured 5 cm": what others once did.
    let told = (0..text.tokens.len()).any(|at| {
        text.word(at).ends_with("ed") && !lists!("need speed feed", text.word(at))
            || lists!(
                "says thinks claims got found wrote said thought who whose if group groups or bulb",
                text.word(at)
            )
    });
    let mut found: Vec<u8> = if labelled(first) {
        (first..text.sentence(first).end).filter_map(letter).collect()
    } else {
        (0..text.tokens.len()).filter(|at| called(*at)).filter_map(|at| letter(at + 1)).collect()
    };
    found.sort_unstable();
    found.dedup();
    let row = found.iter().zip(b'A'..).all(|(letter, next)| *letter == next);
    let size = found.len() as i64;
    let tells = !matches!(text.role, Role::Phenomenon | Role::DrivingQuestion | Role::Assessment);
    let bytes = numbers::bytes_of(&text.tokens, &(first..first + 2));
    (row && size > 1 && !told && tells).then(|| Group { pairs: size == 2, ..Group::whole(size, bytes) })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn sure(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().filter(|found| found.sure).count()
    }

    #[test]
    fn groups_are_told_by_who_is_in_them() {
        for (size, text) in [
            (3, "One of you holds the ruler and the other reads it."),
            (3, "One student pours while the other watches the clock."),
            (4, "Student A drops the ball, student B times and student C writes."),
            (4, "Label yourselves A, B and C. A drops, B times and C writes."),
            (3, "Partner A holds the string, partner B pulls."),
            (3, "Find a buddy and build the circuit."),
            (4, "Make a group with two classmates."),
            (3, "Join up with three other pupils and build the dam."),
            (2, "You and three friends will plan an investigation."),
            (3, "Do this paired practical with care."),
            (3, "The first of you loads, the second reads, the third writes and the fourth checks the clamp."),
            (2, "The first pupil drops the ball, the second catches it and the third times."),
            (3, "One of you pours, a second stirs, a third times and a fourth writes."),
            (3, "The fourth member of your group keeps the time."),
        ] {
            assert_eq!(sure(size, text), 1, "{text}");
        }
    }

    #[test]
    fn who_is_named_for_a_while_or_in_a_story_is_not_counted() {
        for (size, text) in [
            (4, "The first of you loads, the second reads and the third writes."),
            (3, "The first test is cold, the second warm, the third hot and the fourth boils."),
            (3, "The first of you to finish waits, the second reads, the third draws, the fourth helps."),
            (2, "You drop the grape, your partner drops the cork."),
            (3, "One of you holds the tape, the other pulls, and the third writes."),
            (4, "One of you holds the tape and the other reads it."),
            (3, "One cup goes in the sun and the other stays in the shade."),
            (3, "Student A measured 5 cm and student B measured 7 cm. Who is right?"),
            (3, "Tell your partner what you see."),
            (3, "Your partner moves a pencil along the scale."),
            (3, "Turn to your partner and show your drawing."),
            (4, "Compare your results with two classmates."),
            (4, "Join up with two others from another table and compare."),
            (4, "The third member of your group keeps the time."),
            (4, "Bulb A is bright and bulb B is dim."),
        ] {
            assert_eq!(sure(size, text), 0, "{text}");
        }
    }
}
