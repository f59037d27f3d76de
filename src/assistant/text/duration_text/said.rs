//! More of the words in which a text gives the lesson a length: "our hour and a half together", "9:00 to 10:30".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Claim, LESSON, THIS, TIME, WORK, agrees, minutes};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::patterns::compiled;
use crate::assistant::facts::phrases::lists;

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
            r"\b{own}{span}\s(?:(?:that|which)\s)?{WHO}(?:\s|['’]ve\s)(?:have|has|get|gets|are\sgiven|are\sallowed|spend)(?:\s(?:today|together|in\s(?:the\s)?(?:lab|class|room)|for\s(?:this|the|our|today['’]s)\s(?:\w+\s)?(?:{LESSON}|{WORK})))?(?:[,.;:!]|$)"
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
            r"\b(?:allow|budget|plan|reserve|set\saside|block\sout|allocate|schedule|book|count\son)\s(?:on\s|for\s)?{near}{TIME}\s(?:for\s(?:this\s(?:{LESSON}|{WORK})|the\s(?:whole|entire|full)\b|the\s(?:lesson|session|class|period)\b|all\sof\s(?:it|this)|everything)|in\s(?:all|total)|altogether|from\sstart\sto)"
        ),
        // "An investigation for one 45-minute lesson", "Time: one lesson (45 minutes)"
        format!(r"\b(?:one|single|this|our|today['’]s)\s(?:\w+\s)?{LESSON}\s?[(\[]\s?(?:of\s|about\s)?{TIME}\s?[)\]]"),
        // "in today's 45 minutes you will build a bridge"
        format!(r"\btoday['’]s\s(?:full\s|whole\s|short\s)?{TIME}(?P<next>\s[\w’']+)?"),
        // "the bell goes after 80 minutes", "from bell to bell it is 60 minutes"
        format!(r"\bbell\s(?:goes|rings|sounds|comes)\s(?:after|in)\s{near}{TIME}"),
        format!(
            r"\bbell\sto\s(?:the\s(?:next\s)?)?bell,?\s(?:it\sis|it['’]s|there\s(?:are|is)|we\shave|you\shave|we\sget|is|are|takes)\s{near}{TIME}"
        ),
        // "everything has to be done within 40 minutes"
        format!(
            r"\b(?:everything|it\sall|all\sof\s(?:it|this)|the\s(?:whole|entire)\s\w+)\s(?:(?:has|have|needs?|is|are)\sto|must|should|will|can)\sbe\s(?:\w+\s)?(?:done|finished|completed?|over|packed|cleared|through|tidied)\s(?:up\s|away\s)?(?:in|within|inside)\s{near}{TIME}(?P<next>\s[\w’']+)?"
        ),
        // "you will need about two hours for the investigation"
        format!(
            r"\b{WHO}\s(?:will\s|['’]ll\s)?(?:need|require)s?\s{near}{TIME}\sfor\s(?:this|the)\s(?:\w+\s)?(?:{WORK}|lesson|session|class)\b"
        ),
        // "it takes us a double block, 100 minutes, to find out"
        format!(
            r"\b(?:a|an|our|this|the|one)\s(?:(?:double|single|full|long|whole)\s)?(?:{LESSON})\s?[,–—]\s(?:of\s)?(?:about\s)?{TIME}\s?(?:[,;.–—]|$)"
        ),
        format!(
            r"\b(?:fills|takes(?:\sus)?|needs|fits(?:\sinto)?|fits\sin|lasts)\s(?:a|one)\sdouble\s(?:period|block|lesson|session)\sof\s{TIME}"
        ),
        // "We have only got the half hour after assembly"
        format!(
            r"\b(?:we|you|they)(?:\s|['’]ve\s)(?:(?:have|only|just|got|get)\s){{1,3}}(?:the|this|that|our|a|an)?\s?{span}\s(?:after|before|between|until|till)\s(?:assembly|break|lunch|recess|registration|homeroom|school|chapel|band|PE|gym|the\s(?:bell|bus|buses|assembly|break|next\sclass))\b"
        ),
        // "the bell cuts us off at fifty minutes"
        format!(
            r"\bthe\s(?:final\s|last\s|school\s)?bell\s(?:cuts|stops|ends|frees|sends|calls|catches|interrupts|releases|finishes|throws)\s(?:\w+\s){{0,4}}(?:at|after|in)\s{near}{TIME}"
        ),
        // "a 50-minute excursion, from the photos until we hand in"
        format!(
            r"\b{TIME}[-\s](?:{WORK}|excursion|outing|trip|visit|walk|tour|show)\b,?\s(?:from\s[^.;,]{{3,40}}\s(?:until|till|to)\b|door\sto\sdoor|start\sto\sfinish|all\stold|in\sall\b)"
        ),
        // "fifty minutes from when you walked in"
        format!(
            r"{TIME}\s(?:from|after)\s(?:when|the\s(?:moment|minute|time))\s{WHO}\s(?:walk|come|came|enter|sit|sat)\w*\s?(?:in|down|through)?\b"
        ),
        // "We've got ninety minutes, so …"
        format!(
            r"(?:\A|[.!?;:]\s|\b(?:since|because|as|today)\s)we(?:\shave|['’]ve)(?:\sgot)?\s(?:only\s|just\s|exactly\s|a\sfull\s)?{TIME}(?:[,.;!]|\sso\b|$)"
        ),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
});

/// A pattern that is spaced out, and blind to case.
pub(super) fn read(pattern: &str) -> Option<Regex> {
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

/// A time that is a part of the lesson, which cannot be longer than all of it.
static PARTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let the_end =
        r"(?:until|till|before)\s(?:the\s)?(?:end\sof\s(?:(?:the|this|our)\s)?(?:lesson|class|period|session)|bell)\b";
    let forms = [
        format!(r"{TIME}\s(?:from\snow\s)?{the_end}"),
        format!(
            r"\b(?:after|by|at)\s(?:the\s)?(?:first\s)?{TIME}\s(?:of|into)\s(?:the|this|our)\s(?:lesson|class|period|session)\b"
        ),
        format!(r"\b(?:by|at|until)\sthe\send\sof\s(?:the|our|your|these)\s(?:full\s|whole\s)?{TIME}"),
        format!(
            r"{TIME}\sof\s(?:(?:the|this|our|today['’]s)\s)?(?:class\stime|lesson\stime|(?:the|this|our|today['’]s)\s(?:lesson|class|period|session))\b"
        ),
        format!(r"{TIME}\sinto\s(?:the|this|our)\s(?:lesson|class|period|session)\b"),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
});

/// A time that whoever is spoken to has: all of the lesson, where no step says so.
static GIVEN: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        format!(
            r"(?:\A|[.!?;:]\s){WHO}\s(?:have|has|get|gets|will\shave)\s(?:only\s|just\s|exactly\s|a\sfull\s)?{TIME}\s(?:to\s(?:find|answer|solve|work|build|design|decide|show|settle|crack|prove)\b|for\sthe\s(?:job|challenge|mission|task)\b)"
        ),
        format!(r"\bby\sthe\send\sof\s(?:the|our|your|these)\s(?:full\s|whole\s)?{TIME}"),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
});

/// A claim that the lesson is longer or shorter, from words that say it by the way.
pub fn more(role: Role, sentence: &str, duration: f64) -> Option<Claim> {
    let claim = |captures: Captures, time: f64| Claim {
        quote: captures.get(0).map_or("", |whole| whole.as_str()).trim().to_owned(),
        minutes: Some(time),
        digits: None,
    };
    let asked = |sentence: &str| sentence.contains('?') && role != Role::DrivingQuestion;
    let other = || super::FORMS.as_ref().is_none_or(|forms| forms.other.is_match(sentence));
    for form in PARTS.iter() {
        let Some((captures, time)) =
            form.captures(sentence).and_then(|found| minutes(&found).map(|time| (found, time)))
        else {
            continue;
        };
        if time > duration + 5.0 && time <= 300.0 && !asked(sentence) && !other() {
            return Some(claim(captures, time));
        }
    }
    let whole = matches!(role, Role::Phenomenon | Role::Objective(_) | Role::DrivingQuestion | Role::Assessment);
    let captures = GIVEN.iter().filter(|_| whole).find_map(|form| form.captures(sentence))?;
    let time = minutes(&captures).filter(|time| (25.0..=240.0).contains(time) && !agrees(*time, duration, None))?;
    // In an assessment a part of the lesson may be given to it.
    let part = role == Role::Assessment && time < duration && !sentence.to_lowercase().starts_with("by the end");
    (!part && !other()).then(|| claim(captures, time))
}

/// Whether lessons are counted right before their length: "each 45-minute lesson", "two of our 45-minute lessons".
pub fn counts_lessons(clause: &str) -> bool {
    const COUNTS: &str = "second first third each every per two three four several both";
    const BETWEEN: &str = "of our the these those your full whole separate consecutive short long single my all such such in into over across";
    let lower = clause.to_lowercase();
    let words = lower.split_whitespace().rev().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.take(4).find(|word| !lists(BETWEEN, word)).is_some_and(|word| lists!(COUNTS, word))
}

/// "Time allowed: 8 minutes" among what is kept the same is that of a run.
pub(super) fn is_of_a_run(text: &Text) -> bool {
    matches!(text.role, Role::Controlled(_) | Role::Independent | Role::Dependent)
        && !text.tokens.iter().any(|token| lists!("lesson class period session", &token.lemma))
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_length_that_is_said_by_the_way_is_found() {
        for (minutes, field, text) in [
            (60, "steps", "In today's 45 minutes you will build and test a bridge."),
            (50, "steps", "The bell goes after 80 minutes; be packed up by then."),
            (60, "steps", "Everything has to be done within 40 minutes."),
            (45, "steps", "From bell to bell it is 60 minutes."),
            (55, "steps", "The lesson lasts an hour and twenty minutes."),
            (30, "steps", "Planned as an hour-long lesson."),
            (40, "steps", "After 50 minutes of the lesson we stop and tidy up."),
            (40, "steps", "You have one hour from now until the end of the lesson."),
            (60, "steps", "Fits in one 30-minute sitting."),
            (60, "phenomenon", "You have 35 minutes to find out why."),
            (60, "assessment", "By the end of the 40 minutes each group has a graph."),
            (75, "phenomenon", "It all fits neatly into a 45-minute lesson if the solutions are made up before."),
            (50, "phenomenon", "It takes us a double block, 100 minutes, to find out who did it."),
            (45, "phenomenon", "Finish all four stations in the hour and a half that this session lasts."),
            (45, "phenomenon", "In the ninety minutes we have for this lesson, draw a cooling curve."),
            (90, "phenomenon", "We have only got the half hour after assembly to work out how."),
            (
                75,
                "assessment",
                "Because the bell cuts us off at fifty minutes from when you walked in, it is due before you leave.",
            ),
            (90, "steps", "A 50-minute excursion, from the photos until we hand in, doesn't allow for ice cream."),
            (
                90,
                "steps",
                "Sum up: since the whole thing has to be over in an hour, each group shows a single picture.",
            ),
        ] {
            assert_eq!(count(minutes, field, text), 1, "{text}");
        }
    }

    #[test]
    fn a_part_of_the_lesson_is_not() {
        for (minutes, field, text) in [
            (60, "steps", "The practical work takes 35 minutes of the lesson."),
            (40, "steps", "In a longer lesson of 60 minutes, do five trials."),
            (60, "steps", "After 20 minutes of the lesson, swap."),
            (60, "steps", "You have 35 minutes to build the tower."),
            (60, "steps", "At the end of the 40 minutes, take the eggs out."),
            (60, "steps", "We meet in two 30-minute sittings."),
            (60, "steps", "Leave it under the bell jar for 30 minutes."),
            (60, "steps", "When the bell of your timer rings after 30 minutes, take it out."),
            (90, "steps", "Take a 30-minute walk to the pond."),
            (90, "phenomenon", "The pond froze in the half hour before lunch."),
            (60, "assessment", "By the end of the lesson each group has 30 minutes of data."),
        ] {
            assert_eq!(count(minutes, field, text), 0, "{text}");
        }
    }
}
