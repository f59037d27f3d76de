//! Paths of values in a document: the keys and array indexes that lead to a value.

use fieldbook::domain::path::*;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn field_path_reads_a_value_through_objects_and_arrays() {
    let document = json!({"steps":[{"text":"a"},{"text":"b"}],"a.b":{"\\":7}});
    let at = |dotted: &str| FieldPath::parse(dotted).get(&document).cloned();
    assert_eq!(at("steps.1.text"), Some(json!("b")));
    assert_eq!(at(r"a\.b.\\"), Some(json!(7)));
    assert_eq!(at("steps.01.text"), None);
    assert_eq!(at("steps.+1.text"), None);
    assert_eq!(at("steps.2"), None);
    assert_eq!(at("steps.text"), None);
    assert_eq!(at(""), Some(document.clone()));
}

proptest! {
    #[test]
    fn path_written_as_text_is_parsed_back_to_the_same_path(
        segments in prop::collection::vec(r"[a-z.\\0-9é]{1,4}", 0..5),
    ) {
        let path = FieldPath::from(segments.into_iter().map(Into::into).collect::<Vec<_>>());
        prop_assert_eq!(FieldPath::parse(&path.to_string()), path);
    }
}
