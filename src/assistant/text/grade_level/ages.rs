//! The ages of the pupils whom a lesson is for, and the school that they are about to leave: "children of five and six",
//! "learners are only eight years old", "before they leave us for secondary school".

use std::sync::LazyLock;

use crate::assistant::facts::grades::Level;
use crate::assistant::facts::numbers;
use crate::assistant::facts::patterns::compiled;

use super::doing::{ELSEWHERE, Pattern, is};
use super::owned;

/// An age, in digits or in words.
const AGE: &str = r"(?:\d{1,2}|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen)";
const TO: &str = r"\s?(?:-|–|to|and|or)\s?";

/// "Suitable for 14-year-olds", "a workshop for pupils aged 7 to 8", "(for children of five and six)"
static AGES: Pattern = LazyLock::new(|| {
    const PEOPLE: &str = "(?:pupils|students|children|learners|kids|scientists|explorers)";
    compiled(&format!(
        r"(?ix)(?: \b(?:suitable|suited|written|designed|meant|intended|aimed|planned|pitched|ideal|appropriate|recommended|lesson|workshop|activity|investigation|practical)\s(?:for|at)\s
                | (?:^|\()for\s | ^as\s | \b(?:our|my|these|you|we)\s )
            (?:(?:use\swith|the|all|our|young|{PEOPLE})\s){{0,3}}
            (?: (?:aged?|ages)\s(?:between\s|from\s)?({AGE})(?:{TO}({AGE}))?\b
              | ({AGE})(?:{TO}({AGE}))?[-\s]years?[-\s]olds\b )
        | (?:^|\()(?:for\s)?ages\s({AGE})(?:{TO}({AGE}))?(?:\)|$)
        | (?:^|\(|\b(?:written|designed|meant|intended|suitable|lesson|workshop|activity)\s)for\s(?:the\s|our\s|young\s)?{PEOPLE}\sof\s({AGE})(?:{TO}({AGE}))?(?:[).,;:!]|$)"
    ))
});

/// "Learners are only eight years old, so …", "At six years old, pupils …"
static ARE_OLD: Pattern = LazyLock::new(|| {
    const WHO: &str = r"(?:pupils|students|children|learners|kids|participants|you|we)";
    compiled(&format!(
        r"(?ix)(?:^|[.;:,(—–]\s*|\b(?:as|because|since|and|but)\s)
            (?: (?:(?:(?:the|our|my|your|all|these|most|of)\s){{1,3}}{WHO}|(?:pupils|students|children|learners|kids)\s(?:here|in\sth(?:is|e)\s(?:class|group|room))|learners|you|we)\s(?:(?:here|in\sth(?:is|e)\s(?:class|group|room))\s)?(?:are|['’]re)\s(?:(?:only|just|all|still|mostly|barely|about)\s){{0,2}}({AGE})(?:{TO}({AGE}))?\syears\s(?:old|of\sage)\b
              | at\s(?:only\s|just\s)?({AGE})(?:{TO}({AGE}))?\syears\s(?:old|of\sage),\s(?:the\s|our\s|your\s|these\s)?{WHO}\b )"
    ))
});

/// The first age of a match, and the last.
fn span(captures: &regex::Captures) -> Option<(i64, i64)> {
    let mut ages = captures.iter().skip(1).flatten().filter_map(|written| {
        let written = written.as_str().to_lowercase();
        written.parse::<i64>().ok().or_else(|| numbers::small_number(&written).map(|age| age as i64))
    });
    let from = ages.next().filter(|age| (4..=18).contains(age))?;
    Some((from, ages.next().filter(|to| *to > from).unwrap_or(from)))
}

/// The classes in which pupils of the ages are that a text says it is for: in America a year later than in Britain.
pub(super) fn of_pupils(text: &str) -> Option<Level> {
    if !["age", "Age", "year", " of "].iter().any(|part| text.contains(part)) || owned::is_of_others(text) {
        return None;
    }
    let are_old = || ARE_OLD.as_ref().filter(|_| text.contains("years o") && !is(&ELSEWHERE, text))?.captures(text);
    let captures = AGES.as_ref()?.captures(text).or_else(are_old)?;
    let (from, to) = span(&captures)?;
    Some(Level { low: from - 6, high: to - 4, year: false, bytes: captures.get(0)?.range(), number: None })
}

/// "nine-year-olds", "twelve- and thirteen-year-olds", who are a class as "fourth graders" are: what stands around tells
/// whether they are this one.
pub(super) fn years_old(text: &str) -> Vec<Level> {
    static YEARS_OLD: Pattern =
        LazyLock::new(|| compiled(&format!(r"(?i)\b(?:({AGE})-?\s(?:and|to|or)\s)?({AGE})[-\s]years?[-\s]olds\b")));
    let Some(pattern) = YEARS_OLD.as_ref().filter(|_| text.contains("olds")) else { return Vec::new() };
    let level = |captures: regex::Captures| {
        let (from, to) = span(&captures)?;
        let bytes = captures.get(0)?.range();
        Some(Level { low: from - 6, high: to - 4, year: false, bytes, number: None })
    };
    pattern.captures_iter(text).filter_map(level).collect()
}

/// "before they leave us for secondary school", "their last project before they move up to middle school"
static LEAVING: Pattern = LazyLock::new(|| {
    const THEY: &str = r"(?:they|you|we|(?:the\s|our\s)?(?:pupils|children|students|learners|class))";
    const SCHOOL: &str = r"(?:the\s|their\s|your\s)?(secondary|high|middle|primary|elementary|big|university|college|kindergarten)\b(?:\sschools?)?";
    compiled(&format!(
        r"(?ix)\b(?: before\s{THEY}\s(?:all\s)?leaves?\s(?:us|here|our\sschool)\s(?:for|to\sgo\sto|to\sstart)\s{SCHOOL}
            | \b(?:last|final)\s(?:\w+\s){{1,3}}(?:of\s\w+\s)?before\s{THEY}\s(?:all\s)?(?:(?:leave|head|set)\s(?:off\s)?for|(?:go|move|head)\s(?:up|on|off)?\s?to|transfer\sto|start(?:\sat)?|begin)\s{SCHOOL} )"
    ))
});

/// The last classes of the school that pupils are about to leave.
pub(super) fn leaving(text: &str) -> Option<Level> {
    if !text.contains("before ") || is(&ELSEWHERE, text) {
        return None;
    }
    let captures = LEAVING.as_ref()?.captures(text)?;
    let school = captures.get(1).or(captures.get(2))?.as_str().to_lowercase();
    let (low, high, year) = match school.as_str() {
        // In most countries one goes there at eleven or twelve, in some at fourteen.
        "secondary" => (5, 8, true),
        "high" => (5, 9, false),
        "middle" => (3, 6, false),
        "university" | "college" => (10, 13, false),
        _ => (-3, 1, false),
    };
    Some(Level { low, high, year, bytes: captures.get(0)?.range(), number: None })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(grade: &Value, text: &str) -> usize {
        let content = json!({"grade": grade, "assessment": text});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn the_ages_of_its_pupils_tell_the_class() {
        let mut missed = Vec::new();
        for (grade, text) in [
            (json!("Grade 10"), "Our Five Senses (for children of five and six)"),
            (json!("Grade 10"), "Floating and sinking (ages 5 to 6)"),
            (json!(2), "A workshop for pupils aged fourteen to sixteen."),
            (json!("Grade 10"), "Learners are only eight years old, so the teacher alone lifts the slabs."),
            (json!(12), "Keep it short, because most of these children are six or seven years old."),
            (json!(1), "Thirty twelve- and thirteen-year-olds — that's you lot — have been in this room for an hour."),
            (json!(11), "At seven years old, your pupils cannot hold a burette."),
            (json!("Year 2"), "Our fifteen- to sixteen-year-olds need no help."),
            (json!("Year 9"), "This is their final science task before they leave us for secondary school."),
            (json!(9), "The last project of June before the children move up to middle school."),
            (json!(4), "It is your last practical before you go on to university."),
        ] {
            if found(&grade, text) != 1 {
                missed.push(text);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn other_ages_and_other_schools_tell_nothing() {
        let mut wrong = Vec::new();
        for (grade, text) in [
            (json!("Grade 3"), "Learners are only eight years old, so the teacher alone lifts the slabs."),
            (json!("Year 6"), "This is their final science task before they leave us for secondary school."),
            (json!("Standard 8"), "A last task before they leave us for secondary school."),
            (json!(8), "Their final project before they go on to high school."),
            (json!(9), "The trees are eight years old, so count eight rings."),
            (json!(9), "Suppose you are eighty years old; or suppose you are seven years old."),
            (json!(9), "For groups of five and six the tables are too small."),
            (json!(4), "You will need this before you start secondary school."),
            (json!(9), "When children are six years old they lose their teeth."),
            (json!(9), "Explain it to eight- and nine-year-olds."),
            (json!("Reception"), "Four- and five-year-olds still put things in their mouths."),
        ] {
            if found(&grade, text) != 0 {
                wrong.push(text);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
