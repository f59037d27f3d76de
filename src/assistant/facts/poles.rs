//! Poles: words that point one way of two, as faster against slower, by what they measure.

use std::sync::LazyLock;

use super::lists::Table;

/// What a pole measures: two poles of one dimension point the same way or against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// How much of what the clause names.
    Amount,
    /// How soon or how fast.
    Tempo,
    /// How warm.
    Warmth,
    /// How long or tall.
    Length,
    /// How far.
    Distance,
    /// How wide.
    Width,
    /// How thick.
    Thickness,
    /// How deep.
    Depth,
    /// How heavy.
    Weight,
    /// How strong or concentrated.
    Strength,
    /// How bright.
    Brightness,
    /// How loud.
    Loudness,
    /// How dark in colour.
    Darkness,
    /// How steep.
    Steepness,
    /// How hard, or hard to do.
    Hardness,
    /// How tight.
    Tightness,
    /// How old.
    Age,
    /// How clear.
    Clarity,
    /// How sharp.
    Sharpness,
    /// How good.
    Quality,
    /// How rough.
    Roughness,
    /// How wet.
    Wetness,
    /// How acidic.
    Acidity,
    /// How dense.
    Density,
    /// How full.
    Fullness,
    /// Floats or sinks.
    Buoyancy,
    /// Attracts or repels.
    Attraction,
    /// Conducts or insulates.
    Conduction,
    /// Lives or dies.
    Survival,
}

use Dimension::*;

/// Adjectives and adverbs that point up, and that point down.
const ADJECTIVES: &[(Dimension, &str, &str)] = &[
    (
        Amount,
        "big large great high many much numerous plentiful frequent often",
        "small little low few tiny slight infrequent rare seldom",
    ),
    (Tempo, "fast quick rapid swift soon early speedy brisk prompt", "slow late gradual sluggish tardy"),
    (Warmth, "hot warm", "cold cool chilly"),
    (Length, "long tall lengthy", "short"),
    (Distance, "far distant remote", "near close"),
    (Width, "wide broad", "narrow"),
    (Thickness, "thick", "thin"),
    (Depth, "deep", "shallow"),
    (Weight, "heavy massive", "light lightweight"),
    (Strength, "strong concentrated powerful intense salty sugary briny", "weak dilute diluted feeble watery"),
    (Brightness, "bright", "dim"),
    (Loudness, "loud noisy", "quiet faint"),
    (Darkness, "dark", "pale"),
    (Steepness, "steep tilted inclined", "flat gentle"),
    (
        Hardness,
        "hard stiff difficult tough rigid firm",
        "soft easy flexible squashy squishy mushy floppy spongy limp bendy",
    ),
    (Tightness, "tight taut", "loose slack"),
    (Age, "old ripe", "young fresh"),
    (Clarity, "clear clean", "cloudy murky dirty"),
    (Sharpness, "sharp pointed", "blunt dull"),
    (Roughness, "rough coarse bumpy", "smooth fine"),
    (Wetness, "wet damp moist humid", "dry"),
    (Acidity, "acidic sour", "alkaline basic"),
    (Density, "dense", "sparse"),
    (Fullness, "full", "empty"),
];

/// Verbs that say that something changes or moves one way, and those for the other way.
const VERBS: &[(Dimension, &str, &str)] = &[
    (
        Amount,
        "increase rise grow climb gain expand swell double triple enlarge improve multiply raise soar boost",
        "decrease fall drop decline shrink reduce diminish lose lower contract halve dwindle lessen plummet",
    ),
    (Tempo, "accelerate hasten quicken", "delay decelerate"),
    (Warmth, "heat warm", "cool chill"),
    (Strength, "strengthen", "weaken"),
    (Length, "lengthen stretch elongate", "shorten"),
    (Width, "widen", "narrow"),
    (Brightness, "brighten", "dim"),
    (Darkness, "darken", "pale"),
    (Buoyancy, "float", "sink"),
    (Attraction, "attract", "repel"),
    (Conduction, "conduct", "insulate"),
    (Survival, "survive thrive", "die wilt perish"),
];

/// Forms that follow no rule: of adjectives with the degree, and of verbs.
const FORMS: &[(&str, Dimension, bool, Form)] = &[
    ("better", Quality, true, Form::More),
    ("best", Quality, true, Form::Most),
    ("worse", Quality, false, Form::More),
    ("worst", Quality, false, Form::Most),
    ("farther", Distance, true, Form::More),
    ("further", Distance, true, Form::More),
    ("farthest", Distance, true, Form::Most),
    ("furthest", Distance, true, Form::Most),
    ("rose", Amount, true, Form::Verb),
    ("risen", Amount, true, Form::Verb),
    ("grew", Amount, true, Form::Verb),
    ("grown", Amount, true, Form::Verb),
    ("fell", Amount, false, Form::Verb),
    ("fallen", Amount, false, Form::Verb),
    ("lost", Amount, false, Form::Verb),
    ("shrank", Amount, false, Form::Verb),
    ("shrunk", Amount, false, Form::Verb),
    ("sank", Buoyancy, false, Form::Verb),
    ("sunk", Buoyancy, false, Form::Verb),
    ("dying", Survival, false, Form::Verb),
    ("slows", Tempo, false, Form::Verb),
    ("slowed", Tempo, false, Form::Verb),
    ("slowing", Tempo, false, Form::Verb),
    ("extra", Amount, true, Form::More),
    ("additional", Amount, true, Form::More),
    ("lesser", Amount, false, Form::More),
];

/// Nouns that say what a bare "higher" or "longer" measures, and whether more of them is up.
const NOUNS: &[(&str, Dimension, bool)] = &[
    ("temperature", Warmth, true),
    ("time", Tempo, false),
    ("duration", Tempo, false),
    ("minute", Tempo, false),
    ("second", Tempo, false),
    ("period", Tempo, false),
    ("speed", Tempo, true),
    ("rate", Tempo, true),
    ("velocity", Tempo, true),
    ("pace", Tempo, true),
    ("length", Length, true),
    ("height", Length, true),
    ("distance", Distance, true),
    ("way", Distance, true),
    ("range", Distance, true),
    ("width", Width, true),
    ("diameter", Width, true),
    ("thickness", Thickness, true),
    ("depth", Depth, true),
    ("mass", Weight, true),
    ("weight", Weight, true),
    ("concentration", Strength, true),
    ("strength", Strength, true),
    ("brightness", Brightness, true),
    ("loudness", Loudness, true),
    ("steepness", Steepness, true),
    ("slope", Steepness, true),
    ("tilt", Steepness, true),
    ("incline", Steepness, true),
    ("angle", Steepness, true),
    ("moisture", Wetness, true),
    ("humidity", Wetness, true),
    ("acidity", Acidity, true),
    ("density", Density, true),
];

/// The form in which a pole stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// "hot", "slowly"
    Plain,
    /// "hotter"
    More,
    /// "hottest"
    Most,
    /// "rises"
    Verb,
}

/// A word that points one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pole {
    /// What it measures.
    pub dimension: Dimension,
    /// Which way.
    pub up: bool,
    /// In which form.
    pub form: Form,
}

static POLES: LazyLock<Table<String, Pole>> =
    LazyLock::new(|| {
        let mut all = Table::default();
        for (dimension, ups, downs) in VERBS {
            for (up, verbs) in [(true, ups), (false, downs)] {
                for verb in verbs.split_ascii_whitespace() {
                    let pole = Pole { dimension: *dimension, up, form: Form::Verb };
                    all.extend(forms_of_verb(verb).into_iter().map(|form| (form, pole)));
                }
            }
        }
        for (dimension, ups, downs) in ADJECTIVES {
            for (up, adjectives) in [(true, ups), (false, downs)] {
                for adjective in adjectives.split_ascii_whitespace() {
                    let mut add = |word: String, form| all.insert(word, Pole { dimension: *dimension, up, form });
                    let [stem, adverb] = stems(adjective);
                    add(adverb, Form::Plain);
                    add(format!("{stem}er"), Form::More);
                    add(format!("{stem}est"), Form::Most);
                    add(adjective.to_owned(), Form::Plain);
                }
            }
        }
        all.extend(FORMS.iter().map(|(word, dimension, up, form)| {
            ((*word).to_owned(), Pole { dimension: *dimension, up: *up, form: *form })
        }));
        all
    });

static MEASURES: LazyLock<Table<&'static str, (Dimension, bool)>> =
    LazyLock::new(|| NOUNS.iter().map(|(noun, dimension, up)| (*noun, (*dimension, *up))).collect());

/// The word as a pole.
pub fn pole(word: &str) -> Option<Pole> {
    POLES.get(word).copied()
}

/// What a noun in the singular measures, and whether more of it is up.
pub fn measure(noun: &str) -> Option<(Dimension, bool)> {
    MEASURES.get(noun).copied()
}

/// What "er" and "est" are added to, and the adverb.
fn stems(adjective: &str) -> [String; 2] {
    let doubled = ["big", "hot", "thin", "wet", "dim", "flat"].contains(&adjective);
    let last = adjective.chars().next_back().unwrap_or_default();
    let stem = match last {
        'e' => adjective.trim_end_matches('e').to_owned(),
        'y' => format!("{}i", adjective.trim_end_matches('y')),
        _ if doubled => format!("{adjective}{last}"),
        _ => adjective.to_owned(),
    };
    let adverb = match last {
        'y' => format!("{stem}ly"),
        'l' => format!("{adjective}y"),
        _ => format!("{adjective}ly"),
    };
    [stem, adverb]
}

fn forms_of_verb(verb: &str) -> Vec<String> {
    let without_e = verb.strip_suffix('e').unwrap_or(verb);
    let doubled = ["drop", "dim", "repel"].contains(&verb);
    let last = if doubled { verb.get(verb.len() - 1..).unwrap_or_default() } else { "" };
    let mut forms: Vec<String> =
        [format!("{without_e}{last}ing"), format!("{without_e}{last}ed"), verb.to_owned()].into();
    forms.push(if verb.ends_with("ch") { format!("{verb}es") } else { format!("{verb}s") });
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_point_one_way_of_a_dimension() {
        for (word, dimension, up, form) in [
            ("faster", Tempo, true, Form::More),
            ("slowly", Tempo, false, Form::Plain),
            ("hottest", Warmth, true, Form::Most),
            ("earlier", Tempo, true, Form::More),
            ("cooled", Warmth, false, Form::Verb),
            ("cooler", Warmth, false, Form::More),
            ("dropped", Amount, false, Form::Verb),
            ("rises", Amount, true, Form::Verb),
            ("largest", Amount, true, Form::Most),
            ("sank", Buoyancy, false, Form::Verb),
            ("simple", Amount, true, Form::More),
        ] {
            let found = pole(word);
            let expected = Pole { dimension, up, form };
            assert_eq!(found.is_some_and(|pole| pole == expected), word != "simple", "{word}: {found:?}");
        }
        assert_eq!(measure("temperature"), Some((Warmth, true)));
        assert_eq!(measure("time"), Some((Tempo, false)));
    }
}
