//! More of the words in which a text gives the lesson a length: "our hour and a half together", "9:00 to 10:30".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{LESSON, THIS, TIME, WORK};
use crate::assistant::facts::patterns::compiled;

/// A time that a determiner stands before already: "our hour and a half".
const BARE: &str = r"(?P<bare>hour)(?:\sand\sa\s(?P<over>half|quarter))?";
/// Who has it.
const WHO: &str =
    r"(?:we|you|they|everyone|(?:the\s|our\s|all\s)?(?:class|students|pupils|learners|children|groups|teams))";

/// Each with a time that is all of this lesson.
pub static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let span = format!(r"(?:{TIME}|{BARE}\b)");
    let own = r"(?:our|the|this|your|these|those|my|their|all)\s(?:(?:full|whole|entire|short|brief|precious|allotted|available|scheduled|given|single|of|the|our|just)\s){0,2}";
    let subject = format!(
        r"(?:{THIS}|the)\s(?:\w+\s)?(?:{LESSON}|{WORK}|thing|lot|show|business|procedure|sequence|routine|plan|timetable)"
    );
    let near = r"(?P<near>(?:about|around|roughly|approximately|nearly|almost|under|over|up\sto|at\sleast|at\smost|no\smore\sthan|less\sthan|more\sthan|just|only|exactly)\s)?";
    let forms = [
        // "by the end of our hour and a half together", "the half-hour this lesson gives us"
        format!(
            r"\b{own}{span}\s(?:together | (?:(?:that|which)\s)?(?:this|our|the|today['’]s|a)\s(?:\w+\s)?(?:{LESSON}|timetable|schedule|rota)\s(?:gives?|allows?|offers?|leaves?|grants?|has|lasts|provides?|takes?|runs?)
                | available | allotted\b | at\s(?:our|your)\sdisposal | on\sthe\stimetable | of\s(?:this|our|the|today['’]s)\s(?:\w+\s)?{LESSON}\b)(?P<next>\s[\w’']+)?"
        ),
        // "in the 45 minutes we have, …"
        format!(
            r"\b(?:in|within|into|inside|for)\s{own}{span}\s(?:(?:that|which)\s)?{WHO}(?:\s|['’]ve\s)(?:have|has|get|gets|are\sgiven|are\sallowed|spend)(?:\s(?:today|together|in\s(?:the\s)?(?:lab|class|room)))?(?:[,.;:!]|$)"
        ),
        // "the timetable gives us 45 minutes"
        format!(
            r"\b(?:(?:the|our|today['’]s)\s(?:school\s)?(?:timetable|schedule|rota|bell|head|school|office)|this\s{LESSON}|today['’]s\s{LESSON})\s(?:only\s)?(?:gives|allows|grants|leaves|offers|allots|allocates)\s(?:(?:us|you|them|me|this\sclass|students|pupils|everyone)\s)?{near}(?:a\sfull\s)?{TIME}(?P<next>\s[\w’']+)?"
        ),
        // "45 minutes is all we have", "all we have is 45 minutes"
        format!(
            r"{span}\s(?:is|are)\s(?:all|everything|the\swhole\sof\swhat)\s(?:that\s|the\stime\s)?(?:{WHO}\s(?:have|has|get|gets|are\sgiven)|there\sis)(?:\s(?:today|together|in\s(?:the\s)?(?:lab|class|room)))?(?:[,.;:!]|$)"
        ),
        format!(
            r"\ball\s(?:the\stime\s)?(?:that\s)?{WHO}\s(?:have|has|get|gets|are\sgiven)\s(?:today\s)?is\s{near}{TIME}(?P<next>\s[\w’']+)?"
        ),
        // "when our 80 minutes are up"
        format!(r"\bour\s(?:(?:full|whole|short|brief|allotted)\s)?{span}\s(?:is|are)\s(?:up|over|gone)\b"),
        // "this lesson is planned for 90 minutes", "the whole thing is over in half an hour"
        format!(
            r"\b{subject}\s(?:(?:is|has\sbeen|was)\s(?:planned|designed|scheduled|timed|set|booked|written|meant|intended|built|down|timetabled|allotted|given|allocated|laid\sout)\s(?:(?:for|at|to\s(?:last|take|fill|run|fit(?:\sinto)?|need|be))\s)?|(?:ends|finishes|stops|closes|wraps\sup|concludes|is\sover|is\sdone|is\sfinished)\s(?:after|in|within)\s|(?:covers|occupies|extends\sover|goes\son\sfor|stretches\sover|requires|comes\sto|uses\sup|takes\sup|calls\sfor|takes|lasts|fits\s(?:in|into)|fills)\s){near}(?:(?:a|an|one)\s(?:full|single|whole)\s)?{TIME}(?P<next>\s[\w’']+)?"
        ),
        // "Allow 90 minutes for this lesson"
        format!(
            r"\b(?:allow|budget|plan|reserve|set\saside|block\sout|allocate|schedule|book|count\son)\s(?:on\s|for\s)?{near}{TIME}\s(?:for\s(?:this\s(?:{LESSON}|{WORK})|the\s(?:whole|entire|full)\b|the\slesson|all\sof\s(?:it|this)|everything)|in\s(?:all|total)|altogether|from\sstart\sto)"
        ),
        // "An investigation for one 45-minute lesson", "Time: one lesson (45 minutes)"
        format!(r"\b(?:one|single|this|our|today['’]s)\s(?:\w+\s)?{LESSON}\s?[(\[]\s?(?:of\s|about\s)?{TIME}\s?[)\]]"),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
});

fn read(pattern: &str) -> Option<Regex> {
    compiled(&format!("(?ix){pattern}"))
}

/// The end of a title: "Growing crystals (45 min)", "Seed race – 40 minutes".
pub static TITLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| read(&format!(r"(?: [(\[]\s? | \s[–—-]\s | [:,]\s ) {TIME} (?: \s?[)\]] | \s?\z )")));

/// "The lesson runs from 9:00 to 10:30."
static CLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let at = r"(\d{1,2})[:.h](\d\d)\s?(?:[ap]\.?m\b\.?)?";
    read(&format!(
        r"\b(?:(?:{THIS}|the)\s(?:\w+\s)?(?:{LESSON})|we|class)\s(?:runs?|lasts?|goes|meets?|is|are\shere|begins?|starts?|takes\splace|is\s(?:held|on))\s(?:from\s|at\s|between\s)?{at}\s?(?:to|until|till|-|–|and(?:\s(?:ends?|finish(?:es)?|stops?|closes?)\sat)?)\s?{at}"
    ))
});

/// The length of the lesson by the clock, and the bytes that tell it.
pub fn by_the_clock(sentence: &str) -> Option<(f64, std::ops::Range<usize>)> {
    let captures = CLOCK.as_ref()?.captures(sentence)?;
    let part = |index: usize| captures.get(index)?.as_str().parse::<i64>().ok();
    let (from, to) = (part(1)? * 60 + part(2)?, part(3)? * 60 + part(4)?);
    let minutes = (to - from).rem_euclid(12 * 60);
    (15..=300).contains(&minutes).then_some((minutes as f64, captures.get(0)?.range()))
}

/// The minutes of a time without a number: "the hour", "our hour and a half".
pub fn bare(captures: &Captures) -> Option<f64> {
    captures.name("bare")?;
    Some(match captures.name("over").map(|over| over.as_str().to_lowercase()) {
        Some(half) if half == "half" => 90.0,
        Some(_) => 75.0,
        None => 60.0,
    })
}
