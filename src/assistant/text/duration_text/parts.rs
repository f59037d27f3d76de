//! The length of a lesson that its parts tell: "the first 40 minutes of our 80", "20 minutes, a third of the lesson".

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::said::read;
use super::{Claim, LESSON, TIME, WORK, agrees, minutes};
use crate::assistant::facts::lesson::Role;
use crate::assistant::facts::{numbers, words};

/// This lesson, as a part of it names it.
fn the_lesson() -> String {
    format!(r"(?:the|our|this|your|today['’]s)\s(?:[\w-]+\s)?(?:{LESSON})")
}

/// A fraction, as people tell it of a lesson.
const FRACTION: &str =
    r"(?:(?P<over>an?|one|two|three|four|a\sfull|a\swhole)[-\s])?(?P<of>half|thirds?|quarters?|fifths?)";
/// What may stand between a part and its length: ", i.e. ", ", that is, ".
const THAT_IS: &str =
    r"\s?[,:(–—]\s?(?:(?:that\sis|that['’]s|i\.e\.|which\sis|so|or|about|all|a\sfull|in\sall)[,\s]{1,2}){0,2}";

/// Words whose time is the whole lesson.
static WHOLES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let lesson = the_lesson();
    let time = format!(r"(?:{TIME}|(?P<bare>\d{{2,3}}))");
    let forms = [
        // "the first 40 minutes of our 80", "the last 15 of the 45 minutes we have"
        format!(
            r"\b(?:first|last|opening|closing|final|remaining|next)\s(?:\d{{1,2}}|few|five|ten|fifteen|twenty|thirty|forty)(?:[-\s]minutes?)?\sof\sour\s{time}(?:[\s,.;:]|$)"
        ),
        format!(
            r"\b(?:first|last|opening|closing|final|remaining)\s(?:\d{{1,2}}|few|five|ten|fifteen|twenty|thirty|forty)(?:[-\s]minutes?)?\sof\sthe\s{TIME}\s(?:we|you|they|the\sclass)\s(?:have|has|get|gets|are\sgiven)\b"
        ),
        // "the end of our lesson, 35 minutes after we begin", "the lesson ends after its 40 minutes"
        format!(
            r"\b(?:end\sof\s{lesson}|{lesson}\s(?:ends|closes|finishes|is\sover))(?:{THAT_IS}|\s)(?:in\s|after\s)?(?:(?:its|our|the)\s)?{TIME}\s(?:after|from\swhen)\s(?:it|we|you|they|the\sclass)\s(?:beg[aiu]n|begins|start|starts|started|came|come|walk)"
        ),
        format!(r"\b{lesson}\s(?:ends|closes|finishes|is\sover)\s(?:after|with)\sits\s{TIME}"),
        format!(
            r"\bbetween\sthe\s(?:start|beginning)\sand\s(?:the\s)?end\sof\s{lesson}{THAT_IS}(?:in|over|after)?\s?{TIME}"
        ),
        // "the whole of the lesson, all two hours of it", "take up the entire lesson, 40 minutes"
        format!(
            r"\b(?:the|our)\s(?:whole|entire|full)(?:\sof\s(?:the|our|this))?\s(?:{LESSON}){THAT_IS}{TIME}(?:\sof\sit)?(?:\s?[,.;:)–—]|$)"
        ),
        // "This is our fieldwork and runs for three hours"
        format!(
            r"\A\s*(?:this|it)\sis\s[^.;:?]{{3,60}}\sand\s(?:runs|lasts|goes\son|takes)\s(?:for\s)?{TIME}(?:\s?[,.;:)–—]|$)"
        ),
        format!(
            r"{TIME}\sfrom\s(?:hello\sto\sgoodbye|first\sto\slast|beginning\sto\send|set-?\s?up\sto\s(?:clear|tidy|pack)-?\s?\w*|arrival\sto\sdeparture|start\sto\send)\b"
        ),
        format!(r"\b(?:our|this|one|the)\s(?:one\s)?single\s{TIME}[-\s](?:slot|session|block|workshop)\b"),
        // "Time allowed for this practical: 1 hour", "Duration of period: 40 min"
        format!(
            r"(?:\A|[.;|]\s)\s*(?:time|duration|length|timing)(?:\s(?:allotted|allocated|allowed|given|needed|required|available|set\saside|slot|frame|requirement|in\sall))?(?:\s(?:to|for|of)\s(?:(?:the|this|our|each|a|one)\s)?(?:\w+\s)?(?:{LESSON}|{WORK}))?\s?[:=–-]\s?(?:one\s{LESSON}\s?[,(]\s?)?{TIME}"
        ),
        // "today's lesson, which lasts three quarters of an hour", "a class is only 35 minutes"
        format!(
            r"\b{lesson},?\s(?:which|that)\s(?:lasts|is|runs(?:\sfor)?|takes)\s(?:only\s|just\s|exactly\s)?{TIME}(?P<next>\s[\w’']+)?"
        ),
        format!(r"\b(?:you|we|they)\shave\s(?:exactly\s|only\s|just\s)?{TIME}\sfrom\snow\b"),
        format!(r"\ba\s(?:lesson|class|period)\s(?:here\s)?(?:is|lasts)\s(?:only|just|exactly)\s{TIME}"),
        format!(
            r"\b(?:this|our|today['’]s|the)\s(?:outing|trip|visit|excursion|field\strip|field\sday|walk|morning|afternoon)\s(?:is|lasts|takes|runs\sfor)\s(?:only\s|just\s|a\sfull\s|exactly\s)?{TIME}\s(?:from|in\sall|door|altogether)\b"
        ),
        // "That makes an hour exactly for the whole lesson"
        format!(
            r"{TIME}\s(?:exactly|precisely|flat|in\sall|altogether|all\stold)\sfor\s(?:the\swhole|the\sentire|this|our)\b"
        ),
        // "Our 100 minutes are enough for the counts"
        format!(
            r"\b(?:our|these|the\sgiven)\s(?:(?:full|whole|precious|short|brief)\s)?{TIME}(?:\s?[,.;:)–—]|$|\s(?:are|is|will|must|should|to|and|because|so|we|you|but|leave|allow|end|go|begin|start))"
        ),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
});

/// A fraction of the lesson beside its minutes.
static FRACTIONS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let lesson = the_lesson();
    let forms = [
        format!(r"\b{FRACTION}\sof\s{lesson}{THAT_IS}{TIME}(?:\s?[,.;:)–—]|$)"),
        format!(
            r"\b{TIME}\s?[,(–—]\s?(?:which\sis\s|that\sis,?\s|or\s)?(?:exactly\s|just\s|about\s)?{FRACTION}\sof\s{lesson}"
        ),
        format!(
            r"\b{TIME}\s(?:[^\W\d]\w*\s){{0,6}}[^\W\d]\w*,\swhich\sis\s(?:exactly\s|just\s)?{FRACTION}\sof\s{lesson}"
        ),
        format!(
            r"\bat\s(?P<of>half)[-\s]?time{THAT_IS}(?:at|after)?\s?{TIME}\s(?:in\b|into\s{lesson}|after\swe|of\s{lesson})"
        ),
        format!(r"\b(?P<of>half)way\sthrough\s{lesson}{THAT_IS}(?:at|after)?\s?{TIME}(?:\sin)?(?:\s?[,.;:)–—]|$)"),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
});

/// "55 minutes will have gone, which leaves 20 for the washing-up."
static GONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    read(&format!(
        r"{TIME}\s(?:(?:will|should|have|has|are|is|be|been|now)\s){{0,3}}(?:gone|over|used\sup|used|past|behind\s(?:us|you))\b,?\s(?:which\s|and\s|that\s)?(?:leaves?|leaving|there\s(?:are|is))\s(?:us\s|you\s|only\s)?(?P<left>\d{{1,2}}|five|ten|fifteen|twenty|thirty|forty)\b"
    ))
});

/// "All hot plates off at minute 80".
static MINUTE: LazyLock<Option<Regex>> =
    LazyLock::new(|| read(r"\b(?:at|by|from|until|after|in)\sminute\s(?P<at>\d{2,3})\b"));

/// "The session is divided in two: 45 minutes at the bench, and a 30-minute test."
static DIVIDED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    read(&format!(
        r"\b{}\s(?:is|has|falls|comes|will\sbe)\s(?:(?:divided|split|cut)\s)?(?:in|into)?\s?(?P<parts>two|three|four)(?:\s(?:parts|halves|blocks|phases))?\s?[:(–—]",
        the_lesson()
    ))
});
/// "Making a pH scale (2 × 40 min)".
static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    read(r"[(\[–—:,]\s?(?P<count>[2-4])\s?[x×]\s?(?P<each>\d{2,3})[-\s]?min(?:ute)?s?\b\s?(?:[)\].,;]|$)")
});
static SPAN: LazyLock<Option<Regex>> = LazyLock::new(|| read(TIME));

/// A claim that the lesson has another length, from what is said of a part of it.
pub fn told(role: Role, sentence: &str, duration: f64) -> Option<Claim> {
    let claim = |at: Range<usize>, minutes: f64| Claim {
        quote: sentence.get(at).unwrap_or_default().trim().to_owned(),
        minutes: Some(minutes),
        digits: None,
    };
    let range = |captures: &Captures| captures.get(0).map_or(0..0, |whole| whole.range());
    let spoilt = |at: &Range<usize>| {
        let before = sentence.get(..at.start).unwrap_or_default();
        super::FORMS.as_ref().is_none_or(|forms| forms.other.is_match(before)) || sentence.contains(" if ")
    };
    let told = |captures: &Captures, time: f64, near: Option<&str>| {
        let at = range(captures);
        let other = !(15.0..=300.0).contains(&time) || agrees(time, duration, near) || spoilt(&at);
        (!other).then(|| claim(at, time))
    };
    let whole = |form: &Regex| {
        let captures = form.captures(sentence)?;
        let bare = captures.name("bare").and_then(|bare| bare.as_str().parse().ok());
        told(&captures, bare.or_else(|| minutes(&captures))?, Some("only"))
    };
    let fraction = |form: &Regex| {
        let captures = form.captures(sentence)?;
        let rough = captures.get(0)?.as_str().contains("about");
        (!rough).then(|| told(&captures, minutes(&captures)? / fraction(&captures)?, Some("about")))?
    };
    let gone = || {
        let captures = GONE.as_ref()?.captures(sentence)?;
        let left = numbers::numeral(&words::tokens(&captures["left"], 3), 0)?.single()?;
        told(&captures, minutes(&captures)? + left, Some("only"))
    };
    let minute = || {
        let captures = MINUTE.as_ref()?.captures(sentence)?;
        // "At minute 90 of the film a whale breaches."
        let after = sentence.get(range(&captures).end..)?;
        if after.starts_with(" of ") && !after.contains("lesson") {
            return None;
        }
        let at: f64 = captures["at"].parse().ok()?;
        (at > duration + 5.0).then(|| told(&captures, at, None))?
    };
    let divided = || {
        let captures = DIVIDED.as_ref()?.captures(sentence)?;
        let rest = sentence.get(range(&captures).end..)?;
        let parts: Vec<f64> = SPAN.as_ref()?.captures_iter(rest).filter_map(|part| minutes(&part)).collect();
        let count = numbers::numeral(&words::tokens(&captures["parts"], 2), 0)?.single()?;
        (parts.len() as f64 == count).then(|| told(&captures, parts.iter().sum(), Some("only")))?
    };
    let times = || {
        // "Rinse the slides (3 × 10 min)" is no lesson.
        let lesson = matches!(role, Role::Title | Role::Curriculum);
        let captures = TIMES.as_ref().filter(|_| lesson)?.captures(sentence)?;
        let [count, each] = ["count", "each"].map(|part| captures[part].parse::<f64>());
        let (count, each) = (count.ok()?, each.ok()?);
        // Of two lessons the length may be told of each.
        (!agrees(each, duration, None)).then(|| told(&captures, count * each, None))?
    };
    let whole = WHOLES.iter().find_map(whole);
    whole.or_else(|| FRACTIONS.iter().find_map(fraction)).or_else(gone).or_else(minute).or_else(divided).or_else(times)
}

/// The part of the whole that a fraction in words is.
fn fraction(captures: &Captures) -> Option<f64> {
    let of = captures.name("of")?.as_str().to_lowercase();
    let over = match captures.name("over").map(|over| over.as_str().to_lowercase()).as_deref() {
        Some("two") => 2.0,
        Some("three") => 3.0,
        Some("four") => 4.0,
        _ => 1.0,
    };
    let under = match of.trim_end_matches('s') {
        "half" => 2.0,
        "third" => 3.0,
        "quarter" => 4.0,
        _ => 5.0,
    };
    (over < under).then_some(over / under)
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_length_that_a_part_tells_is_found() {
        for (minutes, text) in [
            (55, "We look at this and nothing else for the first 40 minutes of our 80."),
            (30, "A picture quiz, taken during the last 15 of the 45 minutes we have."),
            (45, "In the first thirty minutes of our two hours, look, sniff and draw."),
            (45, "The cup loses little between the start and the end of the lesson, that is in 90 minutes."),
            (70, "The trolley must be back at the end of our lesson, 35 minutes after we begin."),
            (65, "Will the line reach the top before our lesson ends, 100 minutes after it began?"),
            (85, "When the lesson ends after its 40 minutes, the puddle will be smaller."),
            (30, "Use a whole third of the lesson, 20 minutes, for hunting paper moths."),
            (45, "Keep planning to a quarter of the lesson, i.e. 20 minutes, so that there is time."),
            (75, "Give this twenty minutes, which is two thirds of the lesson."),
            (80, "A 25-minute film of whales, which is exactly half of our lesson, leaves everyone asking."),
            (90, "Time ten runs; at half-time, 25 minutes into the lesson, the timers change places."),
            (60, "By now 55 minutes will have gone, which leaves 20 for the washing-up."),
            (80, "Keep the fan running for the whole of the lesson, all two hours of it."),
            (65, "The talks take up the entire lesson, 40 minutes, and I mark as they speak."),
            (60, "This is our mandatory fieldwork and runs for three hours, starting on the sand."),
            (40, "That's it: 55 minutes from hello to goodbye."),
            (60, "Fits our single half-hour slot after small break."),
            (60, "Time allotted: one and a half hours."),
            (100, "Scheme of work week 7, practical 12. Time allowed for this practical: 1 hour."),
            (90, "Thrust and pressure. Period: one. Duration of period: 40 min."),
            (30, "We shall watch one shrink in today's lesson, which lasts three quarters of an hour."),
            (70, "Keep an eye on the clock. A class is only 35 minutes, and this one is no exception."),
            (150, "This outing is a full three hours from gate to gate, so pack a snack."),
            (90, "That makes an hour exactly for the whole lesson, tidying included."),
            (60, "Build a water rocket in a 1½-hour practical session."),
            (110, "Taught in our Friday slot, which is 55 minutes long."),
            (40, "You have exactly one hour from now to take the magic out of it."),
            (50, "Within the 80 minutes we have, burners are lit for twenty at the most."),
            (90, "The ice must last for the whole two hours of the session."),
            (75, "Our 100 minutes are enough for the counts and a report."),
            (60, "All hot plates off at minute 80, which leaves ten to cool."),
            (50, "The session is divided in two: 45 minutes at the bench, and then a 30-minute written test."),
        ] {
            assert_eq!(count(minutes, "phenomenon", text), 1, "{text}");
        }
    }

    #[test]
    fn a_title_may_count_lessons() {
        assert_eq!(count(50, "title", "Making a pH scale with beetroot (2 × 40 min)"), 1);
        assert_eq!(count(40, "title", "Making a pH scale with beetroot (2 × 40 min)"), 0);
        assert_eq!(count(80, "title", "Making a pH scale with beetroot (2 × 40 min)"), 0);
    }

    #[test]
    fn a_part_that_fits_the_lesson_is_not() {
        for (minutes, text) in [
            (80, "We look at this and nothing else for the first 40 minutes of our 80."),
            (60, "Use a third of the lesson, 20 minutes, for hunting."),
            (50, "Give this ten minutes, about a quarter of the lesson."),
            (75, "By now 55 minutes will have gone, which leaves 20 for the washing-up."),
            (60, "All hot plates off at minute 50."),
            (60, "Rinse the slides (3 × 10 min)."),
            (60, "At minute 90 of the film a whale breaches."),
            (40, "Lesson 1 (dissection) was a 90-minute double; this one is a single."),
            (60, "Time for one swing: 20 minutes is too long."),
            (60, "Our 20 minutes of observation begin."),
            (75, "The session is divided in two: 45 minutes at the bench, and then a 30-minute written test."),
            (60, "In the last ten of the 20 minutes you spend at a station, swap."),
            (45, "Two thirds of the water, 60 minutes after it was poured, had gone."),
            (60, "If the lesson ends after its 40 minutes, leave the table out."),
            (60, "Last year's session was divided in two: 45 minutes at the bench, and 60 minutes outside."),
        ] {
            assert_eq!(count(minutes, "phenomenon", text), 0, "{text}");
        }
    }
}
