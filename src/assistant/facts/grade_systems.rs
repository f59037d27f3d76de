//! Grades: the classes and programmes of school systems that are named less often.

use std::sync::LazyLock;

use regex::Regex;

use super::grades::{NTH, Reading, ascending, grades, group, reading};
use super::patterns::compiled;

/// Whether a class is named by a letter and a number only: "P5".
pub fn is_short(name: &str) -> bool {
    name.starts_with(['P', 'p']) && name.get(1..2).is_some_and(|digit| digit.starts_with(|c: char| c.is_ascii_digit()))
}

/// Numbers of classes in words, as they are written in names.
const WRITTEN: [&str; 10] = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/// Whether the name of a class of one country says which: "Primary 6", "Class VII", "Fourth-class", "Second Class". "In
/// the second class" is said of a lesson.
pub fn is_counted(name: &str) -> bool {
    let roman = || {
        let last = name.rsplit(' ').next().unwrap_or_default();
        name.contains(' ') && !last.is_empty() && last.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
    };
    name.contains(|c: char| c.is_ascii_digit())
        || name.ends_with("Class") && name.contains(' ')
        || name == "Reception"
        || WRITTEN.iter().any(|number| name.strip_suffix(number).is_some_and(|class| class.ends_with(' ')))
        || roman()
}

/// What is said of a class by name, and by no number that could be compared as it stands.
pub fn names() -> Vec<Reading> {
    vec![
        // In England the year of that number, in Ireland and Scotland that of the secondary school.
        reading(&format!(r"\b{NTH}[-\s]year(?:s|[-\s](?:students?|pupils?|class(?:es)?|learners))\b"), |c| {
            let number = group(c, 1)?;
            Some((number - 1, if number > 6 { number } else { number + 7 }, false))
        }),
        reading(r"\b(?:junior|senior)\sinfants?\b", |_| Some((-1, 1, false))),
        reading(r"\b(?-i:Transition\sYear)s?\b", |_| Some((9, 11, false))),
        // In South Africa the twelfth grade, elsewhere the tenth.
        reading(r"\bmatrics\b|\bmatric\s(?:learners?|pupils?|students?|class)\b", |_| Some((10, 12, false))),
        reading(r"\bnursery\s(?:child(?:ren)?|pupils?|class)\b", |_| Some((-3, 0, false))),
        reading(r"\b(?-i:[YG])(\d{1,2})[-\s](?:pupils?|students?|learners|children|class)\b", |c| {
            let number = group(c, 1)?;
            Some((number, number, c.get(0)?.as_str().starts_with('Y')))
        }),
        reading(r"\b(?-i:AP)\s(?:students?|classes|class)\b", |_| Some((9, 12, false))),
        reading(r"\b(first|second|third|fourth|fifth)[-\s]formers?\b", |c| group(c, 1).map(|n| (n + 5, n + 8, false))),
        reading(r"\b(?:EYFS|early\syears|foundation\sstage)\s(?:child(?:ren)?|pupils?|class)\b", |_| {
            Some((-3, 0, false))
        }),
        reading(r"\b(?-i:S)([1-6])\s(?:pupils?|class|learners|students)\b", |c| {
            group(c, 1).map(|n| (n + 5, n + 7, false))
        }),
        reading(r"\b(?:college-bound|rising)\s(?:juniors|seniors)\b", |_| Some((10, 13, false))),
    ]
}

/// The field `grade`, where it is a name that elsewhere may be anything: "Second Year", "Senior Infants", "Ages 8-9".
pub fn of_field(text: &str) -> Option<(i64, i64)> {
    const N: &str = r"([1-7]|one|two|three|four|five|six)";
    const YEAR: &str = "(first|second|third|fourth|fifth|sixth|1st|2nd|3rd|[4-6]th)";
    type Fields = Vec<(Option<Regex>, fn(i64, i64) -> (i64, i64))>;
    static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
        let field = |pattern: String| compiled(&format!(r"(?i)^(?:{pattern})(?:\s\([^()]*\))?$"));
        vec![
            (field(format!(r"{YEAR}[-\s]years?(?:[-\s]students|[-\s]pupils)?")), |n, _| (n + 5, n + 7)),
            (field(format!(r"(?:secondary|sec\.?)\s{N}")), |n, _| (n + 5, n + 7)),
            (field(format!(r"form\s{N}")), |n, _| (n + 6, n + 8)),
            (field(r"ages?d?\s(\d{1,2})(?:\s?(?:-|–|to|and)\s?(\d{1,2}))?".to_owned()), |from, to| {
                (from - 6, to - 4)
            }),
            (field(r"transition\syear".to_owned()), |_, _| (9, 11)),
            (field(r"(?:junior\s|senior\s)?infants".to_owned()), |_, _| (-1, 1)),
            (field(r"nursery(?:\sclass|\sschool)?".to_owned()), |_, _| (-3, 0)),
        ]
    });
    FIELDS.iter().find_map(|(pattern, range)| {
        let captures = pattern.as_ref()?.captures(text)?;
        let number = |place: usize| {
            let written = captures.get(place)?.as_str();
            written.parse().ok().or_else(|| group(&captures, place))
        };
        let first = number(1).unwrap_or_default();
        // Past eighteen there is no pupil.
        (first <= 18).then(|| range(first, number(2).unwrap_or(first)))
    })
}

/// Classes, which outside of a curriculum may be anything.
pub fn classes() -> Vec<Reading> {
    const N: &str = r"(\d{1,2})";
    vec![
        reading(r"\bP([1-7])(?:\s?(?:-|–|/|,|&|\band\b|\bto\b)\s?P?([1-7]))?\b", |c| {
            let (low, high) = ascending(c)?;
            Some((low - 1, high, false))
        }),
        reading(&format!(r"\b{NTH}(?:\s?(?:-|–|/|&|\band\b|\bto\b)\s?{NTH})?[-\s]class(?:es)?\b"), grades),
        reading(r"\b(?:form|tingkatan)\s([1-6]|(?-i:One|Two|Three|Four|Five|Six))\b", |c| {
            group(c, 1).map(|n| (n + 6, n + 8, false))
        }),
        reading(r"\bJ(?:SS|HS)\s?([1-3])\b", |c| group(c, 1).map(|n| (n + 6, n + 7, false))),
        reading(r"\bS(?:SS|HS|S)\s?([1-3])\b", |c| group(c, 1).map(|n| (n + 9, n + 10, false))),
        reading(&format!(r"\b(?:klasse|jahrgangsstufe|årskurs|trinn|luokka|klas)\s{N}(?:\s?[-–]\s?{N})?\b"), grades),
        reading(r"\b(?:upper)[-\s](?:primary|elementary)\b", |_| Some((2, 7, false))),
        reading(r"\b(?:lower)[-\s](?:primary|elementary)\b", |_| Some((-1, 4, false))),
        reading(r"\b(?:lower|junior)[-\s]secondary\b", |_| Some((6, 10, false))),
        reading(r"\b(?:upper|senior)[-\s]secondary\b", |_| Some((9, 13, false))),
        reading(r"\bfoundation\sphase\b", |_| Some((-1, 3, false))),
        reading(r"\bintermediate\sphase\b", |_| Some((3, 7, false))),
        reading(r"\bsenior\sphase\b", |_| Some((6, 10, false))),
        reading(r"\b(?:FET|further\seducation\sand\straining)\b", |_| Some((9, 12, false))),
    ]
}

/// Codes and names of curricula and examinations.
pub fn codes() -> Vec<Reading> {
    vec![
        reading(r"\b(K|[1-8])\.(?:LS|PS|ESS|ETS)\.\d", grades),
        reading(r"\b(?-i:SEEd)\b[^.;\n]{0,20}?\b([6-8])\.\d", grades),
        reading(r"\b(?-i:S)([K1-8])(?-i:[PEL])\d\b", grades),
        reading(r"\b(?:BTEC|T)[-\s]levels?\s3\b|\bBTEC\s(?:national|level\s3)\b", |_| Some((11, 13, true))),
        reading(r"\b(?-i:O)[-\s]levels?\b", |_| Some((8, 12, false))),
        reading(r"\b(?-i:PSLE)\b", |_| Some((4, 7, false))),
        reading(r"\b(?-i:AP)[-\s](?:level|style|exam|lab|labs|rubric|free[-\s]response|course|unit)\b", |_| {
            Some((9, 12, false))
        }),
        reading(r"\b(?-i:(?:Advanced\s)?Higher\s(?:Human\s)?(?:Physics|Chemistry|Biology))\b", |_| {
            Some((10, 13, false))
        }),
        reading(r"\bIB\s(?:internal\sassessment|IA|exam|extended\sessay|HL|SL)\b", |_| Some((10, 13, false))),
        reading(r"\bcombined\sscience:?\strilogy\b|\bOCR\sgateway\b", |_| Some((9, 11, true))),
        reading(r"\b(?-i:KCSE|WASSCE|SSCE)\b", |_| Some((8, 12, false))),
        reading(r"\b(?-i:KCPE)\b", |_| Some((1, 8, false))),
        reading(
            r"\b(?:curriculum\sfor\sexcellence|CfE)\b[^.;\n]{0,40}?\b(early|first|second|third|fourth)\slevel\b",
            |c| {
                let place = ["early", "first", "second", "third", "fourth"];
                let written = c.get(1)?.as_str().to_lowercase();
                let ranges = [(-2, 1), (0, 4), (3, 7), (5, 9), (7, 10)];
                let (low, high) = *ranges.get(place.iter().position(|name| *name == written)?)?;
                Some((low, high, false))
            },
        ),
        reading(r"\b(?:NZC?|new\szealand\scurriculum)\b[^.;\n]{0,40}?\blevel\s([1-8])\b", |c| {
            // Two years each, which schools stretch; the last three are one each.
            let ranges = [(0, 3), (2, 5), (4, 7), (6, 9), (8, 11), (10, 12), (11, 13), (12, 13)];
            let (low, high) = *ranges.get(usize::try_from(group(c, 1)? - 1).ok()?)?;
            Some((low, high, true))
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::grades::of_curriculum;

    #[test]
    fn programmes_of_many_countries_stand_for_ranges() {
        for (text, range) in [
            ("Singapore MOE Primary Science Syllabus 2023, Upper Block (P5 and P6)", (4, 6, false)),
            ("CAPS Natural Sciences, Senior Phase", (6, 10, false)),
            ("Curriculum for Excellence, Sciences, Second Level", (3, 7, false)),
            ("New Zealand Curriculum, Science, Level 4", (6, 9, true)),
            ("KSSM Science Form 2", (8, 10, false)),
            ("Utah SEEd 6.2.3", (6, 6, false)),
            ("Georgia S5P2", (5, 5, false)),
            ("Bildungsplan Klasse 7", (7, 7, false)),
            ("Primary curriculum, third and fourth class", (3, 4, false)),
        ] {
            let levels = of_curriculum(text).into_iter();
            assert_eq!(levels.map(|level| (level.low, level.high, level.year)).collect::<Vec<_>>(), [range], "{text}");
        }
        for text in ["Physics P2: electricity", "Waves, units P1 to P3", "a second form of energy", "S block elements"]
        {
            assert_eq!(of_curriculum(text), [], "{text}");
        }
    }
}
