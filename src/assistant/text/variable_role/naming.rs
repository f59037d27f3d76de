//! Whether two names mean one variable, however they are built: "kind of soil", "which soil is used", "soil type".

use super::variable::alike;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

/// What is measured of things, as `aspect` and `alike` name it.
const ASPECTS: &str = "type amount number size temperature mass colour length height brand shape material concentration \
    slope depth thickness age distance ph brightness time speed width force pressure voltage current";

/// What only carries the thing that matters: it may be named or left out.
const CARRIERS: &str = "plant pot tray cup can tin tube dish beaker flask jar bottle funnel car cart trolley wire lamp bulb seedling \
    pendulum parachute helicopter circuit electromagnet nail disk glass container box group team mug mixture cut cutting spring filter rod";

/// What tells a thing more closely, and may be left out where the thing is known.
const CLOSER: &str = "paper newspaper foil bubble felt plastic metal wooden cotton wool copper iron steel nichrome constantan \
    ion molecule hydrochloric sulfuric citric nitric acetic dilute sodium";

/// Words that say of a variable only that there is one.
const SAID: &str = "same constant keep kept held hold stay stays staying fixed used use using identical equal always throughout \
    time trial tested run unchanged change value get gets got given give receive receives wrapped wrap put placed fall falls \
    hit hits roll rolls rolled go goes wound does do which what how much many exact total one all \
    final overall average mean remain remains be made is are varied different level between among chosen set dropped released sit sits \
    spent take takes taken taking applied whether presence there has have";

/// Things that are counted where they are named alone.
const COUNTED: &str = "turn layer loop fold";

/// Stuff of which the mass, the volume and the amount are one.
const STUFF: &str =
    "salt sugar yeast water acid soda fertilizer soil vinegar sand soap detergent powder caffeine juice oil";

/// A variable by its words in no order.
#[derive(Debug)]
pub(super) struct Naming {
    aspects: Vec<String>,
    things: Vec<String>,
    /// Whether it is said of the same one: "all of the same metal".
    same: Option<String>,
}

impl Naming {
    /// Reads a name up to its levels and remarks.
    pub fn read(text: &Text) -> Option<Self> {
        let stop = |word: &str| matches!(word, "(" | ":" | "," | ";" | "–" | "—" | "." | "/" | "=" | "[" | "?");
        let all = text.tokens.len();
        let mut end = (0..all).find(|at| stop(text.word(*at))).unwrap_or(all);
        // "Bubble wrap: same number of layers on every can"
        if text.word(end) == ":" && lists!("same equal an", text.word(end + 1)) && end <= 3 {
            end = (end + 1..all).find(|at| stop(text.word(*at))).unwrap_or(all);
        }
        // "Length of the root after five days" is its length.
        let later = |at: &usize| *at > 0 && lists!("after during when while before until", text.word(*at));
        end = (0..end).find(later).unwrap_or(end);
        let between = (0..end).any(|at| text.word(at) == "between");
        let odd = |at: usize| {
            let word = text.word(at);
            matches!(word, "or" | "within" | "setting" | "not" | "per" | "start" | "starting" | "initial")
                || matches!(word, "beginning" | "first" | "side" | "half" | "other" | "rate" | "than" | "room")
                || word == "and" && !between && !(is_type(text.word(at.wrapping_sub(1))) && is_type(text.word(at + 1)))
        };
        if end == 0 || end > 14 || (0..end).any(odd) {
            return None;
        }
        let mut read = Self { aspects: Vec::new(), things: Vec::new(), same: None };
        let asked = lists!("how which what", text.word(0));
        let lasts = (0..end).any(|at| lists!("stay stays stayed left soak soaks last lasts kept", text.word(at)));
        for (at, token) in text.tokens.iter().enumerate().take(end) {
            let word = token.word.strip_suffix("'s").unwrap_or(&token.word);
            // "Hot-water bottle" and "cotton-wool" stay names, numbers tell levels.
            if !token.is_word()
                || lists!(
                    "of in on at from to for by with under over into through that the and between round around",
                    word,
                )
            {
                continue;
            }
            let before = text.word(at.wrapping_sub(1));
            if matches!(word, "time" | "hours" | "minutes" | "days") && at == 0
                || word == "long" && before == "how" && lasts
            {
                read.aspects.push("time".to_owned());
            } else if before == "which" && at == 1 && aspect(word, false).is_none() {
                read.aspects.push("type".to_owned());
                read.things.push(thing(&token.lemma));
            } else if word == "brand"
                && (text.word(at + 1) == "and" && is_type(text.word(at + 2))
                    || before == "and" && is_type(text.word(at.wrapping_sub(2))))
            {
                // "Brand and type" are one.
            } else if word == "made" && (text.word(at + 1) == "of" || at + 1 == end) {
                read.aspects.push("material".to_owned());
            } else if let Some(aspect) = aspect(word, asked || before == "how").or_else(|| aspect(&token.lemma, false))
            {
                read.aspects.push(aspect.to_owned());
            } else if text.has_at(at.wrapping_sub(1), &["how", "many"]) {
                read.aspects.push("number".to_owned());
            } else if text.has_at(at.wrapping_sub(1), &["how", "much"]) {
                read.aspects.push("amount".to_owned());
            } else if is_medium(text, at) && !read.things.is_empty()
                || lists!("left added add hung poured", word)
                    && (at + 1 == end || word == "left" && lists!("in on at to for", text.word(at + 1)))
                || lists!(SAID, word)
                || phrases::is_empty(word) && word != "can"
            {
            } else {
                let noun = thing(&token.lemma);
                if lists!("same one", before) && at + 1 == end {
                    read.same = Some(noun.clone());
                }
                read.things.push(noun);
            }
        }
        read.settle();
        (!read.things.is_empty() || read.aspects == ["ph"] || read.aspects == ["voltage"]).then_some(read)
    }

    fn settle(&mut self) {
        let has = |things: &[String], list: &str| things.iter().any(|thing| has_stem(list, thing));
        let light = self.things.iter().any(|thing| thing == "light");
        for aspect in &mut self.aspects {
            let stuff = has(&self.things, STUFF) && !self.things.iter().any(|thing| thing == "particl");
            if stuff && matches!(aspect.as_str(), "mass") || light && aspect == "time" {
                "amount".clone_into(aspect);
            }
        }
        // The brightness of the lamp is that of its light.
        if self.aspects == ["brightness"] {
            for thing in self.things.iter_mut().filter(|thing| matches!(thing.as_str(), "lamp" | "bulb")) {
                "light".clone_into(thing);
            }
        }
        if self.aspects.is_empty() && self.things.first().is_some_and(|first| lists!(COUNTED, first)) {
            self.aspects.push("number".to_owned());
        }
        // "Which brand of towel" is its brand.
        if self.aspects.len() > 1 {
            self.aspects.retain(|aspect| aspect != "type");
        }
        for words in [&mut self.aspects, &mut self.things] {
            words.sort();
            words.dedup();
        }
    }

    /// Whether this is the type of what the other names without more: "kind of pennies" and "pennies held".
    pub fn is_type_of(&self, other: &Self) -> bool {
        self.aspects == ["type"] && other.aspects.is_empty()
    }

    /// Whether a name of something changed or measured, and one of something kept, mean the same.
    pub fn is(&self, kept: &Self) -> bool {
        let typed = self.aspects == ["type"]
            && kept.aspects.is_empty()
            && kept.same.as_ref().is_some_and(|same| self.things == [same.clone()]);
        if typed {
            return true;
        }
        let only = |one: &Self, other: &Self, aspect: &str| one.aspects.is_empty() && other.aspects == [aspect];
        // "Surface: carpet, tile" is a type of surface, and "water drained" an amount of it.
        let deed = self.things.iter().any(|thing| lists!("drain absorb produc evaporat collect", thing));
        let aspects = self.aspects == kept.aspects && !self.aspects.is_empty()
            || only(self, kept, "type") && self.things.len() == 1 + carried(&self.things)
            || only(self, kept, "amount") && deed;
        // "What the box is lined with" is the lining of the box.
        if self.aspects.is_empty() && kept.aspects.is_empty() {
            let said = self.things.iter().any(|thing| !has_stem(CARRIERS, thing));
            return said && self.things.len() > 1 && self.things == kept.things;
        }
        // The kind of insulation is the insulating material.
        let covers = self.things.iter().all(|thing| lists!(COVERS, thing) || has_stem(CARRIERS, thing));
        let made = |aspects: &[String]| aspects == ["type"] || aspects == ["material"];
        if covers && made(&self.aspects) && made(&kept.aspects) && self.things == kept.things {
            return true;
        }
        let more = |one: &Self, other: &Self| {
            one.things
                .iter()
                .filter(|thing| !other.things.contains(thing) && !has_stem(CARRIERS, thing))
                .cloned()
                .collect()
        };
        let (mine, theirs): (Vec<String>, Vec<String>) = (more(self, kept), more(kept, self));
        let closer = |more: &[String]| more.iter().all(|thing| has_stem(CLOSER, thing));
        let extra = mine.is_empty() && closer(&theirs) || theirs.is_empty() && closer(&mine);
        let shared = self.things.iter().any(|thing| kept.things.contains(thing) && !has_stem(CARRIERS, thing));
        let bare = self.things.is_empty() || kept.things.is_empty();
        let equal = self.things == kept.things && !self.things.is_empty()
            || bare && self.things == kept.things && self.aspects == ["voltage"]
            || self.aspects == ["ph"] && bare;
        aspects && (equal || shared && extra)
    }
}

/// The stems of what lies over or inside another thing.
const COVERS: &str = "insulat lin cover wrapp padd coat jacket layer surfac";

fn is_type(word: &str) -> bool {
    lists!("type kind sort brand make variety", word)
}

/// Whether the word at a token only names what another thing is in: "salt in the water".
fn is_medium(text: &Text, at: usize) -> bool {
    let back = if lists!("the each every a", text.word(at.wrapping_sub(1))) { 2 } else { 1 };
    at > back
        && lists!("in into of", text.word(at.wrapping_sub(back)))
        && lists!("water solution mixture soil air liquid", text.word(at))
}

/// The form in which a thing is compared.
fn thing(lemma: &str) -> String {
    match alike(lemma) {
        "sunlight" | "daylight" | "sunshine" => "light".to_owned(),
        other => stem(other),
    }
}

/// Whether a list has the word of this stem.
fn has_stem(list: &str, stem: &str) -> bool {
    lists(list, stem) || lists(list, &format!("{stem}e"))
}

fn carried(things: &[String]) -> usize {
    things.iter().filter(|thing| has_stem(CARRIERS, thing)).count()
}

/// The aspect that a word names; adjectives only after "how".
fn aspect(word: &str, asked: bool) -> Option<&str> {
    let noun = match alike(word) {
        "angle" => "slope",
        "acidity" => "ph",
        "strength" => "concentration",
        "area" => "size",
        "mas" => "mass",
        "count" => "number",
        other => other,
    };
    let adjective = matches!(
        word,
        "high" | "tall" | "hot" | "warm" | "heavy" | "long" | "bright" | "deep" | "thick" | "wide" | "fast" | "far"
    ) || matches!(word, "big" | "large" | "many" | "much" | "steep");
    (lists!(ASPECTS, noun) && (asked || !adjective)).then_some(noun)
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn roles(variables: &serde_json::Value) -> usize {
        let content = json!({"variables": variables});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_variable_is_known_however_its_name_is_built() {
        for (independent, dependent, controlled) in [
            ("Kind of fertiliser", "Height of the plants", "Which fertiliser is used"),
            ("What the box is lined with", "Noise", "The lining of the box"),
            ("Amount of salt in the water", "Boiling time", "How much salt goes in"),
            ("Type of paper towel", "Water absorbed", "Brand and type of towel"),
            ("Time spent exercising", "Pulse", "Minutes of exercise"),
            ("Kind of insulation", "Temperature", "Insulating material"),
            ("Concentration of caffeine", "Growth", "Caffeine concentration of the solution"),
            ("Concentration of iodide ion in the mixture", "Time", "Concentration of iodide, identical for each run"),
            ("Temperature of the water", "Time to dissolve", "How hot the water is"),
            ("Number of coils on the nail", "Clips picked up", "Turns of wire on the nail"),
            ("Height from which the ball is dropped", "Bounce height", "Drop height"),
            ("Length of the pendulum string", "Time for ten swings", "How long the string is"),
            ("Mass of salt added", "Freezing time", "Amount of salt"),
            ("Surface under the car: carpet, tile or sandpaper", "Distance rolled", "Type of surface the car rolls on"),
            ("Colour of the cup", "Temperature of the water", "The cups are all of one colour"),
            ("Angle of the ramp", "Time to the bottom", "Steepness of the ramp"),
            ("Hours of daylight", "Height of cress", "How much daylight the trays get"),
            ("Light intensity", "Bubbles per minute", "Brightness of the lamp"),
            ("Which brand of paper towel", "Water soaked up", "Brand of towel"),
            ("Concentration of hydrochloric acid", "Gas volume", "Strength of the acid"),
            ("Size of the parachute canopy", "Fall time", "Canopy area kept the same"),
            ("Amount of light", "Height of the bean plant", "Final height of each bean plant"),
            ("Temperature of the yeast mixture", "Height of foam", "Foam height after ten minutes"),
            ("Mass of the trolley", "Acceleration", "Mass of the trolley is held constant"),
            ("Type of soil", "Water drained (ml)", "Volume of water that drains through each funnel"),
            (
                "Number of layers of bubble wrap",
                "Heat lost in 10 minutes",
                "Bubble wrap: same number of layers on every can",
            ),
            ("Shape of the boat", "Number of marbles it holds", "Boat shape"),
            ("Time the nail is left in water", "Mass of rust", "How long each nail stays in the water"),
            ("pH of the solution", "Enzyme activity", "Acidity of the solution"),
            ("Distance between the lamp and the plant", "Number of bubbles", "Lamp-to-plant distance"),
            ("Material of the mug", "Cooling in ten minutes", "What the mug is made of"),
            ("Drop height of the marble", "Width of the crater", "Crater width"),
            ("Type of metal", "Time for the wax to melt", "All rods are of the same metal"),
        ] {
            let variables = json!({"independent": independent, "dependent": dependent, "controlled": [controlled]});
            assert_eq!(roles(&variables), 1, "{independent} / {dependent} / {controlled}");
        }
    }

    #[test]
    fn another_aspect_thing_part_or_time_is_another_variable() {
        for (independent, dependent, controlled) in [
            ("Kind of fertiliser", "Height of the plants", "Amount of fertiliser"),
            ("Temperature of the water", "Time to dissolve", "Volume of the water"),
            ("Number of coils on the nail", "Clips picked up", "Same nail"),
            ("Height from which the ball is dropped", "Bounce height", "Type of ball"),
            ("Length of the pendulum string", "Time for ten swings", "Length of time for counting"),
            ("Mass of salt added", "Freezing time", "Mass of water"),
            ("Surface under the car: carpet, tile or sandpaper", "Distance rolled", "Surface of the ramp"),
            ("Colour of the cup", "Temperature of the water", "Volume of water"),
            ("Angle of the ramp", "Time to the bottom", "Surface of the ramp"),
            ("Hours of daylight", "Height of cress", "Hours between measurements"),
            ("Light intensity", "Bubbles per minute", "Colour of the light"),
            ("Which brand of paper towel", "Water soaked up", "Size of towel"),
            ("Concentration of hydrochloric acid", "Gas volume", "Volume of the acid"),
            ("Size of the parachute canopy", "Fall time", "Material of the canopy"),
            ("Amount of light", "Height of the bean plant", "Starting height of the bean plants"),
            ("Temperature of the yeast mixture", "Height of foam", "Amount of yeast"),
            ("Mass of the trolley", "Acceleration", "Mass on the hanger"),
            ("Type of soil", "Water drained (ml)", "Volume of water poured in"),
            ("Number of layers of bubble wrap", "Heat lost in 10 minutes", "Same kind of bubble wrap on every can"),
            ("Shape of the boat", "Number of marbles it holds", "Mass of clay in the boat"),
            ("Time the nail is left in water", "Mass of rust", "Size of the nail"),
            ("pH of the solution", "Enzyme activity", "Concentration of the solution"),
            ("Distance between the lamp and the plant", "Number of bubbles", "Power of the lamp"),
            ("Speed of the fan", "Turns of the mill per minute", "Distance of the fan"),
            ("Material of the mug", "Cooling in ten minutes", "Thickness of the mug wall"),
            ("Drop height of the marble", "Width of the crater", "Marble"),
            ("Type of metal", "Time for the wax to melt", "Length of the metal rods"),
            ("Temperature (20, 30, 40 °C)", "Volume of gas", "Temperature kept to within 1 °C of each setting"),
            ("Which liquid the egg sits in", "Mass of the egg", "Mass of the egg at the start"),
            ("Whether the seeds are in light or dark", "Number of seeds that sprout", "Number of seeds in each dish"),
            ("Wire length", "Current", "Wire diameter"),
            ("Kind of sugar", "Gas volume", "Mass of sugar"),
            ("Amount of water given each day", "Plant growth", "Time of day of watering"),
            ("Colour of paper", "Temperature after 10 min", "Type of paper"),
            ("Light (lamp on or off)", "Number of woodlice on each side", "Number of woodlice"),
            ("Height of the ramp", "Distance travelled by the car", "Distance from the ramp to the wall"),
            ("Mass of the bob", "Period", "Angle of release"),
            ("Type of insulation", "Temperature after 15 minutes", "Amount of insulation"),
            ("Amount of washing-up liquid", "Size of the largest bubble", "Type of washing-up liquid"),
        ] {
            let variables = json!({"independent": independent, "dependent": dependent, "controlled": [controlled]});
            assert_eq!(roles(&variables), 0, "{independent} / {dependent} / {controlled}");
        }
    }
}
