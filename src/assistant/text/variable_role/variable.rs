//! What a variable is called, and whether two names are of one.

use std::ops::Range;

use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::phrases;
use crate::assistant::facts::words::{Token, lemma};

/// What a variable is called: its head, what the head belongs to, and what else is said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its last noun, as all words for it are compared.
    pub head: String,
    /// What the head belongs to.
    pub whole: Vec<String>,
    /// What else is said.
    pub rest: Vec<String>,
}

/// Words that only say that something is kept, used or measured.
pub(super) const OF_NO_MATTER: &str = "same constant keep kept held hold stay stays fixed used use using which \
    what identical equal always throughout trial time test tested run group unchanged change value level";

/// Whether a clause picks some of all: "number of seeds that have sprouted", not "number of seeds".
fn is_narrowed(text: &Text) -> bool {
    let stop = (0..text.tokens.len()).find(|at| matches!(text.word(*at), "(" | ":" | ";" | "–" | "—"));
    let picks = |at: usize| {
        matches!(text.word(at), "that" | "which" | "who")
            && !phrases::lists!("from at on in by to through , with", text.word(at - 1))
            && phrases::lists!("has have is are was were", text.word(at + 1))
    };
    (2..stop.unwrap_or(text.tokens.len())).any(picks)
}

/// Words for one thing, as one.
pub(super) fn alike(word: &str) -> &str {
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
        "bright" | "intensity" => "brightness",
        "winding" | "coil" | "loop" => "turn",
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
pub(super) const ASPECTS: &str = "type kind sort amount number size temperature mass weight volume colour length \
    height brand shape material concentration angle depth thickness age distance ph surface";

/// What a thing is made of, or is there for: a word of these before or after its name makes it no other thing.
const STUFFS: &str = "constantan nichrome copper iron steel aluminium metal plastic glass cotton wooden wood paper wool \
    nylon rubber lagging insulation layer covering lining jacket wrapping coating padding blanket sheet";

impl Variable {
    /// Reads what stands before levels, remarks and reasons.
    pub fn read(text: &Text) -> Option<Self> {
        let stop = |word: &str| matches!(word, "(" | ":" | "," | ";" | "–" | "—" | "." | "/" | "=" | "[");
        // "Cotton-wool lagging" is one name, "length - 2 cm" is not.
        let bytes = |at: usize| text.tokens.get(at).map(|token| token.bytes.clone()).unwrap_or_default();
        let dash = |at: usize| {
            text.word(at) == "-"
                && (bytes(at.wrapping_sub(1)).end < bytes(at).start || bytes(at).end < bytes(at + 1).start)
        };
        let end = (0..text.tokens.len()).find(|at| stop(text.word(*at)) || dash(*at)).unwrap_or(text.tokens.len());
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
        // "Time the balloon stays on the wall" is a time of it.
        if matches!(text.word(0), "time" | "distance") && matches!(text.word(1), "the" | "a" | "an" | "it") {
            let whole = phrases::content_words(text, 1..end);
            return Some(Self { head: text.word(0).to_owned(), whole, rest: Vec::new() });
        }
        let words = |range: Range<usize>| -> Vec<String> {
            let named = range.filter(|at| text.tokens.get(*at).is_some_and(|token| token.is_word()));
            let named = named.map(|at| text.word(at)).filter(|word| {
                (!phrases::is_empty(word) || matches!(*word, "kind" | "sort" | "can"))
                    && !phrases::lists!(OF_NO_MATTER, word)
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
        rest.retain(|word| !phrases::lists!("and from on to in at of for with hung", word));
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
        // "How many times the wire goes round" is the number of its turns.
        let wound = |at: usize| {
            let goes = matches!(text.word(at), "goes" | "is" | "passes" | "runs");
            matches!(text.word(at), "wound" | "wrapped" | "coiled" | "looped" | "winds" | "wraps")
                || goes && matches!(text.word(at + 1), "round" | "around")
        };
        if text.has_at(1, &["many", "times"])
            && let Some(verb) = (3..end).find(|at| wound(*at))
        {
            let rest = phrases::content_words(text, 3..verb);
            return Some(Self { head: "number".to_owned(), whole: vec!["turn".to_owned()], rest });
        }
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

    /// Whether this names the other with a word more: "length of the constantan wire" and "length of the wire".
    fn is_narrower(&self, other: &Self) -> bool {
        let own: Vec<&String> = self.whole.iter().filter(|word| !other.whole.contains(word)).collect();
        let known = other.whole.iter().all(|word| self.whole.contains(word));
        let [more] = own[..] else { return false };
        let geometric = phrases::lists!("length thickness diameter depth width height size slope", &self.head);
        let stuff = phrases::lists!(STUFFS, more);
        known && geometric && !other.whole.is_empty() && (stuff || self.rest == other.rest && !self.rest.is_empty())
    }

    /// Whether both are the same variable for sure.
    pub fn is(&self, other: &Self) -> bool {
        if self.head == "distance" && other.head == "distance" && !self.whole.is_empty() {
            let within = |one: &Self, other: &Self| one.whole.iter().all(|word| other.whole.contains(word));
            return !other.whole.is_empty() && (within(self, other) || within(other, self));
        }
        let contained = |one: &[String], other: &[String]| one.iter().all(|word| other.contains(word));
        if self.head != other.head || self.whole != other.whole && !self.is_narrower(other) && !other.is_narrower(self)
        {
            return false;
        }
        // What says more must say it of something: a bare "temperature" may be that of the room.
        let bare = self.whole.is_empty() && phrases::lists!(ASPECTS, &self.head);
        self.rest == other.rest
            || !bare
                && !self.whole.is_empty()
                && (contained(&self.rest, &other.rest) || contained(&other.rest, &self.rest))
    }
}

/// The amount of a gas is how much of it is shut in, whatever volume is measured.
pub(super) fn is_volume_of_a_gas(measured: &Text, kept: &Text) -> bool {
    let gas = (0..kept.tokens.len()).any(|at| phrases::lists!("air gas", kept.lemma(at)));
    gas && measured.role == Role::Dependent
        && phrases::lists!("amount mass", kept.word(usize::from(kept.word(0) == "the")))
        && (0..measured.tokens.len()).any(|at| measured.lemma(at) == "volume")
}

/// "Part 1: one bulb" is kept where "part 2: number of bulbs" is changed, and the seeds sown where those that sprout are counted.
pub(super) fn is_of_a_part(changed: &Text, kept: &Text) -> bool {
    let labelled = |text: &Text, at: usize| {
        phrases::lists!("part series set experiment phase stage round run", text.word(at))
            && text.tokens.get(at + 2).is_some_and(|sign| sign.is(":"))
    };
    let some = changed.role == Role::Dependent && is_narrowed(changed) && !is_narrowed(kept);
    some || is_labelled_apart(changed, kept)
        || labelled(kept, 0) && (0..changed.tokens.len()).filter(|at| labelled(changed, *at)).count() > 1
}

/// "Glider B" is not "glider A", nor bulb 2 "bulb 1"; "length 2" may be a measure.
fn is_labelled_apart(one: &Text, other: &Text) -> bool {
    let label = |text: &Text, at: usize| {
        let written = text.tokens.get(at).map_or("", |token| text.slice(&token.bytes));
        let letter = written.len() == 1 && written.starts_with(|c: char| c.is_ascii_uppercase());
        let digit = written.len() < 3 && written.starts_with(|c: char| c.is_ascii_digit());
        let measure = text.quantities().iter().any(|quantity| quantity.tokens.start == at);
        (letter || digit && !measure && !phrases::lists!(ASPECTS, text.lemma(at - 1))).then(|| written.to_owned())
    };
    let named = |text: &Text| -> Vec<(String, String)> {
        let thing = |at: &usize| text.lemma(at - 1).len() > 2 && text.tokens.get(at - 1).is_some_and(Token::is_word);
        let all = (1..text.tokens.len()).filter(thing);
        // Of "gliders A and B" either may be meant.
        let only = |at: &usize| !phrases::lists!("and or , / - to", text.word(at + 1)) || label(text, at + 2).is_none();
        all.filter(only).filter_map(|at| Some((text.lemma(at - 1).to_owned(), label(text, at)?))).collect()
    };
    let (one, other) = (named(one), named(other));
    one.iter().any(|(thing, label)| other.iter().any(|(same, apart)| thing == same && label != apart))
        && !one.iter().any(|known| other.contains(known))
}

/// "One flower of each kind", "3 drops from each height" where the heights are what is changed: both keep how many there are alone.
pub(super) fn is_of_each(kept: &Text, changed: Option<&Variable>) -> bool {
    let named = |at: usize, changed: &Variable| {
        let word = alike(kept.lemma(at));
        changed.head == word || changed.head == "type" && changed.whole.iter().any(|whole| whole == word)
    };
    (0..kept.tokens.len()).filter(|at| phrases::lists!("each every per", kept.word(*at))).any(|at| {
        phrases::lists!("kind type sort variety species brand material colour size", kept.word(at + 1))
            || changed.is_some_and(|changed| named(at + 1, changed) || named(at + 2, changed))
    })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn what_one_part_changes_another_may_keep() {
        let found = |changed: &str, kept: &str| {
            let content = json!({"variables": {"independent": changed, "controlled": [kept]}});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(found("part 1: number of cells; part 2: number of bulbs", "part 1: number of bulbs"), 0);
        assert_eq!(found("number of bulbs", "number of bulbs"), 1);
        assert_eq!(found("type of breath (normal, deep)", "3 trials per type of breath"), 0);
    }

    #[test]
    fn the_volume_of_a_gas_is_not_its_amount() {
        let sure = |measured: &str, kept: &str| {
            let content = json!({"variables": {"dependent": measured, "controlled": [kept]}});
            let found = find(&Lesson::of(content.as_object().expect("an object")));
            found.into_iter().map(|found| found.sure).collect::<Vec<_>>()
        };
        assert!(sure("volume of air in the syringe", "amount of air").is_empty());
        assert_eq!(sure("volume of water", "volume of water"), [false]);
    }

    #[test]
    fn things_of_one_name_are_told_apart_by_a_letter_or_a_number() {
        for (changed, kept, expected) in [
            ("mass of glider B (0.20, 0.30, 0.40 kg)", "mass of glider A (0.20 kg)", 0),
            ("brightness of bulb 1", "brightness of bulb 2", 0),
            ("mass of glider A (0.20, 0.30 kg)", "mass of glider A", 1),
            ("mass of gliders A and B", "mass of glider A", 1),
            ("length of the wire: 2, 4, 6 m", "length of the wire: 2 m", 1),
        ] {
            let content = json!({"variables": {"independent": changed, "controlled": [kept]}});
            let found = find(&Lesson::of(content.as_object().expect("an object")));
            assert_eq!(found.len(), expected, "{changed} / {kept}");
        }
    }

    #[test]
    fn some_of_all_are_not_how_many_there_are() {
        let found = |dependent: &str, controlled: &str| {
            let content = json!({"variables": {"dependent": dependent, "controlled": [controlled]}});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        for (dependent, controlled) in [
            ("number of seeds that have sprouted after four days", "number of seeds, 20 on each dish"),
            ("number of woodlice which are in the dark half", "number of woodlice"),
            ("mass of sand that is left in the sieve", "mass of sand"),
        ] {
            assert_eq!(found(dependent, controlled), 0, "{dependent} / {controlled}");
        }
        for (dependent, controlled) in [
            ("number of seeds after four days", "number of seeds"),
            ("number of seeds that have sprouted", "number of seeds that have sprouted"),
            ("height from which the ball is dropped", "drop height"),
        ] {
            assert_eq!(found(dependent, controlled), 1, "{dependent} / {controlled}");
        }
    }
}
