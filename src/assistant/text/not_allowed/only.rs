//! Lists of all that may be used, "only card and string", and a step that joins parts with something else.

use super::rules::may_ban;
use crate::assistant::facts::kinds;
use crate::assistant::facts::lesson::{Lesson, Material, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::{Token, lemma};

/// What joins parts or makes them firm, by kind; what is said to be the only stuff leaves no room for the others.
const JOINERS: [&str; 11] = [
    "glue adhesive superglue",
    "tape sellotape",
    "staple stapler",
    "nail screw bolt",
    "string yarn twine thread",
    "clay plasticine putty blutack",
    "rubber elastic",
    "pin thumbtack tack",
    "wire pipe",
    "fastener brad rivet",
    "wool foam sponge padding fleece cotton feather polystyrene",
];

/// Verbs of joining with a thing, and the kind of the thing.
const JOINS: [(&str, usize); 5] = [("glue", 0), ("tape", 1), ("staple", 2), ("nail", 3), ("screw", 3)];

/// Verbs of making something, or of joining its parts.
const MAKES: [&str; 11] =
    ["build", "make", "construct", "assemble", "join", "fix", "fasten", "attach", "connect", "stick", "secure"];

/// Where a text names all that may be used, with the step that uses something else.
pub fn broken<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<(&'l Text<'c>, &'l Text<'c>, usize)> {
    let general = |role: Role| may_ban(role) && !matches!(role, Role::MaterialNotes(_));
    let lists = lesson.texts_of(general);
    lists
        .filter_map(|text| {
            let all = text.kept(|text| allowed(text).into_iter().collect());
            let allowed = all.first()?;
            let listed = || lesson.materials().into_iter().find_map(|material| listed(&material, allowed));
            let made = text.kept(|text| made(text).into_iter().collect());
            let spoken =
                |of: &Text| made.first().is_none_or(|words| of.tokens.iter().any(|token| words.contains(&token.lemma)));
            let told = |role| matches!(role, Role::Title | Role::DrivingQuestion | Role::Objective(_));
            let whole = lesson.texts_of(told).any(spoken);
            let mut steps = lesson.steps().filter(|(_, step)| whole || spoken(step));
            let joined = steps.find_map(|(_, step)| Some((step, joined(step, allowed)?)));
            let (other, at) = joined.or_else(|| listed().filter(|_| whole))?;
            Some((text, other, at))
        })
        .collect()
}

/// The things that alone may be used to make something.
fn allowed(text: &Text) -> Option<Vec<String>> {
    let makes = ["build", "make", "construct", "assemble", "design", "create"];
    let made = (0..text.tokens.len()).any(|at| phrases::verb(text.word(at), &makes).is_some());
    (0..text.tokens.len()).find_map(|at| {
        let end = text.sentence(at).end;
        let permitted = |range: std::ops::Range<usize>| {
            // "Only the chlorides may go down the drain" lists nothing to build with.
            let goes = |t: usize| text.word(t) == "go" && !lists!("down over near to up home out", text.word(t + 1));
            range.into_iter().any(|t| is_permitted(text, t) || goes(t))
        };
        let start = if text.has_at(at, &["nothing", "but"]) || text.has_at(at, &["nothing", "except"]) {
            (made || permitted(at..end)).then_some(at + 2)?
        } else if text.word(at) == "only" && lists!("using with from of", text.word(at.wrapping_sub(1)))
            || text.word(at) == "only"
                && at == text.sentence(at).start
                && (made || (at..end).any(|t| is_permitted(text, t)))
                // "Only go up to the gallery with an adult" lists nothing.
                && !lists!(
                    "go come enter leave walk touch handle start open take put climb look stand use pour add light pick \
                     lift turn heat cut move run work step lean reach",
                    text.word(at + 1),
                )
        {
            (made || permitted(at..end)).then_some(at + 1)?
        } else if text.word(at) == "only" && lists!("from of", text.word(at + 1)) && is_made(text, at) {
            // "The tower must be built only from paper and tape"
            at + 2
        } else if text.word(at) == "only" && lists!("use using", text.word(at + 1)) && made {
            at + 2
        } else if let Some(start) = closing(text, at) {
            // "Join the bridge with masking tape only"
            return words_of(text, start..at);
        } else if lists!("exclusively solely", text.word(at)) && lists!("from of with out", text.word(at + 1)) {
            made.then_some(at + 2)?
        } else if text.has_at(at, &["nothing", "other", "than"]) {
            (made || permitted(at..end)).then_some(at + 3)?
        } else if text.word(at) == "anything"
            && lists!("besides except but other beyond", text.word(at + 1))
            && (at.saturating_sub(14)..end).any(|t| {
                lists!(
                    "turns turned away reject rejects rejected disqualified out zero void refuses refused loses",
                    text.word(t)
                )
            })
        {
            if text.word(at + 1) == "other" { at + 3 } else { at + 2 }
        } else if text.has_at(at, &["more", "than"])
            && (at..end).any(|t| lists!("disqualified out zero", text.word(t)))
            && lists!("using uses use with", text.word(at.wrapping_sub(1)))
        {
            at + 2
        } else if (text.has_at(at, &["nothing", "else"]) || text.has_at(at, &["nothing", "more"])) && ruled(text) {
            let start =
                (text.sentence(at).start..at).rev().find(|t| lists!(": – — from of with by", text.word(*t)))? + 1;
            return words_of(text, start..at).filter(|words| words.len() > 1);
        } else {
            return None;
        };
        let stop = (start..end)
            .find(|t| {
                lists!("; : . ( may can is are to that which for in into when if", text.word(*t))
                    || phrases::begins_condition(text.word(*t))
            })
            .unwrap_or(end);
        let words = words_of(text, start..stop)?;
        if !made && is_of_a_kind(text, start..stop, &words) {
            return None;
        }
        let listed = (start..stop).any(|t| lists!("and , or", text.word(t))) || words.len() <= 3;
        (!words.is_empty() && words.len() <= 14 && listed).then_some(words)
    })
}

/// Whether a token permits the use of things: "only the dropper is allowed on the balcony" lets people go there.
fn is_permitted(text: &Text, at: usize) -> bool {
    let there = lists!("on in into at near outside inside up behind past beyond", text.word(at + 1));
    lists!("used allowed permitted", text.word(at)) && !(there && text.word(at) != "used")
}

/// "Only sterilised pellets are used" chooses among pellets, and says nothing of what joins parts.
fn is_of_a_kind(text: &Text, mut tokens: std::ops::Range<usize>, words: &[String]) -> bool {
    let joins = |word: &String| JOINERS.iter().any(|names| lists(names, word));
    words.len() > 1 && !words.iter().any(joins) && !tokens.any(|t| lists!("and or , & plus", text.word(t)))
}

/// Whether something is "built", "made" or "put together" right before a token.
fn is_made(text: &Text, at: usize) -> bool {
    let before = at.saturating_sub(3)..at;
    let made =
        |t: usize| lists!("built made constructed assembled created designed build make construct", text.word(t));
    before.into_iter().any(made)
}

/// What a text lets be joined with one stuff only, where that is not all that is made: the wires of "fasten the wires with
/// tape only".
fn made(text: &Text) -> Option<Vec<String>> {
    let closing = (0..text.tokens.len()).find_map(|at| closing(text, at))?;
    let start = phrases::clause_start(text, closing);
    let deed = (start..closing).find(|t| phrases::verb(text.word(*t), &MAKES).is_some())?;
    let behind = phrases::content_words(text, deed + 1..closing - 1);
    let words = if behind.is_empty() { phrases::content_words(text, start..deed) } else { behind };
    let general = |word: &String| lists!("part piece everything it them all model structure", word);
    (!words.is_empty() && !words.iter().any(general)).then_some(words)
}

/// Where the names of the stuff begin that alone may join or make something, where the word for "alone" closes a clause.
fn closing(text: &Text, at: usize) -> Option<usize> {
    let alone = lists!("only alone exclusively solely", text.word(at)) && at + 1 == phrases::clause_end(text, at);
    if !alone || phrases::is_denied(text, at) || phrases::is_question(text, at) {
        return None;
    }
    let start = phrases::clause_start(text, at);
    let with = (start..at).rev().take(7).find(|t| lists!("with using from", text.word(*t)))?;
    let made =
        (start..with).any(|t| phrases::verb(text.word(t), &MAKES).is_some() || lists!("built made", text.word(t)));
    let scoped = text.sentence(at).any(|t| lists!("if unless except until first for when", text.word(t)));
    (made && !scoped && with + 1 < at).then_some(with + 1)
}

/// The words of a list of what may be used, unless it leaves open what that is.
fn words_of(text: &Text, tokens: std::ops::Range<usize>) -> Option<Vec<String>> {
    let said = tokens.filter(|t| text.tokens.get(*t).is_some_and(Token::is_word) && !phrases::is_empty(text.word(*t)));
    let words: Vec<String> = said.map(|t| lemma(text.word(t))).collect();
    let open = words.iter().any(|word| {
        lists!("material provided given listed item thing supply after planning evidence own recycled once", word)
    });
    (!open && words.len() <= 14).then_some(words)
}

/// Whether a text sets the rules of something that is built.
fn ruled(text: &Text) -> bool {
    text.tokens
        .iter()
        .any(|token| lists!("rule rules challenge contest build built allowed permitted make may used", &token.word))
}

/// A material that joins parts and is not among the things allowed.
fn listed<'l, 'c>(material: &Material<'l, 'c>, allowed: &[String]) -> Option<(&'l Text<'c>, usize)> {
    let name = material.name;
    let at = (0..name.tokens.len()).find(|at| {
        JOINERS
            .iter()
            .take(3)
            .any(|names| lists(names, name.lemma(*at)) && !allowed.iter().any(|word| lists(names, word)))
            && kinds::is_named(name, *at)
    })?;
    let spared = (0..name.tokens.len()).any(|t| {
        lists!(
            "measure measuring label labels poster floor teacher notebook display worksheet start finish",
            name.word(t),
        )
    });
    (material.notes.is_none() && !spared).then_some((name, at))
}

/// Where a step joins parts with what is not among the things allowed.
fn joined(step: &Text, allowed: &[String]) -> Option<usize> {
    let free = |kind: usize| JOINERS.get(kind).is_some_and(|names| !allowed.iter().any(|word| lists(names, word)));
    (0..step.tokens.len()).find(|at| {
        let word = step.word(*at);
        let spared = || {
            phrases::is_denied(step, *at)
                || phrases::is_supposed(step, *at)
                || phrases::is_question(step, *at)
                || step
                    .sentence(*at)
                    .any(|t| lists!("table floor desk bench wall poster notebook chart label tested", step.word(t)))
        };
        let deed = JOINS.iter().any(|(verb, kind)| phrases::is_form_of(word, verb) && free(*kind))
            && (matches!(phrases::actor(step, *at), Some(phrases::Actor::Reader | phrases::Actor::Pupils))
                || word.ends_with("ed") && (at.saturating_sub(3)..*at).any(|t| lists!("is are be", step.word(t))));
        let thing = JOINERS
            .iter()
            .enumerate()
            .any(|(kind, names)| !matches!(kind, 4 | 5 | 8 | 10) && lists(names, &lemma(word)) && free(kind));
        let with = thing
            && (at.saturating_sub(4)..*at).any(|t| lists!("with using", step.word(t)))
            && (step.sentence(*at).start..*at).any(|t| {
                let verbs =
                    ["join", "fix", "attach", "fasten", "stick", "connect", "secure", "seal", "hold", "strengthen"];
                phrases::verb(step.word(t), &verbs).is_some()
            });
        // "Wrap rubber bands round the joints"
        let wraps = thing
            && (at.saturating_sub(3)..*at).any(|t| {
                phrases::verb(step.word(t), &["wrap", "wind", "run", "slip", "push", "stick", "drive", "put"]).is_some()
                    && matches!(phrases::actor(step, t), Some(phrases::Actor::Reader | phrases::Actor::Pupils))
            })
            && (at + 1..at + 6).any(|t| {
                lists!(
                    "joint joints elbow knee hinge shoulder joins seam seams base corner corners leg legs strut struts beam beams deck",
                    step.word(t),
                )
            });
        // "Strengthen the corners with string", "bed the egg down in the cotton wool"
        let kind = JOINERS.iter().enumerate().find(|(_, names)| lists(names, &lemma(word))).map(|(kind, _)| kind);
        let made = |verbs: &[&str]| {
            (step.sentence(*at).start..*at).any(|t| {
                let orders = || matches!(phrases::actor(step, t), Some(phrases::Actor::Reader | phrases::Actor::Pupils));
                phrases::verb(step.word(t), verbs).is_some() && (t == step.sentence(t).start || orders())
            })
        };
        let near = |words: List| (at.saturating_sub(4)..*at).any(|t| words.has(step.word(t)));
        let firm = matches!(kind, Some(4 | 5 | 8))
            && near(list!("with using"))
            && made(&["strengthen", "reinforce", "brace", "bind", "fasten", "tie"]);
        let padded = kind == Some(10)
            && near(list!("with in into using"))
            && made(&["bed", "pad", "line", "cushion", "stuff", "pack", "wrap", "nest", "fill"]);
        let free = || kind.is_some_and(free);
        (deed || with || wraps || (firm || padded) && free()) && !spared()
    })
}
