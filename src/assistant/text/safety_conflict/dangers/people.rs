//! Dangers to those who go, stand, look and eat where they should not.

use super::rows::{DANGER, DEED, Danger, Deed, Says};
use crate::assistant::facts::lists::{List, list};

static PEOPLE: List =
    list!("partner neighbour neighbor classmate classmates friend teammate face faces eye eyes yourself");
static TOWARDS: List = list!("towards toward at into onto");
static FURNITURE: List = list!(
    "chair chairs table tables desk desks stool stools bench benches counter furniture ladder box crate shelf worktop"
);
static WATERS: List = list!("water river stream pond lake creek brook sea reservoir");
static WADES: &[&str] = &["wade", "step", "go", "walk", "jump", "climb", "stand", "paddle", "get", "hop"];

/// "Wade out to the middle", "step into the stream"
const GOES_IN: Deed = Deed { verbs: WADES, then: &[list!("in into"), WATERS], next: true, ..DEED };

pub(super) static DANGERS: &[Danger] = &[
    // "No one enters the river", and "wade out to the middle"
    Danger {
        rule: &[list!("enter enters entering go goes step steps wade wades wading stand set foot paddle"), WATERS],
        not: list!("deeper above ankle knee hip waist boots alone glass pour tap"),
        done: &[Deed { verbs: &["wade", "paddle"], spared: list!("pool bird birds"), ..DEED }, GOES_IN],
        ..DANGER
    },
    Danger {
        says: Says::Asked,
        rule: &[
            list!("stay remain work everyone everybody children students"),
            list!("out bank shore jetty path dry"),
            WATERS,
        ],
        not: list!("keep paper"),
        done: &[Deed { verbs: &["wade", "paddle"], ..DEED }, GOES_IN],
        ..DANGER
    },
    // "Not above the ankles", and "where it is waist-deep"
    Danger {
        says: Says::Either,
        rule: &[list!("ankle ankles ankle-deep shin shins"), list!("deeper above over no nobody never only most up")],
        done: &[Deed {
            verbs: &["wade", "go", "step", "walk", "stand", "get"],
            with: &[list!("knee knees waist waists hip hips thigh thighs chest")],
            spared: list!("height level ankles hold read"),
            ..DEED
        }],
        ..DANGER
    },
    Danger {
        says: Says::Either,
        rule: &[list!("knee knees boots wellingtons"), list!("deeper above over no nobody never only most up")],
        not: list!("bend"),
        done: &[Deed {
            verbs: &["wade", "go", "step", "walk", "stand", "get"],
            with: &[list!("waist waists hip hips thigh thighs chest"), list!("water stream river deep wade wades")],
            spared: list!("height level hold read"),
            ..DEED
        }],
        ..DANGER
    },
    // "Both feet stay on the floor", and "stand on the chair"
    Danger {
        rule: &[list!("climb climbs climbing stand stands standing sitting sit children ladder up"), FURNITURE],
        not: list!("while until near away back still"),
        done: CLIMBS,
        ..DANGER
    },
    Danger {
        says: Says::Asked,
        rule: &[FURNITURE, list!("sitting sit")],
        not: list!("while until near away back still stand"),
        done: CLIMBS,
        ..DANGER
    },
    Danger {
        says: Says::Either,
        rule: &[list!("feet foot"), list!("floor ground")],
        not: list!("spill spilled dry bag"),
        done: CLIMBS,
        ..DANGER
    },
    // "The mouth of the tube points at nobody", and "tilt it towards your partner"
    Danger {
        says: Says::Either,
        rule: &[
            list!(
                "point points pointed pointing aim aimed aims face faces facing directed turned fire fired shine shone shining \
                   squirt squirted spray sprayed shoot shot throw thrown throws launched flicked"
            ),
            list!(
                "anyone anybody nobody people person someone somebody others face faces classmate classmates neighbour \
                   neighbor yourself eyes eye everyone human"
            ),
            list!("away never not no nobody must mustn't don't cannot"),
        ],
        tied: true,
        done: &[
            Deed {
                verbs: &[
                    "point", "aim", "direct", "turn", "tilt", "hold", "face", "angle", "shine", "fire", "tip",
                    "squirt", "spray", "shoot", "launch", "throw", "flick", "fling", "toss", "blow",
                ],
                then: &[TOWARDS, PEOPLE],
                spared: list!("level away wall mirror card screen model picture height side"),
                ..DEED
            },
            Deed {
                verbs: &["point", "aim", "turn", "tilt", "angle", "tip"],
                then: &[list!("towards toward so"), list!("you yourself partner neighbour neighbor classmate friend")],
                spared: list!("level away wall mirror card screen see visible see"),
                ..DEED
            },
            Deed {
                verbs: &["tilt", "turn", "point", "hold"],
                then: &[list!("so"), list!("partner neighbour neighbor classmate friend")],
                with: &[list!("into mouth opening end")],
                spared: list!("away wall"),
                ..DEED
            },
        ],
        ..DANGER
    },
    // "At least three metres from the tile", and "come up to the tile"
    Danger {
        says: Says::Either,
        rule: &[
            list!("stay stays keep keeps remain remains stand stands watch sit"),
            list!("metre metres meter meters m distance back"),
        ],
        not: list!("hair sleeves sleeve scarf clothing loose paper dry lamp plant ramp"),
        tied: true,
        done: &[
            Deed {
                verbs: &["come", "go", "step", "lean", "bend", "move", "crouch", "walk", "crowd", "gather", "kneel"],
                then: &[list!("close closer nearer over up right")],
                spared: list!("away back behind from metre metres"),
                ..DEED
            },
            Deed {
                verbs: &["put", "hold", "bring", "lower", "place"],
                then: &[
                    list!("face nose eye eyes head ear"),
                    list!("close closer near over above to right against into"),
                ],
                spared: list!("away back behind metre metres goggles shield"),
                ..DEED
            },
        ],
    },
    // "Stay behind the rope", and "duck under the rope"
    Danger {
        says: Says::Either,
        rule: &[
            list!("stay stays keep keeps remain remains stand stands behind nobody no never watch"),
            list!("rope line fence barrier tape path trail boardwalk screen cones rail railing"),
            list!("behind cross crosses crossing leave leaves off past beyond on"),
        ],
        not: list!("hair clear"),
        tied: true,
        done: &[Deed {
            verbs: &[
                "step", "go", "walk", "climb", "duck", "lean", "reach", "squeeze", "cross", "leave", "run", "come",
            ],
            then: &[
                list!("over past across beyond under through off the around"),
                list!("rope line fence barrier tape path trail boardwalk screen cones"),
            ],
            spared: list!("back behind clear measure after once when all-clear"),
            ..DEED
        }],
    },
    // "Wash your hands before you eat", and "have your apple before we go in and wash"
    Danger {
        says: Says::Either,
        rule: &[
            list!("wash washed washing scrub clean"),
            list!("hand hands"),
            list!("eat eating eats lunch snack food meal break eaten"),
            list!("before first"),
        ],
        done: &[
            Deed {
                verbs: &["eat", "have", "enjoy", "share", "nibble", "bite", "taste", "munch", "unpack"],
                then: &[list!("before")],
                with: &[list!("wash washing sink clean soap")],
                spared: list!("wash,"),
                ..DEED
            },
            Deed {
                verbs: &["eat", "have", "enjoy", "share", "nibble", "munch", "unpack"],
                with: &[
                    list!("straight unwashed muddy dirty directly immediately without"),
                    list!(
                        "sandwich sandwiches lunch snack snacks picnic apple apples biscuit biscuits food crisps fruit \
                           bun crackers cookie cookies"
                    ),
                ],
                spared: list!("after wash washed fridge"),
                ..DEED
            },
        ],
        ..DANGER
    },
    // "Nobody looks at the Sun", and "look at it through the tube"
    Danger {
        rule: &[list!("sun sunlight"), list!("look looks looking stare view eye eyes watch gaze point pointed")],
        done: &[Deed {
            verbs: &["look", "stare", "gaze", "peer", "squint", "glance"],
            then: &[list!("at into toward towards through"), list!("sun")],
            next: true,
            spared: list!(
                "card screen projection projected filter filters eclipse shadow image paper away not glasses viewer \
                           pinhole reflection picture position where model diagram photo cross lamp"
            ),
            ..DEED
        }],
        ..DANGER
    },
    // "Smell it by wafting", and "put your nose over it and take a deep sniff"
    Danger {
        says: Says::Either,
        rule: &[
            list!(
                "smell smells smelled smelling sniff sniffed inhale inhaled waft wafted wafting nose noses breathe fumes \
                   vapour vapours vapor vapors"
            ),
            list!("never not no nobody don't only waft wafted wafting avoid must"),
        ],
        not: list!("dust powder mask compost spores"),
        done: &[
            Deed {
                verbs: &[
                    "put", "hold", "bring", "place", "lower", "move", "lift", "dip", "bend", "lean", "stick", "raise",
                ],
                then: &[list!("nose nostrils noses"), list!("over above to into in near at right close against")],
                spared: list!("waft wafting wave fan away not flower flowers"),
                ..DEED
            },
            Deed {
                verbs: &["put", "hold", "bring", "place", "move", "lift", "raise"],
                then: &[list!("under to beneath below near against"), list!("nose nostrils")],
                spared: list!("waft wafting wave fan away not flower flowers"),
                ..DEED
            },
            Deed {
                verbs: &["sniff", "inhale", "breathe", "smell"],
                with: &[list!("deep deeply directly straight hard strongly")],
                spared: list!("waft wafting wave fan away out through not flower flowers air exercise"),
                ..DEED
            },
        ],
        ..DANGER
    },
    // "No running", and "dash to the other end"
    Danger {
        rule: &[list!("run running runs race racing rush rushing")],
        not: list!(
            "with tap water building corridor corridors indoors inside school stairs dry engine test motor current \
                    while when supply power hot out"
        ),
        done: &[Deed {
            verbs: &["run", "race", "sprint", "dash", "rush"],
            then: &[list!("to across back over round around up down between")],
            next: true,
            spared: list!(
                "grass field outside lap track spot water tap playground test outdoors yard gym string finger"
            ),
            ..DEED
        }],
        ..DANGER
    },
    // "No one walks alone", and "go on by yourself"
    Danger {
        says: Says::Denied,
        rule: &[list!("alone partner buddy company"), list!("never nobody no not always only without")],
        not: list!("teacher burner flame hot plate left leave"),
        done: &[Deed {
            verbs: &["go", "walk", "wade", "enter", "head", "explore", "wander", "return", "climb", "collect"],
            with: &[list!("alone yourself single-handed")],
            spared: list!("leave left not"),
            ..DEED
        }],
        ..DANGER
    },
    // "Nobody looks along the beam", and "hold it so that it shines into your partner's eyes"
    Danger {
        rule: &[list!("laser lasers beam beams"), list!("eye eyes face faces anyone anybody look looks people person")],
        done: &[Deed {
            verbs: &["look", "point", "shine", "aim", "hold", "put", "peer", "sight", "direct", "bring", "bend"],
            then: &[list!("along into at toward towards"), list!("beam laser eye eyes face partner classmate friend")],
            spared: list!("card screen wall shadow level away spot dot path paper"),
            ..DEED
        }],
        ..DANGER
    },
    // "Closed shoes are worn", and "take off your shoes and socks"
    Danger {
        says: Says::Either,
        rule: &[
            list!("shoes footwear shoe boots trainers barefoot sandals"),
            list!("closed wear worn keep kept on covered never no not nobody stay"),
        ],
        not: list!("floor mat sand lab-only"),
        done: &[
            Deed {
                verbs: &["take", "kick", "slip", "remove", "pull"],
                then: &[list!("shoes shoe boots trainers sandals off")],
                with: &[list!("shoes boots trainers wellingtons"), list!("off remove kick barefoot")],
                spared: list!("after end home finally mud muddy"),
                ..DEED
            },
            Deed {
                verbs: &["go", "walk", "step", "stand", "wade", "run", "work"],
                with: &[list!("barefoot barefooted sandals socks")],
                spared: list!("after not"),
                ..DEED
            },
        ],
        ..DANGER
    },
    // "Never pop a balloon near an ear", and "burst it next to your partner's ear"
    Danger {
        rule: &[list!("ear ears face faces head heads"), list!("near close next beside by at against")],
        tied: true,
        done: &[Deed {
            verbs: &[
                "pop", "burst", "strike", "hit", "bang", "ring", "hold", "put", "bring", "blow", "clap", "shout",
                "prick",
            ],
            then: &[list!("near close next beside behind to against by in over"), list!("ear ears face head")],
            spared: list!("away covered shield cover"),
            ..DEED
        }],
        ..DANGER
    },
    // "Stand while you pour the acid", and "sit down and pour it"
    Danger {
        says: Says::Either,
        rule: &[list!("stands stand standing")],
        not: list!(
            "never not clear back away nobody retort clamp bottle test beaker jar tube flask dish pot plant candle tripod mat \
             behind chair chairs"
        ),
        tied: true,
        done: &[Deed {
            verbs: &["sit"],
            then: &[list!("down stool stools chair chairs seat seats")],
            spared: list!("after then finished when"),
            ..DEED
        }],
    },
    // "Not with the naked eye", and "watch it with your own eyes"
    Danger {
        rule: &[list!("naked unprotected bare unaided"), list!("eye eyes")],
        tied: true,
        done: &[Deed {
            verbs: &["watch", "look", "stare", "observe", "view", "gaze", "peer"],
            with: &[list!("own naked bare unaided directly straight")],
            spared: list!("away screen card glasses filter filters goggles viewer through shadow image reflection"),
            ..DEED
        }],
        ..DANGER
    },
    // "Not a crumb of what we make passes anybody's lips", and "let it melt on your tongue"
    Danger {
        rule: &[list!(
            "lips mouth mouths eaten eat eating taste tasted tasting swallow swallowed edible consumed consume tongue"
        )],
        not: list!("suck pipette pipettes pipetting blow"),
        done: &[Deed {
            verbs: &["let", "put", "place", "pop", "rest", "melt", "dab", "lay", "hold", "drop", "stick"],
            then: &[list!("on in into onto to"), list!("tongue mouth lips")],
            spared: list!(
                "straw mouthpiece balloon thermometer whistle model bottle jar tube bag flask blow hum neck mask scarf hand"
            ),
            ..DEED
        }],
        ..DANGER
    },
];

/// "Climb on the chair"
static CLIMBS: &[Deed] = &[Deed {
    verbs: &["climb", "stand", "step", "hop", "kneel", "get", "jump"],
    then: &[list!("on onto up"), FURNITURE],
    next: true,
    spared: list!("off down not pot plant"),
    ..DEED
}];
