//! Words around the name of a thing that tell whether it is used, or only spoken of.

use crate::assistant::facts::lists::{List, list};

/// Words of sentences about what is shown, told or thought of, or brought by others than the group.
pub static NOT_USED: List = list!(
    "i my teacher's adult's demonstrate demonstrates demonstration demo video photo photograph imagine \
         suppose story homework home technician optional would instead design brainstorm invent pretend real \
         app simulation screen virtual if unless borrow parents history projector slideshow \
         lighthouse revise symbol symbols"
);

/// Words of clauses that only speak of a thing.
pub static NOT_HERE: List = list!(
    "picture pictures poster article passage paragraph how discuss could might like without not don't never no why predict explain \
         compare diagram sketch example word words called school class classroom ask model draw scientists people may \
         flip toss desks spill spills wipe mop tidy waste discard dispose bin rubbish trash dustpan wash \
         hands nature cells imaginary else"
);

/// What holds so much of a substance; "a funnel of questions" is no funnel.
pub static HOLDING: List = list!(
    "beaker flask tube cylinder jug cup pipette pipet dropper eyedropper syringe spatula kettle dish \
         bottle can bucket sieve balloon bag"
);

/// Words on a list that stand for much that is not named one by one.
pub const COLLECTIVE: &[&str] =
    &["kit", "apparatus", "equipment", "supplies", "glassware", "assorted", "various", "setup", "etc", "usual"];

/// Words that show that a substance is used.
pub static USING: List = list!(
    "add adds pour pours drop drops mix stir put place dip use using fill measure squeeze stain weigh tip \
         tie wet soak coat sprinkle spoon with wrap cover spread dissolve pipette hang cut attach rub clean \
         into take pinch let shake wind push squirt float set stick tape fix spreads lay load pack plug scoop shine \
         rest fill blow inflate tuck thread slide bury sow plant layer half-fill run drip drips goes lower drop spray line fasten thread trickle test flood apply dab spot smear dust sift \
         filter strain pass melt heat crush grind whisk brush paint inject lower press scatter bury mash grate peel onto bubble bubbles"
);

/// Things and animals that texts also speak of without using them: "the hen lays an egg".
pub static SPOKEN_OF: List = list!(
    "egg feather snail cricket locust grasshopper crayfish earthworm mealworm woodlouse isopod daphnia coin penny marble \
         fan bucket sponge straw apple carrot onion banana lemon grape raisin marshmallow potato bulb ramp mirror \
         bead button domino dice globe sunflower leaf paperclip jar bottle spinner tin"
);

/// Further words that show that such a thing is used.
pub static HANDLING: List = list!("hold point tap roll stick set balance lay switch blow suck count through under");

/// Verbs that may follow a thing without making it the first part of a name.
pub const FOLLOWING: &[&str] = &[
    "reads", "read", "shows", "show", "says", "stands", "stand", "sits", "sit", "starts", "creep", "runs", "run",
    "drops", "rises", "falls", "solution", "powder", "granules", "crystals", "pellets", "flakes", "touches", "hangs",
    "hang", "is", "burn", "burns", "goes", "set", "held", "placed", "taped", "tied", "clamped", "resting", "standing",
    "hanging", "fitted", "lined", "inside", "today", "again",
];
