//! Unit tests of `src/assistant/model/diagnostics.rs`.

use serde_json::json;

use super::*;

#[test]
fn a_model_is_known_that_stands_in_the_list() {
    let list = json!({"data": [{"id": "muse"}, {"id": "small:latest"}, {"id": 7}, "muse2", {"id": "large-20260401"}]});
    for name in ["muse", "small", "large", "large-20260401"] {
        assert_eq!(of_list(&list, name), Answer::Knows, "{name}");
    }
    for name in ["mus", "larg", "small:late"] {
        assert_eq!(of_list(&list, name), Answer::KnowsOthers, "{name}");
    }
    assert_eq!((of_list(&list, "muse2"), of_list(&json!({}), "muse")), (Answer::KnowsOthers, Answer::NoList));
}
