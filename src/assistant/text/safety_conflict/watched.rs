//! What somebody must watch, and what nobody does alone: "a lit burner is never left unattended", and a burner that is left
//! alight while both partners fetch the next salt.

use std::cell::LazyCell;
use std::ops::Range;

use super::deeds::order;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// What burns or is hot.
const HOT: &str = "burner bunsen flame candle fire stove hotplate tealight hob campfire";
/// Verbs of going away, and those of fetching.
const GOES: &[&str] = &["go", "walk", "head", "step", "hurry"];
const FETCHES: &[&str] = &["fetch", "borrow"];
/// So many rules are heeded: more are no lesson's.
const MOST_RULES: usize = 64;
/// Where nobody sees the flame any more.
static AFAR: List = list!(
    "outside outdoors corridor hall hallway yard playground library canteen garden room lunch break home away upstairs \
     downstairs office lobby gym"
);
/// Words of a sentence in which somebody stays, or the flame goes out.
static WATCHED: List = list!(
    "watch watches watching stay stays staying remain remains extinguish extinguished unlit shut teacher technician adult \
     never not don't nobody unattended takes"
);

/// The rule and its token, the index of the step, the step and its token.
type Broken<'l, 'c> = (&'l Text<'c>, usize, usize, &'l Text<'c>, usize);

/// The rules about what is watched and what is done by two, each with the first step that breaks it.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let mut found = Vec::new();
    let gone = LazyCell::new(|| lesson.steps().find_map(|(index, step)| Some((index, step, left(step)?))));
    for rule in lesson.safety().take(MOST_RULES) {
        for sentence in rule.sentences() {
            let free = sentence.clone().any(|t| lists!("unless except may can if until", rule.word(t)));
            if free || phrases::is_question(rule, sentence.start) {
                continue;
            }
            if let Some(at) = watched(rule, &sentence) {
                found.extend(gone.map(|(index, step, done)| (rule, at, index, step, done)));
            }
            if let Some(at) = in_company(rule, &sentence) {
                let alone = |(index, step)| Some((rule, at, index, step, goes_alone(rule, &sentence, step)?));
                found.extend(lesson.steps().find_map(alone));
            }
        }
    }
    found
}

/// "Never leave a burning candle unattended", "a flame must not be left alone", "stay with your burner at all times".
fn watched(rule: &Text, sentence: &Range<usize>) -> Option<usize> {
    let has = |words: List| sentence.clone().any(|t| words.has(rule.word(t)));
    let hot = sentence.clone().any(|t| is_hot(rule, t));
    let denied = sentence.clone().any(|t| phrases::is_denial(rule.word(t)));
    let at = sentence.clone().find(|t| {
        let alone = rule.word(*t) == "alone" && has(list!("leave left leaves"));
        let never = (lists!("unattended unwatched unsupervised", rule.word(*t)) || alone) && denied;
        let always = phrases::verb(rule.word(*t), &["stay", "remain"]).is_some()
            && lists!("with by beside", rule.word(t + 1))
            && has(list!("always times throughout"));
        never || always
    })?;
    hot.then_some(at)
}

fn is_hot(text: &Text, at: usize) -> bool {
    lists!(HOT, text.lemma(at)) || text.has_at(at, &["hot", "plate"])
}

/// "Leave the burner alight while you both go for the next salt", "let the candle burn and go outside".
fn left(step: &Text) -> Option<usize> {
    step.sentences().into_iter().find_map(|sentence| {
        let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
        // "One of you goes", "turn it off and go"
        let other = has(list!("one partner friend neighbour neighbor classmate member"))
            && !sentence.clone().any(|t| step.has_at(t, &["with", "your"]));
        let one = other && !has(list!("both all together"));
        let off = sentence.clone().any(|t| {
            step.word(t) == "off"
                && lists!("turn switch turned switched it burner gas flame", step.word(t.wrapping_sub(1)))
                || step.word(t) == "out" && lists!("blow put it flame candle blown", step.word(t.wrapping_sub(1)))
        });
        if one || off || has(WATCHED) || phrases::is_question(step, sentence.start) {
            return None;
        }
        let hot = |range: Range<usize>| range.into_iter().any(|t| is_hot(step, t));
        let burns = |range: Range<usize>| {
            range.into_iter().any(|t| {
                lists!(
                    "lit alight burning on running boiling heating simmering going burn boil simmer heat warm",
                    step.word(t)
                )
            })
        };
        let kept = sentence.clone().find(|t| {
            let end = sentence.end.min(t + 8);
            phrases::verb(step.word(*t), &["leave", "let", "keep"]).is_some()
                && order(step, *t).is_some()
                && hot(t + 1..end)
                && burns(t + 1..end)
        });
        let meanwhile = sentence.clone().find(|t| {
            lists!("while as", step.word(*t))
                && (t + 1..sentence.end.min(t + 7))
                    .any(|t| phrases::verb(step.word(t), &["heat", "boil", "burn", "warm", "simmer", "melt"]).is_some())
        });
        let does = |t: usize| {
            order(step, t).is_some()
                || lists!("you both all we together everyone everybody", step.word(t.wrapping_sub(1)))
        };
        let goes = |t: usize| {
            let end = phrases::clause_end(step, t);
            phrases::verb(step.word(t), GOES).is_some()
                && step.word(t + 1) != "on"
                && does(t)
                && (t + 1..end.min(t + 4)).any(|t| {
                    lists!("to into over across outside outdoors out away next upstairs downstairs", step.word(t))
                })
        };
        let fetches = |t: usize| phrases::verb(step.word(t), FETCHES).is_some() && does(t);
        let afar = |t: usize| (t + 1..phrases::clause_end(step, t)).any(|t| AFAR.has(step.word(t)));
        match (kept, meanwhile) {
            (Some(kept), _) => sentence.clone().find(|t| *t > kept && (goes(*t) || fetches(*t))),
            (None, Some(_)) => sentence.clone().find(|t| goes(*t) && afar(*t)),
            _ => None,
        }
    })
}

/// "Nobody works alone at the bank", "never go to the pond on your own".
fn in_company(rule: &Text, sentence: &Range<usize>) -> Option<usize> {
    let denied = sentence.clone().any(|t| lists!("nobody never not no", rule.word(t)));
    let goes = |t: usize| {
        phrases::verb(rule.word(t), &["go", "work", "walk", "wade", "enter", "stand", "climb", "be", "stay", "leave"])
            .is_some()
    };
    let at = sentence.clone().find(|t| is_alone(rule, *t) && (sentence.start..*t).any(goes))?;
    let left = sentence.clone().any(|t| lists!("leave left", rule.word(t)) && !lists!("group class", rule.word(t + 2)));
    (denied && !left).then_some(at)
}

fn is_alone(text: &Text, at: usize) -> bool {
    text.word(at) == "alone"
        || text.word(at) == "own"
            && text.word(at.wrapping_sub(2)) == "on"
            && lists!("your their his her", text.word(at.wrapping_sub(1)))
        || lists!("yourself himself herself themselves", text.word(at)) && text.word(at.wrapping_sub(1)) == "by"
}

/// Whether a step sends somebody alone where the rule lets nobody go alone.
fn goes_alone(rule: &Text, sentence: &Range<usize>, step: &Text) -> Option<usize> {
    let places: Vec<String> = phrases::groups(rule, sentence.clone())
        .into_iter()
        .filter(|group| lists!("at in into to near by on along", &group.preposition))
        .map(|group| group.head().to_owned())
        .filter(|head| !lists!("own lab room classroom laboratory lesson time", head))
        .collect();
    let there = |text: &Text| text.tokens.iter().any(|token| places.contains(&token.lemma));
    (0..step.tokens.len()).find(|at| {
        let said = step.sentence(*at);
        let goes = (said.start..*at).any(|t| {
            // "Work on your own to answer the questions" goes nowhere.
            let goes = ["go", "walk", "wade", "climb", "enter", "send", "run", "cross"];
            let does = ["work", "stand"];
            (phrases::verb(step.word(t), &goes).is_some()
                || !places.is_empty() && phrases::verb(step.word(t), &does).is_some())
                && (order(step, t).is_some() || (said.start..t).any(|t| phrases::is_pupil(step.word(t))))
        });
        is_alone(step, *at)
            && goes
            && (places.is_empty() || there(step))
            && !said.clone().any(|t| phrases::is_denial(step.word(t)) || phrases::is_teacher(step, t))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn what_is_left_alone_and_who_goes_alone_is_found() {
        let mut missed = Vec::new();
        for (rule, step) in [
            (
                "A lit burner must never be left unattended.",
                "Leave the burner alight on the bench while you both go to the front desk for the next salt.",
            ),
            (
                "A lit burner is never left unattended.",
                "Leave the burner alight and go over to the fume cupboard with your partner to fetch the unknown salt.",
            ),
            ("Never leave a flame unattended.", "Leave the burner on while you fetch the next sample."),
            ("Do not leave a candle unsupervised.", "Let the candle burn and go outside to read the thermometer."),
            ("Never leave a hot plate unattended.", "While the water heats on the hot plate, go to the computer room."),
            ("Stay with your burner at all times.", "Keep the flame burning and walk over to the next group."),
            (
                "Nobody works alone at the riverbank.",
                "One student goes alone to the riverbank and collects the sample.",
            ),
            ("Never go to the pond on your own.", "Walk to the pond by yourself and fill the jar."),
        ] {
            if count(rule, &[step]) != 1 {
                missed.push(step);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_is_watched_or_put_out_is_passed_over() {
        let mut wrong = Vec::new();
        for (rule, step) in [
            ("A lit burner must never be left unattended.", "Turn the burner off while you both fetch the next salt."),
            ("A lit burner must never be left unattended.", "Leave the burner alight; one of you fetches the salt."),
            ("Never leave a flame unattended.", "While the water heats, draw a table in your notebook."),
            ("Never leave a flame unattended.", "Leave the burner on until the water boils."),
            ("Never leave a flame unattended.", "Leave the burner on low, then let your partner fetch the beaker."),
            ("Never leave a candle unattended.", "Let the candle burn for two minutes and go on to the next reading."),
            (
                "Never leave a lit burner unattended.",
                "Keep the burner on a blue flame and collect the gas in the tube.",
            ),
            ("Never leave a candle unattended.", "Let the candle burn for two minutes, then leave it to cool."),
            ("Never leave a burner unattended.", "Keep the burner on and move the loop through the flame."),
            ("Never work alone in the laboratory.", "Work on your own to answer questions 1 to 3."),
            ("Never leave a candle unattended.", "Let the candle burn down while you get your notebook ready."),
            ("Never leave a flame unattended.", "Leave the lamp on overnight and return to the plant the next day."),
            (
                "Never leave a flame unattended.",
                "Let the candle burn and watch it while your partner goes for the jar.",
            ),
            ("Never leave your bags unattended.", "Leave the lamp on and go to the next station."),
            ("Nobody works alone at the riverbank.", "Work alone on the questions on the sheet."),
            ("Nobody works alone at the riverbank.", "Walk to the riverbank with your partner."),
        ] {
            if count(rule, &[step]) != 0 {
                wrong.push(step);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
