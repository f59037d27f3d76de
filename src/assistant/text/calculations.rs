//! Calculations that a text carries out: "4 groups of 3 is 15", "20 g plus 30 g gives 60 g", "25 % of 200 mL = 75 mL".

use std::ops::Range;

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::numbers;
use crate::assistant::facts::terms::{Amount, Operator, amount, ends_at, link, operator, total_at};
use crate::assistant::facts::units::Dimension;

/// Of one text at most so many numbers are looked at.
const MAX_NUMBERS: usize = 200;

/// A sentence with one of these asks, guesses, or quotes somebody's slip on purpose.
const DOUBTS: &[&str] = &[
    "?",
    "wrong",
    "mistake",
    "mistakes",
    "error",
    "errors",
    "incorrect",
    "incorrectly",
    "false",
    "claim",
    "claims",
    "claimed",
    "wrote",
    "writes",
    "thinks",
    "thought",
    "guess",
    "guesses",
    "estimate",
    "estimates",
    "estimated",
    "roughly",
    "approximately",
    "almost",
    "nearly",
    "spot",
    "spare",
    "spares",
    "suppose",
    "imagine",
    "pretend",
    "why",
    "instead",
    "unless",
    "lost",
    "loses",
    "escapes",
    "evaporates",
    "dissolves",
    "spilled",
    "not",
    "never",
];

/// What a text says two or more amounts come to.
pub struct Calculation {
    /// The amount that they do come to, in the base unit.
    pub due: f64,
    /// What the text says.
    pub result: Amount,
    /// The tokens that it comes from.
    pub terms: Range<usize>,
}

/// Finds the first calculation of each text that does not come out.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let read = lesson.texts_of(|role| {
        !matches!(role, Role::Grade | Role::Curriculum | Role::Term(_) | Role::MaterialUnit(_) | Role::Other)
    });
    let wrong =
        |text: &Text| Some(finding(text, text.kept(|text| wrong_calculation(text).into_iter().collect()).first()?));
    read.filter_map(wrong).collect()
}

fn wrong_calculation(text: &Text) -> Option<Calculation> {
    let numerals = text.numerals();
    if numerals.len() < 2 {
        return None;
    }
    let starts = numerals.iter().take(MAX_NUMBERS).map(|numeral| numeral.tokens.start);
    starts.filter(|start| !is_doubtful(text, *start)).find_map(|start| calculation(text, start).filter(is_wrong))
}

fn is_wrong(calculation: &Calculation) -> bool {
    let Calculation { due, result, .. } = calculation;
    let slack = (result.slack * result.unit.map_or(1.0, |unit| unit.factor)).max(0.0105 * due.abs());
    (due - result.in_base()).abs() > slack + 1e-9
}

fn is_doubtful(text: &Text, token: usize) -> bool {
    text.tokens.get(text.sentence(token)).is_none_or(|sentence| {
        sentence.iter().any(|token| DOUBTS.contains(&token.word.as_str()) || token.is_one_of(&["≈", "~", "±", "^"]))
    })
}

fn finding(text: &Text, calculation: &Calculation) -> Match {
    let Calculation { due, result, terms } = calculation;
    let factor = result.unit.map_or(1.0, |unit| unit.factor);
    let value = (due / factor * 1000.0).round() / 1000.0;
    let (said, stated) = (text.words(terms), text.words(&result.tokens));
    let reason = format!("\"{said}\" comes to {value}, but the text says \"{stated}\".");
    let found = conflict("arithmetic", text.quote(terms), text.quote(&result.tokens), reason)
        .suggesting(format!("Write {value}, or change the numbers that it comes from."));
    let range = numbers::bytes_of(&text.tokens, &result.number);
    let whole = (value.fract() == 0.0 && (0.0..1e6).contains(&value)).then_some(value as i64);
    let written = whole.and_then(|whole| numbers::in_form_of(text.slice(&range), whole));
    let edit = Edit::Splice { range, text: written.unwrap_or_else(|| value.to_string()) };
    found.mended_by(Mend { path: text.path.clone(), edit })
}

const PEOPLE: [&str; 7] = ["student", "pupil", "child", "person", "learner", "kid", "scientist"];

/// What is read off, whatever it is called.
const READINGS: [&str; 14] = [
    "reading",
    "result",
    "value",
    "measurement",
    "trial",
    "run",
    "test",
    "drop",
    "time",
    "observation",
    "datum",
    "point",
    "score",
    "throw",
];

/// The result after the terms; `noun` is what it must count.
pub fn result(text: &Text, at: usize, like: &Amount, calculated: bool) -> Option<Amount> {
    let link = link(text, at)?;
    let result = amount(text, link.end)?;
    let total = total_at(text, result.tokens.end);
    let alike = match (like.dimension(), result.dimension()) {
        (Some(one), Some(other)) => one == other,
        (None, Some(_)) => false,
        (Some(_), None) => calculated && result.noun.is_none(),
        (None, None) => match (&like.noun, &result.noun) {
            (Some(one), Some(other)) => {
                one == other || [one, other].iter().all(|noun| READINGS.contains(&noun.as_str()))
            }
            (None, Some(other)) => {
                PEOPLE.contains(&other.as_str())
                    || calculated && (total || text.word(link.end.saturating_sub(1)) == "=")
            }
            (_, None) => true,
        },
    };
    let stated = link.states || total || result.noun.is_some() && result.noun == like.noun;
    let after = result.tokens.end;
    let ends = if calculated { states_all(text, after) } else { ends_at(text, after) };
    (alike && stated && ends && !text.word(after).starts_with(|c: char| c.is_ascii_digit())).then_some(result)
}

/// Whether the result of a calculation goes no further: not "= 3 + 5", "= 4 per row".
fn states_all(text: &Text, at: usize) -> bool {
    let further = [
        "per", "each", "/", "²", "³", "more", "less", "too", "short", "degrees", "remain", "remains", "left", "are",
        "is", "of", "thirds", "=", "⁻",
    ];
    operator(text, at).is_none() && !further.contains(&text.word(at))
}

fn calculation(text: &Text, start: usize) -> Option<Calculation> {
    // In "0.3 ÷ 2 × 100" nobody is told what 2 × 100 is.
    let signs = ["+", "−", "×", "*", "÷", "/", "plus", "minus", "times"];
    if start.checked_sub(1).is_some_and(|before| signs.contains(&text.word(before))) {
        return None;
    }
    let first = amount(text, start)?;
    let next = first.tokens.end;
    match operator(text, next) {
        Some((Operator::Plus, at)) => sum(text, first, at),
        Some((operator, at)) => product(text, &first, operator, amount(text, at)?),
        None => share(text, &first).or_else(|| lots(text, &first)).or_else(|| lots_each(text, &first)),
    }
}

/// `20 g of salt plus 30 g of sugar gives 60 g`
fn sum(text: &Text, first: Amount, at: usize) -> Option<Calculation> {
    let start = first.number.start;
    let mut terms = vec![first];
    let mut at = Some(at);
    while let Some(next) = at {
        let term = amount(text, next)?;
        at = operator(text, term.tokens.end).and_then(|(sign, at)| (sign == Operator::Plus).then_some(at));
        terms.push(term);
        if terms.len() > 20 {
            return None;
        }
    }
    let last = terms.last()?;
    let end = last.tokens.end;
    // A number without a unit takes that of the last: "20 + 30 g".
    let unit = last.unit;
    for term in &mut terms {
        if term.unit.is_none() && term.noun.is_none() {
            term.unit = unit;
        }
    }
    let like = terms.last()?;
    if terms.iter().any(|term| term.dimension() != like.dimension()) {
        return None;
    }
    // Things of several kinds become something else, or all of them something general.
    let kinds = terms.iter().any(|term| term.noun != like.noun);
    let result = result(text, end, like, true)?;
    if kinds && !total_at(text, result.tokens.end) {
        return None;
    }
    let due: f64 = terms.iter().map(Amount::in_base).sum();
    // Of different stuff, two measures can come to less: a gas leaves, liquids mix closely.
    let stuff = terms.iter().any(|term| term.unit.is_some() && term.tokens.len() > term.number.len() + 2);
    let shrinks = stuff || like.dimension() == Some(Dimension::Volume) && text.word(end) != "=";
    if shrinks && result.in_base() < due {
        return None;
    }
    let result = with_unit(result, like);
    Some(Calculation { due, result, terms: start..end })
}

/// A result without a unit is in that of the terms.
pub fn with_unit(result: Amount, like: &Amount) -> Amount {
    Amount { unit: result.unit.or(like.unit), ..result }
}

/// `6 × 50 mL = 300 mL`, `90 cm ÷ 3 = 30 cm`, `35 °C minus 20 °C is 15 °C`
fn product(text: &Text, first: &Amount, operator: Operator, second: Amount) -> Option<Calculation> {
    let terms = first.number.start..second.tokens.end;
    let (a, b) = (first.in_base(), second.in_base());
    let plain = Amount { unit: None, noun: None, ..second.clone() };
    let (due, like) = match operator {
        Operator::Plus => return None,
        Operator::Minus => {
            let same = first.dimension() == second.dimension() || second.unit.is_none() || first.unit.is_none();
            // "8 - 10 = good" and "7 – 9 = 2 points" are ranges with marks.
            let sign = matches!(text.word(first.tokens.end), "-" | "–");
            if !same || first.value <= second.value || sign && first.unit.is_none() && second.unit.is_none() {
                return None;
            }
            let like = if second.unit.is_some() { &second } else { first };
            let factor = like.unit.map_or(1.0, |unit| unit.factor);
            let base = |amount: &Amount| amount.value * amount.unit.map_or(factor, |unit| unit.factor);
            (base(first) - base(&second), like)
        }
        Operator::Times => match (first.unit, second.unit) {
            (Some(_), Some(_)) => return None,
            (Some(_), None) => (a * b, first),
            _ => (a * b, &second),
        },
        Operator::Over if second.value == 0.0 => return None,
        Operator::Over => match (first.dimension(), second.dimension()) {
            (one, None) => (a / b, if one.is_some() { first } else { &plain }),
            (one, other) if one == other => (a / b, &plain),
            _ => return None,
        },
    };
    let result = result(text, terms.end, like, true)?;
    // A difference of two temperatures is written with either sign, and a time of day is none.
    Some(Calculation { due, result: with_unit(result, like), terms })
}

/// `25 % of 200 mL is 75 mL`, `half of 30 g is 10 g`
fn share(text: &Text, first: &Amount) -> Option<Calculation> {
    if first.dimension() != Some(Dimension::Share) || first.tokens.len() > first.number.len() + 2 {
        return None;
    }
    let at = first.tokens.end;
    let of = if text.word(at) == "of" { at + 1 } else { return None };
    let whole = amount(text, of + usize::from(text.word(of) == "the"))?;
    let result = result(text, whole.tokens.end, &whole, true)?;
    let terms = first.number.start..whole.tokens.end;
    // Of things that are counted, only whole ones can be taken.
    let result = if whole.unit.is_none() { Amount { slack: result.slack.max(0.999), ..result } } else { result };
    Some(Calculation { due: first.value / 100.0 * whole.in_base(), result: with_unit(result, &whole), terms })
}

/// `4 groups of 3 is 15`, `three trials of five readings: 12 readings`, `6 jars with 50 mL each, 350 mL in all`
fn lots(text: &Text, first: &Amount) -> Option<Calculation> {
    let at = first.tokens.end;
    let joined = matches!(
        text.word(at),
        "of" | "with"
            | "at"
            | "for"
            | "on"
            | "in"
            | "from"
            | "over"
            | "holding"
            | "containing"
            | "lasting"
            | "taking"
            | "get"
            | "have"
            | "hold"
            | "take"
    );
    if !joined || first.unit.is_some() || first.noun.is_none() || first.value.fract() != 0.0 {
        return None;
    }
    let second = amount(text, at + 1)?;
    let mut end = second.tokens.end;
    if matches!(text.word(end), "each" | "apiece") {
        end += 1;
    } else if text.word(at) != "of" {
        // "5 trials at 4 heights, which is 20 trials": only a larger number of the same can be the product.
        let counted = second.unit.is_none() && second.noun.is_some() && second.noun != first.noun;
        let product = multiplied(text, first, &second, first, end).filter(|_| counted);
        return product.filter(|product| product.result.value > first.value && product.result.noun.is_some());
    }
    multiplied(text, first, &second, &second, end)
}

/// `five drops in each of 6 cups: 36 drops`, `20 mL per jar for 4 jars makes 100 mL`, `3 readings at each of 5 heights`
fn lots_each(text: &Text, first: &Amount) -> Option<Calculation> {
    let mut at = first.tokens.end;
    at += usize::from(matches!(text.word(at), "in" | "for" | "to" | "at" | "on" | "into" | "from" | "with"));
    if !(text.word(at) == "each" && text.word(at + 1) == "of") {
        return None;
    }
    at += 2;
    at += usize::from(matches!(text.word(at), "the" | "our" | "your" | "these"));
    let second = amount(text, at)?;
    if second.unit.is_some() || first.unit.is_none() && first.noun.is_none() {
        return None;
    }
    multiplied(text, first, &second, first, second.tokens.end)
}

fn multiplied(text: &Text, first: &Amount, second: &Amount, like: &Amount, end: usize) -> Option<Calculation> {
    let result = result(text, end, like, false)?;
    let due = first.in_base() * second.in_base();
    // "three trays of 12 seeds: 4 seeds each" is another matter.
    if text.word(result.tokens.end) == "each" || result.in_base() < first.value.max(second.value).min(due) * 0.5 {
        return None;
    }
    Some(Calculation { due, result: with_unit(result, like), terms: first.number.start..end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(text: &str) -> Vec<Match> {
        let content = json!({"steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object")))
    }

    #[test]
    fn what_does_not_come_out_is_found() {
        for text in [
            "4 groups of 3 is 15.",
            "20 g plus 30 g gives 60 g.",
            "Do three trials of five readings: 12 readings.",
            "Pour 25 % of 200 mL = 75 mL into the cup.",
            "With 2 + 3 = 6 you are done.",
            "Use 6 × 50 mL = 350 mL of water.",
            "Five drops in each of 6 cups makes 36 drops.",
            "Sow 8 seeds in each of the four pots, 40 seeds in all.",
            "We have six jars with 50 mL each, 350 mL in all.",
            "Twelve minus five is eight.",
            "The rise is 35 °C - 20 °C = 25 °C.",
            "0.5 kg + 250 g = 800 g",
            "Cut 90 cm ÷ 3 = 35 cm.",
            "Four rounds of 5 minutes each make 25 minutes.",
            "10 percent of 250 g is 50 g.",
            "3 readings at each of 5 heights gives 12 readings.",
            "12 boys plus 14 girls makes 28 in all.",
            "Each group does 5 trials at 4 heights, which is 25 trials in total.",
            "Drop the ball 3 times from each of 5 heights (12 drops in all).",
            "You will have 4 x 5 = 25 data points.",
            "We need 6 cups of 250 mL, or 3 L in total.",
            "Three trials for each of the four liquids gives 15 results.",
            "two packs of six straws, so 18 straws altogether",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn what_comes_out_or_is_no_calculation_is_not() {
        for text in [
            "4 groups of 3 is 12.",
            "20 g plus 30 g gives 50 g.",
            "0.5 kg + 250 g = 750 g",
            "Use 3 × 33 mL = 100 mL.",
            "1 ÷ 3 = 0.33",
            "50 mL of water plus 50 mL of ethanol gives 96 mL.",
            "10 g of tablet plus 50 g of vinegar makes 57 g, as gas leaves.",
            "A pupil writes 20 + 30 = 60. What went wrong?",
            "Is 4 × 3 = 15?",
            "Its efficiency is 32 %, because 0.32 ÷ 1.00 × 100 % = 32 %.",
            "B = 1.26 × 10⁻⁶ × 70 × 0.50 = 44 µT",
            "Rubric: 8 - 10 = excellent, 5 – 7 = 2 points.",
            "2 H2 + 1 O2 = 2 H2O",
            "1 battery + 2 wires + 1 bulb = 1 circuit",
            "Take 30 + 20, 20 + 30 and 10 + 40.",
            "Set out 3 trays of 12 seeds: 4 seeds in each row.",
            "Groups of 3: 8 groups in all.",
            "331 + 0.6 × T",
            "An eyepiece of 10× and a lens of 40× = 400×.",
            "2 cm × 3 cm = 6 cm²",
            "2 A × 3 Ω = 6 V",
            "20 m ÷ 4 s = 5 m/s",
            "4 × 18 = 72 beats per minute, or 1.2 Hz",
            "Three goes for every frog makes nine jumps altogether.",
            "The class of forty forms eight groups of five.",
            "About 3 × 30 g is roughly 100 g.",
            "25 % of 30 pupils is 8 pupils.",
            "Two teams of four are 3 metres apart.",
            "Three cups of 50 mL are 2 too many.",
            "9 × 10⁻⁷ Ω m is 4",
            "Read 3 times 5 numbers. That is 1 table.",
            "1 + 1 = 3 + 5",
            "3 Gruppen von 4 sind 15",
            "Sow 20 seeds in 4 pots, 5 seeds in each.",
            "Put 3 cups on 2 trays, 3 cups in all.",
            "Each group does 5 trials at 4 heights, which is 20 trials in total.",
            "2 cups of sand plus 1 cup of water make 2 cups of wet sand.",
            "It takes 3 minutes plus 2 minutes for cleaning, so 6 minutes is plenty.",
        ] {
            assert_eq!(found(text).len(), 0, "{text}");
        }
    }

    #[test]
    fn the_result_can_be_mended() {
        let edit = |text: &str| found(text).pop()?.mends.pop().map(|mend| mend.edit);
        let splice = |range, text: &str| Some(Edit::Splice { range, text: text.to_owned() });
        assert_eq!(edit("4 groups of 3 is 15."), splice(17..19, "12"));
        assert_eq!(edit("Twelve minus five is eight."), splice(21..26, "seven"));
        assert_eq!(edit("25 % of 0.2 L = 75 mL"), splice(16..18, "50"));
    }
}
