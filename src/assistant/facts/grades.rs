//! Grades: the school years that names and codes of curricula stand for, as ranges that can be compared.
//!
//! A British year is one more than the American grade of the same age, an Australian one the same.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use super::patterns::{Patterns, compiled};
use super::{grade_systems as systems, numbers};

/// The school years that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// The lowest; 0 is kindergarten.
    pub low: i64,
    /// The highest.
    pub high: i64,
    /// Whether they are counted as years (Year 7) and not as grades (Grade 6).
    pub year: bool,
    /// The bytes of its text that name it.
    pub bytes: Range<usize>,
    /// The bytes of the one number in it, where there is one.
    pub number: Option<Range<usize>>,
}

impl Level {
    /// Whether some class can be on both levels.
    pub fn meets(&self, other: &Self) -> bool {
        // Of which country a year is is seldom said, so beside a grade it may be either of two.
        let span = |level: &Self| (if level.year { level.low - 1 } else { level.low }, level.high);
        let ((a, b), (c, d)) = if self.year == other.year {
            ((self.low, self.high), (other.low, other.high))
        } else {
            (span(self), span(other))
        };
        a <= d && c <= b
    }
}

/// The range that captures stand for: lowest, highest, whether in years.
type Read = fn(&Captures) -> Option<(i64, i64, bool)>;

/// A pattern, and what reads it.
pub type Reading = (String, Read);

/// A pattern, whatever the case of its letters, with what reads it.
pub fn reading(pattern: &str, read: Read) -> Reading {
    (format!("(?i){pattern}"), read)
}

/// Patterns with what reads them.
struct Readings {
    patterns: Patterns,
    read: Vec<Read>,
}

impl Readings {
    fn of(readings: impl IntoIterator<Item = Reading>) -> Self {
        let (patterns, read): (Vec<_>, Vec<_>) = readings.into_iter().unzip();
        Self { patterns: Patterns::of(patterns), read }
    }
}

const ORDINALS: [&str; 13] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];
const ROMAN: [&str; 13] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// The number of a school year: `7`, `7th`, `seventh`, `seven`, `VII`, `K`.
fn number(written: &str) -> Option<i64> {
    let lower = written.to_lowercase();
    let place = |list: &[&str]| list.iter().position(|known| *known == lower && !known.is_empty());
    if matches!(lower.as_str(), "k" | "f") {
        return Some(0);
    }
    let digits = lower.trim_end_matches(|c: char| c.is_alphabetic());
    let number = digits.parse().ok();
    let number = number.or_else(|| place(&ORDINALS).or_else(|| place(&ROMAN)).map(|position| position as i64));
    number.or_else(|| numbers::small_number(&lower).map(|value| value as i64)).filter(|n| (0..=13).contains(n))
}

/// The number of a school year in a group.
pub fn group(captures: &Captures, index: usize) -> Option<i64> {
    number(captures.get(index)?.as_str())
}

/// From the first captured number to the second, or it alone; `None` for a range that goes down ("grades 9-1").
pub fn ascending(captures: &Captures) -> Option<(i64, i64)> {
    let low = group(captures, 1)?;
    let high = group(captures, 2).unwrap_or(low);
    (low <= high).then_some((low, high))
}

/// From one grade to another.
pub fn grades(captures: &Captures) -> Option<(i64, i64, bool)> {
    ascending(captures).map(|(low, high)| (low, high, false))
}

fn years(captures: &Captures) -> Option<(i64, i64, bool)> {
    ascending(captures).map(|(low, high)| (low, high, true))
}

/// An ordinal of a school year.
pub const NTH: &str =
    "(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[1-9](?:st|nd|rd|th)|1[0-2]th)";

/// What tells a class by name: `fifth-grade`, `Year 7`, `kindergarten`, `middle schoolers`.
static NAMES: LazyLock<Readings> = LazyLock::new(|| {
    const N: &str = r"(\d{1,2}|K|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen)";
    const TO: &str = r"(?:\s?(?:-|–|—|/|&|\bto\b|\band\b|\bor\b)\s?(\d{1,2}))?";
    let read = [
        reading(&format!(r"\b{NTH}[-\s–]{{0,2}}grad(?:e|ers?)\b"), grades),
        reading(&format!(r"\b(?:grades?|gr\.)[\s-]?{N}{TO}(?:['’]?e?s)?\b"), grades),
        reading(&format!(r"\b(?:years?|yrs?\.?)[\s-]?{N}{TO}(?:['’]?e?s)?\b"), years),
        reading(r"\b(?-i:Y)(\d{1,2})['’]?s\b", years),
        reading(r"\bsophomores?\b", |_| Some((10, 10, false))),
        reading(r"\bfreshm[ae]n\b", |_| Some((9, 9, false))),
        reading(r"\bK\s?[-–]\s?(\d{1,2})\b", |c| Some((0, group(c, 1)?, false))),
        reading(r"\bkindergart(?:en(?:ers?|s)?|ners?)\b", |_| Some((0, 0, false))),
        reading(r"\bpre-?k(?:indergarten)?\b|\bpre-?school(?:ers?)?\b", |_| Some((-2, 0, false))),
        reading(r"\b(?:lower|upper)[-\s]sixth(?:[-\s]form(?:ers?)?)?\b", |_| Some((12, 13, true))),
        reading(r"\bsixth[-\s]form(?:ers?)?\b", |_| Some((12, 13, true))),
        reading(r"\bmiddle[-\s]school(?:ers?)?\b|\bjunior[-\s]high\b", |_| Some((5, 9, false))),
        reading(r"(?:\bsenior[-\s])?\bhigh[-\s]school(?:ers?)?\b", |_| Some((8, 13, false))),
        reading(
            r"\bprimary[-\s](?:school(?:ers?)?[-\s](?:science|lesson|pupils|children)|schoolers?|science|pupils)\b",
            |_| Some((-1, 8, false)),
        ),
        reading(r"\breception\s(?:child(?:ren)?|pupils?|class|lesson|year)\b", |_| Some((0, 0, true))),
        reading(r"\belementary(?:[-\s]school(?:ers?)?)?\b", |_| Some((-1, 6, false))),
    ];
    Readings::of(read.into_iter().chain(systems::names()))
});

/// Classes of Indian, Singaporean and other schools, which outside of a curriculum may be anything ("class 2 lever").
static CLASSES: LazyLock<Readings> = LazyLock::new(|| {
    const N: &str = r"(\d{1,2}|(?-i:[IVX]{1,4}|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten))";
    const FEW: &str = "([1-7]|(?-i:One|Two|Three|Four|Five|Six|Seven))";
    let read = [
        reading(&format!(r"\b(?:class|std\.?|standard)\s{N}(?:\s?[-–]\s?{N})?(?:['’]?s)?\b"), grades),
        reading(&format!(r"\b(?:secondary|(?-i:Sec))\s{FEW}\b"), |c| group(c, 1).map(|n| (n + 5, n + 7, false))),
        reading(&format!(r"\bprimary\s{FEW}(?:['’]?s)?\b"), |c| group(c, 1).map(|n| (n - 1, n, false))),
        reading(r"\b(?:primary|infant)[-\s](?:school|science|curriculum|pupils|children)\b", |_| Some((-1, 8, false))),
        reading(r"\b(?:reception|EYFS|early years foundation)\b", |_| Some((-2, 0, false))),
    ];
    Readings::of(read.into_iter().chain(systems::classes()))
});

fn key_stage(number: i64) -> Option<(i64, i64)> {
    // Many schools begin the fourth in Year 9.
    [(1, 2), (3, 6), (7, 9), (9, 11), (12, 13)].get(usize::try_from(number - 1).ok()?).copied()
}

/// The year of a code of the Australian Curriculum before its ninth version.
fn australian(code: i64) -> Option<(i64, i64, bool)> {
    let year = match code {
        2..=5 => 0,
        17..=20 => 1,
        30..=32 => 2,
        44..=49 => 3,
        72..=76 => 4,
        77..=80 => 5,
        94..=97 => 6,
        111..=118 => 7,
        149..=155 => 8,
        175..=182 => 9,
        184..=190 => 10,
        _ => return None,
    };
    Some((year, year, true))
}

/// Codes and names of curricula and examinations.
static CODES: LazyLock<Readings> = LazyLock::new(|| {
    const SUBJECT: &str = r"(?:physics|chem(?:istry)?|bio(?:logy)?|environmental|sciences?|computer)";
    let read = [
        // NGSS and the states that follow it
        reading(r"\b(K|[1-5])-([2-8])-(?:LS|PS|ESS|ETS)\d(?:-\d{1,2})?\b", grades),
        reading(r"\b(MS|HS|K|[1-8])[-.](?:LS|PS|ESS|ETS)\d(?:[-.]\d{1,2})?\b", |c| {
            match c.get(1)?.as_str().to_uppercase().as_str() {
                "MS" => Some((6, 8, false)),
                "HS" => Some((9, 12, false)),
                other => number(other).map(|n| (n, n, false)),
            }
        }),
        reading(r"\b(?:TEKS|SOLs?)\b[^.;\n]{0,30}?\b(K|[1-8])\.\d", grades),
        reading(r"\bSC\.(K|[1-8]|912|K2|35|68|K12)\.[A-Z]\.", |c| match c.get(1)?.as_str() {
            "912" => Some((9, 12, false)),
            "68" => Some((6, 8, false)),
            "35" => Some((3, 5, false)),
            "K2" | "k2" => Some((0, 2, false)),
            "K12" | "k12" => None,
            one => number(one).map(|n| (n, n, false)),
        }),
        reading(r"\bregents\b", |_| Some((7, 12, false))),
        reading(&format!(r"\b(?-i:AP)®?\s{SUBJECT}\b|\badvanced placement\b"), |_| Some((9, 12, false))),
        // In Northern Ireland years are counted from an earlier age.
        reading(r"\b(?:northern ireland|CCEA)\b[^.;\n]{0,40}?\b(?:KS|key[-\s]stages?)\s?([1-4])\b", |c| {
            let (low, high) = [(3, 4), (5, 7), (8, 10), (11, 12)].get(usize::try_from(group(c, 1)? - 1).ok()?)?;
            Some((*low, *high, true))
        }),
        // England, Wales, Northern Ireland, Scotland, Ireland
        reading(
            r"\b(?:KS|key[-\s]stages?)\s?(\d|one|two|three|four|five)(?:\s?(?:-|–|/|&|\band\b|\bto\b)\s?(?:KS\s?)?([1-5]))?\b",
            |c| {
                let (low, high) = ascending(c)?;
                Some((key_stage(low)?.0, key_stage(high)?.1, true))
            },
        ),
        // In Northern Ireland it is taken in Year 12.
        reading(r"\bCCEA\s(?:[A-Z][a-z]+\s)?GCSEs?\b", |_| Some((9, 12, true))),
        reading(r"\bI?GCSEs?\b", |_| Some((9, 11, true))),
        reading(r"\b(?-i:A|AS|A2)(?:[-\s]levels?)\b", |_| Some((12, 13, true))),
        reading(r"\bnational\s[345]\b", |_| Some((8, 11, false))),
        reading(r"\b(?:SQA|scottish)\s(?:advanced\s)?highers?\b", |_| Some((10, 13, false))),
        reading(r"\bSCN\s?([0-4])-\d", |c| {
            let ranges = [(-2, 1), (0, 4), (3, 7), (5, 9), (7, 10)];
            let (low, high) = *ranges.get(usize::try_from(group(c, 1)?).ok()?)?;
            Some((low, high, false))
        }),
        reading(r"\bjunior (?:cycle|cert)", |_| Some((6, 10, false))),
        reading(r"\bleaving cert", |_| Some((9, 13, false))),
        // International Baccalaureate
        reading(r"\b(?:PYP|primary years program(?:me)?)\b", |_| Some((-2, 6, false))),
        reading(r"\b(?:MYP|middle years program(?:me)?)\b(?:[^.;\n]{0,20}?\b(?:year\s?)?([1-5])\b)?", |c| {
            Some(group(c, 1).map_or((5, 10, false), |n| (n + 4, n + 6, false)))
        }),
        reading(
            &format!(r"\b(?:IB\s?DP|diploma program(?:me)?|IB diploma|DP {SUBJECT}|IB {SUBJECT}(?:\s(?:SL|HL))?)\b"),
            |_| Some((11, 12, false)),
        ),
        // Australia and New Zealand
        reading(r"\bAC9S(F|10|[1-9])[A-Z]\d", years),
        reading(r"\bACSSU\s?(\d{3})\b", |c| australian(c.get(1)?.as_str().parse().ok()?)),
        reading(r"\b(?:NSW|NESA|new south wales)\b[^.;\n]{0,40}?\bstage\s([1-6])\b", |c| {
            group(c, 1).map(|n| (2 * n - 1, 2 * n, true))
        }),
        reading(r"\bcambridge\b[^.;\n]{0,40}?\bstage\s([1-9])\b", years),
        reading(r"\b(?-i:VCE|HSC|QCE|WACE|SACE)\b", |_| Some((10, 12, true))),
        reading(r"\bNCEA(?:\slevel\s([1-3]))?", |c| {
            Some(group(c, 1).map_or((10, 13, true), |n| (n + 9, n + 11, true)))
        }),
        // Canada
        reading(r"\b(?-i:S(?:NC|BI|CH|PH|ES|VN))([1-4])[A-Z]\b", |c| group(c, 1).map(|n| (n + 8, n + 8, false))),
        reading(
            r"\b(?:alberta|british columbia|BC|nova scotia|manitoba|saskatchewan|new brunswick|newfoundland|yukon|prince edward island)\b[^.;\n]{0,30}?\bscience\s(\d{1,2})\b",
            grades,
        ),
    ];
    Readings::of(read.into_iter().chain(systems::codes()))
});

fn found(readings: &Readings, text: &str) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    for (place, regex) in readings.patterns.found_in(text) {
        let Some(read) = readings.read.get(place) else { continue };
        for captures in regex.captures_iter(text) {
            let (Some(whole), Some((low, high, year))) = (captures.get(0), read(&captures)) else { continue };
            // "MYP Year 4" is read once, and so is "3-5-ETS1-1".
            if levels.iter().any(|known| known.bytes.start < whole.end() && whole.start() < known.bytes.end) {
                continue;
            }
            let number = captures.get(1).filter(|_| low == high).map(|number| number.range());
            levels.push(Level { low, high, year, bytes: whole.range(), number });
        }
    }
    levels.sort_by_key(|level| level.bytes.start);
    levels
}

/// The classes that a text names, in order: `fifth-grade`, `Year 7`, `kindergarten`.
pub fn named(text: &str) -> Vec<Level> {
    found(&NAMES, text)
}

/// The levels of all codes and names in a curriculum.
pub fn of_curriculum(text: &str) -> Vec<Level> {
    let mut levels = codes(text);
    // "P5" is a class of a primary school, and elsewhere a unit of physics.
    let primary = ["rimary", "cott", "CfE"].iter().any(|word| text.contains(word));
    let is_a_unit = |level: &Level| !primary && text.get(level.bytes.clone()).is_some_and(systems::is_short);
    let classes = found(&CLASSES, text).into_iter().filter(|level| !is_a_unit(level));
    for level in found(&NAMES, text).into_iter().chain(classes) {
        let apart = |known: &Level| level.bytes.end <= known.bytes.start || known.bytes.end <= level.bytes.start;
        // The years of a programme are not those of the school, and "middle school, Year 1" is in East Asia the seventh.
        let programme = ["MYP", "PYP", "DP ", "Diploma"].iter().any(|word| text.contains(word));
        let school = ["iddle school", "igh school", "unior high", "ycée"].iter().any(|word| text.contains(word));
        let counts_anew = level.year && (programme || school && level.high <= 3);
        if levels.iter().all(apart) && !counts_anew {
            levels.push(level);
        }
    }
    levels.sort_by_key(|level| level.bytes.start);
    let mut levels = joined(text, levels);
    // Beside "Primary 5", "primary school" says no more.
    let narrow = |level: &Level| level.high - level.low <= 3;
    if levels.iter().any(narrow) {
        levels.retain(|level| narrow(level) || level.number.is_some() || !is_a_stage(text, level));
    }
    levels
}

/// One level of two with "to" between them: "Kindergarten to Grade 6", "K to Grade 5", "infant classes to sixth class".
fn joined(text: &str, levels: Vec<Level>) -> Vec<Level> {
    let mut joined: Vec<Level> = Vec::new();
    for mut level in levels {
        let last = joined.last_mut();
        let between =
            text.get(last.as_ref().map_or(0, |last| last.bytes.end)..level.bytes.start).unwrap_or_default().trim_end();
        let between = ["to", "through", "–", "-"].into_iter().find_map(|to| between.strip_suffix(to));
        match (between.map(|before| before.trim().to_lowercase()), last) {
            (Some(before), Some(last)) if before.is_empty() && last.year == level.year && last.low <= level.high => {
                last.high = level.high;
                last.bytes.end = level.bytes.end;
                last.number = None;
                continue;
            }
            (Some(before), _)
                if before == "k" || ["infants", "infant classes"].iter().any(|first| before.ends_with(first)) =>
            {
                level.low = -1;
                level.number = None;
            }
            _ => {}
        }
        joined.push(level);
    }
    joined
}

/// Whether a name is that of a whole school: "primary science", "high school".
fn is_a_stage(text: &str, level: &Level) -> bool {
    let name = text.get(level.bytes.clone()).unwrap_or_default().to_lowercase();
    ["primary", "infant", "elementary", "secondary", "middle", "high", "junior", "senior", "upper", "lower"]
        .iter()
        .any(|stage| name.starts_with(stage))
}

/// The classes that a text names in the way of one country: "Primary 6", "Form 3", "Class 7".
pub fn of_a_country(text: &str) -> Vec<Level> {
    let counted = |level: &Level| text.get(level.bytes.clone()).is_some_and(systems::is_counted);
    found(&CLASSES, text).into_iter().filter(counted).collect()
}

/// The levels of the codes and examinations that a text names, in order.
pub fn codes(text: &str) -> Vec<Level> {
    found(&CODES, text)
}

/// The class of a lesson, as its field `grade` says: `5`, `"5"`, `"K"`, `"Year 7"`, `"6–8"`, `"Class X"`, `"S4"`.
pub fn of_grade(value: &Value) -> Option<Level> {
    static BARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        compiled(r"(?i)^(?:G|Y)?(\d{1,2}|K)(?:st|nd|rd|th)?(?:\s?(?:-|–|—|/|to|and|or)\s?(\d{1,2})(?:st|nd|rd|th)?)?$")
    });
    // "7. třída", "9. Schuljahr"
    static ORDERED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        compiled(
            r"(?i)^(\d{1,2})\. ?(?:tříd\w+|ročník|klass?e|klasa|klas|schuljahr|schulstufe|osztály|razred|razreda|luokka|trinn|årskurs)$",
        )
    });
    static SCOTTISH: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(r"^([SP])([1-7])$"));
    // "V", as classes are counted in India; a lone "X" may stand for anything.
    static COUNTED: LazyLock<Option<Regex>> =
        LazyLock::new(|| compiled(r"^(I{1,3}|IV|VI{0,3}|IX|XI{1,2})(?:\s?[-–]\s?([IVX]{1,4}))?$"));
    if let Some(grade) = value.as_i64() {
        return (0..=13).contains(&grade).then_some(Level {
            low: grade,
            high: grade,
            year: false,
            bytes: 0..0,
            number: None,
        });
    }
    let text = value.as_str()?.trim();
    if text.len() > 60 {
        return None;
    }
    if let Some(captures) = BARE.as_ref()?.captures(text) {
        let (low, high) = ascending(&captures)?;
        let number = captures.get(1).filter(|_| low == high).map(|number| number.range());
        return Some(Level { low, high, year: text.starts_with(['Y', 'y']), bytes: 0..text.len(), number });
    }
    if let Some(captures) = COUNTED.as_ref()?.captures(text) {
        let (low, high) = ascending(&captures)?;
        return Some(Level { low, high, year: false, bytes: 0..text.len(), number: None });
    }
    if let Some(captures) = ORDERED.as_ref()?.captures(text) {
        let grade = group(&captures, 1)?;
        return Some(Level { low: grade, high: grade, year: false, bytes: 0..text.len(), number: None });
    }
    if let Some(captures) = SCOTTISH.as_ref()?.captures(text) {
        let number = group(&captures, 2)?;
        let (low, high) = if text.starts_with('S') { (number + 5, number + 7) } else { (number - 1, number) };
        return Some(Level { low, high, year: false, bytes: 0..text.len(), number: None });
    }
    if let Some((low, high)) = systems::of_field(text) {
        return Some(Level { low, high, year: false, bytes: 0..text.len(), number: None });
    }
    let levels = of_curriculum(text);
    let first = levels.first()?;
    let alike = levels.iter().all(|level| level.year == first.year);
    let low = levels.iter().map(|level| level.low).min()?;
    let high = levels.iter().map(|level| level.high).max()?;
    // "Grades 5 and up"
    static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        compiled(
            r"(?i)(?:\b(?:and|or) (?:up|upwards?|above|older|higher|beyond|over)|\b(?:up|on)wards|^[a-z ]*\d{1,2} ?\+)",
        )
    });
    let open = OPEN.as_ref().is_some_and(|open| open.is_match(text));
    let high = if open { 13 } else { high };
    let number = first.number.clone().filter(|_| levels.len() == 1);
    alike.then_some(Level { low, high, year: first.year, bytes: 0..text.len(), number })
}

/// The number of a school year in the form of `written`: an ordinal for an ordinal, digits for digits.
pub fn in_form_of(written: &str, number: i64) -> Option<String> {
    let lower = written.to_lowercase();
    let capital = written.starts_with(char::is_uppercase);
    if ORDINALS.contains(&lower.as_str()) {
        let ordinal = *ORDINALS.get(usize::try_from(number).ok().filter(|n| *n > 0)?)?;
        let rest = ordinal.get(1..)?;
        return Some(if capital { format!("{}{rest}", ordinal.get(..1)?.to_uppercase()) } else { ordinal.to_owned() });
    }
    if written.parse::<i64>().is_ok() {
        return Some(number.to_string());
    }
    let ending = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    let is_ordinal = written.starts_with(|c: char| c.is_ascii_digit());
    (is_ordinal && number > 0).then(|| format!("{number}{ending}"))
}

#[cfg(test)]
mod tests;
