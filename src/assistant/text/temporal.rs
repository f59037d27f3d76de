//! `temporal`: a text that says all is done in one sitting, against a step that waits for another day.

use std::sync::LazyLock;

use regex::Regex;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};

struct Forms {
    /// Says that there is one sitting only.
    claim: Regex,
    /// Takes that back: only a part is done in it.
    part: Regex,
    /// Waits for another day.
    wait: Regex,
    /// The waiting was before the lesson, or is no waiting of this lesson.
    outside: Regex,
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: &str| {
        let compiled = Regex::new(&format!("(?ix-u){pattern}"));
        debug_assert!(compiled.is_ok(), "{compiled:?}");
        compiled.ok()
    };
    Some(Forms {
        claim: read(
            r"\b(?: no\ (?:follow[-\ ]?up|second|further|later|other)\ (?:lessons?|days?|sessions?|class(?:es)?|periods?|visits?|sittings?)
                | (?:in|within|during)\ (?:only\ |just\ |exactly\ )?(?:a\ single|one|this\ one|one\ single|this\ single|the\ one|just\ one|this\ same|the\ same)\ (?:class|lesson|sitting|session|(?:class|lab|lesson|school)\ period|period|visit|practical|afternoon|school\ day|block)
                | (?:in|at)\ one\ (?:go|sitting) | single[-\ ](?:session|lesson|sitting|period)\ (?:lab|lesson|practical|activity|investigation|experiment)
                | one[-\ ](?:day|session|lesson|sitting)\ (?:lesson|lab|activity|practical|investigation|experiment|project|unit)
                | same[-\ ]day\ results? | results?\ (?:\w+\ ){0,3}(?:on\ )?(?:the\ |that\ )?(?:very\ )?same\ (?:day|lesson|session|class)
                | that\ same\ day | (?:over|done|finished|complete[d]?)\ (?:\w+\ ){0,2}(?:by|before)\ the\ (?:final\ |last\ )?bell
                | nothing\ (?:\w+\ ){0,4}(?:overnight|another\ day|until\ tomorrow|next\ (?:day|lesson))
                | (?:do\ not|don't|will\ not|won't|cannot|can't|never)\ (?:\w+\ ){0,3}(?:come\ back|return|go\ back|see|revisit|look\ at)\ (?:\w+\ ){0,4}(?:again|another\ day|next\ (?:day|lesson|week)|tomorrow)
                | (?:finish(?:ed|es)?|complete[sd]?|done|over|ends?|wrapped\ up|concluded?)\ (?:\w+\ ){0,4}(?:today|the\ same\ day|in\ (?:this|the|one|a)\ (?:lesson|class|period|session|sitting|practical)) )\b",
        )?,
        part: read(
            r"\b(?:set\ up|setup|prepar\w+|begin\w*|first|second|each|every|per|part|phase|another\ class|if|unless|except|cannot|not\ (?:be\ )?(?:finish|complete|done|possible)\w*|two|three|several|next|half|instead|rather|impossible|too\ long|hard)\b",
        )?,
        wait: read(
            r"\b(?: overnight | until\ (?:tomorrow|(?:the\ )?(?:next|following)\ \w+|monday|tuesday|wednesday|thursday|friday)
                | (?:till|til)\ (?:tomorrow|(?:the\ )?next\ \w+|monday|tuesday|wednesday|thursday|friday)
                | (?:for|after|wait|within|over|leave\ (?:\w+\ ){1,3})\ ?(?:the\ next\ |about\ |at\ least\ |another\ |a\ further\ )?(?:two|three|four|five|six|seven|ten|fourteen|several|some|a\ few|\d{1,2})\ (?:school\ |more\ |full\ )?(?:days|weeks|nights)
                | (?:for|after|wait)\ (?:a|one|the|another)\ (?:whole\ |full\ )?(?:day|week|night|weekend) | (?:for|after)\ (?:about\ )?(?:24|36|48|72|96)\ ?(?:hours?|hrs?|h)
                | (?:two|three|four|five|six|seven|\d{1,2}|a\ few|several)\ (?:days|weeks)\ (?:later|from\ now) | (?:a|one)\ (?:day|week)\ (?:later|from\ now)
                | (?:the\ )?(?:next|following)\ (?:day|morning|lesson|session|class(?:\ period)?|week|monday|tuesday|wednesday|thursday|friday)
                | tomorrow | (?:every|each)\ day\ (?:for|until|of|at) | (?:once|twice)\ a\ (?:day|week) | on\ (?:day|the)\ (?:two|three|2|3|4|5|6|7|second\ day|third\ day|fifth\ day) | day\ (?:two|three|[2-9])\b )\b",
        )?,
        outside: read(
            r"\b(?:before|beforehand|ago|in\ advance|last|yesterday|already|previous|was|were|had|have\ been|has\ been|nothing|no|not|never|without|don't|won't|homework|at\ home|imagine|suppose|would|could|earth|moon|teacher\ (?:stores|keeps|locks|puts|takes)|next\ class\ finds|predict|think|discuss|bring|ready\ for|tell|read\ about|data\ from|ask|hand\ in|due)\b",
        )?,
    })
});

/// Finds the first step that waits although all is said to be done in one sitting.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some(forms) = FORMS.as_ref() else { return Vec::new() };
    let mut claims = lesson.texts.iter().filter(|text| !matches!(text.role, Role::Term(_) | Role::Definition(_)));
    let claim = claims.find_map(|text| {
        sentence(text, |words| forms.claim.is_match(words) && !forms.part.is_match(words)).map(|at| (text, at))
    });
    let Some((said, said_at)) = claim else { return Vec::new() };
    let wait = lesson.steps().filter(|(_, step)| step.path != said.path).find_map(|(index, step)| {
        sentence(step, |words| {
            forms.wait.is_match(words) && !forms.outside.is_match(words) && !forms.claim.is_match(words)
        })
        .map(|at| (index, step, at))
    });
    let Some((index, step, at)) = wait else { return Vec::new() };
    let reason = format!(
        "All is said to be done in one sitting (\"{}\"), but step {} waits for another day.",
        said.quote(&said_at).quote,
        index + 1
    );
    let found = conflict("temporal", said.quote(&said_at), step.quote(&at), reason);
    vec![found.suggesting("Plan a second sitting, or change the step so that it ends with the lesson.")]
}

/// The tokens of the first sentence that `is`.
fn sentence(text: &Text, is: impl Fn(&str) -> bool) -> Option<std::ops::Range<usize>> {
    text.sentences().into_iter().find(|tokens| is(text.words(tokens)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(claim: &str, step: &str) -> usize {
        let content = json!({"objectives": [claim], "steps": [{"text": "Begin."}, {"text": step}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn waiting_for_another_day_is_found_where_one_sitting_is_all_there_is() {
        for claim in [
            "Collect all data within this one class; there is no second day.",
            "Complete the investigation in a single visit.",
            "There is no follow-up lesson.",
            "As this is a one-day lesson, draw the curve.",
            "The whole thing is over by the bell.",
            "The investigation is finished in one lesson.",
            "We get results on the same day.",
        ] {
            for step in [
                "Leave it overnight.",
                "Count again after three days.",
                "Next week, weigh it again.",
                "Let them dry for 48 hours.",
            ] {
                assert_eq!(found(claim, step), 1, "{claim} {step}");
            }
        }
    }

    #[test]
    fn waiting_before_or_without_such_a_claim_is_not() {
        let claim = "Everything is finished in one lesson.";
        for step in [
            "The beans were soaked overnight.",
            "Nothing is left overnight.",
            "Take the blocks that the teacher froze the day before.",
            "One turn of the Earth is 24 hours.",
            "Predict what happens after three days.",
            "Wait five minutes.",
            "Dies bleibt über Nacht stehen.",
        ] {
            assert_eq!(found(claim, step), 0, "{step}");
        }
        for claim in ["Set up the cups in one lesson.", "If time is short, finish it in one lesson.", "Measure growth."]
        {
            assert_eq!(found(claim, "Leave it overnight."), 0, "{claim}");
        }
    }
}
