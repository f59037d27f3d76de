//! Steps that need more than the materials list has: a third beaker of two, four cups of 100 mL from 300 mL.

use super::{Match, amounts, conflict, numbered, one_each, others, portions, spread, worn};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Material, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::money;
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::phrases::{clause_end, clause_start};
use crate::assistant::facts::units::Dimension;

const NAME: &str = "material_quantity";

/// Words of sentences in which more comes from elsewhere, or out of what there is.
const ELSEWHERE: &str = "spare borrow fetch cut tear break snap divide make split class share neighbour neighbor imagine draw \
     sketch suppose if another pool rinse reuse refill groups teams tables slice extra turns monitors real \
     may would";

/// What a teacher does who brings things.
const GIVEN: &str = "from gives give brings has hands lends passes adds puts pours sets does uses shows provides holds \
     takes fills places lights demonstrates with";

/// Those whose things are not on the list of this group.
const OTHERS: &str = "group team table class pair neighbour neighbor partner teacher other else school friend";

/// Everything found: of one material once.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    let mut told: Vec<usize> = Vec::new();
    let materials = lesson.materials();
    let mut add = |new: Option<(usize, Match)>| {
        let Some((index, new)) = new else { return };
        match told.iter().position(|told| *told == index).and_then(|known| found.get_mut(known)) {
            Some(known) if new.sure && !known.sure => *known = new,
            Some(_) => {}
            None => {
                told.push(index);
                found.push(new);
            }
        }
    };
    // What is kept at so much must be there: "200 cm of insulated wire".
    for kept in lesson.controlled() {
        // What each has may be used again, and of water there is more.
        let whole = |mention: &&Mention| {
            let water = mention.noun.as_ref().is_some_and(|noun| noun.head == "water");
            let end = mention.noun.as_ref().map_or(mention.tokens.end, |noun| noun.tokens.end);
            let mixed =
                (end.saturating_sub(1)..=end).any(|at| lists!("and or plus with solution mixture", kept.word(at)));
            let placed = mention.dimension == Some(Dimension::Length)
                && kept
                    .tokens
                    .iter()
                    .any(|token| lists!("height distance above below from drop hung between", &token.word));
            mention.dimension.is_some() && mention.per.is_none() && !water && !mixed && !placed
        };
        for mention in mentions(kept).iter().filter(whole) {
            add(measured(lesson, &materials, kept, mention));
        }
    }
    for (_, step) in lesson.steps() {
        for mention in mentions(step) {
            add(match mention.dimension {
                None => counted(lesson, step, &mention).or_else(|| in_pieces(lesson, &materials, step, &mention)),
                Some(_) => measured(lesson, &materials, step, &mention),
            });
        }
        let begins = |step: &Text| (0..step.tokens.len()).filter(|at| begins(step, *at)).collect();
        for at in step.kept(begins).iter().copied() {
            add(numbered::find(lesson, step, at));
            add(one_each::find(lesson, step, at));
            add(worn::find(lesson, step, at));
        }
        for sentence in step.kept(numbered::with_ordinals).iter() {
            add(numbered::ordinals_alone(lesson, step, sentence));
        }
    }
    found
}

/// Whether something may be found at a token, whatever the lesson has.
fn begins(step: &Text, at: usize) -> bool {
    numbered::begins(step, at) || one_each::begins(step, at) || worn::begins(step, at)
}

/// What stays whole while other things are cut.
const UNCUT: &str = "beaker tube flask dish jar thermometer tray lens balance funnel syringe pipette dropper stopwatch magnet lamp bulb egg";

/// Whether the sentence around a token tells that more comes from elsewhere, or the one before it that things are cut.
pub fn from_elsewhere(step: &Text, at: usize) -> bool {
    const CUTTING: [&str; 8] = ["cut", "tear", "snap", "break", "divide", "split", "halve", "saw"];
    if other_lessons::is_told(step, at) || hands::is_shown(step, at) || money::is_priced(step, at) {
        return true;
    }
    let mut sentence = step.sentence(at);
    let mut before = sentence.start.checked_sub(1).map_or(0..0, |before| step.sentence(before));
    // What is cut becomes more, other than what it is put in.
    let whole = (at..sentence.end.min(at + 7)).any(|at| lists!(UNCUT, step.lemma(at)));
    !whole && before.any(|at| CUTTING.contains(&step.word(at)))
        || sentence.any(|place| match step.word(place) {
            // What a teacher hands out is not on the list; what is shown to her is.
            "teacher" | "adult" => {
                let clause = clause_start(step, place)..clause_end(step, place);
                clause.clone().any(|at| lists!(GIVEN, step.word(at)))
            }
            // "Another lays the second rule down" is a pupil, "one after another" is all of them.
            "another" => {
                let deed = step.word(place + 1).ends_with('s') && hands::names_a_deed(step, place + 1);
                !deed && step.word(place.wrapping_sub(1)) != "after"
            }
            "yours" | "theirs" | "swap" | "trade" | "exchange" => true,
            "next" => matches!(step.word(place + 1), "group" | "team" | "table" | "bench" | "class" | "pair"),
            word if word.ends_with("'s") => word.strip_suffix("'s").is_some_and(|other| lists!(OTHERS, other)),
            "children" => !(place.saturating_sub(4)..place).any(|before| step.word(before) == "each"),
            "pieces" => (place.saturating_sub(4)..place).any(|before| matches!(step.word(before), "in" | "into")),
            "fold" => (place..place + 8).any(|at| lists!("half halves quarters into in", step.word(at))),
            "tap" => step.word(place + 1) != "water",
            // "Join six straws to make a hexagon" makes no straws.
            "make" => step.word(place.wrapping_sub(1)) != "to" || place < at,
            // "Break the second egg into the other bowl" makes no more eggs.
            word if whole && CUTTING.contains(&word) => false,
            "whole" => matches!(step.word(place + 1), "class" | "group" | "table" | "team" | "room"),
            word => lists!(ELSEWHERE, word),
        })
}

/// What is found where a step needs more of a material than there is.
pub fn more(
    lesson: &Lesson,
    step: &Text,
    at: usize,
    material: &Material,
    needed: f64,
    have: f64,
    what: &str,
) -> (usize, Match) {
    let reason = format!(
        "{} needs {needed} of \"{}\" ({what}), but the list of materials has {have}.",
        amounts::place(step),
        material.name.text
    );
    let new = conflict(NAME, step.quote_sentence(at), amounts::quantity(lesson, material), reason)
        .suggesting(format!("List {needed}, or use no more than {have}."))
        .mended_by(amounts::raised(material, needed));
    (material.index, new)
}

/// "Label five cups", where there are four; "hang up three sheets of paper", where there are two.
fn counted(lesson: &Lesson, step: &Text, mention: &Mention) -> Option<(usize, Match)> {
    let noun = mention.noun.as_ref()?;
    // "Half a cup, one cup and three cups" are measured one after the other.
    let told = |at: usize| step.has_at(at, &["half", "a", "cup"]) || step.has_at(at, &["cup", "of"]);
    if noun.head == "cup" && step.sentence(mention.tokens.start).any(told) {
        return None;
    }
    let one = mention.numeral.single().filter(|needed| needed.fract() == 0.0)?;
    // "Five ice cubes in each of the two bowls"
    let each = || {
        let each = (mention.tokens.end..step.sentence(mention.tokens.start).end)
            .find(|at| matches!(step.word(*at), "each" | "every"))
            .filter(|_| mention.per.is_some() && one >= 2.0 && !spread::is_tool(noun))?;
        let beside = each == noun.tokens.end + 1 && spread::WHERE.contains(&step.word(noun.tokens.end));
        beside.then(|| spread::left_places(lesson, step, each))?
    };
    let times = mention.per_count.or_else(|| each().map(|(count, _)| count));
    let times = times.filter(|_| !spread::is_tossed(step, mention.tokens.start) && !is_done_with(step, mention));
    let needed = one * times.filter(|count| (2.0..=12.0).contains(count)).unwrap_or(1.0);
    // "The record is 45 pennies", "until it holds 14 marbles"
    let told =
        ["is", "was", "were", "holds", "held", "reached"].contains(&step.word(mention.tokens.start.wrapping_sub(1)));
    // "Stack four of the magnets" takes four of what there is, and "two of the four" too.
    let of_the = step.word(mention.tokens.end) == "of"
        && matches!(step.word(mention.tokens.end + 1), "the" | "your" | "these" | "our")
        && noun.tokens.start == mention.tokens.end + 2
        && !(1..4).any(|back| BOUNDS.contains(&step.word(mention.tokens.start.wrapping_sub(back))));
    // In "half of the six plants" there are six.
    let before = |back: usize| step.word(mention.tokens.start.wrapping_sub(back));
    let whole = matches!(before(1), "the" | "your" | "these" | "our") && before(2) == "of";
    if mention.partial && !of_the && !whole || mention.about || told || from_elsewhere(step, mention.tokens.start) {
        return None;
    }
    let pieces = is_of_something(step, noun);
    // Of a ball of string there are as many strings as are cut from it.
    let wound = |material: &Material| {
        lists!("ball roll reel spool skein length sheet block slab loaf", material.name.lemma(0))
            && material.name.word(1) == "of"
    };
    let (material, have) = if pieces {
        amounts::pieces(lesson, step, noun)?
    } else {
        amounts::fitting(lesson, noun).or_else(|| amounts::in_units(lesson, noun))?
    };
    if wound(&material) {
        return None;
    }
    let what = step.words(&(mention.tokens.start..noun.tokens.end.max(mention.tokens.end)));
    // Far more than there is tells of something else: "a bee may visit 100 flowers".
    let handled = hands::is_handled(step, &(mention.tokens.start..noun.tokens.end.max(mention.tokens.end)));
    let (index, new) = (needed > have && one <= 3.0 * have + 1.0 && !others::is_done(step, noun))
        .then(|| more(lesson, step, mention.tokens.start, &material, needed, have, what))?;
    let named = others::is_named(&material, noun) && !others::is_another(&material, mention);
    let sure = handled && named && !others::is_of_a_kind(lesson, &material, noun);
    Some((index, new.sure_if(sure)))
}

/// "Put 1 mL into each of nine tubes with one syringe": one does all of it. "Fill each of nine tubes with one marble"
/// puts in nine.
fn is_done_with(step: &Text, mention: &Mention) -> bool {
    let start = mention.tokens.start;
    let each = (mention.clause.start..start).rfind(|at| lists!("each every", step.word(*at)));
    match step.word(start.wrapping_sub(1)) {
        "using" => true,
        "with" => each.is_some_and(|each| lists!("in into onto to on", step.word(each.wrapping_sub(1)))),
        _ => false,
    }
}

/// Words before a number that make it a bound or a wish.
const BOUNDS: &[&str] =
    &["least", "most", "than", "to", "if", "until", "till", "every", "not", "only", "any", "or", "last", "first"];

/// "Two cups of water" are no cups.
pub fn is_of_something(step: &Text, noun: &Phrase) -> bool {
    step.word(noun.tokens.end) == "of"
}

/// More of a substance than is listed, at once or in all vessels together.
fn measured(lesson: &Lesson, materials: &[Material], step: &Text, mention: &Mention) -> Option<(usize, Match)> {
    // "12 g of gluten per 100 g of flour" takes no flour.
    let rate = mention.tokens.start.checked_sub(1).is_some_and(|before| step.word(before) == "per");
    let noun = mention.noun.as_ref().filter(|_| !mention.partial && !mention.about && !rate)?;
    let fits = |material: &&Material| nouns::material(material.name).is_some_and(|name| name.fits(noun));
    let mut fitting = materials.iter().filter(fits);
    let material = fitting.next().filter(|_| fitting.next().is_none())?;
    let stock =
        amounts::stock(material).filter(|stock| stock.dimension.is_some() && stock.dimension == mention.dimension)?;
    let shared = |text: &Text| {
        text.tokens.iter().any(|token| token.is_one_of(&["class", "more", "refill"])) || amounts::is_for_each(text)
    };
    // Of tap water there is enough.
    let tap = |text: &Text, tokens: std::ops::Range<usize>| tokens.into_iter().any(|at| text.word(at) == "tap");
    let (taken, listed) = (tap(step, noun.tokens.clone()), tap(material.name, 0..material.name.tokens.len()));
    // Boiled water is not what comes out of the tap.
    if taken && !listed || listed && !taken && !noun.modifiers.is_empty() {
        return None;
    }
    let quantity = lesson.text(Role::MaterialQuantity(material.index));
    let at = mention.tokens.start;
    let cut = mention.dimension == Some(Dimension::Length) && step.sentence(at).any(|at| step.word(at) == "cut");
    if material.notes.is_some_and(shared) || quantity.is_some_and(shared) || !cut && from_elsewhere(step, at) {
        return None;
    }
    let sentence = step.sentence(mention.tokens.start);
    // "Each tube of the second set" are not all tubes.
    let part = sentence.clone().any(|t| {
        lists!("each every", step.word(t))
            && step.word(t + 2) == "of"
            && (t + 3..t + 7).any(|t| lists!("set row half rack group series", step.lemma(t)))
    });
    // "30 mL of water or solution into each test tube"
    // "100 ml of cola, milk or tap water"
    let listed = || (noun.tokens.end + 1..noun.tokens.end + 4).any(|t| step.word(t) == "or");
    let part = part || step.word(noun.tokens.end) == "or" || step.word(noun.tokens.end) == "," && listed();
    let vessels = mention.per.as_ref().filter(|_| !part).and_then(|per| {
        let vessel = Phrase { head: per.clone(), modifiers: Vec::new(), tokens: 0..0 };
        // "Fill two trays with soil, 1 cup in each tray"
        let told = mentions(step).into_iter().find(|told| {
            told.dimension.is_none()
                && sentence.contains(&told.tokens.start)
                && told.noun.as_ref().is_some_and(|noun| noun.head == vessel.head)
        });
        told.map(|told| spread::taken(step, &told).min(told.high))
            .or_else(|| amounts::fitting(lesson, &vessel).map(|(_, count)| count))
    });
    let people = || {
        lesson.group_size().filter(|_| mention.per.as_deref().is_some_and(one_each::is_child)).map(|size| size as f64)
    };
    let times = mention
        .per_count
        .or(vessels)
        .or_else(people)
        .or_else(|| portions::times(step, mention))
        .filter(|count| *count >= 2.0)
        .unwrap_or(1.0);
    let sum = if times > 1.0 { 0.0 } else { sum_in_sentence(step, mention, noun) };
    let needed = (mention.low * times).max(sum);
    if needed <= stock.amount * 1.02 {
        return None;
    }
    let what = step.words(&(mention.tokens.start..noun.tokens.end.max(mention.tokens.end)));
    let unit = unit_factor(material)?;
    let all = match () {
        () if times > 1.0 => format!("{what}, {times} times"),
        () if sum > mention.low => format!("{what} and what goes with it"),
        () => what.to_owned(),
    };
    let (index, new) =
        more(lesson, step, mention.tokens.start, material, rounded(needed / unit), rounded(stock.amount / unit), &all);
    // Juice is not always the lemon juice of the list.
    let named = others::is_named(material, noun) || noun.modifiers.iter().any(|word| !lists!("same", word));
    Some((index, new.sure_if(named)))
}

/// More of what is listed by its length than there is: "three pieces of string, each 50 cm long".
fn in_pieces(lesson: &Lesson, materials: &[Material], step: &Text, mention: &Mention) -> Option<(usize, Match)> {
    let (needed, substance) = portions::in_pieces(step, mention).filter(|_| !mention.partial && !mention.about)?;
    let fits = |material: &&Material| nouns::material(material.name).is_some_and(|name| name.fits(&substance));
    let mut fitting = materials.iter().filter(fits);
    let material = fitting.next().filter(|_| fitting.next().is_none())?;
    let stock = amounts::stock(material).filter(|stock| stock.dimension == Some(Dimension::Length))?;
    let (unit, at) = (unit_factor(material)?, mention.tokens.start);
    let what = step.words(&(at..substance.tokens.end));
    let new = || more(lesson, step, at, material, rounded(needed / unit), rounded(stock.amount / unit), what);
    (needed > stock.amount * 1.02 && !other_lessons::is_told(step, at) && !hands::is_shown(step, at)).then(new)
}

/// What a sentence uses of a substance in all: "60 mL of vinegar into A and 60 mL of vinegar into B".
fn sum_in_sentence(step: &Text, mention: &Mention, noun: &Phrase) -> f64 {
    let sentence = step.sentence(mention.tokens.start);
    let counts_up = sentence.clone().any(|at| {
        matches!(
            step.word(at),
            "or" | "then" | "total" | "altogether" | "back" | "until" | "makes" | "all" | "=" | "from"
        )
    });
    if counts_up || matches!(mention.dimension, Some(Dimension::Length)) {
        return 0.0;
    }
    let of_it = |other: &Mention| {
        let same = other
            .noun
            .as_ref()
            .is_some_and(|other| other == noun || other.head == noun.head && other.modifiers == noun.modifiers);
        let goes = other
            .noun
            .as_ref()
            .is_some_and(|noun| matches!(step.word(noun.tokens.end), "into" | "in" | "to" | "onto" | "on"));
        sentence.contains(&other.tokens.start)
            && other.comparable(mention)
            && same
            && goes
            && !other.partial
            && !other.definite
    };
    let all: Vec<f64> = mentions(step).iter().filter(|other| of_it(other)).map(|other| other.low).collect();
    if all.len() > 1 { all.iter().sum() } else { 0.0 }
}

fn rounded(amount: f64) -> f64 {
    (amount * 1000.0).round() / 1000.0
}

/// How much of the base unit one of the listed unit is.
fn unit_factor(material: &Material) -> Option<f64> {
    let number = material.quantity?.as_f64().filter(|number| *number > 0.0);
    let stock = amounts::stock(material)?;
    Some(number.map_or(1.0, |number| stock.amount / number))
}

#[cfg(test)]
mod tests;
