//! Unit tests of `src/authoring/fixes.rs`.

use super::*;

#[test]
fn edit_that_adds_a_list_item_is_attributed_to_the_list() {
    let (value, at) = (serde_json::json!(1), FieldPath::parse);
    assert_eq!(edited_path(&Difference::Changed(at("steps.0.text"), &value, &value)), at("steps.0.text"));
    assert_eq!(edited_path(&Difference::Added(at("steps.0"), &value)), at("steps"));
    assert_eq!(edited_path(&Difference::Removed(at("title"), &value)), at("title"));
}
