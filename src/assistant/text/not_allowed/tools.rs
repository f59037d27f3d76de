//! What may be done with some tools alone, and a step that does it with another: "only the brush and the spoon may be used to
//! move the animals", and woodlice that are lifted with the forceps.

use std::ops::Range;

use super::rules::may_ban;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};
use crate::assistant::facts::words::lemma;

/// Verbs of bringing a thing from one place to another: who may not do one may do none.
const MOVES: &[&str] = &[
    "move", "lift", "pick", "transfer", "carry", "handle", "take", "put", "collect", "place", "remove", "scoop",
    "catch", "hold", "touch", "grip", "turn", "pull",
];
/// Other things that are done with a tool.
const WORKS: &[&str] = &[
    "cut", "stir", "measure", "mark", "write", "draw", "heat", "warm", "light", "clean", "wipe", "fasten", "mix",
    "pour", "weigh", "peel", "slice", "dig", "push",
];
/// Living things, where a rule speaks of animals.
static ANIMALS: List = list!(
    "woodlouse mealworm earthworm worm snail slug beetle ant spider caterpillar tadpole newt frog shrimp larva maggot cricket \
     locust grasshopper ladybird ladybug bug isopod pillbug centipede millipede nymph crab fish insect butterfly moth bee fly aphid"
);
/// What is done with these is done with no tool.
static NO_TOOLS: List = list!(
    "care partner group help eye teacher lid water class other pupil student friend cap end side it them each same soil hand glove"
);

/// What may be used for a deed alone.
struct Alone {
    at: usize,
    deed: &'static str,
    tools: Vec<String>,
    /// The head of what it is done to.
    thing: String,
}

/// The rule with the token of its "only", the step and the token of the other tool.
pub(super) fn other_used<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, usize, &'l Text<'c>, usize)> {
    let rules = lesson
        .texts_of(|role| may_ban(role) && !matches!(role, Role::Title | Role::Phenomenon | Role::DrivingQuestion));
    rules.into_iter().find_map(|rule| {
        rule.sentences().into_iter().find_map(|sentence| {
            let alone = alone(rule, &sentence)?;
            let (step, at) = lesson.steps().find_map(|(_, step)| Some((step, broken(step, &alone)?)))?;
            Some((rule, alone.at, step, at))
        })
    })
}

fn deed(word: &str) -> Option<&'static str> {
    phrases::verb(word, MOVES).or_else(|| phrases::verb(word, WORKS))
}

/// "Only the brush may be used to move the animals", "move the animals only with the brush".
fn alone(rule: &Text, sentence: &Range<usize>) -> Option<Alone> {
    let at = sentence.clone().find(|at| rule.word(*at) == "only")?;
    let free = sentence.clone().any(|t| {
        phrases::is_denial(rule.word(t))
            || phrases::begins_condition(rule.word(t))
            || lists!("for teacher adult", rule.word(t))
    });
    // "Only with clean hands", "only with gloves" tell of no tool.
    let worn =
        sentence.clone().any(|t| lists!("hand finger glove goggle permission care help supervision", rule.lemma(t)));
    if free || worn || phrases::is_question(rule, sentence.start) {
        return None;
    }
    let head = |range: Range<usize>| {
        let groups = phrases::groups(rule, range);
        groups.iter().find(|group| group.preposition.is_empty()).map(|group| group.head().to_owned())
    };
    let used = (at + 1..sentence.end).find(|t| rule.has_at(*t, &["used", "to"]));
    if at == sentence.start
        && let Some(used) = used
    {
        let modal = (at + 1..used).find(|t| lists!("may can must should are is", rule.word(*t)))?;
        let tools = phrases::content_words(rule, at + 1..modal);
        let deed = deed(rule.word(used + 2))?;
        let thing = head(used + 3..phrases::clause_end(rule, used + 2))?;
        return (!tools.is_empty()).then_some(Alone { at, deed, tools, thing });
    }
    if !lists!("with using", rule.word(at + 1)) {
        return None;
    }
    let end = phrases::clause_end(rule, at + 1);
    let verb = (sentence.start..at).find(|t| deed(rule.word(*t)).is_some())?;
    let tools = phrases::content_words(rule, at + 2..end);
    let thing = match head(verb + 1..at) {
        Some(thing) => thing,
        None => head(sentence.start..verb)?,
    };
    (!tools.is_empty() && end >= at + 3).then_some(Alone { at, deed: deed(rule.word(verb))?, tools, thing })
}

/// Where a step does it with another tool.
fn broken(step: &Text, alone: &Alone) -> Option<usize> {
    (0..step.tokens.len()).find_map(|at| {
        let same = deed(step.word(at))
            .is_some_and(|deed| deed == alone.deed || MOVES.contains(&deed) && MOVES.contains(&alone.deed));
        if !same
            || !matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils))
            || phrases::is_denied(step, at)
            || phrases::is_supposed(step, at)
        {
            return None;
        }
        let end = (at + 1..phrases::clause_end(step, at))
            .find(|t| step.word(*t) == "and")
            .unwrap_or(phrases::clause_end(step, at));
        let with = (at + 1..end).find(|t| lists!("with using", step.word(*t)))?;
        // "Put the woodlice in the tray with the soil" tells of the tray.
        if (at + 1..with).any(|t| lists!("in into on onto to from inside under beside", step.word(t))) {
            return None;
        }
        // "Take a beaker with vinegar" tells of what is in it.
        let brings = phrases::verb(step.word(at), &["put", "place", "take", "carry", "collect", "hold"]).is_some();
        if brings && lemma(step.word(with - 1)) == alone.thing {
            return None;
        }
        let is_thing = |t: usize| {
            let word = lemma(step.word(t));
            word == alone.thing
                || lists!("animal creature insect minibeast invertebrate organism", &alone.thing) && ANIMALS.has(&word)
        };
        let groups = phrases::groups(step, with + 1..end);
        let tool = groups.first().filter(|group| group.words.len() <= 3)?;
        // A brush may be a paintbrush.
        let known = |word: &String| {
            alone.tools.iter().any(|tool| tool.ends_with(word.as_str()) || word.ends_with(tool.as_str()))
        };
        let other = !tool.words.iter().any(|word| known(word) || NO_TOOLS.has(word));
        ((at + 1..with).any(is_thing) && other).then_some(tool.tokens.start)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn another_tool_than_the_only_one_is_found() {
        let mut missed = Vec::new();
        for (rule, step) in [
            (
                "Only the paintbrush and the spoon may be used to move the animals.",
                "Lift ten woodlice with the metal forceps and put them in through the middle hole.",
            ),
            ("Only wooden tongs may be used to handle the ice.", "Pick the dry ice up with the metal pliers."),
            ("Move the snails only with the soft brush.", "Pick up the snails with the tweezers."),
            ("Only pencils may be used to mark the strip.", "Mark the strip with a pen."),
            ("Tadpoles are moved only with the net.", "Transfer the tadpoles with a spoon."),
        ] {
            if count(rule, "", step) != 1 {
                missed.push(step);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn the_tool_itself_and_other_things_are_passed_over() {
        let mut wrong = Vec::new();
        for (rule, step) in [
            (
                "Only the paintbrush and the spoon may be used to move the animals.",
                "Lift ten woodlice with the brush or paintbrush.",
            ),
            ("Only the paintbrush may be used to move the animals.", "Lift the lid with the forceps."),
            ("Move the woodlice only with the soft brush.", "Put the woodlice in the tray with the moist soil."),
            ("Pick up hot beakers only with tongs.", "Take a beaker with vinegar to your table."),
            ("Only the paintbrush may be used to move the animals.", "Move the woodlice with care."),
            ("Move the snails only with the soft brush.", "Pick up the leaves with the tweezers."),
            ("Touch the plants only with clean hands.", "Hold the plants with the clamp."),
            ("Only pencils may be used to mark the strip.", "Measure the strip with a ruler."),
            ("Only the teacher may use the knife to cut the fruit.", "Cut the fruit with the scissors."),
            ("Move the snails only with the soft brush.", "Do not lift the snails with the tweezers."),
        ] {
            if count(rule, "", step) != 0 {
                wrong.push(step);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
