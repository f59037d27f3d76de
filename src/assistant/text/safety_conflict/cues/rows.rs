//! The rows: what a rule may say in whatever words, and what a step says against it.

use crate::assistant::facts::lists::{List, list};

/// Whether a rule denies something or asks for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Denied,
    Asked,
    Either,
}

/// Word classes of a rule and of a step against it.
pub(super) struct Row {
    pub(super) says: Says,
    /// Of each of these the rule has a word.
    pub(super) rule: &'static [List],
    /// Of these the rule has none.
    pub(super) not: List,
    /// The verbs of an order in the step.
    pub(super) verbs: &'static [&'static str],
    /// Of each of these the step has a word after the verb.
    pub(super) step: &'static [List],
    /// Of these the sentence of the step has none.
    pub(super) spared: List,
    /// Whether the first word of the rule is what is denied: "no flame".
    pub(super) denied: bool,
    /// Whether the words may stand anywhere in the sentence.
    pub(super) whole: bool,
    /// Whether both must speak of one thing.
    pub(super) tied: bool,
}

const ROW: Row = Row {
    says: Says::Either,
    rule: &[],
    not: list!(""),
    verbs: &[],
    step: &[],
    spared: list!(""),
    whole: false,
    tied: true,
    denied: false,
};

/// Where one goes who goes away.
const AWAY: &str = "library corridor outside outdoors playground canteen hall office cloakroom lunch break yard gym \
    assembly cafeteria courtyard garden";

/// What goes into a mouth.
const MOUTHS: &str =
    "lips mouth mouths eaten eat eating taste tasted tasting swallow swallowed edible consumed consume";
const MOUTH: Row = Row {
    says: Says::Denied,
    not: list!("suck pipette pipettes pipetting blow"),
    verbs: &["let", "put", "place", "pop", "rest", "melt", "dab", "lay", "hold", "drop"],
    step: &[list!("tongue mouth lips"), list!("on in into onto to")],
    spared: list!(
        "straw mouthpiece balloon thermometer whistle model bottle jar tube bag flask blow hum neck mask scarf hand"
    ),
    ..ROW
};

pub(super) static ROWS: &[Row] = &[
    // "Never leave the hot plate without someone watching it", and "let it run and go to the library"
    Row {
        says: Says::Denied,
        rule: &[
            list!("leave leaves left walk goes alone unattended unwatched"),
            list!(
                "alone unattended unwatched watching watch watches unsupervised sight eye presence supervision attended"
            ),
        ],
        verbs: &["go", "walk", "head", "leave", "fetch", "visit", "pop", "nip", "run", "play", "eat"],
        step: &[list!(AWAY), list!("leave leaving left let run running burning boiling heating on while alone")],
        spared: list!("off out cool unplug stays remains other others guard cold"),
        whole: true,
        ..ROW
    },
    Row {
        says: Says::Asked,
        rule: &[
            list!("watched attended supervised watches eye guard beside"),
            list!("always constantly throughout somebody someone one stays times time whole"),
        ],
        not: list!("protection wear goggles glasses wash face"),
        verbs: &["go", "walk", "head", "leave", "pop", "nip", "play"],
        step: &[list!(AWAY)],
        spared: list!("off out cool unplug stays remains other others guard cold one"),
        ..ROW
    },
    // "Chemicals leave this room through the waste bottle", and "swill it down the plughole"
    Row {
        rule: &[
            list!("sink sinks drain drains plughole toilet gully basin waste residue residues"),
            list!("only bottle jar container tub collected waste drum bucket"),
        ],
        verbs: &["pour", "tip", "swill", "flush", "empty", "sluice", "chuck", "rinse", "dump", "wash"],
        step: &[list!("plughole sink drain toilet gully drains"), list!("down into in")],
        spared: list!("waste bottle tap clean plain pure hand hands"),
        ..ROW
    },
    // "Animals go back where they were found", and "take them home as pets"
    Row {
        rule: &[
            list!("back returned return returns release released"),
            list!("found wild pond habitat wood lived live"),
        ],
        verbs: &["take", "keep", "bring", "carry"],
        step: &[list!("home pet pets"), list!("them it some one pet pets animal animals")],
        spared: list!("photo notes sheet drawing diary from worksheet"),
        tied: false,
        ..ROW
    },
    Row {
        says: Says::Denied,
        rule: &[list!("home")],
        not: list!("stay alone"),
        verbs: &["take", "keep", "bring", "carry"],
        step: &[list!("home")],
        ..ROW
    },
    // "The jars stay covered", and "leave the jar uncovered"
    Row {
        says: Says::Asked,
        rule: &[
            list!("covered closed shut sealed stoppered capped corked taped unopened cover"),
            list!("stay stays remain remains keep kept leave always must plaster lid lids"),
        ],
        not: list!("shoes footwear eyes eye mouth door window"),
        verbs: &["leave", "keep"],
        step: &[list!("open uncovered unsealed unstoppered uncapped")],
        spared: list!("door window switch circuit vent valve book"),
        ..ROW
    },
    Row {
        says: Says::Asked,
        rule: &[
            list!("cover covers covered plaster dressed"),
            list!("cut cuts wound wounds graze grazes scratch scratches broken sore sores"),
        ],
        verbs: &["leave", "keep", "let"],
        step: &[list!("open uncovered bare unbandaged"), list!("cut cuts graze grazes wound wounds scratch sore")],
        spared: list!("lid jar window"),
        whole: true,
        tied: false,
        ..ROW
    },
    // "Stand while you pour the acid", and "sit down and pour it"
    Row {
        rule: &[list!("stands stand standing")],
        not: list!(
            "never not clear back away nobody retort clamp bottle test beaker jar tube flask dish pot plant candle tripod mat"
        ),
        verbs: &["sit"],
        step: &[list!("down stool stools chair chairs seat seats")],
        spared: list!("after then finished when"),
        ..ROW
    },
    // "Chairs are for sitting on", and "stand on your chair"
    Row {
        rule: &[list!("sitting sit"), list!("for only")],
        verbs: &["climb", "step", "hop", "kneel"],
        step: &[list!("on onto")],
        spared: list!("plant pot box bottle jar"),
        ..ROW
    },
    // "The sash must not go above the line", and "raise the sash all the way"
    Row {
        says: Says::Denied,
        rule: &[list!("above over past beyond higher"), list!("line mark limit stop half")],
        verbs: &["raise", "lift", "push", "pull", "slide", "hoist", "fill", "turn"],
        step: &[list!("fully higher brim past over above beyond")],
        spared: list!("before below under"),
        ..ROW
    },
    // "A spill is reported, not cleaned by students", and "sweep it up yourselves"
    Row {
        says: Says::Denied,
        rule: &[
            list!("cleaned clean sweep swept picked pick touched touch mop mopped"),
            list!("students student pupils pupil children you yourself yourselves anyone nobody"),
        ],
        not: list!("before without bare hands alone"),
        verbs: &["sweep", "clean", "mop", "pick", "gather", "brush", "wipe", "collect"],
        step: &[
            list!("up yourself yourselves together"),
            list!("broken spill spills spilled spilt shard shards mess pieces"),
        ],
        whole: true,
        ..ROW
    },
    // "Not with the naked eye", and "watch it with your own eyes"
    Row {
        says: Says::Denied,
        rule: &[list!("naked unprotected bare unaided"), list!("eye eyes")],
        verbs: &["watch", "look", "stare", "observe", "view", "gaze", "peer"],
        step: &[list!("own naked bare unaided directly straight")],
        spared: list!("away screen card glasses filter filters goggles viewer through shadow image reflection"),
        ..ROW
    },
    // "Wash your hands before you eat", and "straight from the pond we have our sandwiches"
    Row {
        says: Says::Asked,
        rule: &[
            list!("wash washed washing scrub"),
            list!("eat eating eats lunch snack food meal break"),
            list!("before first"),
        ],
        verbs: &["have", "eat", "enjoy", "snack"],
        step: &[
            list!("straight unwashed muddy dirty directly immediately without"),
            list!("sandwich sandwiches lunch snack snacks picnic apple biscuits biscuit food crisps fruit"),
        ],
        spared: list!("wash washed clean"),
        whole: true,
        tied: false,
        ..ROW
    },
    // "Not a crumb of what we make passes anybody's lips", and "let it melt on your tongue"
    Row { rule: &[list!(MOUTHS), list!("anything nothing crumb none everything")], tied: false, ..MOUTH },
    Row { rule: &[list!(MOUTHS)], ..MOUTH },
    // "No flame while ether is about", and "set a tealight under it and let the ether evaporate"
    Row {
        says: Says::Denied,
        rule: &[list!("flame flames fire fires spark sparks ignition")],
        not: list!("leave unattended unwatched lean reach hair over touch blow sleeves carry move walk alone"),
        verbs: &["set", "put", "place", "light", "hold", "strike", "stand", "warm", "heat"],
        step: &[list!("tealight tealights candle candles bunsen match matches lighter flame flames burner")],
        spared: list!("out unlit electric led off away far blow battery"),
        denied: true,
        ..ROW
    },
];
