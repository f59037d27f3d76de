//! JSON Merge Patch (RFC 7396). Members that the patch omits are unchanged. Null in the patch removes a member, an
//! object is merged into the member, and any other value replaces the member.

use serde_json::{Map, Value};

/// Applies a JSON Merge Patch to `target`.
pub fn merge(target: &Value, patch: &Value) -> Value {
    match patch {
        Value::Object(members) => {
            let object = target.as_object().cloned().unwrap_or_default();
            Value::Object(merge_objects(object, members))
        }
        other => other.clone(),
    }
}

/// Applies the members of a patch to `target`. Existing keys keep their positions, and new keys come last.
pub fn merge_objects(mut target: Map<String, Value>, patch: &Map<String, Value>) -> Map<String, Value> {
    // Removes all keys in one pass. Removing them one by one would move the remaining keys each time.
    target.retain(|key, _| !patch.get(key).is_some_and(Value::is_null));
    for (key, member) in patch.iter().filter(|(_, member)| !member.is_null()) {
        let merged = merge(target.get(key).unwrap_or(&Value::Null), member);
        target.insert(key.clone(), merged);
    }
    target
}
