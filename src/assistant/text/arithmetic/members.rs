//! What a group shares equally, and how much of it each member gets: "£12 in all … each member spends £4", "twelve readings,
//! six to each of you". The two make a number of members.

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::numbers::Numeral;
use crate::assistant::facts::quantities::unit_at;
use crate::assistant::facts::units::Dimension;

/// More members than these are no group.
const MOST: f64 = 12.0;

/// An amount of something.
struct Share<'n> {
    numeral: &'n Numeral,
    value: f64,
    dimension: Option<Dimension>,
    money: bool,
    /// The noun that is counted; none in "six to each of you".
    noun: Option<String>,
    /// The token after the number, its unit and its noun.
    end: usize,
}

/// How much each has, and of how many members that makes a group, where there are so many not.
pub(super) fn find(text: &Text, size: i64) -> Option<(Range<usize>, i64)> {
    if text.numerals().len() < 2 || text.numerals().len() > 10 || !tells_shares(text) {
        return None;
    }
    let all: Vec<Share> = text.numerals().iter().filter_map(|numeral| share(text, numeral)).collect();
    // One each is a turn as often as it is a share.
    let shared = |each: &&Share| (each.dimension.is_some() || each.money || each.value >= 2.0) && is_each(text, each);
    for each in all.iter().filter(shared) {
        let window = window(text, each);
        if is_open(text, window.clone()) || !is_of_a_group(text, window.clone()) {
            continue;
        }
        let equally = window.clone().any(|at| is_equal(text.word(at)));
        let alike = |all: &&Share| {
            let same = match (&all.noun, &each.noun) {
                (Some(all), Some(each)) => all == each || each == "time",
                _ => true,
            };
            window.contains(&all.numeral.tokens.start)
                && all.numeral != each.numeral
                && all.dimension == each.dimension
                && all.money == each.money
                && same
                && all.value > each.value
                && !is_each(text, all)
        };
        let totals: Vec<&Share> = all.iter().filter(alike).collect();
        let whole = |total: &Share| total.value / each.value;
        if totals.iter().any(|total| (whole(total) - size as f64).abs() < 0.01) {
            continue;
        }
        let wrong = totals.into_iter().find(|total| {
            let members = whole(total);
            (2.0..=MOST).contains(&members) && members.fract().abs() < 0.001 && (equally || is_total(text, total))
        });
        if let Some(total) = wrong {
            return Some((each.numeral.tokens.start..each.end, whole(total) as i64));
        }
    }
    None
}

/// Whether the words that all of this needs are there.
fn tells_shares(text: &Text) -> bool {
    text.tokens.iter().any(|token| lists!("each every everyone everybody per apiece", &token.word))
}

fn share<'n>(text: &Text, numeral: &'n Numeral) -> Option<Share<'n>> {
    let value = numeral.single().filter(|value| *value > 0.0)?;
    let (start, end) = (numeral.tokens.start, numeral.tokens.end);
    let money = start > 0 && lists!("£ $ € ¥ ₹", text.word(start - 1))
        || lists!("euro dollar pound cent rupee token coin point", text.lemma(end))
            && text.lemma(end) != text.word(end);
    if let Some((unit, end)) = unit_at(text.text, &text.tokens, end).filter(|_| !money) {
        let dimension = Some(unit.dimension).filter(|it| !matches!(it, Dimension::Time | Dimension::Temperature))?;
        // Oil is no part of vinegar.
        let of = text.word(end) == "of" && text.tokens.get(end + 1).is_some_and(|token| token.is_word());
        let of = of.then(|| text.lemma(end + 1 + usize::from(text.word(end + 1) == "the")).to_owned());
        return Some(Share { numeral, value: unit.to_base(value), dimension: Some(dimension), money, noun: of, end });
    }
    let words = (end..end + 3).take_while(|at| {
        text.tokens.get(*at).is_some_and(|token| token.is_word())
            && !lists!("to for each per apiece in of and out are is so a an by from", text.word(*at))
    });
    let noun = words.into_iter().find(|at| text.lemma(*at) != text.word(*at) && text.word(*at).ends_with('s'));
    let lemma = noun.map(|at| text.lemma(at).to_owned()).filter(|_| !money);
    if lemma.as_deref().is_some_and(|lemma| {
        lists!("minute second hour day week group team student pupil step degree member child learner", lemma)
    }) {
        return None;
    }
    Some(Share { numeral, value, dimension: None, money, noun: lemma, end: noun.map_or(end, |at| at + 1) })
}

fn is_person(lemma: &str) -> bool {
    lists!("member person student pupil child learner head partner teammate", lemma)
}

/// Whether each member has so much: "six to each of you", "each of you has 40 ml", "you should each be holding nine".
fn is_each(text: &Text, share: &Share) -> bool {
    let end =
        share.end + usize::from(lists!("of", text.word(share.end)) && !lists!("the you", text.word(share.end + 1)));
    let person =
        |at: usize| is_person(text.lemma(at)) || text.has_at(at, &["of", "you"]) || text.has_at(at, &["of", "us"]);
    // "40 ml of water each"
    let skip = usize::from(end > share.end);
    let at = end + skip;
    let next_ends = |at: usize| {
        !text.tokens.get(at).is_some_and(|next| next.is_word()) || lists!("and so to in with for is are", text.word(at))
    };
    let after = text.word(at) == "apiece"
        || text.word(at) == "per" && person(at + 1)
        || lists!("for to by", text.word(at)) && lists!("each every", text.word(at + 1)) && person(at + 2)
        || text.word(at) == "each" && (next_ends(at + 1) || person(at + 1));
    if after {
        return true;
    }
    let start = share.numeral.tokens.start;
    let sentence = text.sentence(start);
    (sentence.start.max(start.saturating_sub(8))..start).any(|at| {
        let each = lists!("each every", text.word(at)) && person(at + 1)
            || lists!("everyone everybody", text.word(at))
            || text.word(at) == "each"
                && at > 0
                && (lists!("you we", text.word(at - 1)) || at > 1 && lists!("you we", text.word(at - 2)));
        let from = at + 1;
        each && (from..start).all(|at| {
            text.tokens.get(at).is_some_and(|token| token.is_word() || lists!("£ $ €", &token.word))
                && !lists!("one and all these until then", text.word(at))
                && text.numerals().iter().all(|numeral| numeral.tokens.start != at)
        })
    })
}

/// The sentence of a share, the one before, and the one after it.
fn window(text: &Text, each: &Share) -> Range<usize> {
    let sentence = text.sentence(each.numeral.tokens.start);
    let before = if sentence.start > 0 { text.sentence(sentence.start - 1).start } else { sentence.start };
    before..text.sentence(sentence.end).end.max(sentence.end)
}

/// Words with which something stays over, or it is done more than once.
fn is_open(text: &Text, mut window: Range<usize>) -> bool {
    window.any(|at| {
        lists!(
            "spare spares rest remaining keep left leftover extra teacher if about roughly class room pupils' groups teams tables \
             first then again another half least most up more twice pair pairs not never ? demonstration control",
            text.word(at)
        ) && !(text.word(at) == "left" && at > 0 && lists!("nothing none is are", text.word(at - 1)))
    })
}

fn is_of_a_group(text: &Text, mut window: Range<usize>) -> bool {
    window.any(|at| {
        lists!("group team crew squad member", text.lemma(at)) && !text.word(at).ends_with("groups")
            || text.has_at(at, &["of", "you"])
            || text.has_at(at, &["among", "yourselves"])
            || text.has_at(at, &["you", "each"])
            || text.has_at(at, &["between", "you"])
    })
}

fn is_equal(word: &str) -> bool {
    lists!(
        "equally evenly equal even fairly fair share shared split divide divided deal dealt distribute distributed",
        word
    )
}

/// "Twelve readings in all", "that makes 15 drops", "a budget of £12"
fn is_total(text: &Text, share: &Share) -> bool {
    let (start, end) = (share.numeral.tokens.start, share.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    (1..4).any(|back| lists!("makes make gives give total altogether budget = totals", before(back)))
        || (end..end + 4).any(|at| lists!("altogether total overall", text.word(at)))
        || (end..end + 3).any(|at| text.has_at(at, &["in", "all"]) || text.has_at(at, &["for", "the", "group"]))
        || (1..6).any(|back| lists!("group team crew", before(back)) && lists!("the your each every", before(back + 1)))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn shares_of_members_that_do_not_make_the_whole_are_found() {
        for (size, text) in [
            (4, "Pour the 200 ml out equally, one cup per member, so each of you has 40 ml."),
            (
                4,
                "There are twelve temperatures to be read; divide them equally among the members of the group, six to each of you.",
            ),
            (
                6,
                "Take the 36 marbles out and deal them round the group till they are gone; you should each be holding nine.",
            ),
            (4, "Your group has a budget of £12 in all. Split it evenly: each member is in charge of spending £4."),
            (3, "Share the 20 seeds in your group: five seeds each."),
            (4, "Each of you jumps three times, which makes 15 jumps for the group."),
            (5, "Each member measures 4 leaves, so your team has 12 leaves in total."),
            (4, "The group gets 60 g of clay, split into 20 g for each member."),
        ] {
            assert_eq!(found(size, text), 1, "{text}");
        }
    }

    #[test]
    fn shares_that_come_out_or_are_no_members_are_passed_over() {
        for (size, text) in [
            (5, "Pour the 200 ml out equally, one cup per member, so each of you has 40 ml."),
            (3, "Sow 30 seeds, ten by each child of the group, and cover the pot."),
            (4, "Share the 20 seeds in your group, three seeds each; keep the rest."),
            (4, "Pour 200 ml into five cups, 40 ml each. One of you labels them."),
            (
                4,
                "Each of you picks one of the ten rocks, tests it, then picks a second one; that way all ten are done.",
            ),
            (4, "Share 60 beans with the class: two each."),
            (4, "Press all ten fingers on the ink pad; with four of you that makes forty prints for the group."),
            (4, "Each member talks for 2 minutes; the group has 10 minutes in all."),
        ] {
            assert_eq!(found(size, text), 0, "{text}");
        }
    }
}
