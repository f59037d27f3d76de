//! What a step does against a demand of [`super::demands`]: it lights what is to stay unlit, it sucks, it does a chore.

use super::deeds::order;
use super::hazards::{Hazard, Rule, guarded};
use crate::assistant::facts::actions::{Action, illuminates};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::phrases::{self, Actor, lists};

/// What anybody may cut, pierce or glue.
const HARMLESS: &str = "paper string card cardboard tape label yarn thread ribbon foil strip picture wool straw cloth fabric sponge \
    worksheet template plasticine clay dough circuit cotton";

/// "Light the Bunsen", where all burners are to stay unlit while there is what the step has.
pub(super) fn lights(rule: &Rule, step: &Text, at: usize) -> bool {
    let verb = step.action(at) == Some(Action::Ignite) || phrases::verb(step.word(at), &["light", "ignite"]).is_some();
    if !verb || illuminates(step, at) || order(step, at).is_none() {
        return false;
    }
    let fire = (at + 1..step.sentence(at).end.min(at + 6))
        .any(|t| lists!("bunsen burner candle flame stove lighter match tealight lamp", step.lemma(t)));
    let scoped = rule.text.sentence(rule.at).any(|t| lists!("while when whenever as once during", rule.text.word(t)));
    // What must not be near a flame is named in the rule and in the step.
    let stuff = || {
        let tokens = 0..rule.text.tokens.len();
        let said = phrases::content_words(rule.text, tokens);
        said.iter().any(|word| {
            lists!(
                "ethanol alcohol methanol propanone acetone propanol spirit spirits petrol solvent gas hydrogen fuel oil",
                word,
            ) && step.tokens.iter().any(|token| token.lemma == *word)
        })
    };
    fire && (!scoped || stuff())
}

/// "Do not take your goggles off", "take the goggles off the hook".
pub(super) fn is_kept_from(step: &Text, at: usize) -> bool {
    let hook = |t: usize| lists!("hook hooks peg pegs shelf rack stand", step.word(t));
    phrases::is_denied(step, at) || (at + 1..phrases::clause_end(step, at)).any(hook)
}

/// Whether a rule holds at all times, or what it is about comes about in the midst of the work.
///
/// "Take your goggles off, so that you can read the rule": they come off in the midst of the work.
pub(super) fn is_amid(rule: &Rule, step: &Text, at: usize) -> bool {
    let looks = |t: usize| lists!("read see look watch observe", step.word(t + 1));
    // "To write, and put on new ones to see the roots" puts others on.
    let end = (at..step.sentence(at).end).find(|t| step.word(*t) == "and").unwrap_or(step.sentence(at).end);
    let looks_closer = (at..end).any(|t| lists!("to can", step.word(t)) && looks(t));
    rule.scope.is_empty() || matches!(rule.hazard, Hazard::Bare(_)) && looks_closer
}

/// "Ethanol must never be heated over a flame".
pub(super) fn heats_over(text: &Text, start: usize, at: usize) -> bool {
    lists!("over with on", text.word(at))
        && (at + 1..at + 4).any(|t| lists!("flame flames bunsen burner candle fire", text.word(t)))
        && (start..at)
            .any(|t| phrases::verb(text.word(t), &["heat", "warm", "boil"]).is_some() && phrases::is_denied(text, t))
}

/// "Suck up 10 ml the way you would with a straw"
pub(super) fn sucks(step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let verb = phrases::verb(step.word(at), &["suck"]).is_some()
        || phrases::verb(step.word(at), &["draw", "pull", "pipette"]).is_some()
            && sentence.clone().any(|t| lists!("mouth lips", step.word(t)) && step.word(t + 1) != "of");
    let filler = (at + 1..sentence.end).any(|t| lists!("bulb filler syringe pump squeeze plunger", step.word(t)));
    verb && !filler && order(step, at).is_some()
}

/// Whether the verb at a token does the chore of a grown-up.
pub(super) fn does(lesson: &Lesson, verbs: &[&str], step: &Text, at: usize) -> bool {
    if phrases::verb(step.word(at), verbs).is_none() || step.word(at).ends_with("ing") {
        return false;
    }
    let end = phrases::clause_end(step, at).min(at + 8);
    let harmless = (at + 1..end).any(|t| lists!(HARMLESS, step.lemma(t)));
    let out = lists!("out off", step.word(at + 1)) || lists!("scissors", step.word(end.wrapping_sub(1)));
    match order(step, at) {
        _ if harmless || out => false,
        Some(Actor::Pupils) => !step.sentence(at).any(|t| phrases::is_teacher(step, t)),
        Some(Actor::Reader) => {
            !(0..step.tokens.len()).any(|t| phrases::is_teacher(step, t)) && !super::speaks_to_teacher(lesson)
        }
        _ => false,
    }
}

/// Whether what is closed is left so that gas gets out, or is closed in another way than the rule speaks of.
pub(super) fn is_loose(rule: &Rule, step: &Text, at: usize) -> bool {
    let tight = "tight tightly firmly hard down";
    step.sentence(at).any(|t| lists!("loosely loose ajar hole holes vent vented pierced lightly without", step.word(t)))
        || rule.text.sentence(rule.at).any(|t| lists!("tight tightly", rule.text.word(t)))
            && !step.sentence(at).any(|t| lists(tight, step.word(t)))
}

/// "Dip two fingertips in the cup"
pub(super) fn dips(step: &Text, start: usize, at: usize, end: usize) -> bool {
    (at.saturating_sub(4).max(start)..at).any(|t| {
        phrases::verb(
            step.word(t),
            &["dip", "put", "poke", "stick", "plunge", "lower", "push", "hold", "rest", "immerse", "run", "dangle"],
        )
        .is_some()
    }) && (at + 1..end.min(at + 3)).any(|t| lists!("in into through", step.word(t)))
}

/// "Touch the hot plate", where hands are to stay off it.
pub(super) fn feels(rule: &Rule, step: &Text, at: usize) -> bool {
    let verb = phrases::verb(step.word(at), &["touch", "feel", "stroke", "poke", "prod", "pat"]).is_some();
    if !verb || order(step, at).is_none() || guarded(step, step.sentence(at)) {
        return false;
    }
    // "Feel how heavy the plate is" and "touch the wire to the plate" touch it with no hand.
    let end = phrases::clause_end(step, at);
    let other = (at + 1..end).any(|t| lists!("how whether to with against for if above over near", step.word(t)));
    let groups = phrases::groups(step, at + 1..end);
    let first = groups.first().filter(|group| group.preposition.is_empty() && !other);
    let said = |word: &String| step.sentence(at).any(|t| step.lemma(t) == word);
    first.is_some_and(|group| {
        rule.things.iter().any(|thing| thing.last().is_some_and(|head| head == group.head()) && thing.iter().all(said))
    })
}
