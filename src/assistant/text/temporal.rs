//! `temporal`: a text that says all is done in one sitting, against a step that waits for another day.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};

/// What a class meets for.
const SITTING: &str = r"(?:class(?:es)?|lessons?|sittings?|sessions?|periods?|visits?|practicals?|meetings?|workshops?|blocks?|labs?|trips?
    |get-togethers?|appointments?|slots?|occasions?|encounters?)";
const PERIOD: &str =
    r"(?:class\ |lab\ |lesson\ |school\ |science\ |practical\ |double\ |short\ |teaching\ |[\w-]+[-\ ]minute\ )?";
const COUNT: &str = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|several|some|a\ few|a\ couple\ of|\d{1,2})";
const WEEKDAY: &str = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?";

struct Forms {
    /// Says that there is one sitting only.
    claim: Regex,
    /// Takes that back: only a part is done in it.
    part: Regex,
    /// Waits for another day.
    wait: Regex,
    /// The waiting was before the lesson, or is not done.
    outside: Regex,
    /// The sentence is about waiting elsewhere, or in thought.
    elsewhere: Regex,
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: String| {
        let compiled = Regex::new(&format!("(?ix-u){pattern}"));
        debug_assert!(compiled.is_ok(), "{compiled:?}");
        compiled.ok()
    };
    Some(Forms {
        claim: read(format!(
            r"\b(?: no\ (?:follow[-\ ]?up|second|further|later|other|return|repeat|more|subsequent|additional|next)\ {PERIOD}(?:{SITTING}|days?|dates?)
                | (?:in|within|during|inside|into|over)\ (?:only\ |just\ |exactly\ )?(?:a\ single|one\ and\ the\ same|one\ single|this\ one|this\ single|the\ one|one|the\ same|this\ same|a\ one-off|our\ one|our\ single|your\ one)\ {PERIOD}(?:{SITTING}|afternoon|school\ day)
                | (?:only|just|but|with\ this|with\ the)\ (?:this\ |the\ |a\ )?(?:one|single)\ {PERIOD}(?:{SITTING}|day|afternoon|morning)
                | (?:whole|entire|everything|all|finish\w*|complet\w*|collect\w*|done|do|fits?|start\w*|from\ \w+\ to\ \w+)\ (?:[\w'-]+\ ){{0,8}}(?:in|on|within|inside|of)\ (?:just\ |only\ )?(?:a\ single|one|one\ single|the\ same|one\ and\ the\ same)\ (?:day|morning|go)
                | (?:in|at)\ one\ (?:go|sitting|stretch)
                | (?:one|single)[-\ ](?:day|session|lesson|sitting|period|visit|off|time|shot)\ {PERIOD}(?:{SITTING}|activity|investigation|experiment|project|unit|event|affair|job)
                | only\ (?:have|get|got)\ today | today\ only | only\ (?:\w+\ ){{0,3}}for\ (?:one|a\ single)\ (?:day|{SITTING}) | no\ (?:time|lesson|chance|room|meeting)\ (?:\w+\ )?(?:on|for|at|in)\ (?:another|a\ later|a\ second)
                | same[-\ ]day\ (?:results?|experiment|investigation|activity|lab) | results?\ (?:\w+\ ){{0,3}}(?:on\ )?(?:the\ |that\ )?(?:very\ )?same\ (?:day|lesson|session|class)
                | that\ same\ day | (?:over|done|finished|completed?|through)\ (?:\w+\ ){{0,3}}(?:by|before|when|at)\ the\ (?:final\ |last\ |lunch\ |closing\ )?bell
                | nothing\ (?:\w+\ ){{0,5}}(?:overnight|another\ day|tomorrow|next\ (?:day|lesson|time|week)|the\ following\ \w+)
                | (?:not|cannot|never|\w+n(?:'|’)t|nor)\ (?:\w+\ ){{0,3}}(?:come\ back|return|go\ back|see|revisit|look\ at|meet|be\ back|touch|visit|continue|pick)\ (?:[\w'-]+\ ){{0,7}}(?:again|another\ (?:day|time)|next\ (?:day|lesson|week|time)|tomorrow|later|afterwards)
                | (?:not|cannot|never|\w+n(?:'|’)t)\ (?:\w+\ ){{0,2}}(?:run|go|spill|stretch|carry|spread|extend|continue)\ (?:\w+\ )?(?:over\ |on\ )?(?:in)?to\ (?:a\ (?:second|further|next)|another|the\ next|tomorrow)
                | (?:finish(?:ed|es)?|complete[sd]?|done|over|ends?|wrapped\ up|concluded?)\ (?:\w+\ ){{0,4}}(?:today|the\ same\ day|(?:in|within|during)\ (?:this|the|one|a)\ {PERIOD}{SITTING})
                | (?:everything|all\ (?:the\ |of\ the\ |of\ it\ |our\ |your\ |their\ )?(?:data|results|readings|measurements|work|counts?|parts|it)?|(?:whole|entire)\ \w+|final\ \w+|investigation|experiment)\ (?:[\w'-]+\ ){{0,8}}(?:today|(?:by|before)\ the\ (?:end\ of\ (?:the\ |this\ )?{PERIOD}{SITTING}|bell)|before\ (?:you|we|they|students|pupils|anyone)\ (?:leave|go|pack)\w*|before\ (?:the\ |this\ )?{PERIOD}{SITTING}\ (?:is\ over|ends|finishes|is\ out)|(?:in|within|during)\ (?:this|today(?:'|’)s|the)\ {PERIOD}{SITTING}|(?:within|inside)\ (?:the|an|one)\ hour)
                | results\ (?:\w+\ ){{0,4}}before\ (?:the\ |this\ )?{PERIOD}{SITTING}\ (?:is\ over|ends|finishes|is\ out) )\b"
        ))?,
        part: read(
            r"\b(?:set(?:s|ting)?\ up|setup|prepar\w+|begin\w*|(?:the|our|your)\ (?:first|second|third)|each|every|per|part|phase|in\ another\ (?:class|lesson|session)|set-up|if|unless|except|(?:cannot|can(?:'|’)t)\ (?:\w+\ )?(?:be\ )?(?:finish|complet|done|do|fit)\w*|ticket|quiz|sheets?|tables?|charts?|worksheets?|not\ (?:be\ )?(?:finish|complete|done|possible|enough|fit|all)\w*|more\ than|at\ least|not\ (?:\w+\ ){0,3}in\ |not\ just|not\ only|two|three|several|half|instead|rather|impossible|too\ (?:long|much|short)|hard|difficult|one\ (?:lesson|session|class|period|visit)\ (?:later|a|per|each|before|after|plus|to)|homework|prediction|plan)\b".to_owned(),
        )?,
        wait: read(format!(
            r"\b(?: overnight | (?:until|till|til|by|on|come)\ (?:the\ )?(?:next\ |following\ )?(?:{WEEKDAY}|tomorrow)
                | (?:until|till|til)\ (?:the\ )?(?:next|following)\ \w+
                | (?:for|after|wait|within|over|leave\ (?:\w+\ ){{1,3}}|lasts?|takes?|give\ (?:\w+\ ){{1,3}})\ ?(?:the\ (?:next|following|coming)\ |about\ |around\ |roughly\ |at\ least\ |another\ |a\ further\ |up\ to\ |just\ |exactly\ |the\ )?{COUNT}(?:\ (?:to|or)\ \w+)?\ (?:school\ |more\ |full\ |whole\ |further\ |long\ )?(?:days|weeks|nights|weekends|months)
                | (?:for|after|wait)\ (?:about\ )?(?:a|one|the|another)\ (?:whole\ |full\ )?(?:day|week|night|weekend|fortnight|month) | over\ (?:the|a)\ (?:weekend|night|week|holidays?|break)
                | (?:for|after|wait|in)\ (?:about\ |another\ |at\ least\ )?(?:24|36|48|72|96|twenty-four|forty-eight)\ ?(?:hours?|hrs?|h)
                | {COUNT}\ (?:days?|weeks?|nights?)\ (?:later|from\ now|pass(?:es)?|have\ passed|go(?:es)?\ by|afterwards?|on)
                | in\ {COUNT}\ (?:days?|weeks?)(?:(?:'|’)\ time)?,? \ (?:count|measure|weigh|check|look|return|come|we|you|they|see|compare|open|take)
                | (?:the\ )?(?:next|following)\ (?:day|morning|lesson|session|class(?:\ period)?|week|{WEEKDAY})
                | tomorrow | (?:every|each)\ (?:day|morning)\ (?:for|until|of|at|this|that|over) | (?:once|twice)\ a\ (?:day|week) | on\ (?:day|the)\ (?:two|three|2|3|4|5|6|7|8|9|10|14|second\ day|third\ day|fourth\ day|fifth\ day|seventh\ day) | day\ (?:two|three|four|five|seven|[2-9])
                | (?:water|check|count|measur|record|weigh|observ|look\ at|photograph|draw|feed|turn|mist|inspect|sketch|not)\w*\ (?:[\w'-]+\ ){{0,5}}(?:daily|every\ (?:other\ |second\ |single\ )?(?:day|morning)|each\ (?:day|morning)) )\b"
        ))?,
        outside: read(
            r"\b(?:the\ (?:day|night|lesson|week|evening|morning|weekend)\ before|(?:days?|weeks?|nights?)\ (?:ago|earlier|before\ (?:the\ )?(?:class|lesson|school|use))|(?:has|have|had)\ (?:\w+\ )?(?:kept|left|stored|grown|stood|soaked|frozen|prepared|put|set|dried)|beforehand|in\ advance|last\ (?:night|week|lesson|time|year|month)|yesterday|already|previous\w*|earlier|was|were|had|have\ been|has\ been|nothing|no|not|never|without|don(?:'|’)t|won(?:'|’)t|homework|at\ home|soaked|would|could|teacher(?:\ \w+)?\ (?:stores|keeps|locks|puts|takes|throws|checks)|next\ (?:class|group)\ (?:finds|uses|needs|can|will)|bring|ready\ for|due|hand\ in|prepared|started|who|whose|stood|grew|sat|lay|froze|pre-\w+)\b".to_owned(),
        )?,
        elsewhere: read(
            r"\b(?:imagine|suppose|predict\w*|think|discuss|earth|moon|tell|read\ about|data\ from|ask|what\ (?:would|will|might|could)|homework|at\ home|if|time-lapse|video|photos?|pictures?\ (?:of|from)|graph\ shows|table\ shows|explain|next\ (?:lesson|class|week|session|day)(?:'s|’s)?\ (?:we|you|they|students|pupils|is|will|topic|lesson|learn|look))\b".to_owned(),
        )?,
    })
});

/// Finds the first step that waits although all is said to be done in one sitting.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some(forms) = FORMS.as_ref() else { return Vec::new() };
    // Waits are rarer than claims, and the cheaper to look for first.
    let waiting = lesson.steps().filter_map(|(index, step)| Some((index, step, wait(forms, step)?)));
    let waiting: Vec<_> = waiting.collect();
    if waiting.is_empty() {
        return Vec::new();
    }
    let said = lesson.texts.iter().filter(|text| !matches!(text.role, Role::Term(_) | Role::Definition(_)));
    let pair = said.filter_map(|text| Some((text, claim(forms, text)?))).find_map(|(text, at)| {
        let step = waiting.iter().find(|(_, step, _)| step.path != text.path)?;
        Some((text, at, step))
    });
    let Some((said, said_at, (index, step, at))) = pair else { return Vec::new() };
    let reason = format!(
        "All is said to be done in one sitting (\"{}\"), but step {} waits for another day.",
        said.quote(&said_at).quote,
        index + 1
    );
    let found = conflict("temporal", said.quote(&said_at), step.quote(at), reason);
    vec![found.suggesting("Plan a second sitting, or change the step so that it ends with the lesson.")]
}

/// The sentence that says that there is one sitting only.
fn claim(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    let conditional = |words: &str| words.get(..3).is_some_and(|first| first.eq_ignore_ascii_case("if "));
    sentence(text, |words| {
        !conditional(words)
            && forms.claim.find(words).is_some_and(|claim| !forms.part.is_match(clause(words, &claim.range())))
    })
}

/// The sentence that waits for another day.
fn wait(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    sentence(text, |words| {
        forms.wait.find_iter(words).any(|wait| {
            let clause = clause(words, &wait.range());
            !forms.outside.is_match(clause) && !forms.claim.is_match(clause)
        }) && !forms.elsewhere.is_match(words)
    })
}

/// The clause of these words: what stands between signs around them.
fn clause<'w>(words: &'w str, at: &Range<usize>) -> &'w str {
    const SIGNS: [char; 6] = [',', ';', ':', '(', ')', '—'];
    let start = words.get(..at.start).and_then(|before| before.rfind(SIGNS)).map_or(0, |sign| sign + 1);
    let end = words.get(at.end..).and_then(|after| after.find(SIGNS)).map_or(words.len(), |sign| at.end + sign);
    words.get(start..end).map_or(words, |clause| clause.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// The tokens of the first sentence that `is`.
fn sentence(text: &Text, is: impl Fn(&str) -> bool) -> Option<Range<usize>> {
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
            "There is only this one meeting, so the sheet is collected today.",
            "This is a one-off visit, and each pupil gets a badge.",
            "The students will not see the workshop or their tubes again.",
            "Everything is counted and written down before you leave.",
            "All the data are collected by the end of the lesson.",
            "The work must not run over into another lesson.",
            "We have just one session in the lab.",
            "The topic ends with this one class and we don't come back to it on another day.",
            "We only have today for this.",
            "All measurements are made in this lesson.",
            "Everything can be done in one 50-minute period.",
            "There will be no time on another day.",
            "Results are in before the class is over.",
            "We cannot come back to this tomorrow.",
            "The lab is only ours for one day.",
        ] {
            for step in [
                "Leave it overnight.",
                "Count again after three days.",
                "Next week, weigh it again.",
                "Let them dry for 48 hours.",
                "Let the sprigs adjust overnight before any counting.",
                "Stand the rack on the sill for seven days; afterwards score the nails.",
                "Water the pots every day and measure them.",
                "Leave the dish in the fridge over the weekend.",
                "Put it on the sill until Thursday.",
                "Two days later, compare the slices.",
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
            "Your teacher has kept one plant in the dark for a week.",
            "The cubes, which were frozen overnight, melt on the plate.",
            "Take beans from a jar that stood for three days.",
            "Next lesson we will learn about salts.",
            "Think of what a week in the sun would do.",
            "Bring the sheet back tomorrow.",
            "Look at the photos that were taken every day for a week.",
            "A daily newspaper covers the bench.",
            "Dies bleibt über Nacht stehen.",
        ] {
            assert_eq!(found(claim, step), 0, "{step}");
        }
        for claim in [
            "Set up the cups in one lesson.",
            "If time is short, finish it in one lesson.",
            "Measure growth.",
            "A leaf can lose a cup of water in one day.",
            "Hand in your prediction before you leave.",
            "The exit ticket is completed today.",
            "This cannot be finished in one lesson.",
            "It takes more than one lesson.",
        ] {
            assert_eq!(found(claim, "Leave it overnight."), 0, "{claim}");
        }
    }
}
