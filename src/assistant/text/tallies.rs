//! What a text reckons from its numbers in words: "the mean of 4, 6 and 8 is 7", "every 2 minutes for 10 minutes: four
//! readings", "count for 15 s and multiply by 6", "30 of 40 seeds, so 80 %".

use super::calculations::{Calculation, with_unit};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::numbers;
use crate::assistant::facts::terms::{Amount, Operator, amount, ends_at, link, operator};
use crate::assistant::facts::units::Dimension;

/// What comes of the numbers from this token on.
pub fn tally(text: &Text, start: usize) -> Option<Calculation> {
    mean(text, start)
        .or_else(|| poured_together(text, start))
        .or_else(|| readings(text, start))
        .or_else(|| per_minute(text, start))
        .or_else(|| percentage(text, start))
        .or_else(|| speed(text, start))
}

fn before<'t>(text: &'t Text<'_>, at: usize, back: usize) -> &'t str {
    at.checked_sub(back).map_or("", |at| text.word(at))
}

/// `the average of 4, 6 and 8 is 7`
fn mean(text: &Text, start: usize) -> Option<Calculation> {
    let named = before(text, start, 1) == "of" && matches!(before(text, start, 2), "average" | "mean");
    let mut all = vec![amount(text, start).filter(|_| named)?];
    let mut end = all.last()?.tokens.end;
    while all.len() < 12 {
        let joined = matches!(text.word(end), "," | "and");
        let skip = usize::from(text.word(end) == "," && text.word(end + 1) == "and");
        let Some(next) = amount(text, end + 1 + skip).filter(|_| joined) else { break };
        end = next.tokens.end;
        all.push(next);
    }
    let last = all.last()?.clone();
    let unit = last.unit;
    for one in &mut all {
        one.unit = one.unit.or(unit);
    }
    let stated = link(text, end).filter(|link| link.states)?;
    let result = with_unit(amount(text, stated.end)?, &last);
    let alike = all.iter().all(|one| one.dimension() == result.dimension());
    let due = all.iter().map(Amount::in_base).sum::<f64>() / all.len() as f64;
    (all.len() > 1 && alike && ends_at(text, result.tokens.end)).then_some(Calculation {
        due,
        result,
        terms: start..end,
    })
}

/// `add 20 mL of acid to 30 mL of water to get 60 mL`: of different stuff, two measures can come to less, not to more.
fn poured_together(text: &Text, start: usize) -> Option<Calculation> {
    const POURING: [&str; 8] = ["add", "mix", "pour", "combine", "stir", "adding", "mixing", "combining"];
    let first = amount(text, start).filter(|_| POURING.contains(&before(text, start, 1)))?;
    let joint = first.tokens.end;
    let second = amount(text, joint + 1).filter(|_| matches!(text.word(joint), "to" | "with" | "and" | "into"))?;
    let alike = first.unit.is_some() && first.dimension() == second.dimension();
    let end = second.tokens.end;
    let skip = usize::from(text.word(end) == ",");
    let at = match (text.word(end + skip), text.word(end + skip + 1)) {
        ("to", "get" | "make" | "give" | "obtain") => end + skip + 2,
        ("making" | "giving", _) => end + skip + 1,
        ("for", "a") if matches!(text.word(end + skip + 2), "total" | "final") => end + skip + 3,
        _ => return None,
    };
    let at = (at..at + 4).find(|at| numbers::numeral(&text.tokens, *at).is_some())?;
    let result = amount(text, at).filter(|result| alike && result.dimension() == first.dimension())?;
    let due = first.in_base() + second.in_base();
    let stuff = matches!(first.dimension(), Some(Dimension::Volume | Dimension::Mass));
    (stuff && result.in_base() > due).then_some(Calculation { due, result, terms: start..end })
}

/// `read it every 2 minutes for 10 minutes: four readings`; with the one at the start they are six.
fn readings(text: &Text, start: usize) -> Option<Calculation> {
    let every = amount(text, start).filter(|_| before(text, start, 1) == "every")?;
    let time = |amount: &Amount| amount.dimension() == Some(Dimension::Time);
    let joined = matches!(text.word(every.tokens.end), "for" | "over" | "during");
    let at = every.tokens.end + 1;
    let at = at + usize::from(matches!(text.word(at), "the" | "a"));
    let whole = amount(text, at).filter(|whole| joined && time(&every) && time(whole))?;
    let end = whole.tokens.end;
    let result = amount(text, link(text, end)?.end)?;
    const READ: [&str; 8] =
        ["reading", "measurement", "value", "observation", "temperature", "result", "photo", "entry"];
    let counted = result.noun.as_ref().is_some_and(|noun| READ.contains(&noun.as_str())) && result.unit.is_none();
    let due = whole.in_base() / every.in_base().max(1e-9);
    let fits = (due - 0.01..=due + 1.01).contains(&result.value) || due.fract() > 0.01;
    (counted && !fits && ends_at(text, result.tokens.end)).then_some(Calculation {
        due,
        result,
        terms: start.saturating_sub(1)..end,
    })
}

/// `count the beats for 15 seconds and multiply by 6`, where the sentence wants them for a minute.
fn per_minute(text: &Text, start: usize) -> Option<Calculation> {
    let counted = amount(text, start).filter(|counted| counted.dimension() == Some(Dimension::Time))?;
    let sentence = text.sentence(start);
    let by = (counted.tokens.end..sentence.end)
        .find(|at| text.word(*at).starts_with("multipl") && (at + 1..at + 5).any(|at| text.word(at) == "by"))?;
    let by = (by + 1..by + 5).find(|at| text.word(*at) == "by")?;
    let result = amount(text, by + 1).filter(|factor| factor.unit.is_none())?;
    let says = |words: &[&str]| sentence.clone().any(|at| words.contains(&text.word(at)));
    let rate = says(&["beats", "pulse", "heartbeats", "breaths", "heart", "breathing", "pulses"])
        && says(&["minute", "bpm"])
        && sentence.clone().any(|at| text.word(at) == "count" || text.word(at) == "counted");
    let others = text
        .quantities()
        .iter()
        .filter(|other| other.dimension() == Dimension::Time && sentence.contains(&other.tokens.start));
    let due = 60.0 / counted.in_base().max(1e-9);
    // Only a part of a minute is multiplied, and one.
    let part = due.fract() < 0.01 && due > 1.5 && others.filter(|other| other.low < 59.0).count() == 1;
    (rate && part).then_some(Calculation { due, result, terms: counted.tokens })
}

/// `30 of 40 seeds sprouted, so the rate is 80 %`
fn percentage(text: &Text, start: usize) -> Option<Calculation> {
    let first = numbers::numeral(&text.tokens, start)?;
    let (at, end) = (first.tokens.end, text.sentence(start).end);
    let of = if text.has_at(at, &["out", "of"]) { at + 2 } else { at + 1 };
    let of = of + usize::from(matches!(text.word(of), "the" | "our" | "your"));
    let whole =
        amount(text, of).filter(|whole| text.word(at) == "of" || text.word(at) == "out" && whole.unit.is_none())?;
    let (part, all) = (first.whole()?, whole.value);
    if whole.unit.is_some() || all < 2.0 || all.fract() != 0.0 || part as f64 > all || part < 1 {
        return None;
    }
    const SAYING: [&str; 10] = ["so", "is", "=", "(", "or", "means", "gives", "makes", "that's", "which"];
    let result = (whole.tokens.end..end.min(whole.tokens.end + 10)).find_map(|at| {
        let result = amount(text, at).filter(|result| result.dimension() == Some(Dimension::Share));
        let said = || (whole.tokens.end..at).any(|at| SAYING.contains(&text.word(at)));
        result.filter(|_| said())
    })?;
    // "Half of it, 20 of 40, so 10 % more" reckons something else.
    let between = whole.tokens.end..result.number.start;
    let other = text.numerals().iter().any(|numeral| between.contains(&numeral.tokens.start));
    let ends = ends_at(text, result.tokens.end) && result.tokens.len() == result.number.len() + 1
        || matches!(text.word(result.tokens.end), "germination" | "success");
    let unit = result.unit.map_or(1.0, |unit| unit.factor);
    let due = 100.0 * part as f64 / all * unit;
    (!other && ends).then_some(Calculation { due, result, terms: start..whole.tokens.end })
}

/// `100 cm ÷ 5 s = 25 cm/s`
fn speed(text: &Text, start: usize) -> Option<Calculation> {
    let first = amount(text, start)?;
    let (over, at) = operator(text, first.tokens.end)?;
    let second = amount(text, at).filter(|_| over == Operator::Over)?;
    let end = second.tokens.end;
    if first.dimension() == second.dimension() || first.unit.is_none() || second.value == 0.0 || text.word(end) != "=" {
        return None;
    }
    let result = numbers::numeral(&text.tokens, end + 1)?;
    let (one, other) = (text.word(first.number.end), text.word(second.number.end));
    // In the units of both, "cm/s" or "cm per s".
    let unit = result.tokens.end;
    let same = text.word(unit) == one && matches!(text.word(unit + 1), "/" | "per") && text.word(unit + 2) == other;
    let single = first.tokens.end == first.number.end + 1 && end == second.number.end + 1;
    let value = result.single().filter(|_| same && single && ends_at(text, unit + 3))?;
    let written = text.words(&result.tokens);
    let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(9));
    let slack = 0.5 * 0.1_f64.powi(decimals as i32);
    let result = Amount {
        value,
        slack,
        unit: None,
        noun: None,
        number: result.tokens.clone(),
        tokens: result.tokens.start..unit + 3,
    };
    Some(Calculation { due: first.value / second.value, result, terms: start..end })
}

#[cfg(test)]
mod tests {
    use super::super::calculations::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(text: &str) -> usize {
        let content = json!({ "steps": [{ "text": text }] });
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn what_is_reckoned_wrongly_is_found() {
        for text in [
            "The average of 4, 6 and 8 is 7.",
            "The mean of 20 cm and 30 cm is 28 cm.",
            "Add 20 mL of acid to 30 mL of water to get 60 mL.",
            "Read the thermometer every 2 minutes for 10 minutes: eight readings.",
            "Count your pulse for 15 seconds and multiply by 6 to get beats per minute.",
            "If 30 of 40 seeds sprouted, the germination rate is 80%.",
            "30 out of 40 seeds came up, so 70%.",
            "Speed = 100 cm ÷ 5 s = 25 cm/s.",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
    }

    #[test]
    fn what_comes_out_or_is_reckoned_otherwise_is_not() {
        for text in [
            "The average of 4, 6 and 8 is 6.",
            "The average of 4, 6 and 9 is 6.",
            "The average of 4 is fine.",
            "Add 20 mL of acid to 30 mL of water to get 48 mL.",
            "Add 20 mL of acid to 30 mL of water to get going.",
            "Read the thermometer every 2 minutes for 10 minutes: five readings.",
            "Read the thermometer every 2 minutes for 10 minutes: six readings.",
            "Count your pulse for 15 seconds and multiply by 4 to get beats per minute.",
            "Count the beats for 15 s, rest for 30 s, and multiply by 4 for a minute.",
            "If 30 of 40 seeds sprouted, the germination rate is 75%.",
            "30 of 40 seeds sprouted, 10% fewer than last time.",
            "Speed = 100 cm ÷ 5 s = 20 cm/s.",
            "Two of the 30 pupils, so nobody is alone, use 70% alcohol.",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
