//! What a ban does not reach: another room than its own, and a thing that is not yet what the ban says of it.

use super::acts;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

/// Rooms, each with its other names.
const ROOMS: [&str; 9] = [
    "lab labs laboratory laboratories",
    "classroom classrooms",
    "canteen cafeteria lunchroom",
    "kitchen",
    "hall gym",
    "corridor hallway",
    "playground schoolyard yard courtyard garden",
    "library",
    "greenhouse",
];

/// Whether what a rule says at a token reaches what a step says at one.
pub(super) fn reaches(lesson: &Lesson, (rule, rule_at): (&Text, usize), (step, at): (&Text, usize)) -> bool {
    !acts::are_apart(rule, rule_at, step, at)
        && !is_in_another_room(rule, rule_at, step, at)
        && !is_yet_to_be(lesson, rule, rule_at, step)
}

/// "No eating in the laboratory", and what is chewed "in the classroom".
fn is_in_another_room(rule: &Text, rule_at: usize, step: &Text, at: usize) -> bool {
    let closed = rooms(rule, rule_at);
    let open = rooms(step, at);
    !closed.is_empty() && !open.is_empty() && !open.iter().any(|room| closed.contains(room))
}

/// The rooms in which it is that the sentence of a token tells of: "in the school kitchen".
fn rooms(text: &Text, at: usize) -> Vec<usize> {
    let named = |t: usize| ROOMS.iter().position(|names| lists(names, text.word(t)));
    let inside = |t: &usize| lists!("in inside", text.word(*t)) && lists!("the this our your a any", text.word(t + 1));
    text.sentence(at).filter(inside).filter_map(|t| named(t + 2).or_else(|| named(t + 3))).collect()
}

/// "Nothing that has hung over the radiator is eaten": whether only a later step than this one does that to anything.
fn is_yet_to_be(lesson: &Lesson, rule: &Text, rule_at: usize, step: &Text) -> bool {
    let sentence = rule.sentence(rule_at);
    let has = |t: &usize| lists!("that which", rule.word(*t)) && lists!("has have had was were", rule.word(t + 1));
    let Some(start) = sentence.clone().find(has) else { return false };
    let verdict = |t: &usize| lists!("is are may must should can shall , ;", rule.word(*t));
    let end = (start + 2..sentence.end).find(verdict).unwrap_or(sentence.end);
    let words = phrases::content_words(rule, start + 2..end).into_iter();
    let marks: Vec<String> = words.filter(|word| word.len() > 2).map(|word| stem(&word)).collect();
    let told = |text: &Text| text.tokens.iter().any(|token| marks.contains(&stem(&token.word)));
    let until = lesson.steps().position(|(_, text)| text.path == step.path).unwrap_or_default() + 1;
    !lesson.steps().take(until).any(|(_, text)| told(text)) && lesson.steps().skip(until).any(|(_, text)| told(text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_ban_in_one_room_leaves_the_others() {
        for (rule, step, expected) in [
            ("No eating or drinking in the laboratory.", "In the classroom every learner chews a cube of bread.", 0),
            ("No food is eaten in the lab.", "In the school kitchen taste the dough.", 0),
            ("Nothing is tasted in the classroom.", "Taste both drinks in the canteen.", 0),
            ("No eating or drinking in the laboratory.", "In the lab every learner chews a cube of bread.", 1),
            ("No eating or drinking in the laboratory.", "Every learner chews a cube of bread.", 1),
            ("No eating or drinking.", "In the classroom every learner chews a cube of bread.", 1),
        ] {
            assert_eq!(count(rule, &[step]), expected, "{rule} {step}");
        }
    }

    #[test]
    fn a_ban_on_what_has_been_somewhere_leaves_what_is_yet_to_go_there() {
        for (rule, steps, expected) in [
            (
                "Nothing that has hung over the radiator is eaten.",
                ["Cut the apple and eat the rest.", "Hang the slices over the radiator."],
                0,
            ),
            (
                "Never taste anything that has touched the bench.",
                ["Taste a crumb of the cheese.", "Let the crumbs touch the bench."],
                0,
            ),
            (
                "Nothing that has hung over the radiator is eaten.",
                ["Hang the slices over the radiator.", "Eat one of the slices."],
                1,
            ),
            ("Nothing that has been in the beakers is eaten.", ["Eat one of the slices.", "Draw the slices."], 1),
        ] {
            assert_eq!(count(rule, &steps), expected, "{rule} {steps:?}");
        }
    }

    #[test]
    fn a_headline_is_no_order() {
        for (step, expected) in [
            ("Marathon runner collapses after drinking eight litres of water: read the report.", 0),
            ("Two hikers died after eating wild mushrooms: why?", 0),
            ("Read the story: by drinking sea water a sailor lost his mind.", 0),
            ("Rinse the cup after drinking the water: talk about the taste.", 1),
            ("Each learner sips the water: discuss the taste.", 1),
            ("Read the card: drink the water and describe it.", 1),
        ] {
            assert_eq!(count("Nothing is eaten or drunk in the lab.", &[step]), expected, "{step}");
        }
    }

    #[test]
    fn who_alone_changes_a_setting_alone_changes_it() {
        for (rule, step, expected) in [
            ("Only the teacher changes the level of the fan.", "Drop each model five times in front of the fan.", 0),
            ("Only the teacher adjusts the flame of the burner.", "Hold the tube in front of the burner.", 0),
            ("Only the teacher adjusts the voltage of the supply.", "Connect the bulb to the supply.", 0),
            ("Only the teacher handles the fan.", "Drop each model in front of the fan.", 0),
            ("Only the teacher changes the level of the fan.", "Turn the level of the fan up to 3.", 1),
            ("Only the teacher handles the fan.", "Carry the fan to the table.", 1),
            ("Only the teacher handles the acid.", "Pour 5 mL of the acid into the tube.", 1),
        ] {
            assert_eq!(count(rule, &[step]), expected, "{rule} {step}");
        }
    }
}
