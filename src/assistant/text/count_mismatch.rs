//! Numbers of one thing that cannot both hold: six washers as the bob every time, and nine on the string.
//!
//! Parts ("two of the six"), several times so many, and what the lesson varies are no conflict.

use super::several::{is_gathered, is_of_a_run, is_several};
use super::{Match, amounts, done_times};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Material, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::money;
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::numbers;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::phrases;
use crate::assistant::facts::words::Token;

/// The name of this kind.
pub const NAME: &str = "count_mismatch";

/// A number and the text that it stands in.
pub type Placed<'l, 'c> = (&'l Text<'c>, Mention);

/// Everything found.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let counted =
        |text| mentions(text).into_iter().filter(|m| m.dimension.is_none()).map(move |mention| (text, mention));
    let steps: Vec<Placed> = lesson.steps().flat_map(|(_, text)| counted(text)).collect();
    let fixed: Vec<Placed> =
        lesson.texts_of(|role| matches!(role, Role::Controlled(_) | Role::Dependent)).flat_map(counted).collect();
    let mut found: Vec<Match> = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    let fixed: Vec<Placed> = fixed.into_iter().chain(done_times::dropped(lesson, &steps)).collect();
    for constant in &fixed {
        let Some(noun) = constant.1.noun.as_ref().filter(|noun| !told.contains(&noun.head.as_str())) else { continue };
        if let Some(new) = against_steps(lesson, constant, noun, &steps) {
            told.push(&noun.head);
            // What is counted in the end need not be all there is.
            found.push(new.sure_if(constant.0.role != Role::Dependent));
        }
    }
    found.extend(expected(lesson, &fixed, &steps));
    found.extend(named_before(lesson, &steps));
    found.extend(all_of_the_listed(lesson, &steps));
    found
}

/// The amounts of steps that are of one noun with what is told; two prices are of one where they name one thing, too.
fn of_noun<'p, 'l, 'c>(steps: &'p [Placed<'l, 'c>], noun: &Phrase, told: &Mention) -> Vec<&'p Placed<'l, 'c>> {
    let priced = |step: &Mention| step.definite && told.definite || step.shared(&told.topics) > 1;
    let same = |step: &Mention| step.noun.as_ref().is_some_and(|other| other.fits(noun));
    steps.iter().filter(|(_, step)| same(step) && (!money::is_money(noun) || priced(step))).collect()
}

/// Words of sentences in which something is tried out first.
const TRIED_OUT: &[&str] =
    &["practice", "practise", "practising", "practicing", "rehearse", "warm-up", "game", "starter"];

/// Words before things that are only spoken of.
const SPOKEN_OF: &[&str] = &[
    "draw",
    "sketch",
    "write",
    "describe",
    "name",
    "list",
    "explain",
    "discuss",
    "suggest",
    "imagine",
    "predict",
    "photograph",
    "choose",
    "colour",
    "color",
    "label",
];

/// What is kept the same, against what a step does.
fn against_steps(lesson: &Lesson, (text, constant): &Placed, noun: &Phrase, steps: &[Placed]) -> Option<Match> {
    let least = if constant.per.is_some() { 1.0 } else { 2.0 };
    if constant.partial || constant.numeral.single().is_none() || constant.low < least || is_varied(lesson, noun) {
        return None;
    }
    let mut same = of_noun(steps, noun, constant);
    if same.is_empty() {
        same.extend(steps.iter().filter(|step| done_times::is_done(constant, noun, step)));
    }
    let sum: f64 = same.iter().map(|(_, step)| step.low).sum();
    if sum == constant.low || same.iter().any(|(_, step)| step.agrees_with(constant)) {
        return None;
    }
    // What "each trial" is repeated three times is not repeated "five times for every height".
    let repeated = noun.head == "repetition";
    let against = |(other, step): &&&Placed| {
        let narrower = step.noun.as_ref().is_some_and(|other| other.modifiers.len() > noun.modifiers.len());
        let words = other.tokens.get(other.sentence(step.tokens.start)).unwrap_or_default();
        let told = |of: &[&str]| words.iter().any(|token| token.is_one_of(of));
        // "Three jumps for every frog makes nine jumps altogether"
        let told_in_all = || told(&["altogether", "total", "makes"]) || other.find(&["in", "all"]).is_some();
        let both = ((*text, constant), (*other, step));
        // What is done ten times is shared out among no things: "drop it 10 times".
        let done = step.noun.as_ref().is_some_and(|noun| other.word(noun.tokens.end.wrapping_sub(1)) == "times")
            && !other.numerals().iter().any(|numeral| numeral.single() == Some(constant.low));
        let several = step.is_multiple_of(constant)
            && (step.per.is_none()
                && !done
                && (is_several(lesson, both.0, both.1) || is_gathered(lesson, other, step, constant))
                || told_in_all());
        // "Wind 25 turns, then 25 more"
        let goes_on = || told(&["more", "again", "another", "twice", "both"]);
        let share = constant.is_multiple_of(step) && (step.per.is_some() && constant.per.is_none() || goes_on());
        // "The two observation tubes" are some of "all three tubes".
        let wider = step.noun.as_ref().is_some_and(|other| other.modifiers.len() < noun.modifiers.len());
        let part = narrower && step.low < constant.low || wider && step.all && step.low > constant.low;
        // "Stir ten times one way and ten times the other"
        let sentence = other.sentence(step.tokens.start);
        let parts = other.numerals().iter().filter(|numeral| sentence.contains(&numeral.tokens.start));
        let summed =
            step.low * parts.filter(|part| part.whole().is_some_and(|part| part as f64 == step.low)).count() as f64;
        // "Two tea bags per pot", "hang a single tea bag in each pot"
        let alone = step.per.is_some() && constant.per.is_some();
        // "Wrap three cans and leave the fourth bare."
        let nth = |at: usize| numbers::ordinal(&other.tokens, at).is_some_and(|(nth, _)| nth as f64 == constant.low);
        let with_last = || step.low + 1.0 == constant.low && sentence.clone().any(nth);
        // "Lay three blocks up each side; the seventh goes in last."
        let with_last = || with_last() || step.per.is_some() && (0..other.tokens.len()).any(nth);
        // "Count them in five of the sixteen squares."
        let before = step.tokens.start.saturating_sub(3);
        let some_of = || {
            other.has_at(before + 1, &["of", "the"])
                && numbers::numeral(&other.tokens, before).and_then(|some| some.single()) == Some(constant.low)
        };
        // "After how many throws are 30 dice left?"
        let end = step.noun.as_ref().map_or(step.tokens.end, |noun| noun.tokens.end);
        // "The three bottles with water" of four
        let some =
            step.definite && step.low < constant.low && lists!("with without that which containing", other.word(end));
        let left = some || lists!("left remaining remain over", other.word(end)) || phrases::is_question(other, end);
        !step.partial
            && (step.low > 1.0 || alone)
            && !left
            && !step.about
            // The leaves of the whole tree are not those in the bag.
            && step.low < 100.0 * constant.low
            && (summed != constant.low || step.low >= constant.low)
            && is_rate(other, step) == is_rate(text, constant)
            && (!step.per_differs(constant) || repeated && is_of_a_run(text, constant))
            && !part
            && !with_last()
            && !some_of()
            && !several
            && !share
            && (constant.low >= 2.0 || step.per.is_some())
            && !told(TRIED_OUT)
            && !is_spoken_of(other, step)
            && !is_result(other, step)
            && !other_lessons::is_told(other, step.tokens.start)
            && !hands::is_aside(other, step.tokens.start)
    };
    let (other, step) = same.iter().find(against)?;
    Some(amounts::conflict(NAME, (text, constant), (other, step)))
}

/// "Four turns per second" tell how fast it goes, and not how many turns a coil has.
fn is_rate(text: &Text, told: &Mention) -> bool {
    let end = told.noun.as_ref().map_or(told.tokens.end, |noun| noun.tokens.end).max(told.tokens.end);
    let each = end + usize::from(text.word(end) == "in");
    lists!("per a each every /", text.word(each)) && lists!("second s sec minute min", text.word(each + 1))
        || text.has_at(end, &["in", "one", "second"])
}

/// "So two tests reacted to it", "only nine seeds sprouted": what came of some of them, and not how many there are.
fn is_result(text: &Text, told: &Mention) -> bool {
    let Some(noun) = told.noun.as_ref() else { return false };
    let word = text.word(noun.tokens.end);
    let past =
        word.len() > 4 && word.ends_with("ed") || lists!("gave went fell came grew broke sank showed rose", word);
    let start = told.tokens.start;
    // "Three seeds planted in each pot" is how it is done.
    let done = lists!("planted placed used carried marked labelled labeled called needed filled", word);
    let leads = start == text.sentence(start).start
        || lists!(", ; : – — so that and but only just exactly because since as", text.word(start - 1));
    past && !done && leads
}

/// Whether things are only spoken of; "choose twelve from the jar" takes them.
fn is_spoken_of(text: &Text, step: &Mention) -> bool {
    let end = step.noun.as_ref().map_or(step.tokens.end, |noun| noun.tokens.end);
    let taken = |at: usize| text.word(at) == "choose" && lists!("from out", text.word(end));
    (step.clause.start..step.tokens.start).any(|at| SPOKEN_OF.contains(&text.word(at)) && !taken(at))
}

/// Whether the lesson changes how many there are.
pub fn is_varied(lesson: &Lesson, noun: &Phrase) -> bool {
    lesson.text(Role::Independent).is_some_and(|text| {
        let of_it = text.tokens.iter().any(|token| nouns::same_noun(&token.lemma, &noun.head));
        let counts = text.tokens.iter().any(|token| {
            token.is_one_of(&["number", "many", "amount", "count", "how"])
                || !token.is_word() && token.word.starts_with(|c: char| c.is_ascii_digit())
        });
        of_it && counts
            || mentions(text).iter().any(|level| level.noun.as_ref().is_some_and(|other| other.head == noun.head))
    })
}

/// "The three pellets" of a hypothesis, an objective or an assessment, against the steps and the materials.
fn expected(lesson: &Lesson, fixed: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let mut found = Vec::new();
    let role = |role| {
        matches!(
            role,
            Role::Hypothesis
                | Role::Objective(_)
                | Role::Title
                | Role::Assessment
                | Role::Phenomenon
                | Role::DrivingQuestion
        )
    };
    for text in lesson.texts_of(role) {
        for told in mentions(text).into_iter().filter(|told| told.dimension.is_none()) {
            let Some(noun) = told.noun.as_ref().filter(|_| !told.partial && told.low >= 2.0) else { continue };
            // "If we put four ice cubes in the jar, …" is what will be done.
            let supposed = text.role == Role::Hypothesis && is_supposed_once(text, &told, noun, steps);
            // "Tell five metal ions apart", and a step about "all seven metal ions"
            let whole_set = |(_, step): &&Placed| {
                (step.all || step.definite) && step.noun.as_ref().is_some_and(|other| other.modifiers == noun.modifiers)
            };
            let all = matches!(text.role, Role::Objective(_))
                && !noun.modifiers.is_empty()
                && of_noun(steps, noun, &told).iter().any(whole_set);
            if !told.definite && !supposed && !all {
                continue;
            }
            let sentence = text.sentence(told.tokens.start);
            let invented = !supposed
                && text.tokens.get(sentence).is_some_and(|words| words.iter().any(|token| token.is_one_of(INVENTED)));
            if invented || is_varied(lesson, noun) || amounts::listed(lesson, &told) || told.about {
                continue;
            }
            let same = of_noun(steps, noun, &told);
            let fine =
                |step: &Mention| step.agrees_with(&told) || step.is_multiple_of(&told) || told.is_multiple_of(step);
            let known = of_noun(fixed, noun, &told);
            let sum: f64 = same.iter().map(|(_, step)| step.low).sum();
            if sum == told.low || same.iter().chain(&known).any(|(_, step)| fine(step)) {
                continue;
            }
            // "At least eight of our ten woodlice" are all there are.
            let start = told.tokens.start;
            let own = text.word(start.wrapping_sub(1)) == "our" || text.has_at(start.wrapping_sub(2), &["of", "the"]);
            let narrowed =
                lists!("in on under with without at from that which near of for who", text.word(noun.tokens.end));
            let ours = text.role == Role::Hypothesis && own && !narrowed && same.len() == 1;
            let whole = |(other, step): &&&Placed| {
                !step.partial
                    && !is_result(other, step)
                    && step.low > 1.0
                    && (supposed || told.all || step.definite || ours || step.low < told.low)
                    && (!all || step.all || step.definite)
            };
            let of_steps =
                same.iter().find(whole).map(|(other, step)| amounts::conflict(NAME, (text, &told), (other, step)));
            // "The three papers": a towel, a newspaper and one of wax.
            let of_kind = |material: &Material| material.name.text.to_lowercase().contains(noun.head.as_str());
            let of_list = || {
                // A "phase record sheet" is no phase.
                let whole = |name: &Text| {
                    nouns::material(name)
                        .is_some_and(|named| !name.tokens.get(named.tokens.end).is_some_and(Token::is_word))
                };
                let fewer = amounts::fitting(lesson, noun)
                    .filter(|(material, stock)| *stock < told.low && (whole(material.name) || told.all))
                    .filter(|_| lesson.materials().iter().filter(|material| of_kind(material)).count() < 2)?;
                Some(amounts::conflict_with_list(NAME, lesson, (text, &told), &fewer.0, fewer.1))
            };
            if let Some(new) = of_steps.or_else(of_list) {
                // An objective or an assessment may speak of some of them.
                found.push(new.sure_if(text.role == Role::Hypothesis));
                break;
            }
        }
    }
    found
}

/// Whether a hypothesis begins with what will be done with so many, which it and the steps name once.
fn is_supposed_once(text: &Text, told: &Mention, noun: &Phrase, steps: &[Placed]) -> bool {
    // "After 100 shakes …"
    let after = text.word(0) == "after" && told.tokens.start == 1;
    let begins =
        text.word(0) == "if" && matches!(text.word(1), "we" | "each" | "every" | "i") && told.tokens.start < 9 || after;
    let once = || {
        mentions(text).iter().filter(|other| other.noun.as_ref().is_some_and(|other| other.head == noun.head)).count()
            == 1
    };
    let same = of_noun(steps, noun, told);
    begins
        && once()
        && same.len() == 1
        && same.iter().all(|(other, step)| !step.partial && !other_lessons::is_told(other, step.tokens.start))
}

/// Words of sentences that tell of another lesson than this one.
const INVENTED: &[&str] = &[
    "another",
    "suppose",
    "imagine",
    "if",
    "she",
    "he",
    "his",
    "her",
    "friend",
    "imaginary",
    "someone",
    "somebody",
    "class",
    "says",
    "claims",
    "planet",
    "different",
];

/// What tells the things from others of their kind: "B" in "the seven rocks of tray B".
fn label<'t>(text: &'t Text, told: &Mention) -> Option<&'t str> {
    let end = told.noun.as_ref()?.tokens.end;
    let label = text.tokens.get(end + 2).map(|token| text.slice(&token.bytes))?;
    (text.word(end) == "of" && label.len() == 1 && !label.starts_with(char::is_lowercase)).then_some(label)
}

/// "All ten worms", where another step laid out six.
fn named_before(lesson: &Lesson, steps: &[Placed]) -> Vec<Match> {
    let mut found = Vec::new();
    for (at, (text, told)) in steps.iter().enumerate() {
        let Some(noun) = told.noun.as_ref().filter(|_| told.definite && !told.partial && told.low >= 2.0) else {
            continue;
        };
        let others: Vec<&Placed> = of_noun(steps, noun, told)
            .into_iter()
            .filter(|(_, other)| !steps.get(at).is_some_and(|own| std::ptr::eq(other, &own.1)))
            .collect();
        let [(other, step)] = others[..] else { continue };
        let fine = step.agrees_with(told) || step.is_multiple_of(told) || told.is_multiple_of(step);
        let before = other.path < text.path || other.path == text.path && step.tokens.end <= told.tokens.start;
        let fewer_of = told.low < step.low && !told.all;
        // "One rolls eight struts, the other four": together they are twelve.
        let sentence = other.sentence(step.tokens.start);
        let divided = other.numerals().iter().filter(|numeral| sentence.contains(&numeral.tokens.start)).count() > 1;
        let apart = label(other, step).zip(label(text, told)).is_some_and(|(one, two)| one != two);
        // Four jets come from the four holes of another bottle.
        let own = |other: &Text, known: &Mention| other.path == text.path && known.tokens == told.tokens;
        let is_other = |other: &Text| mentions(other).iter().any(|known| known.low == told.low && !own(other, known));
        if !fine
            && !divided
            && !apart
            && before
            && !fewer_of
            && !step.partial
            && step.low > 1.0
            && !amounts::listed(lesson, told)
            && !is_varied(lesson, noun)
            && !lesson.texts().iter().any(is_other)
        {
            found.push(amounts::conflict(NAME, (other, step), (text, told)));
        }
    }
    found
}

/// "All eight magnets", where ten are on the list.
fn all_of_the_listed(lesson: &Lesson, steps: &[Placed]) -> Option<Match> {
    steps.iter().filter(|(_, step)| step.all && !step.partial && step.low >= 2.0).find_map(|(text, step)| {
        let noun = step.noun.as_ref()?;
        let (material, stock) = amounts::fitting(lesson, noun)?;
        let fits = of_noun(steps, noun, step).len() == 1 && stock > step.low && (stock / step.low).fract() != 0.0;
        let spare = material.notes.is_some_and(|notes| {
            notes.tokens.iter().any(|t| t.is_one_of(&["spare", "spares", "extra", "each", "per"]))
        });
        (fits && !spare).then(|| amounts::conflict_with_list(NAME, lesson, (text, step), &material, stock))
    })
}

#[cfg(test)]
mod tests;
