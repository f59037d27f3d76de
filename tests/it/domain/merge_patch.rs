//! JSON Merge Patch (RFC 7396): absent members stay, null removes a member, objects merge, other values replace.

use fieldbook::domain::merge_patch::*;
use serde_json::json;

#[test]
fn merge_patch_examples_of_rfc_7396_give_the_stated_results() {
    let table = [
        (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
        (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"})),
        (json!({"a":"b"}), json!({"a":null}), json!({})),
        (json!({"a":"b","b":"c"}), json!({"a":null}), json!({"b":"c"})),
        (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
        (json!({"a":"c"}), json!({"a":["b"]}), json!({"a":["b"]})),
        (json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}})),
        (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
        (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
        (json!({"a":"b"}), json!(["c"]), json!(["c"])),
        (json!({"a":"foo"}), json!(null), json!(null)),
        (json!({"a":"foo"}), json!("bar"), json!("bar")),
        (json!({"e":null}), json!({"a":1}), json!({"e":null,"a":1})),
        (json!([1, 2]), json!({"a":"b","c":null}), json!({"a":"b"})),
        (json!({}), json!({"a":{"bb":{"ccc":null}}}), json!({"a":{"bb":{}}})),
    ];
    for (target, patch, result) in table {
        assert_eq!(merge(&target, &patch), result, "{target} patched with {patch}");
    }
}

#[test]
fn merge_patch_keeps_the_order_of_keys_and_appends_new_keys() {
    let merged = merge(&json!({"c":1,"a":2,"b":3}), &json!({"z":0,"a":9,"c":null}));
    assert_eq!(merged.to_string(), r#"{"a":9,"b":3,"z":0}"#);
}
