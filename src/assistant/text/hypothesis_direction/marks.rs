//! Marks: what a piece of a sentence says goes one way, and of what, whatever the order of its words.

use std::ops::Range;

use super::parts::{OF_NO_MATTER, ahead_is_adverbial, is_done, words};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Dimension, Form, Pole};

/// Something that goes one way.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// What is measured.
    pub dimension: Dimension,
    /// Which way.
    pub up: bool,
    /// Of what there is more or less, where the dimension does not tell.
    pub of: Vec<String>,
    /// Whether it is no more than a state: "dark", "iced".
    pub plain: bool,
    /// Whether it tells the size of a thing: "the largest canopy".
    pub size: bool,
}

impl Mark {
    /// What goes one way, of whatever it is said.
    pub fn going(dimension: Dimension, up: bool) -> Self {
        Self { dimension, up, of: Vec::new(), plain: false, size: false }
    }
}

/// Words that put a thing at one end, beside adjectives.
const STATES: [(Dimension, &str, &str); 2] = [
    (
        Dimension::Brightness,
        "sunny lit sunlit white windowsill brightly",
        "dark darkness shade shaded shady unlit black cupboard",
    ),
    (Dimension::Warmth, "boiling heated", "iced icy chilled ice-cold frozen"),
];

/// Words after which a noun is no longer what there is more of.
const ENDS: &str = "of in on at to from with by for as than when if while and or but that which is are was were will would \
    has had have the a an its their our it they we you after before until per each every over";

/// Verbs that go up or down with what follows.
const CLIMBS: &str = "go goes went gone going come comes came move moved crept pile piles piled mount mounts mounted edge edges edged \
    inch inches inched tick ticks ticked shoot shoots shot build builds built drift drifts drifted jump jumps jumped add adds added";

/// Whether a sentence says with one of these alone that something goes one way: "came up first".
pub(super) fn may_tell(text: &Text, sentence: &Range<usize>) -> bool {
    sentence.clone().any(|at| lists!("first last sooner longest shortest twice", text.word(at)))
}

/// The marks in these tokens; nothing where something is denied.
pub(super) fn marks(text: &Text, range: Range<usize>) -> Vec<Mark> {
    placed(text, range).into_iter().map(|(_, mark)| mark).collect()
}

/// The same with the token at which each stands.
pub(super) fn placed(text: &Text, range: Range<usize>) -> Vec<(usize, Mark)> {
    let denies = |at: usize| {
        let word = text.word(at);
        matches!(word, "not" | "never" | "no" | "nor" | "without" | "unless" | "hardly" | "neither")
            || word.ends_with("n't")
    };
    if range.clone().any(denies) {
        return Vec::new();
    }
    let mut found: Vec<(usize, Mark)> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let (mark, next) = mark(text, at, &range);
        if let Some(mark) = mark {
            // "Grew taller" and "faster and faster" say one thing.
            let again = found.iter_mut().find(|(_, known)| {
                let one = known.dimension != Dimension::Amount || known.of == mark.of || known.plain;
                known.dimension == mark.dimension && known.up == mark.up && one
            });
            match again {
                Some(known) if known.1.plain => *known = (at, mark),
                Some(_) => {}
                None => found.push((at, mark)),
            }
        }
        at = next.max(at + 1);
    }
    found
}

fn mark(text: &Text, at: usize, range: &Range<usize>) -> (Option<Mark>, usize) {
    let word = text.word(at);
    let before = |back: usize| at.checked_sub(back).filter(|at| *at >= range.start).map_or("", |at| text.word(at));
    let after = |ahead: usize| if at + ahead < range.end { text.word(at + ahead) } else { "" };
    let plain = |dimension, up| Some(Mark { dimension, up, of: Vec::new(), plain: true, size: false });
    let is = |dimension, up| Some(Mark::going(dimension, up));
    if let Some((dimension, ups, _)) = STATES.iter().find(|(_, ups, downs)| lists(ups, word) || lists(downs, word)) {
        return (plain(*dimension, lists(ups, word)), at + 1);
    }
    // "Was the first to melt", "came up last"
    if matches!(word, "first" | "last") {
        let infinitive = after(1) == "to";
        let ends = after(1).is_empty() || !after(1).starts_with(char::is_alphabetic) || lists!("of and", after(1));
        let verb = !lists("the a our its their at", before(1));
        return ((infinitive || ends && verb).then(|| is(Dimension::Tempo, word == "first")).flatten(), at + 1);
    }
    // "In half the time"
    if lists!("half twice double", word) && after(1) == "the" && after(2) == "time" {
        return (is(Dimension::Tempo, word == "half"), at + 3);
    }
    // "Twice as many visits"
    if lists!("twice double", word) && after(1) == "as" {
        let of = nouns_after(text, at + 3, range);
        return (Some(Mark { dimension: Dimension::Amount, up: true, of, plain: false, size: false }), at + 3);
    }
    if matches!(word, "up" | "down")
        && (1..=3).any(|back| lists!(CLIMBS, before(back)))
        && !(after(1) == "on" && matches!(after(3), "side"))
    {
        return (amount_of(text, at, range, word == "up", subject(text, at, range)), at + 1);
    }
    if matches!(word, "up" | "down")
        && lists!("speed speeds sped speeding slow slows slowed slowing speeded", before(1))
    {
        return (is(Dimension::Tempo, word == "up"), at + 1);
    }
    // "Snipped away" is no farther off.
    let cut = lists!("snipped cut trimmed clipped sawn taken washed worn thrown wiped rubbed filed broken", before(1));
    if matches!(word, "away" | "closer") && matches!(after(1), "from" | "") && !cut {
        return (is(Dimension::Distance, word == "away"), at + 1);
    }
    if word.starts_with("approach") {
        return (is(Dimension::Distance, false), at + 1);
    }
    // "Dropped with depth"
    if word == "with"
        && let Some((dimension, up)) = measure(&stem(text.lemma(at + 1)))
        && !after(2).starts_with(char::is_alphabetic)
    {
        return (is(dimension, up), at + 2);
    }
    let quantity = match word {
        // "At least twice a week" is a bound.
        "most" | "least" if before(1) == "at" => return (None, at + 1),
        "more" | "most" => Some(true),
        "less" | "least" | "fewer" | "fewest" => Some(false),
        _ => None,
    };
    if let Some(up) = quantity {
        if let Some(pole) = poles::pole(after(1)).filter(|pole| pole.form == Form::Plain && after(1) != "light") {
            return (oriented(text, at + 1, range, Pole { up: pole.up == up, form: Form::More, ..pole }), at + 2);
        }
        let mut of = nouns_after(text, at + 1, range);
        // "The more mass it will lose"
        let lost = (at + 2..range.end).any(|t| lists!("lose loses lost", text.word(t)));
        if lost && of.iter().any(|noun| lists!("mas weight", noun)) {
            return (is(Dimension::Weight, !up), at + 2);
        }
        if of.is_empty() {
            of = subject(text, at, range);
            // "Will warm up more", "cool off most": more of what the verb says.
            let verb =
                (1..=3).filter_map(|back| poles::pole(before(back))).find(|pole| pole.dimension != Dimension::Amount);
            if let Some(pole) = verb.filter(|pole| matches!(pole.form, Form::Plain | Form::Verb)) {
                return (is(pole.dimension, pole.up == up), at + 1);
            }
        }
        return (amount_of(text, at, range, up, of), at + 1);
    }
    let Some(pole) = poles::pole(word) else { return (None, at + 1) };
    // "The light cars" where others are heavy
    let weighed = || text.tokens.iter().any(|token| lists!("heavy heavier heaviest", &token.word));
    let light = word == "light" && !after(1).is_empty() && weighed();
    let noun = !light
        && lists!("drop drops fall falls rise rises gain increase decrease float light lights heat cool", word)
        && (lists!(
            "a an the any no each every of in this first its their smallest largest bigger smaller greatest largest",
            before(1),
        ) || after(1) == "of"
            || lists!("intensity level bulb", after(1)));
    if noun
        || pole.form == Form::Plain && !light && lists!("light basic full empty easy fresh clear clean good hard", word)
    {
        return (None, at + 1);
    }
    // "Falls more slowly" is of how fast, and not of how much.
    let tempo = |t: usize| poles::pole(text.word(t)).is_some_and(|pole| pole.dimension == Dimension::Tempo);
    if matches!(pole.form, Form::Verb)
        && ["fall", "drop", "sink", "rise", "climb", "grow"].iter().any(|verb| phrases::is_form_of(word, verb))
        && (tempo(at + 1) || lists!("more less most", after(1)) && tempo(at + 2))
    {
        return (None, at + 1);
    }
    // "Losing the greater part of their mass": more of a loss.
    let loses = phrases::is_form_of(word, "lose") || word == "lost" || phrases::is_form_of(word, "gain");
    let degree = |at: usize| {
        lists!(
            "more most less least fewer fewest greater greatest larger largest bigger biggest smaller smallest",
            text.word(at),
        )
    };
    // "Lost heat more quickly"
    let quick = |at: usize| {
        let degree = lists!("more less", text.word(at)).then(|| poles::pole(text.word(at + 1))).flatten();
        let pole = poles::pole(text.word(at)).filter(|pole| pole.form == Form::More);
        let up = text.word(at) != "less";
        degree.map(|pole| Pole { up: pole.up == up, ..pole }).or(pole).filter(|pole| pole.dimension == Dimension::Tempo)
    };
    if loses && let Some((next, pole)) = (at + 1..range.end.min(at + 4)).find_map(|at| Some((at, quick(at)?))) {
        return (is(Dimension::Tempo, pole.up), next + 2);
    }
    // "Lost heat" is no less of what loses it.
    if loses && lists!("heat warmth", after(1)) {
        return (is(Dimension::Warmth, phrases::is_form_of(word, "gain")), at + 2);
    }
    if loses && let Some(next) = (at + 1..range.end.min(at + 4)).find(|at| degree(*at)) {
        let up = !lists("less least fewer fewest smaller smallest", text.word(next));
        let mut of = nouns_after(text, next + 1, range);
        // "Will lose more mass"
        if of.iter().any(|noun| lists!("mas weight", noun)) {
            return (is(Dimension::Weight, up == phrases::is_form_of(word, "gain")), next + 2);
        }
        // "Lost the most heat"
        if of.iter().any(|noun| lists!("heat warmth temperatur", noun)) {
            return (is(Dimension::Warmth, up == phrases::is_form_of(word, "gain")), next + 2);
        }
        of.push(if word.starts_with('l') { "loss" } else { "gain" }.to_owned());
        return (Some(Mark { dimension: Dimension::Amount, up, of, plain: false, size: false }), next + 1);
    }
    (oriented(text, at, range, pole), at + 1)
}

/// A mark of this pole, with what it is said of.
fn oriented(text: &Text, at: usize, range: &Range<usize>, pole: Pole) -> Option<Mark> {
    let plain = pole.form == Form::Plain;
    let ahead = nouns_after(text, at + 1, range);
    let word = text.word(at);
    // "Longer, thinner stems" are of no length of the whole.
    if word.starts_with("long") && text.word(at + 1) == "," && poles::pole(text.word(at + 2)).is_some() {
        return None;
    }
    let grain = word.starts_with("fine") || word.starts_with("coarse");
    if grain && pole.dimension == Dimension::Roughness {
        return Some(Mark {
            dimension: Dimension::Amount,
            up: pole.up,
            of: vec!["grain".to_owned()],
            plain,
            size: true,
        });
    }
    // "Rebounds higher" is as far as "springs back furthest".
    let leaps = |at: usize| {
        ["rebound", "bounce", "spring", "jump", "leap", "hop", "fly", "launch", "shoot"]
            .iter()
            .any(|verb| phrases::is_form_of(text.word(at), verb))
            || lists!("sprang sprung flew flown shot", text.word(at))
    };
    // What somebody does who jumps may be higher for that, as a pulse is.
    let pulse = || range.clone().any(|at| lists!("pulse rate temperature pressure count", text.word(at)));
    if lists!("higher highest lower lowest", word) && range.clone().any(leaps) && !pulse() {
        return Some(Mark::going(Dimension::Length, pole.up));
    }
    // "Stops sooner" goes less far.
    let stops = |at: usize| {
        ["stop", "halt"].iter().any(|verb| phrases::is_form_of(text.word(at), verb)) || text.has_at(at, &["to", "rest"])
    };
    if pole.dimension == Dimension::Tempo
        && pole.form == Form::More
        && (at.saturating_sub(3).max(range.start)..at).any(stops)
    {
        return Some(Mark::going(Dimension::Distance, !pole.up));
    }
    if !plain && word == "longer" && is_done(text, at, range) {
        let of = vec!["duration".to_owned()];
        return Some(Mark { dimension: Dimension::Amount, up: pole.up, of, plain: false, size: false });
    }
    let vague = matches!(pole.dimension, Dimension::Amount | Dimension::Length | Dimension::Quality);
    if plain && pole.dimension == Dimension::Amount {
        // "The small parachute landed first"
        let sized = lists!("big large small little tiny", word) && !ahead.is_empty();
        return sized.then_some(Mark { dimension: Dimension::Amount, up: pole.up, of: ahead, plain, size: true });
    }
    let lasting = matches!(pole.dimension, Dimension::Length)
        && (at.saturating_sub(4).max(range.start)..at).any(|at| {
            lists!(
                "take takes took taking last lasts lasted for need needs needed require requires required",
                text.word(at)
            ) || lists!("warm hot cold", text.word(at))
        })
        || pole.dimension == Dimension::Length
            && (at + 1..range.end.min(at + 7)).any(|at| {
                lists!(
                    "take takes took last lasts needs needed burn burns burning glow glows glowing survive survives",
                    text.word(at)
                ) || text.word(at) == "go" && text.word(at + 1) == "on"
            });
    if lasting && !plain {
        return Some(Mark::going(Dimension::Tempo, !pole.up));
    }
    if !vague || plain {
        let glows = || range.clone().any(|at| lists!("bulb lamp glow glows glowed light bulbs", text.word(at)));
        let (dimension, up) = match pole.dimension {
            // "The wider they stood apart"
            Dimension::Width if range.clone().any(|at| text.word(at) == "apart") => (Dimension::Distance, pole.up),
            Dimension::Darkness => (Dimension::Brightness, !pole.up),
            Dimension::Loudness if word.starts_with("faint") && glows() => (Dimension::Brightness, pole.up),
            other => (other, pole.up),
        };
        let mut of = subject(text, at, range);
        of.extend(ahead);
        return Some(Mark { dimension, up, of, plain, size: false });
    }
    // "Raising the temperature", but "the pressure dropped".
    let moves = ["fall", "rise", "drop", "climb", "decline", "soar", "shrink", "sink", "dwindle", "plummet"];
    let transitive =
        pole.form == Form::Verb && !ahead_is_adverbial(text, at + 1) && phrases::verb(word, &moves).is_none();
    let object = if transitive { nouns_after(text, at + 2, range) } else { Vec::new() };
    let attributive = !ahead.is_empty();
    let mut of = match (pole.form, ahead.is_empty()) {
        (Form::Verb, _) if !object.is_empty() => object,
        (Form::Verb, _) => subject(text, at, range),
        (_, false) => ahead,
        _ => subject(text, at, range),
    };
    // "Its period becomes longer"
    if pole.dimension == Dimension::Length && of.iter().any(|noun| lists!("period swing oscillat", noun)) {
        return Some(Mark::going(Dimension::Tempo, !pole.up));
    }
    if pole.dimension == Dimension::Length && !of.iter().any(|noun| measure(noun).is_some()) {
        return Some(Mark::going(Dimension::Length, pole.up));
    }
    // "The higher we prop it", and "each extra book under it".
    if of.is_empty() && lists!("higher lower", word) || of.iter().any(|noun| lists!("book block brick", noun)) {
        of.push("high".to_owned());
    }
    let size = attributive && lists!("bigger biggest larger largest smaller smallest tiny tiniest", word);
    amount_of(text, at, range, pole.up, of)
        .map(|mark| Mark { size: size && mark.dimension == Dimension::Amount, ..mark })
}

/// More or less of something: of warmth, where that is a temperature, and the other way, where it is a drop.
fn amount_of(text: &Text, at: usize, range: &Range<usize>, up: bool, of: Vec<String>) -> Option<Mark> {
    let mut up = up;
    // What is read off tells of what is measured.
    let named = |noun: String| match noun.as_str() {
        "ammet" | "ammeter" => "current".to_owned(),
        "voltmet" | "voltmeter" => "voltag".to_owned(),
        "thermomet" | "thermometer" => "temperatur".to_owned(),
        "not" | "tone" | "ton" => "pitch".to_owned(),
        _ => noun,
    };
    let of: Vec<String> = of.into_iter().map(named).collect();
    // A pulse rate is counted, and is no speed of what is done.
    let pulse = of.iter().any(|noun| lists!("puls heart breath respir", noun));
    let mut known = of.iter().rev().find_map(|noun| measure(noun)).filter(|_| !pulse);
    let falls = of.iter().any(|noun| lists!("drop fall loss decreas reduct cool", noun));
    // "The greater the gap between magnet and clip"
    if of.first().is_some_and(|noun| noun == "gap") && text.word(at + 2) != "in" {
        return Some(Mark::going(Dimension::Distance, up));
    }
    let changes = of.iter().any(|noun| lists!("chang differenc gap", noun));
    if changes {
        return None;
    }
    if falls || of.iter().any(|noun| lists!("ris gain increas", noun)) {
        // "The smallest drop in temperature"
        known = (at..range.end.min(at + 6)).find_map(|at| measure(&stem(text.lemma(at))));
        // The height of the drop itself is no fall of anything.
        if falls && known.is_some() {
            up = !up;
        }
    }
    // "A lower boiling point" is no lower temperature of what boils.
    let point = of.iter().any(|noun| lists!("boil freez melt point", noun));
    if let Some((dimension, rises)) = known.filter(|_| !point) {
        return Some(Mark { dimension, up: up == rises, of, plain: false, size: false });
    }
    if of.iter().any(|noun| lists!("light sunlight sun sunshin daylight", noun)) {
        return Some(Mark::going(Dimension::Brightness, up));
    }
    Some(Mark { dimension: Dimension::Amount, up, of, plain: false, size: false })
}

fn measure(noun: &str) -> Option<(Dimension, bool)> {
    match noun {
        "tim" => Some((Dimension::Tempo, false)),
        "temperatur" => Some((Dimension::Warmth, true)),
        "concentrat" => Some((Dimension::Strength, true)),
        "brightnes" => Some((Dimension::Brightness, true)),
        "mas" => Some((Dimension::Weight, true)),
        "moistur" => Some((Dimension::Wetness, true)),
        "rat" | "acceler" | "accelerat" => Some((Dimension::Tempo, true)),
        "distanc" => Some((Dimension::Distance, true)),
        "heart" | "minut" | "second" | "period" | "angl" | "weight" | "range" => None,
        other => poles::measure(other),
    }
}

/// The stems of the nouns that follow, "clips" of "fewest paper clips on it".
fn nouns_after(text: &Text, from: usize, range: &Range<usize>) -> Vec<String> {
    let mut found = Vec::new();
    for at in from..range.end.min(from + 5) {
        let word = text.word(at);
        // "A larger share of their mass", "the biggest volume of gas"
        if word == "of"
            && found.iter().all(|noun: &String| lists!("shar part amount number volum lot piec count", noun))
            && !found.is_empty()
        {
            found.clear();
            continue;
        }
        // "The greater the pressure"
        let paired = at == from && lists!("the their its our your", word) && text.word(from.wrapping_sub(2)) == "the";
        if found.is_empty() && lists!("the their its a of", word) && (at > from || paired) {
            continue;
        }
        // "Higher right after we stop"
        let at_once = lists!("right just straight", word) && lists!("after before when away", text.word(at + 1));
        if lists!(ENDS, word) || !word.starts_with(char::is_alphabetic) || at_once {
            break;
        }
        // "Bigger parachutes fall", but "a smaller temperature drop"
        let measured = found.last().is_some_and(|noun| measure(noun).is_some());
        let verb = poles::pole(word).is_some_and(|pole| pole.form == Form::Verb);
        if verb && !found.is_empty() && !measured {
            break;
        }
        if !lists(OF_NO_MATTER, word) || lists!("time minute", word) || at == from && lists!("turn turns", word) {
            found.push(stem(text.lemma(at)));
        }
    }
    found
}

/// The stems of what stands before: of whatever rises or falls there.
fn subject(text: &Text, at: usize, range: &Range<usize>) -> Vec<String> {
    let begins = |at: &usize| {
        lists!("that as with when if while where ,", text.word(*at))
            || text.word(*at) == "which" && !lists("at in on", text.word(at.wrapping_sub(1)))
    };
    let from = (range.start..at).rev().find(begins);
    words(text, from.map_or(range.start, |from| from + 1)..at)
}

#[cfg(test)]
mod tests;
