//! `curriculum_grade`: the grade of the lesson against the grades that its curriculum or standard is for.

mod exams;

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::grades::{self, Level};
use crate::assistant::facts::lesson::{Lesson, Role, Text, shortened};
use crate::assistant::facts::patterns::compiled;
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

/// Words before a code that make it one of another lesson, or after it that make it more than is asked of the class.
static ELSEWHERE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:builds?|building|built|prepar(?:es?|ing|ation)|leads?|leading|towards?|not|beyond|revisit(?:s|ing)?|reviews?
            |previous|prior|earlier|later|next|follow(?:s|ed|ing)|links?|foundations?|precursor|after|before|progress(?:es|ion)?
            |feeds|extends?|extending|extension|enrichment|accelerated|gifted|bridg(?:es?|ing)|transition|stretch|compare|from
            |adapted|simplified|mixed|unlike|instead|recap|recall|remember|learn(?:ed|t)|met|seen|revision|background|further|takes?|later|deepen(?:s|ed)?|returns?|again|spirals?|tasters?|previews?|upcoming|ready|ahead|above|below|inspired|loosely|early|combined|composite|multi-?(?:age|grade|level)|split|club|camp|summer|catch(?:ing)?-?up
            |intervention|remedial|pilot|brought|forward|borrowed|plus|pull-?out|straddl\w+|crossover|looping|vertical)\b"
            .replace(char::is_whitespace, "")
            .as_str(),
    )
});

/// What a curriculum has of such words in its topics: "Preparation of salts", "Transition metals".
static CONTENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:next\sgeneration|foundation\s(?:phase|tier)|combined\s(?:science|gas\slaw)|preparation\s(?:of|and)|preparing\s(?:salts?|gases|solutions?|an?\s)|transition\s(?:metals?|elements?|states?|year)|extension\sof\s(?:an?\s)?(?:springs?|wires?)|background\s(?:radiation|count)|cosmic\sbackground|composite\smaterials?|bridge\s(?:circuits?|structures?)|bridges\sand|food\slinks|climate,?\spast\sand\sfuture|further\smechanics|early\suniverse)\b",
    )
});

/// What a standard expects, in brackets: "(develop a model of particles too small to be seen)".
static EXPECTATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)\((?:develop|use|plan|analy[sz]e|construct|describe|ask|make|support|gather|explain|measure|design|obtain|generate|conduct|define|interpret|apply|evaluate|investigate)\s[^()]*\)",
    )
});

/// Finds what is for another grade.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some((value, grade)) = lesson.field("grade").and_then(|value| Some((value, grades::of_grade(value)?))) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for text in lesson.texts_of(|role| {
        use Role::*;
        matches!(role, Curriculum | Title | Objective(_) | DrivingQuestion | Assessment | Step(_) | MaterialNotes(_))
    }) {
        let levels = text.kept(|text| match text.role {
            Role::Curriculum => grades::of_curriculum(text.text),
            Role::Title => exams::of_title(text.text),
            Role::Step(_) | Role::MaterialNotes(_) => exams::taught(text.text),
            _ => exams::of_text(text.text),
        });
        let elsewhere = || {
            ELSEWHERE.as_ref().is_none_or(|words| {
                let told = CONTENT.as_ref().map_or(text.text.into(), |content| content.replace_all(text.text, ""));
                EXPECTATION.as_ref().is_none_or(|said| words.is_match(&said.replace_all(&told, "")))
            })
        };
        let Some(level) = levels.first() else { continue };
        let elsewhere = || {
            elsewhere()
                && !exams::is_ours(text.text, level)
                && (text.role == Role::Curriculum || exams::is_elsewhere(text.text, level, &ELSEWHERE))
        };
        // A text with other words about its codes may name one of an earlier or a later year.
        if levels.iter().any(|level| level.meets(&grade)) || elsewhere() {
            continue;
        }
        // Where the curriculum is that of the grade, a code in another text is one more at most.
        let own = lesson.text(Role::Curriculum).map(|text| grades::of_curriculum(text.text)).unwrap_or_default();
        let fits = text.role != Role::Curriculum && own.iter().any(|level| level.meets(&grade));
        let new = finding(text, value, &grade, level);
        found.push(new.sure_if(!fits));
        break;
    }
    found
}

fn finding(text: &Text, value: &Value, grade: &Level, level: &Level) -> Match {
    let code = text.slice(&level.bytes);
    let range = in_words(level);
    let evidence = [grade_evidence(value), Evidence::new(&text.path, shortened(code))];
    let [one, other] = evidence;
    let reason = format!("The lesson is for {}, but \"{code}\" is for {range}.", in_words(grade));
    let found = conflict("curriculum_grade", one, other, reason)
        .suggesting(format!("Set the grade to one of {range}, or name the standard of {}.", in_words(grade)));
    match grade_mend(value, grade, level) {
        Some(mend) => found.mended_by(mend),
        None => found,
    }
}

/// The field `grade` as evidence.
pub fn grade_evidence(value: &Value) -> Evidence {
    let quote = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Evidence::new(&FieldPath::root().child("grade"), shortened(&quote))
}

/// `Grade 5`, `Years 7 to 9`
pub fn in_words(level: &Level) -> String {
    let (low, high) = (level.low.max(0), level.high.min(if level.year { 13 } else { 12 }));
    let name = |number: i64| if number == 0 { "K".to_owned() } else { number.to_string() };
    let unit = if level.year { "Year" } else { "Grade" };
    if low >= high { format!("{unit} {}", name(high)) } else { format!("{unit}s {} to {}", name(low), name(high)) }
}

/// The field `grade` with the grade of `level` that is nearest to it, in the form that it has.
pub fn grade_mend(value: &Value, grade: &Level, level: &Level) -> Option<Mend> {
    let nearest = if grade.high < level.low { level.low } else { level.high };
    let path = FieldPath::root().child("grade");
    if value.is_number() {
        let number = if level.year { nearest - 1 } else { nearest };
        return (1..=13).contains(&number).then(|| Mend { path, edit: Edit::Replace(json!(number)) });
    }
    let text = value.as_str()?;
    let range = grade.number.clone()?;
    let written = text.trim().get(range.clone())?;
    let shift = text.len() - text.trim_start().len();
    let number = match (grade.year, level.year) {
        (true, false) => nearest + 1,
        (false, true) => nearest - 1,
        _ => nearest,
    };
    let text = grades::in_form_of(written, number).filter(|_| (1..=13).contains(&number))?;
    Some(Mend { path, edit: Edit::Splice { range: range.start + shift..range.end + shift, text } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(content: Value) -> usize {
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_standard_of_another_grade_is_found() {
        for (grade, curriculum) in [
            (json!(3), "NGSS MS-LS2-1"),
            (json!(11), "NGSS MS-PS1-2"),
            (json!(9), "Next Generation Science Standards, 2-PS1-1"),
            (json!(8), "IB Diploma Programme, Chemistry SL"),
            (json!("Grade 4"), "NGSS MS-PS4-1"),
            (json!("Year 5"), "National Curriculum (England), Key Stage 4 Science"),
            (json!("K"), "5-PS1-2"),
            (json!("Year 8"), "AQA A-level Biology"),
            (json!(6), "CBSE Class X Science"),
            (json!(9), "3-5-ETS1-1"),
            (
                json!("Primary 3"),
                "Singapore MOE Primary Science Syllabus 2023, Upper Block (P5 and P6), theme Interactions",
            ),
            (json!(4), "High school physical science, Grade 9"),
            (json!(3), "Kenya CBC, Junior Secondary"),
            (json!(9), "CAPS, Foundation Phase"),
            (json!(10), "Scotland, Curriculum for Excellence, First Level"),
            (json!("Year 3"), "AC9S8U05"),
            (json!(5), "AP Physics 1"),
            (json!("Year 11"), "KS2 Science: Rocks"),
            (json!("Year 3"), "GCSE Combined Science, Rocks and resources"),
            (json!(10), "IB PYP, Sharing the planet"),
            (json!(3), "Ontario Science and Technology, Grade 7"),
            (json!("Grades 9 and up"), "NGSS MS-LS2-3"),
            (json!("Grade 8"), "NGSS 5-PS1-1 (develop a model of particles too small to be seen)"),
        ] {
            assert_eq!(found(json!({"grade": grade, "curriculum": curriculum})), 1, "{grade} {curriculum}");
        }
        assert_eq!(found(json!({"grade": 2, "objectives": ["Meets NGSS HS-PS2-1"]})), 1);
        for (grade, curriculum) in [
            (json!("V"), "CBSE Secondary, Class X Science practicals"),
            (json!("Year 3"), "Cambridge IGCSE Chemistry 0620, topic 7.3 Preparation of salts"),
            (json!("Year 4"), "A-level Chemistry: transition metals"),
            (json!(8), "Kindergarten to Grade 5 science framework"),
        ] {
            assert_eq!(found(json!({"grade": grade, "curriculum": curriculum})), 1, "{grade} {curriculum}");
        }
        for (grade, objective) in
            [(json!("K"), "Work towards MS-PS1-2: notice that sunlight warms"), (json!(3), "Working toward HS-LS1-3")]
        {
            assert_eq!(found(json!({"grade": grade, "objectives": [objective]})), 1, "{objective}");
        }
        for (grade, step) in [
            (json!("1st"), "Have HS-LS1-3 on the board and read it aloud."),
            (json!(9), "Sit in a circle. Read aloud the standard, 2-PS1-1, in your own words."),
            (json!(11), "Fetch the tubs from the K-LS1-1 kit, which covers the one standard we teach this week."),
        ] {
            assert_eq!(found(json!({"grade": grade, "steps": [{"text": step}]})), 1, "{step}");
        }
    }

    #[test]
    fn a_standard_of_the_grade_or_about_another_lesson_is_not() {
        for (grade, curriculum) in [
            (json!(7), "NGSS MS-PS3-3. Builds on 4-PS3-2; prepares for HS-PS3-4."),
            (json!(10), "International school: NGSS HS-ESS2-1; also England GCSE Physics (waves)"),
            (json!(8), "England KS3 Physics (forces and space), Year 8"),
            (json!(9), "IB MYP Sciences, Year 4 (Criteria B and C)"),
            (json!("Year 10"), "Edexcel GCSE (9-1) Chemistry, Topic 6"),
            (json!("11–12"), "AP Chemistry, Unit 6"),
            (json!("S4"), "Scottish National 5 Physics: dynamics"),
            (json!("Year 11"), "QCE Chemistry (Queensland), Unit 1"),
            (json!("Year 11"), "NSW Physics Stage 6, Module 3"),
            (json!(8), "Singapore Lower Secondary Science (Secondary 2)"),
            (json!(10), "NGSS HS-PS2-3 (regular physics, not AP)"),
            (json!(5), "3-5-ETS1-3"),
            (json!("Year 9"), "GCSE Biology"),
            (json!(5), "Extension of MS-PS1-2 for gifted pupils"),
            (json!("mixed"), "MS-PS1-2"),
            (json!(5), "Lehrplan 21, Zyklus 2"),
            (json!(6), "NGSS K-12 framework"),
            (json!(1), "NGSS 2-PS1-4, taught early in our combined 1–2 class"),
            (json!("Grades 5 and up"), "NGSS MS-LS2-3"),
            (json!(10), "STEM elective, South Korea, high school year 1"),
            (json!(7), "Korea, middle school home economics and science, Year 1"),
            (json!("Year 5 or above"), "KS3 Design and forces"),
            (json!(3), "Kindergarten to Grade 6 science"),
            (json!("Senior Infants"), "Living Things (infant classes to sixth class)"),
            (json!(5), "Preparation for MS-PS1-2"),
        ] {
            assert_eq!(found(json!({"grade": grade, "curriculum": curriculum})), 0, "{grade} {curriculum}");
        }
        let objectives = json!(["High school takes this further with momentum (HS-PS2-3)."]);
        assert_eq!(found(json!({"grade": "6-8", "curriculum": "MS-PS2-1", "objectives": objectives})), 0);
        assert_eq!(found(json!({"grade": 2, "objectives": ["Builds up to MS-PS1-2", "A level road, 12 cm"]})), 0);
        assert_eq!(
            found(json!({"grade": 5, "objectives": ["The standard we teach builds on 4-PS3-2, our background"]})),
            0
        );
        for text in [
            "Fetch the magnets from the MS-PS2-3 kit.",
            "Show the MS-PS2-3 video on magnets.",
            "Recall the words of the K-PS2-1 chart; read them again.",
            "Work towards MS-PS2-3 goes on next year.",
            "Put away the cards; the MS-PS2-3 class needs the room.",
        ] {
            assert_eq!(found(json!({"grade": 3, "steps": [{"text": text}]})), 0, "{text}");
        }
    }

    #[test]
    fn the_grade_can_follow_the_standard() {
        let mend = |grade: Value, curriculum: &str| {
            let content = json!({"grade": grade, "curriculum": curriculum});
            find(&Lesson::of(content.as_object()?)).pop()?.mends.pop().map(|mend| mend.edit)
        };
        assert_eq!(mend(json!(3), "MS-LS2-1"), Some(Edit::Replace(json!(6))));
        assert_eq!(mend(json!("Year 5"), "Key Stage 4"), Some(Edit::Splice { range: 5..6, text: "9".to_owned() }));
    }
}
