//! Dangers of bad habits: what is shared, hurried, overfilled or breathed in.

use super::rows::{DANGER, DEED, Danger, Deed, Says};
use crate::assistant::facts::lists::list;

pub(super) static DANGERS: &[Danger] = &[
    // "Everyone uses a straw of their own", and "pass the straw round"
    Danger {
        says: Says::Either,
        rule: &[
            list!("share shared sharing shares own"),
            list!(
                "straw straws mouthpiece mouthpieces balloon balloons lancet lancets needle needles cup cups spoon spoons swab swabs"
            ),
        ],
        tied: true,
        done: &[Deed {
            verbs: &["pass", "share", "swap", "hand", "use", "lend", "exchange"],
            with: &[list!("round around same turns partner's neighbour's neighbor's partner next")],
            spared: list!("own clean new fresh washed results data"),
            ..DEED
        }],
        ..DANGER
    },
    // "Never stir with the thermometer", and "stir it with the thermometer"
    Danger {
        rule: &[list!("thermometer thermometers"), list!("stir stirred stirring stirrer")],
        not: list!("so hard hits break breaks gently slowly"),
        done: &[Deed { verbs: &["stir"], then: &[list!("with using"), list!("thermometer")], ..DEED }],
        ..DANGER
    },
    // "No metal goes into the microwave", and "heat it on the foil in the microwave"
    Danger {
        rule: &[list!("metal foil metals aluminium aluminum"), list!("microwave")],
        done: &[Deed {
            verbs: &["put", "place", "heat", "cook", "microwave", "warm", "set", "leave", "melt"],
            with: &[list!("foil metal fork steel aluminium aluminum tin"), list!("microwave")],
            spared: list!("remove off out without unwrap"),
            ..DEED
        }],
        ..DANGER
    },
    // "Sleeves are rolled up", and "let your sleeves hang"
    Danger {
        says: Says::Either,
        rule: &[
            list!("sleeves sleeve scarf scarves hair necklace necklaces cords ties"),
            list!("tied tie tucked tuck rolled roll back up off loose removed in"),
        ],
        done: &[Deed {
            verbs: &["leave", "let", "wear", "keep"],
            then: &[list!("sleeves sleeve scarf scarves hair necklace")],
            with: &[list!("loose hang hanging dangling down open untied on")],
            spared: list!("tied tucked rolled back not never net"),
            ..DEED
        }],
        ..DANGER
    },
    // "Wait two minutes before you go near it", and "walk up to it straight away"
    Danger {
        says: Says::Either,
        rule: &[list!("wait waits cool cooled rest settle"), list!("before until till")],
        tied: true,
        done: &[Deed {
            verbs: &[
                "go", "approach", "walk", "run", "lift", "open", "unscrew", "touch", "pick", "remove", "take", "pull",
                "fetch", "check", "reach", "handle",
            ],
            with: &[list!("immediately straight instantly waiting"), list!("away immediately instantly without from")],
            spared: list!("after cooled cold line tongs gloves"),
            ..DEED
        }],
        ..DANGER
    },
    // "Nobody crosses the road", and "cross the street and count"
    Danger {
        rule: &[list!("cross crosses crossing step onto enter"), list!("road roads street streets")],
        done: &[Deed {
            verbs: &["cross", "step", "run", "walk", "go"],
            then: &[list!("road street")],
            next: true,
            spared: list!("model map crossing lights zebra"),
            ..DEED
        }],
        ..DANGER
    },
    // "The gas is off unless a flame burns", and "leave the gas on"
    Danger {
        says: Says::Either,
        rule: &[list!("gas"), list!("off closed shut"), list!("tap taps valve supply always turn turned stays stay")],
        done: &[Deed {
            verbs: &["leave", "keep"],
            then: &[list!("gas")],
            with: &[list!("on open running")],
            spared: list!("off syringe jar"),
            ..DEED
        }],
        ..DANGER
    },
    // "Fill it half full at most", and "fill it to the brim"
    Danger {
        says: Says::Either,
        rule: &[
            list!("fill filled filling overfill full"),
            list!("half third quarter two-thirds thirds never overfill brim top"),
            list!("never not no more most only overfill than nobody"),
        ],
        tied: true,
        done: &[Deed {
            verbs: &["fill", "top", "pour"],
            then: &[list!("brim top rim full")],
            spared: list!("half third quarter below under short not"),
            ..DEED
        }],
        ..DANGER
    },
    // "Nobody breathes in helium", and "take a breath from the balloon"
    Danger {
        rule: &[list!("inhale inhaled breathe breathes breathed inhales"), list!("helium balloon gas vapour fumes")],
        done: &[Deed {
            verbs: &["inhale", "breathe", "suck", "take"],
            with: &[list!("helium balloon"), list!("inhale breathe breath suck")],
            spared: list!("out into blow not"),
            ..DEED
        }],
        ..DANGER
    },
    // "Two of you carry the tank", and "lift the tank by yourself"
    Danger {
        says: Says::Either,
        rule: &[
            list!("two both pairs together adult"),
            list!("carry carried lift lifted move moved"),
            list!("heavy always only never alone tank"),
        ],
        tied: true,
        done: &[Deed {
            verbs: &["carry", "lift", "move", "take"],
            with: &[list!("alone yourself single-handed")],
            ..DEED
        }],
        ..DANGER
    },
];
