//! Bans that are told in a roundabout way: "one of us reacts to nuts, so the room has none", "nothing made of glass goes past
//! the gate", "a boat with tape on it scores nothing", "a walk without torches".

use std::ops::Range;

use super::Ban;
use super::rules::{after, everywhere, has_exceptions, kept, may_ban, named, things};
use crate::assistant::facts::kinds;
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::phrases::{self, lists};

/// A thing, and where it is named.
type Named = (usize, Vec<String>);

/// What is brought along, and so may stay away.
const GADGETS: &str = "torch flashlight headlamp calculator phone ruler tape scissors glue knife thermometer stopwatch timer watch \
    computer laptop tablet map compass microscope telescope scale balance battery string staple pin magnet";
/// Verbs of coming to a place.
const COMES: &str = "come comes go goes enter enters pass passes get gets cross crosses leave leaves";
/// What is built and judged.
const BUILT: &str = "boat raft car plane parachute lander vehicle structure machine kite rocket tower bridge model design entry glider \
    catapult helicopter shelter house dam crane";

/// The things that a text bans in these ways.
pub(super) fn bans<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let mut found = Vec::new();
    if !may_ban(text.role) {
        return found;
    }
    for sentence in text.sentences() {
        let open =
            has_exceptions(text, &sentence) || sentence.clone().any(|t| lists!("optional when while", text.word(t)));
        if open || phrases::is_question(text, sentence.start) && text.role != Role::Title {
            continue;
        }
        for at in sentence.clone() {
            let Some((things, pupils_only)) = said_of(text, &sentence, at) else { continue };
            found.extend(kept(things).into_iter().map(|(at, words)| Ban { text, at, words, pupils_only }));
        }
    }
    found
}

fn said_of(text: &Text, sentence: &Range<usize>, at: usize) -> Option<(Vec<Named>, bool)> {
    let (start, end) = (phrases::clause_start(text, at), phrases::clause_end(text, at));
    let all = |things: Vec<Named>| Some((things, false));
    let judged = matches!(text.role, Role::Assessment | Role::Safety(_) | Role::Objective(_) | Role::DrivingQuestion);
    match text.word(at) {
        "none" => all(none(text, sentence, at)?),
        "without" => all(left_out(text, sentence, at)?),
        "no" if text.word(at.wrapping_sub(1)) == "with" => all(left_out(text, sentence, at)?),
        "no" if phrases::verb(text.word(at.wrapping_sub(1)), &["tolerate", "permit", "accept", "allow", "want"])
            .is_some()
            && at > start + 1 =>
        {
            all(after(text, at + 1..end)?)
        }
        "nothing" => all(nothing(text, at, end)?),
        "leave" if at == start || text.word(start) == "please" => all(left_behind(text, at, end)?),
        "forbid" | "forbids" | "prohibit" | "prohibits" | "outlaw" | "outlaws" | "bars" | "disallow" | "disallows"
            if at > start && !(start..at).any(|t| phrases::is_denial(text.word(t))) =>
        {
            all(after(text, at + 1..end)?)
        }
        // "The syllabus does not let us use live vertebrates"
        "let" | "allow" | "permit" if phrases::is_denial(text.word(at.wrapping_sub(1))) && at > start + 2 => {
            let verb = (at + 1..end.min(at + 5))
                .find(|t| lists!("use bring have take keep handle light burn", text.word(*t)))?;
            all(after(text, verb + 1..end)?)
        }
        "scores" | "score" | "earns" | "gets" | "disqualified" | "void" | "rejected" | "loses" if judged => {
            all(scores_nothing(text, start..end, at)?)
        }
        // "Mercury thermometers were withdrawn from our schools"
        "withdrawn" | "retired" | "recalled" | "outlawed" | "banned" => {
            let were = (at.saturating_sub(3).max(start)..at).find(|t| lists!("was were got been", text.word(*t)))?;
            let has = were > start && lists!("have has had", text.word(were - 1));
            let subject = start..if has { were - 1 } else { were };
            let denied = (start..at).any(|t| phrases::is_denial(text.word(t)));
            (!denied && everywhere(text, at + 1..end) && text.role != Role::Phenomenon)
                .then(|| all(named(text, subject)))?
        }
        // "With electric plates, not with gas"
        "not" if at == start && at + 2 <= end && lists!("with by", text.word(at + 1)) => {
            let means = (sentence.start..at).any(|t| lists!("with by using use", text.word(t)))
                && (sentence.start..at).any(|t| lists!("may must can only heat work measure cut", text.word(t)));
            means.then(|| after(text, at + 2..end)).flatten().map(|things| (things, false))
        }
        // "Any blade is off the table"
        "off" if lists!("is are", text.word(at.wrapping_sub(1))) && text.word(at + 1) == "the" => {
            let gone = lists!("table cards menu list agenda", text.word(at + 2));
            (gone && at > start + 1 && everywhere(text, at + 3..end)).then(|| all(things(text, start..at - 1)))?
        }
        // "School policy: single-use plastic is out"
        "out" if lists!("is are", text.word(at.wrapping_sub(1))) && at + 1 == end => {
            let led = text.word(start.wrapping_sub(1)) == ":"
                && (sentence.start..start)
                    .any(|t| lists!("policy rule rules school district house department", text.word(t)));
            let short = at > start + 1 && at - start <= 6;
            let named = |t: usize| !lists("the your this that it they", text.word(t));
            (led && short && named(start)).then(|| {
                let last = at - 2;
                all(vec![(last, vec![text.lemma(last).to_owned()])])
            })?
        }
        "handle" | "handles" | "touch" | "touches" | "use" | "uses" | "light" | "lights" | "operate" | "operates" => {
            let nobody = (start..at).find(|t| {
                lists!("nobody", text.word(*t))
                    || text.has_at(*t, &["no", "one"])
                    || text.word(*t) == "no" && phrases::is_pupil(text.word(t + 1))
                    || text.has_at(*t, &["none", "of", "you"])
            })?;
            let near = at - nobody <= 5 && !(nobody..at).any(|t| lists!("who with", text.word(t)));
            near.then(|| after(text, at + 1..end)).flatten().map(|things| (things, true))
        }
        // "We do not need them and will not use them"
        "them" | "it" if at + 1 == end && phrases::is_form_of(text.word(at.wrapping_sub(1)), "use") => {
            let will = lists!("will shall do does", text.word(at.wrapping_sub(3)));
            let denied = phrases::is_denial(text.word(at.wrapping_sub(2)));
            let we = (sentence.start..at).any(|t| lists!("we nobody", text.word(t)));
            let before = if (sentence.start..at).any(|t| text.word(t) == ",") || start > sentence.start {
                sentence.start..start
            } else {
                let last = sentence.start.checked_sub(1)?;
                text.sentence(last)
            };
            // "Thermometers with mercury" are not all thermometers.
            let some = before.clone().any(|t| lists!("with of containing that which", text.word(t)));
            (will && denied && we && !some && !before.is_empty()).then(|| all(any(text, before)))?
        }
        _ => None,
    }
}

/// Everything that tokens name.
fn any(text: &Text, tokens: Range<usize>) -> Vec<Named> {
    const SAID: &str = "need today set off bring work please allergic leave";
    let verb = |t: &usize| lists!("is are was were has have carry carries react reacts do does", text.word(*t));
    let ends = tokens.clone().filter(verb).chain([tokens.end]);
    let mut start = tokens.start;
    let mut found = Vec::new();
    for end in ends {
        for mut group in phrases::groups(text, start..end) {
            group.words.retain(|word| !lists(SAID, word));
            found.push((group.tokens.end.saturating_sub(1), group.words));
        }
        start = end + 1;
    }
    found.retain(|(_, words)| !words.is_empty());
    found
}

/// "Two of us react to nuts, so the room has none", "hence none are to be sprayed".
fn none(text: &Text, sentence: &Range<usize>, at: usize) -> Option<Vec<Named>> {
    let has = lists!("has have holds contains", text.word(at.wrapping_sub(1)))
        && (sentence.start..at)
            .any(|t| lists!("room class lab school kitchen building classroom we house", text.word(t)))
        && at + 1 == phrases::clause_end(text, at);
    let used = lists!("is are may will", text.word(at + 1))
        && (at + 2..at + 6).any(|t| lists!("used sprayed brought lit allowed permitted kept opened", text.word(t)));
    let so = (sentence.start..at).rev().find(|t| lists!("so hence therefore thus ,", text.word(*t)))?;
    let so = if text.word(so.wrapping_sub(1)) == "," { so - 1 } else { so };
    ((has || used) && so > sentence.start).then(|| any(text, sentence.start..so))
}

/// "A night walk without torches", "with no ruler or tape", "so we do this without them".
fn left_out(text: &Text, sentence: &Range<usize>, at: usize) -> Option<Vec<Named>> {
    let end = phrases::clause_end(text, at);
    if lists!("them it any", text.word(at + 1)) && at + 2 >= end {
        let we = (phrases::clause_start(text, at)..at).any(|t| lists!("we you everyone class", text.word(t)));
        let works = (phrases::clause_start(text, at)..at).any(|t| lists!("do work manage cope go", text.word(t)));
        let so = (sentence.start..at).rev().find(|t| lists!("so hence therefore", text.word(*t)))?;
        return (we && works && so > sentence.start).then(|| any(text, sentence.start..so));
    }
    let told = text.role == Role::Title;
    let mut things = if told { things(text, at + 1..end) } else { Vec::new() };
    things.retain(|(_, words)| words.last().is_some_and(|head| lists!(GADGETS, head)) && words.len() < 3);
    Some(things)
}

/// "Nothing made of glass goes past the gate", "nothing with glitter in it comes into the hall".
fn nothing(text: &Text, at: usize, end: usize) -> Option<Vec<Named>> {
    // "Nothing plastic goes into the wood"
    let kind = vec![text.lemma(at + 1).to_owned()];
    let goes = lists!(COMES, text.word(at + 2)) && lists!("into in", text.word(at + 3)) && at + 4 < end;
    if goes && kinds::members(&kind).is_some() && everywhere(text, at + 3..end) {
        return Some(vec![(at + 1, kind)]);
    }
    let of = (at + 1..end.min(at + 5)).find(|t| lists!("of with containing holding", text.word(*t)))?;
    let verb = (of + 2..end)
        .find(|t| lists!(COMES, text.word(*t)) || lists!("brought taken allowed permitted welcome", text.word(*t)))?;
    let into = !lists(COMES, text.word(verb))
        || lists!("into in past through beyond inside aboard the this our here", text.word(verb + 1));
    let scoped = (verb + 1..end).any(|t| {
        lists!("near over under without above mouth mouths sink drain bin hands water fire eyes", text.word(t))
    });
    let stop = (of + 1..verb).find(|t| lists!("in is are may can will must", text.word(*t))).unwrap_or(verb);
    (into && !scoped && stop > of + 1).then(|| things(text, of + 1..stop))
}

/// "Leave calculators in your bags", "leave your phones with the office".
fn left_behind(text: &Text, at: usize, end: usize) -> Option<Vec<Named>> {
    let place = (at + 2..end.min(at + 8)).find(|t| {
        text.has_at(*t, &["in", "your", "bags"])
            || text.has_at(*t, &["in", "your", "bag"])
            || text.has_at(*t, &["in", "your", "lockers"])
            || text.has_at(*t, &["in", "your", "locker"])
            || text.has_at(*t, &["in", "the", "cloakroom"])
            || text.has_at(*t, &["in", "the", "car"])
            || text.has_at(*t, &["with", "the", "office"])
            || text.has_at(*t, &["at", "reception"])
            || text.has_at(*t, &["at", "the", "office"])
            || lists!("behind outside", text.word(*t)) && t + 1 == end
    })?;
    Some(things(text, at + 1..place))
}

/// "A boat with any sort of tape on it scores nothing"
fn scores_nothing(text: &Text, clause: Range<usize>, at: usize) -> Option<Vec<Named>> {
    let verdict = lists!("nothing zero", text.word(at + 1))
        || text.has_at(at + 1, &["no", "points"])
        || text.has_at(at + 1, &["no", "marks"])
        || text.has_at(at + 1, &["all", "points"])
        || lists!("disqualified void rejected", text.word(at)) && lists!("is are be", text.word(at.wrapping_sub(1)));
    let with = (clause.start..at).find(|t| lists!("with using containing", text.word(*t)))?;
    let built = (clause.start..with).any(|t| lists!(BUILT, text.lemma(t)));
    let denied = (clause.start..at)
        .any(|t| phrases::is_denial(text.word(t)) || lists!("less more than fewer over under", text.word(t)));
    (verdict && built && !denied).then(|| any(text, with + 1..at))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn count(field: &str, rule: &str, material: &str, step: &str) -> usize {
        let mut content = json!({"materials": [{"name": material}], "steps": [{"text": step}]});
        content[field] = if matches!(field, "safety" | "objectives") { json!([rule]) } else { json!(rule) };
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_ban_told_in_a_roundabout_way_is_found() {
        let mut wrong = Vec::new();
        for (field, rule, material, step) in [
            ("safety", "Two of us carry a pen for nuts, so the room has none.", "chopped hazelnuts", ""),
            ("safety", "The hall asks that nothing with glitter in it comes into the hall.", "pot of glitter", ""),
            ("objectives", "Be good guests: nothing made of glass goes past the gate", "glass jam jar with lid", ""),
            ("phenomenon", "School policy: single-use plastic is out.", "plastic straws", ""),
            ("objectives", "Leave calculators in your bags.", "", "Work out the means with your calculator."),
            ("safety", "Fire regulations forbid candles in the marquee.", "tea lights", ""),
            ("assessment", "A boat with any tape on it scores nothing.", "", "Seal the seams with tape."),
            ("safety", "We do not need phones today. We will not use them.", "phone", ""),
            ("curriculum", "The syllabus does not let us use live vertebrates.", "goldfish", ""),
            ("title", "A night walk without torches", "torch", ""),
            ("safety", "Nobody may handle a scalpel in Year 5.", "", "Slice the lily open with the scalpel."),
            ("safety", "Mercury thermometers were withdrawn from our schools.", "mercury thermometer", ""),
            ("safety", "Nothing plastic goes into the wood.", "roll of bin bags", ""),
            ("safety", "The landlord tolerates no candles.", "candle stubs", ""),
            ("safety", "Eggs are a problem for Mia, so we do this without them.", "eggs", ""),
            ("safety", "We may heat with electric plates, not with gas.", "gas burner", ""),
            ("safety", "Any blade is off the table for this age group.", "craft knife", ""),
        ] {
            if count(field, rule, material, step) != 1 {
                wrong.push(rule);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn what_only_sounds_like_it_is_not() {
        let mut wrong = Vec::new();
        for (field, rule, material, step) in [
            ("safety", "Rinse the salt off, so none is left.", "salt", ""),
            ("safety", "Nothing with a plug goes near the water.", "plug", ""),
            ("safety", "Nothing of the salt goes into the sink.", "salt", ""),
            ("assessment", "A boat with tape scores one point less.", "tape", ""),
            ("assessment", "A boat with no sail scores nothing.", "sail", ""),
            ("title", "Growing cress without soil", "soil", ""),
            ("safety", "Nobody may handle a scalpel without a board.", "", "Slice it with the scalpel."),
            ("safety", "Leave the beakers outside the cupboard.", "beaker", ""),
            ("phenomenon", "Mercury thermometers were banned in 2008.", "mercury thermometer", ""),
            ("safety", "The light is off the table.", "light", ""),
            ("objectives", "Say why a plant without a leaf dies", "leaf", ""),
            ("safety", "The bulb is out.", "bulb", ""),
            ("safety", "Wipe it dry, not with the sponge alone.", "sponge", ""),
            ("safety", "A hot tube looks like a cold one: do not use it.", "tube", ""),
        ] {
            if count(field, rule, material, step) != 0 {
                wrong.push(rule);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
