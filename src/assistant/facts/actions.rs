//! Actions: what pupils do or must not do, by classes in which people say one thing in many ways.

use std::ops::Range;

use std::sync::LazyLock;

use super::lesson::Text;
use super::lists::{List, list};
use super::phrases::{self, lists};

/// A class of actions that safety rules speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// To put something into the mouth.
    Taste,
    /// To breathe something in on purpose.
    Smell,
    /// To bring something near the face.
    Near,
    /// To touch something with the hand.
    Touch,
    /// To make a flame.
    Ignite,
    /// To warm something.
    Heat,
    /// To look into a bright light.
    Look,
    /// To run about.
    Run,
    /// To stand on what is not the floor.
    Climb,
    /// To throw something.
    Throw,
    /// To open what is closed.
    Open,
    /// To pour something into the sink.
    Drain,
    /// To put things together.
    Mix,
    /// To direct something at people.
    Point,
    /// To be without goggles, gloves and the like.
    Unprotect,
    /// To leave something alone.
    Unattend,
    /// To join something to the mains.
    Plug,
    /// To go into a pond or a stream.
    Enter,
    /// To draw a liquid up with the mouth.
    MouthPipette,
    /// Any other, by its verb.
    Other(&'static str),
}

use Action::*;

const TASTE: &[&str] = &["taste", "eat", "drink", "lick", "nibble", "sip", "swallow", "chew"];
const SMELL: &[&str] = &["smell", "sniff", "inhale"];
const TOUCH: &[&str] = &["touch", "handle", "feel", "stroke"];
const OPEN: &[&str] = &["open", "unzip", "unseal", "uncover", "unscrew", "untape", "uncap", "reopen", "unstopper"];
const THROW: &[&str] = &["throw", "toss", "hurl", "fling", "lob"];
const OTHERS: &[&str] = &[
    "shake",
    "squeeze",
    "tap",
    "stir",
    "pull",
    "cut",
    "crush",
    "grind",
    "blow",
    "touch",
    "kick",
    "spin",
    "disconnect",
    "unplug",
    "inflate",
    "pop",
    "break",
    "bend",
    "drop",
    "swing",
    "share",
    "rub",
    "pipette",
    "carry",
    "pour",
    "handle",
    "unclamp",
    "tilt",
    "tip",
    "pick",
    "pluck",
    "uproot",
    "dig",
    "remove",
    "scrape",
    "feed",
    "splash",
    "bury",
];
/// Verbs of taking what grows from where it grows: who may not do one may do none.
const GATHERS: &[&str] = &["pick", "pluck", "uproot", "dig", "remove", "scrape"];
const GROWING: &str =
    "plant flower lichen moss leaf fern fungus mushroom toadstool branch twig blossom seaweed grass coral";
const FURNITURE: &str = "chair chairs table tables desk desks stool stools bench benches furniture counter ladder windowsill \
    shelf shelves radiator wall walls fence tree trees desktop tabletop";
const FLAMES: &str = "burner burners bunsen bunsens candle candles match matches splint splints wick flame flames fire \
    tealight tealights lamp paper gas sparkler lighter tinder torch stove wood";
const BRIGHT: &str = "sun laser beam bulb lamp uv filament arc flame light";
const PROTECTION: &str = "goggles goggle glasses spectacles gloves glove apron aprons mask masks coat coats helmet helmets eyewear mitts mitt \
    visor visors";
const LIDS: &str = "lid lids cap caps cover tape seal netting stopper bung cork plug stoppers";
const WATERS: &str = "water pond stream river creek lake sea surf brook ditch";
const PEOPLE: &str = "face faces person people anyone anybody someone somebody yourself neighbour neighbor partner classmate \
    classmates friend friends others another student students pupil pupils eye eyes other teammate partner's neighbour's neighbor's friend's classmate's \
    someone's";

/// Whether both take from where it grows what this word names: "no lichen is removed", "scrape the lichen off".
pub fn gathers(one: Action, other: Action, thing: &str) -> bool {
    let takes = |action| matches!(action, Other(verb) if GATHERS.contains(&verb));
    // What is removed from its pot grows nowhere.
    let grows = other != Other("remove") || one == other;
    takes(one) && takes(other) && grows && lists!(GROWING, thing)
}

/// Whether `word` names something worn against harm.
pub fn is_protection(word: &str) -> bool {
    lists!(PROTECTION, word)
}

/// Whether `word` names something that closes a vessel.
pub fn is_lid(word: &str) -> bool {
    lists!(LIDS, word)
}

/// Whether `word` names a light that harms the eye.
pub fn is_bright(word: &str) -> bool {
    lists!(BRIGHT, word)
}

/// Every verb that [`action`] asks for.
const VERBS: &str = "add aim attach bend bite blend blow boil break breathe bring burn bury carry chew climb combine \
    connect crush cut dash dig dip direct discard disconnect dispose draw drink drop dump eat empty enter \
    feed feel flash fling flush gaze get glance go grab grind handle heat hold hop hurl ignite inflate inhale \
    insert jog jump kick kneel leave lick lift light lob look loosen make microwave mix nibble observe open \
    peel peer pet pick pinch pipet pipette place pluck plug point poke pop pour press prise pull push put race raise \
    reach relight remove reopen rinse rub run sample scoop scrape send shake share shine sight sip siphon sit slide slip \
    slow smell sniff spin splash sprint squeeze squint stand stare step stick stir stop strike stroke \
    suck swallow swing take tap taste throw tilt tip toss touch try uncap unclamp uncover unplug unscrew \
    unseal unstopper untape unzip uproot view wade walk warm wash";

/// The same as a table, for asking whether one is missing.
static KNOWN: List = list!(VERBS);

/// The same by their first letters.
static BY_LETTER: LazyLock<[Vec<&'static str>; 26]> = LazyLock::new(|| {
    let of = |letter: usize| VERBS.split_ascii_whitespace().filter(|verb| letter_of(verb) == Some(letter)).collect();
    std::array::from_fn(of)
});

fn letter_of(word: &str) -> Option<usize> {
    word.bytes().next()?.checked_sub(b'a').map(usize::from)
}

/// Those of [`VERBS`] of which a word is a form: of most words none.
fn verbs_of(word: &str) -> Vec<&'static str> {
    let letter = match word {
        "ate" => letter_of("eat"),
        "went" => letter_of("go"),
        word => letter_of(word),
    };
    let verbs = letter.and_then(|letter| BY_LETTER.get(letter)).map_or(&[][..], Vec::as_slice);
    verbs.iter().copied().filter(|verb| phrases::is_form_of(word, verb)).collect()
}

/// The action that the verb at this token tells of, with its object where that is part of the action.
pub fn action(text: &Text, at: usize) -> Option<Action> {
    let word = text.word(at);
    let known = verbs_of(word);
    if known.is_empty() {
        return None;
    }
    let rest = at + 1..phrases::clause_end(text, at);
    let has = |words: List| rest.clone().any(|token| words.has(text.word(token)));
    let soon = |words: List, most: usize| rest.clone().take(most).any(|token| words.has(text.word(token)));
    let is = |verbs: &[&str]| {
        debug_assert!(verbs.iter().all(|verb| KNOWN.has(verb)), "VERBS lacks one of {verbs:?}");
        known.iter().any(|verb| verbs.contains(verb))
    };
    let mouth = |t: usize| lists!("mouth mouths tongue lips", text.word(t)) && text.word(t + 1) != "of";
    let in_mouth = || {
        rest.clone().any(mouth)
            && !has(list!("blow hum whistle breathe straw thermometer mouthpiece mask scarf bandana visor over"))
            && has(list!("in into on to with your"))
    };
    let is_passive = || lists!("is are be being been", text.word(at.wrapping_sub(1)));
    let subject_has = |words: List| (phrases::clause_start(text, at)..at).any(|token| words.has(text.word(token)));
    // "Matches are struck by …"
    let is_lit = || {
        let start = phrases::clause_start(text, at);
        (start..at).any(|t| lists!("is are be", text.word(t))) && (start..at).any(|t| lists!(FLAMES, text.word(t)))
    };
    let by_mouth = is(&["pipette", "pipet"]) && text.word(at.wrapping_sub(1)) == "mouth";
    Some(
        if by_mouth
            || is(&["pipette", "pipet", "suck", "draw", "siphon"])
                && rest.clone().any(mouth)
                && has(list!("with by using your"))
        {
            MouthPipette
        } else if is(&["enter", "wade"]) && soon(list!(WATERS), 4)
            || is(&["go", "step", "walk", "get", "jump", "climb"])
                && soon(list!("into in"), 2)
                && soon(list!(WATERS), 5)
        {
            Enter
        } else if is(TASTE)
            || is(&["try", "sample"]) && soon(list!("sip bite mouthful nibble taste lick teaspoon spoonful"), 4)
            || is(&["take"]) && soon(list!("sip bite mouthful gulp nibble"), 3)
            || is(&["put", "pop", "place", "suck", "bite", "touch"]) && in_mouth()
        {
            Taste
        } else if is(&["bring", "hold", "put", "lift", "raise", "get", "place", "take"])
            && (has(list!("near close under beneath against directly to"))
                || soon(list!("face nose"), 2) && has(list!("over")))
            && has(list!("face faces nose noses nostril nostrils"))
            && !has(list!("mirror mask phone tablet thermometer fan drawing picture lens"))
        {
            Near
        } else if is(SMELL)
            || is(&["put", "hold", "stick"]) && soon(list!("nose noses"), 3)
            || is(&["take"]) && soon(list!("whiff sniff"), 3)
            || is(&["breathe"])
                && soon(list!("in"), 1)
                && soon(list!("fume fumes gas vapour vapor scent smell dust"), 4)
        {
            Smell
        } else if is(&["take", "remove", "lift", "pull", "push", "slip", "slide", "peel", "raise"])
            && soon(list!(PROTECTION), 5)
        {
            if is(&["raise", "lift", "push"]) && !has(list!("goggles glasses mask visor")) {
                return None;
            } else {
                Unprotect
            }
        } else if is(OPEN)
        // "Nobody wears open shoes"
        && !(word == "open" && lists!("no any an with in wear wearing wears near from of on", text.word(at.wrapping_sub(1))))
        && !has(list!("switch circuit valve tap window windows door book notebook eyes laptop file app burette key"))
            || is(&["take", "remove", "lift", "peel", "prise", "pull", "loosen"])
                && (soon(list!(LIDS), 5) || is_passive() && subject_has(list!(LIDS)))
        {
            Open
        } else if is(&[
            "pour", "tip", "empty", "flush", "dump", "throw", "discard", "dispose", "wash", "go", "put", "rinse",
        ]) && has(list!("sink drain drains toilet sinks"))
            && has(list!("down into in"))
        {
            Drain
        } else if is(THROW) {
            Throw
        } else if is(&["light", "ignite", "burn", "strike", "relight"])
            && !illuminates(text, at)
            && (has(list!(FLAMES)) || is(&["ignite"]) || is_lit())
            || is(&["make"])
                && soon(list!("fire fires"), 2)
                && !has(list!("safety alarm drill poster plan exit escape"))
        {
            Ignite
        } else if is(&["climb"]) && (rest.is_empty() || soon(list!("on onto to up the a over any"), 1))
            || is(&["stand"]) && (soon(list!("on onto up"), 1)) && soon(list!(FURNITURE), 6)
            || is(&["step", "hop", "jump", "get", "kneel", "sit"])
                && soon(list!("on onto"), 2)
                && soon(list!(FURNITURE), 6)
        {
            if is(&["sit"]) { return None } else { Climb }
        } else if is(&["look"]) && soon(list!("up"), 1) && !soon(list!("at to into through towards toward"), 3) {
            // "Look up the diameter of the Sun"
            return None;
        } else if is(&["look", "stare", "gaze", "peer", "sight", "squint", "glance", "observe", "view"])
            && soon(list!("at into along toward towards through the up"), 4)
            && (soon(list!(BRIGHT), 6) || soon(list!("through"), 1) && aims_at_the_sun(text, at))
            || is(&["put", "place", "hold"]) && has(list!("eye eyes")) && has(list!("beam laser"))
        {
            Look
        } else if is(&["run", "sprint", "race", "dash", "jog"])
            && (rest.is_empty()
                || word == "running" && soon(list!("is"), 1)
                || soon(
                    list!(
                        "to across around back between over along inside from in with down up indoors outdoors about"
                    ),
                    1,
                )
                || is(&["sprint", "jog"]))
        {
            Run
        } else if (is(&["point", "aim", "shine", "direct"])
            || is(&["send", "flash"]) && has(list!("beam laser light torch")))
            && has(list!(PEOPLE))
            && has(list!("at toward towards in into"))
        {
            Point
        } else if is(&["mix", "combine", "blend", "add"]) {
            Mix
        } else if is(&["leave"]) && has(list!("unattended alone unsupervised unwatched"))
            || is(&["leave"])
                && has(list!("on lit burning running"))
                && has(list!("go walk"))
                && has(list!("out away outside corridor hall"))
            || is(&["walk"]) && soon(list!("away"), 1)
        {
            Unattend
        } else if is(&["plug", "connect", "insert", "push", "put", "stick", "attach"])
            && has(list!("outlet socket mains sockets outlets"))
        {
            Plug
        } else if is(&["heat", "boil", "microwave", "warm"]) {
            Heat
        } else if is(TOUCH)
            || is(&[
                "pick", "hold", "lift", "pull", "pinch", "rub", "grab", "scoop", "take", "pet", "stir", "stop",
                "press", "push", "poke", "stick", "put", "reach", "dip", "slow", "place", "slide", "run",
            ]) && has(list!("fingers finger hand hands fingertip fingertips palm palms"))
                && has(list!("bare your with"))
        {
            Touch
        } else if is(&["blow"]) && has(list!("up")) && has(list!("balloon balloons bag glove")) {
            Other("inflate")
        } else {
            debug_assert!(OTHERS.iter().all(|verb| KNOWN.has(verb)), "VERBS lacks one of OTHERS");
            Other(OTHERS.iter().copied().find(|verb| known.contains(verb))?)
        },
    )
}

/// "Point the telescope at the sun and look through the eyepiece"
fn aims_at_the_sun(text: &Text, at: usize) -> bool {
    text.sentence(at).any(|t| {
        lists!("sun laser", text.word(t))
            && text.word(t.wrapping_sub(1)) == "the"
            && text.word(t.wrapping_sub(2)) == "at"
    })
}

/// "Light it from the side with the torch" sets nothing on fire.
pub fn illuminates(text: &Text, at: usize) -> bool {
    let rest = at + 1..phrases::clause_end(text, at);
    let led = |by: List, what: List| {
        rest.clone().any(|t| by.has(text.word(t)) && (t + 1..rest.end.min(t + 5)).any(|t| what.has(text.word(t))))
    };
    phrases::verb(text.word(at), &["light"]).is_some()
        && (led(list!("with by using"), list!("lamp torch flashlight lantern led bulb phone spotlight"))
            || led(list!("from"), list!("side behind below above front underneath left right")))
        && !rest
            .clone()
            .any(|t| lists!("gas blow wick match lighter flame burner bunsen candle spirit oil", text.word(t)))
}

/// Verbs of what is done to a thing in the hand.
const HANDLE: &[&str] = &[
    "use", "hold", "lift", "fetch", "collect", "grab", "pass", "operate", "squeeze", "carry", "pour", "cut", "pick",
    "handle", "touch", "take", "slice", "move", "switch", "turn", "start", "strike", "light",
];

/// Whether the verb at this token is one of handling a thing.
pub fn handles(text: &Text, at: usize) -> bool {
    phrases::verb(text.word(at), HANDLE).is_some()
}

/// Verbs of what is done with a tool or to a thing.
const WORK: &[&str] = &[
    "glue",
    "stick",
    "iron",
    "drill",
    "saw",
    "heat",
    "peel",
    "grate",
    "chop",
    "spread",
    "attach",
    "join",
    "fasten",
    "melt",
    "dry",
    "warm",
    "switch",
    "press",
    "run",
    "apply",
    "fill",
    "add",
    "drop",
    "put",
    "place",
    "open",
    "pierce",
    "poke",
    "trim",
    "carve",
    "scoop",
    "transfer",
    "give",
    "distribute",
    "share",
];

/// Whether the verb at this token is one of working with a thing.
pub fn works(text: &Text, at: usize) -> bool {
    phrases::verb(text.word(at), WORK).is_some()
}

/// Whether the verb at this token warms something in a flame, or brings one: "hold a burning splint to its mouth".
pub fn in_flame(text: &Text, at: usize) -> bool {
    let alight = |t: usize| {
        lists!("burning lit lighted flaming", text.word(t))
            && (t + 1..t + 4).any(|t| lists!("splint splints match candle taper spill wick tealight", text.word(t)))
    };
    let brings =
        ["bring", "hold", "put", "lower", "insert", "dip", "apply", "introduce", "test", "place", "use", "push"];
    if phrases::verb(text.word(at), &brings).is_some() && (at + 1..phrases::clause_end(text, at)).any(alight) {
        return true;
    }
    let held = ["heat", "warm", "hold", "boil", "toast", "melt", "leave", "keep", "pass", "put"];
    // "Bring it to the boil over the burner", not "bring the candle".
    let brought = phrases::verb(text.word(at), &["bring"]).is_some();
    (brought || phrases::verb(text.word(at), &held).is_some()) && {
        let rest = at + 1..phrases::clause_end(text, at);
        let has = |words: List| rest.clone().any(|token| words.has(text.word(token)));
        (!brought || has(list!("boil simmer")))
            && has(list!("flame flames bunsen candle tealight burner"))
            && has(list!("over in through into above burning lit alight"))
            && !has(list!("away out"))
    }
}

/// Whether the tokens say that hands are covered or a tool is used.
pub fn is_guarded(text: &Text, mut tokens: Range<usize>) -> bool {
    tokens.any(|token| {
        let word = text.word(token);
        word.starts_with("glove")
            || lists!("tongs tweezers forceps mitt mitts holder spatula tool probe cloth spoon stick", word)
    })
}
