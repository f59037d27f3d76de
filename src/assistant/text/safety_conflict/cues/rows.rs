//! The rows: what a rule may say in whatever words, and what a step says against it.

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
    pub(super) rule: &'static [&'static str],
    /// Of these the rule has none.
    pub(super) not: &'static str,
    /// The verbs of an order in the step.
    pub(super) verbs: &'static [&'static str],
    /// Of each of these the step has a word after the verb.
    pub(super) step: &'static [&'static str],
    /// Of these the sentence of the step has none.
    pub(super) spared: &'static str,
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
    not: "",
    verbs: &[],
    step: &[],
    spared: "",
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
    not: "suck pipette pipettes pipetting blow",
    verbs: &["let", "put", "place", "pop", "rest", "melt", "dab", "lay", "hold", "drop"],
    step: &["tongue mouth lips", "on in into onto to"],
    spared: "straw mouthpiece balloon thermometer whistle model bottle jar tube bag flask blow hum neck mask scarf hand",
    ..ROW
};

pub(super) const ROWS: &[Row] = &[
    // "Never leave the hot plate without someone watching it", and "let it run and go to the library"
    Row {
        says: Says::Denied,
        rule: &[
            "leave leaves left walk goes alone unattended unwatched",
            "alone unattended unwatched watching watch watches unsupervised sight eye presence supervision attended",
        ],
        verbs: &["go", "walk", "head", "leave", "fetch", "visit", "pop", "nip", "run", "play", "eat"],
        step: &[AWAY, "leave leaving left let run running burning boiling heating on while alone"],
        spared: "off out cool unplug stays remains other others guard cold",
        whole: true,
        ..ROW
    },
    Row {
        says: Says::Asked,
        rule: &[
            "watched attended supervised watches eye guard beside",
            "always constantly throughout somebody someone one stays times time whole",
        ],
        not: "protection wear goggles glasses wash face",
        verbs: &["go", "walk", "head", "leave", "pop", "nip", "play"],
        step: &[AWAY],
        spared: "off out cool unplug stays remains other others guard cold one",
        ..ROW
    },
    // "Chemicals leave this room through the waste bottle", and "swill it down the plughole"
    Row {
        rule: &[
            "sink sinks drain drains plughole toilet gully basin waste residue residues",
            "only bottle jar container tub collected waste drum bucket",
        ],
        verbs: &["pour", "tip", "swill", "flush", "empty", "sluice", "chuck", "rinse", "dump", "wash"],
        step: &["plughole sink drain toilet gully drains", "down into in"],
        spared: "waste bottle tap clean plain pure hand hands",
        ..ROW
    },
    // "Animals go back where they were found", and "take them home as pets"
    Row {
        rule: &["back returned return returns release released", "found wild pond habitat wood lived live"],
        verbs: &["take", "keep", "bring", "carry"],
        step: &["home pet pets", "them it some one pet pets animal animals"],
        spared: "photo notes sheet drawing diary from worksheet",
        tied: false,
        ..ROW
    },
    Row {
        says: Says::Denied,
        rule: &["home"],
        not: "stay alone",
        verbs: &["take", "keep", "bring", "carry"],
        step: &["home"],
        ..ROW
    },
    // "The jars stay covered", and "leave the jar uncovered"
    Row {
        says: Says::Asked,
        rule: &[
            "covered closed shut sealed stoppered capped corked taped unopened cover",
            "stay stays remain remains keep kept leave always must plaster lid lids",
        ],
        not: "shoes footwear eyes eye mouth door window",
        verbs: &["leave", "keep"],
        step: &["open uncovered unsealed unstoppered uncapped"],
        spared: "door window switch circuit vent valve book",
        ..ROW
    },
    Row {
        says: Says::Asked,
        rule: &[
            "cover covers covered plaster dressed",
            "cut cuts wound wounds graze grazes scratch scratches broken sore sores",
        ],
        verbs: &["leave", "keep", "let"],
        step: &["open uncovered bare unbandaged", "cut cuts graze grazes wound wounds scratch sore"],
        spared: "lid jar window",
        whole: true,
        tied: false,
        ..ROW
    },
    // "Stand while you pour the acid", and "sit down and pour it"
    Row {
        rule: &["stands stand standing"],
        not: "never not clear back away nobody retort clamp bottle test beaker jar tube flask dish pot plant candle tripod mat",
        verbs: &["sit"],
        step: &["down stool stools chair chairs seat seats"],
        spared: "after then finished when",
        ..ROW
    },
    // "Chairs are for sitting on", and "stand on your chair"
    Row {
        rule: &["sitting sit", "for only"],
        verbs: &["climb", "step", "hop", "kneel"],
        step: &["on onto"],
        spared: "plant pot box bottle jar",
        ..ROW
    },
    // "The sash must not go above the line", and "raise the sash all the way"
    Row {
        says: Says::Denied,
        rule: &["above over past beyond higher", "line mark limit stop half"],
        verbs: &["raise", "lift", "push", "pull", "slide", "hoist", "fill", "turn"],
        step: &["fully higher brim past over above beyond"],
        spared: "before below under",
        ..ROW
    },
    // "A spill is reported, not cleaned by students", and "sweep it up yourselves"
    Row {
        says: Says::Denied,
        rule: &[
            "cleaned clean sweep swept picked pick touched touch mop mopped",
            "students student pupils pupil children you yourself yourselves anyone nobody",
        ],
        not: "before without bare hands alone",
        verbs: &["sweep", "clean", "mop", "pick", "gather", "brush", "wipe", "collect"],
        step: &["up yourself yourselves together", "broken spill spills spilled spilt shard shards mess pieces"],
        whole: true,
        ..ROW
    },
    // "Not with the naked eye", and "watch it with your own eyes"
    Row {
        says: Says::Denied,
        rule: &["naked unprotected bare unaided", "eye eyes"],
        verbs: &["watch", "look", "stare", "observe", "view", "gaze", "peer"],
        step: &["own naked bare unaided directly straight"],
        spared: "away screen card glasses filter filters goggles viewer through shadow image reflection",
        ..ROW
    },
    // "Wash your hands before you eat", and "straight from the pond we have our sandwiches"
    Row {
        says: Says::Asked,
        rule: &["wash washed washing scrub", "eat eating eats lunch snack food meal break", "before first"],
        verbs: &["have", "eat", "enjoy", "snack"],
        step: &[
            "straight unwashed muddy dirty directly immediately without",
            "sandwich sandwiches lunch snack snacks picnic apple biscuits biscuit food crisps fruit",
        ],
        spared: "wash washed clean",
        whole: true,
        tied: false,
        ..ROW
    },
    // "Not a crumb of what we make passes anybody's lips", and "let it melt on your tongue"
    Row { rule: &[MOUTHS, "anything nothing crumb none everything"], tied: false, ..MOUTH },
    Row { rule: &[MOUTHS], ..MOUTH },
    // "No flame while ether is about", and "set a tealight under it and let the ether evaporate"
    Row {
        says: Says::Denied,
        rule: &["flame flames fire fires spark sparks ignition"],
        not: "leave unattended unwatched lean reach hair over touch blow sleeves carry move walk alone",
        verbs: &["set", "put", "place", "light", "hold", "strike", "stand", "warm", "heat"],
        step: &["tealight tealights candle candles bunsen match matches lighter flame flames burner"],
        spared: "out unlit electric led off away far blow battery",
        denied: true,
        ..ROW
    },
];
