//! Totals that a text counts up in words: "5 beans per pot; with 6 pots that makes 36 beans", "from 20 °C to 35 °C, a rise
//! of 20 °C", "out of 10: 4 points for …".

use super::calculations::{Calculation, result, with_unit};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::numbers;
use crate::assistant::facts::terms::{Amount, amount, ends_at};
use crate::assistant::facts::words;

/// The total that begins with the number at this token, with what it should be.
pub fn total(text: &Text, start: usize) -> Option<Calculation> {
    change(text, start).or_else(|| part(text, start)).or_else(|| rate(text, start))
}

/// `Four readings a day for 5 days means 25 readings`, `5 beans per pot; with 6 pots that makes 36 beans`
fn rate(text: &Text, start: usize) -> Option<Calculation> {
    let first = amount(text, start)?;
    let at = first.tokens.end;
    let counted = match (text.word(at), text.word(at + 1)) {
        ("per" | "a" | "an" | "every" | "each", _) => at + 1,
        ("for" | "in" | "to" | "on" | "at" | "into" | "from", "each" | "every") => at + 2,
        _ => return None,
    };
    if first.unit.is_none() && first.noun.is_none() {
        return None;
    }
    let thing = text.tokens.get(counted).filter(|token| token.is_word() && !token.is("of"))?;
    let thing = words::lemma(&thing.word);
    let times = (counted + 1..counted + 9).find_map(|at| {
        let numeral = numbers::numeral(&text.tokens, at)?;
        let same = words::lemma(text.word(numeral.tokens.end)) == thing;
        same.then(|| Some((numeral.whole()?, numeral.tokens.end + 1))).flatten()
    });
    let (times, end) = times?;
    let result = result(text, end, &first, false)?;
    let due = first.in_base() * times as f64;
    Some(Calculation { due, result: with_unit(result, &first), terms: start..end })
}

/// `half of the 200 mL, so 120 mL`
fn part(text: &Text, start: usize) -> Option<Calculation> {
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    let back = if matches!(before(1), "the" | "your" | "our" | "these") { 2 } else { 1 };
    let back = if before(back) == "of" { back + 1 } else { back };
    let (share, back) = match (before(back + 1), before(back)) {
        (_, "half") => (0.5, back),
        ("a" | "one", "third") => (1.0 / 3.0, back + 1),
        ("two", "thirds") => (2.0 / 3.0, back + 1),
        ("a" | "one", "quarter") => (0.25, back + 1),
        ("three", "quarters") => (0.75, back + 1),
        ("a" | "one", "fifth") => (0.2, back + 1),
        ("a" | "one", "tenth") => (0.1, back + 1),
        _ => return None,
    };
    let whole = amount(text, start)?;
    let result = result(text, whole.tokens.end, &whole, true)?;
    // Of things that are counted, only whole ones can be taken.
    let result = if whole.unit.is_none() { Amount { slack: 0.999, ..result } } else { result };
    let due = share * whole.in_base();
    Some(Calculation { due, result: with_unit(result, &whole), terms: start - back..whole.tokens.end })
}

const CHANGES: [&str; 17] = [
    "rise",
    "increase",
    "gain",
    "change",
    "difference",
    "drop",
    "fall",
    "decrease",
    "loss",
    "growth",
    "climb",
    "stretch",
    "extension",
    "reduction",
    "jump",
    "gap",
    "shift",
];

/// `from 20 °C to 35 °C, a rise of 20 °C`, `the difference between 80 cm and 65 cm is 25 cm`
fn change(text: &Text, start: usize) -> Option<Calculation> {
    let before = start.checked_sub(1).map_or("", |at| text.word(at));
    // "between 5 and 8 cm" is one number with two ends, "between 5 cm and 8 cm" are two.
    let within = text.word(start) == "between";
    let between = within || before == "between";
    if !between && before != "from" {
        return None;
    }
    let from = amount(text, start + usize::from(within))?;
    let mut at = from.tokens.end;
    at += usize::from(matches!(text.word(at), "up" | "down" | "all"));
    if text.word(at) != if between { "and" } else { "to" } {
        return None;
    }
    let to = amount(text, at + 1)?;
    if from.unit.is_some() && from.dimension() != to.dimension() {
        return None;
    }
    let mut at = to.tokens.end;
    let end = at;
    let difference = (1..4).any(|back| start.checked_sub(back).is_some_and(|at| CHANGES.contains(&text.word(at))));
    let is = between && difference && matches!(text.word(at), "is" | "=" | "was");
    if is {
        at += 1;
    } else {
        let kind = (at..at + 7).find(|at| CHANGES.contains(&text.word(*at)))?;
        let joined = (end..kind).all(|at| {
            matches!(
                text.word(at),
                "," | "(" | ":" | "—" | "–" | "which" | "that" | "is" | "so" | "a" | "an" | "total" | "overall" | "for"
            )
        });
        if !joined || text.word(kind + 1) != "of" {
            return None;
        }
        at = kind + 2;
    }
    let result = amount(text, at)?;
    if result.dimension() != to.dimension() || !ends_at(text, result.tokens.end) {
        return None;
    }
    let factor = to.unit.map_or(1.0, |unit| unit.factor);
    let first = from.value * from.unit.map_or(factor, |unit| unit.factor);
    let terms = start.saturating_sub(usize::from(!within))..end;
    Some(Calculation { due: (first - to.in_base()).abs(), result, terms })
}

/// Words that make points count otherwise than once.
const OTHERWISE: [&str; 16] = [
    "bonus",
    "extra",
    "each",
    "per",
    "up",
    "or",
    "minus",
    "deduct",
    "optional",
    "half",
    "additional",
    "either",
    "lose",
    "twice",
    "another",
    "every",
];

/// `Scored out of 10: 4 points for the graph, 4 for the table and 3 for the claim`
pub fn points(text: &Text) -> Option<Calculation> {
    if text.role != Role::Assessment || text.tokens.iter().any(|token| token.is_one_of(&OTHERWISE)) {
        return None;
    }
    let named = |at: usize| matches!(text.word(at), "point" | "points" | "mark" | "marks" | "pts");
    let (mut all, mut parts): (Vec<Amount>, Vec<Amount>) = (Vec::new(), Vec::new());
    for numeral in text.numerals() {
        let (start, end) = (numeral.tokens.start, numeral.tokens.end);
        let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
        let goes_on = end + usize::from(named(end));
        if text.word(goes_on) == "for" {
            parts.push(amount(text, start)?);
        } else if before(1) == "of" && matches!(before(2), "out" | "total" | "maximum")
            || named(end)
                && (text.word(end + 1) == ":"
                    || matches!((text.word(end + 1), text.word(end + 2)), ("in", "all" | "total")))
        {
            all.push(amount(text, start)?);
        } else if named(end) {
            return None;
        }
    }
    let ([result], [first, .., last]) = (all.as_slice(), parts.as_slice()) else { return None };
    let points = (first.number.start..last.tokens.end + 1).any(named);
    let terms = first.number.start..last.tokens.end;
    let due = parts.iter().map(|part| part.value).sum();
    points.then(|| Calculation { due, result: result.clone(), terms })
}

#[cfg(test)]
mod tests {
    use super::super::calculations::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(text: &str) -> usize {
        let content = json!({"assessment": text});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn totals_that_do_not_come_out_are_found() {
        for text in [
            "Four readings a day for 5 days means 25 readings.",
            "Use 5 beans per pot; with 6 pots that makes 36 beans.",
            "Half of the 200 mL, so 120 mL, goes into cup B.",
            "The temperature rose from 20 °C to 35 °C, a rise of 20 °C.",
            "The difference between 80 cm and 65 cm is 25 cm.",
            "Scored out of 10: 4 points for the graph, 4 points for the table and 3 points for the claim.",
            "10 marks: 3 marks for the table, 3 for the graph, 5 for the conclusion.",
            "A quarter of 60 g is 20 g.",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
    }

    #[test]
    fn totals_that_do_or_that_are_no_totals_are_not() {
        for text in [
            "Four readings a day for 5 days means 20 readings.",
            "5 beans per pot and 6 pots per group is 30 beans.",
            "From 20 °C to 35 °C is a rise of 15 °C.",
            "The plant grew from 20 cm to 35 cm, a growth of 75 %.",
            "Work from 9:00 to 10:30, a change of 90 minutes.",
            "Scored out of 10: 4 points for the graph, 3 points for the table and 3 points for the claim.",
            "Out of 10: 4 points for the graph, 4 for the table, 3 for the claim, 1 extra for colour.",
            "5 points for the count, 5 for the pictures.",
            "Half of the 25 pupils, so 12 pupils, begin.",
            "The gap between 5 cm and 8 cm is where it snaps.",
            "One drop per well, 6 wells, 3 drops left over.",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
