//! `group_size`: the groups that a text forms ("in pairs", "teams of five") against `groupSize`.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::{numbers, words};
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

struct Forms {
    /// Groups with a number.
    counted: Regex,
    /// Groups with a name of their own.
    named: Regex,
    /// Groups for a talk, made of groups, left over, or not of people.
    passing: Regex,
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: &str| {
        let compiled = Regex::new(&format!("(?ix-u){pattern}"));
        debug_assert!(compiled.is_ok(), "{compiled:?}");
        compiled.ok()
    };
    Some(Forms {
        counted: read(
            r"\b(?: (?:groups?|teams?|crews?|squads?)\ of\ (?P<a>two|three|four|five|six|seven|eight|[2-8])(?:\ (?P<of>[a-z]+))?
                | in(?:to)?\ (?P<b>twos|threes|fours|fives|sixes) | (?P<c>two|three|four|five|six|[2-8])\ to\ (?:a|each)\ (?:table|group|team|bench|station)
                | (?P<d>two|three|four|five|six|[2-8])[-\ ](?:person|member|pupil|student)\ (?:groups?|teams?|crews?) | your\ (?P<e>twos?|threes?|fours?|fives?|sixes)\b | tables?\ of\ (?P<f>three|four|five|six|[3-6])(?:\ (?P<off>[a-z]+))? )\b(?P<range>\s?(?:-|or|to)\s?(?:\d|[a-z]+))?",
        )?,
        named: read(
            r"\b(?: (?P<two>(?:in|into|as)\ (?:a\ )?pairs?\b | (?:work(?:ing)?|team\ up|pair\ up)\ with\ (?:a|your)\ partner | find\ (?:a|your)\ partner | pair\ up\b)
                | (?P<three>(?:each|every|per|your|in|the)\ (?:trios?|threesomes?))
                | (?P<four>(?:each|every|per|your|in|the)\ (?:foursomes?|quartets?)) )(?:\ (?P<of>of))?\b",
        )?,
        passing: read(
            r"\b(?:discuss\w*|talk\w*|tell|share|shares|sharing|compare|whisper|explain|think|swap|trade|quiz|debate|if|some|one\ group|in\ the\ (?:groups?|teams?|crews?)|them\ have|left[-\ ]?over|remain\w*|absent|odd|join|combine|merge|another|neighbou?r\w*|expert|jigsaw|sort|classify|arrange|bundle|count\ (?:in|the|by)|up\ to|at\ least|at\ most|not|never|instead|last|usual\w*|demo\w*|split\ the\ (?:group|team)|in\ your\ (?:group|team|four)|within|inside|each\ (?:group|team)|home\ group|socks?|chromosomes?|electrons?|gloves|stack|seeds|beads)\b",
        )?,
    })
});

/// A number of people that a text puts together.
struct Group {
    size: i64,
    bytes: std::ops::Range<usize>,
    /// The bytes of the number, where it can be replaced by another.
    number: Option<std::ops::Range<usize>>,
    passing: bool,
}

/// Finds the first text of each field that forms other groups, unless some text forms groups that fit.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let (Some(size), Some(forms)) = (lesson.group_size(), FORMS.as_ref()) else { return Vec::new() };
    let read = lesson.texts_of(|role| {
        use Role::*;
        matches!(role, Title | Step(_) | Safety(_) | MaterialNotes(_) | MaterialQuantity(_) | Objective(_) | Phenomenon)
    });
    let all: Vec<(&Text, Group)> =
        read.flat_map(|text| groups(forms, text).into_iter().map(move |group| (text, group))).collect();
    if all.iter().any(|(_, group)| group.size == size) {
        return Vec::new();
    }
    let mut found: Vec<Match> = Vec::new();
    for (text, group) in all {
        if group.passing || found.iter().any(|found| found.finding.field_name == text.field()) {
            continue;
        }
        let path = FieldPath::root().child("groupSize");
        let said = text.slice(&group.bytes);
        let reason = format!("The groups are of {size}, but the text says \"{said}\".");
        let quote = text.quote_sentence(text.tokens.partition_point(|token| token.bytes.end <= group.bytes.start));
        let mut new = conflict("group_size", quote, Evidence::new(&path, size.to_string()), reason)
            .suggesting(format!("Set the group size to {}, or form groups of {size} here.", group.size))
            .mended_by(Mend { path, edit: Edit::Replace(json!(group.size)) });
        if let Some(range) = group.number {
            let edit = Edit::Splice { range, text: size.to_string() };
            new = new.mended_by(Mend { path: text.path.clone(), edit });
        }
        found.push(new);
    }
    found
}

const PEOPLE: [&str; 22] = [
    "students", "pupils", "children", "people", "kids", "learners", "and", "to", "with", "for", "at", "please", "so",
    "each", "around", "that", "which", "in", "on", "then", "will", "from",
];

fn groups(forms: &Forms, text: &Text) -> Vec<Group> {
    let passing = |start: usize| {
        let token = text.tokens.partition_point(|token| token.bytes.end <= start);
        forms.passing.is_match(text.words(&text.sentence(token)))
    };
    let mut groups = Vec::new();
    for captures in forms.counted.captures_iter(text.text) {
        let Some(number) = ["a", "b", "c", "d", "e", "f"].iter().find_map(|name| captures.name(name)) else { continue };
        let things = captures.name("of").or(captures.name("off"));
        if captures.name("range").is_some() && things.is_none()
            || things.is_some_and(|word| !PEOPLE.contains(&word.as_str().to_lowercase().as_str()))
        {
            continue;
        }
        let lower = number.as_str().to_lowercase();
        let one = if lower == "sixes" { "six" } else { lower.trim_end_matches('s') };
        let Some(size) = numbers::numeral(&words::tokens(one, 3), 0).and_then(|numeral| numeral.whole()) else {
            continue;
        };
        let plain = captures.name("a").or(captures.name("c")).or(captures.name("f")).map(|number| number.range());
        groups.push(Group { size, bytes: number.range(), number: plain, passing: passing(number.start()) });
    }
    for captures in forms.named.captures_iter(text.text) {
        let sizes = [("two", 2), ("three", 3), ("four", 4)];
        let named = sizes.iter().find_map(|(name, size)| Some((captures.name(name)?.range(), *size)));
        if let (Some((bytes, size)), None) = (named, captures.name("of")) {
            groups.push(Group { size, passing: passing(bytes.start), bytes, number: None });
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn other_groups_are_found() {
        for (size, text) in [
            (3, "Count off into teams of five. Assign a timer."),
            (3, "Find your partner and work as a pair."),
            (3, "Each foursome chooses jobs."),
            (5, "Sit in crews of three and study the photo."),
            (4, "Work in pairs to build the circuit."),
            (2, "Work in threes."),
            (2, "Get into groups of 4 students and wear goggles."),
            (2, "Each trio collects a tray."),
            (4, "Sit six to a table."),
            (3, "Form four-person teams."),
        ] {
            assert_eq!(found(size, text), 1, "{text}");
        }
    }

    #[test]
    fn groups_that_fit_or_pass_are_not() {
        for (size, text) in [
            (4, "Each foursome gets two lilies, and the children work in pairs."),
            (4, "Go to your table of four. Inside the table, work in pairs."),
            (3, "Discuss in pairs what you saw."),
            (4, "Sort the seeds into groups of five."),
            (4, "Make groups of ten beads, then groups of five beads."),
            (3, "Pair of scissors; in pairs of socks."),
            (3, "Groups of 3 or 4 work best."),
            (4, "Let a partner lean in."),
            (4, "If someone is absent, work in threes."),
            (4, "Two groups of four join."),
        ] {
            assert_eq!(found(size, text), 0, "{text}");
        }
    }
}
