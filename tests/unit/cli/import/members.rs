//! Unit tests of `src/cli/import/members.rs`: each member of any document is counted exactly once.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::json;

use super::super::field_map::FieldMap;
use super::super::mongo::{Kind, Reader};
use super::*;
use crate::assistant::Assistant;
use crate::domain::schema::{BUILT_IN, Schema};

static PARTS: LazyLock<(Schema, Assistant)> = LazyLock::new(|| {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    let assistant = Assistant::for_schema(&schema).expect("rules");
    (schema, assistant)
});

/// Counts members. Does not use the code that is tested.
fn leaves(value: &Value) -> u64 {
    match value {
        Value::Object(object) if object.is_empty() || object.keys().next().is_some_and(|key| key.starts_with('$')) => 1,
        Value::Object(object) => object.values().map(leaves).sum(),
        Value::Array(array) if array.is_empty() => 1,
        Value::Array(array) => array.iter().map(leaves).sum(),
        _ => 1,
    }
}

/// Generates documents from names and values that mean something in a collection, and from others.
fn documents() -> impl Strategy<Value = Value> {
    let id = json!({"$oid": "65a000000000000000000001"});
    let leaf = prop::sample::select(vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(""),
        json!("text"),
        json!("user"),
        json!("assistant"),
        json!("system"),
        json!("active"),
        json!("inactive"),
        json!("published"),
        json!("title"),
        json!(0),
        json!(7),
        json!({}),
        json!([]),
        json!({"$numberDouble": "NaN"}),
        json!({"$date": "2024-01-01T00:00:00Z"}),
        json!({"$date": "never"}),
        json!({"$binary": {"base64": "", "subType": "00"}}),
        json!({"$numberDecimal": "1E+3"}),
        id.clone(),
    ]);
    let names = prop::sample::select(vec![
        "title",
        "grade",
        "steps",
        "text",
        "value",
        "status",
        "author",
        "metadata",
        "createdAt",
        "updatedAt",
        "version",
        "clonedFrom",
        "editors",
        "lastChangeWithAI",
        "dismissed",
        "__v",
        "history",
        "messages",
        "role",
        "content",
        "user",
        "assistant",
        "timestamp",
        "type",
        "key",
        "subLink",
        "description",
        "isActive",
        "deletedAt",
        "expiresAt",
        "maxVisits",
        "visits",
        "creator",
        "before",
        "after",
        "changes",
        "path",
        "snapshot",
        "isAI",
        "other",
    ]);
    let value = leaf.prop_recursive(4, 30, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((names.clone(), inner), 0..5).prop_map(object),
        ]
    });
    let names = [
        "title",
        "grade",
        "steps",
        "metadata",
        "status",
        "history",
        "messages",
        "key",
        "subLink",
        "isActive",
        "expiresAt",
        "visits",
        "before",
        "after",
        "changes",
        "snapshot",
        "version",
        "other",
    ];
    let members = prop::collection::vec((prop::sample::select(names.to_vec()), value), 0..10);
    members.prop_map(move |members| {
        let ids = [("_id", id.clone()), ("investigationId", id.clone())];
        object(ids.into_iter().chain(members).collect())
    })
}

fn object(members: Vec<(&str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_members_of_every_document_are_kept_mapped_or_reported(document in documents(), mapped in any::<bool>()) {
        let (schema, assistant) = &*PARTS;
        let map = r#"{"title.value": "title", "other": "grade", "steps.*": "steps.*.text", "messages.*.text": "messages.*.content"}"#;
        let map = if mapped { FieldMap::parse(map).expect("a map") } else { FieldMap::default() };
        for kind in Kind::NAMES.map(|(_, kind)| Some(kind)).into_iter().chain([None]) {
            let reader = Reader { schema, assistant, map: &map, kind };
            let reading = reader.read(document.to_string().as_bytes());
            let Account { read, kept, mapped, reported, .. } = reading.account;
            prop_assert_eq!(read, leaves(&document));
            if reading.document.is_ok() {
                prop_assert_eq!(read, kept + mapped + reported, "{:?} {}", kind, document);
            }
        }
    }
}

#[test]
fn what_nobody_takes_is_reported_by_its_path_once_for_all_lines() {
    let mut totals = Account::default();
    for line in ["1", "2"] {
        let document = json!({"_id": 1, "profile": {"avatarUrl": "/1.png"}, "tags": ["a", {"b": 2}, "c"]});
        let mut account = Account::of(&document);
        let Value::Object(document) = document else { panic!("an object") };
        Members::of(document, &mut account, "it is not a field of a link").keep("_id");
        totals.add(account, Some(line));
    }
    totals.add_rejected(&Account::of(&json!({"a": 1, "b": [2, 3]})));
    insta::assert_snapshot!(totals, @r"
    profile.avatarUrl: left out of 2 lines, first line 1: it is not a field of a link
    tags.*: left out of 2 lines, first line 1: tags.0: it is not a field of a link
    tags.*.b: left out of 2 lines, first line 1: tags.1.b: it is not a field of a link
    13 members were read: 2 were kept, 0 mapped and 11 reported
    ");
    assert_eq!(totals.left_out(), 3);
}
