//! What is a class's own, which makes it the class of the lesson: its rubric, its words, its share of the materials, its
//! rules, the end of its year.

use std::sync::LazyLock;

use crate::assistant::facts::lesson::Role;
use crate::assistant::facts::patterns::compiled;

use super::doing::{ELSEWHERE, PEOPLE, Pattern, is};

/// "one for each", "two per": of which each pupil has a share.
static SHARE: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:\bper\s|\b(?:one|two|three|four|\d+|a\s\w+|enough|some|sets?|pairs?|pieces?|copy|copies)\s(?:of\s\w+\s)?for\s(?:each|every|all\s(?:the|our|my))\s)$",
    )
});
/// "blunt ones for", and then "first-grade fingers"
static FOR: Pattern = LazyLock::new(|| compiled(r"(?i)\b(?:for|in|fits?|fitting)\s(?:small\s|little\s|our\s)?$"));
static HANDS: Pattern = LazyLock::new(|| compiled(r"(?i)^(?:[\s-]|['’]s?\s)(?:hands|fingers|fists|eyes|arms)\b"));
/// "easy for", and then "Year 1s to hold"
static EASY: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:easy|simple|light|big|large|chunky|small|soft|low|sturdy|thick)\s(?:enough\s)?for\s(?:the\s|our\s|my\s)?$",
    )
});
static TO_DO: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:[\s-]{PEOPLE})?\sto\s(?:hold|read|use|lift|grip|carry|cut|open|pour|handle|manage|reach|turn|press|see|squeeze)\b"
    ))
});

/// "The third-grade rubric", "Kindergarten checklist"
static OPEN: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:]\s|\b(?:the|our|this|with|on|against)\s|\b(?:with|on|against|use|to|of)\s(?:the|our|a)\s)$",
    )
});
static RUBRIC: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^(?:[\s-]|['’]s?\s)(?:science\s)?(?:rubric|checklist|scoring\sguide|report\scard|success\scriteria|criteria|exit\stickets?|standards?|expectations?|performance)\b",
    )
});
/// "at a third-grade level"
static AT: Pattern = LazyLock::new(|| compiled(r"(?i)\b(?:at|to)\s(?:an?\s|the\s)?$"));
static LEVEL: Pattern = LazyLock::new(|| compiled(r"(?i)^[-\s](?:level|standard)\b"));

/// "as we say in", and then "Year 2"
static WE_SAY: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:as|what|which|that|how|way|words?)\s(?:we|you)\s(?:say|call|put|write|define|use|describe|need|mean|know)\s(?:\w+\s){0,2}in\s$",
    )
});
/// "In", "Year 2", and then "we say"
static THERE_WE: Pattern =
    LazyLock::new(|| compiled(r"(?i)^,?\swe\s(?:just\s|simply\s)?(?:say|call|use|write|mean|define)\b"));

/// "By the end of", "Year 13", and then ", students can"
static END_OF: Pattern = LazyLock::new(|| compiled(r"(?i)^\s*(?:by|at|before)\sthe\send\sof\s$"));
static THEY_CAN: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^,?\s(?:the\s|all\s|our\s)?(?:pupils|students|children|learners|you|we)\s(?:will|can|should|must|are)\b",
    )
});

/// "a class of", "our group of"
static CLASS_OF: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:this|our|my|your)\s(?:\w+\s)?(?:class|group|room|roomful|team|crew|bunch|circle|set)\s(?:full\s)?of\s(?:\w+\s)?$",
    )
});

/// "Year 4", and then ", look at the sky"
static TOLD: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^,\s(?:have\syou|do\syou|did\syou|can\syou|are\syou|you|look|think|listen|watch|remember|let['’]s|please|your|it['’]s\stime|today|get\sready|put\son)\b",
    )
});

/// A rule or a step for the class: "First graders stay behind the tape", "Year 13s tie back their hair".
static DOES: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?ix)^(?:[\s-]{PEOPLE})?\s(?:(?:never|always|only|do\snot|don['’]t|may\snot)\s)?
            (?:stay|tie|stand|keep|touch|leave|use|handle|wait|wear|sit|hold|walk|roll|tuck|light|pour|carry|remove|lift|bring|choose|pick|trace|paint|stick|tape|stir|tip|turn|tell|say|whisper|glue|peel|sketch|estimate|guess|check|blow|squeeze|push|pull|shake|rub|smell|open|close|connect|fill|empty|fold|rinse|wipe|balance|heat|cool|crush|filter|dissolve|examine|inspect|handle|show|lay|switch|raise|need|get|work)(?:e?s)?\s
            (?:the|a|an|their|his|her|each|one|two|three|it|them|what|in|with|back|up|out|on|off|behind|away|only|no|still|seated|until|clear|nothing|goggles|gloves|safety|eye)\b"
    ))
});

/// Whether what stands around the name of a class is this class's own.
pub(super) fn are_its_own(role: Role, before: &str, after: &str, people: bool) -> bool {
    if is(&ELSEWHERE, before) || is(&ELSEWHERE, after) {
        return false;
    }
    let start = before.trim().is_empty();
    let shared = || is(&SHARE, before) || is(&EASY, before) && is(&TO_DO, after);
    let said = match role {
        Role::Assessment | Role::Objective(_) => {
            is(&OPEN, before) && is(&RUBRIC, after)
                || is(&AT, before) && is(&LEVEL, after)
                || is(&END_OF, before) && is(&THEY_CAN, after)
        }
        Role::Definition(_) => is(&WE_SAY, before) || before == "In " && is(&THERE_WE, after),
        Role::Safety(_) | Role::Step(_) => start && people && is(&DOES, after),
        _ => false,
    };
    said || start && is(&TOLD, after)
        || is(&FOR, before) && is(&HANDS, after)
        || people && (shared() || is(&CLASS_OF, before))
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
    fn what_is_its_own_makes_a_class_that_of_the_lesson() {
        let mut missed = Vec::new();
        for content in [
            json!({"grade": 9, "assessment": "Score it with the third-grade rubric."}),
            json!({"grade": "Grade 10", "assessment": "Kindergarten checklist: names two colours."}),
            json!({"grade": 3, "assessment": "Explains the reaction at a twelfth-grade level."}),
            json!({"grade": "Year 4", "objectives": ["By the end of Year 12, students can derive the formula."]}),
            json!({"grade": "Year 9", "vocabulary": [{"term": "root", "definition": "the foot of a plant, as we say in Year 1"}]}),
            json!({"grade": 10, "vocabulary": [{"term": "solid", "definition": "In second grade we say: it keeps its shape."}]}),
            json!({"grade": 2, "safety": ["Twelfth graders wear gloves for the acid."]}),
            json!({"grade": "Year 13", "safety": ["Year 1 children stay behind the tape."]}),
            json!({"grade": 11, "safety": ["No kindergarten pupil touches the kettle."]}),
            json!({"grade": 10, "materials": [{"name": "loupe", "quantity": 12, "notes": "one for each second grader"}]}),
            json!({"grade": 10, "materials": [{"name": "scissors", "quantity": 12, "notes": "blunt, for first-grade fingers"}]}),
            json!({"grade": "Year 10", "materials": [{"name": "cubes", "quantity": 12, "notes": "easy for Year 1s to hold"}]}),
            json!({"grade": 10, "phenomenon": "Our group of first graders likes puddles."}),
            json!({"grade": "Year 10", "phenomenon": "Year 3, have you seen a shadow move?"}),
            json!({"grade": 10, "steps": [{"text": "Have the seven-year-olds trace the leaf."}]}),
            json!({"grade": "Secondary 3", "objectives": ["Primary Four pupils will name three animals."]}),
            json!({"grade": 11, "drivingQuestion": "Could kindergartners build a bridge of paper?"}),
        ] {
            if found(&content) != 1 {
                missed.push(content.to_string());
            }
        }
        assert_eq!(missed, Vec::<String>::new());
    }

    #[test]
    fn what_belongs_to_others_is_theirs() {
        let mut wrong = Vec::new();
        for text in [
            "Last year's sixth-grade rubric is in the office.",
            "Choose a toy that is safe for six-year-olds.",
            "Make one for each visiting kindergartner.",
            "In eighth grade you will say mole.",
            "Write it so that a third grader could follow.",
            "Seven-year-olds in the survey slept longest.",
            "Kindergartners stay in the hall until ten.",
            "As you know from Grade 3, shadows move.",
        ] {
            let content = json!({"grade": 10, "steps": [{"text": text}], "assessment": text, "safety": [text]});
            if found(&content) != 0 {
                wrong.push(text);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
