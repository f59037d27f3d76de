//! Whether a thing that is not listed must be brought for sure: it is taken in hand, and nothing tells that it is part of
//! another thing, stands in the room, grows outside, is only compared with, or is one of a collection.

use std::ops::Range;

use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Material, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns::{self, ARTICLES};
use crate::assistant::facts::numbers;

/// Things that stand in many a room for all.
const FIXTURES: &str = "kettle aquarium tank incubator bath waterbath bucket fan hose hosepipe dryer hairdryer sponge \
    trowel microwave clock hotplate dustpan oven";

/// What is found out of doors.
const NATURAL: &str = "sand gravel soil topsoil hay grass moss peat feather snail woodlouse earthworm isopod cricket \
    grasshopper locust crayfish bug flea daphnia eggshell water compost mealworm duckweed pondweed ice fly roly-poly pillbug";

/// Words of steps that are out of doors, or let animals be where they are.
const OUTDOORS: &str = "outside outdoors beach yard schoolyard garden pond playground field wood woods forest stream river hedge log logs \
    path ground park shore trail walk habitat nature meadow lawn tree trees leaf-litter found";

/// What a list says that has things which it does not name one by one.
const COLLECTIONS: &str =
    "object item selection collection ingredient junk recycling recyclable assortment mix bundle household";

/// What a list has for lessons in which things are only seen on a screen.
const SCREENS: &str = "laptop chromebook computer simulation simulator software headphone ipad phet app";

/// What one writes, cuts and sticks with.
const STATIONERY: &str = "paper card worksheet sheet poster photo photograph picture pencil pen crayon marker scissor glue tape \
    note clipboard calculator acetate ruler notebook chart map diagram book board whiteboard eraser sticker table data graph key list image \
    rope text article envelope chalk highlighter label template";

/// Words before a thing that leave it where it is, or only speak of it.
const APART: &str = "from past by near above behind beside like as than about between towards toward opposite without during for \
    below beyond before after unlike or within around of";

/// Things and what they are parts of: beginnings of words on a list.
const PARTS: &[(&str, &str)] = &[
    ("bulb lightbulb lamp battery switch", "torch flashlight lantern projector headlamp toy robot light lamp"),
    ("bulb", "thermo"),
    ("lens", "magnif microscope eye telescope binocular spectacle glasses projector"),
    ("mirror", "periscope microscope telescope kaleidoscope"),
    ("balloon", "lung"),
    ("battery", "motor buzz remote clock multimeter buggy speaker fan"),
    ("magnet", "motor speaker compass generator dynamo"),
    ("lid cap top cork", "jar bottle flask tub box vial thermos container"),
    ("bung stopper", "jar bottle vial thermos container delivery"),
    ("funnel", "rain gauge"),
    ("switch", "motor fan heater kettle hotplate multimeter laser dryer"),
    ("dish", "soap"),
    ("straw", "juice drink"),
    ("syringe", "hydraulic potometer pump"),
    ("pulley", "crane hoist block"),
    ("wax", "candle crayon tealight tea"),
    ("marble", "run maze"),
    ("thermometer", "weather calorimeter station"),
    ("fan", "heater computer"),
    ("straw stick tube", "lolly lollipop popsicle"),
    ("slide lamp light", "microscope"),
    ("string", "kite pendulum yo-yo"),
];

/// Things by their last words or whole names, with `+` between words, and what may stand for them on a list.
const SUBSTITUTES: &[(&str, &str)] = &[
    ("stopwatch stopclock timer", "wristwatch watch clock phone app"),
    ("torch flashlight", "headlamp headlight bike phone lantern lamp"),
    ("magnet", "neodymium magnetic"),
    ("iodine", "lugol indicator"),
    ("litmus+paper ph+paper ph+strip indicator+paper", "test indicator strip"),
    ("filter+paper coffee+filter paper+filter", "kitchen towel tissue cloth"),
    ("sieve strainer colander", "tights stocking net muslin cloth gauze"),
    ("rubber+band elastic+band", "hair loom elastic"),
    ("string", "floss thread yarn ribbon wool cord line lace rope"),
    ("tweezer forcep tongs", "pincer tong tweezer forcep"),
    ("spray+bottle plant+mister", "atomi mist spray"),
    ("bunsen burner", "alcohol stove burner camping spirit"),
    ("candle tealight", "nightlight tea flame"),
    ("hot+plate hotplate", "hotplate stove cooker heater ring"),
    (
        "spring+balance spring+scale newton+meter newtonmeter force+meter forcemeter",
        "luggage dynamometer force scale newton",
    ),
    ("washer", "nut weight ring mass"),
    ("elodea pondweed cabomba", "anacharis egeria weed"),
    ("soil compost mix", "growing earth medium substrate"),
    ("bean seed", "pulse lentil bean seed"),
    ("potato", "spud tuber"),
    ("milk", "skimmed dairy cream"),
    ("mirror", "looking reflect"),
    ("protractor", "angle clinometer"),
    ("rack", "holder"),
    ("coin penny", "tiddly counter token disc"),
    ("clay plasticine playdough", "tack putty dough"),
    ("sandpaper", "scourer glass emery sand nail"),
    (
        "electrode",
        "plate pin drawing thumbtack tack nail rod graphite pencil lead carbon copper zinc foil strip key coin wire spoon",
    ),
    ("resistor", "wire constantan nichrome"),
    ("plumb+line", "thread string cord washer weight"),
];

/// Whether a list names collections, or belongs to a lesson at a screen or on paper.
pub fn is_loose(lesson: &Lesson, listed: &[&str]) -> bool {
    let paper = |material: &Material| nouns::material(material.name).is_none_or(|name| lists!(STATIONERY, &name.head));
    let collects = |material: &Material| material.name.tokens.iter().any(|token| lists!(COLLECTIONS, &token.lemma));
    // A real set-up may end at a laptop.
    const FEW: usize = 4;
    let screen = || listed.iter().any(|word| lists!(SCREENS, word));
    lesson.materials().iter().any(collects)
        || lesson.materials().len() <= FEW && screen()
        || lesson.materials().iter().all(paper)
}

/// Whether the work is done in the open, where sand and worms are found.
pub fn is_outdoors(lesson: &Lesson) -> bool {
    const PLACES: &str = "stream river brook creek pond lake beach shore seashore meadow woods woodland forest schoolyard \
        playground downstream upstream hedgerow riverbank tideline";
    lesson.steps().any(|(_, step)| {
        let goes = |at: usize| lists!("outside outdoors wade walk paddle hike", step.word(at));
        let there = |at: usize| {
            lists!("downstream upstream wade outside outdoors", step.word(at)) || lists!(PLACES, step.word(at))
        };
        (0..step.tokens.len()).any(there) && (0..step.tokens.len()).any(|at| goes(at) || step.word(at) == "net")
    })
}

/// Whether a thing is also found out of doors.
pub fn is_natural(name: &str) -> bool {
    lists!(NATURAL, name.rsplit([' ', '-']).next().unwrap_or(name))
}

/// Whether a list has something that the thing is a part of, or that serves for it.
pub fn is_a_part(name: &str, listed: &[&str]) -> bool {
    let last = name.rsplit(' ').next().unwrap_or(name);
    let whole = name.replace(' ', "+");
    let named = |names: &str| names.split(' ').any(|known| known == last || known == whole);
    let has = |begins: &str| begins.split(' ').any(|begin| listed.iter().any(|word| word.starts_with(begin)));
    PARTS.iter().chain(SUBSTITUTES).any(|(names, begins)| named(names) && has(begins))
}

/// "Brush away the sand in the dig box": what is listed holds it.
pub fn is_in_a_listed(step: &Text, at: usize, listed: &[&str]) -> bool {
    let moved = |before: usize| {
        lists!(
            "put pour add tip place scatter sprinkle fill mix stir drop dissolve soak heat dip weigh",
            step.word(before)
        )
    };
    let held = |t: usize| listed.contains(&step.lemma(t)) || listed.contains(&step.word(t));
    step.word(at.wrapping_sub(1)) == "the"
        && lists!("in inside from", step.word(at + 1))
        && (at + 2..at + 5).any(held)
        && !(step.sentence(at).start..at).any(moved)
}

/// Whether a thing with these tokens is one that the group must have for what the step says.
pub fn is_needed(step: &Text, name: &str, thing: &Range<usize>) -> bool {
    let last = name.rsplit([' ', '-']).next().unwrap_or(name);
    let sentence = step.sentence(thing.start);
    // "Past the fish tank": what stands before the phrase.
    let inside = |at: &usize| {
        step.tokens
            .get(*at)
            .is_some_and(|token| !nouns::ends_a_phrase(token) || token.is_one_of(ARTICLES) || token.is("-"))
    };
    let begin = (sentence.start..thing.start)
        .rev()
        .take_while(|at| inside(at) && !(step.tokens.get(*at + 1).is_some_and(|next| next.is_one_of(ARTICLES))))
        .last();
    let before = begin.unwrap_or(thing.start).checked_sub(1).filter(|at| *at >= sentence.start);
    let governor = before.map_or("", |at| step.word(at));
    // "Hold it near the magnet" needs the magnet.
    let near = || {
        lists!("near above towards toward over below behind beside against", governor)
            && sentence
                .clone()
                .any(|at| at < thing.start && lists!("hold bring move pass wave place set position", step.word(at)))
    };
    // "Hang the spring from the clamp stand" needs the stand.
    let hung = || {
        governor == "from"
            && sentence.clone().any(|at| at < thing.start && lists!("hang suspend dangle", step.word(at)))
    };
    // "Swap the bulb for the buzzer" needs both.
    let swapped = || governor == "for" && sentence.clone().any(|at| lists!("swap exchange", step.word(at)));
    // "Read the loudness from the sound level meter"
    let read = || governor == "from" && is_read(step, last, thing);
    let used = || near() || hung() || read() || swapped() || governor == "of" && last_is_measure(step, before);
    if lists!(APART, governor) && !used() {
        return false;
    }
    if (lists!(FIXTURES, last) || name == "watering can")
        && (last != "hotplate" && !is_taken(step, begin.unwrap_or(thing.start)) || is_shared(step, &sentence))
    {
        return false;
    }
    if lists!(NATURAL, last) && (0..step.tokens.len()).any(|at| lists!(OUTDOORS, step.word(at))) {
        return false;
    }
    // "Start your timer": that of a phone will do.
    let own = lists!("your his her their", step.word(thing.start.wrapping_sub(1)))
        && lists!("timer stopwatch watch clock", last);
    if own
        || is_owned(step, thing.end)
        || sentence.clone().any(|at| lists!("testing judges judge judging station's stall e.g. example", step.word(at)))
    {
        return false;
    }
    // "Catch a drop in the loop and hold this lens over the moss."
    if lists!("this these", step.word(thing.start.wrapping_sub(1))) {
        return false;
    }
    // "Wipe it with ethanol and cap the bottle": what is listed comes in something.
    let packed = lists!("bottle packet sachet container bag box tub jar", last)
        && step.word(thing.start.wrapping_sub(1)) == "the"
        && lists!(
            "cap close recap shut open reopen label screw shake seal return",
            step.word(thing.start.wrapping_sub(2))
        );
    if packed {
        return false;
    }
    // "Each team collects a tray": there is something on it, and "leave the other two on the tray".
    if last == "tray"
        && sentence
            .clone()
            .any(|at| lists!("collect collects fetch fetches get gets take takes leave return", step.word(at)))
    {
        return false;
    }
    hands::is_handled(step, thing) || is_read(step, last, thing) || is_measured_out(step, thing)
}

/// "Time how long it takes with a stopwatch" only speaks of no stopwatch.
pub fn is_measured(step: &Text, how: usize) -> bool {
    step.word(how) == "how"
        && lists!("long far high much many fast warm hot cold tall wide deep heavy quickly", step.word(how + 1))
        && lists!("time measure count find check record weigh", step.word(how.wrapping_sub(1)))
}

/// "Connect electrodes, ammeter and power supply": a row of things needs no articles where the first of it is taken in hand.
pub fn is_in_a_row(step: &Text, at: usize) -> bool {
    const TAKEN: &str = "connect join link attach wire assemble collect fetch take get gather bring use need combine mount fill \
        rinse clean";
    let sentence = step.sentence(at);
    let inside = |at: &usize| {
        let token = step.tokens.get(*at);
        token.is_some_and(|token| !nouns::ends_a_phrase(token) || token.is_one_of(&[",", "and", "-"]))
            && !lists!(TAKEN, step.word(*at))
    };
    let begin = (sentence.start..at).rev().take_while(inside).last().unwrap_or(at);
    let verb = begin.checked_sub(1).filter(|verb| *verb >= sentence.start && lists!(TAKEN, step.word(*verb)));
    let joined = (begin..at).any(|at| matches!(step.word(at), "," | "and")) && step.word(begin) != ",";
    joined && verb.is_some_and(|verb| hands::is_deed(step, verb))
}

/// "A drop of iodine", "a strip of paper": an amount of what follows.
fn last_is_measure(step: &Text, of: Option<usize>) -> bool {
    of.and_then(|of| of.checked_sub(1)).is_some_and(|at| {
        !lists!(
            "end side top bottom bulb lamp part middle edge rim neck handle smell colour color shape height depth level \
             surface length width temperature position",
            step.word(at)
        )
    })
}

/// "Three drops of methyl orange; flask on the tile": an amount that begins a sentence is an order.
fn is_measured_out(step: &Text, thing: &Range<usize>) -> bool {
    let start = step.sentence(thing.start).start;
    let measure = thing.start.checked_sub(2).map_or("", |at| step.lemma(at));
    step.word(thing.start.wrapping_sub(1)) == "of"
        && lists!("drop spoonful spoon teaspoon tablespoon pinch ml millilitre g gram cm³ cm3 splash squirt", measure)
        && numbers::numeral(&step.tokens, start).is_some_and(|numeral| numeral.tokens.end + 2 == thing.start)
        && !hands::is_shown(step, thing.start)
}

/// Whether the words right before a phrase take the thing: "fill the can", "with the fan".
fn is_taken(step: &Text, begin: usize) -> bool {
    begin.checked_sub(1).is_some_and(|at| {
        let word = step.word(at);
        let switched = lists!("on off up", word) && lists!("switch turn plug pick fill", step.word(at.wrapping_sub(1)));
        switched || !lists!("in into on onto to at from past by near above under behind over of", word)
    })
}

/// Whether a sentence speaks of what all have.
fn is_shared(step: &Text, sentence: &Range<usize>) -> bool {
    sentence.clone().any(|at| {
        lists!("class school's school class's shared big helper helpers station gym hall bench waste", step.word(at))
    })
}

/// Whether what ends before a token is somebody's own, or stands elsewhere: "on your phone", "from your lunch", "in the gym",
/// "the flask your grandparents take on hikes".
fn is_owned(step: &Text, end: usize) -> bool {
    const OWN: &str = "lunch lunchbox pocket phone phones gym hall dispenser home bag locker bags watch wrist house kitchen \
        smartphone tablet wall ceiling corridor cupboard body ear eye";
    lists!("your my our his her their", step.word(end))
        || lists!("from out in on at of", step.word(end))
            && (end + 1..end + 5).any(|at| lists!(OWN, step.word(at)) && step.word(at + 1) != "glass")
}

/// "Once the thermometer reads 60 °C", "start the stopwatch": instruments that tell something are there.
fn is_read(step: &Text, last: &str, thing: &Range<usize>) -> bool {
    const INSTRUMENTS: &str = "thermometer stopwatch stopclock ammeter voltmeter multimeter newtonmeter meter probe sensor logger balance \
        scale colorimeter microscope syringe burette hydrometer barometer compass oximeter";
    let before = step.word(thing.start.wrapping_sub(1));
    let told =
        lists!("reads shows drops rises falls says settles beeps stops reaches climbs in on is", step.word(thing.end));
    let looked = (thing.start.saturating_sub(8).max(step.sentence(thing.start).start)..thing.start).any(|at| {
        lists!(
            "read reads note watch check look through start examine observe inspect view study find measure weigh",
            step.word(at),
        )
    });
    // "When it reads 60 °C start the timer."
    let started = lists!("the each every", before)
        && lists!("timer stopwatch stopclock", last)
        && lists!("start stop restart reset", step.word(thing.start.wrapping_sub(2)));
    (lists!(INSTRUMENTS, last) || started)
        && !hands::is_shown(step, thing.start)
        && (started || told && lists!("the each every your", before) || looked)
}

/// "The thermometer bulb" lights nothing, and "wells toward the black electrode" tells which way.
pub(super) fn is_aside(step: &Text, name: &str, at: usize) -> bool {
    (at.saturating_sub(3)..at).any(|before| lists!("toward towards", step.word(before)))
        || name == "bulb"
            && lists!("thermometer pipette dropper rubber tulip flower garlic daffodil", step.word(at.wrapping_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn sure(materials: &[&str], step: &str) -> Vec<String> {
        let materials: Vec<Value> = materials.iter().map(|name| json!({ "name": name })).collect();
        let content = json!({ "title": "A", "materials": materials, "steps": [{ "text": step }] });
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        found.into_iter().filter(|found| found.sure).map(|found| found.finding.reason).collect()
    }

    #[test]
    fn what_stands_in_the_room_grows_outside_or_is_somebodys_own_is_not_missing_for_sure() {
        for step in [
            "Put the cups on the shelf above the aquarium and leave them.",
            "Carry the cups past the fish tank to the window sill.",
            "Collect warm water from the kettle that stands on the side bench.",
            "One of the helpers fills your cup from the kettle.",
            "Use the school's watering can for the rest.",
            "Pick up a snail gently and let it go where you found it.",
            "Tally each snail and woodlouse under the log.",
            "Hang the apple from your lunch on it.",
            "Start the timer on your phone.",
            "Put it in front of the big fan in the gym.",
            "The judges add one marble after another to your raft.",
            "Each team collects a tray.",
            "Four leads suffice; leave the other two on the tray.",
        ] {
            assert_eq!(sure(&["Clear cups", "Food dye"], step), [""; 0], "{step}");
        }
    }

    #[test]
    fn what_is_made_compared_told_or_acted_is_not_missing_for_sure() {
        for step in [
            "Twist the strip into a fan and let it fall.",
            "Set the toy car you have built on the line.",
            "Match it to the card: a hardness between a penny and a steel nail.",
            "It is a convex lens.",
            "One child is the battery. Push the rope round.",
            "Sam is the timer; Ana is the judge.",
            "Dip the paper in the brown sauce, which contains vinegar.",
            "Tell the salt from the sugar by adding drops.",
            "A telescope needs a lens.",
            "Tie the strip next to the thermometer bulb.",
            "Place the gel in the chamber, wells toward the black electrode.",
            "Teacher trick: the clip that floats on a thread under a jar lid.",
            "Roll it up and hang the pipe in the bag: you have a simple spirometer.",
            "Push the pencil through the reel: now you have a pulley. Lead the cord over the pulley.",
            "Congratulations: you have built a hygrometer!",
            "Tape the three strips into a prism, shiny sides inward.",
            "Catch a drop in the loop and hold this lens over the moss.",
            "Fold a U and a fan and test them too.",
            "Play with it: tap, squeeze, roll a ball and open your hand.",
            "Relate it to the flask your grandparents take on hikes.",
        ] {
            assert_eq!(sure(&["Paper strips", "Cup"], step), [""; 0], "{step}");
        }
    }

    #[test]
    fn what_a_list_stands_for_is_not_missing_for_sure() {
        for (list, step) in [
            (["Torch", "Tracing paper"], "Switch the bulb on by sliding the switch."),
            (["Lung model", "Tape"], "Hold the balloon and pull."),
            (["Box of junk", "Tape"], "Use the cardboard tube as the body of your rocket."),
            (["Tray of objects", "Tub"], "Lower the candle gently into the water."),
            (["Sandwich ingredients", "Bowl"], "Spread the butter on the bread."),
            (["Laptop", "Headphones"], "Add a battery and a light bulb, then close the switch."),
            (["Headlamp", "Box"], "Shine the torch on it."),
            (["Luggage scale", "Box"], "Pull with the spring balance."),
            (["Worksheet", "Pencils"], "Stick the thermometer in the right column."),
            (["Copper plates", "Beaker"], "Hang the electrodes in it and wire them in series."),
            (["Constantan wire", "Ammeter"], "Connect the resistor and the ammeter in series."),
            (["Dig box", "Brush"], "Brush away the sand in the dig box and draw each tooth."),
            (["Thread", "Washer"], "Hang the plumb line from the pin and draw along it."),
        ] {
            assert_eq!(sure(&list, step), [""; 0], "{step}");
        }
    }

    #[test]
    fn what_is_taken_in_hand_is_missing_for_sure() {
        for step in [
            "Measure 500 mL, fill the watering can with it, and sprinkle the tray.",
            "Hold each sample near the bar magnet and watch.",
            "Half-fill both cups with hydrogencarbonate indicator.",
            "Lay the empty soda can on its side.",
            "The colorimeter is switched to 630 nm and zeroed.",
            "When the thermometer in the cup drops to 70 °C, start.",
            "Look at a seed with the hand lens.",
            "Switch on the desk fan.",
            "Swap the cups for the buzzer.",
            "Watch them with the hand lens: hairs, legs and eyes.",
            "With the syringe put 1 mL of dye in each cup.",
            "Nest the cups in the flask.",
            "When it reads 60 °C start the timer.",
            "Heat water in the cup on the hotplate.",
            "Wait a minute with the stopwatch.",
            "Add 5 drops of iron(III) chloride to one, and of sodium hydroxide to the other.",
        ] {
            assert_eq!(sure(&["Clear cups", "Food dye"], step).len(), 1, "{step}");
        }
    }
}
