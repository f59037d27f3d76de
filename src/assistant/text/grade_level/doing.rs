//! What a class is told to do, given or watched for here and now, which makes it the class of the lesson: "Have the
//! kindergartners lift the paper", "Listen for Year 10 students who …", "the eight-year-olds in this class".

use std::sync::LazyLock;

use regex::Regex;

use crate::assistant::facts::grades::{self, Level};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::numbers;
use crate::assistant::facts::patterns::compiled;

pub(super) type Pattern = LazyLock<Option<Regex>>;

pub(super) const PEOPLE: &str = r"(?:pupils?|students?|learners?|child(?:ren)?|kids?|class)";
const ROOM: &str = r"(?:lesson|class|classroom|group|lab|room|practical|workshop|activity|investigation|session)";

/// "… in this lesson", "… of our group"
static HERE: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:[\s-]{PEOPLE})?\s(?:(?:in|of|from|doing|taking)\s(?:this|today['’]s)|in\s(?:our|my|your))\s(?:\w+\s)?{ROOM}\b(?:$|[^-\w]\s*)"
    ))
});

/// "in our second-grade class", "for this Year 5 lesson"
static IN_OUR: Pattern = LazyLock::new(|| compiled(r"(?i)\bin\s(?:our|this|my)\s(?:own\s)?$"));
static THIS: Pattern = LazyLock::new(|| compiled(r"(?i)\b(?:for|of|with|throughout|during)\sthis\s$"));
static CLASS: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^[-\s](?:science\s|physics\s|chemistry\s|biology\s)?(?:class|classroom|lab|laboratory|room|practical)\b",
    )
});
static LESSON: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^[-\s](?:science\s|physics\s|chemistry\s|biology\s)?(?:class|lesson|practical|activity|investigation)\b",
    )
});

/// Words that make a class another one, wherever they stand in the sentence.
pub(super) static ELSEWHERE: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:next\sdoor|across\sthe|along\sthe|down\sthe|upstairs|downstairs|corridor|hall|hallway|playground|assembly|office|last\s(?:year|term|week)|next\s(?:year|term|week)|ago|budd(?:y|ies)|visit\w*|guests?|partners?\sfrom|younger|older|another|other\sclass|sisters?|brothers?|siblings?|cousins?|borrow\w*|lend|lent|return\w*|yesterday|tomorrow|later\sin|already|fair|helpers?|mentors?|leaders?|electives|split|mixed|story|imagine|pretend|video|interview|book)\b",
    )
});

/// "Have the …", "Let every …": they do what comes next.
static CAUSED: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:!?,—–]\s*|\b(?:then|and|now|first|next|finally|to)\s)(?:have|let|help|get|allow|ask|remind|tell|encourage|make|watch)\s(?:(?:all|each|any)\sof\s)?(?:the|your|our|my|any|every|each|all)\s(?:\w+\s)?$",
    )
});
static DO: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?ix)^(?:[\s-]{PEOPLE})?\s(?:to\s)?(?:lift|choose|pick|touch|trace|paint|stick|tape|stir|tip|turn|mark|tell|say|whisper|call|circle|tick|colou?r|glue|peel|sketch|estimate|guess|pair|swap|check|blow|squeeze|roll|push|pull|shake|rub|smell|peek|open|close|connect|fill|empty|drip|fold|tie|trim|repeat|decide|argue|debate|titrate|calibrate|rinse|wipe|blow|balance|fit|set|light|heat|cool|crush|grind|filter|dissolve|examine|inspect|explore|handle|practi[sc]e|rehearse|perform)\s
            (?:the|a|an|their|his|her|each|one|two|three|it|them|what|which|how|whether|in|with|until|for|by|at|on|out|up)\b"
    ))
});
/// "any Year 1 who is nervous"
static ANY: Pattern = LazyLock::new(|| compiled(r"(?i)\b(?:any|each|every|a)\s(?:\w+\s)?$"));
static WHO: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:\s{PEOPLE})?\s(?:who|that)\s(?:is|has|needs?|finds?|wants?|cannot|can['’]?t|can|struggles?|feels?|gets?|finishes)\b"
    ))
});

/// "Hand the Year 12s one loupe per pair"
static HANDED: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:!?]\s|\b(?:then|and|now|first|next)\s)(?:hand|give|pass|deal|issue|offer|supply)\s(?:(?:all|each|every)\s)?(?:(?:of\s)?(?:the|your|our|my)\s)?$",
    )
});
static SHARED: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:[\s-]{PEOPLE})?\s(?:a|an|one|two|three|four|five|six|\d+)\s(?:[\w-]+\s){{0,4}}?(?:per|each|apiece|(?:for|to)\s(?:every|each))\b"
    ))
});

/// "Listen for Year 10 students who …"
static WATCHED: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:!?]\s|\b(?:and|then)\s)(?:(?:listen|look|watch)\s(?:out\s)?for|note|credit|praise|reward|check\s(?:that|whether|if|how)|see\s(?:whether|if|how|that)|notice\s(?:which|how|whether))\s(?:(?:any|the|those|which|our|your|all|each|every)\s)*$",
    )
});
static AS_THEY: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:[\s-]{PEOPLE})?\s(?:who|that|to|us(?:e|es|ing)|can|mix(?:es|ing)?|explain(?:s|ing)?|say(?:s|ing)?|names?|naming)\b"
    ))
});

/// "each nursery child's journal", "in every third grader's notebook"
static EACH: Pattern = LazyLock::new(|| compiled(r"(?i)(?:^|\s)(?:each|every)\s(?:\w+\s)?$"));
static WHOSE: Pattern = LazyLock::new(|| compiled(&format!(r"(?i)^(?:\s{PEOPLE})?(?:['’]s?)\s")));

/// "Most of my Year 2 children think", "those of us seventh graders"
static SOME_OF_OURS: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:,!?]\s)(?:most|all|some|many|each|every\sone|several|half|none|both|those|one|two|three|a\sfew)\sof\s(?:my|our|us|these|you)\s(?:\w+\s)?$",
    )
});

/// "the child in", "every pupil from": where the class stands after its people.
static MEMBER: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:]\s)(?:the|every|each|all|all\sthe|our|any)\s(?:child(?:ren)?|pupils?|students?|learners?|one|class)\s(?:in|of)\s$",
    )
});
static HAS: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^\s(?:has|have|gets?|takes?|will|can|should|must|shows?|says?|sorts?|draws?|makes?|tells?|names?|points?|chooses?|holds?|feels?)\s",
    )
});

/// "like you", "such as us", right after the class.
static LIKE_YOU: Pattern = LazyLock::new(|| {
    compiled(&format!(r"(?i)^(?:[\s-]{PEOPLE})?,?\s(?:just\s)?(?:like|such\sas)\s(?:you|us|yourselves|ourselves)\b"))
});

pub(super) fn is(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// "Fourth graders like you found sand in their shoes"
pub(super) fn is_like_the_reader(after: &str) -> bool {
    after.contains("like") && is(&LIKE_YOU, after)
}

/// Whether the class is at work in this lesson, by the words of its sentence before and after its name.
pub(super) fn is_at_work(text: &Text, level: &Level, before: &str, after: &str, people: bool) -> bool {
    if is(&ELSEWHERE, before) || is(&ELSEWHERE, after) {
        return false;
    }
    let room = is(&IN_OUR, before) && is(&CLASS, after) || is(&THIS, before) && is(&LESSON, after);
    let member = is(&MEMBER, before) && is(&HAS, after);
    let singular = is(&ANY, before) && is(&WHO, after) || is(&EACH, before) && is(&WHOSE, after);
    if room || member || singular && !matches!(text.role, Role::Hypothesis) {
        return true;
    }
    // "(for Year 13) the place where an animal lives"
    let headed = match before.trim() {
        "(for" | "(For" => after.starts_with(')') && after.len() > 1,
        "For" | "for" => after.starts_with(':') || people && after.starts_with(" who "),
        _ => false,
    };
    let alone = || grades::named(text.text).iter().all(|other| other.bytes == level.bytes);
    let given = is(&CAUSED, before) && is(&DO, after)
        || is(&HANDED, before) && is(&SHARED, after)
        || is(&WATCHED, before) && is(&AS_THEY, after)
        || is(&SOME_OF_OURS, before)
        || is(&HERE, after);
    headed && alone() || people && given
}

/// "the eight-year-olds in this class", "Learners of 6 and 7 estimate …"
static AGED: Pattern = LazyLock::new(|| {
    const AGE: &str =
        "four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen";
    compiled(&format!(
        r"(?i)\b(\d{{1,2}}|{AGE})[-\s]year[-\s]olds\s(?:in|of)\s(?:this|our|my)\s(?:class|lesson|group|room|workshop|practical)\b|(?:^|[.!?]\s)(?:the\s|our\s|all\s)?(?:learners|children|pupils|students|kids)\s(?:of|aged)\s(\d{{1,2}}|{AGE})\s?(?:and|to|or|-|–)\s?(\d{{1,2}}|{AGE})\s(?:will|measure|record|build|test|sort|draw|count|compare|plant|make|work|observe|use|weigh|pour|mix|explore|find|learn|choose|match|name|label|cut|blow|roll|look|listen|feel|tell|predict|estimate|calculate|plot|read|write|study|investigate)\s",
    ))
});

/// The classes in which pupils of the ages are that work here.
pub(super) fn aged(text: &str) -> Option<Level> {
    let may = ["year", "earners", "hildren", "upils", "tudents", "ids"].iter().any(|word| text.contains(word));
    if !may || !(text.contains("old") || text.contains(" of ") || text.contains(" aged ")) || is(&ELSEWHERE, text) {
        return None;
    }
    let captures = AGED.as_ref()?.captures(text)?;
    let age = |place: usize| {
        let written = captures.get(place)?.as_str().to_lowercase();
        written.parse::<i64>().ok().or_else(|| numbers::small_number(&written).map(|age| age as i64))
    };
    let from = age(1).or_else(|| age(2)).filter(|age| (4..=18).contains(age))?;
    let to = age(3).unwrap_or(from);
    // "Pupils of 2 and 3 groups", "of 12 to 4"
    (from..=from + 4).contains(&to).then(|| Level {
        low: from - 6,
        high: to - 4,
        year: false,
        bytes: captures.get(0).map(|all| all.range()).unwrap_or_default(),
        number: None,
    })
}

/// "Seniors will assign oxidation numbers", "As juniors, students submit a graph": the last years of an American school.
static LAST_YEARS: Pattern = LazyLock::new(|| {
    compiled(
        r"(?:^|[.!?]\s)(?:As\s(seniors|juniors),\s(?:students|you|we)|(Seniors|Juniors)\s(?:will\s(?:calculate|derive|design|titrate|measure|record|submit|determine|plot)|calculate|derive|balance|assign|plot|explain|design|submit|complete|record|sketch|graph|determine|titrate|evaluate|defend|compile|dissect|hand\sin|turn\sin|analy[sz]e))\b",
    )
});

/// The class of those who are called seniors or juniors.
pub(super) fn last_years(text: &str) -> Option<Level> {
    if !text.contains("niors") || is(&ELSEWHERE, text) {
        return None;
    }
    let captures = LAST_YEARS.as_ref()?.captures(text)?;
    let name = captures.get(1).or(captures.get(2))?;
    Some(Level { low: 9, high: 13, year: false, bytes: name.range(), number: None })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(grade: &Value, text: &str) -> usize {
        let content = json!({"grade": grade, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_class_at_work_is_that_of_the_lesson() {
        let mut missed = Vec::new();
        for (grade, text) in [
            (json!(4), "Have the kindergartners lift the paper and whisper what they see."),
            (json!("Year 6"), "Hand the Year 12s one loupe per pair and let them argue."),
            (json!("Year 1"), "Listen for Year 10 students who use the word 'waterproof'."),
            (json!(11), "A plant breathes out water, in the words we use in our second-grade class."),
            (json!("Grade 12"), "Several of the eight-year-olds in this class have seen the swing."),
            (json!("Grade 12"), "Learners of 6 and 7 estimate the Young modulus."),
            (json!("Year 9"), "Help any Year 1 who is nervous by letting him look first."),
            (json!("S3"), "A sticky note goes in each nursery child's learning journal."),
            (json!("Year 9"), "Most of my Year 2 children think the biggest ball bounces best."),
            (json!("Year 11"), "Every child in Reception has a turn at holding the ice hand."),
            (json!("Transition Year"), "The child in Senior Infants will sort a tray of objects."),
            (json!("Year 2"), "(for Year 13) the place where an animal or plant lives"),
            (json!("Year 4"), "The Sixth Formers in this lesson calibrate their own first."),
            (json!("Grade 2"), "As juniors, students submit a linearised graph."),
            (
                json!(3),
                "Give each of our ninth graders a splint to share? No: give the ninth graders two splints each.",
            ),
            (json!("Year 12"), "Look out for the Year 3s who mix up heat and temperature."),
            (json!(9), "Let every second grader choose a shell."),
            (json!("Kindergarten"), "Fourth graders like you found sand in their shoes."),
            (json!(5), "For seventh-graders who walk to school: why is there salt on the road?"),
            (json!("Year 11"), "Show the class list of this Year 4 lesson; for this Year 4 lesson we need string."),
        ] {
            if found(&grade, text) != 1 {
                missed.push(text);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn a_class_that_does_something_elsewhere_is_not() {
        let mut wrong = Vec::new();
        for (grade, text) in [
            (json!("4th class"), "Stretch a balloon; 6th class will have taken theirs off the windowsill by Tuesday."),
            (json!("Year 4"), "Read the interview with the Year 11 student who found a bone."),
            (json!("12th grade"), "Invite the eighth graders who are choosing electives."),
            (json!("Year 5"), "Drop each while a Year 6 playground leader keeps the area clear."),
            (json!(4), "Let the kindergartners go out first."),
            (json!("Year 4"), "Hand the Year 9s their bench back."),
            (json!(6), "Learners of 2 and 3 groups may swap."),
            (json!("Year 9"), "Give the Year 6 visitors a badge each."),
            (json!("Year 9"), "In our Year 7 class last year we used sand."),
            (json!(3), "Seniors at the care home will be glad of the cards."),
            (json!("Fifth Year"), "Sixth Year classes will have the balances until 11."),
            (json!("1st Year"), "First Years plan a fair test."),
            (json!(9), "Ask the fifth graders across the hall to lift the lid."),
            (json!(9), "Put it beside each fifth grader's poster in the corridor."),
            (json!("Ages 8-9"), "Children of eight and nine look for a link."),
        ] {
            if found(&grade, text) != 0 {
                wrong.push(text);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
