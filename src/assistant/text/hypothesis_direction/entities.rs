//! Whom a sentence speaks of, so that two texts can name one thing in words of their own: "damp bread" and "the wet slice".

use std::ops::Range;

use super::parts::words;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension};

/// Words for one thing, and after a stroke those for what it is told from.
const NAMES: [&str; 30] = [
    "cook boil bak fri steam heat roast / raw uncook fresh unheat",
    "wet damp moist soak water soggy drench humid sodden / dry toast parch unwat bone-dry",
    "cold chilly chill ic cool icy iced fridge refrigerat wintry frosty / warm hot tepid lukewarm heat toasty oven boil steam",
    "dark shad cupboard darknes unlit shady closet blackout / light sunny lit sun sunlight windowsill bright sunlit lamp daylight",
    "salt salty salin brin brackish sea seawater / fresh unsalt plain pure distill tap freshwater",
    "sugar sugary sweet sweeten syrup / unsweeten sugarles plain sugar-free",
    "black dark blacken / whit silver shiny pal light",
    "wood wooden timber oak pin plank / steel metal plastic glas iron",
    "metal steel iron alumin copper tin metallic brass / wood plastic wooden cloth wool rubber",
    "wool woolly woollen woolen sweater sock mitten jumper / bar naked nothing unwrapp uncover",
    "wrap wrapp insulat jacket lagg cover coat blanket clad swaddl / bar naked unwrapp uncover unlagg uninsulat exposed nothing",
    "rough bumpy coars tread sandpaper carpet gritty rugged / smooth slick polish tile glass slippery sleek",
    "heavy weight load laden weighti full / light empty unload unladen featherweight",
    "thick fat stout chunky bulky thicknes / thin slim slender skinny fin",
    "big larg huge giant jumbo bulky great / small littl tiny mini midget",
    "long tall lengthy / short stubby",
    "steep tilt slop / gentl flat shallow level",
    "deep depth / shallow surfac",
    "strong concentrat powerful / weak dilut watery feebl",
    "crush powder ground crumbl grind crumb fin / whol lump uncrush intact unbroken chunk coars",
    "shak stir agitat swirl mix / still unstirr unshak undisturb rest",
    "fertilis fertiliz fed manur compost feed / unfertilis unfertiliz unfed starv",
    "seal clos shut lid stopper cork cover airtight / open unseal uncork lidles uncover",
    "paint coat galvanis galvaniz oil greas varnish protect / bar unpaint untreat uncoat unprotect",
    "play musical music sing / silent quiet silenc mut",
    "turn wind winding coil loop wrap /",
    "squar cub / round spher ball circular",
    "acid acidic vinegar lemon sour / alkali alkalin bas soap",
    "exercis run jump sprint jog active / rest sit idl inactiv lying",
    "huddl crowd group cluster / alon lonely singl solitary isolat",
];

/// Classes of names of which a thing has one only.
const CLASSES: [&str; 3] = [
    "black white red blue green yellow silver orange brown pink purple grey gray gold whit purpl orang",
    "carpet tile sand grass gravel ice lino concrete felt",
    "wood plastic glass glas steel copper iron brass aluminium aluminum cotton wool foil paper cardboard polystyrene rubber silk nylon",
];

/// Things of which there are several, as their stems.
const THINGS: &str = "cup can tin tube dish beaker flask jar bottle box pot plant tray car cart cub ball bead spoon piec strand shoe seed \
    bag bulb lamp wire nail slic glas bowl plat stick roof sheet disc disk coin egg candl pil tank tub tile team magnet tea water ic";

/// Whom a piece of a sentence speaks of.
#[derive(Debug, Clone, Default)]
pub(super) struct Entity {
    /// The stems of the words for it.
    pub words: Vec<String>,
    /// What is said of it by poles: "the colder tank".
    poles: Vec<(Dimension, bool)>,
}

impl Entity {
    /// Reads these tokens, without those at which something is said of it.
    pub fn read(text: &Text, range: Range<usize>, said: &[usize]) -> Self {
        let mut read = Self { words: words(text, range.clone()), poles: Vec::new() };
        for at in range.filter(|at| !said.contains(at)) {
            let word = text.word(at);
            let pole = poles::pole(word);
            match word {
                "most" | "more" | "extra" => read.poles.push((Dimension::Amount, true)),
                "least" | "less" | "fewer" | "fewest" | "little" | "few" | "half" => {
                    read.poles.push((Dimension::Amount, false));
                }
                _ => {}
            }
            let measured = poles::measure(text.lemma(at + 1)).filter(|_| pole.is_some());
            match (pole, measured) {
                (Some(pole), Some((dimension, up))) => read.poles.push((dimension, up == pole.up)),
                (Some(pole), None) if pole.dimension != Dimension::Amount && pole.dimension != Dimension::Tempo => {
                    read.poles.push((pole.dimension, pole.up));
                }
                _ => {}
            }
        }
        read
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.poles.is_empty()
    }

    /// What it has and the other does not.
    pub fn without(&self, other: &Self) -> Self {
        let words = self.words.iter().filter(|word| !other.words.iter().any(|known| alike(word, known)));
        let poles = self.poles.iter().filter(|pole| !other.poles.contains(pole));
        Self { words: words.cloned().collect(), poles: poles.copied().collect() }
    }

    /// Without the names of things that may be meant on both sides: "the insulated cup", "the bare one".
    pub fn told_apart(mut self) -> Self {
        if self.words.iter().any(|word| !lists(THINGS, word)) || !self.poles.is_empty() {
            self.words.retain(|word| !lists(THINGS, word));
        }
        self
    }

    /// Whether both are called by one name.
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().any(|one| other.words.iter().any(|two| alike(one, two) || are_one(one, two)))
            || self.poles.iter().any(|pole| pole.0 != Dimension::Amount && other.poles.contains(pole))
    }

    /// Whether each is called by what the other is not.
    pub fn is_opposite_of(&self, other: &Self) -> bool {
        self.words.iter().any(|one| other.words.iter().any(|two| are_apart(one, two)))
            || self
                .poles
                .iter()
                .any(|(dimension, up)| *dimension != Dimension::Amount && other.poles.contains(&(*dimension, !up)))
    }

    /// What of it is the opposite of something of the other.
    pub fn against(&self, other: &Self) -> Self {
        let words = self.words.iter().filter(|one| other.words.iter().any(|two| are_apart(one, two)));
        let poles = self.poles.iter().filter(|(dimension, up)| other.poles.contains(&(*dimension, !up)));
        Self { words: words.cloned().collect(), poles: poles.copied().collect() }
    }

    /// Whether all words for it are words for the other too.
    pub fn is_within(&self, other: &Self) -> bool {
        let known = |one: &String| other.words.iter().any(|two| alike(one, two) || are_one(one, two));
        !self.words.is_empty()
            && self.words.iter().all(known)
            && self.poles.iter().all(|pole| other.poles.contains(pole))
    }

    /// Whether both have a name of one class, and not the same: "white" and "black".
    pub fn is_another_of_its_class(&self, other: &Self) -> bool {
        CLASSES.iter().any(|class| {
            let names = |entity: &Self| -> Vec<String> {
                entity.words.iter().filter(|word| lists(class, word)).cloned().collect()
            };
            let (mine, theirs) = (names(self), names(other));
            !mine.is_empty() && !theirs.is_empty() && !mine.iter().any(|name| theirs.contains(name))
        })
    }
}

/// Whether two stems are of one word: "wood" and "wooden".
pub(super) fn alike(one: &str, other: &str) -> bool {
    let begins = |long: &str, short: &str| short.len() >= 4 && long.len() <= short.len() + 4 && long.starts_with(short);
    one == other || begins(one, other) || begins(other, one)
}

/// Whether the list has the word of a stem.
fn has(list: &str, stem: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == stem || known.len() >= 5 && alike(known, stem))
}

fn are_one(one: &str, other: &str) -> bool {
    NAMES
        .iter()
        .filter_map(|row| row.split_once('/'))
        .any(|(ones, others)| has(ones, one) && has(ones, other) || has(others, one) && has(others, other))
}

/// Whether two stems are of opposites: "wet" and "dry", "stirred" and "unstirred".
pub(super) fn are_apart(one: &str, other: &str) -> bool {
    // "Unstirred" is what was not stirred.
    let un = |one: &str, other: &str| other.len() > 3 && one.strip_prefix("un").is_some_and(|rest| alike(rest, other));
    if un(one, other) || un(other, one) {
        return true;
    }
    NAMES
        .iter()
        .filter_map(|row| row.split_once('/'))
        .any(|(ones, others)| has(ones, one) && has(others, other) || has(others, one) && has(ones, other))
}
