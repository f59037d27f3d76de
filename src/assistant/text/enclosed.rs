//! How many things are in a bag, a set or a kit, as a note or a name on the list of materials says, against a step that
//! speaks of them all: "twelve small objects", "take the fifteen objects out of the bag". A part of `count_mismatch`.

use super::count_mismatch::{NAME, Placed, is_varied};
use super::{Match, amounts};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Material, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::other_lessons;

/// What is done with all that there is in it.
const EMPTIED: &str = "take spread lay empty tip sort shuffle group arrange classify order rank unpack count deal mix test tests \
    examine look open hand share divide put set label number place plant sow";

/// Everything found: of each material the first.
pub fn find(lesson: &Lesson, steps: &[Placed]) -> Vec<Match> {
    let materials = lesson.materials();
    let one =
        |material: &&Material| material.quantity.is_some_and(|number| number.as_f64() == Some(1.0) || number == "1");
    materials.iter().filter(one).filter_map(|material| of_one(lesson, material, steps)).collect()
}

fn of_one(lesson: &Lesson, material: &Material, steps: &[Placed]) -> Option<Match> {
    material.notes.into_iter().chain([material.name]).find_map(|text| {
        let told = enclosed(text)?;
        let noun = told.noun.as_ref().filter(|noun| !is_varied(lesson, noun))?;
        let same: Vec<&Placed> =
            steps.iter().filter(|(_, step)| step.noun.as_ref().is_some_and(|other| other.fits(noun))).collect();
        let fine = |step: &Mention| step.agrees_with(&told) || step.is_multiple_of(&told) || told.is_multiple_of(step);
        let sum: f64 = same.iter().map(|(_, step)| step.low).sum();
        if sum == told.low || same.iter().any(|(_, step)| fine(step)) || amounts::listed(lesson, &told) {
            return None;
        }
        let (other, step) = same.iter().find(|(other, step)| is_whole(other, step, &told))?;
        // "Choose six cards", and then "sort the six cards"
        if same.iter().any(|(_, chosen)| chosen.low == step.low && !chosen.definite) {
            return None;
        }
        Some(amounts::conflict(NAME, (text, &told), (other, step)))
    })
}

/// The one number of things that a text tells, neither for each of many nor with some to spare.
fn enclosed(text: &Text) -> Option<Mention> {
    let open = |word: &str| {
        lists!("each every per class spare spares extra or least up about more reserve for needed needs used use", word)
    };
    if text.tokens.iter().any(|token| open(&token.word)) {
        return None;
    }
    let mut counts = mentions(text).into_iter().filter(|told| told.dimension.is_none());
    let one = counts.next().filter(|told| told.low >= 3.0 && !told.partial && !told.about)?;
    let single = counts.next().is_none() && one.numeral.single().is_some() && text.numerals().len() == 1;
    single.then_some(one)
}

/// Whether a step speaks of all there are: "all ten cards", "each of the ten", "take the fifteen objects out".
fn is_whole(text: &Text, step: &Mention, told: &Mention) -> bool {
    let (start, noun) = (step.tokens.start, step.noun.as_ref());
    let before = |back: usize| text.word(start.wrapping_sub(back));
    let aside = other_lessons::is_told(text, start) || hands::is_shown(text, start) || hands::is_aside(text, start);
    if aside || step.about || step.low < 2.0 {
        return false;
    }
    let each =
        lists!("the your our these", before(1)) && before(2) == "of" && lists!("each all every both one", before(3));
    // "The four objects that stuck" are a part.
    let next = text.word(noun.map_or(step.tokens.end, |noun| noun.tokens.end));
    let part = lists!("that which who you of left still with on remaining your they", next);
    let emptied = (text.sentence(start).start..start).any(|at| lists!(EMPTIED, text.word(at)));
    let definite = step.definite && lists!("the your our these", before(1)) && before(2) != "of";
    !step.partial && (step.all || definite && !part && emptied && (step.low > told.low || lists!("the", before(1))))
        || each && !part
}

#[cfg(test)]
mod tests {
    use super::super::count_mismatch;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(name: &str, notes: &str, step: &str) -> usize {
        let materials =
            [json!({ "name": name, "quantity": 1, "notes": notes }), json!({ "name": "tray", "quantity": 2 })];
        let content = json!({ "materials": materials, "steps": [{ "text": step }] });
        count_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn another_number_of_what_is_in_a_bag_is_found() {
        for (name, notes, step) in [
            (
                "bag of test objects",
                "twelve small objects, some of them metal",
                "Take the fifteen objects out of the bag.",
            ),
            ("set of picture cards", "8 cards", "Spread out all ten cards on the table."),
            ("animal card set", "twelve cards of animals", "Sort the ten cards into two piles."),
            ("rock kit", "with six rocks", "Test each of the eight rocks."),
            ("envelope with 7 leaves", "", "Lay out the nine leaves from the envelope."),
            ("mystery box", "holds nine small beads, taped shut", "Tip the twelve small beads onto the mat."),
        ] {
            assert_eq!(found(name, notes, step), 1, "{name} | {notes} | {step}");
        }
    }

    #[test]
    fn parts_of_it_and_several_of_it_are_passed_over() {
        for (name, notes, step) in [
            ("bag of test objects", "twelve small objects", "Take the twelve objects out of the bag."),
            ("bag of test objects", "twelve small objects", "Put the four objects that stuck on the mat."),
            ("bag of test objects", "twelve small objects", "Choose five objects and test them."),
            ("bag of test objects", "twelve small objects for each child", "Sort the 48 objects."),
            ("set of picture cards", "8 cards, 2 blank cards", "Spread out all ten cards."),
            ("set of picture cards", "at least 8 cards", "Spread out all ten cards."),
            ("set of picture cards", "8 cards", "In the picture all ten cards are blue."),
            ("rock kit", "with six rocks", "Test the three rocks of your choice."),
        ] {
            assert_eq!(found(name, notes, step), 0, "{name} | {notes} | {step}");
        }
    }

    #[test]
    fn a_part_that_was_chosen_before_is_passed_over() {
        let materials = json!([{ "name": "animal card set", "quantity": 1, "notes": "20 cards" }, { "name": "tray" }]);
        let steps = json!([{ "text": "Choose six cards." }, { "text": "Sort the six cards into two piles." }]);
        let content = json!({ "materials": materials, "steps": steps });
        assert_eq!(count_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len(), 0);
    }
}
