//! Work that everybody does alone, from beginning to end: groups of one.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::numbers;
use crate::assistant::facts::patterns::compiled;

const ALONE: &str = r"(?:(?:entirely|completely|strictly|quite|all)\s)?(?:alone|solo|individually|single[-\s]handed(?:ly)?|on\s(?:your|their|his|her|his\sor\sher|his/her|its)\sown|by\s(?:yourself|yourselves|themselves|himself|herself|himself\sor\sherself)|(?:without|with\sno)\s(?:an?y?\s)?partners?|as\sindividuals)";
const ALL: &str = r"(?:this\s(?:lab|investigation|experiment|practical|activity|project|task|lesson|work|one)|this|the\s(?:whole|entire|full|complete)\s(?:\w+)|the\s(?:lab|investigation|experiment|practical|project|activity)|everything|it\sall|all\sof\s(?:it|this)|all\sthe\s(?:work|steps))";

/// Who does the work alone, and that it is all of the work.
static ALONE_FROM_END_TO_END: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r"(?ix)\b(?: works?\s{ALONE} | working\s{ALONE} | (?:does?|done|do|carry|carries|carried|conducts?|conducted|runs?|completes?|completed|performs?|performed)\s(?:out\s)?{ALL}\s(?:is\s)?{ALONE}
            | {ALL}\s(?:is|are|will\sbe|must\sbe|should\sbe)\s(?:to\sbe\s)?(?:done|carried\sout|completed|conducted|run|performed)\s{ALONE}
            | this\s(?:is|will\sbe)\s(?:a\ssolo|an\sindividual|individual|solo)\s(?:lab|investigation|experiment|practical|activity|project|task|work)
            | (?:individual|solo)\swork\s(?:only|throughout|today) | no(?:body|\sone)\s(?:has|have|gets|takes)\sa\spartner | there\sare\sno\s(?:partners|groups|teams)\b | no\s(?:groups|partners|teams)\s(?:today|for\sthis|this\stime) )\b"
    ))
});

/// Words that make it a part of the work, or the work of some.
static IN_PART: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?ix)\b(?: first | then | before | until | after(?:wards)? | finally | next | at\sthe\send | if | may | can | some | who | either | or | not | never | don['’]?t | nobody\sworks | no\s?one\sworks
            | draw\w* | table | sentences? | answers? | notebook | journal | diary | labels? | plan | complete | calculat\w* | revis\w* | check\w* | read\w* | writ\w+ | conclusion | report | worksheet | exit | quiz | test | homework | paragraph | graph | prediction | predict | questions? | finishers? | absent | instead | rather | home | adults? | scientists | teacher | technician
            | motor | machine | pump | light | lamp | bulb | heart | minutes | step )\b",
    )
});

/// Words that make it all of the work after all.
static THROUGHOUT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:from\s(?:beginning|start|first|bottle|setup|set-up)\s(?:to\s\w+|step\sto\slast)|the\s(?:whole|entire)|throughout|no\s(?:groups|partners|teams)|everything|all\sof\s(?:it|this))\b",
    )
});

/// The bytes that say so.
pub fn said(text: &Text) -> Option<Range<usize>> {
    let read = matches!(
        text.role,
        Role::Step(_) | Role::Phenomenon | Role::DrivingQuestion | Role::Title | Role::Objective(_)
    );
    if !read
        || !["alone", "solo", "own", "ndividual", "handed", "partner", "self", "selves", "group", "team"]
            .iter()
            .any(|part| text.text.contains(part))
    {
        return None;
    }
    let (alone, part, all) = (ALONE_FROM_END_TO_END.as_ref()?, IN_PART.as_ref()?, THROUGHOUT.as_ref()?);
    let found = alone.find(text.text)?;
    let at = text.tokens.partition_point(|token| token.bytes.end <= found.start());
    let sentence = text.slice(&numbers::bytes_of(&text.tokens, &text.sentence(at)));
    (!part.is_match(sentence) || all.is_match(sentence)).then(|| found.range())
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(text: &str) -> usize {
        let content = json!({"groupSize": 3, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn work_that_everybody_does_alone_is_found() {
        for text in [
            "For this one each of you works solo from beginning to end, and your bones are yours alone.",
            "Each pupil does the whole thing single-handed, with no partner, from bottle to graph.",
            "Every pupil works alone and builds a circuit.",
            "This is done individually: everyone plants a seed.",
            "This one is done entirely alone: no groups, each pupil chooses a window and draws the sky at noon.",
            "There are no groups today; carry out the whole investigation on your own.",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
    }

    #[test]
    fn what_is_done_alone_for_a_while_is_not() {
        for text in [
            "On your own, draw a diagram of the setup.",
            "Each pupil writes a conclusion individually.",
            "First work alone, then in your group, on a list of what you know.",
            "Fast finishers may work alone on the next card.",
            "The motor works alone without the fan.",
            "Nobody works alone with the burner.",
            "In your group of three, one works alone at the sink.",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
