//! A length that is bound to the lesson by what happens at its ends: "three-quarters of an hour after we walk in, we walk out",
//! "arrive at nine and leave at half past ten", "halfway through the lesson when 20 minutes have passed".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Claim, TIME, agrees, minutes};
use crate::assistant::facts::lesson::Role;
use crate::assistant::facts::numbers::small_number;
use crate::assistant::facts::patterns::compiled;
use crate::assistant::facts::phrases::lists;

/// What a class calls the time it has, whatever else it is said to be.
const LESSON: &str = r"(?:lesson|class(?:\s(?:period|time|hour))?|period|(?:science|lab|class|school|teaching|club)\s(?:hour|slot|block)|lab|practical|slot|block|sitting)";
/// Coming in.
const ENTER: &str = r"(?:(?:we|you|they|everyone|everybody|pupils|students|children|learners)\s(?:all\s)?(?:walk|come|came|get|got|step|file|arrive|enter|sit|troop|start)(?:ed|d|s)?\b|(?:first|starting|opening|start|morning)\sbell|the\s(?:start|beginning|first)\b)";
/// Going out.
const EXIT: &str = r"(?:\bbell\s(?:goes|rings|sounds|comes|calls|ends|frees)|(?:the|our|this|your)\s(?:lesson|class|period|session|lab)\s(?:is\s(?:over|done|at\san\send|finished)|ends|finishes|stops|closes)|next\s(?:class|group)\s(?:is\s(?:at|waiting|due)|comes|arrives|takes|needs|stands|wants)|(?:we|you|they|everyone|pupils|students)\s(?:all\s)?(?:(?:will|must|have\sto|need\sto|can)\s)?(?:walk|go|file|step|move|troop)\s(?:out|home)(?:\sagain)?\s*(?:[,.;!)]|$)|(?:we|you|they)\s(?:are|'re|’re)\sout\b|(?:collected|handed\sin|due|taken\sin)\s(?:at\sthe\sdoor|as\syou\s(?:leave|go)|on\sthe\sway\sout)|(?:we|you|everyone|pupils|students)\s(?:must\s|have\sto\s)?leaves?\s*(?:[,.;!)]|$|at\b|(?:the|this)\s(?:room|lab|hall|building)\b)|last\sbell|the\sroom\sis\s(?:needed|taken|wanted)|(?:bell|first)\sto\sthe\slast)";

struct Forms {
    time: Regex,
    /// A number with what tells its hours no closer: "two full hours".
    full: Regex,
    lesson: Regex,
    enter: Regex,
    exit: Regex,
    /// Halfway through.
    half: Regex,
    /// What is only a part, or of something else.
    part: Regex,
    times: Regex,
    whole: [Regex; 6],
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: &str| compiled(&format!("(?ix){pattern}"));
    Some(Forms {
        time: read(TIME)?,
        full: read(
            r"\b(\d{1,3}|one|two|three|four|ten|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|seventy|eighty|ninety|a|an)\s(?:full|whole|solid|long|precious|good|short|mere)\s(hours?|minutes?|hour-and|half|three)\b",
        )?,
        lesson: read(&format!(
            r"\b(?P<which>an?|one|our|this|the|my|your|single|whole|entire|today['’]s)\s(?:(?:[a-z]+\s){{0,2}}?){TIME}[-\s](?:long[-\s])?(?:[a-z]+[-\s])?{LESSON}\b(?P<next>\s[\w’']+)?"
        ))?,
        enter: read(&format!(r"\b{ENTER}"))?,
        exit: read(EXIT)?,
        half: read(
            r"\b(?:(?:lesson|class|period|session|lab|practical)\s(?:is|will\sbe)\s(?:now\s)?half\s(?:over|done|gone|through)|half-?\s?way\sthrough\s(?:the|our|this|your)\s(?:lesson|class|period|session|lab|practical)|half\s(?:the|of\sthe|of\sour|our|your|this)\s(?:lesson|period|session)\s(?:is|has|will))",
        )?,
        part: read(
            r"\b(?:before|until|till|left|remaining|remain|to\sgo|last|homework|film|video|clip|break|recess|lunch|if|unless|would|could|might|may|per|each|every|another|other|next\slesson|previous|second|two\slessons|instead|rather|longer|shorter|extra|apart|later|at\shome|match|journey|train|flight|school\sday|ice|bake|boil|rest)\b",
        )?,
        times: read(r"\b(\d)\s?[x×*]\s?(\d{2})[-\s]?min")?,
        whole: [
            // "80 minutes all told", "in under 40 minutes, tidying included"
            read(&format!(
                r"\b(?P<lead>in|within|inside|takes?|needs?|lasts?|is|for|under|about|than)\s(?:only\s|just\s|under\s|about\s)?{TIME},?\s(?:all\stold|(?:with\s)?(?:the\s)?(?:tidying|clearing|cleaning|packing|clean)[-\s]?(?:up|away)?\sincluded|(?:including|counting)\s(?:the\s)?(?:tidying|clearing|cleaning|packing|clean)|from\sstart\sto|from\sfirst\sto|door\sto\sdoor)"
            ))?,
            // "the hour and a quarter that you are here"
            read(&format!(
                r"\b(?:{TIME}|(?P<bare>hour)(?:\sand\sa\s(?P<over>half|quarter))?)\s(?:that\s|which\s|in\swhich\s)?(?:we|you|they|the\s(?:class|pupils|students|children))\s(?:are|spend|will\sbe)\s(?:here|together|in\sthe\s(?:lab|room|class|classroom|hall)|with\s(?:us|me))\b"
            ))?,
            // "since we are together for two hours"
            read(&format!(
                r"\b(?:we|you|they|the\s(?:class|pupils|students|children))\s(?:are|will\sbe|'ll\sbe|spend|stay)\s(?:here|together|in\sthe\s(?:lab|room|classroom|hall)|with\s(?:us|me))\s(?:for\s)?(?:only\s|just\s)?{TIME}"
            ))?,
            // "Double lesson (80 min)", "One period of 40 minutes"
            read(&format!(
                r"\b(?:double|single|one|this|our|lab|science)\s(?:[a-z]+\s)?(?:{LESSON}|lesson|period|session)\s?(?:[(\[,–:]\s?(?:of\s)?|of\s|lasting\s){TIME}"
            ))?,
            // "three-quarters of an hour from the first bell to the last"
            read(&format!(
                r"\b{TIME}\s(?:from|between)\s(?:the\s)?(?:first\sbell|bell|first)\s(?:to|and|till|until)\s(?:the\s)?(?:last|second|final|next|bell)\b"
            ))?,
            // "the lesson gives you", "there are 80 minutes on the timetable for this"
            read(&format!(r"\b{TIME}\s(?:on|in|from)\s(?:the|our|your)\s(?:timetable|schedule|rota)\b"))?,
        ],
    })
});

fn claim(captures: &Captures, time: f64) -> Claim {
    let quote = captures.get(0).map_or("", |whole| whole.as_str()).trim().to_owned();
    Claim { quote, minutes: Some(time), digits: None }
}

/// A claim that the lesson has another length, from what happens at its ends.
pub(super) fn more(role: Role, sentence: &str, duration: f64) -> Option<Claim> {
    let forms = FORMS.as_ref()?;
    let plain = forms.full.replace_all(sentence, "$1 $2");
    let claim = read(forms, role, &plain, duration)?;
    // The words are quoted as they stand: "two full hours".
    let quote = if sentence.contains(&claim.quote) { claim.quote } else { sentence.trim().to_owned() };
    Some(Claim { quote, ..claim })
}

fn read(forms: &Forms, role: Role, sentence: &str, duration: f64) -> Option<Claim> {
    if sentence.contains('?') && role != Role::DrivingQuestion {
        return None;
    }
    let other = |captures: &Captures, near: Option<&str>| {
        let time = minutes(captures)?;
        let near = near.or(super::hours(captures));
        ((20.0..=300.0).contains(&time) && !agrees(time, duration, near)).then_some(time)
    };
    let lower = sentence.to_lowercase();
    // "We are in the lab for 25 minutes, then we go outside"
    let goes_on = || {
        let after = lower.replace("first bell", "bell");
        ["then ", "the first ", "afterwards", "outside"].iter().any(|word| after.contains(word))
    };
    by_adjectives(forms, sentence, &other)
        .or_else(|| {
            let mut whole = forms.whole.iter().filter_map(|form| form.captures(sentence));
            whole.find_map(|captures| {
                let before = sentence.get(..captures.get(0)?.start()).unwrap_or_default();
                let spoilt = is_spoilt(forms, before) || is_counted(before) || counts(&captures) || goes_on();
                other(&captures, None).filter(|_| !spoilt).map(|time| claim(&captures, time))
            })
        })
        .or_else(|| between_ends(forms, sentence, &other))
        .or_else(|| halfway(forms, sentence, &lower, duration))
        .or_else(|| several(forms, sentence, &lower, duration))
        .or_else(|| by_clock_words(sentence, &lower, duration))
}

/// Whether a sentence tells of a part, or of another lesson.
fn is_spoilt(forms: &Forms, words: &str) -> bool {
    forms.part.is_match(words)
}

fn is_counted(before: &str) -> bool {
    super::said::counts_lessons(before) || before.trim_end().ends_with(['x', '×'])
}

/// "Six periods of 40 minutes" are several.
fn counts(captures: &Captures) -> bool {
    captures.get(0).is_some_and(|whole| {
        ["two l", "two p", "two s", "two c"].iter().any(|two| whole.as_str().to_lowercase().contains(two))
    })
}

/// "An ordinary fifty-minute period", "our usual forty-minute science hour"
fn by_adjectives(
    forms: &Forms,
    sentence: &str,
    other: &impl Fn(&Captures, Option<&str>) -> Option<f64>,
) -> Option<Claim> {
    forms.lesson.captures_iter(sentence).find_map(|captures| {
        let whole = captures.get(0)?;
        let from = captures.name("n").or(captures.name("half")).or(captures.name("quarters"))?.start();
        let lead = sentence.get(whole.start()..from).unwrap_or_default();
        let follower = captures.name("next").map(|next| next.as_str().trim().to_lowercase());
        let next = follower.is_none_or(|next| lists!(super::FOLLOWERS, &next));
        let before = sentence.get(..whole.start()).unwrap_or_default();
        let clause = before.rsplit([',', ';', ':', '(', '—']).next().unwrap_or(before);
        let hyphen = sentence.get(whole.end()..).is_some_and(|rest| rest.starts_with(['-', '–']));
        let plain = clause.to_lowercase().replace("usual", "").replace("normal", "");
        let others = super::FORMS.as_ref().is_none_or(|forms| forms.other.is_match(&plain));
        let spoilt = others
            || is_spoilt(forms, lead)
            || lead
                .split_whitespace()
                .any(|word| lists!("for per until quiz video first whole-school of in and weekly", word))
            || is_spoilt(forms, clause)
            || ["unlike", "than", "instead", " not ", "half of", "part of", "rest of", "no "]
                .iter()
                .any(|no| before.to_lowercase().contains(no));
        (next && !hyphen && !spoilt && !supposed(sentence, whole.end()))
            .then(|| other(&captures, None).map(|time| claim(&captures, time)))
            .flatten()
    })
}

/// "Three-quarters of an hour after we walk in, we walk out again"
fn between_ends(
    forms: &Forms,
    sentence: &str,
    other: &impl Fn(&Captures, Option<&str>) -> Option<f64>,
) -> Option<Claim> {
    let exit = forms.exit.find(sentence)?;
    let mut all = forms.time.captures_iter(sentence);
    let captures = all.next().filter(|_| all.next().is_none())?;
    let time = captures.get(0)?;
    let (before, after) = (sentence.get(..time.start())?, sentence.get(time.end()..)?);
    let led = before.to_lowercase();
    let led = led.trim_end().rsplit(' ').take(3).any(|word| matches!(word, "after" | "at" | "in" | "within"));
    let bound =
        forms.enter.is_match(sentence) || led || after.trim_start().starts_with("in,") || after.starts_with(" in ");
    let kept = is_spoilt(forms, before) || is_spoilt(forms, after.split([';', '.']).next().unwrap_or(after));
    // Further off, another thing ends then.
    let far = exit.start().abs_diff(time.start()) > 90;
    (bound && !kept && !far).then(|| other(&captures, None).map(|time| claim(&captures, time))).flatten()
}

/// "With twenty minutes gone you are halfway through the lesson"
fn halfway(forms: &Forms, sentence: &str, lower: &str, duration: f64) -> Option<Claim> {
    forms.half.find(sentence)?;
    let mut all = forms.time.captures_iter(sentence);
    let captures = all.next().filter(|_| all.next().is_none())?;
    let time = 2.0 * minutes(&captures)?;
    let spoilt = ["until", "for ", "first", "if "].iter().any(|part| lower.contains(part));
    ((time - duration).abs() > 0.2 * duration && (20.0..=300.0).contains(&time) && !spoilt)
        .then(|| claim(&captures, time))
}

/// "2 x 45 min back to back"
fn several(forms: &Forms, sentence: &str, lower: &str, duration: f64) -> Option<Claim> {
    let captures = forms.times.captures(sentence)?;
    let number = |at: usize| captures.get(at)?.as_str().parse::<f64>().ok();
    let time = number(1)? * number(2)?;
    let joined = ["back to back", "back-to-back", "double", "block", "in a row", "together"]
        .iter()
        .any(|part| lower.contains(part));
    let apart = ["week", "days", "lessons over", "unit"].iter().any(|part| lower.contains(part));
    let lesson = ["lesson", "period", "class", "session", "slot"].iter().any(|part| lower.contains(part));
    (joined && lesson && !apart && (time - duration).abs() > 5.0).then(|| claim(&captures, time))
}

/// "You arrive at nine and leave at half past ten"
fn by_clock_words(sentence: &str, lower: &str, duration: f64) -> Option<Claim> {
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != ':' && c != '.')
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let place =
        |list: &str, from: usize| (from..words.len()).find(|at| words.get(*at).is_some_and(|word| lists(list, word)));
    let enters = place("arrive arrives come comes start starts begin begins enter enters meet meets", 0)?;
    let leaves = place("leave leaves finish finishes end ends stop stops go goes close closes", enters + 1)?;
    let class = words.iter().any(|word| lists!("we you pupils students class lesson children everyone", word));
    let other =
        words.iter().any(|word| lists!("train bus shop school museum film plane office every usually if", word));
    let people = words
        .get(enters.wrapping_sub(1))
        .is_some_and(|word| lists!("we you pupils students class lesson children everyone they", word));
    if !class || !people || other || leaves > enters + 14 {
        return None;
    }
    let clock =
        |from: usize, to: usize| (from..to.min(words.len())).find_map(|at| clock(words.get(at..to.min(words.len()))?));
    let (from, to) = (clock(enters + 1, leaves)?, clock(leaves + 1, leaves + 7)?);
    let time = (to - from).rem_euclid(12.0 * 60.0);
    ((15.0..=300.0).contains(&time) && (time - duration).abs() > 5.0).then(|| Claim {
        quote: sentence.trim().to_owned(),
        minutes: Some(time),
        digits: None,
    })
}

/// The minutes of a time of day that begins these words: "at nine", "half past ten", "quarter to two", "at 9:15".
fn clock(words: &[&str]) -> Option<f64> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let hour = |at: usize| {
        let number = small_number(word(at)).or_else(|| word(at).parse::<f64>().ok())?;
        (1.0..=12.0).contains(&number).then_some(number * 60.0)
    };
    let past = |at: usize| matches!(word(at), "past" | "after");
    match word(0) {
        "half" if past(1) => hour(2).map(|hour| hour + 30.0),
        "quarter" if past(1) => hour(2).map(|hour| hour + 15.0),
        "quarter" if word(1) == "to" => hour(2).map(|hour| hour - 15.0),
        "at" | "till" | "until" | "by" => {
            let (hours, minutes) = word(1).split_once([':', '.']).unwrap_or((word(1), ""));
            if let (Ok(hours), Ok(minutes)) = (hours.parse::<f64>(), minutes.parse::<f64>()) {
                return ((1.0..=23.0).contains(&hours) && minutes < 60.0).then_some(hours * 60.0 + minutes);
            }
            (!past(2)).then(|| hour(1)).flatten()
        }
        _ => None,
    }
}

pub(super) fn whole_end(captures: &Captures) -> usize {
    captures.get(0).map_or(0, |whole| whole.end())
}

pub(super) fn whole_of<'s>(captures: &Captures<'s>) -> &'s str {
    captures.get(0).map_or("", |whole| whole.as_str())
}

/// Whether what is said after these bytes of its clause is only supposed: "a double period would be better".
pub(super) fn supposed(sentence: &str, at: usize) -> bool {
    let clause = sentence.get(at..).unwrap_or_default().split([',', ';', ':', '(', '—']).next().unwrap_or_default();
    clause.split_whitespace().take(4).any(|word| matches!(word, "could" | "would" | "might" | "may"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn what_happens_at_both_ends_tells_how_long_it_is() {
        for (minutes, field, text) in [
            (
                100,
                "assessment",
                "Designed for an ordinary fifty-minute period, so the graph is handed in as you leave.",
            ),
            (80, "steps", "Mind the clock: three-quarters of an hour after we walk in, we walk out again."),
            (90, "curriculum", "Fits our usual forty-minute science hour"),
            (60, "assessment", "Collected at the door, thirty minutes after the starting bell."),
            (40, "phenomenon", "You arrive at nine and leave at half past ten."),
            (30, "curriculum", "Lab lesson (2 x 45 min back to back)"),
            (75, "assessment", "The bell goes forty minutes in, so the exit card is short."),
            (80, "curriculum", "One period of 40 minutes, Year 8"),
            (40, "curriculum", "Double lesson (80 min)"),
            (60, "phenomenon", "From the moment you come in to the moment you go out, 100 minutes will pass."),
            (45, "assessment", "Since we are together for two full hours, everyone presents."),
            (70, "steps", "The lesson is half over when 20 minutes have passed: change roles."),
            (50, "assessment", "Marks are given for what you get done in the hour and a quarter that you are here."),
            (90, "steps", "There are three-quarters of an hour from the first bell to the last."),
        ] {
            assert_eq!(count(minutes, field, text), 1, "{text}");
        }
    }

    #[test]
    fn what_happens_at_other_ends_does_not() {
        for (minutes, field, text) in [
            (90, "assessment", "Homework: a 40-minute revision sheet."),
            (60, "curriculum", "Unit of six 45-minute lessons"),
            (60, "steps", "With twenty minutes gone, swap roles."),
            (50, "steps", "Thirty minutes after mixing, pour it out."),
            (60, "assessment", "A quiz of 15 minutes ends the lesson."),
            (60, "phenomenon", "The train leaves at nine and arrives at half past ten."),
            (60, "steps", "The water is half frozen when 20 minutes have passed."),
            (75, "assessment", "The test lasts forty minutes."),
            (60, "steps", "Twenty minutes before the bell goes, start to tidy up."),
            (60, "steps", "When the bell goes you have 30 minutes left."),
            (60, "steps", "Ten minutes after you come in, the film starts; it lasts 25 minutes."),
            (60, "curriculum", "Taught in two periods of 30 minutes each"),
            (60, "steps", "Stir for 25 minutes; you leave the spoon in."),
            (60, "steps", "You leave the beaker in the sun for 45 minutes."),
            (60, "steps", "After 30 minutes we go out to the pond and count."),
            (60, "steps", "We are in the lab for 25 minutes, then we go outside."),
            (60, "steps", "The egg stays in vinegar for 40 minutes in total."),
            (60, "steps", "Half the class has 15 minutes at the microscopes."),
            (60, "steps", "Stations, 3 x 10 min in a row."),
            (60, "phenomenon", "The tide comes in at 9:15 and goes out at 11:45, as you can see."),
            (50, "phenomenon", "Unlike a 90-minute lesson, this one is short."),
        ] {
            assert_eq!(count(minutes, field, text), 0, "{text}");
        }
    }
}
