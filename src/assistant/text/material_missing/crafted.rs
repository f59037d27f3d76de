//! Things that a lesson makes, draws, or has as stuff of which there is some: words around a name tell.

use super::cues::USING;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns;
use crate::assistant::facts::phrases;
use crate::assistant::facts::words::Token;

/// Whether things are cut and glued, which become another.
pub fn is_crafted(step: &Text) -> bool {
    step.tokens
        .iter()
        .any(|token| token.is_one_of(&["cut", "fold", "glue", "assemble", "punch", "slit", "build", "make"]))
}

const MAKING: [&str; 9] = ["make", "build", "construct", "assemble", "create", "becomes", "turn", "invent", "homemade"];

/// Whether a plan has a thing made: "a thermometer of our own", and "a wind vane" of the objective "build a rain gauge and a
/// wind vane".
pub fn is_planned(plan: &Text, at: usize) -> bool {
    (plan.sentence(at).start..at)
        .any(|before| MAKING.contains(&plan.word(before)) || lists!("making building", plan.word(before)))
        || plan.role == Role::Title && (0..plan.tokens.len()).any(|at| lists!(OWN, plan.word(at)))
}

/// Words of titles that name what is made.
const OWN: &str = "own homemade home-made model make build making building design designing construct invent paper cardboard \
    human potato lemon toy diy straw jar jam-jar bottle cup can tin balloon pinhole shoebox";

/// Whether a step makes a thing, or the teacher has it: "the teacher switches on the lamp".
pub fn is_provided(step: &Text, at: usize) -> bool {
    // "Keep the bottoms as beakers and the tops as funnels"
    let serves = step.word(at.wrapping_sub(1)) == "as" && nouns::is_plural(step.word(at));
    serves || is_made(step, at) || step.sentence(at).any(|at| phrases::is_teacher(step, at))
}

/// Whether a funnel is the top of a bottle that is cut off.
pub fn is_funnel_cut(lesson: &Lesson) -> bool {
    let cut = |step: &Text, at: usize| step.word(at) == "cut" || step.has_at(at, &["upside", "down"]);
    lesson.steps().any(|(_, step)| {
        (0..step.tokens.len()).any(|at| cut(step, at) && step.sentence(at).any(|other| step.lemma(other) == "bottle"))
    })
}

/// "Build a thermometer"
fn is_made(step: &Text, at: usize) -> bool {
    const SHAPING: [&str; 18] = [
        "squeeze",
        "press",
        "twist",
        "fold",
        "roll",
        "shape",
        "bend",
        "cut",
        "form",
        "mould",
        "mold",
        "crumple",
        "squash",
        "scrunch",
        "coil",
        "curl",
        "pleat",
        "transform",
    ];
    let shaped = || {
        (at.saturating_sub(4)..at).any(|before| step.word(before) == "into")
            && (step.sentence(at).start..at).any(|before| SHAPING.contains(&step.word(before)))
    };
    let told = |end: usize| {
        (end..end + 6).any(|at| matches!(step.word(at), "built" | "made" | "constructed" | "assembled"))
            && (end..end + 3).any(|at| matches!(step.word(at), "you" | "you've" | "we" | "they"))
    };
    // "You have a simple spirometer", "now you own two pulleys", "we have built a hygrometer"
    let owned = || {
        let start = at.saturating_sub(6).max(step.sentence(at).start);
        (start..at).any(|have| {
            lists!("have own got hold", step.word(have))
                && (start..have).any(|who| lists!("you we", step.word(who)))
                && (start..at).any(|at| lists!("now simple built made working own finished", step.word(at)))
        })
    };
    // "Fold a U and a fan", "roll a ball" of dough
    let folded = || {
        lists!("a an", step.word(at.wrapping_sub(1)))
            && ((at.saturating_sub(6)..at).any(|before| lists!("fold pleat", step.word(before)))
                || step.has_at(at.wrapping_sub(2), &["roll", "a", "ball"]))
    };
    // "Tape the tiles into a prism"
    let joined = || {
        (at.saturating_sub(2)..at).any(|a| lists!("a an", step.word(a)) && step.word(a.wrapping_sub(1)) == "into")
            && (step.sentence(at).start..at).any(|before| lists!("tape join glue bind staple", step.word(before)))
    };
    // "That gives you about 100 mL of buffer"
    let given = || (at.saturating_sub(8)..at).any(|before| step.has_at(before, &["gives", "you"]));
    (at.saturating_sub(5)..at).any(|before| MAKING.contains(&step.word(before)))
        || given()
        || owned()
        || folded()
        || joined()
        || shaped()
        || told(at + 1)
        || told(at + 2)
}

/// "Draw a lamp, a battery and a switch" handles none of them.
pub fn is_drawn(words: &[Token], at: usize) -> bool {
    const DRAWN: [&str; 8] = ["draw", "sketch", "label", "name", "list", "picture", "describe", "write"];
    let before = words.get(..at).unwrap_or_default();
    before.first().is_some_and(|first| first.is_one_of(&DRAWN))
        && !before.iter().any(|token| USING.has(&token.word) || token.is_one_of(&["then", "on", "around", ";"]))
}

/// "Through filter paper" needs no article.
pub fn is_stuff(name: &str) -> bool {
    ["paper", "foil", "film", "wrap", "tape", "wool"].iter().any(|stuff| name.ends_with(stuff))
}

/// "The dropper holds the ruler" is one of the children, and so is "one timer, one scribe".
pub fn is_a_child(step: &Text, name: &str, end: usize, words: &[Token]) -> bool {
    const ACTS: [&str; 24] = [
        "stands", "climbs", "sits", "kneels", "steps", "walks", "stays", "keeps", "gets", "must", "should", "tells",
        "holds", "lets", "says", "waits", "releases", "calls", "swaps", "shouts", "counts", "and", "drops", "writes",
    ];
    let role = |token: &Token| {
        let word = token.word.as_str();
        matches!(word, "scribe" | "role" | "roles" | "job" | "jobs" | "partner" | "member" | "be" | "are" | "becomes")
            || [
                "catcher", "reader", "recorder", "observer", "holder", "roller", "dropper", "timer", "writer",
                "starter",
            ]
            .iter()
            .any(|known| *known == word && word != name)
    };
    matches!(name, "dropper" | "timer") && (ACTS.contains(&step.word(end)) || words.iter().any(role))
}

#[cfg(test)]
mod tests {
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn what_the_lesson_makes_or_the_teacher_brings_is_not_missing() {
        let count = |objective: &str, steps: [&str; 2]| {
            let steps = steps.map(|text| json!({ "text": text }));
            let materials = json!([{"name": "Card", "quantity": 2}, {"name": "Straw", "quantity": 4}]);
            let content = json!({"objectives": [objective], "materials": materials, "steps": steps});
            super::super::find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        let light = "Hold the card close to the lamp.";
        for (objective, steps, expected) in [
            ("See shadows", ["The teacher switches on the lamp in the middle.", light], 0),
            ("See shadows", ["Switch on.", light], 1),
            ("Build a rain gauge and a wind vane", ["Cut the card.", "Blow to test the wind vane."], 0),
            ("Build a rain gauge and a lamp", ["Cut the card.", light], 0),
            ("Know a lamp", ["Cut the card.", light], 1),
        ] {
            assert_eq!(count(objective, steps), expected, "{objective}: {steps:?}");
        }
    }
}
