//! Everybody in a group, counted: "all five children in your circle", "there are only two of you", "the other four in the group".

use std::ops::Range;

use super::Group;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::numbers::{self, Numeral};

/// What a group is called where its members are told to be in it.
pub(super) fn is_team(word: &str) -> bool {
    lists!("group team crew squad circle trio quartet foursome ring", word)
}

/// Who can be a member of a group.
pub(super) fn is_person(lemma: &str) -> bool {
    lists!(
        "student pupil child kid learner member person people children partner teammate groupmate classmate friend scientist \
         player tester taster judge engineer researcher investigator mate",
        lemma
    )
}

/// Who is a member of a group and of nothing else.
pub(super) fn is_member(lemma: &str) -> bool {
    lists!("member partner teammate groupmate crewmate", lemma)
}

/// "In your group", "of the same team": whether it is said at a token, and where it ends.
pub(super) fn in_group(text: &Text, at: usize) -> Option<usize> {
    let begins = lists!("in of within on from inside", text.word(at))
        && lists!("the your our each every a this their my one his her", text.word(at + 1));
    let end = (at + 2..at + 4).find(|at| is_team(text.lemma(*at)) && text.lemma(*at) == text.word(*at))?;
    // "In the group of plants"
    (begins && text.word(end + 1) != "of").then_some(end + 1)
}

/// The groups of which a text counts everybody.
pub(super) fn said(text: &Text) -> Vec<Group> {
    let told = |numeral: &Numeral| {
        let count = numeral.whole().filter(|count| (1..=8).contains(count))?;
        let all = || (count > 1 && is_all(text, numeral)).then_some(count);
        let size = all().or_else(|| with_the_others(text, numeral, count))?;
        let bytes = numeral.bytes(&text.tokens);
        Some(Group { passing: parts_of(text, numeral, size != count), ..Group::whole(size, bytes) })
    };
    text.numerals().iter().filter_map(told).chain(both(text)).collect()
}

/// "Both members of the group", "shared by both pupils in the group"
fn both<'t>(text: &'t Text) -> impl Iterator<Item = Group> + 't {
    (0..text.tokens.len()).filter(|at| text.word(*at) == "both").filter_map(|at| {
        let person = is_person(text.lemma(at + 1)) || text.has_at(at + 1, &["of", "you"]);
        let end = at + 2 + usize::from(text.word(at + 1) == "of");
        let then = in_group(text, end).filter(|_| person)?;
        let bytes = numbers::bytes_of(&text.tokens, &(at..at + 1));
        // "Both partners in the group hold the string while the other two time"
        let part = text.tokens.iter().any(|token| lists!("other others pair pairs", &token.word));
        let passing = part || lists!("who with", text.word(then)) || is_conditional(text, at);
        Some(Group { passing, ..Group::whole(2, bytes) })
    })
}

/// Whether what is said is said under a condition, or of some. The others in a group are no part of it.
fn parts_of(text: &Text, numeral: &Numeral, with_others: bool) -> bool {
    let told = [" with ", " who ", " holding "];
    let after = text.text.get(numeral.bytes(&text.tokens).end..).unwrap_or_default();
    if !with_others && told.iter().any(|which| after.starts_with(which)) {
        return true;
    }
    is_conditional(text, numeral.tokens.start)
}

fn is_conditional(text: &Text, at: usize) -> bool {
    text.sentence(at).any(|at| {
        lists!(
            "if unless another not absent odd or some sometimes maybe class room groups teams tables sort",
            text.word(at)
        ) || text.word(at) == "other" && is_team(text.lemma(at + 1))
    })
}

/// Whether a number counts all of a group: "all three of us in the group", "there are only two of you", "the same three
/// tasters, namely all members of the group".
fn is_all(text: &Text, numeral: &Numeral) -> bool {
    let (start, end) = (numeral.tokens.start, numeral.tokens.end);
    let word = |at: usize| text.word(at);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    let only = usize::from(lists!("only just exactly", before(1)));
    // "There are two of you", "as we are two in a group"
    let there = lists!("are re were", before(1 + only)) && lists!("there you we", before(2 + only))
        || before(1 + only) == "'re" && lists!("you we", before(2 + only));
    let spoken = word(end) == "of" && lists!("you us", word(end + 1));
    let person = is_person(text.lemma(end)) || is_person(word(end));
    let led = before(1) == "all" || there;
    if spoken {
        let with = before(1) == "with" && lists!(", in that it there this", word(end + 2));
        let us = word(end + 1) == "us" && lists!("all the", before(1));
        return there || us || with || led && in_group(text, end + 2).is_some();
    }
    let after = end + usize::from(person);
    let grouped = in_group(text, after);
    if let Some(then) = grouped {
        // "One of the three children in each group who writes"
        if before(1) == "the" && before(2) == "of" && before(3) == "one" && person {
            let which = word(then) == "who" && !word(then + 1).ends_with('s');
            return lists!("each every", word(after + 1)) && !which;
        }
        let most = lists!("at least most than up about", before(2));
        return led && !most && !lists!("who with", word(then));
    }
    // "Your group's three members"
    if is_member(text.lemma(end)) && lists!("group's team's crew's squad's group’s team’s", before(1)) {
        return true;
    }
    // "All five pupils have had a turn"
    const DO: &str = "have has must should agree sign take are";
    if before(1) == "all" && person && word(end) != "friends" {
        return is_member(text.lemma(end))
            || lists!(DO, word(after)) && lists!("student pupil child learner", text.lemma(end));
    }
    person && is_explained(text, after)
}

/// "… three tasters, namely all the members of the group"
fn is_explained(text: &Text, at: usize) -> bool {
    if !lists!(", ( - – — :", text.word(at)) {
        return false;
    }
    let skip = if text.has_at(at + 1, &["that", "is"]) {
        2
    } else {
        usize::from(lists!("namely being meaning so thus", text.word(at + 1)))
    };
    let all = at + 1 + skip;
    if text.has_at(all, &["the", "whole"]) {
        return is_team(text.lemma(all + 2));
    }
    lists!("all everyone everybody", text.word(all)) && (all + 1..all + 5).any(|at| in_group(text, at).is_some())
}

/// Who the others are added to: "one steers, the other two in the group watch" are three, "graded by the other four in the
/// group" each is the fifth.
fn with_the_others(text: &Text, numeral: &Numeral, count: i64) -> Option<i64> {
    let (start, end) = (numeral.tokens.start, numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    let ahead = before(1) == "other";
    let behind = lists!("other others", text.word(end));
    let at = end + usize::from(behind);
    let of = if ahead { before(2) } else { before(1) };
    let of = if ahead && of == "only" { before(3) } else { of };
    let led = lists!("the your their his her", of) && (ahead || behind);
    let person = is_person(text.lemma(at)) && text.lemma(at) != text.word(at) || text.word(at) == "people";
    let spoken = text.has_at(at, &["of", "you"]);
    let grouped = in_group(text, at + usize::from(person));
    let people = person || spoken || grouped.is_some() || does(text, at);
    if !led || !people {
        return None;
    }
    let sentence = text.sentence(start);
    let end = start - usize::from(ahead) - 1;
    // "Up to ten peer marks: each student is graded by the other four"
    let colon = (sentence.start..end).rfind(|at| text.word(*at) == ":").map(|at| at + 1);
    let from_colon = colon.map(|colon| subjects(text, colon..end, true)).filter(|sum| !matches!(sum, Subjects::None));
    let named = grouped.is_some() || spoken;
    let sum = match from_colon.unwrap_or_else(|| subjects(text, sentence.start..end, named)) {
        Subjects::None if sentence.start > 0 => {
            let before = text.sentence(sentence.start - 1);
            subjects(text, before, named)
        }
        sum => sum,
    };
    match sum {
        Subjects::Some(some) if count + some <= 8 => Some(count + some),
        _ => None,
    }
}

/// "The other two watch": people do.
fn does(text: &Text, at: usize) -> bool {
    lists!(
        "watch hold record write time read check count measure help observe note call judge take stand keep shout",
        text.word(at)
    )
}

enum Subjects {
    /// None is named.
    None,
    /// So many are.
    Some(i64),
    /// More than can be counted.
    Unclear,
}

/// How many people these words name one by one.
fn subjects(text: &Text, tokens: Range<usize>, people: bool) -> Subjects {
    let many = |at: usize| {
        lists!("both pair pairs partner partners rest half halves two-person groups teams class", text.word(at))
            || numbers::numeral(&text.tokens, at).is_some_and(|numeral| numeral.high > 1.0 && people_at(text, &numeral))
    };
    if tokens.clone().any(many) {
        return Subjects::Unclear;
    }
    let person = |at: usize| is_person(text.lemma(at)) || text.has_at(at, &["of", "you"]);
    // "While a second one times"
    let next = |at: usize| {
        lists!("a the", text.word(at)) && lists!("second third fourth", text.word(at + 1)) && text.word(at + 2) != "of"
    };
    let ones = tokens.clone().filter(|at| is_one(text, *at, tokens.start) || next(*at)).count() as i64;
    if ones > 0 {
        let named = people || tokens.clone().any(person);
        return if named { Subjects::Some(ones) } else { Subjects::Unclear };
    }
    let each = |at: usize| {
        lists!("each every a", text.word(at)) && person(at + 1)
            || lists!("everyone everybody you your yourself", text.word(at))
    };
    if tokens.clone().any(each) { Subjects::Some(1) } else { Subjects::None }
}

/// Whether a number counts people, or nothing that is named.
fn people_at(text: &Text, numeral: &Numeral) -> bool {
    let at = numeral.tokens.end;
    is_person(text.lemma(at)) || text.word(at) == "of" || !crate::assistant::facts::nouns::is_plural(text.word(at))
}

/// Whether one more person is named at a token: "one holds", ", another pours", "and one at the door".
pub(super) fn is_one(text: &Text, at: usize, first: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| text.word(at));
    let begins = at == first || lists!(", ; : . ( - – — and while as so then", before);
    let one = text.word(at) == "one" || text.word(at) == "another" && at > first;
    one && begins && !lists!("or two by", text.word(at + 1))
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
    fn everybody_in_a_group_is_counted() {
        for (size, text) in [
            (3, "When all five children in your circle have had a feel, open your eyes."),
            (4, "There are only two of you in a group: one traces the star, the other holds the screen."),
            (4, "Number yourselves off from 1 to 6 within the group; number 6 is our water monitor."),
            (5, "Within your team, count off from one to four."),
            (3, "Each student is graded by the other four in the group."),
            (6, "One student holds the boat with tongs. The other two in the group stand back."),
            (5, "One of you pours, one times and the other two record."),
            (3, "You read the scale out to the other three members of your team."),
            (4, "The same three tasters, namely all the members of the group."),
            (2, "All three of us in the group expect the warm one to fill first."),
            (4, "The three of us think that it sinks."),
            (3, "With five of you, that makes one reading a minute."),
            (3, "All four pupils should sign the sheet."),
            (3, "All four members sign the sheet."),
            (4, "When both members of the group have had a go, compare the two names."),
            (4, "Keep it where both pupils in your group can see it."),
            (4, "While one counts, the only other two people in the group move the lamp and keep the time."),
            (5, "The clock goes to one of the three children in each group who writes the times."),
            (4, "Your group's three members each sign the sheet."),
        ] {
            assert_eq!(sure(size, text), 1, "{text}");
        }
    }

    #[test]
    fn some_of_a_group_or_as_many_as_there_are_pass() {
        for (size, text) in [
            (4, "On your own, predict. Compare your prediction with the three others in your group."),
            (4, "Back with all four at the basin, try the objects."),
            (4, "You and your partner explain it to the other two in the group."),
            (4, "Two of you hold the rope. The other two in the group time."),
            (4, "Only one of the three in the group who wear gloves may touch it."),
            (4, "One tube goes into the ice; the other two stay in the rack."),
            (3, "Both members of the pair sign."),
            (4, "Both partners in the team hold the string while the other two time."),
            (4, "Ask one of the two pupils in each group who hold the rope."),
            (4, "Both pupils in the group who wear gloves rinse."),
            (4, "While two count, the only other two people in the group move the lamp."),
            (3, "One of you pours, the other two record."),
            (4, "One student claps while a second one times 20 claps; the other two count aloud."),
            (4, "If there are only three of you, the timer records too."),
            (4, "All three tubes in the group of controls are blue."),
            (4, "One of you heats the first beaker and then the other two beakers."),
            (4, "Compare with the other two groups."),
            (4, "All three scientists in the story were right."),
            (5, "Only two of you in the group may stand at the burner at once."),
            (5, "Only two people in the group go to the sink."),
        ] {
            assert_eq!(sure(size, text), 0, "{text}");
        }
    }
}
