//! `grade_level`: the class that a text calls this one ("Fifth graders will …") against the grade of the lesson.

mod addressed;
mod ages;
mod belongings;
mod doing;
mod owned;

use std::sync::LazyLock;

use regex::Regex;

use super::curriculum_grade::{grade_evidence, grade_mend, in_words};
use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::grades::{self, Level};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::numbers;
use crate::assistant::facts::patterns::compiled as pattern;
use crate::domain::finding::Evidence;

/// Words that make a class another one than this: an earlier or a later year, guests, readers, someone to explain it to.
static OTHERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)\b(?: budd(?:y|ies) | helpers? | next\ door | next\ year | last\ (?:year|week|month|term)(?:['’]s)? | other | another | younger | older
            | visit\w* | guests? | mentors? | teach | sisters? | brothers? | siblings? | earlier | later | previous\w* | former | already
            | learn(?:ed|t) | met | saw | did | were | had | remember | recall | back\ in | when\ (?:you|they|we) | before | until | unlike | than
            | as\ if | builds?\ on | built\ on | prepares? | prior | audience | readers? | letter | compared?\ (?:to|with)
            | average | typical | not | no\ longer | leave\ behind | neighbou?r\w* | cousins? | imagine | suppose | fictional | data\ from
            | survey\w* | textbook | borrow\w* | record | so\ that\ (?:even\ )?an? | invit\w* | again\ in | ready\ for | by )\b",
    )
});

/// Words right after a class that make it another one. Further on they speak of something else: "Sixth graders will
/// record how …, as they did before".
static OTHERS_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?:['’]s?)?(?:[\s-]+[\w'’]+){0,2}?[\s-]+(?: budd(?:y|ies) | helpers? | next\sdoor | next\syear | last\s(?:year|week|month|term) | other | younger | older
            | visit\w* | guests? | mentors? | sisters? | brothers? | siblings? | earlier | previous\w* | already | readers? | in\s(?:room|the\sother)
            | learn(?:ed|t) | met | saw | did | were | had | made | took | found | wrote | bent | used | built | borrow\w* | survey\w* | textbook | audience | down\sthe | upstairs | who\s(?:were|had|did|came) | do\snot | cannot | said | asked | told | tried | claimed | wondered | noticed | thought | says | claims | invented | trained | dropped | won | sent | collected | gathered | measured | recorded | counted | grew | planted | left | drew | go\s(?:out|first|ahead|home|past|before)
            | comes? | came | (?:students?|pupils?|girls?|boys?|teachers?)\s(?:in|at|from)\s(?:another|a|the\sother|texas|ohio|india|kenya|japan|canada) )\b",
    )
});

/// In a title, only company makes the class another one.
static COMPANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:budd(?:y|ies)|helpers?|younger|older|visit\w*|guests?|for\s(?:my|our|your)|versus|vs|teach\w*|from|to|beyond|before|after|towards?)\b",
    )
});

/// What may stand right before a class of which something is said; not someone whom something is done for.
static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[^a-z\s]\s*|\b(?:all|our|my|your|these|this|each|every|we|you|us|as|today,?|the|most|a|an|and|that|so|which|where|when|while|because|if|any|some|no|only|both|could|will|should|can|let|have|ask|expect|help|get|allow|remind|want|lets|asks|dear|hello|welcome)\s+(?:(?:the|a|of|our|my|your|all|these)\s+){0,2})$",
    )
});
/// Before a class: someone whom something is given, shown or compared to.
static RECIPIENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:to|with|from|for|like|of|than|by|about|at|in|on)\s+(?:(?:the|a|an|our|my|your|some|all|these)\s+){0,2}$",
    )
});
/// Words of time that end what stands before the subject: "By the end of the lesson fifth graders can …".
static TIMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:by|at|after|before|during|in|on|for|throughout|over|with|using|through)\s(?:[\w'’-]+\s){0,6}?(?:lesson|unit|activity|investigation|period|class|day|week|experiment|session|lab|practical|end|time|term|task|project|hour|step|part|challenge|workshop|visit|walk|this|that)\s+$",
    )
});
/// What stands after the name of a class in brackets or at the beginning of a note.
static EDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^[-\s](?:version|edition|worksheet|booklet|handout|reader|question|record|data|recording|results|observation)s?\b",
    )
});

/// What follows a class that does something in this lesson.
static PEOPLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^[-\s](?:science\s|physics\s|biology\s|chemistry\s)?(?:students?|pupils?|learners?|children|kids|class(?:es)?|scientists?|chemists|physicists|biologists|geologists|botanists|ecologists|astronomers|meteorologists|engineers|researchers|explorers|inventors|naturalists|experimenters|detectives|investigators?|groups?|teams?)\b",
    )
});
/// What is held for a class.
static LESSON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^[-\s](?:science\s|physics\s|biology\s|chemistry\s)?(?:lesson|practical|investigation|lab|activity|unit|level)\b",
    )
});
/// Before the name of a class: the lesson is this one.
static THIS: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)(?:\b(?:this|our|today['’]s)\s+(?:\w+\s+)?|\b(?:is|as)\s+an?\s+|^\s*an?\s+)$"));
static ACTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^,?\s(?:(?:often|always|usually|all|now|also|each|then|still|first|today)\s)?(?:ask|notice|wonder|will|can|should|must|are|may|learn|use|make|find|measure|explain|describe|compare|sort|plan|observe|investigate|work|build|test|explore|draw|record|need|identify|design|collect|predict|discover|do|carry|know|understand|to|apply|plot|state|name|puts?|who|construct|analy[sz]e|model|develop|calculate|determine|classify|demonstrate|evaluate|create|conduct|argue|write|count|look|watch|discuss|share|practi[sc]e|wear|go|take|get|keep|weigh|report|present|read|choose|follow|set|show|have|connect|relate|compute|list|label|interpret|communicate|recogni[sz]e|justify|be|give|add|mix|pour|sit|stand|line\sup|gather|wash|put|place|hold|listen|try|start|begin|finish|swap|submit|trade|exchange|hand\s(?:in|over)|turn\sin|check|graph|sketch|rotate|feel|taste|see|get|grow|plant|pick|time|answer|solve|walk|move|meet|practice|revise|master|cut|drop|like|each|in\s(?:this|our)|taking\spart|like\syou|aged)(?:e?s)?\b",
    )
});
/// "suitable for Year 7", "written for ninth graders"
static MEANT_FOR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:suitable|suited|written|designed|meant|intended|aimed|planned|pitched|geared|targeted|tailored|set|ideal|appropriate|investigation|lesson|practical|lab|activity|expectations|standards?|requirements|outcomes|benchmarks|puzzle|challenge|mystery|mission|task|job|problem)\s(?:for|at|to|towards|of)\s(?:use\s(?:with|in)\s)?(?:a\s|our\s|my\s|the\s)?$",
    )
});

/// What a class makes for others: "a card of rules written for first graders".
static PRODUCT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:cards?|rules?|posters?|leaflets?|games?|guides?|story|stories|books?|booklets?|comics?|letters?|talks?|models?|exhibits?|toys?|videos?|plays?)\b",
    )
});

/// "Welcome, seventh graders", "You are in Year 9 now"
static GREETED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\b(?:welcome|hello|hi|hey|good\s(?:morning|afternoon|day)|listen(?:\sup)?|attention|come\son|well\sdone|okay|ok|dear),?\s(?:to\s)?(?:(?:the|our|my|you|all|everyone|in)\s)*|\b(?:you|we)(?:\s(?:all\s)?are|['’]re)\s(?:(?:all|now|only|just|after\sall|in|an?)\s)*)$",
    )
});

/// "Pupils in", at the beginning of what is said.
static MEMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[.,:;(—]\s*)(?:(?:have|let|ask|get|help|allow|tell|remind|expect|make\ssure)\s)?(?:(?:all|our|the|my|every|each|any|most|some)\s(?:of\s)?)*(?:students?|pupils?|learners?|child(?:ren)?|everyone|everybody)\s(?:in|of)\s$",
    )
});

/// Finds the first text of each field that calls the class another one.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some((value, grade)) = lesson.field("grade").and_then(|value| Some((value, grades::of_grade(value)?))) else {
        return Vec::new();
    };
    let mut found: Vec<Match> = Vec::new();
    for text in lesson.texts_of(|role| {
        use Role::*;
        matches!(
            role,
            Title
                | Objective(_)
                | Hypothesis
                | Step(_)
                | Assessment
                | Phenomenon
                | DrivingQuestion
                | Safety(_)
                | MaterialNotes(_)
                | Definition(_)
                | Controlled(_)
        )
    }) {
        let known = found.iter().any(|found| found.finding.conflicts_with.iter().any(|field| field == text.field()));
        if known || !names_a_class(text) {
            continue;
        }
        let title = text.role == Role::Title;
        let with_people = exam_classes(text.text, title)
            .into_iter()
            .chain(classes(text.text, grade.year, title))
            .chain(ages::years_old(text.text));
        let aged = ages::of_pupils(text.text).or_else(|| doing::aged(text.text)).or_else(|| ages::leaving(text.text));
        let last_years = doing::last_years(text.text).filter(|_| !grade.year);
        let surely = |level: &Level| aged.as_ref() == Some(level) || last_years.as_ref() == Some(level);
        let this = |level: &Level| {
            surely(level) || is_this_class(text, level) || addressed::is_its_trip(text.text, level, &grade)
        };
        for level in
            grades::named(text.text).into_iter().chain(with_people).chain(aged.clone()).chain(last_years.clone())
        {
            // In Britain a grade is a mark: "Grade 9 pupils should explain why".
            let name = text.slice(&level.bytes).to_lowercase();
            let a_mark = grade.year && !level.year && name.starts_with("grade");
            // "Class 1: Introduction" is of lessons, if classes are not what grades are called here.
            let counted = || value.as_str().is_some_and(|grade| grade.to_lowercase().contains("class"));
            let a_lesson = title
                && (name.starts_with("class") || name.ends_with(" class"))
                && heads(text.text, &level)
                && !counted();
            // "Third graders …; in fifth grade they come back to it" lays two classes side by side.
            let beside = || {
                let sentence = numbers::bytes_of(&text.tokens, &sentence_at(text, level.bytes.start));
                let apart = |other: &Level| !level.bytes.contains(&(sentence.start + other.bytes.start));
                grades::named(text.slice(&sentence)).iter().any(|other| other.meets(&grade) && apart(other))
            };
            if level.meets(&grade) || a_mark || a_lesson || !this(&level) || beside() {
                continue;
            }
            let called = text.slice(&level.bytes);
            let reason = format!("The lesson is for {}, but the text says \"{called}\".", in_words(&grade));
            let quote = text.quote(&sentence_at(text, level.bytes.start));
            let mut new = conflict("grade_level", grade_evidence(value), Evidence { ..quote }, reason)
                .suggesting(format!("Say {} here, or change the grade of the lesson.", in_words(&grade)));
            new.mends.extend(grade_mend(value, &grade, &level));
            new.mends.extend(text_mend(text, &grade, &level));
            found.push(new);
            break;
        }
    }
    found
}

/// Whether a text may name a class: of most all that is known.
fn names_a_class(text: &Text) -> bool {
    let named = |text: &Text| {
        let title = text.role == Role::Title;
        !(grades::named(text.text).is_empty()
            && exam_classes(text.text, title).is_empty()
            && classes(text.text, false, title).is_empty()
            && ages::of_pupils(text.text).is_none()
            && ages::leaving(text.text).is_none()
            && doing::aged(text.text).is_none()
            && ages::years_old(text.text).is_empty()
            && doing::last_years(text.text).is_none())
    };
    !text.kept(move |text| named(text).then_some(()).into_iter().collect()).is_empty()
}

/// "KS3 pupils", "A-level students": examinations with people behind them.
fn exam_classes(text: &str, title: bool) -> Vec<Level> {
    grades::codes(text)
        .into_iter()
        .filter(|level| {
            let rest = text.get(level.bytes.end..).unwrap_or_default();
            PEOPLE.as_ref().is_some_and(|people| people.is_match(rest)) || title && names_a_subject(rest)
        })
        .collect()
}

/// "A-level Chemistry", "Class 9 Physics: Motion"
fn names_a_subject(rest: &str) -> bool {
    let word =
        rest.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default().to_lowercase();
    matches!(word.as_str(), "physics" | "chemistry" | "biology" | "science" | "practical" | "lab" | "lesson")
}

/// "Primary 6 pupils", "Form 3 students"; in Britain "Class 3" is the name of a room.
fn classes(text: &str, british: bool, title: bool) -> Vec<Level> {
    if !["rimary", "orm ", "lass", "econdary", "tandard", "SS", "HS", " P", "Reception", "Sec", "Std"]
        .iter()
        .any(|name| text.contains(name))
    {
        return Vec::new();
    }
    let mut classes = grades::of_a_country(text);
    classes.retain(|level| {
        let rest = text.get(level.bytes.end..).unwrap_or_default();
        let name = text.get(level.bytes.clone()).unwrap_or_default();
        // "So we form 6 groups of three."
        if name.starts_with("form") {
            return false;
        }
        let before = text.get(..level.bytes.start).unwrap_or_default();
        (MEMBERS.as_ref().is_some_and(|members| members.is_match(before))
            || PEOPLE.as_ref().is_some_and(|people| people.is_match(rest))
            || name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("es")
            || title
                && (names_a_subject(rest) || heads(text, level) || rest.trim().is_empty() && before.ends_with(" for ")))
            && !(british && name.to_lowercase().contains("class"))
    });
    classes
}

/// Whether a title begins with the class, or ends with it in brackets: "Class IV – Teeth", "Magnets (Primary 3)".
fn heads(title: &str, level: &Level) -> bool {
    let (before, rest) =
        (title.get(..level.bytes.start).unwrap_or_default(), title.get(level.bytes.end..).unwrap_or_default());
    let rest = rest.trim_start();
    before.is_empty() && rest.starts_with([':', '–', '—', '-', '|', ',']) || before.ends_with('(') && rest == ")"
}

fn sentence_at(text: &Text, byte: usize) -> std::ops::Range<usize> {
    text.sentence(text.tokens.partition_point(|token| token.bytes.end <= byte))
}

fn is_this_class(text: &Text, level: &Level) -> bool {
    let tokens = sentence_at(text, level.bytes.start);
    let sentence = numbers::bytes_of(&text.tokens, &tokens);
    let is = |regex: &LazyLock<Option<Regex>>, text: &str| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    let before = text.slice(&(sentence.start..level.bytes.start));
    let after = text.slice(&(level.bytes.end..sentence.end.max(level.bytes.end)));
    if text.role == Role::Title {
        // "Year 8 Practical: what heat does to carbonates": what the lesson is about says nothing of the class.
        let named = after.split([':', ';', '—', '–', '?', '!']).next().unwrap_or(after);
        let near: String = named.split_inclusive(' ').take(4).collect();
        let before = before.rsplit([':', ';', '—', '–', '?', '!']).next().unwrap_or(before);
        return !is(&COMPANY, before) && !is(&COMPANY, &near);
    }
    // What another clause says is of no matter to this one.
    let clause_before = before.rsplit([',', ';', ':', '—', '–']).next().unwrap_or(before);
    let clause_after = after.trim_start_matches(',').split([',', ';', ':', '(', '—', '–']).next().unwrap_or(after);
    // "By the end of the session" says when.
    let dated = clause_before.trim_start();
    let dated = dated
        .get(..3)
        .filter(|by| by.eq_ignore_ascii_case("by "))
        .map_or(clause_before, |_| dated.get(3..).unwrap_or_default());
    if is(&OTHERS, if dated.trim().is_empty() { clause_before } else { dated }) {
        return false;
    }
    // "Your third-grade class has noticed puddles" is told of this class.
    let own = ["your", "this"].contains(&clause_before.trim().to_lowercase().as_str()) && is(&PEOPLE, after);
    if own && !is(&COMPANY, clause_after) {
        return true;
    }
    if doing::is_like_the_reader(after) {
        return true;
    }
    if is(&OTHERS_AFTER, clause_after) {
        return false;
    }
    let bracketed = before.trim_end().ends_with('(') && after.trim_start().starts_with(')');
    let marked = clause_before.to_lowercase();
    let marked = ["rubric", "checklist", "exit ticket", "quiz", "test", "worksheet", "task", "criteria"]
        .iter()
        .any(|name| marked.trim_end_matches([' ', '(']).ends_with(name));
    if bracketed && (marked || before.trim_end_matches([' ', '(']).to_lowercase().ends_with("rubric"))
        || matches!(text.role, Role::MaterialNotes(_)) && before.trim().is_empty() && is(&EDITION, after)
    {
        return true;
    }
    if is(&MEANT_FOR, before) && !is(&PRODUCT, before) {
        return true;
    }
    let named = text.slice(&level.bytes).to_lowercase();
    let people = ["er", "men", "child", "children", "pupil", "student"].iter().any(|end| named.ends_with(end))
        || named.ends_with('s') && !named.ends_with("schools");
    let alone = !after.trim_start().starts_with(|c: char| c.is_alphanumeric()) || is(&PEOPLE, after);
    if owned::is_owned(before, after) {
        return true;
    }
    let in_it = before.ends_with("in ") && !after.starts_with(" of");
    let has_people = people || is(&PEOPLE, after);
    if doing::is_at_work(text, level, before, after, has_people)
        || belongings::are_its_own(text.role, before, after, has_people)
        || addressed::is_spoken_to(text, level, before, after, people)
    {
        return true;
    }
    if is(&GREETED, before) && (people || alone || in_it) {
        return true;
    }
    if people && before.ends_with("with ") && after.starts_with(" in mind") {
        return true;
    }
    // "My fourth graders", "we second graders"
    let lower = before.to_lowercase();
    if people && [" my ", "we "].iter().any(|own| lower.ends_with(own)) && !lower.ends_with("owe ") {
        return true;
    }
    // "Pupils in Year 8 will …", "For third-grade learners: …"
    if is(&MEMBERS, before) && is(&ACTS, after) || before.trim() == "For" && is(&PEOPLE, after) {
        return true;
    }
    if is(&RECIPIENT, before) {
        return false;
    }
    // "Second-graders say what a magnet pulls": an objective is theirs.
    let verb = after.strip_prefix(' ').is_some_and(|after| after.starts_with(|c: char| c.is_lowercase()));
    if people && verb && matches!(text.role, Role::Objective(_)) && before.trim().is_empty() {
        return true;
    }
    // "As twelfth graders, students …"
    let told_of = [", a ", ", an ", ", the "].iter().any(|before| lower.ends_with(before));
    let address = people && after.starts_with(',') && !told_of;
    is(&THIS, before) && is(&LESSON, after)
        || (is(&OPENING, before) || is(&TIMED, clause_before))
            && (people && (address || is(&ACTS, after)) || is(&PEOPLE, after))
}

fn text_mend(text: &Text, grade: &Level, level: &Level) -> Option<Mend> {
    let range = level.number.clone().filter(|_| grade.low == grade.high && grade.year == level.year)?;
    let replacement = grades::in_form_of(text.slice(&range), grade.low)?;
    Some(Mend { path: text.path.clone(), edit: Edit::Splice { range, text: replacement } })
}

#[cfg(test)]
mod tests;
