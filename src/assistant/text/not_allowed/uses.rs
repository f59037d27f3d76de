//! Where a lesson lists or uses what it bans.

use super::{Ban, scopes};
use crate::assistant::facts::kinds;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases;
use crate::assistant::facts::words::lemma;

/// Where the lesson lists or uses what is banned.
pub fn broken_by<'l, 'c>(lesson: &'l Lesson<'c>, ban: &Ban) -> Option<(&'l Text<'c>, usize)> {
    // Where the tea lights are said to run on batteries, they are all meant.
    let fake = |text: &Text| {
        let burns = |at: usize| phrases::lists!("light lights candle candles tealight tealights", text.word(at));
        (0..text.tokens.len()).any(|at| phrases::lists!("battery led electric flameless operated", text.word(at)))
            && (0..text.tokens.len()).any(burns)
    };
    let flames = ban.words.last().is_some_and(|head| phrases::lists!("flame fire candle light", head));
    if flames && lesson.texts().iter().any(|text| text.path != ban.text.path && fake(text)) {
        return None;
    }
    // What pupils must not use may be there for the teacher.
    // "No glue may be used in the construction": the list may have it for the labels.
    let there = |text: &Text| scopes::is_there(lesson, ban, text);
    let kept = if ban.pupils_only || is_of_what_is_made(ban) { Vec::new() } else { lesson.materials() };
    let kept = if is_of_the_teacher(lesson, ban) { Vec::new() } else { kept };
    let listed = kept.into_iter().find_map(|material| {
        let at = names(material.name, ban, 0..material.name.tokens.len()).filter(|_| there(material.name))?;
        let notes = material.notes.filter(|notes| ban.text.path != notes.path);
        let spared = notes.is_some_and(|notes| {
            let word = |at| notes.word(at);
            (0..notes.tokens.len()).any(|at| {
                phrases::is_denial(word(at)) && word(at + 1) != "in"
                    || word(0) == "for"
                        && phrases::lists!(
                            "part later next another lunch home hall teacher teacher's technician not",
                            word(at)
                        )
                    || ban.pupils_only && phrases::is_teacher(notes, at)
                    || phrases::lists!(
                        "free plastic optional battery fake alternative dummy led unlit display",
                        word(at),
                    )
            })
        });
        let own = ban.text.role == Role::MaterialNotes(material.index);
        (!spared && !own).then_some((material.name, at))
    });
    listed
        .or_else(|| lesson.steps().filter(|(_, step)| there(step)).find_map(|(_, step)| Some((step, used(step, ban)?))))
}

/// Whether the steps that name a banned thing leave it to the teacher.
fn is_of_the_teacher(lesson: &Lesson, ban: &Ban) -> bool {
    let mut named = lesson.steps().flat_map(|(_, step)| {
        let found = all_names(step, ban, 0..step.tokens.len()).into_iter();
        found.map(|at| step.sentence(at).any(|t| phrases::is_teacher(step, t))).collect::<Vec<_>>()
    });
    named.next().is_some_and(|first| first && named.all(|by_teacher| by_teacher))
}

/// Whether a ban speaks of what is made alone: "no glue may be used in the construction".
fn is_of_what_is_made(ban: &Ban) -> bool {
    let made = |t: usize| phrases::lists!("construction structure model device product", ban.text.word(t));
    (ban.at..ban.text.sentence(ban.at).end).any(made) || made_of(ban).is_some()
}

/// What a ban says is made, by its own name: "in any part of the bridge".
fn made_of<'b>(ban: &Ban<'b, '_>) -> Option<&'b str> {
    let made = |t: &usize| {
        phrases::lists!(
            "bridge tower raft boat filter lander vehicle glider rocket parachute car machine design",
            ban.text.lemma(*t)
        ) && !ban.words.iter().any(|word| word == ban.text.lemma(*t))
    };
    (ban.at..ban.text.sentence(ban.at).end).find(made).map(|at| ban.text.lemma(at))
}

/// Where the banned thing is named.
fn names(text: &Text, ban: &Ban, range: std::ops::Range<usize>) -> Option<usize> {
    all_names(text, ban, range).into_iter().next()
}

/// All places where the banned thing is named.
fn all_names(text: &Text, ban: &Ban, range: std::ops::Range<usize>) -> Vec<usize> {
    let Some((head, modifiers)) = ban.words.split_last() else { return Vec::new() };
    if phrases::lists!("mains outlet socket", head) {
        let named = |at: &usize| {
            let plug = text.word(*at) == "plug" && text.word(at + 1) == "in";
            let socket = phrases::lists!("outlet outlets socket sockets", text.word(*at))
                && phrases::lists!("wall mains electrical power electric", text.word(at.wrapping_sub(1)));
            (text.word(*at) == "mains" || plug || socket) && !phrases::lists!("water no not", text.word(at + 1))
        };
        return range.filter(named).collect();
    }
    let family = kinds::members(&ban.words);
    let step = matches!(text.role, Role::Step(_));
    let spared = |at: usize| {
        let around = [at.wrapping_sub(1), at.wrapping_sub(2), at + 1, at + 2];
        around.iter().any(|at| {
            phrases::lists!("free fake substitute imitation artificial mock simulated led battery toy paper picture photo non without no not wing hex bolt bolts magnifying fiber safety measure measuring recorder packing palette butter", text.word(*at))
                || !step && text.word(*at) == "for"
        }) || at >= 3 && text.has_at(at - 3, &["in", "place", "of"])
    };
    // What comes out of its bottle is used.
    let named = |at: &usize| {
        let is_head = (text.lemma(*at) == *head && !kinds::has(&ban.words)
            || family.is_some_and(|members| kinds::ends_at(text, *at, members)))
            && (kinds::is_named(text, *at)
                || phrases::lists!(
                    "solution powder granule crystal flake liquid stub chip shaving peel end ball pad",
                    text.lemma(at + 1)
                )
                || step && phrases::lists!("bottle tube packet jar can", text.lemma(at + 1)));
        let harmless = text.word(at.wrapping_sub(1)) == "plastic"
            && phrases::lists!("glass knife blade scalpel needle sharp", head);
        is_head
            && !harmless
            && !spared(*at)
            && (kinds::has(&ban.words)
                || modifiers
                    .iter()
                    .filter(|word| !phrases::lists!("mobile cell", word))
                    .all(|modifier| range.clone().any(|t| lemma(text.word(t)) == *modifier)))
    };
    range.clone().filter(named).collect()
}

/// Verbs of using a thing.
const USES: &[&str] = &[
    "look",
    "search",
    "google",
    "browse",
    "consult",
    "scatter",
    "bring",
    "squirt",
    "use",
    "take",
    "grab",
    "get",
    "bring",
    "fetch",
    "light",
    "connect",
    "switch",
    "turn",
    "strike",
    "borrow",
    "collect",
    "open",
    "add",
    "hold",
    "run",
    "spread",
    "apply",
    "squeeze",
    "press",
    "fix",
    "join",
    "stick",
    "attach",
    "fasten",
    "glue",
    "seal",
    "put",
    "pour",
    "drop",
    "dip",
    "lower",
    "push",
    "insert",
    "plug",
    "wrap",
    "tie",
    "blow",
    "cut",
    "fill",
    "pass",
    "pick",
    "inflate",
    "wear",
    "set",
    "place",
    "mix",
    "secure",
    "spray",
    "film",
    "climb",
    "slice",
    "chop",
    "boil",
    "heat",
    "warm",
    "crack",
    "whisk",
    "wipe",
    "dab",
    "rub",
    "line",
    "photograph",
    "draw",
    "trace",
    "soak",
    "stir",
    "feed",
    "smear",
    "sprinkle",
    "thread",
    "clip",
    "strengthen",
    "reinforce",
    "cover",
    "bind",
    "count",
    "hang",
    "slip",
    "poke",
    "burn",
    "make",
    "measure",
    "roast",
    "go",
];

/// Things that are verbs as well.
const STICKS: &str = "glue tape staple";

/// Where a step uses the banned thing.
fn used(step: &Text, ban: &Ban) -> Option<usize> {
    step.sentences()
        .into_iter()
        .filter(|sentence| step.path != ban.text.path && !phrases::is_question(step, sentence.start))
        .find_map(|sentence| {
            let head = ban.words.last().map_or("", String::as_str);
            let paper = |t: usize| phrases::lists!("book notebook sheet poster label journal worksheet", step.word(t));
            if is_of_what_is_made(ban) && sentence.clone().any(paper) {
                return None;
            }
            let sticks = phrases::lists!(STICKS, head);
            // "Spread gravel under the bottle" puts none into the filter.
            if !sticks && made_of(ban).is_some_and(|made| !sentence.clone().any(|t| step.lemma(t) == made)) {
                return None;
            }
            // "Tape the ends", "hot-glue the joints", "plug in the lamp"
            let itself = |at: &usize| {
                (sticks && phrases::is_form_of(step.word(*at), head) || head == "mains" && step.word(*at) == "plug")
                    && !phrases::is_denied(step, *at)
                    && !phrases::is_supposed(step, *at)
                    && matches!(phrases::actor(step, *at), Some(phrases::Actor::Reader | phrases::Actor::Pupils))
            };
            let named = all_names(step, ban, sentence.clone());
            if let Some(at) = named.iter().copied().find(itself) {
                return Some(at);
            }
            if let Some(at) = sentence.clone().filter(|_| sticks && named.is_empty()).find(itself) {
                return Some(at);
            }
            // "The teacher comes around, lights one match and drops it in"
            let by_teacher = |at: usize| {
                let before = || sentence.start..at;
                before().any(|t| phrases::is_teacher(step, t))
                    && !before()
                        .any(|t| phrases::lists!("you your pupil pupils student students child children", step.word(t)))
            };
            named.into_iter().find(|at| is_used_at(step, head, *at) && !(ban.pupils_only && by_teacher(*at)))
        })
}

/// Whether what is named at a token is used there.
fn is_used_at(step: &Text, head: &str, at: usize) -> bool {
    let start = phrases::clause_start(step, at);
    // "Taste a little lemon, a pretzel and a dab of peanut butter"
    let eats = |t: &usize| {
        phrases::verb(step.word(*t), &["taste", "eat", "drink", "nibble", "sip", "chew", "lick", "sample"]).is_some()
            && matches!(phrases::actor(step, *t), Some(phrases::Actor::Reader | phrases::Actor::Pupils))
            && !phrases::is_denied(step, *t)
    };
    if kinds::is_named(step, at) && (step.sentence(at).start..at).rev().take(16).any(|t| eats(&t)) {
        return !(step.sentence(at).start..at).any(|t| phrases::is_denial(step.word(t)) || step.word(t) == "or");
    }
    let used =
        |t: &usize| phrases::verb(step.word(*t), USES).is_some() || matches!(step.word(*t), "with" | "on" | "as");
    let drops = (start..at).any(|t| step.word(t) == "from" && at - t <= 4)
        && (start..at).any(|t| phrases::lists!("drop drops ml spoonful spoonfuls pinch", step.word(t)));
    let used = |t: &usize| used(t) || drops && step.word(*t) == "from";
    let Some(by) = (start.max(at.saturating_sub(6))..at).rev().find(used) else { return false };
    let with = step.word(by) != "on" || step.word(by + 1) == "your";
    let away = (start..phrases::clause_end(step, at)).any(|t| {
        matches!(step.word(t), "away" | "off" | "instead" | "teacher" | "imagine" | "pretend")
            || phrases::is_denial(step.word(t))
    });
    let put_by = || {
        let bags = |t: usize| {
            phrases::lists!("locker lockers bag bags cupboard drawer backpack backpacks basket", step.word(t))
        };
        head == "phone" && (start..phrases::clause_end(step, at)).any(bags)
    };
    let beside =
        (by + 1..at).any(|t| phrases::lists!("near behind next beside off like than about without", step.word(t)));
    let far = if phrases::lists!("mains outlet socket", head) || !beside { 6 } else { 4 };
    with && !away && !put_by() && at - by <= far && !phrases::is_supposed(step, at)
}
