//! Groups that are not those of the lesson: pairs of others, of groups, for an errand, or with the rest of the group elsewhere.

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::{nouns, numbers, phrases};

use super::everyone::is_person;

/// What a class forms, and how long it takes.
const GROUPED: &str = "group team crew pair trio squad table bench minute hour";

/// "Ten groups, two to a station"
pub(super) fn of_groups(text: &Text, start: usize) -> bool {
    let at = text.tokens.partition_point(|token| token.bytes.end <= start);
    (at.saturating_sub(3)..at).any(|at| phrases::lists!("groups pairs teams crews", text.word(at)))
}

/// "Two prints per card, eight per group": as many of what was counted last, where those are things.
pub(super) fn goes_on_counting(text: &Text, start: usize) -> bool {
    let at = text.tokens.partition_point(|token| token.bytes.end <= start);
    let sentence = text.sentence(at);
    let last = text.numerals().iter().rfind(|last| sentence.contains(&last.tokens.start) && last.tokens.end < at);
    last.is_some_and(|last| {
        let mut noun = (last.tokens.end..last.tokens.end + 3)
            .take_while(|at| text.tokens.get(*at).is_some_and(|token| token.is_word()))
            .filter(|at| nouns::is_plural(text.word(*at)));
        noun.next().is_some_and(|at| !is_person(text.lemma(at)) && !phrases::lists!(GROUPED, text.lemma(at)))
    })
}

/// "Astronauts work in pairs", "the snails come out in twos": who else does.
pub(super) fn is_of_others(before: &str) -> bool {
    const DO: &str =
        "work works worked travel live come hunt fly swim grow usually often always sometimes mostly only come out";
    const WE: &str = "students pupils children learners kids you we they everyone class scientists groups partners people \
        all everybody yourselves now then please today will must should can to and";
    let words: Vec<String> = before.split_whitespace().map(str::to_lowercase).collect();
    if words.first().is_some_and(|word| word == "scientists")
        && words.iter().any(|word| phrases::lists!("often usually always sometimes", word))
    {
        return true;
    }
    let Some(subject) = words.iter().rposition(|word| !phrases::lists!(DO, word)) else { return false };
    subject + 1 < words.len()
        && words
            .get(subject)
            .is_some_and(|word| word.ends_with('s') && !word.ends_with("ss") && !phrases::lists!(WE, word))
        && subject < 3
        && words.get(subject + 1).is_some_and(|word| !word.ends_with('s'))
}

/// "The Year 6s, who come in groups of four": whom a relative clause tells of, where they are none of the class.
pub(super) fn is_of_those_who(before: &str) -> bool {
    const CLASS: &str =
        "students pupils children learners kids you we they everyone class people all everybody those ones";
    const WITH: &str =
        "work works come comes sit sits go goes stand arrive move stay will usually always often in into as";
    let lower = before.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let Some(who) = words.iter().rposition(|word| *word == "who") else { return false };
    let whom = words.get(..who).unwrap_or_default();
    words.get(who + 1..).is_some_and(|after| !after.is_empty() && after.iter().all(|word| phrases::lists(WITH, word)))
        && !whom.is_empty()
        && !whom.iter().any(|word| phrases::lists(CLASS, word.trim_end_matches(',')))
}

/// "We go out in pairs": so that nobody is alone, whoever works together.
pub(super) fn is_on_the_way(before: &str) -> bool {
    const MOVES: &str =
        "go goes going move moves walk stay stays stick keep leave leaves travel wade enter explore cross climb";
    before.split_whitespace().any(|word| phrases::lists!(MOVES, &word.to_lowercase()))
}

/// "Every group has two members at the ramp, and two at the desk"
pub(super) fn is_a_part(text: &Text, end: usize) -> bool {
    let after = text.text.get(end..).unwrap_or_default().trim_start();
    ["at ", "on ", "by ", "near ", "who ", "in charge", "in each ", "in every ", "outside"]
        .iter()
        .any(|place| after.starts_with(place))
}

/// "Two pupils per group fetch the tray": what some do for all, or while "the other two" wait.
pub(super) fn is_errand(text: &Text, end: usize) -> bool {
    let at = text.tokens.partition_point(|token| token.bytes.end <= end);
    let deed =
        text.tokens.get(at).is_some_and(|next| next.is_word()) && !phrases::lists!("and work share sit", text.word(at));
    let rest = |at: usize| {
        phrases::lists!("the one her his", text.word(at))
            && (phrases::lists!("others rest remaining third fourth fifth", text.word(at + 1))
                || text.word(at + 1) == "other" && numbers::numeral(&text.tokens, at + 2).is_some())
    };
    if deed && (at..text.sentence(at).end + 4).any(rest) {
        return true;
    }
    phrases::lists!("fetch collect carry bring come get go return wash clear hand take stay stand", text.word(at))
        || phrases::lists!("will may", text.word(at))
            && phrases::lists!("fetch collect carry bring come get go", text.word(at + 1))
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
    fn groups_of_others_or_for_a_while_are_no_contradiction() {
        for (size, text) in [
            (4, "In pairs, predict what will happen to the cup."),
            (4, "Three students work at each station while the fourth writes."),
            (3, "One set of masses is shared by two groups."),
            (4, "Together with two other groups, compare your results."),
            (4, "Pair up and make a prediction."),
            (4, "Two pupils per group fetch the tray, the others clear the bench."),
            (4, "You and your partner hold opposite ends of the rope while the others time."),
            (4, "You and your partner read the safety card aloud."),
            (3, "In pairs or threes, carry on."),
            (3, "Astronauts work in pairs outside the station."),
            (3, "Scientists often work in pairs. Decide who of you writes."),
            (3, "Small classes: groups of two are fine."),
            (4, "Work on your own to complete the table."),
            (4, "With a partner, act out how particles move."),
            (4, "Pair up with someone from a different table to pool data."),
            (4, "Pair up with the table behind."),
            (2, "Tables of four share a kettle of water."),
            (3, "Each bench has four students' trays on it."),
            (3, "Work down the list in fives."),
            (4, "With one other student, carry the aquarium stand."),
            (4, "Each pair records its own distance, then average the two."),
            (3, "Each pair of leads makes one loop. Each pair needs a clip."),
            (2, "Your helpers this week are the Year 6s, who come in groups of four and sit at the back."),
            (3, "The visitors, who come in groups of four, sit at the back."),
            (4, "Two prints per card, eight per group."),
            (4, "Cut two straws per bridge, six per group."),
            (4, "Two pupils per group put on wellingtons; the other two stay on the bank."),
            (3, "Two pupils per group hold the rope while the third times."),
            (3, "Class of 30: ten groups, two to a station, so five stations."),
        ] {
            assert_eq!(sure(size, text), 0, "{text}");
        }
    }

    #[test]
    fn groups_that_do_the_work_are_one() {
        for (size, text) in [
            (4, "Trios brainstorm: one member sketches, one looks after the straws, one after the tape."),
            (3, "The pupils, who work in groups of four, sit at the back."),
            (4, "24 pupils, three per group."),
            (4, "Two pupils per group build the ramp. The other groups wait."),
            (3, "In pairs, take a tray and a ruler each."),
            (3, "Each pair collects a tray."),
            (4, "Three students per group, please."),
            (2, "Sit six to a table."),
            (4, "Pupils work in pairs and build a circuit."),
            (2, "Organize the class so that four students share each station."),
            (4, "Together with two classmates, build the ramp."),
            (2, "One set of materials is shared by four students."),
            (4, "Groups contain five students each."),
            (3, "Everyone finds a partner and collects a tray."),
        ] {
            assert_eq!(sure(size, text), 1, "{text}");
        }
    }

    #[test]
    fn the_two_who_share_one_thing_are_all_there_are() {
        assert_eq!(sure(4, "The two of you share one oven."), 1);
        assert_eq!(sure(3, "The two of you with scissors cut; the third folds."), 0);
    }

    #[test]
    fn groups_of_one_sit_at_tables_and_pairs_of_a_group_take_turns() {
        assert_eq!(sure(1, "There is one bottle for each table of four."), 0);
        assert_eq!(sure(4, "Split into pairs. The pairs take turns with the glue gun."), 0);
    }

    #[test]
    fn pairs_in_which_one_goes_out_are_no_groups() {
        let found = |safety: &str| {
            let content = json!({"groupSize": 4, "safety": [safety], "steps": [{"text": "Fetch the net."}]});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(found("We go out in pairs and stay where the teacher sees us."), 0);
        assert_eq!(found("You work in pairs throughout."), 1);
    }
}
