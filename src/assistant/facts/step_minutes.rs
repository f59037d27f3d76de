//! Computes the lesson time that steps take. Steps in parallel with others or outside the lesson take no lesson time.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern::compiled;

/// Words for time outside the lesson or in parallel with other steps, such as "overnight". The minutes of a step with
/// such a word do not count. A wrong match causes no wrong finding, because rules report only a sum that is too large.
static BESIDE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"\A\s*(?:while|during|throughout|(?:on\s)?each\s(?:school\s)?(?:hour|day|week|morning)|at\sthe\ssame\stime|in\sparallel|as\s(?:it|they|this|the))\b | \bat\sthe\ssame\stime\.?\z
        | \b(?: meanwhile | in\sthe\smeantime | at\sthe\ssame\stime\sas | in\sparallel\swith | in\sthe\sbackground | waiting\s(?:time|period)
            | overnight | tomorrow | tonight | homework | at\shome | weekend
            | (?:the|next|following|previous|another|second|third|fourth|fifth|last)\s(?:next\s|following\s)?(?:day|morning|lesson|session|period|week)s?\b(?:\sbefore|\safter|\slater|:|,)
            | (?:next|following|previous)\s(?:day|morning|lesson|class|session|period|week)
            | (?:\d+|an?|one|two|three|four|five|six|seven|ten|several|some|few)\s(?:days?|weeks?|nights?|months?)
            | (?:12|18|24|36|48|72)\s?(?:hours?|hrs?|h)
            | (?:every|once\sa|twice\sa|times\sa)\s(?:hour|day|week|morning|evening|afternoon) | (?:daily|weekly|hourly)
            | (?:before|after|between|outside)\s(?:of\s)?(?:the\s|this\s|our\s)?(?:class|school|lessons?|sessions?|lunch|break|recess)\b | beforehand | in\sadvance
            | optional | \Aextension | as\san\sextension | if\s(?:there\sis\s|you\shave\s)?(?:any\s|some\s)?time | time\s(?:allows|permits|remains) | (?:early|fast)\sfinishers )\b",
    )
});

/// Words for later lessons, such as "second lesson". The minutes of a step with such words count only if some step
/// starts with "First lesson" (`FIRST`): the duration of such a plan covers all lessons.
static LATER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"\b(?: (?:second|third|fourth|fifth)\s(?:day|lesson|class|session|period)
            | (?:day|lesson|session|week|period|class)\s(?:[2-9]|two|three|four|five|six) )\b",
    )
});
static FIRST: LazyLock<Option<Regex>> =
    LazyLock::new(|| compiled(r"\A\s*(?:the\s)?first\s(?:class\s)?(?:lesson|class|session|period)\b"));

/// Returns the lesson time that the steps take together, in minutes. A step is its text and its minutes, if known.
pub fn lesson_minutes(steps: &[(&str, Option<f64>)]) -> f64 {
    let several = are_several(steps);
    let sum: f64 = steps.iter().filter_map(|(text, minutes)| minutes.filter(|_| takes_time(text, several))).sum();
    // Decimal minutes are inexact as doubles: 1.6 + 2.7 + 2.7 should be 7.
    let rounded = (sum * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { sum }
}

/// Returns the indexes of the steps with minutes, in two lists: steps that take lesson time, and steps that do not.
pub fn timed_steps(steps: &[(&str, Option<f64>)]) -> (Vec<usize>, Vec<usize>) {
    let several = are_several(steps);
    let timed = steps.iter().enumerate().filter(|(_, (_, minutes))| minutes.is_some());
    let (counted, others): (Vec<_>, Vec<_>) = timed.partition(|(_, (text, _))| takes_time(text, several));
    let positions = |steps: Vec<(usize, _)>| steps.into_iter().map(|(position, _)| position).collect();
    (positions(counted), positions(others))
}

/// Checks whether the steps belong to several lessons. If so, the minutes of all lessons count.
fn are_several(steps: &[(&str, Option<f64>)]) -> bool {
    steps.iter().any(|(text, _)| FIRST.as_ref().is_some_and(|first| first.is_match(text)))
}

fn takes_time(text: &str, several: bool) -> bool {
    let is = |pattern: &LazyLock<Option<Regex>>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text));
    !is(&BESIDE) && (several || !is(&LATER))
}

/// Returns new minutes for the steps, so that the lesson time is `total`. Each step that takes lesson time gets a share
/// in whole minutes, at least 1. Other steps keep their minutes. Returns `None` if `total` is too small for these
/// shares, or if no step takes lesson time.
pub fn fit_minutes(steps: &[(&str, Option<f64>)], total: i64) -> Option<Vec<Option<f64>>> {
    let several = are_several(steps);
    let counted = |text: &str, minutes: Option<f64>| minutes.filter(|m| *m > 0.0 && takes_time(text, several));
    let sum = lesson_minutes(steps);
    let count = steps.iter().filter(|(text, minutes)| counted(text, *minutes).is_some()).count() as i64;
    if count == 0 || total < count || sum <= 0.0 {
        return None;
    }
    // Each step that takes lesson time gets one minute. The remaining minutes are shared in proportion. Rounding down
    // the running total assigns each minute exactly once.
    let spare = (total - count) as f64;
    let (mut elapsed, mut given) = (0.0, 0.0);
    let fitted = steps.iter().map(|(text, minutes)| match counted(text, *minutes) {
        None => *minutes,
        Some(minutes) => {
            elapsed += minutes;
            let due = (spare * elapsed / sum + 1e-9).floor();
            let share = 1.0 + due - given;
            given = due;
            Some(share)
        }
    });
    Some(fitted.collect())
}
