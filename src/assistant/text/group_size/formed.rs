//! Groups that a text forms in other words: "keep the groups to two", "no group is to have more than four", "sit four
//! together", "threes, please", "batches of five students", "number off 1-2-3-4 in your group".

use std::ops::{Range, RangeInclusive};

use super::Group;
use super::everyone::{in_group, is_person, is_team};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::numbers::{self, Numeral};

/// The groups that a text forms so.
pub(super) fn said(text: &Text) -> Vec<Group> {
    if matches!(text.role, Role::Assessment | Role::Definition(_)) {
        return Vec::new();
    }
    let read = |numeral: &Numeral| {
        let sizes = sizes(text, numeral)?;
        let pairs = *sizes.end() == 2 && text.word(numeral.tokens.end) == "together";
        let passing = passes(text, numeral.tokens.start);
        Some(Group { sizes, passing, pairs, all: false, ..Group::whole(2, numeral.bytes(&text.tokens)) })
    };
    let mut groups: Vec<Group> = text.numerals().iter().filter_map(read).collect();
    groups.extend((0..text.tokens.len()).filter_map(|at| called_for(text, at).or_else(|| numbered_off(text, at))));
    groups
}

/// "In our group of five, the tallest will blow out the most air": who is in it, where nobody is told to form one.
pub(super) fn own(text: &Text) -> Vec<Group> {
    let read = |numeral: &Numeral| {
        let size = numeral.whole().filter(|size| (2..=8).contains(size))?;
        let at = numeral.tokens.start.checked_sub(3)?;
        let ours = lists!("our your", text.word(at)) && is_team(text.word(at + 1)) && text.word(at + 2) == "of";
        let end = numeral.tokens.end;
        let people =
            is_person(text.lemma(end)) || ends(text, end) || lists!("will can we the expects thinks", text.word(end));
        (ours && people).then(|| Group::whole(size, numeral.bytes(&text.tokens)))
    };
    text.numerals().iter().filter_map(read).collect()
}

/// Whether what is said holds for some, or at times.
fn passes(text: &Text, at: usize) -> bool {
    text.sentence(at).any(|at| {
        lists!("if unless another some sometimes absent odd usually last were was ? sort seeds cards new expert regroup mix mixed jigsaw", text.word(at))
    })
}

fn ends(text: &Text, at: usize) -> bool {
    !text.tokens.get(at).is_some_and(|token| token.is_word())
}

/// How many are in a group by a number of it.
fn sizes(text: &Text, numeral: &Numeral) -> Option<RangeInclusive<i64>> {
    let size = numeral.whole().filter(|size| (2..=8).contains(size))?;
    let (start, end) = (numeral.tokens.start, numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    let person = lists!("people children", text.word(end)) || is_person(text.lemma(end));
    let after = end + usize::from(person);
    if lists!("or to - –", text.word(end)) {
        return None;
    }
    let inside = text.has_at(after, &["in", "it"]) || text.has_at(after, &["in", "each"]) && ends(text, after + 2);
    // "No more than two people at the sink"
    let placed = lists!("at in on by near out outside around behind", text.word(after)) && !inside;
    // "Keep the groups to two for this"
    let counted = !placed
        && (person || inside || ends(text, end) || lists!("for so and when while today please", text.word(end)));
    match before(1) {
        "than" if counted => {
            let less = lists!("fewer less smaller", before(2));
            let more = lists!("more larger bigger", before(2));
            let none = (less || more) && of_every_group(text, start - 2, "no");
            none.then_some(if less { size..=99 } else { 1..=size })
        }
        "least" | "most" if counted && (person || inside) => {
            let bound = before(2) == "at" && of_every_group(text, start - 2, "each every");
            bound.then_some(if before(1) == "least" { size..=99 } else { 1..=size })
        }
        "to" if counted => is_kept_to(text, start - 1).then_some(1..=size),
        "with" | "has" | "have" | "having" if counted && (inside || person) => {
            let ended = inside || before(1) == "with" && lists!("up off", before(2));
            (ended && of_every_group(text, start - 1, "each every")).then_some(size..=size)
        }
        // "Call up batches of five students to see it" forms no groups.
        "of" if person
            && !called(text, start)
            && lists!("batches gangs bands huddles circles bunches patrols pods clumps", before(2)) =>
        {
            Some(size..=size)
        }
        "sit" | "sits" | "work" | "seated" | "sitting" if text.word(end) == "together" => {
            let who = before(2);
            let all = lists!("groups teams you they pupils students children learners everyone all to them then", who);
            (all || who.is_empty() || lists!(". , ; : and", who)).then_some(size..=size)
        }
        _ => None,
    }
}

/// "No group is to have more than", "every one ends up with": whether what stands before a token is said of groups, with
/// nothing between that tells of something else.
fn of_every_group(text: &Text, end: usize, articles: &str) -> bool {
    let sentence = text.sentence(end);
    let start = sentence.start.max(end.saturating_sub(9));
    (start..end).rev().any(|at| {
        let skip = usize::from(lists!("single one", text.word(at + 1)) && is_team(text.word(at + 2)));
        let one = text.word(at + 1) == "one" && (sentence.start..at).any(|at| is_team(text.lemma(at)));
        let named = is_team(text.word(at + 1 + skip)) || one;
        let light = |at: usize| {
            lists!(
                "is to have has may should must can will be with of of in ends end up comes out finishes there contain contains",
                text.word(at)
            )
        };
        crate::assistant::facts::phrases::lists(articles, text.word(at)) && named && (at + 2 + skip..end).all(light)
    })
}

/// "Keep the groups to two", "groups are limited to three": whether that is said before "to".
fn is_kept_to(text: &Text, to: usize) -> bool {
    let before = |back: usize| to.checked_sub(back).map_or("", |at| text.word(at));
    let groups = |word: &str| lists!("groups teams crews squads", word);
    let article = usize::from(lists!("the your all our these", before(2)));
    lists!("keep limit restrict hold cap keeping limiting", before(2 + article)) && groups(before(1))
        || lists!("limited kept restricted held capped", before(1)) && lists!("are be is", before(2)) && {
            (3..6).any(|back| groups(before(back)))
        }
}

/// "Threes, please", "Twos for this one"
fn called_for(text: &Text, at: usize) -> Option<Group> {
    let size = match text.word(at) {
        "twos" => 2,
        "threes" => 3,
        "fours" => 4,
        "fives" => 5,
        "sixes" => 6,
        _ => return None,
    };
    let begins = text.sentence(at).start == at;
    let comma = usize::from(text.word(at + 1) == ",");
    let asked = lists!("please today everybody everyone", text.word(at + 1 + comma))
        || text.has_at(at + 1 + comma, &["for", "this"])
            && lists!("one lesson practical lab investigation experiment activity task", text.word(at + 3 + comma));
    let plain = !text.sentence(at).any(|at| lists!("or if discuss talk compare", text.word(at)));
    let bytes = numbers::bytes_of(&text.tokens, &(at..at + 1));
    (begins && asked && plain).then(|| Group { pairs: size == 2, all: false, ..Group::whole(size, bytes) })
}

/// "Number off 1-2-3-4 in your group"
fn numbered_off(text: &Text, at: usize) -> Option<Group> {
    if !lists!("number count label", text.word(at)) {
        return None;
    }
    let sentence = text.sentence(at);
    let skip = (at + 1..at + 4).take_while(|at| lists!("off yourselves yourself as out :", text.word(*at))).count();
    let grouped = sentence.clone().any(|at| in_group(text, at).is_some());
    let first = at + 1 + skip;
    let (mut last, mut end) = (0, first);
    while end < sentence.end {
        let word = text.word(end);
        let value = numbers::small_number(word).map(|value| value as i64).or_else(|| word.parse().ok());
        match value {
            Some(value) if value == last + 1 => last = value,
            None if last > 0 && lists!(", - – and", word) => {}
            _ => break,
        }
        end += 1;
    }
    let tokens: Range<usize> = first..end.max(first + 1);
    let called = skip > 0 && grouped && (3..=8).contains(&last);
    called.then(|| Group::whole(last, numbers::bytes_of(&text.tokens, &tokens)))
}

/// Whether pupils are called together for a while.
fn called(text: &Text, at: usize) -> bool {
    text.sentence(at).any(|at| lists!("call come comes front demonstration demo see watch", text.word(at)))
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
    fn groups_formed_in_other_words_are_read() {
        for (size, text) in [
            (3, "I keep the groups to two pupils for anything with a flame; no exceptions."),
            (4, "Groups are limited to three pupils."),
            (4, "Limit your groups to three."),
            (
                5,
                "Any bigger than four and somebody ends up doing nothing, so no group is to have more than four in it.",
            ),
            (5, "No group may have more than four members."),
            (5, "No group should be larger than four."),
            (2, "Every group must have at least three people in it."),
            (2, "No group should have fewer than three pupils."),
            (2, "Let them form their own groups, and see that every one ends up with three in it; friends are fine."),
            (2, "Make sure each group ends up with three people."),
            (2, "Move the desks so that the groups sit four together, facing in."),
            (4, "Threes, please, not fours: a fourth person only watches."),
            (4, "Make batches of five students each and give every batch a dish."),
            (3, "Number off 1-2-3-4 in your group, so that there is one of each number."),
            (3, "Number off 1, 2, 3, 4 in your group."),
            (3, "In your group, number yourselves one, two, three and four."),
        ] {
            assert_eq!(sure(size, text), 1, "{text}");
        }
    }

    #[test]
    fn groups_that_fit_and_bounds_of_other_things_are_passed_over() {
        for (size, text) in [
            (4, "No group may have more than four members."),
            (4, "No group may use more than two trays."),
            (3, "Keep the groups to two minutes each."),
            (3, "Limit groups to two trays."),
            (3, "Keep the groups to two or three."),
            (3, "No group should have more than two people at the sink."),
            (4, "Each group has two people in each corner."),
            (4, "Sit two together at the front of the boat."),
            (6, "Threes for this part: three build, three test."),
            (2, "Check that every box has three in it."),
            (2, "Put four cups together."),
            (4, "Make batches of five seeds each and give every batch a dish."),
            (4, "Fours go to the window."),
            (4, "Call up batches of five students to see the demonstration."),
            (4, "Number off 1-2-3-4 in your group."),
            (4, "Count 1, 2, 3 and let go in your group."),
            (4, "If somebody is absent, keep the groups to three."),
        ] {
            assert_eq!(sure(size, text), 0, "{text}");
        }
    }

    #[test]
    fn a_group_of_its_own_is_told_in_a_hypothesis() {
        let found = |hypothesis: &str| {
            let content = json!({"groupSize": 3, "hypothesis": hypothesis, "steps": [{"text": "Blow."}]});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(found("In our group of five, the tallest person will blow out the most air."), 1);
        assert_eq!(found("In our group of five plants, the tallest will grow most."), 0);
        assert_eq!(found("In our group of three, the tallest will blow out the most air."), 0);
    }
}
