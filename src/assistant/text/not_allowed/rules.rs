//! Rules that ban a thing wherever the lesson is held, however they are put: "glass is ruled out", "no gas appliance may
//! be set out", "you may not use a calculator", "we keep this room free of nuts".
//!
//! What a ban is said of stands before its predicate or after its verb; a condition or another place makes it none.

use std::ops::Range;

use super::bans::{NO_THINGS, SCOPES, before_reason, open_flame};
use super::{Ban, scopes};
use crate::assistant::facts::kinds;
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::lemma;

/// Participles that ban.
const BANNED: &str = "banned prohibited forbidden outlawed barred disallowed disqualified excluded withdrawn";
/// Participles that ban where they are denied.
const ALLOWED: &str = "allowed permitted welcome tolerated acceptable used brought bought taken permissible employed introduced set \
    present handed come enter admitted authorised authorized issued accepted approved given added go";
/// Verbs that ban a thing where they are denied.
const USE: &str = "use bring employ have allow permit cover accept";
/// Forms of "to be" and what may stand in its place.
const IS: &str = "is are be been being remain remains stay stays";
const MODALS: &str = "may must can should will shall cannot can't mustn't isn't aren't won't shouldn't";
/// Words that make a name of a thing out of what follows them: "anything containing nuts".
const CARRIERS: &str = "anything item thing food product snack material object device appliance stuff substance good treat team bridge \
    model entry design tower group nothing something everything equipment instrument apparatus tool container vessel toy";
/// Places and times that are the whole lesson.
const HERE: &str = "room classroom lab laboratory school building lesson class campus site premise workshop gallery ground district \
    activity experiment investigation survey challenge contest task trail museum age policy grade grader year build round game course trip visit walk hike excursion expedition venue lodge cabin barn \
    shed gym foyer courtyard patio reserve sanctuary aquarium farm practical unit session kind sort type \
    description student pupil child learner time circumstance account point today house insurance primary secondary reason \
    safety health hygiene library house home pond beach shore river stream creek bank forest wood bus boat kit set zone playground yard field hall canteen kitchen garden department country rule project grade-level marquee tent hut park zoo construction structure model form shape nursery kindergarten preschool device product centre center greenhouse gate station stand part bridge tower raft filter lander vehicle design \
    glider rocket parachute wall roof car machine";
/// Words that say nothing of a place.
const LOOSE: &str = "a an this the our any these in on at from of by into for during to all whole entire age s under and or no matter what \
    every anywhere here today indoors outdoors outside aboard ever either whatsoever";

/// The things that a text bans.
pub(super) fn bans<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let mut found = Vec::new();
    // A step may tell the rules of what is built: "glue is not permitted in any part of the bridge".
    let told = matches!(text.role, Role::Step(_));
    if !told && !may_ban(text.role) && !matches!(text.role, Role::Controlled(_)) {
        return found;
    }
    for sentence in text.sentences() {
        if has_exceptions(text, &sentence) || phrases::is_question(text, sentence.start) {
            continue;
        }
        // "Estimate with powers of ten, calculator not allowed" speaks of that alone.
        let task = matches!(text.role, Role::Objective(_)) && scopes::is_a_task(text, &sentence);
        for at in sentence.clone().filter(|_| !task) {
            if !is_word_of_a_ban(text.word(at)) || told && !is_rule_of_a_step(text, &sentence, at) {
                continue;
            }
            if scopes::joins(text, at) {
                continue;
            }
            let part = part(text, &sentence, at);
            let Some(things) = said_of(text, &part, at) else { continue };
            let some =
                |t: usize| phrases::is_pupil(text.word(t)) && lists!("with who under whose allergic", text.word(t + 1));
            if part.clone().any(some) {
                continue;
            }
            let people =
                |t: usize| lists!("students pupils children learners student pupil child learner kids", text.word(t));
            let pupils_only = !matches!(text.role, Role::Objective(_) | Role::Title | Role::Assessment)
                && (part.start..at).any(|t| people(t) && !lists("with for by", text.word(t.wrapping_sub(1))));
            let behind = at + 1..part.end;
            let place = if everywhere(text, behind.clone()) { None } else { scopes::place(text, behind) };
            let place = place.unwrap_or_default();
            let pupils_only = pupils_only || scopes::is_for_pupils(text, at + 1..part.end);
            found.extend(things.into_iter().map(|(at, words)| Ban {
                text,
                at,
                words,
                pupils_only,
                place: place.clone(),
            }));
        }
    }
    found
}

/// Whether what a step says at a token holds for all that is made after it, and not for now: "no glue is allowed at all".
fn is_rule_of_a_step(text: &Text, sentence: &Range<usize>, at: usize) -> bool {
    let plain = lists!("allowed permitted banned forbidden prohibited", text.word(at));
    let whole = (sentence.start..sentence.end).any(|t| {
        lists!("anywhere", text.word(t))
            || text.has_at(t, &["at", "all"])
            || lists!("in on of", text.word(t)) && text.word(t + 1) == "any"
    });
    let now = |t: usize| {
        lists!(
            "now yet still first second third this time round turn test trial part stage phase while when during version today",
            text.word(t)
        ) && !(text.word(t) == "part" && text.word(t.wrapping_sub(1)) == "any")
    };
    plain && whole && !sentence.clone().any(now)
}

/// Whether a text of this role may ban something for the whole lesson.
pub(super) fn may_ban(role: Role) -> bool {
    matches!(
        role,
        Role::Safety(_)
            | Role::Objective(_)
            | Role::Title
            | Role::DrivingQuestion
            | Role::Curriculum
            | Role::MaterialNotes(_)
            | Role::Phenomenon
            | Role::Assessment
    )
}

/// Whether a sentence tells when what it bans is allowed, or asks.
pub(super) fn has_exceptions(text: &Text, sentence: &Range<usize>) -> bool {
    sentence.clone().any(|t| {
        lists!(
            "unless except apart until excepted otherwise permission if why first second third round stage phase yet",
            text.word(t)
        ) || text.word(t) == "part" && lists!("one two a b 1 2 three", text.word(t + 1))
    })
}

/// Whether a ban may be read at a word.
fn is_word_of_a_ban(word: &str) -> bool {
    matches!(word, "free" | "not" | "off" | "out" | "ruled" | "no" | "taboo" | "bans" | "prohibits" | "forbids")
        || lists!(BANNED, word)
        || lists!(ALLOWED, word)
        || lists!(USE, word)
}

/// The part of a sentence around a token: what stands between strong signs.
fn part(text: &Text, sentence: &Range<usize>, at: usize) -> Range<usize> {
    let ends = |t: &usize| matches!(text.word(*t), ";" | ":" | "(" | ")" | "–" | "—" | "!" | "." | "but" | "so");
    let start = (sentence.start..at).rev().find(ends).map_or(sentence.start, |t| t + 1);
    start..(at..sentence.end).find(ends).unwrap_or(sentence.end)
}

/// A thing, and where it is named.
pub(super) type Named = (usize, Vec<String>);

/// What the word at a token bans, if it is the word of a ban.
fn said_of(text: &Text, part: &Range<usize>, at: usize) -> Option<Vec<Named>> {
    let word = text.word(at);
    let back = |most: usize| at.saturating_sub(most).max(part.start)..at;
    let denied = |mut range: Range<usize>| range.any(|t| phrases::is_denial(text.word(t)));
    let things = if lists!("forbidden prohibited", word)
        && text.has_at(at + 1, &["to"])
        && lists!("use bring", text.word(at + 2))
    {
        // "It is forbidden to use bleach in this building"
        let it = text.has_at(part.start, &["it", "is"]) && at <= part.start + 3 && !denied(part.start..at);
        it.then(|| after(text, at + 3..part.end))??
    } else if lists!(BANNED, word) {
        match back(4).rev().find(|t| lists!(IS, text.word(*t))) {
            Some(is) if !denied(is..at) => {
                let first = (part.start..is).rev().find(|t| !lists("has have been being", text.word(*t)))? + 1;
                scopes::holds(text, at + 1..part.end).then(|| named(text, part.start..first))?
            }
            None if back(3).any(|t| lists!("has have", text.word(t))) && authority(text, part.start..at) => {
                after(text, at + 1..part.end)?
            }
            _ => return None,
        }
    } else if let Some(end) = verdict(text, at) {
        let is = back(3).rev().find(|t| lists!(IS, text.word(*t)) || lists!("has have", text.word(*t)))?;
        if denied(is..at) || !scopes::holds(text, end..part.end) {
            return None;
        }
        named(text, part.start..is)
    } else if lists!("bans prohibits forbids", word) && authority(text, part.start..at) {
        after(text, at + 1..part.end)?
    } else if lists!(USE, word) && denied(back(2)) && !phrases::is_supposed(text, at) {
        if word == "cover" && !part.clone().any(|t| lists!("insurance insurer", text.word(t))) {
            return None;
        }
        let subject = back(8).rev().find(|t| lists!("we you pupils students nobody", text.word(*t)));
        let order = text.word(part.start) == "do"
            || text.word(part.start) == "never"
            || subject.is_some()
            || authority(text, part.start..at);
        let have = word != "have" || back(3).any(|t| lists!("cannot can't not", text.word(t)));
        (order && have).then(|| after(text, at + 1..part.end))??
    } else if lists!(ALLOWED, word) {
        return denied_of(text, part, at);
    } else if word == "not" {
        scopes::denied_again(text, part, at).map(|subject| named(text, subject))?
    } else if word == "free" {
        return scopes::free_of(text, part, at);
    } else if word == "no" && text.word(at + 1) == "-" {
        // "The deck is a no-glass zone"
        let zone = (at + 3..at + 6).find(|t| {
            lists!("zone area room classroom lab laboratory site school kitchen space building deck", text.word(*t))
        })?;
        let whole = everywhere(text, zone + 1..part.end) && !lists("go fly", text.word(at + 2));
        return whole.then(|| kept(vec![(at + 2, vec![lemma(text.word(at + 2))])]));
    } else if word == "no" && lists!("allows allow permits permit accepts tolerates", text.word(at.wrapping_sub(1))) {
        authority(text, part.start..at).then(|| after(text, at + 1..part.end))??
    } else {
        return None;
    };
    Some(things)
}

/// Where "off limits", "out of bounds", "ruled out" or "no place" ends that begins here.
fn verdict(text: &Text, at: usize) -> Option<usize> {
    const VERDICTS: [&[&str]; 7] = [
        &["off", "limits"],
        &["off", "-", "limits"],
        &["out", "of", "bounds"],
        &["out", "of", "the", "question"],
        &["ruled", "out"],
        &["no", "place"],
        &["taboo"],
    ];
    VERDICTS.iter().find(|words| text.has_at(at, words)).map(|words| at + words.len())
}

/// Whether somebody is named who may ban.
pub(super) fn authority(text: &Text, mut range: Range<usize>) -> bool {
    range.any(|t| {
        lists!(
            "school head headteacher principal district board insurer insurance policy department council academy college we rules permit caretaker technician officer museum park owner",
            text.word(t),
        )
    })
}

/// "X may not be used", "no X is allowed", "nothing containing X may be brought in".
fn denied_of(text: &Text, part: &Range<usize>, at: usize) -> Option<Vec<Named>> {
    let word = text.word(at);
    let next = text.word(at + 1);
    let elsewhere = lists!("added go", word) && !lists!("in into on onto inside", next);
    if elsewhere || lists!("set given", word) && next != "out" || next == "to" && word == "used" {
        return None;
    }
    let begin = at.saturating_sub(14).max(part.start);
    let near = |most: usize| at.saturating_sub(most).max(part.start)..at;
    // "Hooking up cells with no switch is not allowed" bans no switch.
    let determiner = (begin..at).rev().find(|t| {
        lists!("no nothing neither", text.word(*t))
            && !phrases::is_supposed(text, *t)
            && !lists("with has have is are to may can must", text.word(t.wrapping_sub(1)))
    });
    let aux = near(4).find(|t| lists!(MODALS, text.word(*t)) || lists!(IS, text.word(*t)));
    let not = near(4).rev().find(|t| {
        lists!("not never cannot", text.word(*t))
            || text.word(*t).ends_with("n't")
            || text.has_at(*t, &["no", "longer"])
    });
    let subject = match (not, determiner, aux) {
        (Some(not), _, aux) => part.start..aux.filter(|aux| *aux < not).unwrap_or(not),
        (None, Some(no), Some(aux)) if no < aux => {
            if text.word(no) == "nothing" {
                no..aux
            } else {
                no + 1..aux
            }
        }
        _ => return None,
    };
    if subject.is_empty() || (subject.end..at).any(|t| lists!("only always just", text.word(t))) {
        return None;
    }
    let people = (subject.start..subject.end)
        .rev()
        .find(|t| phrases::is_pupil(text.word(*t)) || lists!("nobody you", text.word(*t)));
    if let Some(people) = people {
        // "Students are not allowed to use phones"
        let use_at = (at + 1..part.end.min(at + 4)).find(|t| lists!("use bring have", text.word(*t)));
        let last = people + 1 == subject.end;
        return use_at.filter(|_| last && lists!("allowed permitted", word)).and_then(|t| after(text, t + 1..part.end));
    }
    // "No flowers are taken home" lets them be here.
    let next = text.word(at + 1);
    let placed = (!lists("come enter", word) || lists!("into the in this", next)) && !lists!("home away off", next);
    // "No glue, tape or other sticky stuff": a list with a denial at its head is read from there.
    (placed && scopes::holds(text, at + 1..part.end)).then(|| named(text, subject))
}

/// Whether what follows only says that a ban holds in the whole lesson.
pub(super) fn everywhere(text: &Text, range: Range<usize>) -> bool {
    let end = before_reason(text, range.start, range.end);
    let end = (range.start..end)
        .find(|t| matches!(text.word(*t), "due" | "owing") || text.word(*t) == "," || text.word(*t) == "and")
        .unwrap_or(end);
    (range.start..end).all(|t| {
        lists!(LOOSE, text.word(t))
            || lists!(HERE, text.lemma(t))
            || scopes::is_where_all_work(text, t)
            || lists!(ALLOWED, text.word(t))
            || lists!("be in out or it", text.word(t))
            || text.word(t).ends_with("'s")
            || (t + 1..(t + 3).min(end)).any(|n| lists!(HERE, text.lemma(n))) && !lists(SCOPES, text.word(t))
            || matches!(text.word(t), "-" | "'" | "’")
            || text.tokens.get(t).is_some_and(|token| token.word.starts_with(|c: char| c.is_ascii_digit()))
            || text.word(t.wrapping_sub(1)) == "room"
    })
}

/// The things named in these tokens before a predicate.
pub(super) fn named(text: &Text, range: Range<usize>) -> Vec<Named> {
    let mut start = range.start;
    let commas: Vec<usize> = range.clone().filter(|t| text.word(*t) == ",").collect();
    if let Some(last) = commas.last() {
        let listed = (*last..range.end).any(|t| lists!("and or nor", text.word(t)));
        let leads = lists!("and or nor", text.word(last + 1));
        let item = |from: usize, to: usize| {
            to - from <= 4 && !(from..to).any(|t| lists!(IS, text.word(t)) || lists!(SCOPES, text.word(t)))
        };
        start = last + 1;
        if listed {
            for pair in commas.iter().rev().zip(commas.iter().rev().skip(1).map(|t| t + 1).chain([range.start])) {
                if !item(pair.1, *pair.0) || leads && (pair.1..*pair.0).any(|t| text.word(t) == "only") {
                    break;
                }
                start = pair.1;
            }
        }
    }
    // "The officer ruled that candles may no longer be used"
    if let Some(that) =
        (start + 1..range.end).find(|t| text.word(*t) == "that" && lists!("ruled decided said says", text.word(t - 1)))
    {
        start = that + 1;
    }
    if let Some(no) = (start..range.end).find(|t| text.word(*t) == "no") {
        if text.word(no.wrapping_sub(1)) == "with" {
            return Vec::new();
        }
        start = no + 1;
    }
    let tokens = start..range.end;
    if tokens.len() > 14
        || tokens.clone().any(|t| {
            // "No acid above 1 mol/L" lets weaker acid be.
            lists!(
                "when while if after before without than more less above over stronger larger hotter beyond below",
                text.word(t)
            )
        })
    {
        return Vec::new();
    }
    things(text, tokens)
}

/// The things that follow a verb which bans.
pub(super) fn after(text: &Text, range: Range<usize>) -> Option<Vec<Named>> {
    // "Do not use your own scissors from home" lets those of the school be.
    if range
        .clone()
        .any(|t| text.word(t) == "own" || text.has_at(t, &["from", "home"]) || text.has_at(t, &["at", "home"]))
    {
        return None;
    }
    let end = before_reason(text, range.start, range.end);
    let stop = (range.start..end)
        .find(|t| lists!("in on at from into to for during since anywhere here today", text.word(*t)))
        .unwrap_or(end);
    // "The use of candles"
    let scoped = (range.start..stop)
        .any(|t| lists!("than near to with without while when before after alone only once", text.word(t)));
    let with = (range.start..end).any(|t| lists!("containing with made", text.word(t)));
    if scoped && !with || stop.saturating_sub(range.start) > 9 || !everywhere(text, stop..end) {
        return None;
    }
    Some(things(text, range.start..stop))
}

/// The things that a list of nouns names.
pub(super) fn things(text: &Text, tokens: Range<usize>) -> Vec<Named> {
    let carrier = tokens.clone().find(|t| {
        lists!("containing contain contains made with using having has includes including use uses", text.word(*t))
            && text.word(t.wrapping_sub(1)) != "-"
            && (tokens.start..*t).any(|t| lists!(CARRIERS, text.lemma(t)))
    });
    if let Some(carrier) = carrier {
        let stop = (carrier + 1..tokens.end).find(|t| text.word(*t) == "in").unwrap_or(tokens.end);
        let mut groups = phrases::groups(text, carrier + 1..stop);
        // "Honey and everything made by bees"
        let and = (tokens.start..carrier).rev().find(|t| lists!("and or nor", text.word(*t)));
        if let Some(and) = and.filter(|and| *and > tokens.start && lists!(CARRIERS, text.lemma(and + 1))) {
            groups.extend(phrases::groups(text, tokens.start..and));
        }
        return kept(groups.into_iter().map(|group| (group.tokens.start, group.words)).collect());
    }
    if tokens.clone().any(|t| lists!("that which who whose", text.word(t))) {
        return Vec::new();
    }
    let use_of = tokens.clone().take(3).any(|t| lists!("use using", text.word(t)));
    let groups = phrases::groups(text, tokens.clone());
    let mut found = Vec::new();
    for group in groups {
        let of = group.preposition == "of" && use_of;
        // "Other electric devices are out of the question"
        if text.word(group.tokens.start.wrapping_sub(1)) == "other" {
            continue;
        }
        if !(group.preposition.is_empty() && (!use_of || !lists("use", group.head())) || of) {
            continue;
        }
        let mut words = group.words;
        // "Lead-containing weights" are weights with lead, "solvent-based paints" paints with a solvent.
        words.retain(|word| !lists("containing based using use bearing", word));
        found.push((group.tokens.start, words));
    }
    kept(found)
}

/// Those that can be on a list of things.
pub(super) fn kept(things: Vec<Named>) -> Vec<Named> {
    let read = |(at, words): Named| {
        let mut words = open_flame(words);
        words.retain(|word| !lists("description strictly absolutely therefore such chlorine household domestic", word));
        let general = words.last().is_some_and(|head| lists!(CARRIERS, head));
        if general && words.len() > 1 && kinds::members(&words).is_none() {
            words.pop();
        }
        if words.iter().any(|word| lists!("main mains", word)) {
            words = vec!["mains".to_owned()];
        }
        let head = words.last()?;
        let thing = head.len() > 2
            && words.len() <= 3
            && (!lists(CARRIERS, head) || kinds::has(&words))
            && (!head.ends_with("ing") || lists!("colouring coloring string spring", head))
            && (!lists(NO_THINGS, head) || kinds::has(&words))
            && !words.iter().any(|word| phrases::is_pupil(word));
        thing.then_some((at, words))
    };
    things.into_iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests;
