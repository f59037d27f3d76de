//! `temporal`: a text that says all is done in one sitting, against a step that waits for another day.

mod forms;

use std::ops::Range;

use regex::Regex;

use super::{Match, conflict};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases;
use forms::{FORMS, Forms};

/// Finds the first step that waits although all is said to be done in one sitting.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    // Waits are rarer than claims, and the cheaper to look for first.
    let waiting = lesson.steps().filter_map(|(index, step)| Some((index, step, read(step, wait)?)));
    // An extra is done when there is time for it, and not in the one sitting.
    let waiting: Vec<_> = waiting.filter(|(_, step, at)| !hands::is_extra(step, at.start)).collect();
    if waiting.is_empty() {
        return Vec::new();
    }
    let said = lesson.texts_of(|role| !matches!(role, Role::Term(_) | Role::Definition(_)));
    let all = said.clone().filter_map(|text| Some((text, read(text, claim)?))).find_map(|(text, at)| {
        let step = waiting.iter().find(|(_, step, _)| step.path != text.path)?;
        Some((text, at, step))
    });
    let one = || {
        said.filter_map(|text| Some((text, read(text, due)?))).find_map(|(text, at)| {
            let step = waiting.iter().find(|(_, step, _)| step.path != text.path && keeps(lesson, text, &at, step))?;
            Some((text, at, step))
        })
    };
    let pair = all.or_else(one);
    let Some((said, said_at, (index, step, at))) = pair else { return Vec::new() };
    let reason = format!(
        "All is said to be done in one sitting (\"{}\"), but step {} waits for another day.",
        said.quote(&said_at).quote,
        index + 1
    );
    let found = conflict("temporal", said.quote(&said_at), step.quote(at), reason);
    vec![found.suggesting("Plan a second sitting, or change the step so that it ends with the lesson.")]
}

/// The first sentence in which `look` finds something.
fn read(text: &Text, look: impl Fn(&Forms, &Text) -> Option<Range<usize>> + Copy + 'static) -> Option<Range<usize>> {
    text.kept(move |text| FORMS.as_ref().and_then(|forms| look(forms, text)).into_iter().collect()).first().cloned()
}

/// The sentence that says that there is one sitting only.
fn claim(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    let starts =
        |words: &str, with: &str| words.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    // An order not to do a thing again is none about the class, and what comes again later is not over.
    let holds = |words: &str, claim: Range<usize>| {
        let sentence = words.to_lowercase();
        let (said, clause) = (words.get(claim.clone()).unwrap_or_default(), clause(words, &claim));
        let ordered = ["do not", "don't", "don’t", "never"].iter().any(|order| starts(clause, order));
        // "To finish today, draw the graph" orders, and "finish the graph" says nothing of the rest.
        let ordered = ordered
            || matches!(text.role, Role::Step(_))
                && ["to finish", "finish", "to end", "end ", "complete", "for today", "to close"]
                    .iter()
                    .any(|order| starts(clause, order));
        // "Put the jars down and don't touch them again" leaves them be.
        let left_be = matches!(text.role, Role::Step(_))
            && ["not touch", "n't touch", "n’t touch", "never touch"].iter().any(|part| clause.contains(part));
        // "Work on the data of last year until the bell" says how long, and not of anything that it is done by then.
        let told = |word: &str| {
            phrases::lists!("is are be been gets get has have must finished complete completed done over", word)
                || phrases::is_denial(word)
        };
        let lower = said.to_lowercase();
        let lasts = lower.split_whitespace().any(|word| word == "until") && !lower.split_whitespace().any(told);
        let ordered = ordered || left_be || lasts;
        let learned = [
            "learn to",
            "learners learn",
            "practise",
            "practice",
            " lives ",
            "the year",
            "the longest",
            "in the unit",
            "per week",
        ];
        // "Finish the graph in this lesson" says nothing of the rest.
        let product = ["finish", "complete", "draw"].iter().any(|order| starts(clause, order))
            && ["graph", "table", "drawing", "sketch", "poster", "diagram", "chart", "report", "sheet", "plan", "card"]
                .iter()
                .any(|part| sentence.contains(part));
        // What "was collected on the same morning" is fresh.
        let fresh = matches!(text.role, Role::MaterialNotes(_)) && said.contains("same");
        // "Tidy everything else away" leaves what stays.
        let others = said.split_whitespace().any(|word| matches!(word, "else" | "other" | "others"));
        let ordered = ordered || product || fresh || others;
        let apart = learned.iter().any(|part| sentence.contains(part))
            || said.split_whitespace().any(|word| word == "meet") && !said.contains("again") && !said.contains("once");
        // "No homework and no follow-up lesson", "no part of it runs over" say nothing of a part.
        let clause = forms.whole.replace_all(clause, "");
        let clause = clause.as_ref();
        let later = ["until", "till ", "unit", "year", "term", "exam"].iter().any(|later| clause.contains(later));
        let dangerous = matches!(text.role, Role::Safety(_)) && forms.hazard.is_match(clause);
        !(ordered || dangerous || apart || later && said.contains("again") || forms.part.is_match(clause))
    };
    let is = |words: &str| {
        let said = |claims: &Regex| claims.find_iter(words).any(|claim| holds(words, claim.range()));
        // What happened to somebody, and what may be, is not the plan.
        let story = matches!(text.role, Role::Phenomenon | Role::Hypothesis | Role::DrivingQuestion);
        !starts(words, "if ") && (said(&forms.claim) || !story && (said(&forms.gone) || said(&forms.left)))
    };
    let sentences = text.sentences().into_iter();
    sentences.into_iter().find(|tokens| is(text.words(tokens)))
}

/// The sentence that says of a thing that it is done with on the day.
fn due(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    let rule = matches!(text.role, Role::MaterialNotes(_) | Role::Safety(_) | Role::Assessment | Role::Objective(_));
    let told = |words: &str| {
        forms.due.find(words).is_some_and(|due| {
            let clause = clause(words, &due.range());
            // "Every dish is emptied" leaves none.
            let clause = clause.strip_prefix("Every ").unwrap_or(clause);
            !forms.part.is_match(clause) && !clause.to_lowercase().contains("broken") && !clause.contains("unused")
        })
    };
    sentence(text, |words| rule && told(words))
}

/// Whether a step keeps the thing that a sentence says is done with.
fn keeps(lesson: &Lesson, text: &Text, said: &Range<usize>, step: &Text) -> bool {
    let thing = |word: &String| {
        word.len() > 2
            && !phrases::lists!(
                "lesson class student pupil group before after today table result time week leave",
                word
            )
    };
    let words = match text.role {
        Role::MaterialNotes(index) => match lesson.text(Role::MaterialName(index)) {
            Some(name) => vec![name.material().map_or(String::new(), |noun| noun.head.clone())],
            None => Vec::new(),
        },
        _ => {
            let mut groups = phrases::groups(text, said.clone());
            groups.retain(|group| group.preposition.is_empty() || group.preposition == "for");
            groups.into_iter().flat_map(|group| group.words).collect()
        }
    };
    words.iter().filter(|word| thing(word)).any(|word| step.tokens.iter().any(|token| token.lemma == *word))
}

/// The sentence that waits for another day.
fn wait(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    sentence(text, |words| {
        forms.wait.find_iter(words).chain(forms.later.find_iter(words)).any(|wait| {
            let clause = clause(words, &wait.range());
            let stirred = forms.still.replace_all(clause, "");
            let end = words
                .get(wait.end()..)
                .and_then(|after| after.find(SIGNS))
                .map_or(words.len(), |sign| wait.end() + sign);
            !forms.outside.is_match(&stirred)
                && !was_left(&stirred)
                && !["says the", "according to", " says "].iter().any(|told| words.contains(told))
                && !forms.claim.is_match(clause)
                && !forms.gone.is_match(clause)
                && !forms.elsewhere.is_match(words.get(..end).unwrap_or(words))
        })
    })
}

/// Whether a thing is named by the waiting that it has behind it: "use the water left standing overnight", "a bear that has
/// lain in water overnight".
fn was_left(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    if ["that has ", "that have ", "that had ", "which has ", "which have ", "which had "]
        .iter()
        .any(|own| lower.contains(own))
    {
        return true;
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [before, word] = pair else { return false };
        let participle = matches!(*word, "left" | "kept" | "stored" | "incubated" | "frozen" | "prepared" | "soaking");
        participle
            && !["is", "are", "be", "been", "gets", "get", "and", "then", "stay", "remain", "being", "they're", "it's"]
                .contains(before)
            && before.ends_with(|c: char| c.is_alphanumeric())
    })
}

/// What stands between clauses.
const SIGNS: [char; 6] = [',', ';', ':', '(', ')', '—'];

/// The clause of these words: what stands between signs around them.
fn clause<'w>(words: &'w str, at: &Range<usize>) -> &'w str {
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
            "A quick one-day look at evaporation.",
            "The room is cleared straight after the lesson, so no experiment can be kept.",
            "There will be no follow-up, so collect everything.",
            "Set-ups cannot stay out overnight.",
            "We only meet once.",
            "Nothing needs to be left to stand.",
            "We have the hall for this afternoon and never again.",
            "We start today. We end today.",
            "The class comes once, 90 minutes.",
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
            "This is a single occasion and the work is not taken up again.",
            "Science does not come again this week, so today is our one and only meeting on this.",
            "The van clears every table, so no experiment can be left standing for another day.",
            "This is the only lesson on the topic.",
            "It is a stand-alone lesson.",
            "We set it up and finish it within this hour; all readings are done before home time.",
            "None of it can stay overnight.",
            "Everything is begun and ended on the same afternoon.",
            "The class will not be back in the lab tomorrow.",
            "You will have all your results before lunch.",
            "We cannot leave anything standing until the next lesson.",
            "In the course of a single morning, learners grow crystals.",
            "The entire experiment takes place within a double period.",
            "We will do it from A to Z this very morning.",
            "This is a workshop for visiting classes, who will not return.",
            "The report is due at the end of the lesson in which the bags are buried.",
            "The whole unit is this one period.",
            "There is no homework and no follow-up lesson.",
            "We have the hall for a single afternoon.",
            "The children come to us just once.",
            "You have your last reading in hand when this lesson is over.",
            "This is our only visit to the burn, so the figures have to be got today.",
            "It's a one-off.",
            "We do the Moon today and never revisit it.",
            "The bags are binned at noon and we shall not see them after that.",
            "At the end of class the pool must be empty of our gear.",
            "No mixture may stand overnight; every jar is emptied.",
            "Set up and finish the whole experiment in a single lesson, with no follow-up on other days.",
            "The investigation begins and ends in this one session.",
            "Everything is done and seen on the day itself.",
            "Collect the finished tables today: this topic has no follow-up lesson.",
            "Everything is measured, judged and cleaned up today.",
            "Begin and finish the whole experiment in a single visit.",
            "Every result is written down by the bell.",
            "Because the activity is completed in one visit to the lab, grades can be posted this evening.",
            "Set up, measure and evaluate a diffusion experiment between one bell and the next",
            "Before this very lesson is over the nail will be orange with rust.",
            "Every count is made in this one lesson and on no other day",
            "The count is finished and on my desk when the forty minutes are up.",
            "Learners submit the graph on the same day that the practical is begun.",
        ] {
            for step in [
                "Leave it overnight.",
                "Count again after three days.",
                "Next week, weigh it again.",
                "Let them dry for 48 hours.",
                "Let the sprigs adjust overnight before any counting.",
                "Stand the rack on the sill for seven days; afterwards score the nails.",
                "Water the pots every day and measure them.",
                "After seven days lay the grid sheet on the bags and count.",
                "Lay the bags in the cupboard and leave them there for five days.",
                "Leave the dish in the fridge over the weekend.",
                "Put it on the sill until Thursday.",
                "Two days later, compare the slices.",
                "Let them stand without being moved for three days, then take up the threads.",
                "In our lesson on Thursday, bring the tins down and count.",
                "Do not disturb the jars for five days.",
                "Leave the jars overnight, then explain what you see.",
                "Give the pots a week on the sill.",
                "Measure it on five days running.",
                "Keep the lid on for the rest of the week.",
                "On the third day, open the bag and draw the bread.",
                "Store the tray until we meet again.",
                "Go back to the burn after the next heavy rain.",
                "Come back to the tree in late autumn and count the leaves.",
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
            "Weigh a second bear that has lain in water overnight.",
            "Next lesson we will learn about salts.",
            "Think of what a week in the sun would do.",
            "Bring the sheet back tomorrow.",
            "Look at the photos that were taken every day for a week.",
            "A daily newspaper covers the bench.",
            "Dies bleibt über Nacht stehen.",
            "Rule a row for each day of the week.",
            "When you come back to your bench, read the scale.",
            "How far does it grow in a week?",
            "A worker bee lives for six weeks.",
            "The Moon takes about a month for one round.",
            "Bring a jar from home next week.",
            "Return the kit when you return to your seat.",
            "Bonus: leave one cup overnight and look at it.",
            "For fun: count again after three days.",
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
            "Do not take the lid off again.",
            "Never go back to the hood again without goggles.",
            "We do not meet again until Thursday, so set it up well.",
            "This topic will not come again before the exam in Year 10.",
            "Each group finishes its table before the bell.",
            "Do not look at the Sun again.",
            "This takes us to the end of today's 50 minutes.",
            "A mayfly lives for only one day.",
            "Collect the data of one day.",
            "We do not meet tomorrow.",
            "Within one lesson, learners learn to use the scale.",
            "Each class comes just once a week.",
            "The drawing is finished before pupils go home today.",
            "At the end of the lesson every bench must be clear.",
            "Tape the bags shut and do not reopen them.",
            "It is a one-off chance to see a comet.",
            "Work on the sample data of last year until the bell.",
            "Carry on with the readings until the end of the lesson.",
            "Then discuss the results of the other class until lunch.",
        ] {
            assert_eq!(found(claim, "Leave it overnight."), 0, "{claim}");
        }
        for (rule, step, expected) in [
            (
                "All cups are emptied before the class goes home on the day they are filled.",
                "The cups stay overnight.",
                1,
            ),
            ("All cups are emptied before the class goes home.", "The pots stay overnight.", 0),
            ("Broken cups are thrown out today.", "The cups stay overnight.", 0),
            (
                "Every dish is to be emptied and washed up before the end of the hour.",
                "Leave one dish in the cupboard until next Tuesday.",
                1,
            ),
            (
                "The peelings are thrown out today, before anyone leaves the room.",
                "Keep the peelings in the tank for fourteen days.",
                1,
            ),
            (
                "Tidy everything else away before the end of the hour; only the racks stay out.",
                "Leave the racks for a week.",
                0,
            ),
            ("Trays go back before the last bus.", "Leave the pots for a week.", 0),
        ] {
            let content = json!({"safety": [rule], "steps": [{"text": step}]});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), expected, "{rule}");
        }
        let content =
            json!({"steps": [{"text": "Leave it for two days."}, {"text": "To finish today: draw the axes."}]});
        assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0);
        let left = json!({"steps": [
            {"text": "Put the jars down and don't touch them again."},
            {"text": "The clay needs two days: mark it in the next lesson."},
        ]});
        assert_eq!(find(&Lesson::of(left.as_object().expect("an object"))).len(), 0);
        let steps = json!([{"text": "Leave the dough overnight."}]);
        for rule in ["Nothing electrical is left on overnight.", "No hot plate is left running until the next lesson."]
        {
            let content = json!({"safety": [rule], "steps": steps});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0, "{rule}");
        }
    }
}
