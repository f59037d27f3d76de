//! Reads values that documents of several collections have: identifiers, times and references.

use serde_json::Value;

use super::members::Members;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// Names of fields that may contain the id of the investigation to which a document belongs. Documents of other
/// collections have some of these fields, too.
pub const REFERENCES: &str =
    "investigationId investigation investigation_id documentId docId entityId refId originalId";

/// Reads an object identifier.
pub fn object_id(value: &Value) -> Option<ObjectId> {
    value.as_str()?.trim().parse().ok()
}

/// Reads a time: an RFC 3339 text, or milliseconds since 1970. Rejects a small number, which is probably in seconds.
pub fn time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(number) => number.as_i64().filter(|number| *number > 100_000_000_000).map(Timestamp),
        other => Timestamp::from_rfc3339(other.as_str()?),
    }
}

/// Takes the member with the id of the investigation to which a document belongs, and returns this id.
pub fn take_reference(members: &mut Members<'_>) -> Result<ObjectId, String> {
    let found = members.take_first(REFERENCES, |value| object_id(value).is_some());
    found.as_ref().and_then(object_id).ok_or_else(|| "is left out: it names no investigation by its id".to_owned())
}
