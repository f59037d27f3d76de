//! What a rule demands and a step turns into its opposite: "cut away from your body" and "cut towards yourself", "windows
//! stay open" and "close the windows", "only behind the screen" and "without the screen".

use std::ops::Range;

use super::deeds::order;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// What carries a current.
const POWER: &str = "power current supply battery batteries plug circuit mains electricity switch lamp motor";
/// What protects, guides or watches those who work.
const GUARDS: &str = "filter shield screen guard tray mat holder funnel hood helmet harness mask apron tongs tweezers pump bulb \
    filler rope clamp lid lens viewer tripod gauze cover vest spotter buddy belt seatbelt sieve cap thermometer";
/// Whoever may be hurt.
const PEOPLE: &str = "partner neighbour neighbor friend classmate face eye yourself anyone anybody someone somebody everybody \
    everyone people person you others student pupil child body audience group";
/// What lets air in.
const OPENINGS: &str = "window windows door doors vent vents hatch skylight";

/// So many demands are heeded: more are no lesson's, and each is laid beside every word of the steps.
const MOST_DEMANDS: usize = 64;

/// The rule and its token, the step and its index and token.
type Broken<'l, 'c> = (&'l Text<'c>, usize, usize, &'l Text<'c>, usize);

/// A demand of a rule.
enum Demand<'w> {
    /// Blades and mouths of tubes are kept away from people; these are the verbs.
    Away(&'static [&'static str]),
    /// What lets air in stays open.
    Open(&'w str),
    /// The current is off.
    Off,
    /// Something is used.
    With(&'w str),
}

/// The demands of rules, each with the first step that does the opposite.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let (mut found, mut left) = (Vec::new(), MOST_DEMANDS);
    for rule in lesson.safety() {
        for sentence in rule.sentences() {
            let has = |words: List| sentence.clone().any(|t| words.has(rule.word(t)));
            if has(list!("unless except optional if may can could")) || phrases::is_question(rule, sentence.start) {
                continue;
            }
            let demands = sentence.clone().filter_map(|at| Some((at, demand(rule, &sentence, at)?)));
            for (at, demand) in demands.take(left) {
                left -= 1;
                found.extend(lesson.steps().find_map(|(index, step)| {
                    let done = (0..step.tokens.len()).find(|t| is_opposed(rule, &demand, step, *t))?;
                    Some((rule, at, index, step, done))
                }));
            }
        }
    }
    found
}

fn demand<'w>(rule: &'w Text, sentence: &Range<usize>, at: usize) -> Option<Demand<'w>> {
    const CUTS: &[&str] = &["cut", "slice", "carve", "whittle", "saw", "trim", "shave"];
    const POINTS: &[&str] = &["point", "aim", "direct", "turn", "tilt", "fire", "launch"];
    let word = rule.word(at);
    let end = phrases::clause_end(rule, at);
    let kept = |words: List| (at + 1..end.min(at + 6)).any(|t| words.has(rule.word(t)));
    if phrases::is_denied(rule, at) {
        // "Never without the filter"
        let without = rule.word(at.wrapping_sub(1)) == "without" || rule.word(at.wrapping_sub(2)) == "without";
        let never = sentence.clone().any(|t| t + 1 < at && lists!("never nobody no not", rule.word(t)));
        return (lists!(GUARDS, word) && without && never).then_some(Demand::With(rule.lemma(at)));
    }
    let away = || (at + 1..end).find(|t| rule.has_at(*t, &["away", "from"]));
    let people = |from: usize| (from + 2..end.min(from + 7)).any(|t| lists!(PEOPLE, rule.lemma(t)));
    for verbs in [CUTS, POINTS] {
        if phrases::verb(word, verbs).is_some() {
            return away().filter(|from| people(*from)).map(|_| Demand::Away(verbs));
        }
    }
    let always = lists!("keep leave", rule.word(at.wrapping_sub(1)))
        || lists!("keep leave", rule.word(at.wrapping_sub(2)))
        || kept(list!("stay stays remain remains kept left"));
    if lists!(OPENINGS, word) && always && kept(list!("open ajar")) {
        return Some(Demand::Open(rule.lemma(at)));
    }
    let before = || (at + 1..sentence.end).any(|t| lists!("before whenever while when", rule.word(t)));
    if lists!(POWER, word) && kept(list!("off disconnected unplugged")) && before() && lists!("off", rule.word(at + 1))
    {
        return Some(Demand::Off);
    }
    let first = rule.word(sentence.start);
    let disconnects = lists!("disconnect unplug", rule.word(at.wrapping_sub(2)))
        || rule.has_at(at.wrapping_sub(3), &["switch", "off"]);
    if lists!(POWER, word) && disconnects && before() && !lists!("after", first) {
        return Some(Demand::Off);
    }
    let only = || sentence.clone().any(|t| lists!("only always must", rule.word(t)));
    let by = (at.saturating_sub(4).max(sentence.start)..at)
        .any(|t| lists!("with through behind under over use using on in wear into", rule.word(t)));
    (lists!(GUARDS, word) && only() && by).then_some(Demand::With(rule.lemma(at)))
}

fn is_opposed(rule: &Text, demand: &Demand, step: &Text, at: usize) -> bool {
    let word = step.word(at);
    let begins = match demand {
        Demand::Away(verbs) => phrases::verb(word, verbs).is_some(),
        Demand::Open(_) => phrases::verb(word, &["close", "shut"]).is_some(),
        Demand::Off => lists!(POWER, word),
        Demand::With(_) => word == "without",
    };
    if !begins {
        return false;
    }
    let sentence = step.sentence(at);
    let spared = |t: usize| {
        phrases::is_teacher(step, t)
            || lists!("photo picture video imagine pretend instead compare difference not never don't", step.word(t))
    };
    let end = phrases::clause_end(step, at);
    let opposed = match demand {
        Demand::Away(verbs) => {
            let cuts = verbs.contains(&"cut");
            // "Cut it at the end" cuts towards nobody.
            let toward = |t: &usize| lists!("toward towards", step.word(*t)) || !cuts && step.word(*t) == "at";
            let toward = (at + 1..end).find(toward);
            let rule_has = |t: usize| rule.tokens.iter().any(|token| token.lemma == step.lemma(t));
            order(step, at).is_some()
                && toward.is_some_and(|toward| {
                    (toward + 1..end.min(toward + 4)).any(|t| lists!(PEOPLE, step.lemma(t)))
                        && (cuts || (at + 1..toward).any(rule_has))
                })
        }
        Demand::Open(opening) => {
            order(step, at).is_some() && (at + 1..end.min(at + 4)).any(|t| step.lemma(t) == *opening)
        }
        Demand::Off => {
            let on = (at + 1..end.min(at + 6)).any(|t| lists!("on connected live running", step.word(t)));
            let said = (at.saturating_sub(3)..at).any(|t| lists!("while with", step.word(t)));
            on && said
                && sentence.clone().any(|t| {
                    rule.tokens.iter().any(|token| token.word.len() > 3 && token.lemma == step.lemma(t))
                        && phrases::actor(step, t).is_some()
                        || phrases::verb(step.word(t), &["touch", "change", "swap", "unscrew", "wire", "rewire"])
                            .is_some()
                })
        }
        Demand::With(guard) => {
            (at + 1..end.min(at + 5)).any(|t| step.lemma(t) == *guard)
                && sentence.clone().any(|t| {
                    t < at && order(step, t).is_some() && super::deeds::is_deed(step.word(t))
                        || t < at && lists!("look repeat watch view do", step.word(t))
                })
        }
    };
    opposed && !sentence.clone().any(spared)
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_step_that_does_the_opposite_is_found() {
        for (safety, step) in [
            ("Always cut away from your body.", "Hold the stick and cut towards yourself."),
            ("Point the tube away from everybody.", "Point the tube at your partner."),
            ("Windows stay open.", "Close the windows and start."),
            ("Keep the doors open.", "Shut the door so that no draught comes in."),
            (
                "Disconnect the battery before you touch the wires.",
                "With the battery still connected, touch the wires.",
            ),
            ("Power off before changing bulbs.", "Swap the bulbs while the power is on."),
            ("Look at the sun only through the filter.", "Look up at the sun without the filter."),
            ("Always work behind the screen.", "Repeat it without the screen and film it."),
        ] {
            assert_eq!(count(safety, &["Get ready.", step]), 1, "{safety} / {step}");
        }
    }

    #[test]
    fn what_is_no_opposite_is_passed_over() {
        for (safety, step) in [
            ("Always cut away from your body.", "Cut the apple in half."),
            ("Always cut away from your body.", "Cut the string at the other end."),
            ("Point the tube away from everybody.", "Point the tube at the wall."),
            ("Windows stay open.", "Close the box."),
            ("The window may stay open.", "Close the window."),
            ("Disconnect the battery before you touch the wires.", "With the battery connected, read the meter."),
            ("Power off before changing bulbs.", "Switch the power on."),
            ("Look at the sun only through the filter.", "Filter the water without the sun."),
            ("Always use a tray.", "Compare it with the run without the tray."),
            ("Use a funnel.", "Pour without spilling."),
        ] {
            assert_eq!(count(safety, &["Get ready.", step]), 0, "{safety} / {step}");
        }
    }
}
