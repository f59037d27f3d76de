//! Dangers of stuffs and tools: what burns, breaks, cuts or gives off gas.

use super::rows::{DANGER, DEED, Danger, Deed, Says};
use crate::assistant::facts::lists::{List, list};

static ON: List = list!("on running flowing live connected turning spinning moving plugged switched energised going");
static PIPES: List = list!("pipette pipettes pipetting pipet pipets pipetted");
static REACHES: &[&str] = &[
    "lift", "touch", "change", "swap", "remove", "unscrew", "replace", "reach", "adjust", "wipe", "take", "pull",
    "hoist", "scoop", "poke", "feel", "move", "tighten", "stop", "put", "push", "bridge", "open",
];

pub(super) static DANGERS: &[Danger] = &[
    // "Pipettes and mouths never meet", and "put your lips on the top end"
    Danger {
        rule: &[PIPES, list!("mouth mouths lip lips suck sucked sucking")],
        done: &[
            Deed { verbs: &["suck"], with: &[PIPES], anywhere: true, spared: list!("bulb filler pump"), ..DEED },
            Deed { verbs: &["draw", "take", "pull", "blow"], with: &[PIPES, list!("mouth lips")], ..DEED },
            Deed {
                verbs: &["put", "place", "press", "hold", "touch", "bring", "close"],
                then: &[list!("lips mouth")],
                with: &[PIPES],
                anywhere: true,
                spared: list!("mask"),
                ..DEED
            },
        ],
        ..DANGER
    },
    // "Acid goes into the water", and "pour the water onto the acid"
    Danger {
        says: Says::Either,
        rule: &[
            list!("acid acids"),
            list!("water"),
            list!("into to in onto"),
            list!("always never slowly goes way add added pour poured dilute diluting reverse order"),
        ],
        not: list!("rinse wash skin splash splashes spill spills eyes eye"),
        done: &[Deed {
            verbs: &["pour", "add", "tip", "put", "trickle", "run", "squirt", "dribble", "empty", "top"],
            then: &[list!("water"), list!("to into onto in over on"), list!("acid")],
            spared: list!("bath"),
            ..DEED
        }],
        ..DANGER
    },
    // "It never leaves the fume cupboard", and "at your bench, add it to both tubes"
    Danger {
        says: Says::Either,
        rule: &[list!("fume hood extractor"), list!("only never always leaves leave inside all stays stay under in")],
        tied: true,
        done: &[Deed {
            verbs: &[
                "add",
                "pour",
                "open",
                "mix",
                "heat",
                "drip",
                "use",
                "measure",
                "dispense",
                "boil",
                "evaporate",
                "drop",
                "carry",
                "take",
                "pass",
                "unscrew",
                "warm",
            ],
            with: &[list!("bench benches table tables desk desks seat seats places window")],
            spared: list!("fume hood cupboard extractor closed sealed stoppered"),
            ..DEED
        }],
        ..DANGER
    },
    // "Plugs are handled with dry hands only", and "with your hands still dripping, plug it in"
    Danger {
        says: Says::Either,
        rule: &[
            list!("dry wet damp dried"),
            list!("hand hands finger fingers"),
            list!(
                "socket sockets plug plugs switch switches electrical electric electricity mains lamp lamps appliance \
                   appliances power equipment outlet outlets lead leads cable cables supply"
            ),
        ],
        done: &[Deed {
            verbs: &["plug", "switch", "connect", "touch", "press", "turn", "pull", "push", "insert", "unplug", "hold"],
            with: &[list!("wet dripping damp moist soaking soapy"), list!("hand hands finger fingers")],
            spared: list!("dry drying dried after not"),
            ..DEED
        }],
        ..DANGER
    },
    // "Cut away from your fingers", and "draw the scalpel towards your thumb"
    Danger {
        says: Says::Either,
        rule: &[
            list!(
                "cut cuts cutting blade blades knife knives scalpel scalpels saw peel slice carve carving sawing needle needles \
                   skewer skewers pin pins screwdriver push"
            ),
            list!("away board table hand palm finger fingers body toward towards yourself tile mat"),
        ],
        done: &[
            Deed {
                verbs: &[
                    "cut", "slice", "draw", "pull", "push", "saw", "peel", "carve", "run", "halve", "move", "slit",
                    "poke", "pierce", "stab",
                ],
                then: &[list!("towards toward"), list!("you your yourself thumb body fingers chest hand palm finger")],
                with: &[list!(
                    "cut blade scalpel knife slice saw peel peeler cutter carve razor needle skewer pin screwdriver"
                )],
                spared: list!("away"),
                ..DEED
            },
            Deed {
                verbs: &["hold", "cup", "rest", "lay", "cut", "slice", "peel", "halve", "carve"],
                then: &[list!("in on against"), list!("palm hand lap thigh knee")],
                with: &[list!("cut slice scalpel knife blade saw peel halve carve needle skewer push")],
                spared: list!("other one board tile mat"),
                ..DEED
            },
        ],
        ..DANGER
    },
    // "Do not touch the clips while the supply is on", and "with the current still flowing, lift it out"
    Danger {
        says: Says::Either,
        rule: &[
            list!(
                "touch touches touched change changed changes lift lifts lifted adjust adjusted remove removed alter open swap \
                   connect disconnect handle handled move moved unscrew reach reaches alterations opened"
            ),
            list!("while when with before as once live"),
            list!(
                "current power on live connected running switched closed supply spinning turning moving plugged off \
                   unplug unplugged disconnect disconnected stopped still stands"
            ),
        ],
        not: list!("gloves goggles wet dry teacher fire flame burner lit"),
        tied: true,
        done: &[Deed {
            verbs: REACHES,
            with: &[list!("still while leave leaving keep keeping without"), ON],
            anywhere: true,
            spared: list!("off once after stopped unplug unplugged disconnect tongs stopwatch timer"),
            ..DEED
        }],
    },
    // "A lit burner is never left alone", and "leave it burning and go to the display"
    Danger {
        says: Says::Either,
        rule: &[
            list!("leave leaves left walk goes unattended unwatched watched attended supervised watches watch"),
            list!(
                "alone unattended unwatched watching watch watches unsupervised sight eye presence supervision attended \
                   always constantly throughout somebody someone times moment whole watched"
            ),
        ],
        not: list!("protection wear goggles glasses wash face video clock water"),
        tied: true,
        done: &[
            Deed { verbs: &["leave"], then: &[list!("unattended unwatched alone unsupervised")], ..DEED },
            Deed {
                verbs: &["go", "walk", "head", "leave", "fetch", "visit", "pop", "nip", "play", "eat", "come", "move"],
                with: &[
                    list!(
                        "library corridor outside outdoors playground canteen hall office cloakroom lunch break yard gym \
                           display cupboard front back board window garden store next seats cafeteria assembly courtyard"
                    ),
                    list!(
                        "leave leaving left let run running burning boiling heating on while alone lit alight going still"
                    ),
                ],
                anywhere: true,
                spared: list!("off out cool unplug stays remains other others guard cold turn stay"),
                ..DEED
            },
        ],
    },
    // "Broken glass is for the teacher", and "pick up the pieces with your fingers"
    Danger {
        says: Says::Either,
        rule: &[
            list!("broken glass shards splinters breakage breakages breaks"),
            list!("brush dustpan teacher adult hands fingers hand touch pick report reported"),
        ],
        done: &[Deed {
            verbs: &["pick", "gather", "collect", "sweep"],
            then: &[list!("pieces shards splinters glass bits")],
            with: &[list!("hand hands fingers yourself yourselves finger broken shards splinters")],
            spared: list!("brush dustpan gloves tongs teacher"),
            ..DEED
        }],
        ..DANGER
    },
    // "Hot glass looks like cold glass: let it cool", and "take the hot tube in your fingers"
    Danger {
        says: Says::Either,
        rule: &[
            list!("hot"),
            list!("touch touched tongs cool cooled glove gloves mitts handled handle holder bare hands fingers"),
        ],
        not: list!("water drink wash"),
        done: &[Deed {
            verbs: &["pick", "take", "lift", "hold", "touch", "carry", "grip", "grab", "feel", "pull", "pass", "put"],
            with: &[list!("hot glowing boiling"), list!("bare fingers fingertips fingertip palm thumb")],
            spared: list!("gloves glove mitts tongs holder cloth towel not cold cool cooled never without"),
            ..DEED
        }],
        ..DANGER
    },
    // "A closed apparatus must not be heated", and "push in the stopper, then turn on the heat"
    Danger {
        says: Says::Either,
        rule: &[
            list!("closed sealed stoppered corked capped plugged blocked stopper"),
            list!("heat heated heating warm warmed gas pressure boil boiled microwave oven microwaved"),
            list!("not never no nobody must mustn't don't cannot explode burst"),
        ],
        not: list!("mould mold bag goggles"),
        done: &[Deed {
            verbs: &[
                "push", "fit", "cork", "plug", "seal", "stopper", "cap", "screw", "press", "put", "place", "close",
            ],
            then: &[list!("stopper stoppers cork bung cap lid plug tightly tight shut")],
            with: &[list!("heat heating flame burner mantle warm bunsen boil microwave oven hotplate")],
            spared: list!("loose loosely hole remove off out without delivery burner's cool cooled"),
            ..DEED
        }],
        ..DANGER
    },
    // "No flame while ethanol is about", and "keep it by the burner"
    Danger {
        says: Says::Either,
        rule: &[
            list!("flame flames fire burner burners ignition sparks match matches flammable naked bunsen lit candles"),
            list!(
                "ethanol alcohol spirit acetone propanol methanol solvent solvents flammable hexane hydrogen oxygen ether \
                   petrol propanone vapour vapours"
            ),
        ],
        not: list!("extinguisher blanket cap"),
        done: &[Deed {
            verbs: &[
                "pour", "trickle", "add", "hold", "heat", "warm", "keep", "put", "stand", "place", "set", "light",
                "drip", "boil", "tip", "fetch", "bring", "open",
            ],
            with: &[
                list!("ethanol alcohol spirit acetone propanol methanol solvent hexane ether petrol propanone"),
                list!("burner flame bunsen candle lighter tealight match"),
                list!("by near over under beneath above beside in on into onto light lit burning with next"),
            ],
            spared: list!(
                "out off away far unlit extinguish extinguished bath before blow lamp burners thermometer after \
                           cold electric burned turn"
            ),
            ..DEED
        }],
        ..DANGER
    },
    // "Pull the plug, never the cable", and "tug at the cable"
    Danger {
        says: Says::Either,
        rule: &[
            list!("plug plugs"),
            list!("cord cords cable cables lead leads flex"),
            list!("pull pulled pulling tug yank never not"),
        ],
        not: list!("wet across floor"),
        done: &[Deed {
            verbs: &["pull", "tug", "yank", "jerk"],
            then: &[list!("cord cable lead flex wire")],
            spared: list!("plug back tight"),
            ..DEED
        }],
        ..DANGER
    },
    // "Carry the microscope with both hands", and "take it in one hand"
    Danger {
        says: Says::Either,
        rule: &[list!("both two"), list!("hands"), list!("carry carried carries hold held lift lifted transport")],
        tied: true,
        done: &[Deed {
            verbs: &["carry", "take", "hold", "bring", "lift", "fetch", "move"],
            with: &[list!("one single"), list!("hand"), list!("in with using")],
            spared: list!("other other,"),
            ..DEED
        }],
        ..DANGER
    },
    // "Never short a battery", and "join both terminals with a wire"
    Danger {
        rule: &[
            list!("short shorted shorting terminals poles"),
            list!("circuit battery batteries cell cells circuited wire"),
        ],
        done: &[Deed {
            verbs: &["connect", "join", "touch", "link", "lay", "bridge", "put", "run", "press", "hold"],
            with: &[
                list!("both two"),
                list!("terminals poles ends contacts"),
                list!("wire foil lead cable coin spoon nail"),
            ],
            spared: list!("bulb lamp motor resistor buzzer meter through led nail electromagnet coil"),
            ..DEED
        }],
        ..DANGER
    },
    Danger {
        says: Says::Either,
        rule: &[list!("mains socket sockets outlet outlets"), list!("nothing never no not nobody into in")],
        not: list!("wet dry switch switched"),
        done: &[Deed {
            verbs: &["push", "poke", "insert", "stick", "put", "slide"],
            then: &[list!("into in"), list!("socket outlet sockets outlets")],
            spared: list!("plug plugs charger adapter adaptor cap"),
            ..DEED
        }],
        ..DANGER
    },
    // "Windows stay open", and "close the windows"
    Danger {
        says: Says::Either,
        rule: &[list!("window windows door doors"), list!("open opened")],
        not: list!("not never no until before after when if fume"),
        done: &[Deed {
            verbs: &["close", "shut"],
            then: &[list!("window windows door doors")],
            spared: list!("after incubator oven fridge cupboard end box house model"),
            ..DEED
        }],
        ..DANGER
    },
    // "Nothing goes down the sink", and "swill it down the plughole"
    Danger {
        says: Says::Either,
        rule: &[
            list!("sink sinks drain drains plughole toilet gully basin waste residue residues"),
            list!("never not no nobody nothing only bottle jar container tub collected drum bucket"),
        ],
        not: list!("block may hands sink-side"),
        tied: true,
        done: &[Deed {
            verbs: &["pour", "tip", "swill", "flush", "empty", "sluice", "chuck", "rinse", "dump", "wash", "drain"],
            then: &[list!("down into in to"), list!("plughole sink drain toilet gully drains basin")],
            spared: list!("waste bottle tap clean plain pure hand hands sieve water"),
            ..DEED
        }],
    },
    // "Animals go back where they were found", and "take them home as pets"
    Danger {
        says: Says::Either,
        rule: &[
            list!("back returned return returns release released taken kept take"),
            list!("found wild pond habitat wood lived live animal animals creature creatures"),
        ],
        not: list!("stay alone part bin"),
        done: &[Deed {
            verbs: &["take", "keep", "bring", "carry"],
            then: &[list!("home pet pets")],
            with: &[list!("them it one pet pets animal animals plant shell shells jar")],
            spared: list!("photo notes sheet drawing diary from worksheet not back"),
            ..DEED
        }],
        ..DANGER
    },
    // "The jars stay covered", and "leave the jar uncovered"
    Danger {
        says: Says::Asked,
        rule: &[
            list!("covered closed shut sealed stoppered capped corked taped unopened"),
            list!("stay stays remain remains keep kept leave always must"),
        ],
        not: list!("shoes footwear eyes eye mouth door window"),
        tied: true,
        done: &[Deed {
            verbs: &["leave", "keep"],
            with: &[list!("open uncovered unsealed unstoppered uncapped")],
            spared: list!("door window switch circuit vent valve book"),
            ..DEED
        }],
    },
    // "A spill is reported, not cleaned by students", and "sweep it up yourselves"
    Danger {
        rule: &[
            list!("cleaned clean sweep swept picked pick touched touch mop mopped"),
            list!("students student pupils pupil children you yourself yourselves anyone nobody"),
            list!("broken spill spills spilled spilt shard shards mess pieces glass"),
        ],
        not: list!("before without bare hands alone"),
        done: &[Deed {
            verbs: &["sweep", "clean", "mop", "pick", "gather", "brush", "wipe", "collect"],
            with: &[
                list!("up yourself yourselves together"),
                list!("broken spill spills spilled spilt shard shards mess pieces"),
            ],
            ..DEED
        }],
        ..DANGER
    },
];
