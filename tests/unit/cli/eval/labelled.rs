//! Unit tests of `src/cli/eval/labelled.rs`.

use super::*;
use serde_json::json;

#[test]
fn clean_version_of_an_eval_document_has_the_labeled_mistakes_replaced() {
    let line = json!({"id": "a", "labels": [{"type": "t", "fields": ["steps", "steps[0].text"]}], "doc": {"steps": [{"text": "x"}], "n": 1},
        "cleanTwinPatch": [{"path": "steps[0].text", "value": "y"}, {"path": "steps[1]", "value": {"text": "z"}}, {"path": "n", "value": null}]});
    let read = Labelled::read(&format!("\n{line}\n")).expect("documents");
    let twin = read[0].clean_version().expect("a twin").expect("a twin");
    assert_eq!(Value::Object(twin), json!({"steps": [{"text": "y"}, {"text": "z"}]}));
    let pairs: Vec<_> = read[0].labels[0].pairs().collect();
    assert_eq!(pairs, [["steps", "steps.0.text"].map(FieldPath::parse)]);
}

#[test]
fn error_names_an_unreadable_eval_document() {
    assert!(Labelled::read("{}\n").expect_err("refused").starts_with("line 1: missing field `id`"));
    let line = json!({"id": "a", "labels": [], "doc": {}, "cleanTwinPatch": [{"path": "a.b", "value": 1}]});
    let read = Labelled::read(&line.to_string()).expect("documents");
    assert_eq!(read[0].clean_version(), Err("a: the patch names a.b, which does not exist".to_owned()));
}
