//! One variable in two roles: changed or measured, and kept the same.
//!
//! Variables are the same where head and complement are: "temperature of the water" and "water temperature", but not
//! "temperature of the room", and "number of seeds" is not "type of seeds".

use serde_json::Value;

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases;
use crate::assistant::facts::words::lemma;
use crate::domain::path::FieldPath;

/// What a variable is called: its head, what the head belongs to, and what else is said.
#[derive(Debug, PartialEq, Eq)]
struct Variable {
    head: String,
    whole: Vec<String>,
    rest: Vec<String>,
}

/// Words that only say that something is kept, used or measured.
const OF_NO_MATTER: &str = "same constant keep kept held hold stay stays fixed used use using which \
    what identical equal always throughout trial time test tested run group unchanged change value level";

/// Words for one thing, as one.
fn alike(word: &str) -> &str {
    match word {
        "quantity" | "volume" => "amount",
        "kind" | "sort" | "variety" => "type",
        "colour" | "hue" => "colour",
        "weight" => "mass",
        "steepness" | "incline" | "slope" | "gradient" | "tilt" | "steep" => "slope",
        "high" | "tall" => "height",
        "hot" | "warm" => "temperature",
        "heavy" => "mass",
        "long" => "length",
        "deep" => "depth",
        "thick" => "thickness",
        "wide" => "width",
        "fast" => "speed",
        "big" | "large" => "size",
        "many" => "number",
        "much" => "amount",
        "far" | "closeness" => "distance",
        "people" => "person",
        "fertiliser" => "fertilizer",
        other => other,
    }
}

/// Words that name only how the next noun is seen: "type of", "number of".
const ASPECTS: &str = "type kind sort amount number size temperature mass weight volume colour length \
    height brand shape material concentration angle depth thickness age distance ph surface";

impl Variable {
    /// Reads what stands before levels, remarks and reasons.
    fn read(text: &Text) -> Option<Self> {
        let stop = |word: &str| matches!(word, "(" | ":" | "," | ";" | "–" | "—" | "." | "/" | "-" | "=" | "[");
        let end = (0..text.tokens.len()).find(|at| stop(text.word(*at))).unwrap_or(text.tokens.len());
        // "Parachute diameter stays 30 cm": what it is kept at is not its name.
        let says =
            |at: &usize| matches!(text.word(*at), "stays" | "remains" | "is" | "are" | "kept" | "stay" | "remain");
        let end = if text.word(0) == "how" { end } else { (1..end).find(says).unwrap_or(end) };
        // "Height of fall, 2.0 m" is the height; "soil, water and light" is a list of things.
        let between = (0..end).any(|at| text.word(at) == "between");
        let mut listed = (0..end).filter(|at| matches!(text.word(*at), "and" | "or" | "whether"));
        if listed.any(|at| !(between && text.word(at) == "and")) || end > 14 {
            return None;
        }
        if text.word(0) == "how" {
            return Self::asked(text, end);
        }
        let words = |range: std::ops::Range<usize>| -> Vec<String> {
            let named = range.filter(|at| text.tokens.get(*at).is_some_and(|token| token.is_word()));
            let named = named.map(|at| text.word(at)).filter(|word| {
                (!phrases::is_empty(word) || matches!(*word, "kind" | "sort" | "can"))
                    && !phrases::lists(OF_NO_MATTER, word)
            });
            let named = named.map(|word| alike(&lemma(word.strip_suffix("'s").unwrap_or(word))).to_owned());
            let mut named: Vec<String> = named.collect();
            // "Paper clips" are paperclips.
            if let Some(at) = named.iter().position(|word| word == "paper")
                && named.get(at + 1).is_some_and(|next| next == "clip")
            {
                named.splice(at..at + 2, ["paperclip".to_owned()]);
            }
            named
        };
        let links = |at: &usize| {
            let linking = "of in on at from to for between above per with by under over \
                inside around round that given added each every hung held placed tied poured attached put";
            phrases::lists(linking, text.word(*at))
        };
        let first = (0..end).find(links).unwrap_or(end);
        let before = words(0..first);
        let (head, mut whole, next) = if text.word(first) == "of" && first < end {
            let second = (first + 1..end).find(links).unwrap_or(end);
            (before.last()?.clone(), words(first + 1..second), second)
        } else {
            (before.last()?.clone(), Vec::new(), first)
        };
        whole.extend(before.iter().take(before.len() - 1).cloned());
        whole.sort();
        whole.dedup();
        let mut rest = words(next..end);
        rest.retain(|word| !phrases::lists("and from on to in at of for with hung", word));
        // "The height from which the ball is dropped" is the drop height.
        let falls = |word: &str| matches!(word, "drop" | "dropped" | "release" | "released" | "fall");
        if head == "height" && (0..text.tokens.len()).any(|at| falls(text.word(at))) {
            return Some(Self { head, whole: vec!["drop".to_owned()], rest: Vec::new() });
        }
        // "The angle of the slope" is its steepness.
        let tilted = whole.iter().any(|word| matches!(word.as_str(), "slope" | "ramp"));
        let head = if head == "angle" && tilted { "slope".to_owned() } else { head };
        if head == "slope" && whole.len() == 1 {
            whole.retain(|word| word != "slope");
        }
        if head == "distance" {
            whole.append(&mut rest);
        }
        whole.sort();
        whole.dedup();
        rest.sort();
        Some(Self { head, whole, rest })
    }

    /// Reads "how steep the ramp is", "how many turns of wire", "how much salt is added".
    fn asked(text: &Text, end: usize) -> Option<Self> {
        let head = alike(text.word(1));
        if head == text.word(1) && head != "slope" {
            return None;
        }
        let named = |range| -> Vec<String> {
            let mut named: Vec<String> =
                phrases::content_words(text, range).iter().map(|word| alike(word).to_owned()).collect();
            named.sort();
            named.dedup();
            named
        };
        if head == "distance" {
            let whole = named(2..end);
            return (!whole.is_empty()).then(|| Self { head: head.to_owned(), whole, rest: Vec::new() });
        }
        let stop = (2..end)
            .find(|at| matches!(text.word(*at), "is" | "are" | "there" | "we" | "you" | "in" | "on" | "each" | "it"))
            .unwrap_or(end);
        let of = (2..stop).find(|at| text.word(*at) == "of").unwrap_or(stop);
        let (whole, rest) = (named(2..of), named(of..stop));
        (!whole.is_empty()).then(|| Self { head: head.to_owned(), whole, rest })
    }

    /// Whether both are the same variable for sure.
    fn is(&self, other: &Self) -> bool {
        if self.head == "distance" && other.head == "distance" && !self.whole.is_empty() {
            let within = |one: &Self, other: &Self| one.whole.iter().all(|word| other.whole.contains(word));
            return !other.whole.is_empty() && (within(self, other) || within(other, self));
        }
        if self.head != other.head || self.whole != other.whole {
            return false;
        }
        let contained = |one: &[String], other: &[String]| one.iter().all(|word| other.contains(word));
        // What says more must say it of something: a bare "temperature" may be that of the room.
        let bare = self.whole.is_empty() && phrases::lists(ASPECTS, &self.head);
        self.rest == other.rest
            || !bare
                && !self.whole.is_empty()
                && (contained(&self.rest, &other.rest) || contained(&other.rest, &self.rest))
    }
}

/// What the lesson says in two roles at once.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found = Vec::new();
    let named = |role: Role| lesson.text(role).and_then(|text| Some((text, Variable::read(text)?)));
    let (independent, dependent) = (named(Role::Independent), named(Role::Dependent));
    let texts = [Role::Independent, Role::Dependent].map(|role| lesson.text(role));
    for text in lesson.controlled() {
        let controlled = Variable::read(text);
        let roles = ["is changed on purpose", "is measured"];
        for ((other, changed), role) in texts.iter().zip([&independent, &dependent]).zip(roles) {
            let Some(other) = *other else { continue };
            let same = match (changed, &controlled) {
                (Some((_, variable)), Some(controlled)) => {
                    variable.is(controlled)
                        || is_type_of(variable, controlled, text)
                        || is_amount_of(variable, controlled, text)
                        || has_same_deed(other, text)
                }
                _ => has_same_words(other, text),
            };
            if !same {
                continue;
            }
            let reason =
                format!("\"{}\" {role}, but \"{}\" is listed among what is kept the same.", other.text, text.text);
            let conflict = conflict("variable_role", other.quote_all(), text.quote_all(), reason)
                .suggesting(format!("Take \"{}\" out of the controlled variables.", text.text));
            found.push(match without(lesson, text) {
                Some(mend) => conflict.mended_by(mend),
                None => conflict,
            });
        }
    }
    if let (Some((one, changed)), Some((other, measured))) = (&independent, &dependent)
        && changed.is(measured)
    {
        let reason = format!("\"{}\" is what is changed, but \"{}\" is also what is measured.", one.text, other.text);
        found.push(
            conflict("variable_role", one.quote_all(), other.quote_all(), reason)
                .suggesting("Name what is measured as the dependent variable."),
        );
    }
    found.extend(reversed(lesson));
    found
}

/// Whether two lists of things, "lining of floor and walls", are word for word the same up to their levels.
fn has_same_words(one: &Text, other: &Text) -> bool {
    let words = |text: &Text| -> Vec<String> {
        let stop = |at: &usize| matches!(text.word(*at), "(" | ":" | "," | ";" | "–" | "—" | "." | "=");
        let end = (0..text.tokens.len()).find(stop).unwrap_or(text.tokens.len());
        let mut words = phrases::content_words(text, 0..end);
        words.retain(|word| !phrases::lists(OF_NO_MATTER, word));
        words
    };
    let (one, other) = (words(one), words(other));
    one.len() >= 3 && one == other && !one.iter().any(|word| word == "whether")
}

/// Whether the type of what is "the same ball" is changed.
fn is_type_of(variable: &Variable, controlled: &Variable, text: &Text) -> bool {
    matches!(variable.head.as_str(), "type" | "brand" | "material")
        && (text.word(0) == "same" || text.has_at(0, &["the", "same"]))
        && variable.rest.is_empty()
        && controlled.rest.is_empty()
        && {
            let mut thing = controlled.whole.clone();
            thing.push(controlled.head.clone());
            thing.sort();
            thing == variable.whole
        }
}

/// Whether the amount of what is named alone, "sunlight", is changed.
fn is_amount_of(variable: &Variable, controlled: &Variable, text: &Text) -> bool {
    matches!(variable.head.as_str(), "amount" | "intensity" | "brightness" | "quantity")
        && text.tokens.len() == 1
        && variable.rest.is_empty()
        && controlled.whole.is_empty()
        && variable.whole == [controlled.head.clone()]
}

/// Whether both are the amount of what is made or lost: "water absorbed" and "amount of water absorbed".
fn has_same_deed(one: &Text, other: &Text) -> bool {
    let words = |text: &Text| -> Vec<String> {
        let stop = |at: &usize| matches!(text.word(*at), "(" | ":" | "," | ";" | "–" | "—" | "." | "=");
        let end = (0..text.tokens.len()).find(stop).unwrap_or(text.tokens.len());
        let mut words = phrases::content_words(text, 0..end);
        words.retain(|word| !matches!(alike(word), "amount" | "mass" | "number") && word != "total");
        words
    };
    let (one, other) = (words(one), words(other));
    one.len() == 2 && one == other && one.iter().any(|word| word.len() > 4 && word.ends_with("ed") && word != "seed")
}

/// The controlled variables without this one.
fn without(lesson: &Lesson, text: &Text) -> Option<Mend> {
    let Role::Controlled(index) = text.role else { return None };
    let mut list = lesson.content.get("variables")?.get("controlled")?.as_array()?.clone();
    if index >= list.len() {
        return None;
    }
    list.remove(index);
    let path = FieldPath::root().child("variables").child("controlled");
    Some(Mend { path, edit: Edit::Replace(Value::Array(list)) })
}

/// A hypothesis that changes what is measured, and measures what is changed.
fn reversed(lesson: &Lesson) -> Option<Match> {
    let hypothesis = lesson.text(Role::Hypothesis)?;
    let independent = lesson.text(Role::Independent)?;
    let core = |role: Role| {
        let text = lesson.text(role)?;
        let variable = Variable::read(text)?;
        let mut words = variable.whole;
        words.push(variable.head);
        words.retain(|word| !phrases::lists(ASPECTS, word) || word == "temperature" || word == "mass");
        (!words.is_empty()).then_some(words)
    };
    let (changed, measured) = (core(Role::Independent)?, core(Role::Dependent)?);
    if changed.iter().any(|word| measured.contains(word)) || hypothesis.word(0) != "if" {
        return None;
    }
    let end = hypothesis.sentence(0).end;
    let comma = (1..end).find(|at| matches!(hypothesis.word(*at), "," | "then"))?;
    let stop = (comma + 1..end).find(|at| matches!(hypothesis.word(*at), "because" | "since" | "as" | "so"));
    let words = |range| -> Vec<String> {
        phrases::content_words(hypothesis, range).iter().map(|word| alike(word).to_owned()).collect()
    };
    let (condition, outcome) = (words(1..comma), words(comma + 1..stop.unwrap_or(end)));
    let all = |of: &[String], words: &[String]| of.iter().all(|word| words.contains(word));
    let none = |of: &[String], words: &[String]| !of.iter().any(|word| words.contains(word));
    let turned = all(&measured, &condition)
        && none(&measured, &outcome)
        && all(&changed, &outcome)
        && none(&changed, &condition);
    turned.then(|| {
        let reason = format!(
            "The hypothesis changes what is measured and predicts what is changed: the independent variable is \"{}\".",
            independent.text
        );
        conflict("variable_role", hypothesis.quote_all(), independent.quote_all(), reason)
            .suggesting("Turn the hypothesis round, or swap the two variables.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn roles(independent: &str, controlled: &str) -> usize {
        let content = json!({"variables": {"independent": independent, "controlled": [controlled]}});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_variable_that_is_changed_and_kept_the_same_is_found_in_other_words() {
        for (independent, controlled) in [
            ("Temperature of the water (10, 20, 30 °C)", "water temperature"),
            ("pH of the water (3, 5 or 7)", "pH of the water"),
            ("Type of soil: sand, clay", "Same kind of soil"),
            ("Amount of salt", "amount of salt in each cup"),
            ("Which alcohol is burnt: methanol, ethanol", "Which alcohol is burnt"),
            ("Drop height: 40, 80 cm", "Drop height, kept at 40 cm"),
            ("number of turns of wire on the nail", "number of turns of wire"),
            ("Temperature", "temperature"),
            ("mass of the cart", "The cart's mass stays the same"),
            ("how steep the ramp is (one or two books)", "the steepness of the ramp"),
            ("How many turns of wire", "number of turns of wire"),
            ("lining of the floor and walls (foil or paper)", "lining of the floor and walls"),
            ("Type of ball", "the same ball"),
            ("Amount of sunlight", "Sunlight"),
            ("Angle of the slope", "steepness of the slope"),
            ("the colour of the can", "color of cans"),
            ("Number of paper clips added", "paperclip number"),
            ("drop height", "height from which the ball is dropped"),
            ("how far the lamp is from the plant", "distance between lamp and plant"),
            ("diameter of the parachute", "parachute diameter stays 30 cm"),
            ("The mass hung from the spring", "mass hung on the spring"),
            ("Fertiliser (with or without)", "Fertilizer"),
        ] {
            assert_eq!(roles(independent, controlled), 1, "{independent} / {controlled}");
        }
    }

    #[test]
    fn variables_that_only_look_alike_are_passed_over() {
        for (independent, controlled) in [
            ("Temperature of the water", "temperature of the room"),
            ("type of seed", "number of seeds"),
            ("Temperature of the water", "Temperature"),
            ("mass added to the cart", "mass of the cart"),
            ("how steep the ramp is", "length of the ramp"),
            ("How much salt is in the cup", "amount of water"),
            ("Type of ball", "same ball size"),
            ("Type of ball", "same floor"),
            ("distance from the lamp", "distance between the tubes"),
            ("height of the ramp", "height from which the ball is dropped"),
            ("Amount of salt", "Salt water from one jug"),
            ("mass of the cart", "mass of the cart's hanger"),
            ("volume of acid added to the water", "volume of water"),
            ("Whether the bottle gets water", "1 cup of water"),
            ("length of the string", "length of the table"),
            ("Color of light", "colour of the pot"),
            ("Light", "Lightness of the paper"),
            ("Flask open or closed", "same conical flask"),
            ("水の温度", "部屋の温度"),
        ] {
            assert_eq!(roles(independent, controlled), 0, "{independent} / {controlled}");
        }
    }

    #[test]
    fn a_hypothesis_that_swaps_the_variables_is_found() {
        let found = |hypothesis: &str| {
            let content = json!({"hypothesis": hypothesis, "variables": {
                "independent": "Amount of fertilizer", "dependent": "Height of the bean plant"}});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(found("If the bean plant is taller, then it will use more fertilizer."), 1);
        assert_eq!(found("If more fertilizer is given, then the bean plant will be taller."), 0);
        assert_eq!(found("If bean plants get fertilizer, they grow taller because fertilizer feeds a plant."), 0);
    }
}
