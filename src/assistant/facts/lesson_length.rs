//! Reads how long the lesson is: "our 40-minute lesson", "the class lasts 50 minutes", "an hour-long session".

use regex::Match;

use super::fact::{MAX_FACTS, Reading, sentence_at};
use super::number::{self, CARDINAL};
use super::pattern::{Pattern, captures, compiled, matches};

const UNIT: &str = r"(?: min(?:ute)?s? | hours? | hrs? )";
const LESSON: &str = r"(?: lesson | class(?:\speriod)? | period | session | practical | lab | workshop )";

/// Matches every text in lower case that may state the length of a lesson.
pub static WORDS: Pattern = Pattern::new(|| {
    compiled(&format!(r"(?-i) {UNIT}[-\s](?:[^\s]+\s){{0,4}}{LESSON} | {LESSON}\s(?:lasts|takes|runs|is|has|of)\s"))
});

/// Pattern of the duration of a single lesson: "our 40-minute lesson". A plural, an ordinal or "each" means several
/// lessons, and does not match.
static LENGTH: Pattern = Pattern::new(|| {
    let own = r"(?: this | our | today['’]s | the | a | an | one | single | whole | full | my )";
    compiled(&format!(
        r"\b(?: {own}\s (?:whole\s|single\s|full\s|entire\s|short\s|normal\s|usual\s)? (?P<a> {CARDINAL} | half | an )?[-\s]{{0,2}}(?P<a_unit> {UNIT} )[-\s](?:long\s)?
                (?:(?:double|single|science|class|physics|chemistry|biology|lab|school)\s)? {LESSON}\b
            | (?: this | our | today['’]s | the(?:\swhole|\sentire)? ) \s (?:science\s)? {LESSON} \s (?:lasts|takes|runs|is|has)(?:\s(?:only|just|about|exactly|for|over\sin))? \s (?P<b> {CARDINAL} )[-\s]?(?P<b_unit> {UNIT} )\b
            | (?: (?:in|within)\sthe\s (?P<c> {CARDINAL} )\s(?P<c_unit> {UNIT} )\s of\s(?:this|our|today['’]s)
                | (?P<e> {CARDINAL} )\s(?P<e_unit> {UNIT} )\s for\s(?:this|our|the\swhole|the\sentire) ) \s (?:whole\s)?{LESSON}\b
            | (?:one|a|our|this|single|double)\s (?:double\s|single\s|science\s)? {LESSON} \s of \s (?P<d> {CARDINAL} )\s?(?P<d_unit> {UNIT} )\b )"
    ))
});

/// Matches the rest of a sentence that presents the lesson before it as an alternative: " works, too".
static ALTERNATIVE: Pattern = Pattern::new(|| compiled(r"^\s\w.*\b(?: too | as\swell | either )[^0-9A-Za-z]*$"));
/// Matches words that name a condition, a possibility or an alternative.
static POSSIBLE: Pattern = Pattern::new(|| {
    compiled(
        r"\b(?: if | when | whenever | unless | otherwise | even | could | may | might | should | would | also | instead | alternatively )\b",
    )
});
/// Matches the text after a statement that stands alone: the end of the text, punctuation, or a phrase such as "on
/// seeds".
static STANDS_ALONE: Pattern =
    Pattern::new(|| compiled(r"^(?: $ | [.,:;!?)\n] | \s(?: on | about | for | with | in | at | from )\b )"));
/// Matches the beginning of a statement about some lesson, such as "a double lesson", which may not be this lesson.
static INDEFINITE: Pattern = Pattern::new(|| compiled(r"^(?: an? | one | single | double | whole | full )\b"));

/// Returns true if a statement is about this lesson. "A double lesson of 90 minutes" is about this lesson only if no
/// condition comes before these words, and the rest of the sentence says nothing about such lessons. In "A double
/// lesson of 90 minutes works, too", the rest does.
fn is_this_lesson(text: &str, statement: &Match<'_>) -> bool {
    let sentence = sentence_at(text, statement.start());
    let (before, rest) = sentence.split_once(statement.as_str()).unwrap_or_default();
    if !matches(&INDEFINITE, statement.as_str()) {
        return !(before.trim().is_empty() && matches(&ALTERNATIVE, rest));
    }
    matches(&STANDS_ALONE, &text[statement.end()..]) && !matches(&POSSIBLE, before) && !matches(&ALTERNATIVE, rest)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LessonLength {
    pub minutes: i64,
    /// Minutes per written unit: 1 for minutes, 60 for hours. 0 if the text has no number: "hour-long", "half-hour".
    pub unit: i64,
}

pub fn read(text: &str) -> Vec<Reading<LessonLength>> {
    let readings = captures(&LENGTH, text).filter_map(|captures| {
        let whole = captures.get(0)?;
        let (count, unit) = [("a", "a_unit"), ("b", "b_unit"), ("c", "c_unit"), ("d", "d_unit"), ("e", "e_unit")]
            .into_iter()
            .find_map(|(count, unit)| captures.name(unit).map(|unit| (captures.name(count), unit)))?;
        // Skips "two 45-minute lessons", which are more than one, and "an hour and a half", which is more than an hour.
        let after = &text[whole.end()..];
        if after.starts_with(['s', '-']) || after.starts_with(" and ") && unit.end() == whole.end() {
            return None;
        }
        if !is_this_lesson(text, &whole) {
            return None;
        }
        let written = count.and_then(|count| number::value(count.as_str()));
        let value = written
            .unwrap_or_else(|| if count.is_some_and(|c| c.as_str().eq_ignore_ascii_case("half")) { 0.5 } else { 1.0 });
        let of_unit = if unit.as_str().starts_with(['h', 'H']) { 60 } else { 1 };
        let minutes = value * of_unit as f64;
        let number = count.map_or(unit.start()..unit.start(), |count| count.range());
        let length = LessonLength { minutes: minutes as i64, unit: written.map_or(0, |_| of_unit) };
        (minutes.fract() == 0.0 && (1.0..1e6).contains(&minutes)).then_some((whole.range(), number, length))
    });
    readings.take(MAX_FACTS).collect()
}
