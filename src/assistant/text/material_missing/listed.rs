//! The words of a list of materials, and which of them stand for things that are there.

use super::Step;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns;

/// A word of the list.
pub struct Word {
    /// The word, as it stands or as it is compared, or two in one: `hotplate` of "hot plate".
    pub text: String,
    /// Whether it names what is there; "a hole for the thermometer" has none.
    pub serves: bool,
    /// Whether it is two in one, of which no beginning tells.
    pub whole: bool,
}

/// The texts of a list.
pub fn texts<'l, 'c>(lesson: &'l Lesson<'c>) -> impl Iterator<Item = &'l Text<'c>> {
    lesson.texts_of(|role| {
        matches!(
            role,
            Role::MaterialName(_) | Role::MaterialNotes(_) | Role::MaterialUnit(_) | Role::MaterialQuantity(_)
        )
    })
}

/// Whether a list has a thing by just this name, as "Rubber tubing".
pub fn names(lesson: &Lesson, name: &str) -> bool {
    let whole = |text| {
        let named = Step::of(text);
        (0..text.tokens.len()).any(|at| !is_purpose(text, at) && named.named(at, name).is_some())
    };
    name.contains(' ') && texts(lesson).any(whole)
}

/// The words of a text of it.
pub fn words(text: &Text) -> Vec<Word> {
    (0..text.tokens.len())
        .flat_map(|at| {
            let there = !is_worn(text, at) && !is_purpose(text, at);
            let serves = there && !is_glass(text, at) && !is_measure(text, at);
            let alone =
                [text.lemma(at), text.word(at)].map(|word| Word { text: word.to_owned(), serves, whole: false });
            let joined = (at + 1 < text.tokens.len()).then(|| [text.word(at), text.lemma(at + 1)].concat());
            alone.into_iter().chain(joined.map(|text| Word { text, serves: there, whole: true }))
        })
        .collect()
}

/// Of "eye protection" and "safety glasses" none is an eye dropper or a glass.
fn is_worn(text: &Text, at: usize) -> bool {
    lists!("eye glass glasses spectacles", text.word(at))
        && [at.wrapping_sub(1), at + 1].iter().any(|beside| lists!("protection safety goggles", text.word(*beside)))
}

/// "Lid with a hole for the thermometer": what something is for need not be there.
fn is_purpose(text: &Text, at: usize) -> bool {
    // "For each group – a magnet" tells who gets it.
    let whose = |at: usize| {
        text.word(at) == "use"
            || lists!("each every per the all a one two three four", text.word(at))
                && (at..at + 3)
                    .any(|t| lists!("group pair child student pupil team teacher class table", text.lemma(t)))
    };
    let begins = |at: &usize| lists!("for against", text.word(*at)) && !whose(*at + 1);
    let ends = |at: &usize| lists!(", ; ( ) . : - – — with and", text.word(*at));
    (0..at).rev().take_while(|at| !ends(at)).any(|at| begins(&at))
}

/// A cup of ice is no cup.
fn is_measure(text: &Text, at: usize) -> bool {
    matches!(text.role, Role::MaterialUnit(_))
        && lists!("cup cups glass spoon spoonful teaspoon tablespoon", text.word(at))
}

/// Glass that is no vessel: "glass rod", "watch glass", "magnifying glass"; nor does a watch glass tell the time, or a
/// microscope slide show cells.
fn is_glass(text: &Text, at: usize) -> bool {
    const VESSEL: &str = "jar bottle beaker cup tumbler bowl vessel container flask tube dish tank vase pot";
    match text.lemma(at) {
        "glass" => {
            let another = lists!("watch magnifying hour cover looking safety", text.word(at.wrapping_sub(1)));
            let stuff = text.tokens.get(at + 1).is_some_and(|next| !nouns::ends_a_phrase(next));
            another || stuff && !lists!(VESSEL, text.lemma(at + 1))
        }
        "watch" => text.lemma(at + 1) == "glass",
        // A slide for the microscope is none.
        "microscope" => lists!("slide cover", text.lemma(at + 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_has_what_it_names_and_not_what_that_is_for_or_made_of() {
        for (material, word, serves) in [
            (json!({ "name": "Lid", "notes": "with a hole for the thermometer" }), "thermometer", false),
            (json!({ "name": "Jar for use as beaker" }), "beaker", true),
            (json!({ "name": "Glass rod" }), "glass", false),
            (json!({ "name": "Glass jar" }), "glass", true),
            (json!({ "name": "Drinking glass" }), "glass", true),
            (json!({ "name": "Watch glass" }), "watch", false),
            (json!({ "name": "Watch" }), "watch", true),
            (json!({ "name": "Eye protection" }), "eye", false),
            (json!({ "name": "Safety glasses" }), "glasses", false),
            (json!({ "name": "Ice", "unit": "cup" }), "cup", false),
            (json!({ "name": "Iodine", "unit": "dropper bottle" }), "dropper", true),
            (json!({ "name": "Hot plate" }), "hotplate", true),
        ] {
            let content = json!({ "materials": [material] });
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let known = texts(&lesson).flat_map(words).any(|known| known.serves && known.text == word);
            assert_eq!(known, serves, "{material}: {word}");
        }
    }
}
