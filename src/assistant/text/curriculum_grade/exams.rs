//! Examinations and stages that a title, an objective or an assessment names as those of this lesson: "the GCSE required
//! practical", "A Level Biology Practical", "marked with the AP rubric".

use std::sync::LazyLock;

use regex::Regex;

use crate::assistant::facts::grades::{self, Level};
use crate::assistant::facts::patterns::compiled;

type Pattern = LazyLock<Option<Regex>>;

/// In a title: the stage is that of others, or a play on words.
static NOT_OF_A_TITLE: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:towards?|to|from|beyond|before|after|versus|vs|not|taster|visit\w*|helpers?|mentors?|teach\w*|open\s(?:day|evening)|road|playing|field|ground|surface|crossing)\b",
    )
});

/// What is of an examination: "required practical", "mark scheme", "free-response question".
static OF_IT: Pattern = LazyLock::new(|| {
    compiled(
        r"(?ix)^[-\s](?:(?:level|style|type|core|combined|international|higher|foundation|separate|triple|physics|chemistry|biology|science|unit)[-\s]){0,3}
            (?:required\spractical|core\spractical|set\spractical|practical\s(?:endorsement|skills|assessment)|specification|spec|syllabus|mark[-\s]?(?:ing\s)?schemes?|rubric|criteria|criterion|standards?|coursework|course|objectives?|outcomes?|grade\sboundar(?:y|ies)|(?:equation|formula)\s(?:sheet|list)|data\s(?:booklet|sheet)|lab\sreport|exam(?:ination)?\s(?:boards?\s)?(?:questions?|papers?|criteria|rubric|conditions|standard)|(?:past|exam|specimen|mock)[-\s](?:papers?|questions?)|paper\s(?:\d|one|two)|(?:free|long|short)[-\s](?:response|answer)|FRQs?|multiple[-\s]choice|six[-\s]mark(?:er)?|long[-\s]answer|questions?|tests?|mock|papers?|content|units?|topics?|practicals?|assessment|candidates?|SATs)\b",
    )
});

/// What is asked of older pupils by way of a stretch: one question of the next stage proves little.
static A_QUESTION: Pattern = LazyLock::new(|| {
    compiled(r"(?i)\b(?:questions?|papers?|marks?|marker|mark[-\s]?schemes?|style|response|multiple|answer)\b")
});

/// Words that make an examination that of others, or of later.
static OF_OTHERS: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:they\swill|you\swill\s(?:meet|see|study|need)|one\sday|years?\s(?:time|older|ahead)|old(?:er|est)?|siblings?|brothers?|sisters?|teachers?['’]?s?\sown|hall|corridor|next\sdoor|group\smade|borrowed|need\snot|do\snot|without|no|never|starting|choos\w+|september|future|even|challenge|optional|cupboard|store|shelf|shelves)\b",
    )
});

/// "at GCSE standard", "to A-level depth"
static AT: Pattern = LazyLock::new(|| compiled(r"(?i)\b(?:at|to)\s(?:full\s|the\s|an?\s)?$"));
static DEPTH: Pattern = LazyLock::new(|| compiled(r"(?i)^[-\s](?:level\s)?(?:depth|standard|level|detail)\b"));

/// "the AP exam", "the IB internal assessment", whose names say it.
static NAMED: Pattern = LazyLock::new(|| compiled(r"(?i)(?:exam|rubric|response|assessment|style|essay|labs?)$"));
/// "as GCSE Physics requires"
static REQUIRES: Pattern =
    LazyLock::new(|| compiled(r"(?i)^(?:\s\w+){0,3}\s(?:requires|demands|asks\sfor|expects|wants)\b"));

/// "for your GCSE", "sit the Leaving Cert", "Revise for A-level Physics"
static FOR_IT: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:revis(?:e|ing)\sfor|counts?\sfor|part\sof|marked\s(?:for|as)|assessed\s(?:for|as)|submitted\s(?:for|as)|credit\s(?:for|towards)|meets?|covers?|satisf(?:y|ies)|address(?:es)?|required\s(?:by|for|at|in))\s(?:the\s|your\s|our\s|their\s|an?\s)?(?:[A-Z][A-Za-z]+\s)?$",
    )
});

/// Words that say of a code that it is another lesson's only where they stand beside it: "read the value from the graph".
static WEAK: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:from|compar(?:e|es|ing)|after|before|takes?|reviews?|follow(?:s|ing)|plus|background|links?|early|mixed|combined|brought|forward|above|below|split|instead|foundations?|again|returns?|deep)\b",
    )
});

/// Whether words of `elsewhere` make the code of a running text that of another lesson.
pub(super) fn is_elsewhere(text: &str, level: &Level, elsewhere: &Pattern) -> bool {
    const NEAR: usize = 4;
    let (before, after) =
        (text.get(..level.bytes.start).unwrap_or_default(), text.get(level.bytes.end..).unwrap_or_default());
    let from = before.rmatch_indices(' ').nth(NEAR).map_or(0, |(place, _)| place);
    let to = after.match_indices(' ').nth(NEAR).map_or(after.len(), |(place, _)| place);
    let near = [before.get(from..), after.get(..to)];
    let far = [before.get(..from), after.get(to..)];
    let weakened = |far: &str| WEAK.as_ref().is_none_or(|weak| is(elsewhere, &weak.replace_all(far, "")));
    near.into_iter().flatten().any(|near| is(elsewhere, near)) || far.into_iter().flatten().any(weakened)
}

/// "Work towards", and then "MS-PS1-2: …"
static WORKS_TOWARDS: Pattern =
    LazyLock::new(|| compiled(r"(?i)^(?:we\s|students\s)?(?:are\s)?work(?:s|ing)?\stowards?\s(?:NGSS\s)?$"));
/// After a code and a word for what bears it: ", which covers the one standard we teach this week".
static OUR_STANDARD: Pattern = LazyLock::new(|| {
    compiled(
        r"(?ix)^(?:\s\w+)?(?:,?\s(?:which|that)\s(?:\w+\s)?(?:is|covers|meets|has|holds|serves)|\sis|,)\s(?: (?:the|our)\s(?:one\s|only\s|single\s|very\s)?(?:standard|expectation|benchmark|target)s?\s(?:that\s|which\s)?(?:we\s(?:are\s)?|this\slesson\s|you\s(?:are\s)?)(?:teach|cover|address|meet|work|assess|target)(?:ing|e?s)?
            | (?:our|this\s(?:week|unit|lesson|month)['’]s|today['’]s)\s(?:\w+\s)?(?:standard|expectation|benchmark|target) )\b",
    )
});
/// "Have HS-LS1-3 on the board", "Project the standard, 2-PS1-1"
static SHOWN: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:!?]\s|\b(?:then|and)\s)(?:have|post|project|display|write|put|read(?:\sout|\saloud)?|show|share|introduce|unpack|point\s(?:to|at)|copy|underline|pin|stick|hang|tape|chart)\s(?:up\s)?(?:(?:the|our|today['’]s)\s(?:\w+\s)?(?:standard|target|objective|goal|expectation|code),?\s(?:for\s|from\s)?)?(?:NGSS\s)?[(:]?$",
    )
});
/// Right after it: what is shown is not the standard but something of it.
static SOMETHING_OF_IT: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^['’\s-]s?\s?(?:posters?|videos?|slides?|cards?|kit|graphs?|data|results|work|lesson|unit|models?|photos?|chart)\b",
    )
});

/// Whether words around a code make it this lesson's in spite of others: "Work towards MS-PS1-2: …".
pub(super) fn is_ours(text: &str, level: &Level) -> bool {
    let (before, after) =
        (text.get(..level.bytes.start).unwrap_or_default(), text.get(level.bytes.end..).unwrap_or_default());
    let named = after.trim().is_empty() || after.starts_with([':', '.']) || after.starts_with(" —");
    is(&WORKS_TOWARDS, before) && named || is(&OUR_STANDARD, after)
}

/// The codes that a step or a note names as those of this lesson: many tell where a thing comes from.
pub(super) fn taught(text: &str) -> Vec<Level> {
    let mut levels = grades::codes(text);
    levels.retain(|level| {
        let after = text.get(level.bytes.end..).unwrap_or_default();
        let shown = || is(&SHOWN, text.get(..level.bytes.start).unwrap_or_default());
        of_numbers(text, level) && (shown() && !is(&SOMETHING_OF_IT, after) || is(&OUR_STANDARD, after))
    });
    levels
}

fn is(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

fn of_numbers(text: &str, level: &Level) -> bool {
    text.get(level.bytes.clone()).is_some_and(|code| code.contains(|c: char| c.is_ascii_digit()))
}

/// "A level" with a space is an examination where a subject or a word of schools stands beside it, and not a level path.
fn is_an_exam(text: &str, level: &Level) -> bool {
    let name = text.get(level.bytes.clone()).unwrap_or_default();
    let rest = text.get(level.bytes.end..).unwrap_or_default();
    if !matches!(name, "A level" | "A Level" | "AS level" | "AS Level" | "O level" | "O Level") {
        return true;
    }
    static SCHOOL: Pattern = LazyLock::new(|| {
        compiled(
            r"(?i)^[\s,:]*(?:\)|$|(?:physics|chemistry|biology|science|geology|psychology|environmental|practical|required|core|exam|paper|past|question|coursework|specification|syllabus|students?|pupils?|candidates?|class|course|lab|standard|depth|test|mark|rubric|lesson|investigation|revision)\b)",
        )
    });
    is(&SCHOOL, rest)
}

/// The stages that a title names as its own: "Titration (GCSE)", "AP Chemistry Lab 4", "KS1 Plants".
pub(super) fn of_title(text: &str) -> Vec<Level> {
    let levels = grades::codes(text);
    let own = |level: &Level| {
        // "From Seed to Seedling (A Level Biology)": what the lesson is about says nothing of the class.
        let before = text.get(..level.bytes.start).unwrap_or_default();
        let rest = text.get(level.bytes.end..).unwrap_or_default();
        let before = before.rsplit([':', ';', '—', '–', '?', '!', '(']).next().unwrap_or_default();
        let rest = rest.split([':', ';', '—', '–', '?', '!', '(', ')']).next().unwrap_or_default();
        !is(&NOT_OF_A_TITLE, before) && !is(&NOT_OF_A_TITLE, rest) && is_an_exam(text, level)
    };
    levels.into_iter().filter(|level| of_numbers(text, level) || own(level)).collect()
}

/// The codes that a running text names, and the examinations that it names as its own; "at A level" may stand for anything.
pub(super) fn of_text(text: &str) -> Vec<Level> {
    let levels = grades::codes(text);
    if levels.is_empty() {
        return levels;
    }
    let others = is(&OF_OTHERS, text);
    let own = |level: &mut Level| {
        let (before, rest) =
            (text.get(..level.bytes.start).unwrap_or_default(), text.get(level.bytes.end..).unwrap_or_default());
        let of_it = OF_IT.as_ref().and_then(|of_it| of_it.find(rest));
        // The year before, a question of it is good practice.
        if of_it.is_some_and(|asked| is(&A_QUESTION, asked.as_str())) {
            level.low -= 1;
        }
        let name = text.get(level.bytes.clone()).unwrap_or_default();
        of_it.is_some()
            || is(&NAMED, name)
            || is(&REQUIRES, rest)
            || is(&AT, before) && is(&DEPTH, rest)
            || is(&FOR_IT, before)
    };
    levels
        .into_iter()
        .filter_map(|mut level| {
            let code = of_numbers(text, &level);
            (code || !others && is_an_exam(text, &level) && own(&mut level)).then_some(level)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(content: &Value) -> usize {
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn an_examination_that_the_lesson_works_for_is_one_of_its_grade() {
        let mut missed = Vec::new();
        for (grade, text) in [
            (json!("Year 8"), "Complete the GCSE required practical on resistance."),
            (json!("Year 4"), "Answer one A-level past-paper question on enzymes."),
            (json!(3), "Marked with the AP Chemistry rubric."),
            (json!("Year 5"), "A six-mark GCSE question under exam conditions."),
            (json!("Year 6"), "Explain osmosis at A-level standard."),
            (json!(2), "This is marked as part of the Leaving Certificate."),
            (json!("Year 3"), "Meets the AQA GCSE specification."),
            (json!(4), "Use the IB internal assessment criteria."),
            (json!("Year 6"), "Compare two alloys from their graphs in the GCSE core practical."),
            (json!(3), "A first go at the AP exam."),
            (json!("Primary 3"), "An O-Level past paper on rates."),
            (json!(5), "Two AP free-response questions on equilibrium."),
        ] {
            for content in [json!({"grade": grade, "objectives": [text]}), json!({"grade": grade, "assessment": text})]
            {
                if found(&content) != 1 {
                    missed.push(text);
                }
            }
        }
        for (grade, title) in [
            (json!("Year 7"), "A Level Biology Practical: Looking at Onion Cells"),
            (json!("Year 3"), "Titration (GCSE)"),
            (json!(2), "AP Chemistry Lab 4: Buffers"),
            (json!("Year 10"), "Key Stage 1 Plants"),
            (json!(4), "Springs for Leaving Cert"),
            (json!("Year 4"), "From Seed to Seedling: an A Level Biology Practical"),
        ] {
            if found(&json!({"grade": grade, "title": title})) != 1 {
                missed.push(title);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn an_examination_of_others_or_of_later_is_not() {
        let mut wrong = Vec::new();
        for (grade, text) in [
            (json!("Year 9"), "Those starting IGCSE Physics next September should keep the graph."),
            (json!("Year 8"), "Answer a GCSE-style question."),
            (json!("1st Year"), "The best go up outside the Leaving Cert exam hall."),
            (json!("Year 12"), "Recall the simple model of the atom from Key Stage 3."),
            (json!("Year 4"), "Find a level surface and a level spoon; lay the ruler on a level table."),
            (json!("Year 6"), "You will meet this in a GCSE question one day."),
            (json!("Secondary 3"), "Students need not give units of rate from the A-Level notes."),
            (json!("Year 7"), "Read the GCSE poster that the older pupils left."),
        ] {
            let content = json!({"grade": grade, "objectives": [text], "assessment": text});
            if found(&content) != 0 {
                wrong.push(text);
            }
        }
        for (grade, title) in [
            (json!("Year 4"), "A Level Road for Marbles"),
            (json!("Year 7"), "From Key Concepts to GCSE"),
            (json!("Year 7"), "A Level Shelf"),
        ] {
            if found(&json!({"grade": grade, "title": title})) != 0 {
                wrong.push(title);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
