//! Whether two names mean one variable, where one of them tells it by a verb, an adjective or a word of its own: "how fast
//! you stir" and "stirring speed", "how often it is watered" and "frequency of watering".

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

/// What is measured, with all words for it; the last only after "how", or as a comparison.
static ASPECTS: [(&str, List, List); 30] = [
    ("type", list!("type kind sort brand make variety species which"), list!("")),
    ("material", list!("material stuff fabric cloth"), list!("made")),
    ("form", list!("shape form"), list!("shaped")),
    ("temperature", list!("temperature warmth heat hotness coldness"), list!("hot warm cold cool")),
    ("speed", list!("speed rate velocity pace"), list!("fast quick quickly slow slowly")),
    ("frequency", list!("frequency schedule routine regime"), list!("often")),
    ("time", list!("time duration"), list!("long")),
    ("length", list!("length span"), list!("long")),
    ("width", list!("width breadth span"), list!("wide broad")),
    ("height", list!("height"), list!("high tall")),
    ("depth", list!("depth"), list!("deep")),
    ("thickness", list!("thickness"), list!("thick thin thickly")),
    ("mass", list!("mass weight heaviness load"), list!("heavy heavily")),
    ("amount", list!("amount volume quantity dose dosage portion helping exposure level"), list!("much")),
    ("number", list!("number count"), list!("many")),
    ("age", list!("age freshness"), list!("old fresh")),
    ("concentration", list!("concentration strength salinity"), list!("strong concentrated salty dilute weak")),
    ("direction", list!("direction way"), list!("")),
    ("distance", list!("distance spacing gap separation"), list!("far apart close near")),
    ("size", list!("size grain coarseness fineness"), list!("big large coarse fine finely coarsely small")),
    ("pressure", list!("pressure"), list!("")),
    ("colour", list!("colour hue tint"), list!("")),
    ("brightness", list!("brightness intensity"), list!("bright")),
    ("loudness", list!("loudness"), list!("loud")),
    ("slope", list!("slope angle steepness tilt incline gradient"), list!("steep tilted")),
    ("position", list!("position place location spot where"), list!("")),
    ("hardness", list!("hardness"), list!("hard")),
    ("acidity", list!("acidity ph"), list!("acidic")),
    ("humidity", list!("humidity moisture dampness"), list!("damp wet moist")),
    ("tightness", list!("tightness tension"), list!("tight")),
];

/// Words of a name that tell no variable from another.
const LOOSE: &str = "same constant keep kept held hold stay stays fixed equal equally identical always throughout one every each all any unchanged use used \
    using time give given get gets got receive receives put placed place stand stands how what which who where that it its is are be made make \
    done go goes does do come comes in on at of to from by for with into onto test tested trial run jar pot cup tray group week day per minute \
    and bar hang hung pour poured add added apply applied there been has have exact chosen set must will should vary varies change changes throughout carries carry solution";
/// Words with which a name is of a part, or another time.
const OTHER: &str = "start starting initial beginning first other room within setting or whether not than except before after between half side \
    surrounding surroundings classroom outside ambient total";

/// Words that tell a thing more closely, and may be left out.
const CLOSER: &str =
    "paper plastic metal wood wooden glas copp iron steel cotton particl experiment whole coil rubb elastic test toy";
/// What carries the thing that matters.
const CARRIERS: &str = "nail plant pot tray cup can tin tub dish seed jar beak bottl car wir lamp box leaf glas";

/// A word of a name.
#[derive(Debug)]
struct Thing {
    stem: String,
    /// Whether it tells what is done: "stirring", "you stir".
    deed: bool,
    /// Whether it may be left out: where a thing is, and what carries it.
    loose: bool,
}

/// A name by what is measured, and the stems of the things.
#[derive(Debug)]
struct Name {
    aspects: Vec<&'static str>,
    things: Vec<Thing>,
    /// Whether it is said to be the same, or equal, of things: "all sheets equally thick".
    same: bool,
}

fn end(text: &Text) -> usize {
    let closed = (0..text.tokens.len())
        .find(|at| *at > 0 && lists!("( : , ; – — . / = [", text.word(*at)))
        .unwrap_or(text.tokens.len());
    // "The gap between magnet and clip must not vary": what is said of it is no part of its name.
    let kept = |at: &usize| {
        lists!("must should may will does do is are never", text.word(*at))
            && lists!("not never vary varies change changes changed varied altered", text.word(*at + 1))
            && (*at + 1..closed).any(|t| lists!("vary varies change changes changed varied altered", text.word(t)))
    };
    (1..closed).find(kept).unwrap_or(closed)
}

fn aspects(word: &str, asked: bool) -> Vec<&'static str> {
    let of = |(_, nouns, adjectives): &&(&str, List, List)| nouns.has(word) || asked && adjectives.has(word);
    ASPECTS.iter().filter(of).map(|(name, ..)| *name).collect()
}

fn read(text: &Text, range: Range<usize>) -> Name {
    let mut name = Name { aspects: Vec::new(), things: Vec::new(), same: false };
    for at in range {
        let Some(token) = text.tokens.get(at).filter(|token| token.is_word()) else { continue };
        let word = token.word.strip_suffix("'s").unwrap_or(&token.word);
        let before = text.word(at.wrapping_sub(1));
        name.same |= matches!(word, "same" | "equal" | "equally" | "identical");
        let asked = lists!("how equally equal as", before);
        let known = aspects(word, asked);
        let known = if known.is_empty() { aspects(&token.lemma, asked) } else { known };
        if word == "salinity" {
            name.things.push(Thing { stem: "salt".to_owned(), deed: false, loose: false });
        }
        let known = if matches!(word, "way" | "where") && at > 1
            || word == "which" && at > 0
            || word == "time" && lists!("every each all any the", before)
        {
            Vec::new()
        } else {
            known
        };
        if !known.is_empty() {
            name.aspects.extend(known);
        } else if !lists(LOOSE, word) && !lists(LOOSE, &token.lemma) && !phrases::is_empty(word) && word.len() > 1 {
            let stem = base(&stem(&token.lemma));
            let deed = word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"))
                || lists!("you we they is are gets get", before);
            // "Light from the windows" is not all light; so many washers are so many, wherever they hang.
            let numbered = name.aspects.contains(&"number");
            let places = if numbered { list!("for per in on from to into at under") } else { list!("for per") };
            // "On every ice cube" is everywhere.
            let anywhere =
                |t: usize| lists!("on in to into at", text.word(t)) && lists!("each every all", text.word(t + 1));
            let led = (at.saturating_sub(3)..at).any(|t| places.has(text.word(t)) || anywhere(t));
            let placed = led && !name.things.is_empty();
            let loose = deed || placed || lists!(CARRIERS, &stem) || lists!(CLOSER, &stem);
            name.things.push(Thing { stem, deed, loose });
        }
    }
    // "Depth of the filter material" is no material.
    let first = name.aspects.first().copied();
    name.aspects.retain(|aspect| *aspect != "material" || first == Some("material"));
    name
}

/// One form for a verb and the noun of it: "plant" of "planting".
fn base(stem: &str) -> String {
    let stem = stem.strip_suffix("er").filter(|rest| rest.len() > 3 && *rest != "wat").unwrap_or(stem);
    match stem {
        "boiled" => "boil",
        "tyr" => "tire",
        "lamp" | "bulb" | "torch" | "sunlight" | "daylight" => "light",
        "winding" | "wind" | "loop" => "turn",
        "batteri" | "battery" => "cell",
        "sucros" => "sugar",
        "thread" | "cord" | "pendulum" => "string",
        "canopi" => "canopy",
        other => other,
    }
    .to_owned()
}

/// Whether what is changed and what is kept have one name in these words.
pub(super) fn same(changed: &Text, kept: &Text) -> bool {
    let (first_end, second_end) = (end(changed), end(kept));
    let odd = |text: &Text, end: usize| end == 0 || end > 12 || (0..end).any(|at| lists!(OTHER, text.word(at)));
    if odd(changed, first_end)
        || odd(kept, second_end)
        || (0..kept.tokens.len()).any(|at| lists!("within start first", kept.word(at)))
    {
        return false;
    }
    let (one, other) = (read(changed, 0..first_end), read(kept, 0..second_end));
    if one.things.is_empty() || other.things.is_empty() {
        return false;
    }
    let alike = |one: &str, other: &str| {
        one == other
            || one.len().min(other.len()) > 3
                && one.len().abs_diff(other.len()) <= 3
                && (one.starts_with(other) || other.starts_with(one))
    };
    let known = |thing: &Thing, other: &Name| other.things.iter().any(|known| alike(&thing.stem, &known.stem));
    let within = |one: &Name, other: &Name| one.things.iter().all(|thing| thing.loose || known(thing, other));
    let more = |one: &Name, other: &Name| one.things.iter().any(|thing| !known(thing, other));
    let names = |thing: &&Thing| !thing.deed && !lists!(CLOSER, &thing.stem);
    let first = |name: &Name| name.things.iter().find(names).map(|thing| thing.stem.clone());
    let headed = match (first(&one), first(&other)) {
        (Some(one), Some(other)) => alike(&one, &other),
        _ => true,
    };
    // "Mass added to the cart" is none of the cart.
    let added = |text: &Text, end: usize| {
        (0..end).any(|at| {
            lists!("added add on onto placed carried", text.word(at)) && !lists!("each every all", text.word(at + 1))
        })
    };
    if added(changed, first_end) != added(kept, second_end) {
        return false;
    }
    let shared = one.things.iter().any(|thing| known(thing, &other));
    // "Seeds in the pot" and "seeds on the cloth" differ.
    let apart = more(&one, &other) && more(&other, &one);
    // "Number of drops at each height" is no height.
    let measured = one.aspects.iter().any(|aspect| other.aspects.contains(aspect))
        && (one.aspects.len() == other.aspects.len() || one.aspects.first() == other.aspects.first());
    // "The shape the sugar comes in" and "sugar in the same form" measure one; "same wood" keeps the type of it.
    let typed = one.aspects == ["type"] && other.aspects.is_empty() && other.same;
    // "Mass of the load" and "number of loads" do not.
    let single = one.aspects.len() <= 2 && other.aspects.len() <= 2;
    (measured && single || typed) && shared && headed && !apart && within(&one, &other) && within(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::super::tests::roles;

    #[test]
    fn one_variable_told_by_a_verb_and_by_a_noun_is_found() {
        for (independent, controlled) in [
            ("Stirring speed", "how fast you stir"),
            ("How often the plant is watered per week", "frequency of watering the plant"),
            ("The shape the sugar comes in (cube, icing)", "Sugar in the same form for every glass of sugar"),
            ("Freshness of the eggs (1, 7, 14 days)", "age of the eggs"),
            ("Thickness of the ice sheet", "all sheets of ice equally thick"),
            ("The strength of the brine", "same concentration of brine in all jars"),
            ("How hot the oven is", "the oven's temperature"),
            ("The kind of wood that is burned", "the same wood burned every time"),
        ] {
            assert_eq!(roles(independent, controlled), 1, "{independent} / {controlled}");
        }
    }

    #[test]
    fn other_aspects_and_other_things_are_not_one() {
        for (independent, controlled) in [
            ("Stirring speed", "how long you stir"),
            ("Filter material (gravel, sand)", "Depth of filter material: 6 cm"),
            ("How often the plant is watered", "amount of water each time"),
            ("Which way the fan blows", "speed of the fan"),
            ("How hot the oven is", "temperature of the dough"),
            ("Kind of music played to the plants", "loudness of the music"),
            ("Freshness of the eggs", "size of the eggs"),
            ("How far the light stands from the leaf", "brightness of the light"),
            ("The kind of wood that is burned", "mass of the wood"),
            ("Depth of planting", "number of seeds planted"),
            ("Temperature of the water", "temperature of the water at the start"),
            ("Length of the string", "length of the ruler"),
            ("Colour of the light", "time under the light"),
        ] {
            assert_eq!(roles(independent, controlled), 0, "{independent} / {controlled}");
        }
    }
}
