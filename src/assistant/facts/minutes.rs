//! The minutes that steps take of the lesson: those of steps that run beside others, or outside it, do not count.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compiled as pattern;

/// Words that take a step's minutes out of the lesson's: it runs beside another, or before, after or between lessons.
static OUTSIDE_THE_LESSON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)\A\s*(?:while|whilst|during|homework|alongside)\b | \A\s*extension\s*[:(–—-] | \A\s*(?:day|lesson|session|period|week|class)\ (?:[2-9]|1\d|two|three|four|five)\b | \A\s*as\ (?:it|they|this|these|the\ \w+|your\ \w+)\ (?:is\ |are\ )?(?:cool|heat|warm|boil|dr[yi]|wait|soak|settle|run|stand|melt|freez|evaporat|brew|ris|rest|bak|set)\w*,
        | \b(?: meanwhile | in\ the\ meantime | at\ the\ same\ time | in\ parallel | simultaneously | concurrently | alongside\ (?:it|this|that|(?:the\ )?(?:\w+\ )?steps?)
               | in\ the\ background | in\ (?:the\ |this\ )?waiting\ time | (?:during|in|through)\ (?:the|this|that|these|those|your|each)\ (?:\w+\ )?(?:wait|waiting\ time|waits)
               | as\ (?:you|they|we)\ wait | waiting\ time\ (?:of|from|in)\ step | parallel\ (?:to|with)\ (?:it|this|that|(?:the\ )?(?:\w+\ )?steps?) | use\ the\ wait(?:ing\ time)?
               | while\ (?:you\ |you\ are\ |they\ |they\ are\ )?wait(?:ing)?
               | overnight | (?:until|till)\ tomorrow | half\ (?:of\ )?(?:the|your)\ class\b[\w\ ]{0,40}\bwhile | without\ waiting | (?:the\ )?(?:next|following)\ (?:day|lesson|morning|week)
               | (?:for|after)\ (?:\d+|an?|one|two|three|four|five|six|seven|ten|several|some|a\ few)\ (?:days?|weeks?|nights?)
               | over\ the\ (?:weekend|holidays?|half-term) | (?:on|over|for|each\ of)\ the\ (?:next|following)\ (?:\w+\ )?(?:days|weeks|mornings|evenings)
               | (?:for|after|stands?|stay|stays|leave|left)\ (?:about\ |another\ |at\ least\ )?(?:12|18|24|36|48|72|96|twelve|twenty-four|forty-eight)\ ?(?:hours?|hrs?|h)
               | ,\ during\ (?:the|this|that)\ (?:heating|cooling|boiling|drying|soaking|warming|filtering|melting|freezing|baking|reading|settling|timing|spinning|run) | as\ the\ (?:readings|results|figures)\ come\ in
               | \A\s*can\ be\ (?:dropped|skipped|omitted|cut)\b | can\ be\ left\ out\b | if\ (?:time\ is\ short|you\ are\ short\ of\ time|you\ run\ out\ of\ time) | throughout,?\ one\ (?:member|pupil|student|of\ you|partner) | (?:otherwise|if\ not),?\ (?:you\ )?(?:may\ )?(?:leave|skip|miss|drop)\ (?:this|it|that)
               | at\ home | (?:as|for)\ homework | of\ waiting | waiting\ (?:minutes|period) | (?:the\ )?(?:day|night|evening|morning|lesson)\ before | beforehand | in\ advance | optional(?:ly)? | an?\ extension | extension\ (?:task|activity|work|question|challenge)s? | (?:early|fast)\ finishers
               | if\ (?:there\ is\ |you\ have\ |there(?:'|’)s\ )?(?:any\ |some\ |enough\ )?time\ (?:allows|permits|remains|is\ left|left) | (?:in|during|over)\ (?:recess|break|lunch|the\ break|lunchtime|break\ time) | (?:before|after)\ (?:class|school|the\ lesson)
               | outside\ (?:of\ )?(?:(?:this|the|our|your|normal|regular|usual)\ )?(?:lessons?|class(?:\ time)?|lesson\ time|sessions?|periods?|school\ hours|practicals?|teaching\ time)
               | (?:not|never)\ (?:a\ )?(?:part\ of|counted\ (?:in|as|towards)|included\ in|within|in)\ (?:this|the|our)\ (?:\w+\ )?(?:lesson|class|session|period|practical|duration|time|total|minutes)
               | (?:in|on|during)\ (?:your|their|our|its|his|her)\ own\ time | (?:during|in|at|(?:start|end|beginning)\ of)\ (?:registration|tutor\ time|form\ time|homeroom|assembly|lunch|recess|dinner\ time|playtime|study\ hall|advisory|after-?school\ club)
               | between\ (?:\w+\ ){0,2}(?:lessons|classes|sessions|periods) | (?:every|each|once\ an)\ (?:half[-\ ]|full\ )?hour | hourly | on\ the\ hour | every\ (?:morning|afternoon|day|evening)
               | (?:in|for|during|at)\ (?:the|our|your|a)\ (?:second|third|next|following|later)\ (?:lesson|session|class|period|practical|meeting) | (?:earlier|later)\ (?:in\ the|this|that)\ (?:week|day) | (?:that|this|the\ same)\ evening | tonight | on\ the\ (?:previous|preceding)\ (?:day|evening|afternoon|morning)
               | in\ the\ gaps\ (?:of|between|in)\ (?:the\ |your\ )?(?:\w+\ )?(?:steps?|readings?|measurements?|checks?|counts?) | (?:no|without)\ (?:any\ )?(?:extra|added|additional)\ (?:time|minutes)
               | (?:not|never|(?:do|does|did|is|are|wo)n(?:'|’)t)\ (?:come|taken?|eat|cut|count)\ (?:out\ of|off|from|into|against|towards)\ (?:the|our|your|this)\ (?:\w+\ )?(?:lesson|class|session|period|hour|time|minutes)
               | (?:while|during|beside|alongside)\ (?:the\ )?(?:\w+\ (?:of|in)\ )?steps?\ \d{1,2} | before\ (?:the\ )?(?:students|pupils|children|learners|class)\ (?:arrive|arrives|come|comes|enter)
               | (?:most|much|all)\ of\ (?:it|this|that|which)\ (?:is\ )?(?:just\ )?waiting | mostly\ waiting | (?:the\ )?other\ half\ (?:of\ (?:the|your)\ (?:class|group|pupils|students)\ )?(?:\w+\ ){0,4}(?:meanwhile|at\ the\ same\ time|steps?\ \d) )\b",
    )
});

/// The minutes that the steps take of the lesson: those of steps that run beside others, or outside it, do not count.
pub fn lesson_minutes(steps: &[(String, Option<f64>)]) -> f64 {
    let sum: f64 =
        steps.iter().filter(|(text, _)| counts_in_the_lesson(text)).filter_map(|(_, minutes)| *minutes).sum();
    // Minutes are written in decimals, which doubles only come near: 1.6 + 2.7 + 2.7 is 7.
    let rounded = (sum * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { sum }
}

/// Before a time outside the lesson: it is only spoken of.
static SPOKEN_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:talk|discuss|agree|plan|calculate|estimate|work\sout|read|think|predict|imagine|tell|hear|learn|explain|ask)(?:s|ing)?\b[^.;!?]*$",
    )
});
/// After "at the same time": the time of day is the same.
static EACH_TIME: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)^\s(?:each|every|of\sday|as\s(?:yesterday|before|last))"));

/// After "while" at the beginning: those of one group work hand in hand.
static HAND_IN_HAND: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)^\s(?:one\s(?:of\syou|partner|student|pupil|child|member|person)|your\spartner)\b"));
/// Before "at the same time": "Release both balls" tells of what is done at once, not of two steps.
static AT_ONCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[.;:!?]\s+)(?:(?:then|now|next),?\s)?(?:release|drop|start|let|pour|add|put|place|lower|light|tip|roll|launch|throw|dip|plunge|press|switch|remove|take|lift|flip|turn|set|blow|push)\b[^.;:!?]*\b(?:both|all|each|every|two|three|four|five|one|them)\b[^.;:!?]*$",
    )
});
/// Where things are connected in parallel.
static CIRCUIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:circuits?|bulbs?|lamps?|cells?|resist(?:or|ance)s?|wired?|wires|connect(?:ed|s|ing)?|batter(?:y|ies)|volt\w*|amm?eters?|current|buzzers?|leds?|series|springs?)\b",
    )
});
/// What lies after the lesson, a night or some days, and what lay before it.
static LATER: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?i)overnight|tomorrow|day|week|night|morning"));
static EARLIER: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?i)before|previous|preceding|earlier"));

fn counts_in_the_lesson(text: &str) -> bool {
    let is = |regex: &LazyLock<Option<Regex>>, text: &str| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    let outside = |found: regex::Match| {
        let (before, after) =
            (text.get(..found.start()).unwrap_or_default(), text.get(found.end()..).unwrap_or_default());
        let says = |words: &[&str]| words.iter().any(|word| found.as_str().eq_ignore_ascii_case(word));
        let at_once = says(&["at the same time", "simultaneously", "concurrently"])
            && is(&AT_ONCE, before)
            && !after.trim_start().starts_with("as ");
        let wired = says(&["in parallel"]) && is(&CIRCUIT, text);
        let hand_in_hand = found.start() == 0 && is(&HAND_IN_HAND, after);
        // "Carry the jars to the sill. They stay there for 7 days": what stands before is done in the lesson.
        let stays = !is(&EARLIER, found.as_str())
            && before.rsplit_once(['.', '!', ';']).is_some_and(|(_, sentence)| {
                let anew = ["Do ", "This is", "Repeat", "Go "].iter().any(|again| sentence.trim().starts_with(again));
                !sentence.trim().is_empty() && !anew && (is(&LATER, found.as_str()) || is(&LATER, sentence))
            });
        // "Stir it and let it stand. Meanwhile label the tubes" waits in the step itself.
        let meanwhile = says(&["meanwhile", "in the meantime"])
            || found.as_str().get(..6).is_some_and(|start| start.eq_ignore_ascii_case("while "));
        let within = meanwhile && before.trim_end().ends_with(['.', ';', '!', '?']);
        !within && !is(&SPOKEN_OF, before) && !is(&EACH_TIME, after) && !at_once && !wired && !hand_in_hand && !stays
    };
    OUTSIDE_THE_LESSON.as_ref().is_none_or(|pattern| !pattern.find_iter(text).any(outside))
}

/// New minutes for the steps that have some, so that the lesson takes `total`: each gets its share in whole minutes,
/// and one at least. `None` where there are more such steps than minutes.
pub fn fit_minutes(steps: &[(String, Option<f64>)], total: i64) -> Option<Vec<Option<f64>>> {
    let counted = |text: &str, minutes: Option<f64>| minutes.filter(|m| *m > 0.0 && counts_in_the_lesson(text));
    let sum = lesson_minutes(steps);
    let count = steps.iter().filter(|(text, minutes)| counted(text, *minutes).is_some()).count() as i64;
    if count == 0 || total < count || sum <= 0.0 {
        return None;
    }
    // One minute each, then the rest by share: rounding down the running total gives away no minute twice.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_beside_or_outside_the_lesson_do_not_count() {
        let steps = |texts: &[&str]| -> Vec<_> { texts.iter().map(|t| ((*t).to_owned(), Some(10.0))).collect() };
        assert_eq!(
            lesson_minutes(&steps(&["Heat the water", "Meanwhile, label the tubes", "Leave it overnight"])),
            10.0
        );
        assert_eq!(lesson_minutes(&steps(&["While it cools, draw it", "After three days, count"])), 0.0);
        let beside = [
            "Use the waiting time to rule a table",
            "As it cools, draw it",
            "In the background, the kettle boils",
            "Run this in parallel with step 2",
        ];
        assert_eq!(lesson_minutes(&steps(&beside)), 0.0);
        let outside = [
            "On the hour, two of each group trace the shadow (outside this lesson)",
            "Between lessons, top up the dishes",
            "Go out again every hour (five minutes each time, between the other lessons)",
            "For the second lesson: count the swimmers",
            "Copy the table in your own time",
            "While step 3 runs, draw the set-up",
            "At recess, read the thermometer on the wall",
            "These minutes are not part of the lesson: water the pots",
            "Before the pupils arrive, fill the trays",
            "Leave the tea to stand; most of it is waiting",
            "In the gaps between the readings, label the drawing",
            "Look again at 10 and 11. These looks don't come out of our science hour.",
            "Copy the equation as it drips. No extra time is given for that.",
            "Look at the pots. After three days, count the shoots.",
            "Fill the trays. This is done the day before.",
            "Count the shoots. Do this each morning for a week.",
            "Start the poster at the same time as step 2",
            "The other pair rules the graph at the same time",
            "While one half of the class builds, read the text",
            "Extension: repeat it with a second spring",
            "As an extension, plot the force",
            "Alongside, rule a table",
            "Can be dropped if time is short: plot the way back",
            "Throughout, one member of the pair keeps the notes",
            "Dry it on the radiator over the weekend",
            "Cover it; it stands for 48 hours",
            "Score the colours on the next four days",
            "One plots, during the heating",
            "One plots as the readings come in",
            "Repeat with brass if your set arrives in time; otherwise leave this out",
            "Score again at the start of form time",
        ];
        assert_eq!(lesson_minutes(&steps(&outside)), 0.0);
        let in_the_lesson = [
            "Read the scale while the bag moves",
            "Rule a row for each day",
            "Discuss at the board",
            "Go outside and run a lap",
            "Pour sand in the gaps between the pebbles",
            "Carry the jars to the window sill. They stay there for 7 days.",
            "Take the first readings. The log goes on for five days, two minutes a day in registration.",
            "Plant the beans and water them. Leave the pots overnight.",
            "Release both balls at the same time and listen.",
            "While one of you holds the ramp, the other lets the car go.",
            "Plot the extension against the force",
            "Stand the ruler alongside the spring",
            "Connect two bulbs in parallel and read the ammeter",
            "Fix the card parallel to the bench",
            "Drop both balls simultaneously",
            "Stir in the yeast and let it stand. Meanwhile label the tubes",
            "Agree on a scale for rust, to be used when the tubes are looked at next week",
            "Stir for 48 seconds during the first run",
            "Measure the balloons after 30 minutes. While you are waiting, work on your sheet",
            "Show that sodium can be cut with a knife",
            "Record the temperature every minute during the cooling",
            "Calculate the number of bacteria after 24 hours",
            "Follow the stages of assembly of the motor",
        ];
        assert_eq!(lesson_minutes(&steps(&in_the_lesson)), 230.0);
        assert_eq!(lesson_minutes(&[1.6, 2.7, 2.7].map(|minutes| (String::new(), Some(minutes)))), 7.0);
    }

    #[test]
    fn fitted_minutes_are_whole_at_least_one_and_add_up() {
        let steps = |minutes: &[f64]| -> Vec<_> { minutes.iter().map(|m| (String::new(), Some(*m))).collect() };
        let fitted = |minutes: &[f64], total| {
            fit_minutes(&steps(minutes), total).map(|f| f.into_iter().flatten().collect::<Vec<_>>())
        };
        assert_eq!(fitted(&[10.0, 20.0, 30.0], 30), Some(vec![5.0, 10.0, 15.0]));
        assert_eq!(fitted(&[1.0, 1.0, 58.0], 10), Some(vec![1.0, 1.0, 8.0]));
        assert_eq!(fitted(&[1.0, 1.0, 1.0], 2), None);
        for total in 3..60 {
            let sum: f64 = fitted(&[7.0, 11.5, 45.0], total).expect("enough").iter().sum();
            assert_eq!(sum, total as f64);
        }
    }
}
