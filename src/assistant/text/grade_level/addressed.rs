//! Words with which a teacher speaks to a class or moves it about, which make it the class of the lesson: "Remind your
//! Year 9s that …", "Settle the seniors at their benches", "for us in Year 2: …".

use std::sync::LazyLock;

use crate::assistant::facts::grades::Level;
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::patterns::compiled;

use super::doing::{ELSEWHERE, PEOPLE, Pattern, is};

/// "Remind", and then "your Year 9s": buddies are taught and shown things, one's own class is told.
static TOLD: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:,!?—–]\s*|\b(?:then|and|now|first|next|finally|to)\s)(?:remind|tell|warn|ask|have|let|help|get|allow|encourage|challenge|prompt|expect|give|hand|settle|gather|seat|sit|split|divide|group|arrange|organi[sz]e|line\sup|keep)\s(?:(?:all|each|any|most|every\sone)\s(?:of\s)?)?your\s(?:\w+\s)?$",
    )
});
/// "Settle", and then "the matrics at their benches"
static SETTLED: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.;:!?]\s|\b(?:then|and|now|first|next|finally)\s)(?:settle|gather|seat|sit|split|divide|arrange|organi[sz]e|group|line\sup|circle\sup)\s(?:all\s)?(?:of\s)?(?:the|our|my)\s(?:\w+\s)?$",
    )
});
static AT_A_PLACE: Pattern = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^(?:[\s-]{PEOPLE})?\s(?:down\s|up\s)?(?:at|on|onto|in|into|round|around|along|by|to|with)\s(?:the|their|a|an|two|three|four|five|six|pairs|threes|fours|groups|teams|rows|lines|\d+)\b"
    ))
});
/// Words of the reader in a sentence about others: "Gather the first graders around your table".
static YOURS: Pattern = LazyLock::new(|| compiled(r"(?i)\b(?:you|your|yours|we|ours?|us)\b"));

/// "for us in", "those of us in", "Here in", and then "Year 2"
static US_IN: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:(?:^|[.,;:—–(]\s*)(?:for\s(?:all\sof\s)?us|(?:all|most|those)\sof\s(?:us|you)|and\swe|we|you|here)(?:\shere)?\s(?:all\s)?in\s)$",
    )
});
static PAST: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:was|were|had|did|used\sto|learn(?:ed|t)|met|saw|made|back|then|last|ago|once|remember|again|will|later|next)\b",
    )
});

/// "every", and then "Year 3 in the class"
static EVERY: Pattern =
    LazyLock::new(|| compiled(r"(?i)(?:^|[\s(])(?:every|each|all|all\sthe|any|no|most|for\sthe)\s(?:\w+\s)?$"));
static IN_THE_CLASS: Pattern = LazyLock::new(|| {
    compiled(&format!(r"(?i)^(?:[\s-](?:{PEOPLE}|learner))?\s(?:in|of|from)\s(?:the|this|our)\s(?:class|room|group)\b"))
});

/// "Can", and then "Year 10 build a parachute"
static ASKED: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.:;—–]\s)(?:(?:and\s|so\s)?(?:how|what|which\s\w+|where)\s)?(?:can|could|should|might)\s(?:our\s|we\sin\s)?$",
    )
});
static BUILDS: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^\s(?:build|make|design|find|measure|explain|prove|show|invent|predict|slow|stop|keep|save|grow|clean|separate|filter|light|power|lift|move|melt|cool|heat|test|work\sout|discover|create|engineer|beat|get|turn|protect|hear|tell)\s(?:a|an|the|out|which|how|why|what|whether|two|three|one|it|its|something|water|salt|clean|enough)\b",
    )
});

/// "Year 3", and then "will name the parts of a plant", as an objective.
static WILL: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^\s(?:will|can|should)\s(?:name|describe|explain|identify|sort|compare|measure|draw|label|record|state|calculate|recogni[sz]e|observe|predict|classify|list)\s",
    )
});

/// "our", and then "Transition Year trip": of the lesson's class, if it is not one that it has been.
static TRIP: Pattern = LazyLock::new(|| {
    compiled(
        r"(?i)^[-\s](?:class\s|field\s|science\s|school\s)?(?:trip|outing|excursion|walk|tour|camp|residential|expedition|hike)\b",
    )
});

/// Whether a class is spoken to or moved about here, by the words of its sentence before and after its name.
pub(super) fn is_spoken_to(text: &Text, level: &Level, before: &str, after: &str, people: bool) -> bool {
    let past = || is(&PAST, before) || is(&PAST, after);
    if is(&US_IN, before) && !is(&ELSEWHERE, after) && !past() {
        return true;
    }
    // "Split" is for its own group, and elsewhere a word of mixed classes.
    let elsewhere = is(&ELSEWHERE, after);
    if people && !elsewhere && is(&SETTLED, before) && is(&AT_A_PLACE, after) && !is(&YOURS, after) {
        return true;
    }
    if elsewhere || is(&ELSEWHERE, before) {
        return false;
    }
    // "Can Year 3 build it from our plan?" is asked by others.
    let asked = matches!(text.role, Role::DrivingQuestion | Role::Phenomenon)
        && is(&ASKED, before)
        && is(&BUILDS, after)
        && !is(&YOURS, after);
    let yours = before.trim().eq_ignore_ascii_case("your") && !matches!(text.role, Role::Hypothesis);
    let aims = matches!(text.role, Role::Objective(_)) && before.is_empty() && is(&WILL, after) && !is(&YOURS, after);
    // "Your second grader at home" is one's child.
    let many = people && text.slice(&level.bytes).ends_with(['s', 'n']);
    asked || aims || many && (yours || is(&TOLD, before)) || is(&EVERY, before) && is(&IN_THE_CLASS, after)
}

/// Whether a trip is the class's own: nobody remembers that of a later year.
pub(super) fn is_its_trip(text: &str, level: &Level, grade: &Level) -> bool {
    let before = text.get(..level.bytes.start).unwrap_or_default();
    let after = text.get(level.bytes.end..).unwrap_or_default();
    let later = || is(&PAST, before) || ["next", "will", "look forward"].iter().any(|word| text.contains(word));
    level.low > grade.high && before.to_lowercase().ends_with("our ") && is(&TRIP, after) && !later()
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(grade: &Value, text: &str) -> usize {
        let steps = json!({"grade": grade, "steps": [{"text": text}], "drivingQuestion": text});
        find(&Lesson::of(steps.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_class_that_is_spoken_to_is_that_of_the_lesson() {
        let mut missed = Vec::new();
        for (grade, text) in [
            (json!("Year 7"), "Remind your Year 9s that the Bunsen is on the yellow flame."),
            (json!(2), "Set out the cups, then ask your sixth graders which way the heat goes."),
            (json!(2), "Line up your eighth graders by the door."),
            (json!(2), "Your fifth graders walked past a huge puddle this morning."),
            (json!("Grade 8"), "Settle the matrics at their benches and hand out one burette per pair."),
            (json!("Sixth Class"), "Gather the senior infants on the mat."),
            (json!(9), "Split the third graders into groups of four."),
            (json!("Year 8"), "For us in Year 2: when a seed wakes up and begins to grow."),
            (json!("Year 8"), "Here in Year 4, we call it a push."),
            (json!("Year 11"), "Chunky ones; every Year 3 in the class can grip them."),
            (json!("Year 5"), "Can Year 10 build a parachute that lands an egg in one piece?"),
            (json!("Grade 1"), "How might Grade 9 keep a drink cold? How could Grade 8 make a bridge?"),
            (json!("Second Class"), "On our Transition Year trip to Mayo we counted eleven turbines."),
            (json!("Standard 8"), "Dear colleagues, this one is written for our Standard 5s."),
            (json!("Class 6"), "Let each student of Class 9 place the ear at the second tube."),
            (json!(9), "Everyone tested is a Grade 6 learner from this class."),
            (json!(5), "Freshmen swap notebooks and check each other's units."),
            (json!(8), "Seniors submit a spreadsheet with p and q."),
        ] {
            if found(&grade, text) == 0 {
                missed.push(text);
            }
        }
        for (grade, title) in [
            (json!("Class VII"), "Class IV – Teeth and Digestion"),
            (json!("Std 8"), "Std 5: Magnets"),
            (json!("Primary 6"), "Magnets (Primary 3)"),
        ] {
            if found(&grade, "")
                + find(&Lesson::of(json!({"grade": grade, "title": title}).as_object().expect("an object"))).len()
                == 0
            {
                missed.push(title);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn a_class_that_is_elsewhere_is_not() {
        let mut wrong = Vec::new();
        for (grade, text) in [
            (json!("Year 2"), "Ask the Year 6 play leaders to pull the rope."),
            (json!("Year 9"), "Remind your Year 3 visitors that the lamp is hot."),
            (json!(8), "Gather the second graders around your table and show them."),
            (json!(8), "Seat the kindergartners beside their buddies."),
            (json!(6), "Watch your second graders at recess: who runs fastest?"),
            (json!(8), "Your second grader at home may ask why."),
            (json!("Year 8"), "For us in Year 2 it was a push."),
            (json!("Year 8"), "You in Year 4 saw a shadow move; we will meet it again in Year 10."),
            (json!("Year 9"), "Can Year 3 build a bridge from our plan?"),
            (json!("Year 9"), "Can we explain static to Year 3 visitors?"),
            (json!("Year 6"), "On our Year 4 trip we saw rock pools."),
            (json!("Year 4"), "Save it for our Year 6 camp next summer."),
            (json!("K"), "Miss Rosa's big brother, a tenth grader, pulled a face."),
            (json!(4), "Nadia, an eighth grader, asked why the sky is red."),
            (json!("Class VI"), "Your little sister in Class II slides in her socks."),
            (json!(4), "Seniors swap stories at the home."),
        ] {
            if found(&grade, text) != 0 {
                wrong.push(text);
            }
        }
        for (grade, title) in [
            (json!("Year 4"), "Class 2: Teeth"),
            (json!(6), "Class 1 – Introduction"),
            (json!("Class VII"), "Class VII – Teeth"),
        ] {
            if !find(&Lesson::of(json!({"grade": grade, "title": title}).as_object().expect("an object"))).is_empty() {
                wrong.push(title);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
