//! Deeds: where a step brings about the hazard that a rule is about.

use std::ops::Range;

use super::doings;
use super::hazards::{Hazard, Rule, WORN, guarded};
use super::names::{ANIMALS, PLANT};
use super::other_deeds::is_another_deed;
use crate::assistant::facts::actions::{Action, is_lid};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};

/// What is closed and opened.
pub(super) const CONTAINERS: &str = "plate dish bag jar bottle box tube container flask cup sash tub chamber terrarium vial canister can \
    envelope packet vessel pot hood beaker lid cover tank aquarium cage incubator kettle centrifuge";
/// Verbs of what hands do to a thing.
const DEEDS: &[&str] = &[
    "use", "hold", "lift", "fetch", "collect", "grab", "pass", "operate", "squeeze", "carry", "pour", "cut", "pick",
    "handle", "touch", "take", "slice", "move", "switch", "turn", "start", "light", "strike", "fill", "make", "give",
    "burn", "boil", "cook", "heat", "drop", "dip", "put", "place", "open", "glue", "drill", "saw", "iron", "melt",
    "peel", "chop", "spread", "stir", "empty", "tip", "press", "pull", "push", "roll", "scoop", "rub", "stop", "slow",
    "feel", "stroke", "catch", "pinch", "grip", "grasp", "lay", "set", "draw", "transfer", "top", "refill", "dispense",
    "ignite", "add", "slit", "score", "carve", "trim", "snip",
];
/// Words for a living or other thing that was named before.
const VAGUE: &str = "straggler creature animal specimen rest piece";
/// Words that name no thing.
const NO_THING: &str = "be go goe come must should shall touch handle gently keep stay stays leave use time bare finger hand skin thumb \
    anyone nobody lesson lab class way thing pupil student child learner people off limit end whole hour moment point \
    circumstance tool tong tweezer brush spoon forcep glove get very hot sharp never always not out away no until \
    laid lay put moved move are is kept person body fingertip nothing anything trail day room school everyone swept";

/// A thing with its words, where they name one.
pub(super) fn thing(mut words: Vec<String>) -> Option<Vec<String>> {
    let done = |word: &String| word.ends_with("ed") && is_deed(word);
    // Hot water is another thing than water, a hot plate the same as a plate.
    let liquid = words.last().is_some_and(|head| lists!("water oil wax liquid soup tea", head));
    words.retain(|word| {
        (!lists(NO_THING, word) || liquid && lists!("hot boiling", word)) && !phrases::is_denial(word) && !done(word)
    });
    (!words.is_empty() && words.len() <= 4).then_some(words)
}

/// Whether a word is a verb of handling.
pub(super) fn is_deed(word: &str) -> bool {
    phrases::verb(word, DEEDS).is_some() || lists!("near goe touch dispense done", word)
}

/// Who is told to do what the verb at this token says, where it is an order to pupils or says that they do it.
pub(super) fn order(step: &Text, at: usize) -> Option<Actor> {
    let open = phrases::is_denied(step, at)
        || super::acts::is_asked(step, at)
        || phrases::is_question(step, at)
        || phrases::is_supposed(step, at);
    let actor = if open { None } else { phrases::actor(step, at) };
    actor.filter(|actor| matches!(actor, Actor::Reader | Actor::Pupils))
}

/// Where a step breaks a rule about a hazard.
pub(super) fn breaks(lesson: &Lesson, rule: &Rule, index: usize, step: &Text) -> Option<usize> {
    let at = (0..step.tokens.len()).find(|at| brings(lesson, rule, index, step, *at))?;
    let sentence = step.sentence(at);
    let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
    let by_teacher = sentence.clone().any(|t| phrases::is_teacher(step, t));
    let shown = has(list!("photo picture video drawing diagram imagine pretend instead not never don't"));
    let during = doings::is_amid(rule, step, at) || shares(&rule.scope, step, 0..step.tokens.len());
    (!by_teacher && !shown && during && !is_over(lesson, rule, index, step, at)).then_some(at)
}

/// Whether what ends a rule came before.
fn is_over(lesson: &Lesson, rule: &Rule, index: usize, step: &Text, at: usize) -> bool {
    let Some(until) = rule.until.as_ref() else { return false };
    // "With the burner still going"
    if step.sentence(at).any(|t| step.word(t) == "still") {
        return false;
    }
    let ended = |text: &Text, range: Range<usize>| range.into_iter().any(|t| are_alike(text.lemma(t), until));
    until.is_empty()
        || ended(step, 0..at)
        || lesson.steps().any(|(known, text)| known < index && ended(text, 0..text.tokens.len()))
}

/// Whether two words are of one root.
fn are_alike(one: &str, other: &str) -> bool {
    one == other || one.len() > 3 && other.len() > 3 && one.get(..4) == other.get(..4)
}

fn shares(words: &[String], step: &Text, range: Range<usize>) -> bool {
    const FIRE: &str = "candle flame burner bunsen fire lit burning match tealight";
    let fire = words.iter().any(|word| lists!(FIRE, word));
    range.into_iter().any(|t| {
        step.word(t).len() > 2
            && (words.iter().any(|word| are_alike(word, step.lemma(t))) || fire && lists!(FIRE, step.lemma(t)))
    })
}

fn brings(lesson: &Lesson, rule: &Rule, index: usize, step: &Text, at: usize) -> bool {
    match &rule.hazard {
        Hazard::Bare(class) => index + 1 < lesson.step_count && is_bare(step, class, at),
        Hazard::Opened => opens(lesson, rule, index, step, at),
        Hazard::Closed => {
            let sentence = step.sentence(at);
            closes(step, at)
                && !doings::is_loose(rule, step, at)
                && order(step, at).is_some()
                && rule.things.iter().any(|thing| {
                    let any = thing.iter().all(|word| lists!("container vessel", word));
                    any || has_all(step, sentence.clone(), thing)
                })
        }
        Hazard::Skin => touches(lesson, rule, step, at) || doings::feels(rule, step, at),
        Hazard::Mouth => eats(rule, step, at),
        Hazard::Reserved => !is_another_deed(rule.text, rule.at, step, at) && handles(lesson, rule, step, at),
        Hazard::Lit => doings::lights(rule, step, at),
        Hazard::Sucked => doings::sucks(step, at),
        Hazard::Chore(verbs) => doings::does(lesson, verbs, step, at),
        Hazard::Together(others) => joins(rule, others, step, at),
        Hazard::Left => {
            let sentence = step.sentence(at);
            let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
            phrases::verb(step.word(at), &["go", "walk", "head", "step", "leave"]).is_some()
                && order(step, at).is_some()
                && has(list!("burning lit boiling heating running"))
                && has(list!("outside outdoors corridor hall yard playground library canteen garden"))
        }
    }
}

/// Whether all words of a thing stand in these tokens.
fn has_all(step: &Text, range: Range<usize>, thing: &[String]) -> bool {
    thing.iter().all(|word| range.clone().any(|t| step.lemma(t) == word))
}

/// "Goggles come off", "push your goggles up", "bare fingers" where gloves are to be worn.
fn is_bare(step: &Text, class: &str, at: usize) -> bool {
    if !lists(class, step.word(at)) && !step.word(at).starts_with("bare") {
        return false;
    }
    let sentence = step.sentence(at);
    let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
    if has(list!("end finished done clean cleaned wash after finally away back last rinsed over home leave hang"))
        && !lists(class, "hair")
        && !(at..sentence.end).any(|t| lists!(super::names::ONGOING, step.word(t)))
    {
        return false;
    }
    let word = step.word(at);
    let start = phrases::clause_start(step, at);
    let near = |words: List, range: Range<usize>| range.into_iter().any(|t| words.has(step.word(t)));
    if lists(class, "gloves") && word == "bare" {
        return lists!("hand hands finger fingers fingertips", step.word(at + 1)) && !phrases::is_denied(step, at);
    }
    if lists(class, "shoes") && lists!("barefoot barefooted", word) {
        return true;
    }
    if !lists(class, word) || WORN.iter().all(|worn| *worn != class) || doings::is_kept_from(step, at) {
        return false;
    }
    let end = phrases::clause_end(step, at);
    if lists(class, "hair") {
        return near(list!("leave let wear keep"), start..at)
            && near(list!("down loose untied free hang hanging open"), at + 1..end.min(at + 5));
    }
    let verb = (at.saturating_sub(5).max(start)..at).rev().find(|t| {
        phrases::verb(
            step.word(*t),
            &["take", "slip", "pull", "peel", "push", "slide", "strip", "lift", "raise", "remove"],
        )
        .is_some()
    });
    let taken = verb.is_some_and(|verb| {
        phrases::is_form_of(step.word(verb), "remove")
            || lists(class, "goggles")
                && phrases::verb(step.word(verb), &["lift", "raise"]).is_some()
                && (1..3).any(|back| lists!("your their", step.word(at.wrapping_sub(back))))
            || near(list!("off up forehead down"), verb + 1..end)
    });
    let come = (at + 1..end.min(at + 5)).any(|t| step.word(t) == "off" && step.word(t + 1) != "limits")
        && (verb.is_some() || near(list!("come comes go"), at + 1..at + 4) || near(list!("off"), at + 1..at + 2));
    let skipped = step.word(at.wrapping_sub(1)) == "without" || step.has_at(at.wrapping_sub(2), &["without", "your"]);
    let moved = verb.is_some_and(|verb| order(step, verb).is_some());
    moved && taken || come && (verb.is_none() || moved) || skipped
}

/// Whether the verb at a token opens something.
fn is_opening(step: &Text, at: usize) -> bool {
    let end = phrases::clause_end(step, at).min(at + 5);
    step.action(at) == Some(Action::Open)
        || phrases::verb(
            step.word(at),
            &["strip", "tear", "rip", "peel", "slit", "prise", "pry", "snap", "pull", "raise", "lift", "take"],
        )
        .is_some()
            && (at + 1..end).any(|t| lists!("tape seal lid film foil sash stopper cork bung", step.word(t)))
            && (at + 1..end).any(|t| lists!("off out open up sash from away lid", step.word(t)))
        || phrases::is_form_of(step.word(at), "remove")
            && (at + 1..end).any(|t| lists!("tape seal lid lids stopper cork bung", step.word(t)))
}

fn opens(lesson: &Lesson, rule: &Rule, index: usize, step: &Text, at: usize) -> bool {
    if !is_opening(step, at) || order(step, at).is_none() {
        return false;
    }
    let sentence = step.sentence(at);
    let mut others = sentence.clone().filter(|t| lists!(CONTAINERS, step.lemma(*t)) && !is_lid(step.word(*t)));
    let own = rule.things.iter().any(|thing| has_all(step, sentence.clone(), thing));
    let before = |text: &Text| rule.things.iter().any(|thing| has_all(text, 0..text.tokens.len(), thing));
    let earlier = || before(step) || lesson.steps().any(|(known, text)| known < index && before(text));
    let lid = rule.things.iter().flatten().all(|word| is_lid(word));
    if (!own || lid) && others.next().is_some() || !own && !earlier() {
        return false;
    }
    let made = |text: &Text, range: Range<usize>| {
        range.into_iter().any(|t| {
            phrases::verb(text.word(t), &["tape", "seal", "close", "zip", "shut", "cap", "incubate", "wrap"]).is_some()
        })
    };
    let stopped = sentence.clone().any(|t| {
        lists!("stopped finished cooled before empty new fresh second another other spare clean", step.word(t))
    });
    !stopped
        && (!rule.once
            || made(step, 0..at) && !step.sentence(at).contains(&0)
            || lesson.steps().any(|(known, text)| known < index && made(text, 0..text.tokens.len())))
}

/// Whether the verb at a token closes a vessel: "screw the cap on", "stopper the tube".
pub(super) fn closes(text: &Text, at: usize) -> bool {
    let end = phrases::clause_end(text, at);
    let lid =
        (at + 1..end.min(at + 6)).find(|t| lists!("cap caps lid lids stopper stoppers cork bung plug", text.word(*t)));
    let put = phrases::verb(text.word(at), &["put", "screw", "fit", "push", "place", "twist", "press", "snap", "turn"])
        .is_some();
    let tight = phrases::verb(text.word(at), &["tighten", "close"]).is_some();
    (put || tight)
        && lid.is_some_and(|lid| {
            tight
                || (at + 1..end.min(lid + 6))
                    .any(|t| lists!("on in onto into tightly firmly back tight down", text.word(t)))
        })
        || phrases::verb(text.word(at), &["cap", "stopper", "cork", "seal", "close", "bung", "plug"]).is_some()
            && (at + 1..end.min(at + 5)).any(|t| lists!(CONTAINERS, text.lemma(t)))
}

/// "Pick the stragglers up between finger and thumb", "squeeze it with your bare hands".
fn touches(lesson: &Lesson, rule: &Rule, step: &Text, at: usize) -> bool {
    const HANDS: &str = "finger fingers fingertip fingertips thumb hand hands palm";
    // "The bare board" is no skin.
    let skin = step.word(at) == "bare"
        && (lists!(HANDS, step.word(at + 1)) || lists!("skin - thumbs palms", step.word(at + 1)));
    // "Fingers out from under the board" may lie on it.
    let under = |text: &Text, t: usize| lists!("under underneath beneath below", text.word(t));
    let below = rule.text.sentence(rule.at).any(|t| under(rule.text, t)) && !step.sentence(at).any(|t| under(step, t));
    if !lists!(HANDS, step.word(at)) && !skin || below {
        return false;
    }
    let (start, end) = (phrases::clause_start(step, at), phrases::clause_end(step, at));
    let by = (at.saturating_sub(3).max(start)..at).any(|t| lists!("with between in by using bare a", step.word(t)))
        || step.word(at) == "bare"
        || doings::dips(step, start, at, end);
    let Some(verb) = (start..at).find(|t| is_deed(step.word(*t)) && order(step, *t).is_some()) else { return false };
    // "Take it with your fingers and set it in the holder" holds it in no holder.
    let covered =
        step.sentence(at).any(|t| lists!("glove gloves gloved tongs tweezers forceps mitt mitts", step.word(t)));
    // A thumb in a glove is covered.
    let gloved = rule.text.sentence(rule.at).any(|t| lists!("glove gloves gloved mitt mitts", rule.text.word(t)));
    if !by || (covered || gloved) && step.word(at) != "bare" || guarded(step, start..end) {
        return false;
    }
    let words = phrases::content_words(step, verb + 1..end);
    let pronoun = (verb + 1..at).any(|t| lists!("it them they one", step.word(t)));
    let whole = if pronoun { phrases::content_words(step, 0..step.tokens.len()) } else { Vec::new() };
    let named = |thing: &Vec<String>| {
        let Some((head, modifiers)) = thing.split_last() else { return false };
        let animal = lists!("animal creature insect minibeast invertebrate bug", head)
            && words.iter().any(|word| lists!(ANIMALS, word));
        animal
            || (words.contains(head) || whole.contains(head))
                && modifiers.iter().all(|word| words.contains(word) || whole.contains(word) || is_deed(word))
    };
    // "The stragglers" are of what the lesson speaks of elsewhere.
    let vague = || {
        let elsewhere = |head: &String| {
            lesson
                .texts()
                .iter()
                .any(|text| text.path != rule.text.path && text.tokens.iter().any(|token| token.lemma == *head))
        };
        !pronoun
            && (verb + 1..at).any(|t| lists!(VAGUE, step.lemma(t)) && step.word(t + 1) != "of")
            && rule.things.iter().filter_map(|thing| thing.last()).any(elsewhere)
    };
    rule.things.iter().any(named) || vague()
}

fn eats(rule: &Rule, step: &Text, at: usize) -> bool {
    if step.action(at) != Some(Action::Taste) || order(step, at).is_none() || lists!("is are was", step.word(at + 1)) {
        return false;
    }
    let sentence = step.sentence(at);
    let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
    if has(list!(
        "snack lunch break fountain home canteen kitchen cafeteria butterfly butterflies bird birds animal animals"
    )) {
        return false;
    }
    let words = phrases::content_words(step, 0..step.tokens.len());
    let named = |thing: &Vec<String>| {
        thing.last().is_some_and(|head| {
            words.contains(head)
                || head == "plant" && words.iter().any(|word| lists!(PLANT, word))
                || lists!("chemical food", head)
        })
    };
    rule.things.is_empty() || rule.things.iter().any(named)
}

/// What only a grown-up may handle, in the hands of pupils.
fn handles(lesson: &Lesson, rule: &Rule, step: &Text, at: usize) -> bool {
    // "Carry on with the baths in the same way"
    let on = lists!("carry carries", step.word(at)) && lists!("on out", step.word(at + 1));
    if on || phrases::verb(step.word(at), DEEDS).is_none() {
        return false;
    }
    match order(step, at) {
        None => return false,
        Some(Actor::Reader) if super::speaks_to_teacher(lesson) || step.word(0) == "teacher" => return false,
        Some(_) => {}
    }
    let end = phrases::clause_end(step, at).min(at + 14);
    let sentence = step.sentence(at);
    let groups = phrases::groups(step, at + 1..end);
    let held = |thing: &Vec<String>| {
        let Some(head) = thing.last() else { return false };
        has_all(step, sentence.clone(), thing)
            && groups.iter().any(|group| {
                lists!("with from of", &group.preposition) && group.head() == head && !is_beside(step, group)
                    || (group.preposition.is_empty()
                        || lists!("on off", &group.preposition) && lists!("switch turn", step.word(at)))
                        && (group.head() == head
                            || lists!("bottle flame stick gun", group.head()) && group.words.contains(head))
            })
    };
    rule.things.iter().any(held)
}

/// "In front of the fan", "on top of the oven": whether a thing is named for a place alone.
fn is_beside(step: &Text, group: &phrases::Group) -> bool {
    let of = (group.tokens.start.saturating_sub(4)..group.tokens.start).rev().find(|t| step.word(*t) == "of");
    of.is_some_and(|of| lists!("front top side ahead middle left right", step.word(of.wrapping_sub(1))))
}

/// Whether a clause brings two things together that are to be kept apart.
fn joins(rule: &Rule, others: &[String], step: &Text, at: usize) -> bool {
    let Some(ones) = rule.things.first() else { return false };
    // An alcohol thermometer is no alcohol.
    let tool = |t: usize| lists!("thermometer thermometers lamp burner burners level", step.word(t + 1));
    let is = |words: &[String], t: usize| words.iter().any(|word| word == step.lemma(t)) && !tool(t);
    if !is(ones, at) && !is(others, at) {
        return false;
    }
    let (start, end) = (phrases::clause_start(step, at), phrases::clause_end(step, at));
    let has = |words: List| (start..end).any(|t| words.has(step.word(t)));
    if has(list!(
        "film filmed photograph away out off extinguish extinguished cool cooled before from far behind unlit"
    )) {
        return false;
    }
    let (mine, theirs) = if is(ones, at) { (ones.as_slice(), others) } else { (others, ones.as_slice()) };
    let Some(other) = (at + 1..end).find(|t| is(theirs, *t) && !is(mine, *t)) else { return false };
    let joined = (other.saturating_sub(5).max(at + 1)..other).any(|t| {
        lists!(
            "in into onto on over under near against to toward towards beside with above beneath underneath below so",
            step.word(t),
        )
    });
    // "Rinse it with water and dry it under the lamp" tells of two deeds.
    let apart = (at + 1..other).any(|t| lists!("and then", step.word(t)) && is_deed(step.word(t + 1)));
    joined && !apart && (start..at).any(|t| order(step, t).is_some() && step.word(t).len() > 2)
}

#[cfg(test)]
mod tests;
