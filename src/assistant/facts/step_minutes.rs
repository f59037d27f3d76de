//! Computes the lesson time that steps take. Steps in parallel with others or outside the lesson take no lesson time.

use std::borrow::Cow;
use std::cell::LazyCell;

use super::pattern::{Pattern, compiled, matches};

/// Matches a step that runs in parallel with another step ("Meanwhile, draw it") or outside the lesson ("Leave it
/// overnight"). A false match cannot cause a false finding, because it only lowers the sum, and rules report only a sum
/// that is too large. Apart from time expressions, the pattern contains only the names of plan sections outside the
/// lesson: "optional", "extension" and "homework", at the beginning of a step or after "as".
///
/// Clients use [`BESIDE`], [`LATER`], [`FIRST`] and [`TOLD`], too, so these patterns contain only syntax that
/// JavaScript supports.
pub const BESIDE: &str = r"
      ^\s*(?:while|during|throughout|(?:on\s)?each\s(?:school\s)?(?:hour|day|week|morning)|at\sthe\ssame\stime|in\sparallel|as\s(?:it|they|this|the)|if)\b
    | \bat\sthe\ssame\stime\.?$
    | \b(?: meanwhile | in\sthe\smeantime | at\sthe\ssame\stime\sas | in\sparallel\swith | in\sthe\sbackground
        | overnight | tomorrow | tonight | weekend
        | (?:the|next|following|previous|another|second|third|fourth|fifth|last)\s(?:next\s|following\s)?(?:day|morning|lesson|session|period|week)s?\b(?:\sbefore|\safter|\slater|:|,)
        | (?:next|following|previous)\s(?:day|morning|lesson|class|session|period|week)
        | (?:\d+|an?|one|two|three|four|five|six|seven|ten|several|some|few)\s(?:days?|weeks?|nights?|months?)
        | (?:12|18|24|36|48|72)\s?(?:hours?|hrs?|h)
        | (?:every|once\sa|twice\sa|times\sa)\s(?:hour|day|week|morning|evening|afternoon) | daily | weekly | hourly
        | (?:before|after|between|outside)\s(?:of\s)?(?:the\s|this\s|our\s)?(?:class|lessons?|sessions?)\b | beforehand | in\sadvance
        | if\s(?:there\sis\s|you\shave\s)?(?:any\s|some\s)?time | time\s(?:allows|permits|remains) )\b
    | ^\s*(?:before|after)\s[a-z]{4,}(?:[a-fh-z]|[a-mo-z]g|[a-hj-z]ng)[,:]
    | ^\s*(?:optional|extension|homework)\b | \bas\s(?:an?\s)?(?:optional\s)?(?:extension|homework)\b";
static BESIDE_PATTERN: Pattern = Pattern::new(|| compiled(BESIDE));

/// Matches a step of a later lesson, such as "Second lesson: test it". Its minutes are lesson time only if some step
/// starts with "First lesson" ([`FIRST`]), because the duration of such a plan covers all lessons.
pub const LATER: &str = r"\b(?: (?:second|third|fourth|fifth)\s(?:day|lesson|class|session|period)
    | (?:day|lesson|session|week|period|class)\s(?:[2-9]|two|three|four|five|six) )\b";
static LATER_PATTERN: Pattern = Pattern::new(|| compiled(LATER));

/// Matches the first step of a plan for several lessons.
pub const FIRST: &str = r"^\s*(?:the\s)?first\s(?:class\s)?(?:lesson|class|session|period)\b";
static FIRST_PATTERN: Pattern = Pattern::new(|| compiled(FIRST));

/// Matches a statement about something that was done before the step, such as "it has been standing for a day". The
/// statement is ignored, because it does not show when the step itself takes place. The match ends before a comma or
/// other punctuation, because the text after the punctuation may show when the step takes place.
pub const TOLD: &str = r"\b(?:has|have|had)\s(?:already\s|now\s)?(?:been|stood|lain)\b[^.,:!?;]*";
static TOLD_PATTERN: Pattern = Pattern::new(|| compiled(TOLD));

#[derive(Debug, Clone, Copy)]
pub struct Step<'t> {
    pub text: &'t str,
    pub minutes: Option<f64>,
}

/// The steps of a lesson, each marked with whether it takes lesson time.
#[derive(Debug)]
pub struct Plan(Vec<PlannedStep>);

#[derive(Debug)]
struct PlannedStep {
    minutes: Option<f64>,
    takes_time: bool,
}

impl Plan {
    pub fn of<'t>(steps: impl Iterator<Item = Step<'t>>) -> Self {
        let steps: Vec<Step<'t>> = steps.collect();
        // If the steps belong to several lessons, the minutes of all lessons are lesson time.
        let are_several = LazyCell::new(|| steps.iter().any(|step| matches(&FIRST_PATTERN, step.text)));
        let counts = |text: &str| {
            let text = TOLD_PATTERN.as_ref().map_or(Cow::Borrowed(text), |told| told.replace_all(text, ""));
            !matches(&BESIDE_PATTERN, &text) && (!matches(&LATER_PATTERN, &text) || *are_several)
        };
        let takes_time = |step: &Step<'t>| step.minutes.is_some() && counts(step.text);
        let planned = |step: &Step<'t>| PlannedStep { minutes: step.minutes, takes_time: takes_time(step) };
        Self(steps.iter().map(planned).collect())
    }

    /// Returns the lesson time that the steps take together, in minutes.
    pub fn lesson_minutes(&self) -> f64 {
        total(self.0.iter().filter(|step| step.takes_time).filter_map(|step| step.minutes))
    }

    /// Returns the indexes of the steps whose minutes are lesson time.
    pub fn lesson_steps(&self) -> Vec<usize> {
        self.timed(true)
    }

    /// Returns the indexes of the steps whose minutes are not lesson time.
    pub fn steps_beside(&self) -> Vec<usize> {
        self.timed(false)
    }

    fn timed(&self, takes_time: bool) -> Vec<usize> {
        let is_such = |step: &PlannedStep| step.minutes.is_some() && step.takes_time == takes_time;
        self.0.iter().enumerate().filter(|(_, step)| is_such(step)).map(|(index, _)| index).collect()
    }

    /// Returns new minutes for the steps, so that the lesson time is `total`. Each step that takes lesson time gets a
    /// share in whole minutes, at least 1. Other steps keep their minutes. Returns `None` if `total` is too small for
    /// these shares, or if no step takes lesson time.
    pub fn fitted_to(&self, total: i64) -> Option<Vec<Option<f64>>> {
        let counted = |(place, step): (usize, &PlannedStep)| {
            step.minutes.filter(|minutes| *minutes > 0.0 && step.takes_time).map(|minutes| (place, minutes))
        };
        let mut steps: Vec<(usize, f64)> = self.0.iter().enumerate().filter_map(counted).collect();
        let mut sum: f64 = steps.iter().map(|(_, minutes)| minutes).sum();
        let mut rest = total as f64;
        if steps.is_empty() || rest < steps.len() as f64 || sum <= 0.0 {
            return None;
        }
        let mut fitted: Vec<Option<f64>> = self.0.iter().map(|step| step.minutes).collect();
        // Steps whose share would be less than a minute get one minute. The others share the rest.
        steps.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let mut others = steps.into_iter().peekable();
        while let Some((place, minutes)) = others.next_if(|(_, minutes)| rest * (minutes / sum) < 1.0) {
            fitted[place] = Some(1.0);
            (rest, sum) = (rest - 1.0, sum - minutes);
        }
        // Each of the others gets its share rounded down. The minutes that are left go to the largest fractions.
        let (mut left, mut fractions) = (rest, Vec::new());
        for (place, minutes) in others {
            let share = rest * (minutes / sum);
            let whole = (share + 1e-9).floor();
            fitted[place] = Some(whole);
            left -= whole;
            fractions.push((share - whole, place));
        }
        fractions.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
        for (_, place) in fractions.into_iter().take(left as usize) {
            fitted[place] = fitted[place].map(|minutes| minutes + 1.0);
        }
        Some(fitted)
    }
}

/// Adds minutes, and rounds the sum, because decimal fractions are inexact as doubles: 1.6 + 2.7 + 2.7 should be 7.
pub fn total(minutes: impl Iterator<Item = f64>) -> f64 {
    let sum: f64 = minutes.sum();
    let rounded = (sum * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { sum }
}
