//! A class, how many of it share what, and how many of that there are: "32 of you, four to a bench, so nine benches".
//!
//! Three numbers with three parts to play, in whatever order; each part is told by the words next to the number.

use super::counted::{GROUPS, PEOPLE, PLACES};
use super::told::is_told;
use super::{Count, is_a_class};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::numbers::Numeral;
use crate::assistant::facts::phrases::lists;

/// Sizes in one word.
const SIZES: [(&str, i64); 16] = [
    ("twos", 2),
    ("threes", 3),
    ("fours", 4),
    ("fives", 5),
    ("sixes", 6),
    ("pairs", 2),
    ("pair", 2),
    ("trios", 3),
    ("trio", 3),
    ("twosomes", 2),
    ("twosome", 2),
    ("threesomes", 3),
    ("foursomes", 4),
    ("quartets", 4),
    ("couples", 2),
    ("partner", 2),
];
/// More of what a class forms.
const FORMED: &str = "circle patrol couple ring huddle troupe bunch set boat raft pile heap twosome threesome foursome quartet partnership row table";
/// Words with which some are left out, or there is more than is needed.
const SPARE: &str = "spare spares reserve extra leftover absent empty free half halves if unless about around roughly nearly almost some except \
    choose enough maximum or survey surveyed teacher adults helpers remaining rest other others last first next stools both twice another besides rotate";
/// What tells that a number is all of them.
const ALL: &str = "fill fills filled make makes making give gives giving so keep keeps need needs want wants launch launches take fetch run runs \
    busy working work spoken use taken occupied together leaves leave form forms that total get gets have having out ready";

/// The first number of groups that does not come out, and the class.
pub(super) fn find(text: &Text, size: i64) -> Option<(Count, i64)> {
    let numerals = text.numerals();
    if numerals.len() < 2 || numerals.len() > 8 {
        return None;
    }
    let all = counts(text);
    let total = total(text, &all)?;
    let first = text.sentence(total.numeral.tokens.start).start;
    let end = text.sentence(text.sentence(total.numeral.tokens.start).end).end.max(text.sentence(first).end);
    let window = first..end;
    if window.clone().any(|at| is_spared(text, at)) {
        return None;
    }
    let here = |count: &&Count| window.contains(&count.numeral.tokens.start) && count.numeral != total.numeral;
    let (mut sizes, mut shared): (Vec<i64>, Vec<String>) = (Vec::new(), Vec::new());
    let mut used: Vec<usize> = Vec::new();
    for at in window.clone() {
        let named = SIZES.iter().find(|(word, _)| text.word(at) == *word);
        sizes.extend(named.map(|(_, size)| *size));
    }
    for count in all.iter().filter(here).filter(|count| (2..=12).contains(&count.value)) {
        if let Some(noun) = share(text, count, window.end) {
            sizes.push(count.value);
            used.push(count.numeral.tokens.start);
            shared.extend(noun);
        }
    }
    if sizes.is_empty() || sizes.iter().any(|other| *other != size) {
        return None;
    }
    let groups: Vec<&Count> = all
        .iter()
        .filter(here)
        .filter(|count| !used.contains(&count.numeral.tokens.start) && (2..=30).contains(&count.value))
        .collect();
    let fits = |value: i64| (total.value / size..=(total.value + size - 1) / size).contains(&value);
    if groups.iter().any(|count| fits(count.value)) {
        return None;
    }
    let wrong = groups.into_iter().find(|count| counts_groups(text, count, &shared, !used.is_empty(), window.end))?;
    Some((Count { value: wrong.value, numeral: wrong.numeral.clone() }, total.value))
}

/// The whole numbers of a text.
pub(super) fn counts(text: &Text) -> Vec<Count> {
    let count = |numeral: &Numeral| Some(Count { value: numeral.whole()?, numeral: numeral.clone() });
    text.numerals().iter().filter_map(count).collect()
}

/// How many there are in the class, where a text tells it, and only once.
pub(super) fn total<'c>(text: &Text, all: &'c [Count]) -> Option<&'c Count> {
    let mut totals = all.iter().filter(|count| (6..=60).contains(&count.value) && is_total(text, count));
    totals.next().filter(|total| totals.all(|other| other.value == total.value))
}

/// Whether a word tells that some are left out, or left over.
pub(super) fn is_spared(text: &Text, at: usize) -> bool {
    let denied = || {
        text.word(at) == "left"
            && !(at.saturating_sub(8)..at).any(|t| lists!("nobody none not no without", text.word(t)))
            && !lists!("with us", text.word(at.wrapping_sub(1)))
    };
    lists!(SPARE, text.word(at)) || text.word(at) == "?" || denied()
}

/// Whether a number counts all who are there: "28 of you", "the 25 learners", "there are 30 seats, all taken".
pub(super) fn is_total(text: &Text, count: &Count) -> bool {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let word = |at: usize| text.word(at);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    if is_told(text, count) {
        return true;
    }
    if matches!(before(1), "of" | "than" | "only" | "another" | "every" | "each" | "other")
        && !matches!(before(2), "class" | "group" | "course" | "total" | "all" | "party")
    {
        return false;
    }
    let people = |at: usize| {
        PEOPLE.contains(&text.lemma(at)) && text.lemma(at) != word(at) || lists!("people children", word(at))
    };
    if text.has_at(end, &["of", "them"]) {
        return false;
    }
    // "Of the 28 of you, twelve start outside"
    if before(1) == "the" && lists!("of half some", before(2)) {
        return false;
    }
    is_a_class(text, count)
        // "My 21 little ones"
        || lists!("my our the all", before(1)) && lists!("little young", word(end)) && word(end + 1) == "ones"
        || word(end) == "of" && lists!("you us", word(end + 1))
        || word(end) == "names"
        || word(end) == "in"
            && lists!("the this our your", word(end + 1))
            && lists!("room class hall lab group", word(end + 2))
        || lists!("are were", before(1))
            && lists!("we you there", before(2))
            && (people(end) || lists!(", today and in altogether of", word(end)))
        || lists!("all our the these my put split divide seat", before(1))
            && (people(end) || people(end + 1) && text.word(end) != "of")
        || (people(end) || people(end + 1) && !lists("of per to in at", word(end)))
            && !lists("each per every a", word(end + 1))
            && !lists("with and", before(1))
        || lists!("seats chairs places cards badges tickets aprons", word(end))
            && (end..end + 6).any(|at| lists!("taken full filled pupil student child", word(at)))
}

/// Whether a number tells how many share one thing, with the noun of that where it is named: "four to a potometer", "six
/// seats round every table", "patrols of four", "three at a time".
fn share(text: &Text, count: &Count, stop: usize) -> Option<Option<String>> {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    let one = |at: usize| lists!("a an each every one the", text.word(at));
    let noun = |at: usize| {
        let mut last = None;
        for at in at..stop.min(at + 3) {
            let Some(token) = text.tokens.get(at).filter(|token| token.is_word()) else { break };
            if lists!("of in on at to so and with which that is are we you there makes gives for until", &token.word) {
                break;
            }
            last = Some(token.lemma.clone());
        }
        last
    };
    // "Patrols of four", "each bench of four", "three by three", "in rows of four"
    if before(1) == "of" && start >= 2 {
        let lemma = text.lemma(start - 2);
        let grouped = GROUPS.contains(&lemma) || lists!(FORMED, lemma) || lists!(PLACES, lemma);
        return grouped.then(|| Some(lemma.to_owned()));
    }
    if before(1) == "by" {
        return Some(None);
    }
    // "Four people at every bench", "four to a bench", "five at each", "four a bench"
    let skip = usize::from(
        PEOPLE.contains(&text.lemma(end))
            || lists!("seats chairs places heads sit work share names of", text.word(end)),
    );
    let skip = if text.word(end) == "of" {
        if lists!("you us them", text.word(end + 1)) { 2 } else { return None }
    } else {
        skip
    };
    let at = end + skip;
    if lists!("to at per round around on in by share", text.word(at)) {
        if text.word(at) == "per" {
            return Some(noun(at + 1));
        }
        if one(at + 1) && text.word(at + 1) != "the" {
            return if text.word(at + 2) == "time" { Some(None) } else { Some(noun(at + 2)) };
        }
        return None;
    }
    if lists!("a per", text.word(at)) && skip == 0 && lists!(PLACES, text.lemma(at + 1)) {
        return Some(noun(at + 1));
    }
    None
}

/// Whether a number counts all groups, or what there is one of for each.
fn counts_groups(text: &Text, count: &Count, shared: &[String], told: bool, stop: usize) -> bool {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let sentence = text.sentence(start);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    if lists!("of than least most only up every each", before(1)) || lists!("to", before(1)) && before(2) != "us" {
        return false;
    }
    let said = || (start.saturating_sub(8).max(sentence.start)..stop.min(end + 9)).any(|at| lists!(ALL, text.word(at)));
    let in_all = || {
        (start.saturating_sub(3).max(sentence.start)..stop.min(end + 4)).any(|at| {
            lists!("altogether total fill fills make makes making give gives so form forms spoken all", text.word(at))
        })
    };
    // "Each group makes two boats"
    if (start.saturating_sub(5).max(sentence.start)..start).any(|at| lists!("each every per", text.word(at))) {
        return false;
    }
    // "Nine of them, and every one is spoken for"
    if text.word(end) == "of" {
        // "You will want nine of everything"
        let sets = lists!("everything each", text.word(end + 1))
            && !text.tokens.get(end + 2).is_some_and(|next| next.is_word())
            && told
            && count.value > 4;
        return (sets || text.word(end + 1) == "them" && !shared.is_empty()) && said();
    }
    // "Which fills seven mats", and not "24 pupils use 6 balances in groups of three"
    let filled = (1..3).any(|back| lists!("fill fills makes make gives give", before(back)));
    let one_each = || {
        (end..stop).any(|at| {
            text.word(at) == "one"
                && (lists!("for per to", text.word(at + 1)) || text.word(at + 1) == "a")
                && (at + 2..at + 4).any(|at| {
                    GROUPS.contains(&text.lemma(at))
                        || SIZES.iter().any(|(word, _)| text.word(at) == *word)
                        || lists!("bench table", text.lemma(at))
                })
        })
    };
    for at in end..stop.min(end + 3) {
        let Some(token) = text.tokens.get(at).filter(|token| token.is_word()) else { return false };
        if lists!("of in to at for per minutes minute", &token.word) {
            return false;
        }
        let plural = token.lemma != token.word;
        let noun = token.lemma.as_str();
        if !plural || text.word(at + 1) == "of" && !PEOPLE.contains(&text.lemma(at + 2)) {
            continue;
        }
        let group = GROUPS.contains(&noun) || lists!(FORMED, noun);
        return group && !lists("table set", noun) && (filled || in_all())
            || !GROUPS.contains(&noun) && shared.iter().any(|shared| shared == noun)
            || one_each()
            || lists!(PLACES, noun) && (filled || told && shared.is_empty() && said());
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        super::super::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn three_numbers_that_do_not_go_together_are_found() {
        for (size, text) in [
            (
                4,
                "There are 28 of you, so six benches will be working, with four people at every bench and not a soul left over.",
            ),
            (4, "Thirty-two of you, four to a potometer, so nine of them are set out and every one is spoken for."),
            (3, "The 27 names go in the hat and come out three by three. That gives us eight teams."),
            (2, "Thirty of you, two to a circuit board, makes sixteen boards in use."),
            (4, "The class of 24 students works in groups of four, so set out eight stands around the room."),
            (3, "Eighteen children, three at a tub, so we fill five tubs."),
            (5, "35 in the room, five to a boat: launch eight boats."),
            (3, "With 21 children and three to a group you will want nine of everything."),
            (4, "All 16 scouts work in patrols of four, five patrols altogether."),
        ] {
            assert_eq!(found(size, text), 1, "{text}");
        }
    }

    #[test]
    fn what_goes_together_or_is_not_all_of_it_is_passed_over() {
        for (size, text) in [
            (4, "30 of you, four to a bench, makes eight benches, the last one with two."),
            (2, "Thirty of you, two to a circuit board, makes fifteen boards in use."),
            (4, "24 beans, four to a pot, fill seven pots."),
            (4, "The class of 24 students works in groups of four. There is room for eight tables."),
            (3, "With 21 children and three to a group you will want seven of everything."),
            (3, "With 21 children and three to a group you will want nine of each sort of seed."),
            (4, "28 of you sit at the benches; eight stools stay free."),
            (2, "Two to a board; 30 wires and sixteen bulbs are on the trolley."),
            (4, "Of the 28 of you, twelve start outside, four to a tree: three trees."),
            (5, "35 in the room, five to a boat: launch seven boats, and keep one in reserve."),
            (4, "32 of you, four to a table, and nine experiments to choose from."),
            (4, "With 24 pupils, six tables, four at each, ten trays are there."),
            (3, "Each team of three tests 24 seeds in five dishes."),
            (4, "28 pupils work in groups of four. Two groups share one balance."),
            (4, "28 pupils work in groups of four. Each group fills three tubs with soil."),
            (4, "28 pupils work in groups of four. Each group makes two boats."),
            (4, "28 pupils work in groups of four. Sort the leaves into three piles."),
        ] {
            assert_eq!(found(size, text), 0, "{text}");
        }
    }
}
