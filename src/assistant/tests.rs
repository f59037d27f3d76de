//! What is kept of texts and rules is what reading anew gives, whatever was edited before.

use std::fs::read_to_string;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;

use super::Assistant;
use super::facts::kept::forgetting;
use super::rules::{Check, Found};
use crate::domain::content::Content;
use crate::domain::schema::{BUILT_IN, Schema};

static DOCUMENTS: LazyLock<Vec<Content>> = LazyLock::new(|| {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/dev.jsonl");
    let lines = read_to_string(file).expect("the development set");
    let read = |line: &str| {
        let mut case: Value = serde_json::from_str(line).expect("a case");
        case.get_mut("doc").and_then(Value::as_object_mut).map(std::mem::take).expect("a document")
    };
    lines.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
});

static ASSISTANT: LazyLock<Assistant> = LazyLock::new(|| {
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    Assistant::for_schema(&schema).expect("its rules")
});

/// One field becomes that of another document; of an array perhaps only one element does, or comes, or goes.
fn edit(content: &mut Content, (field, other, how, at): (usize, usize, u8, usize)) {
    let other = DOCUMENTS.get(other % DOCUMENTS.len()).expect("a document");
    let (name, value) = other.iter().nth(field % other.len()).expect("a field");
    match (how % 5, content.get_mut(name), value) {
        (0, ..) => drop(content.shift_remove(name)),
        (1, Some(Value::Array(mine)), Value::Array(theirs)) if !theirs.is_empty() => {
            mine.insert(at % (mine.len() + 1), theirs[at % theirs.len()].clone());
        }
        (2, Some(Value::Array(mine)), Value::Array(theirs)) if !mine.is_empty() && !theirs.is_empty() => {
            let place = at % mine.len();
            mine[place] = theirs[at % theirs.len()].clone();
        }
        (3, Some(Value::Array(mine)), _) if !mine.is_empty() => drop(mine.remove(at % mine.len())),
        _ => drop(content.insert(name.clone(), value.clone())),
    }
}

/// Everything that is found, in its order, with its mends.
fn found(content: &Content, rules: impl Fn(&Content) -> Vec<Found>) -> String {
    format!("{:?} {:?}", rules(content), ASSISTANT.matchers.find(content))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_kept_is_what_is_found_anew(
        document in any::<usize>(),
        edits in prop::collection::vec(any::<(usize, usize, u8, usize)>(), 1..6),
    ) {
        let mut content = DOCUMENTS[document % DOCUMENTS.len()].clone();
        for one in edits {
            edit(&mut content, one);
            let kept = found(&content, |content| ASSISTANT.rules.check(content, Check::Shown).found);
            let anew = |content: &Content| {
                let references = ASSISTANT.rules.references(content);
                ASSISTANT.rules.check_anew(content, &references, Check::Shown).found
            };
            prop_assert_eq!(kept, forgetting::all(|| found(&content, anew)));
        }
    }
}
