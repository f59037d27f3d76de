//! Jobs that a step gives to those of one group: "the first throws, the second measures, the third writes", "four jobs at each
//! table". A group that has more jobs than members is too small.

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::numbers;
use crate::assistant::facts::phrases::{self, lists};

const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// How many jobs a text gives out, and the bytes that say so.
pub(super) fn given(text: &Text) -> Vec<(i64, Range<usize>)> {
    let mut found = Vec::new();
    for sentence in text.sentences() {
        let others = sentence.clone().any(|t| lists!("if absent optional class bench's another", text.word(t)));
        if others || phrases::is_question(text, sentence.start) {
            continue;
        }
        found.extend(in_turn(text, &sentence).or_else(|| counted(text, &sentence)).or_else(|| named(text, &sentence)));
    }
    found
}

/// "The first throws, the second measures, the third writes and the fourth calls"
fn in_turn(text: &Text, sentence: &Range<usize>) -> Option<(i64, Range<usize>)> {
    let mut last = None;
    let mut count = 0;
    for at in sentence.clone() {
        let next = ORDINALS.get(count).copied().unwrap_or_default();
        let member = if phrases::is_pupil(text.word(at + 1)) { at + 2 } else { at + 1 };
        let does = text.word(member).ends_with('s') && !text.word(member).ends_with("ss");
        if text.word(at) == next && text.word(at.wrapping_sub(1)) == "the" && does && !is_thing(text.word(member)) {
            count += 1;
            last = Some(at);
        }
    }
    let first = sentence.clone().find(|t| text.word(*t) == "first")?;
    let people = sentence
        .clone()
        .any(|t| lists!("group groups team teams pupil student child turn throws writes measures", text.word(t)));
    (count >= 3 && people).then(|| Some((count as i64, numbers::bytes_of(&text.tokens, &(first..last? + 1)))))?
}

fn is_thing(word: &str) -> bool {
    lists!(
        "is was has goes minutes seconds drops rows tests trials readings needs holds gets stays contains shows",
        word
    )
}

/// "There are four jobs at each table"
fn counted(text: &Text, sentence: &Range<usize>) -> Option<(i64, Range<usize>)> {
    let numeral = text.numerals().iter().find(|numeral| {
        sentence.contains(&numeral.tokens.start) && lists!("jobs roles posts duties", text.word(numeral.tokens.end))
    })?;
    let count = numeral.whole().filter(|count| (2..=8).contains(count))?;
    let each = sentence.clone().any(|t| {
        lists!("each every per a your one", text.word(t))
            && lists!("table group team crew bench member person", text.word(t + 1))
    });
    let spare = sentence.clone().any(|t| lists!("two both several", text.word(t)) && t > numeral.tokens.end);
    (each && !spare).then(|| (count, numbers::bytes_of(&text.tokens, &numeral.tokens)))
}

/// What members of a group do, by name.
const JOBS: &str = "captain scribe artist manager cook recorder timer timekeeper reader measurer dropper pourer writer driver navigator \
    reporter leader runner keeper observer builder speaker presenter caller spotter officer catcher thrower launcher collector secretary \
    engineer director editor carrier checker drawer counter weigher";

/// "Teams consist of a captain, a driver, a timer and a recorder"
fn named(text: &Text, sentence: &Range<usize>) -> Option<(i64, Range<usize>)> {
    // "Choose jobs: one reader, one timer and one recorder"
    let shared = || {
        let begins =
            |t: &usize| lists!("jobs roles", text.word(*t)) && matches!(text.word(t + 1), ":" | "," | "–" | "—");
        sentence.clone().find(begins)
    };
    let of_team = || {
        let team = sentence.clone().find(|t| lists!("team teams group groups crew crews", text.word(*t)))?;
        (team + 1..sentence.end.min(team + 6)).find(|t| {
            text.has_at(*t, &["consist", "of"])
                || text.has_at(*t, &["consists", "of"])
                || text.has_at(*t, &["made", "up", "of"])
                || lists!("has have needs need appoints appoint chooses choose", text.word(*t))
        })
    };
    let of = of_team().or_else(shared)?;
    let role = |t: &usize| {
        let named = || phrases::groups(text, t + 1..phrases::clause_end(text, *t)).into_iter().next();
        lists!("a an one", text.word(*t)) && named().is_some_and(|group| lists!(JOBS, group.head()))
    };
    let roles: Vec<usize> = (of + 1..sentence.end).filter(role).collect();
    let last = *roles.last()?;
    (roles.len() >= 3).then(|| (roles.len() as i64, numbers::bytes_of(&text.tokens, &(of..last + 2))))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn more_jobs_than_members_are_too_many() {
        for (size, text, expected) in [
            (2, "In your groups the first throws, the second measures, the third writes and the fourth calls.", 1),
            (2, "There are four jobs at each table: reader, pourer, timer and writer.", 1),
            (3, "Teams consist of a captain, a driver, a timer, a recorder and a safety officer.", 1),
            (3, "Share out the jobs: one reader, one timer, one pourer, one recorder and a reporter.", 1),
            (4, "Share out the jobs: one reader, one timer, one pourer and a reporter.", 0),
            (4, "There are four jobs at each table: reader, pourer, timer and writer.", 0),
            (4, "There are two jobs at each table.", 0),
            (4, "In your groups the first throws, the second measures and the third writes.", 0),
            (2, "The first drops, the second drops and the third drops are wasted.", 0),
            (2, "Each team needs a beaker, a timer and a ruler.", 0),
            (2, "Each group needs a battery holder, a buzzer and a resistor.", 0),
            (2, "On your table the first shows a seed, the second shows a root, the third shows a leaf.", 0),
            (2, "The first is red, the second is green, the third is blue.", 0),
            (2, "Six heads round every bench: two mind the baths, two drop, two time.", 1),
            (3, "Two people per microscope.", 1),
        ] {
            let content = json!({"groupSize": size, "steps": [{"text": text}]});
            let found = find(&Lesson::of(content.as_object().expect("an object")));
            assert_eq!(found.iter().filter(|found| found.sure).count(), expected, "{size} {text}");
        }
    }
}
