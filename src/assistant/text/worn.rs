//! What all of a group put on at once: "all four of you pull on gloves", where there are two pairs. A part of
//! `material_quantity`.

use super::Match;
use super::material_quantity::{from_elsewhere, more};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns;

/// Whether something may be found at a token.
pub fn begins(step: &Text, at: usize) -> bool {
    lists!("put puts pull pulls slip slips", step.word(at)) && step.word(at + 1) == "on" || step.word(at) == "wears"
}

/// What is found at a token; nothing where it [begins] with none.
pub fn find(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let size = lesson.group_size().filter(|size| begins(step, at) && (2..=12).contains(size))? as f64;
    let start = step.sentence(at).start;
    // "All four of you", "every member of your group", "everyone"
    let all = (start..at).any(|at| match step.word(at) {
        "everyone" | "everybody" => true,
        "all" | "each" | "every" => (at + 1..at + 5).any(|at| lists!("you member members", step.word(at))),
        _ => false,
    });
    let begin = at + 1 + usize::from(step.word(at + 1) == "on");
    let begin = begin + usize::from(lists!("a the your their", step.word(begin)));
    let begin = if step.has_at(begin, &["pair", "of"]) { begin + 2 } else { begin };
    let noun = nouns::phrase(&step.tokens, begin, true).filter(|noun| all && noun.tokens.start == begin)?;
    let fits = |name: &Text| nouns::material(name).is_some_and(|name| name.fits(&noun));
    let mut fitting = lesson.materials().into_iter().filter(|material| fits(material.name));
    let material = fitting.next().filter(|_| fitting.next().is_none())?;
    let paired = material.unit.is_none_or(|unit| lists!("pair pairs", unit));
    let have = material.quantity.and_then(serde_json::Value::as_f64).filter(|_| paired)?;
    let whole = material.notes.is_none_or(|notes| !notes.tokens.iter().any(|token| token.is_one_of(OPEN)));
    let what = step.words(&(at..noun.tokens.end));
    // A single one may stand for the kind.
    let counted = have > 1.0 || material.unit.is_some();
    (size > have && counted && whole && !from_elsewhere(step, at))
        .then(|| more(lesson, step, at, &material, size, have, what))
}

/// Words of notes that tell that more are there for others.
const OPEN: &[&str] = &["each", "per", "class", "every", "everyone", "all", "student", "pupil", "child", "person"];

#[cfg(test)]
mod tests {
    use super::super::material_quantity;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(material: Value, step: &str) -> usize {
        let content =
            json!({ "groupSize": 4, "materials": [material, { "name": "Tray" }], "steps": [{ "text": step }] });
        material_quantity::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn what_all_put_on_is_needed_by_all() {
        let goggles = || json!({ "name": "safety goggles", "quantity": 2, "unit": "pairs" });
        for step in [
            "All four of you put on goggles and keep them on.",
            "Every member of your group pulls on a pair of goggles.",
            "Everyone wears goggles here.",
        ] {
            assert_eq!(found(goggles(), step), 1, "{step}");
        }
        for step in ["Put on goggles.", "Two of you put on goggles.", "All of you wait; one puts on the goggles."] {
            assert_eq!(found(goggles(), step), 0, "{step}");
        }
        let all = "All four of you put on goggles.";
        assert_eq!(found(json!({ "name": "goggles", "quantity": 4 }), all), 0);
        assert_eq!(found(json!({ "name": "goggles", "quantity": 1 }), all), 0);
        assert_eq!(found(json!({ "name": "goggles", "quantity": 2, "notes": "per pupil" }), all), 0);
    }
}
