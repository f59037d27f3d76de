//! `duration_text`: how long a text says this lesson is ("in a 40-minute lesson") against `durationMinutes`.

mod parts;
mod said;

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::json;

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text, shortened};
use crate::assistant::facts::numbers;
use crate::assistant::facts::patterns::compiled;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::words;
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

/// Words of time: "40 minutes", "one hour", "half-hour", "an hour and a half", "1 h 30 min".
const TIME: &str = r"(?: (?P<half>half[-\s](?:an[-\s])?hour) | (?P<quarters>three[-\s]quarters\sof\san\shour)
    | (?: (?P<n>\d{1,3}(?:\.\d|½)? | an? | (?:one|two|three|four|five|ten|fifteen|twenty|twenty-five|thirty|thirty-five|forty|forty-five|fifty|fifty-five|sixty|seventy|seventy-five|eighty|ninety|a\shundred|one\shundred|hundred)(?:[-\s](?:five|and\stwenty))? )
        (?P<and>\sand\sa\shalf)? [-\s]{0,2} (?: (?P<min>minutes?|mins?\b\.?)(?:'s?|’s?)? | (?P<hour>hours?|hrs?\b\.?|h\b)(?:'s?|’s?)?
        (?: \s(?:and\s)?a\s(?P<more>half|quarter) | \s(?:and\s)?(?P<plus>\d{1,2}|ten|fifteen|twenty|thirty|forty)[-\s]?(?:minutes?|mins?|m)\b )? ) ) )";
/// What a lesson is called, whatever stands before it.
const LESSON: &str = r"(?:lesson|class(?:\s(?:period|time|session|slot))?|period|lab(?:\s(?:period|session|class|block|slot))?|lab|practical(?:\s(?:session|lesson))?|teaching\s(?:session|period|block)|science\s(?:session|block)|session|workshop|timetable\sslot|block|slot|sitting|double)";
/// What may also be a part of one.
const WORK: &str = r"(?:activity|investigation|experiment|practical|project|task|inquiry|enquiry|exploration|workshop|procedure|exercise|work|programme|program)";
/// Which one: this one, the whole of it.
const THIS: &str = r"(?:this|our|the\s(?:whole|entire|full|complete)|whole|entire|today's|today’s|your)";
const KIND: &str = r"(?:(?:long|science|lab|practical|[a-z]+-(?:test|testing|making|building|growing|based|themed|mixing|filled|rich|style)|hands-on|single|double|chemistry|physics|biology|class|full|school)[-\s])?";

struct Forms {
    /// A time, which most of the others hold.
    time: Regex,
    /// A duration before the lesson: "in a 40-minute lesson".
    before: Regex,
    /// "the whole activity takes 90 minutes"
    takes: Regex,
    /// "all in 40 minutes, start to finish", "Time: 40 minutes", "we have two hours together"
    whole: [Regex; 8],
    /// "a double period"
    double: Regex,
    /// Signs that another lesson, or a part of this one, is spoken of.
    other: Regex,
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: String| compiled(&format!("(?ix){pattern}"));
    Some(Forms {
        time: read(format!(r"{TIME}|\bhour"))?,
        before: read(format!(
            r"(?P<head>[\w’']+[\s,:;(!.–—-]{{1,3}})? \b{TIME}[-\s]{{1,2}}(?:long[-\s])?{KIND}(?:(?P<lesson>{LESSON})|(?P<work>{WORK}))\b(?P<next>[\s-]{{0,2}}[\w’']+|s\b)?"
        ))?,
        takes: read(format!(
            r"\b(?: (?:{THIS}|the)\s(?:\w+\s){{0,1}}?(?:lesson|class|period|session|practical|lab|block) | {THIS}\s(?:\w+\s){{0,1}}?{WORK} | everything | it\sall | all\sof\s(?:it|this) )
               \s(?:should\s|will\s|can\s|must\s)?(?:takes?|lasts?|runs?|needs?|is|be|fits?\s(?:easily\s|well\s)?in(?:to|side)?|(?:is|be)\s(?:done|finished|completed|over)\s(?:in|within)|fills?|spans?)\s(?:for\s)?(?P<near>(?:about|around|roughly|approximately|nearly|almost|under|over|up\sto|at\sleast|at\smost|no\smore\sthan|less\sthan|more\sthan|just)\s)?(?:a\sfull\s)?{TIME}(?P<next>\s[\w’']+)?"
        ))?,
        whole: [
            read(format!(
                r"(?: \b{THIS}\s(?:lesson|lab|{WORK})\s(?:in|within)\s(?P<near>(?:about|under|just|around|only)\s)? | \A\s*(?:total\s)?(?:time|duration|lesson\slength|length\sof\s(?:the\s)?lesson)(?:\s(?:needed|required|allowed|available|frame))?\s?[:=]\s? | \b(?:start\sto\sfinish|bell\sto\sbell)\s(?:in|within)\s ) {TIME}"
            ))?,
            read(format!(
                r"\b{TIME}\s(?:for\sthe\s(?:whole|entire)\s(?:lesson|lab|{WORK})|(?:from\s)?start\sto\sfinish|from\sbell\sto\sbell)"
            ))?,
            read(format!(
                r"\b(?:the|our|all|these)\s(?:full|whole|entire|complete)\s{TIME}\s(?:of|in)\s(?:the|our|this|today['’]s)\s(?:\w+\s)?(?:{LESSON})\b"
            ))?,
            read(format!(
                r"\b{TIME}\sfor\s(?:this|our|today['’]s|the\swhole|the\sentire)\s(?:\w+\s)?(?:{LESSON}|{WORK})\b"
            ))?,
            read(format!(
                r"\b(?:we|you|they|students|pupils|learners|children|everyone|class|groups|teams|there)(?:\s|['’]ve\s)(?:(?:will|all|only|just|are|is)\s)*(?:have|has|get|gets|given|got)?\s?(?:(?:only|just|exactly|got|a|an|the|full|whole|good|our)\s){{0,3}}{TIME}\s(?:together|today|this\s(?:morning|afternoon|lesson)|in\s(?:all|total)|altogether|all\stold|for\s(?:this|everything|it\sall|all\sof\sit|the\s(?:whole|entire|lesson|lab|class))|until\sthe\sbell|before\sthe\sbell|to\s(?:do|get|finish|complete)\s(?:everything|it\sall|all\s|the\s(?:whole|investigation|experiment|lab|lesson|practical)))"
            ))?,
            read(format!(
                r"\b(?:(?:this|our|today['’]s|one|single|a)\s(?:\w+\s)?{LESSON})\s(?:of|lasting|that\slasts|which\slasts)\s(?:only\s|just\s)?{TIME}"
            ))?,
            read(format!(
                r"\b(?:total|overall|whole|complete)\s(?:(?:lesson|class|working|lab|teaching)\s)?time(?:\s(?:needed|allowed|available|is|of))*\s?[:=,]?\s{TIME}"
            ))?,
            read(format!(
                r"\b(?:complete|finish|finished|completed|do|done|run|fit|fits|planned|designed|written|timed|meant|intended|made)\s(?:(?:this|it|everything|all|the\s(?:whole|entire|full))\s(?:\w+\s){{0,3}})?(?:in|within|into|inside|for|to\sfit)\s(?:the\s|a\s|an\s|one\s|just\s|only\s|single\s)*{TIME}[-\s](?:{LESSON})\b"
            ))?,
        ],
        double: read(
            r"(?P<head>[\w’']+\s)?(?P<which>a|this|our|one|the)\s(?:full\s|whole\s|science\s|single\s)?double[-\s](?:period|lesson|science\slesson|practical|class|session)\b".to_owned()
        )?,
        other: read(
            r"\b(?:homework|at\shome|last|previous|next|earlier|tomorrow|yesterday|follow[-\s]?up|another|other|if|usual(?:ly)?|instead|rather|shorter|longer|extend(?:ed)?|stretch|normal(?:ly)?|split|spread|unlike|half\sof|rest\sof|part\sof|remaining|left|not|no|or|optional|history|maths?|gym|PE|assembly|pupil|imagine|suppose|film|video|weekly|daily|could|would|might|may|sections?|version|original(?:ly)?|colleague\w*|sister|had|lessons?\s\d{1,2}\s(?:is|was|will)|was\san?|who\s(?:have|has|had)|school\shas)\b".to_owned(),
        )?,
    })
});

/// The minutes that the captures of [`TIME`] stand for.
fn minutes(captures: &Captures) -> Option<f64> {
    if let Some(minutes) = said::bare(captures) {
        return Some(minutes);
    }
    if captures.name("half").is_some() {
        return Some(30.0);
    }
    if captures.name("quarters").is_some() {
        return Some(45.0);
    }
    let written = captures.name("n")?.as_str().to_lowercase();
    let number = match written.as_str() {
        "a" | "an" => 1.0,
        "hundred" | "a hundred" | "one hundred" => 100.0,
        _ => numbers::numeral(&words::tokens(&written, 9), 0)?.single()?,
    };
    let number = number + if captures.name("and").is_some() { 0.5 } else { 0.0 };
    if captures.name("min").is_some() {
        return Some(number);
    }
    let more = match captures.name("more").map(|more| more.as_str().to_lowercase()) {
        Some(half) if half == "half" => 30.0,
        Some(_) => 15.0,
        None => captures
            .name("plus")
            .and_then(|plus| numbers::numeral(&words::tokens(plus.as_str(), 3), 0)?.single())
            .unwrap_or(0.0),
    };
    Some(number * 60.0 + more)
}

/// Words that may follow the lesson without making it another thing: not "a 20-minute class discussion".
const FOLLOWERS: &str = "shows lets needs asks starts begins ends in on with for at to that and is about of by using you we students pupils if when once provided \
    will so where which the a but because into can as from today this when including each every everyone has gives it there before after";

/// What a lesson may be the first part of.
const COMPOUNDS: &str = "plan plans planning discussion time activity test quiz project task work notes film starter object \
    objective objectives series unit sequence length clip video slot part slots break";

/// Finds the first text of each field that gives this lesson another length.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some(duration) = lesson.duration() else { return Vec::new() };
    let mut found: Vec<Match> = Vec::new();
    for text in lesson.texts() {
        if matches!(text.role, Role::Term(_) | Role::Grade | Role::MaterialUnit(_) | Role::Other)
            || said::is_of_a_run(text)
        {
            continue;
        }
        if found.iter().any(|found| found.finding.field_name == text.field()) {
            continue;
        }
        let said = text.kept_for(duration, |text, duration| first_claim(text, duration).into_iter().collect());
        found.extend(said.first().map(|(tokens, claim)| finding(text, tokens, claim, duration)));
    }
    found
}

/// The first sentence that gives the lesson another length.
fn first_claim(text: &Text, duration: i64) -> Option<(Range<usize>, Claim)> {
    let forms = FORMS.as_ref()?;
    let (duration, title) = (duration as f64, text.role == Role::Title);
    text.sentences().into_iter().find_map(|tokens| {
        let sentence = text.words(&tokens);
        if !is_long(text, &tokens) || !speaks_of_time(sentence) || names(sentence, duration) {
            return None;
        }
        let by_the_way =
            || said::more(text.role, sentence, duration).or_else(|| parts::told(text.role, sentence, duration));
        let claim = claim(forms, sentence, title, duration).or_else(by_the_way)?;
        Some((tokens, claim))
    })
}

/// Whether a sentence may name a time as long as a lesson: not "wait 5 minutes".
fn is_long(text: &Text, tokens: &Range<usize>) -> bool {
    let numbers = text.numerals().iter().filter(|numeral| tokens.contains(&numeral.tokens.start));
    let hours = |at: usize| {
        let word = text.word(at);
        ["hour", "hr", "half", "double"].iter().any(|begin| word.starts_with(begin)) || word == "h"
    };
    numbers.into_iter().any(|numeral| numeral.high >= 10.0) || tokens.clone().any(hours)
}

/// Most sentences hold none of the letters of a time.
fn speaks_of_time(sentence: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    ["min", "Min", "MIN", "hour", "Hour", "HOUR", "hr", "Hr", "ouble", ":", "half past"]
        .iter()
        .any(|part| sentence.contains(part))
        || sentence.split(digit).skip(1).any(|rest| rest.trim_start().starts_with(['h', 'H', '.', 'm']))
}

/// Words that give the lesson a length.
struct Claim {
    quote: String,
    /// What they say, where it is one number of minutes.
    minutes: Option<f64>,
    /// The bytes of that number in the sentence, where it is written in digits and counts minutes.
    digits: Option<Range<usize>>,
}

/// Whether a sentence names the length of the lesson too, so that it lays another beside it.
fn names(sentence: &str, duration: f64) -> bool {
    sentence.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.parse() == Ok(duration))
        && sentence.contains("min")
}

fn claim(forms: &Forms, sentence: &str, title: bool, duration: f64) -> Option<Claim> {
    let made = |captures: &Captures, minutes: f64| Claim {
        quote: captures.get(0).map_or("", |whole| whole.as_str()).trim().to_owned(),
        minutes: Some(minutes),
        digits: captures
            .name("n")
            .filter(|n| captures.name("min").is_some() && n.as_str().parse::<u32>().is_ok())
            .map(|n| n.range()),
    };
    let other_before = |at: usize| {
        let before = sentence.get(..at).unwrap_or_default();
        let clause = before.rsplit([',', ';', ':', '(', '—']).next().unwrap_or(before);
        // "In the last few minutes of our two-hour session"
        let clause = clause.rsplit(" minutes of ").next().unwrap_or(clause);
        // "In the last part of this 45-minute lesson"
        let whole = |rest: &&str| matches!(rest.trim(), "this" | "our" | "the whole" | "the entire" | "today's");
        let clause = clause.rsplit(" of ").next().filter(whole).unwrap_or(clause);
        // "It must last for the whole two hours of the session"
        let clause = ["must last", "will last", "should last", "to last", "has to last"]
            .iter()
            .fold(clause.to_owned(), |clause, lasts| clause.replace(lasts, ""));
        forms.other.is_match(&clause) || said::counts_lessons(&clause)
    };
    let timed = forms.time.is_match(sentence);
    let before = timed.then(|| forms.before.captures_iter(sentence));
    for captures in before.into_iter().flatten() {
        let Some(time) = minutes(&captures) else { continue };
        let from = captures.name("n").or(captures.name("half")).or(captures.name("quarters")).map_or(0, |n| n.start());
        let part = |name: &str| {
            captures.name(name).map(|part| part.as_str().trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        };
        // "In this 45-minute lesson you'll set one up."
        let follower = part("next").map(|next| next.split(['\'', '’']).next().unwrap_or_default().to_owned());
        let ends = captures
            .get(0)
            .is_some_and(|whole| sentence.get(whole.end()..).is_some_and(|rest| rest.starts_with(['-', '–'])));
        let which =
            sentence.get(..from).unwrap_or_default().trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
        let which = which.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').to_owned();
        // "Watch this 15-minute programme"
        let shown = part("work").is_some_and(|work| work.starts_with("program"))
            && ["atch", " shows", " that ", " from "].iter().any(|word| sentence.contains(word));
        if shown {
            continue;
        }
        // "This 90-minute lesson looks at the reason"
        // "In what remains of our 100-minute double lesson plot R", not "our 20-minute lesson plan"
        let plain = matches!(which.as_str(), "our" | "this")
            && matches!(part("lesson").as_deref(), Some("lesson" | "period" | "double"));
        let goes_on = |next: &str| {
            lists(FOLLOWERS, next)
                || which == "this" && next.len() > 4 && next.ends_with('s')
                || plain && !lists!(COMPOUNDS, next)
        };
        if follower.as_deref().is_some_and(|next| !goes_on(next)) || ends || other_before(from) {
            continue;
        }
        // "in a 15-minute activity" may be a part; "this 15-minute activity" is all of it.
        let own =
            title || matches!(which.as_str(), "this" | "our" | "whole" | "entire" | "full" | "today's" | "today’s");
        // "In a session" may be a part of it, "in one session" is all there is.
        let lesson = part("lesson").is_some_and(|lesson| {
            // What is longer than all of it is no part.
            which == "one"
                || time > duration + 5.0
                || !matches!(lesson.as_str(), "session" | "workshop" | "block" | "slot")
        }) && (which.is_empty()
            || lists!("a an one the single in within your available just short as into quick brief busy", &which));
        if !(own || lesson && time >= 15.0)
            || supposed(sentence, whole_end(&captures))
            || agrees(time, duration, hours(&captures))
        {
            continue;
        }
        return Some(made(&captures, time));
    }
    let plain = [&forms.takes].into_iter().chain(&forms.whole).map(|form| (form, 0.0));
    // What is said more loosely may be a part of the lesson, where it is short.
    let loose = said::FORMS.iter().map(|form| (form, 25.0));
    let forms_of_time = plain.chain(loose).filter(|_| timed);
    let all = forms_of_time.flat_map(|(form, least)| form.captures_iter(sentence).map(move |found| (found, least)));
    for (captures, least) in all {
        let Some(time) = minutes(&captures).filter(|time| *time >= least) else { continue };
        let start = captures.get(0).map_or(0, |whole| whole.start());
        let near = captures.name("near").map(|near| near.as_str().trim().to_lowercase());
        let near = near.or(hours(&captures).map(str::to_owned));
        let rest = captures.name("next").map(|next| next.as_str().trim().to_lowercase());
        // "takes 20 minutes per group", "lasts an hour longer"
        const PARTLY: &str =
            "per each a longer more less every old away late earlier later after before left between apart ago of";
        let partly = least == 0.0 && rest.is_some_and(|next| lists!(PARTLY, &next))
            || whole_of(&captures)
                .split_whitespace()
                .any(|word| lists!("longer shorter other next last second third further later", word));
        let to_do = least > 0.0
            && captures
                .name("next")
                .is_some_and(|next| matches!(next.as_str().trim(), "to" | "for" | "per" | "left" | "between" | "of"));
        if partly
            || to_do
            || supposed(sentence, whole_end(&captures))
            || other_before(start)
            || agrees(time, duration, near.as_deref())
        {
            continue;
        }
        return Some(made(&captures, time));
    }
    let at_the_end = said::TITLE.as_ref().filter(|_| title).and_then(|form| form.captures(sentence));
    if let Some((captures, time)) = at_the_end.and_then(|captures| minutes(&captures).map(|time| (captures, time)))
        && (20.0..=240.0).contains(&time)
        && !agrees(time, duration, None)
        && !other_before(captures.get(0).map_or(0, |whole| whole.start()))
    {
        return Some(made(&captures, time));
    }
    if let Some((time, range)) = said::by_the_clock(sentence)
        && !agrees(time, duration, Some("about"))
        && !other_before(range.start)
    {
        let quote = sentence.get(range).unwrap_or_default().to_owned();
        return Some(Claim { quote, minutes: Some(time), digits: None });
    }
    let captures = forms.double.captures(sentence)?;
    let (whole, which) = (captures.get(0)?, captures.name("which")?);
    // "A class room feels stuffy after a double lesson."
    let told = which.as_str() == "a"
        && captures
            .name("head")
            .is_some_and(|head| matches!(head.as_str().trim(), "after" | "before" | "than" | "like"));
    let spoilt = told || other_before(which.start()) || supposed(sentence, whole.end()) || duration >= 60.0;
    (!spoilt).then(|| Claim { quote: whole.as_str().to_owned(), minutes: None, digits: None })
}

fn whole_end(captures: &Captures) -> usize {
    captures.get(0).map_or(0, |whole| whole.end())
}

fn whole_of<'s>(captures: &Captures<'s>) -> &'s str {
    captures.get(0).map_or("", |whole| whole.as_str())
}

/// Whether what is said after these bytes of its clause is only supposed: "a double period would be better".
fn supposed(sentence: &str, at: usize) -> bool {
    let clause = sentence.get(at..).unwrap_or_default().split([',', ';', ':', '(', '—']).next().unwrap_or_default();
    clause.split_whitespace().take(4).any(|word| matches!(word, "could" | "would" | "might" | "may"))
}

/// "An hour" is said of 55 minutes too.
fn hours(captures: &Captures) -> Option<&'static str> {
    let in_minutes = captures.name("min").is_some() || captures.name("plus").is_some();
    (!in_minutes).then_some("an hour")
}

/// Whether a lesson of `duration` minutes can be said to take `time`, or nearly so.
fn agrees(time: f64, duration: f64, near: Option<&str>) -> bool {
    match near {
        Some("about" | "around" | "roughly" | "approximately" | "nearly" | "almost") => {
            (time - duration).abs() <= 0.15 * duration
        }
        Some("an hour" | "only" | "just" | "exactly") => (time - duration).abs() <= 5.0,
        Some("over" | "at least" | "more than") => duration >= time,
        Some("under" | "up to" | "at most" | "no more than" | "less than") => duration <= time,
        _ => (time - duration).abs() < 1.0,
    }
}

fn finding(text: &Text, tokens: &Range<usize>, claim: &Claim, duration: i64) -> Match {
    let path = FieldPath::root().child("durationMinutes");
    let reason = format!("\"{}\" does not fit a lesson of {duration} minutes.", shortened(&claim.quote));
    let mut found = conflict("duration_text", text.quote(tokens), Evidence::new(&path, duration.to_string()), reason)
        .suggesting("Give the lesson one length: change the text or the duration.");
    if let Some(minutes) = claim.minutes.filter(|minutes| minutes.fract() == 0.0 && *minutes >= 1.0) {
        found = found.mended_by(Mend { path, edit: Edit::Replace(json!(minutes as i64)) });
    }
    let start = text.tokens.get(tokens.start).map_or(0, |token| token.bytes.start);
    if let Some(digits) = &claim.digits {
        let range = start + digits.start..start + digits.end;
        let edit = Edit::Splice { range, text: duration.to_string() };
        found = found.mended_by(Mend { path: text.path.clone(), edit });
    }
    found
}

#[cfg(test)]
mod tests;
