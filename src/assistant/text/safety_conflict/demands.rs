//! Hazards that a rule names by what it demands instead: tongs and no fingers, a lid that stays loose, burners that stay
//! unlit, a chore that is a grown-up's.

use std::ops::Range;

use super::deeds;
use super::hazards::Hazard;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// What holds a thing in place of fingers.
const TOOLS: &str = "tong tongs tweezer tweezers forceps plier pliers pincer pincers ladle scoop spatula chopsticks glove gloves \
    mitt mitts gauntlet gauntlets grabber";
/// Words of handling a thing with a tool, in any form.
const HANDLED: [&str; 20] = [
    "grip", "grasp", "hold", "handle", "touch", "lift", "move", "pick", "take", "carry", "transfer", "fetch", "remove",
    "place", "put", "pass", "manage", "shift", "turn", "lower",
];
/// Words of a demand that name no thing.
const DEMANDING: &str = "only ever always use used using must should need needs please never without hold held handle handled touch \
    touched grip gripped grasp grasped lift lifted move moved pick picked take taken carry carried transfer transferred fetch \
    removed put place placed pass passed manage managed shifted turned lower lowered length time arm wear worn contact all exception \
    other else long metal wooden thick insulated heatproof leather nitrile pair reach may can shall will";
/// What may be shut in.
const SHUT_IN: &str =
    "closed sealed capped corked stoppered bottled confined trapped enclosed screwed shut bunged plugged";
/// What shuts.
const STOPPERS: &str = "lid lids cap caps stopper stoppers cork corks bung bungs plug plugs top tops";
/// What burns, and words for that it does not.
const FIRES: &str =
    "burner burners bunsen bunsens flame flames candle candles stove stoves fire fires lighter lighters lamp";
const UNLIT: &str = "unlit extinguished out off";
/// Words of help and leave, with which pupils may do it after all.
const HELPED: &str = "help helps helped helping ask tell under unless check checks checked supervision supervised permission together \
    present says allows until supervise supervises watch watches watching needs or if when first";
/// What is done to things that a grown-up may have to do, by what names it.
const CHORES: &[(&str, &[&str])] = &[
    ("pouring", &["pour"]),
    ("cutting", &["cut", "slice", "chop", "halve"]),
    ("slicing", &["cut", "slice", "chop"]),
    ("chopping", &["cut", "slice", "chop"]),
    ("carving", &["carve", "cut"]),
    ("peeling", &["peel"]),
    ("lighting", &["light", "ignite", "strike"]),
    ("heating", &["heat", "boil"]),
    ("boiling", &["boil"]),
    ("cooking", &["cook", "fry", "boil"]),
    ("frying", &["fry"]),
    ("baking", &["bake"]),
    ("drilling", &["drill"]),
    ("sawing", &["saw"]),
    ("soldering", &["solder"]),
    ("ironing", &["iron"]),
    ("gluing", &["glue"]),
    ("welding", &["weld"]),
    ("diluting", &["dilute"]),
    ("mixing", &["mix"]),
    ("dissecting", &["dissect", "cut"]),
    ("piercing", &["pierce", "prick", "poke"]),
    ("pricking", &["prick", "pierce"]),
    ("dispensing", &["dispense", "pour"]),
    ("decanting", &["decant", "pour"]),
    ("melting", &["melt"]),
    ("igniting", &["light", "ignite"]),
    ("burning", &["burn"]),
    ("hammering", &["hammer"]),
    ("shaving", &["shave"]),
    ("grating", &["grate"]),
    ("blending", &["blend"]),
];

/// A hazard, where a rule speaks of it, and the things that it is about.
type Demand = (Hazard, usize, Vec<Vec<String>>);

/// What a sentence of a rule demands.
pub(super) fn read(text: &Text, sentence: &Range<usize>) -> Vec<Demand> {
    let mut found = Vec::new();
    found.extend(tool(text, sentence).map(|(at, things)| (Hazard::Skin, at, things)));
    found.extend(vented(text, sentence).map(|(at, things)| (Hazard::Closed, at, things)));
    found.extend(unlit(text, sentence).map(|at| (Hazard::Lit, at, Vec::new())));
    found.extend(sucked(text, sentence).map(|at| (Hazard::Sucked, at, Vec::new())));
    found.extend(chore(text, sentence).map(|(at, verbs)| (Hazard::Chore(verbs), at, Vec::new())));
    found
}

/// "Sources are only ever gripped with the tongs", "use tweezers for the pellets", "crucibles: tongs only".
fn tool(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let at = sentence.clone().find(|t| lists!(TOOLS, text.word(*t)))?;
    let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
    if has(list!("optional if may can could prefer fine allowed wash dirty share clean allergic"))
        || phrases::is_denied(text, at)
    {
        // "Never without tongs" demands them.
        let without = (at.saturating_sub(3).max(sentence.start)..at).any(|t| text.word(t) == "without");
        if !without || !has(list!("never not nothing nobody no")) {
            return None;
        }
    }
    let handled = sentence.clone().any(|t| phrases::verb(text.word(t), &HANDLED).is_some());
    let with = (at.saturating_sub(4).max(sentence.start)..at).any(|t| lists!("with using by use only", text.word(t)));
    let alone = has(list!("only always"));
    if !(with && (handled || alone) || alone && has(list!(":"))) {
        return None;
    }
    let named = |range: Range<usize>| {
        let groups = phrases::groups(text, range);
        groups.into_iter().filter_map(|group| {
            let mut words = group.words;
            words.retain(|word| !lists(DEMANDING, word) && !lists(TOOLS, word));
            // A thing of a rule may be named with what it is when touched only: "hot tubes".
            deeds::thing(words)
        })
    };
    let mut things: Vec<_> = named(sentence.clone()).collect();
    things.truncate(3);
    (!things.is_empty()).then_some((at, things))
}

/// "Dry ice is never closed in", "no lid goes on anything that holds a pellet", "leave the cap loose".
fn vented(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
    if has(list!("overnight tightly until while when if before")) {
        return None;
    }
    let never = || {
        sentence.clone().find(|at| {
            lists!(SHUT_IN, text.word(*at))
                && phrases::is_denied(text, *at)
                && (at.saturating_sub(4).max(sentence.start)..*at).any(|t| lists!("is are be been being", text.word(t)))
        })
    };
    let none = || {
        sentence.clone().find(|at| {
            lists!(STOPPERS, text.word(*at))
                && phrases::is_denied(text, *at)
                && (at + 1..sentence.end.min(at + 9)).any(|t| {
                    phrases::verb(text.word(t), &["go", "put", "place", "belong", "screw", "fit", "come"]).is_some()
                        && (t + 1..t + 4).any(|on| lists!("on onto in into", text.word(on)))
                })
        })
    };
    let loose = || {
        sentence.clone().find(|at| {
            lists!(STOPPERS, text.word(*at))
                && !phrases::is_denied(text, *at)
                && has(list!("leave keep stay stays remain remains kept left"))
                && (at + 1..phrases::clause_end(text, *at)).any(|t| lists!("loose ajar unscrewed", text.word(t)))
        })
    };
    let at = never().or_else(none).or_else(loose)?;
    let groups = clauses(text, sentence).into_iter().flat_map(|clause| phrases::groups(text, clause));
    let things = groups.filter_map(|group| {
        let mut words = group.words;
        words.retain(|word| {
            !lists(STOPPERS, word)
                && !lists(SHUT_IN, word)
                && !lists(
                    "anything contain hold holding containing loose ajar unscrewed put fit screwed fitted belong ever vessel container",
                    word,
                )
        });
        deeds::thing(words)
    });
    let things: Vec<_> = things.take(4).collect();
    (!things.is_empty()).then_some((at, things))
}

/// The clauses of a sentence.
fn clauses(text: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = sentence.start;
    while at < sentence.end {
        let end = phrases::clause_end(text, at).max(at + 1);
        found.push(at..end.min(sentence.end));
        at = end;
    }
    found
}

/// "Every burner in the room stays unlit", "all flames are out while the alcohol is open".
fn unlit(text: &Text, sentence: &Range<usize>) -> Option<usize> {
    let at = sentence.clone().find(|t| lists!(FIRES, text.word(*t)))?;
    let end = phrases::clause_end(text, at);
    let is = (at + 1..end.min(at + 7)).find(|t| {
        lists!("stay stays remain remains is are be kept keep", text.word(*t)) && !phrases::is_denied(text, *t)
    })?;
    let state = (is + 1..end.min(is + 4)).find(|t| lists!(UNLIT, text.word(*t)))?;
    let of = lists!("of limits at reach", text.word(state + 1));
    let left = sentence.clone().any(|t| lists!("unattended unless until leave after end before", text.word(t)));
    // "Check that all burners are off" says how things are left, "burners stay off" and "are off while …" how they have to be.
    let lasting = !lists!("is are be", text.word(is))
        || text.word(state) == "unlit"
        || sentence.clone().any(|t| lists!("while when whenever as once during", text.word(t)));
    (!of && !left && lasting).then_some(at)
}

/// "Putting one's lips to a pipette is forbidden", "never pipette by mouth".
fn sucked(text: &Text, sentence: &Range<usize>) -> Option<usize> {
    let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
    let at = sentence.clone().find(|t| {
        lists!("pipette pipettes pipetting tube tubes tubing hose siphon straw straws syringe", text.word(*t))
    })?;
    (has(list!("mouth mouths lip lips suck sucked sucking"))
        && has(list!("never not no don't forbidden banned prohibited nobody must mustn't cannot out off away"))
        && !has(list!("own unless")))
    .then_some(at)
}

/// "An adult does all of the pouring", "cutting is the teacher's job", "leave the drilling to the technician".
fn chore(text: &Text, sentence: &Range<usize>) -> Option<(usize, &'static [&'static str])> {
    sentence.clone().find_map(|at| {
        let (_, verbs) = CHORES.iter().find(|(name, _)| *name == text.word(at))?;
        is_theirs(text, sentence, at).then_some((at, *verbs))
    })
}

/// Whether the chore that is named at a token is a grown-up's.
fn is_theirs(text: &Text, sentence: &Range<usize>, at: usize) -> bool {
    let has = |range: Range<usize>, words: List| range.into_iter().any(|t| words.has(text.word(t)));
    if has(sentence.clone(), list!(HELPED)) || phrases::is_denied(text, at) || phrases::is_question(text, at) {
        return false;
    }
    let grown = |t: usize| {
        let word = text.word(t).strip_suffix("'s").unwrap_or_else(|| text.word(t));
        phrases::is_teacher(text, t)
            || lists!("teacher adult technician grown instructor parent staff", word)
            || word == "my" && lists!("job task business", text.word(t + 1))
    };
    let before = (sentence.start..at).rev().find(|t| grown(*t) && at - t <= 10);
    let after = (at + 1..sentence.end).find(|t| grown(*t) && t - at <= 9);
    let does = |who: usize| {
        has(who + 1..at, list!("does do will handles sees performs undertakes manages takes carries"))
            && has(who + 1..at, list!("all any every the this that"))
    };
    let given = |who: usize| {
        has(at + 1..who, list!("by for to"))
            && has(at + 1..who, list!("is are be done left reserved only stays remains"))
            || has(at + 1..who, list!("is are"))
                && has(who + 1..who + 4, list!("job task business responsibility work duty"))
            || text.word(who).ends_with("'s")
                && has(who + 1..who + 3, list!("job task business responsibility work duty"))
            || text.word(at + 1) == ":"
    };
    let left = |who: usize| {
        has(sentence.start..at, list!("leave")) && text.word(who.wrapping_sub(2)) == "to"
            || has(sentence.start..at, list!("leave")) && text.word(who.wrapping_sub(1)) == "to"
    };
    before.is_some_and(does) || after.is_some_and(|who| given(who) || left(who))
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_step_against_what_a_rule_demands_is_found() {
        for (safety, step) in [
            ("Sources are only ever gripped with the tongs.", "Take the source out of its pot with your fingers."),
            ("Sources are handled with tongs only.", "Pick up the source with your fingers."),
            ("Use tweezers to move the seeds.", "Pick up the seeds with your fingers."),
            ("Crucibles: tongs only.", "Lift the crucible off with your bare fingers."),
            ("Skin stays out of the cup.", "Each lab partner dips two fingertips in cup 2 and swishes them round."),
            ("Hands stay out of the cup.", "Put your fingers in the cup."),
            ("Bare skin and pellet must not meet.", "Strip off the gloves and roll the pellet on the tile."),
            ("All cutting is done by an adult.", "Cut the apple in half."),
            ("Cutting is the teacher's job.", "Cut the apple in half."),
            ("Leave the cutting to the teacher.", "Cut the apple in half."),
            ("Drilling is left to the technician.", "Drill a hole in the lid."),
            ("The technician does the drilling, every hole of it.", "Drill a hole in the lid."),
            (
                "Hot syrup burns worse than boiling water: an adult does all of the pouring.",
                "Students pour it themselves.",
            ),
            ("Goggles are over your eyes from the first pour on.", "Push your goggles up and read the scale."),
            ("Eye protection is not to leave your eyes.", "Slide your goggles up into your hair and read the scale."),
            ("Never seal a bottle that holds dry ice.", "Put the dry ice in the bottle and screw on the cap."),
            ("Dry ice is never closed in.", "Drop the dry ice in the bottle, twist the cap down tight and wait."),
            ("The lid on a jar of yeast stays loose.", "Screw the lid tightly on the jar of yeast."),
            ("All burners are off while the ethanol is out.", "Light the Bunsen and warm the ethanol."),
            ("Pipetting by mouth is forbidden.", "Suck up 5 ml of the milk."),
            ("Never suck on the pipette.", "Draw the liquid up the pipette with your mouth."),
            ("Doing it so, water onto acid, is forbidden.", "Tip the 30 g of water over the acid."),
            ("Plates are kept at 25 °C or below.", "Incubate the plates at 37 °C."),
            ("Keep flammable liquids away from flames.", "Heat the ethanol directly over the Bunsen flame."),
            (
                "Ethanol must never be heated over an open flame.",
                "Warm the test tube of ethanol over the Bunsen burner until it boils.",
            ),
            ("Stay out of the water.", "Step into the stream up to your knees and place the net."),
            ("Do not touch the hot plate.", "Put your palm on the hot plate to check whether it is warm."),
        ] {
            assert_eq!(count(safety, &["Get ready.", step]), 1, "{safety} / {step}");
        }
    }

    #[test]
    fn what_a_demand_leaves_open_is_passed_over() {
        for (safety, step) in [
            ("Sources are gripped with the tongs only.", "Take the source out with the tongs."),
            ("Sources are gripped with the tongs only.", "Hold the tube in your hand."),
            ("You may use tweezers to move the seeds.", "Pick up the seeds with your fingers."),
            ("All cutting is done by an adult.", "The teacher says: cut here."),
            ("All cutting is done by an adult.", "Cut the paper in half."),
            ("An adult helps with all the cutting.", "Cut the apple in half."),
            ("Cutting is done under the teacher's eyes.", "Cut the apple in half."),
            ("Leave the cutting board with the teacher.", "Cut the apple in half."),
            ("Goggles need not leave your bag today.", "Push your goggles up and read the scale."),
            ("Dry ice is never closed in.", "Drop the dry ice in the cup. Twist the cap on the water bottle."),
            ("The lid on a jar of yeast stays loose.", "Put the lid loosely on the jar of yeast."),
            ("All burners are off while the ethanol is out.", "Light the Bunsen and heat the water."),
            ("Pipetting by mouth is forbidden.", "Draw up 5 ml of milk with the pipette filler."),
            ("Water onto acid is forbidden.", "Tip the acid into the water."),
            ("Plates are kept at 25 °C or below.", "Incubate the plates at 20 °C."),
            ("Keep flammable liquids away from flames.", "Heat the water over the Bunsen flame."),
            (
                "Ethanol must never be heated over an open flame.",
                "Warm the ethanol in the water bath; burners are off.",
            ),
            ("Stay out of the water.", "Step back from the stream and count the birds."),
            ("Paper stays out of the water.", "Step into the stream and place the net."),
            ("Do not touch the hot plate.", "Put your palm over the cold glass."),
            ("Plates are kept at 25 °C or below.", "Warm the water to 37 °C."),
        ] {
            assert_eq!(count(safety, &["Get ready.", step]), 0, "{safety} / {step}");
        }
    }
}
