//! Hazards that a rule names in one way and a step brings about in another: "the plate stays shut", and a step that strips
//! off its tape; "goggles stay on", and goggles that come off.
//!
//! A rule gives a hazard with the things and the time it is about; a step must agree in all of them.

use std::ops::Range;

use super::deeds::{self, CONTAINERS};
use super::demands;
use super::kept_apart::together;
use super::names::FLAMES;
use crate::assistant::facts::actions::{Action, is_guarded, is_lid};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// What is worn, by what it covers.
pub(super) const WORN: [&str; 5] = [
    "goggles goggle glasses spectacles eyewear visor visors",
    "gloves glove mitts mitt",
    "apron aprons coat coats smock smocks mask masks helmet helmets",
    "shoes shoe footwear boots trainers sneakers",
    "hair",
];

/// So many rules are heeded: more are no lesson's, and each is laid beside every word of the steps.
const MOST_RULES: usize = 64;

/// What can come about.
#[derive(Debug)]
pub(super) enum Hazard {
    /// What is worn is taken off.
    Bare(&'static str),
    /// What is closed is opened.
    Opened,
    /// What gives off gas or is heated is closed.
    Closed,
    /// A thing is touched with the skin.
    Skin,
    /// Something gets into a mouth.
    Mouth,
    /// Pupils do what only a grown-up may.
    Reserved,
    /// Two things come together; these are the others.
    Together(Vec<String>),
    /// Nobody watches.
    Left,
    /// What is to stay unlit is lit.
    Lit,
    /// Something is sucked up with the mouth.
    Sucked,
    /// Pupils do the chore of a grown-up, which these verbs tell.
    Chore(&'static [&'static str]),
}

/// A rule about a hazard.
#[derive(Debug)]
pub(super) struct Rule<'l, 'c> {
    pub(super) text: &'l Text<'c>,
    pub(super) at: usize,
    pub(super) hazard: Hazard,
    /// What it is about, each thing with its words, the head last.
    pub(super) things: Vec<Vec<String>>,
    /// What must be going on.
    pub(super) scope: Vec<String>,
    /// What ends it.
    pub(super) until: Option<String>,
    /// Whether it holds only once something was closed.
    pub(super) once: bool,
}

/// The rules about hazards, each with the first step that brings it about.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<(Rule<'l, 'c>, usize, &'l Text<'c>, usize)> {
    let rules: Vec<Rule> = lesson.safety().flat_map(rules).take(MOST_RULES).collect();
    let broken = |rule: Rule<'l, 'c>| {
        let (index, step, at) =
            lesson.steps().find_map(|(index, step)| Some((index, step, deeds::breaks(lesson, &rule, index, step)?)))?;
        Some((rule, index, step, at))
    };
    rules.into_iter().filter_map(broken).collect()
}

/// What a text says of hazards.
fn rules<'l, 'c>(text: &'l Text<'c>) -> Vec<Rule<'l, 'c>> {
    let mut found = Vec::new();
    for sentence in text.sentences() {
        let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
        if has(list!("unless except optional if otherwise step steps")) || phrases::is_question(text, sentence.start) {
            continue;
        }
        let (scope, until) = (scope(text, &sentence), until(text, &sentence));
        let once = has(list!("once after"));
        let mut add = |hazard: Hazard, at: usize, things: Vec<Vec<String>>| {
            let (scope, until) = (scope.clone(), until.clone());
            found.push(Rule { text, at, hazard, things, scope, until, once });
        };
        if let Some((at, class)) = worn(text, &sentence) {
            add(Hazard::Bare(class), at, Vec::new());
        }
        if let Some((at, [one, other])) = together(text, &sentence) {
            add(Hazard::Together(other), at, vec![one]);
        }
        if let Some(at) = left(text, &sentence) {
            add(Hazard::Left, at, Vec::new());
        }
        if let Some((at, things)) = reserved(text, &sentence) {
            add(Hazard::Reserved, at, things);
        }
        for (hazard, at, things) in demands::read(text, &sentence) {
            add(hazard, at, things);
        }
        // "Sealed until the teacher throws them away" lets nobody open them.
        let gone = has(list!("throws disposes bins destroys burns autoclaves collects incinerates"));
        if until.is_some() && has(list!("teacher told says allowed")) && !gone {
            continue;
        }
        if let Some((at, things)) = shut(text, &sentence) {
            add(Hazard::Opened, at, things);
        }
        if let Some((at, things)) = not_closed(text, &sentence) {
            add(Hazard::Closed, at, things);
        }
        if let Some((at, things)) = untouched(text, &sentence) {
            let bare = sentence.clone().any(|t| lists!("bare skin", text.word(t)));
            add(Hazard::Skin, at, things);
            // Where skin must not touch it, gloves stay on.
            if let Some(gloves) = WORN.get(1).filter(|_| bare) {
                add(Hazard::Bare(gloves), at, Vec::new());
            }
        }
        if let Some((at, things)) = out_of_mouths(text, &sentence) {
            add(Hazard::Mouth, at, things);
        }
    }
    found
}

/// What must be going on for a rule to hold, in words that say something.
fn scope(text: &Text, sentence: &Range<usize>) -> Vec<String> {
    let begins = |t: &usize| {
        lists!("when while whenever during whilst before", text.word(*t))
            || lists!("that which", text.word(*t)) && lists!("is are", text.word(t + 1))
            || text.has_at(*t, &["as", "long", "as"])
    };
    let Some(start) = sentence.clone().find(begins) else { return Vec::new() };
    let end =
        (start + 1..sentence.end).find(|t| matches!(text.word(*t), "," | ":" | ";" | ".")).unwrap_or(sentence.end);
    let mut words = phrases::content_words(text, start + 1..end);
    words.retain(|word| {
        !lists(
            "lesson class experiment practical activity investigation work working time whole entire lab session hour \
             anyone nobody pupil student chemical bench there long as use using used handle handled handling have has been",
            word,
        )
    });
    words
}

/// The last word of what ends a rule: "until the tray has been rinsed".
fn until(text: &Text, sentence: &Range<usize>) -> Option<String> {
    let start = sentence.clone().find(|t| lists!("until till", text.word(*t)))?;
    let end =
        (start + 1..sentence.end).find(|t| matches!(text.word(*t), "," | ":" | ";" | ".")).unwrap_or(sentence.end);
    Some(phrases::content_words(text, start + 1..end).pop().unwrap_or_default())
}

/// "Goggles stay on", "eye protection must be worn", "gloves are compulsory", "hair is tied back".
pub(super) fn worn(text: &Text, sentence: &Range<usize>) -> Option<(usize, &'static str)> {
    let class = |t: usize| {
        if text.has_at(t, &["eye", "protection"]) {
            return WORN.first().copied();
        }
        let lens = lists!("magnifying drinking hand through", text.word(t.wrapping_sub(1)));
        WORN.into_iter().find(|class| lists(class, text.word(t)) && !lens)
    };
    let demanded = sentence.clone().any(|t| {
        lists!(
            "on worn wear wears keep kept stay stays remain remains must compulsory required mandatory obligatory \
             throughout always tied essential covered cover negotiable \
             bun ponytail braid plait pinned clipped",
            text.word(t),
        ) || lists!("over", text.word(t)) && (t + 1..t + 4).any(|n| lists!("eye eyes face hair", text.word(n)))
    });
    // "Eye protection is not to leave your eyes"
    let kept =
        sentence.clone().any(|t| {
            phrases::verb(text.word(t), &["leave", "remove", "take", "lift", "push", "raise", "come", "slip", "slide"])
                .is_some()
                && phrases::is_denied(text, t)
        }) && !sentence.clone().any(|t| lists!("need needed necessary required classroom room lab home", text.word(t)));
    let teacher = sentence.clone().any(|t| phrases::is_teacher(text, t));
    let at = sentence.clone().find(|t| class(*t).is_some())?;
    // "Nobody works without goggles"
    let kept = kept
        || text.word(at.wrapping_sub(1)) == "without"
            && (sentence.start..at).any(|t| lists!("nobody never no not", text.word(t)));
    let denied =
        phrases::is_denied(text, at) || (at..sentence.end.min(at + 4)).any(|t| phrases::is_denial(text.word(t)));
    let hair = text.word(at) == "hair" && !sentence.clone().any(|t| lists!("tied tie back up", text.word(t)));
    (!teacher && !hair && (kept || demanded && !denied)).then_some((at, class(at)?))
}

/// "The plate stays shut", "keep the sash down", "the jars are to remain sealed".
fn shut(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let has_lid = sentence.clone().any(|t| is_lid(text.word(t)));
    let at = sentence.clone().find(|at| {
        let stays = phrases::verb(text.word(*at), &["stay", "remain", "keep"]).is_some();
        let state = |t: usize| match text.word(t) {
            "on" => has_lid,
            "down" => sentence.clone().any(|t| lists!("sash hood", text.word(t))),
            word => lists!("shut closed sealed unopened taped", word),
        };
        let kept = stays && !phrases::is_denied(text, *at) && (at + 1..sentence.end.min(at + 7)).any(state);
        // "Never open it towards a face" leaves other ways.
        let bound = || {
            (at + 1..phrases::clause_end(text, *at)).any(|t| {
                lists!("toward towards over near at in with without before by to above on inside", text.word(t))
            })
        };
        kept || text.action(*at) == Some(Action::Open) && phrases::is_denied(text, *at) && !bound()
    })?;
    // "The lid stays on the tank" is about the tank.
    let mut things: Vec<Vec<String>> = vessels(text, sentence.clone()).map(|at| with_kind(text, at)).collect();
    if things.iter().flatten().any(|word| !is_lid(word)) {
        things.retain(|thing| !thing.iter().any(|word| is_lid(word)));
    }
    (!things.is_empty()).then_some((at, things))
}

/// The tokens that name a vessel.
fn vessels(text: &Text, tokens: Range<usize>) -> impl Iterator<Item = usize> {
    tokens.filter(|at| lists!(CONTAINERS, text.lemma(*at)))
}

fn containers(text: &Text, tokens: Range<usize>) -> Vec<Vec<String>> {
    vessels(text, tokens).map(|at| vec![text.lemma(at).to_owned()]).collect()
}

/// A vessel with what was done to it: "the incubated plates" are not all plates.
fn with_kind(text: &Text, at: usize) -> Vec<String> {
    let before = text.word(at.wrapping_sub(1));
    let kind = before.ends_with("ed") && !lists!("taped sealed closed unopened covered zipped used needed", before)
        || lists!("old full pressurised pressurized", before);
    let from = if kind { at - 1 } else { at };
    (from..=at).map(|at| text.lemma(at).to_owned()).collect()
}

/// "Never put a cap on a bottle that is fizzing", "heating a closed container must not happen".
fn not_closed(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let heated = |at: usize| {
        phrases::verb(text.word(at), &["heat", "warm", "boil"]).is_some()
            && (at + 1..sentence.end.min(at + 5)).any(|t| lists!("closed sealed stoppered corked capped", text.word(t)))
            && sentence.clone().any(|t| phrases::is_denial(text.word(t)))
    };
    // "Not more than 2 g in the closed bottle" lets it be closed.
    let bounded = (sentence.start..sentence.end).any(|at| text.has_at(at, &["more", "than"]));
    let closed = |at: usize| !bounded && deeds::closes(text, at) && phrases::is_denied(text, at);
    let at = sentence.clone().find(|at| closed(*at) || heated(*at))?;
    let things = containers(text, sentence.clone());
    (!things.is_empty()).then_some((at, things))
}

/// "Bare fingers must not touch them", "hands stay off the glass", "nobody lays a finger on it".
fn untouched(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let at = sentence.clone().find(|t| lists!("finger fingers hand hands skin fingertips thumb", text.word(*t)))?;
    let end = phrases::clause_end(text, at);
    let off = (at + 1..end.min(at + 5)).any(|t| {
        lists!("away off out clear", text.word(t)) && !lists("limits", text.word(t + 1))
            || phrases::is_denial(text.word(t))
    });
    let touched = (phrases::clause_start(text, at)..end).any(|t| {
        phrases::verb(text.word(t), &["touch", "lay", "put", "pick", "lift", "handle", "go", "meet"]).is_some()
    });
    let wrong = off || phrases::is_denied(text, at) && touched;
    let other = sentence.clone().any(|t| {
        lists!("mouth mouths eye eyes face faces nose wash wet dry dirty raise lens rub pockets", text.word(t))
    });
    if !wrong || other {
        return None;
    }
    let mut things = named(text, sentence, at);
    if things.is_empty() {
        // "Nothing else enters the cup; skin stays out of it"
        let pronoun = (at..end).any(|t| lists!("it them both", text.word(t)));
        let before = sentence.start.checked_sub(1).filter(|_| pronoun);
        things = containers(text, before.map_or(sentence.start, |before| text.sentence(before).start)..sentence.end);
    }
    (!things.is_empty()).then_some((at, things))
}

/// The things in a sentence, and where it speaks of "it" or "them", those of the one before.
fn named(text: &Text, sentence: &Range<usize>, at: usize) -> Vec<Vec<String>> {
    let range = |range: Range<usize>| -> Vec<Vec<String>> {
        let groups = phrases::groups(text, range);
        groups.into_iter().filter_map(|group| deeds::thing(group.words)).collect()
    };
    let mut things = range(sentence.clone());
    let pronoun = (at..phrases::clause_end(text, at)).any(|t| lists!("it them they", text.word(t)));
    if pronoun && let Some(before) = sentence.start.checked_sub(1) {
        things.extend(range(text.sentence(before)));
    }
    things
}

/// "Plants stay out of mouths", "tasting is out of the question", "it is not for drinking".
fn out_of_mouths(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let at = sentence.clone().find(|t| {
        let mouths = lists!("mouth mouths", text.word(*t)) && text.word(t + 1) != "of";
        let kept = (sentence.start..*t).any(|b| {
            text.has_at(b, &["out", "of"])
                && sentence.clone().any(|k| lists!("stay stays kept keep remain", text.word(k)))
        });
        let gerund = lists!("eating drinking tasting consumption", text.word(*t));
        let meant = gerund && text.word(t.wrapping_sub(1)) == "for" && phrases::is_denied(text, *t);
        let verdict = gerund
            && (t + 1..sentence.end).any(|v| {
                text.has_at(v, &["out", "of", "the", "question"]) || lists!("forbidden banned prohibited", text.word(v))
            });
        let into = mouths
            && phrases::is_denied(text, *t)
            && (sentence.start..*t).any(|b| phrases::verb(text.word(b), &["go", "get", "put", "belong"]).is_some())
            && (sentence.start..*t).any(|b| lists!("in into", text.word(b)));
        mouths && kept || into || meant || verdict && !phrases::is_denied(text, *t)
    })?;
    let start = phrases::clause_start(text, at);
    // "On this trail plants stay out of mouths" speaks of plants.
    let stays = (start..at)
        .find(|t| lists!("stay stays kept keep remain is are not aren't isn't goes go gets put", text.word(*t)));
    let mut names = phrases::content_words(text, start..stays.unwrap_or(start));
    names.retain(|name| !lists("experiment brought trail part", name));
    let things = names.pop().and_then(|name| deeds::thing(vec![name])).into_iter().collect();
    Some((at, things))
}

/// Grown-ups of whom lessons outside school speak.
const GUIDES: &str = "docent guide warden keeper curator supervisor nurse professor caretaker chef";

/// "The scalpel is for the teacher's hand only", "matches are struck by the docent alone", "only adults go near the kettle".
fn reserved(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<Vec<String>>)> {
    let owner = |t: usize| text.word(t).strip_suffix("'s").unwrap_or_else(|| text.word(t));
    let grown = |t: usize| {
        phrases::is_teacher(text, t) && text.word(t) != "i"
            || lists!(GUIDES, owner(t))
            || lists!("teacher educator technician adult instructor", owner(t))
    };
    let at = sentence.clone().find(|t| grown(*t))?;
    let (start, end) = (phrases::clause_start(text, at), phrases::clause_end(text, at));
    let has = |mut range: Range<usize>, words: List| range.any(|t| words.has(text.word(t)));
    let helped = has(
        sentence.clone(),
        list!(
            "help helps helped ask tell under unless checked checks check supervision supervised permission or together present says \
         allows until"
        ),
    );
    let others =
        (0..text.tokens.len()).any(|t| text.has_at(t, &["nobody", "else"]) || text.has_at(t, &["no", "one", "else"]));
    let stays = has(start..at, list!("stays stay remains belongs"));
    let pupils_not = others
        || stays
        || (0..text.tokens.len())
            .any(|t| phrases::is_pupil(text.word(t)) && (t + 1..t + 4).any(|n| phrases::is_denial(text.word(n))));
    let only =
        has(at + 1..end.min(at + 4), list!("only alone")) || has(start.max(at.saturating_sub(3))..at, list!("only"));
    let job = lists!("job task business responsibility", text.word(at + 1)) && has(start..at, list!("is are"));
    let given =
        has(start..at, list!("by for with in")) && has(start..at, list!("is are be stays stay remains belongs"));
    // "Craft knives belong to the teacher", "the kettle is the teacher's and nobody else's"
    let owned = has(start..at, list!("belong belongs")) && has(start..at, list!("to"))
        || text.word(at).ends_with("'s")
            && has(start..at, list!("is are remain remains"))
            && (at + 1 == end || lists!("and alone only", text.word(at + 1)));
    // "Only the teacher cuts bottles" lets all fill them, "above 50 °C" lets all pour cold water.
    let narrow = |t: usize| {
        phrases::verb(
            text.word(t),
            &["cut", "slice", "drill", "saw", "pierce", "boil", "melt", "light", "open", "peel", "plug"],
        )
        .is_some()
            || lists!("above over below beyond hotter stronger under", text.word(t))
    };
    if helped
        || (at + 1..end).any(narrow)
        || phrases::is_denied(text, at)
        || !(only || job || owned || given && pupils_not)
    {
        return None;
    }
    let verb = |t: &usize| lists!("is are be stays stay remains remain belongs belong", text.word(*t));
    // "Kettle: staff only"
    let headed = start > sentence.start + 1 && text.word(start - 1) == ":" && start - sentence.start <= 5 && only;
    if headed {
        let groups = phrases::groups(text, sentence.start..start - 1);
        let things: Vec<_> = groups.into_iter().filter_map(|group| deeds::thing(group.words)).collect();
        return (!things.is_empty()).then_some((at, things));
    }
    // "Only the teacher, wearing the gloves, gets near the dry ice"
    let aside = (at + 2..sentence.end.min(at + 9)).find(|t| text.word(*t) == ",").filter(|_| only && at + 1 == end);
    let (at_verb, end) = aside.map_or((at, end), |comma| (comma, phrases::clause_end(text, comma + 1)));
    let range = match (start..at).find(verb) {
        Some(verb) => start..verb,
        None => at_verb + 1..end,
    };
    let mut groups = phrases::groups(text, range);
    // "Only the teacher draws water from the urn" says nothing of other water.
    let sourced = groups.iter().any(|group| group.preposition == "from");
    groups.retain(|group| !sourced || group.preposition == "from");
    let things = groups.into_iter().filter_map(|group| {
        let mut words = group.words;
        words.retain(|word| !grown_up(word) && (word == "boiling" || !deeds::is_deed(word)));
        deeds::thing(words)
    });
    let things: Vec<Vec<String>> = things.take(3).collect();
    (!things.is_empty()).then_some((at, things))
}

fn grown_up(word: &str) -> bool {
    lists!("teacher adult technician grown up educator docent only alone instructor", word)
}

/// "Never leave a burning candle unattended".
fn left(text: &Text, sentence: &Range<usize>) -> Option<usize> {
    let at = sentence.clone().find(|t| lists!("unattended unwatched unsupervised", text.word(*t)))?;
    let hot = sentence
        .clone()
        .any(|t| lists!(FLAMES, text.lemma(t)) || lists!("hot hotplate plate stove kettle", text.lemma(t)));
    (hot && sentence.clone().any(|t| phrases::is_denial(text.word(t)))).then_some(at)
}

/// Whether hands are covered or a tool is used where a sentence does not say that they are bare.
pub(super) fn guarded(step: &Text, sentence: Range<usize>) -> bool {
    is_guarded(step, sentence.clone()) && !sentence.clone().any(|t| step.word(t) == "bare")
}
