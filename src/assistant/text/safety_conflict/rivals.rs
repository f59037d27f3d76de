//! Safety rules that rule each other out: gloves that are worn at all times, and gloves that come off whenever a burner is
//! lit; hair that is tied back, and hair that may hang loose.

use std::ops::Range;

use super::super::{Match, conflict};
use super::hazards::{WORN, worn};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};

/// Words of a sentence that says when, where or for whom it holds.
static SCOPED: List = list!(
    "when whenever while during after before once end at for outside over finish finished wash washed leaving step steps \
     inside bin torn new away with part that \
     except unless if until till only lunch break desk corridor then who teacher teacher's last"
);
/// Words of a rule that holds the whole time.
static ALWAYS: List = list!("always throughout exception exceptions entire whole never");

/// The rules about what is worn, each with another that does without it, and those that forbid what another asks for.
pub(super) fn find(lesson: &Lesson) -> Vec<Match> {
    let opposed = super::acts::ruled_out(lesson).into_iter();
    let mut found: Vec<Match> = opposed.map(|(rule, at, other, asked)| told((rule, at), (other, asked))).collect();
    for other in lesson.safety() {
        let Some((without, class, scoped)) = other.sentences().into_iter().find_map(|said| bared(other, &said)) else {
            continue;
        };
        let rival = lesson.safety().filter(|rule| rule.path != other.path).find_map(|rule| {
            rule.sentences().into_iter().find_map(|said| {
                let (at, own) = worn(rule, &said)?;
                (own == class && (is_always(rule, &said) || !scoped && !is_for(rule, &said, at))).then_some((rule, at))
            })
        });
        found.extend(rival.map(|(rule, at)| told((rule, at), (other, without))));
    }
    found
}

fn told((rule, at): (&Text, usize), (other, without): (&Text, usize)) -> Match {
    let (one, two) = (rule.words(&rule.sentence(at)), other.words(&other.sentence(without)));
    let reason = format!("The safety rule says \"{one}\", but another says \"{two}\".");
    conflict("safety_conflict", rule.quote_sentence(at), other.quote_sentence(without), reason)
        .suggesting("Keep one of the two rules, or say when each holds.".to_owned())
}

fn is_always(rule: &Text, sentence: &Range<usize>) -> bool {
    let always = |t: usize| ALWAYS.has(rule.word(t)) || rule.has_at(t, &["all", "times"]);
    let scoped = |t: usize| lists!("when whenever while until till unless except if once", rule.word(t));
    sentence.clone().any(always) && !sentence.clone().any(scoped)
}

/// Whether a rule demands what is worn for one doing or thing: "gloves with the bleach", "goggles to stretch the bands".
fn is_for(rule: &Text, sentence: &Range<usize>, at: usize) -> bool {
    let purpose = |t: usize| rule.word(t) == "to" && !lists!("be stay remain keep wear", rule.word(t + 1));
    sentence.clone().any(|t| lists!("with for near", rule.word(t))) || (at + 1..sentence.end).any(purpose)
}

/// Words with which what is worn comes off when all is over, or elsewhere.
static OVER: List = list!(
    "end finish finished over wash washed rinsed leaving leave outside break lunch desk cleared clean cleaned packed \
     collected tidied away back teacher teacher's says told bin new torn unless except until till only left lab room corridor \
     classroom step steps done stopped complete completed all everyone everybody every stored sealed taped shut closed neutralised neutralized \
     cooled dry"
);

/// What a sentence takes off or does without, and whether it does so only while there is a flame or from some time on.
fn bared(text: &Text, sentence: &Range<usize>) -> Option<(usize, &'static str, bool)> {
    let class = |t: usize| WORN.into_iter().find(|class| lists(class, text.word(t)));
    let at = sentence.clone().find(|t| class(*t).is_some())?;
    let class = class(at)?;
    let (start, end) = (phrases::clause_start(text, at), phrases::clause_end(text, at));
    let has = |words: List| (start..end).any(|t| words.has(text.word(t)));
    let denied = (start..end).any(|t| phrases::is_denial(text.word(t)));
    let off = if lists(class, "hair") {
        has(list!("loose loosely untied unbound")) && has(list!("leave let wear hang may can keep hanging worn"))
    } else {
        // "Take the gloves off inside out" tells how.
        let told = (start..end).any(|t| text.word(t) == "take" && phrases::actor(text, t) == Some(Actor::Reader));
        has(list!("off removed")) && has(list!("take taken takes come comes be removed")) && !told
    };
    let needless = (start..end).any(|t| {
        lists!("needed required necessary compulsory needs", text.word(t)) && phrases::is_denied(text, t)
            || text.has_at(t, &["need", "not", "be", "worn"])
    });
    if !(off && !denied || needless) || phrases::is_question(text, at) {
        return None;
    }
    let hot = sentence.clone().any(|t| lists!("whenever while", text.word(t)))
        && sentence.clone().any(|t| lists!("lit burning flame burner bunsen heating", text.word(t)));
    let scoped =
        sentence.clone().any(|t| SCOPED.has(text.word(t)) || text.word(t).starts_with(|c: char| c.is_ascii_digit()));
    // "Goggles may be taken off once the last liquid has been poured"
    let timed = sentence.clone().any(|t| lists!("once when after", text.word(t)))
        && !sentence.clone().any(|t| OVER.has(text.word(t)));
    (hot || timed || !scoped).then_some((at, class, hot || timed))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn count(one: &str, other: &str) -> usize {
        let content = json!({"safety": [one, "Walk.", other], "steps": [{"text": "Begin."}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_rule_that_does_without_what_another_demands_is_found() {
        for (one, other) in [
            (
                "Protective gloves are worn at all times in this lesson, without exception.",
                "Gloves must be taken off whenever a burner is lit, because they melt onto the skin.",
            ),
            (
                "Long hair has to be tied back before a burner is lit.",
                "In this practical you may leave your hair hanging loose.",
            ),
            (
                "Goggles must be worn throughout.",
                "Eye protection, goggles included, is a good habit. Goggles are not needed in this lesson.",
            ),
            ("Everyone keeps their goggles on.", "You can take your goggles off in this practical."),
            (
                "Goggles must be worn at all times in the laboratory.",
                "Goggles may be taken off once the last liquid has been poured.",
            ),
            ("Pour all used iodine solution down the sink.", "Never pour used iodine solution down the sink."),
            ("Tip the used oil into the sink.", "Do not tip used oil into the sink."),
            ("Wear an apron.", "Aprons are not required today."),
        ] {
            assert_eq!(count(one, other), 1, "{one} / {other}");
        }
    }

    #[test]
    fn a_rule_for_another_time_or_thing_is_passed_over() {
        for (one, other) in [
            ("Goggles are worn throughout.", "Goggles may be taken off once everything has been washed up."),
            ("Goggles are worn at all times.", "Goggles may be taken off only after you have left the laboratory."),
            ("Wear goggles.", "Goggles may be taken off once the acid has been poured."),
            ("Pour acid into water.", "Never pour water into acid."),
            ("Pour the clean water down the sink.", "Never pour iodine solution down the sink."),
            ("Pour oil into the waste jar.", "Never pour oil down the sink."),
            ("Goggles must be worn throughout.", "Goggles may come off at the end."),
            ("Goggles must be worn throughout.", "Gloves are not needed in this lesson."),
            ("Goggles must be worn throughout.", "Goggles must not be taken off."),
            ("Gloves are worn when acid is poured.", "Gloves come off whenever a burner is lit."),
            ("Wear gloves and goggles.", "Take the gloves off inside out."),
            ("Wear gloves with the bleach.", "Gloves are not needed today."),
            ("Put on goggles to stretch the bands.", "Goggles are not necessary."),
            ("Everybody wears goggles.", "Goggles that steam up may be taken off well away from the bench."),
            ("Hair is tied back.", "No hair may hang loose."),
            ("Goggles stay on.", "Take off your goggles only when the teacher says so."),
        ] {
            assert_eq!(count(one, other), 0, "{one} / {other}");
        }
    }
}
