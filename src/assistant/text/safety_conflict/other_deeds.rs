//! Deeds that a rule leaves alone: another than the one it reserves, one that it orders itself, and a drink of water.

use super::super::Match;
use super::acts;
use super::deeds::order;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, Group, lists};
use crate::assistant::facts::words::{self, Token};

/// How a thing is taken elsewhere.
const TAKES: &[&str] = &["carry", "bring", "move", "lift", "transport", "fetch", "take", "collect", "pass", "hand"];
/// How a device is set.
const TURNS: &[&str] = &[
    "change", "adjust", "alter", "regulate", "set", "turn", "switch", "raise", "lower", "increase", "decrease",
    "press", "push", "slide", "move", "put", "operate", "handle", "touch",
];

/// "Toss, do not fling, the card": whether a rule itself asks for what a step does.
pub(super) fn is_ordered(rule: &Text, rule_at: usize, step: &Text, at: usize) -> bool {
    let done = stem(step.word(at));
    let asked = |t: usize| stem(rule.word(t)) == done && order(rule, t).is_some();
    stem(rule.word(rule_at)) != done && rule.sentence(rule_at).any(asked)
}

/// "Only what is on the plate is tasted", and "drink water" where the list has water to drink.
pub(super) fn drinks_what_is_there(lesson: &Lesson, told: &Match) -> bool {
    let [rule, step] = told.finding.evidence.as_slice() else { return false };
    let (rule, step) = (words::tokens(&rule.quote, 200), words::tokens(&step.quote, 200));
    let drinks = |token: &Token| phrases::verb(&token.word, &["drink", "sip"]).is_some();
    let eats =
        |token: &Token| phrases::verb(&token.word, &["eat", "taste", "lick", "chew", "bite", "nibble"]).is_some();
    let small = |token: &Token| lists!("a sip of the some your", &token.word);
    let water = |said: &[Token]| {
        let plain = said.iter().skip(1).find(|token| !small(token));
        said.first().is_some_and(drinks) && plain.is_some_and(|token| token.is("water"))
    };
    let listed = |name: &Text| (0..name.tokens.len()).any(|t| name.has_at(t, &["drinking", "water"]));
    step.windows(4).any(water)
        && !step.iter().any(eats)
        && !rule.iter().any(drinks)
        && lesson.materials().iter().any(|material| listed(material.name))
}

/// "Only the teacher carries the kettle", "only the teacher changes the level of the fan": who pours from the one where it stands
/// carries nothing, and who drops a thing before the other changes nothing.
pub(super) fn is_another_deed(rule: &Text, rule_at: usize, step: &Text, at: usize) -> bool {
    const CARRIES: &[&str] = &["carry", "bring", "move", "lift", "transport"];
    const CHANGES: &[&str] = &["change", "adjust", "alter", "regulate"];
    let done = |verbs: &[&str]| phrases::verb(step.word(at), verbs).is_some();
    let sole = |t: usize| {
        let before = t.wrapping_sub(1);
        (phrases::is_teacher(rule, before) || lists!("may can must is are be only", rule.word(before)))
            && !lists!("and or", rule.word(t + 1))
    };
    let changed = |t: usize| phrases::verb(rule.word(t), CHANGES).is_some() && sole(t);
    let carried = rule.sentence(rule_at).any(|t| phrases::verb(rule.word(t), CARRIES).is_some());
    carried && (!done(TAKES) || is_done_to_another(rule, rule_at, step, at))
        || rule.sentence(rule_at).any(changed) && !done(TURNS)
        || rule.sentence(rule_at).any(|t| is_left_to_teacher(rule, t) && !is_alike(rule, t, step, at))
}

/// "The bath is moved by the teacher only", and "take the tube out of the bath".
fn is_done_to_another(rule: &Text, rule_at: usize, step: &Text, at: usize) -> bool {
    let groups = phrases::groups(step, at + 1..phrases::clause_end(step, at));
    let out = |group: &Group| {
        let near = group.tokens.start.saturating_sub(4)..group.tokens.start;
        near.into_iter().any(|t| step.has_at(t, &["out", "of"]))
    };
    let held = |group: &&Group| group.preposition.is_empty() || lists!("of with up", &group.preposition) && !out(group);
    let named = |group: &Group| rule.sentence(rule_at).any(|t| rule.lemma(t) == group.head());
    groups.first().is_some_and(|first| first.preposition.is_empty()) && !groups.iter().filter(held).any(named)
}

/// "Kettles are filled only by the teacher", "only adults pour the rice": whether the word at a token is what is left to the
/// teacher, and no plain use.
fn is_left_to_teacher(rule: &Text, at: usize) -> bool {
    let teacher = at.wrapping_sub(1);
    if lists!("pour pours fill fills", rule.word(at)) && phrases::is_teacher(rule, teacher) {
        return (teacher.saturating_sub(2)..teacher).any(|t| rule.word(t) == "only");
    }
    let by = (at + 1..at + 3).find(|t| rule.word(*t) == "by");
    let is = (at.saturating_sub(3)..at).any(|t| lists!("is are be", rule.word(t)));
    let plain = [
        "use",
        "handle",
        "touch",
        "operate",
        "hold",
        "do",
        "work",
        "manage",
        "serve",
        "keep",
        "bring",
        "give",
        "dispense",
        "measure",
        "distribute",
        "control",
        "supervise",
    ];
    let word = rule.word(at);
    (word.ends_with("ed") || lists!("lit cut poured", word))
        && is
        && by.is_some_and(|by| (by + 1..by + 4).any(|t| phrases::is_teacher(rule, t)))
        && phrases::verb(word, &plain).is_none()
        && !rule.sentence(at).any(|t| lists!("and", rule.word(t)) && rule.word(t + 1).ends_with("ed"))
}

/// Whether a step does what the word of a rule tells, in whatever words.
fn is_alike(rule: &Text, rule_at: usize, step: &Text, at: usize) -> bool {
    const KINDS: [&[&str]; 4] = [
        TAKES,
        TURNS,
        &["fill", "refill", "top", "pour", "add", "put", "load"],
        &["switch", "turn", "start", "plug", "press", "push", "connect", "operate"],
    ];
    let (ruled, done) = (rule.word(rule_at), step.word(at));
    let both = |row: &[&str]| phrases::verb(ruled, row).is_some() && phrases::verb(done, row).is_some();
    stem(ruled) == stem(done)
        || rule.action(rule_at).is_some() && rule.action(rule_at) == step.action(at)
        || acts::rows(ruled).into_iter().any(both)
        || KINDS.into_iter().any(both)
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn a_deed_that_is_left_to_the_teacher_leaves_the_others() {
        for (rule, step, expected) in [
            ("Kettles are filled only by the teacher.", "Collect hot water from the kettle.", 0),
            ("The boiling bath is moved by the teacher only.", "Take the tube out of the boiling bath.", 0),
            ("The lamp is switched by the teacher only.", "Warm both boxes with the lamp.", 0),
            ("Kettles are filled only by the teacher.", "Fill the kettle with water.", 1),
            ("Only adults pour the rice.", "Touch and smell the rice, and guess what is hidden in it.", 0),
            ("Only adults pour the rice.", "Pour the rice into the bowl.", 1),
            ("The boiling bath is moved by the teacher only.", "Carry the boiling bath to the bench.", 1),
            ("The lamp is switched by the teacher only.", "Turn the lamp on.", 1),
            ("The lamp is used by the teacher only.", "Warm both boxes with the lamp.", 1),
        ] {
            assert_eq!(count(rule, &[step]), expected, "{rule} {step}");
        }
    }

    #[test]
    fn a_deed_that_a_rule_orders_breaks_it_not() {
        for (rule, step, expected) in [
            ("Toss, do not fling, the cardboard.", "Toss one piece of cardboard.", 0),
            ("Press the lid and never squash the lid.", "Press the lid down.", 0),
            ("Do not fling the cardboard.", "Toss the cardboard across the room.", 1),
            ("Toss, do not fling, the cardboard.", "Fling the cardboard at the wall.", 1),
        ] {
            assert_eq!(count(rule, &[step]), expected, "{rule} {step}");
        }
    }

    #[test]
    fn water_that_is_listed_to_drink_is_no_tasting() {
        let count = |rule: &str, material: &str, step: &str| {
            let steps = json!([{ "text": step }, { "text": "Record what you see." }]);
            let content = json!({"materials": [{"name": material}], "steps": steps, "safety": [rule]});
            super::super::find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        let rule = "Only what the teacher has prepared is tasted.";
        assert_eq!(count(rule, "cups of drinking water", "Drink water in between."), 0);
        assert_eq!(count(rule, "cups of drinking water", "Taste the berries."), 1);
        assert_eq!(count(rule, "pond water", "Drink the water."), 1);
        assert_eq!(count("No eating or drinking.", "cups of drinking water", "Drink water in between."), 1);
    }

    #[test]
    fn fingers_that_are_kept_from_under_a_thing_may_lie_on_it() {
        for (rule, step, expected) in [
            ("Keep fingers out from under the board.", "Lay the block on the bare board and raise one end.", 0),
            ("Keep fingers out from under the board.", "Press the block on the board with your fingers.", 0),
            ("Keep bare fingers off the wire.", "Put the bare wire on the wire mesh.", 0),
            ("Bare fingers must not touch the slugs.", "Pick up the slugs with your bare fingers.", 1),
        ] {
            assert_eq!(count(rule, &[step]), expected, "{rule} {step}");
        }
    }
}
