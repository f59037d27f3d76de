//! The page makes a merge patch from two contents. Merged into the first content, it must give the second.

use fieldbook::domain::merge_patch;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use super::stored;
use crate::support::browser::{Page, WIDE};

const PAIRS: usize = 1000;

/// Names of members. Some are names that every JavaScript object already has.
const NAMES: [&str; 10] =
    ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "a", "b", "0", ""];

/// Generates values that an investigation may hold. Members are never null, because a merge patch cannot set null.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        (-3..3_i64).prop_map(Value::from),
        Just(json!(9_007_199_254_740_993_i64)),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            3 => object(inner.clone()),
            1 => prop::collection::vec(prop_oneof![9 => inner, 1 => Just(Value::Null)], 0..3).prop_map(Value::from),
        ]
    })
}

fn object(member: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let name = prop::sample::select(&NAMES[..]).prop_map(str::to_owned);
    prop::collection::vec((name, member), 0..5).prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// Returns pairs of contents, the same pairs in every run.
fn pairs() -> Vec<(Value, Value)> {
    let mut runner = TestRunner::deterministic();
    let content = object(value());
    let mut drawn = || content.new_tree(&mut runner).expect("a value").current();
    std::iter::repeat_with(|| (drawn(), drawn())).take(PAIRS).collect()
}

async fn patches(page: &Page, pairs: &[(Value, Value)]) -> Vec<Value> {
    let texts: Vec<[String; 2]> = pairs.iter().map(|(before, after)| [before.to_string(), after.to_string()]).collect();
    let script = format!(
        "return Promise.all([import('/ui/text/values.js'), import('/ui/core/api.js')]).then(([{{ mergePatch }}, {{ read }}]) =>
            {}.map(([before, after]) => JSON.stringify(mergePatch(read(before), read(after)))));",
        json!(texts)
    );
    let made = page.js(&script).await;
    let made = made.as_array().expect("a list");
    made.iter().map(|text| serde_json::from_str(text.as_str().expect("a text")).expect("JSON")).collect()
}

#[tokio::test]
async fn merge_patch_that_the_page_computes_turns_the_old_content_into_the_new_one() {
    let (page, _) = Page::of_service(WIDE).await;
    let pairs = pairs();
    for ((before, after), patch) in pairs.iter().zip(patches(&page, &pairs).await) {
        assert_eq!(&merge_patch::merge(before, &patch), after, "{before} to {after} by {patch}");
    }
}

#[tokio::test]
async fn field_named_like_a_member_of_javascript_objects_can_be_edited_and_removed() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let names = ["__proto__", "constructor", "toString"];
    let members: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({"old": 1}))).collect();
    let mut content = members.clone();
    content.insert("title".into(), json!("Cress"));
    content.insert("nested".into(), json!({"x": members}));
    let id = teacher.create(Value::Object(content)).await;
    let bare = teacher.create(json!({"title": "Beans"})).await;
    let kept = async || stored(&teacher, &id).await;
    page.view(&format!("#/i/{id}")).await;
    for name in names {
        page.write(&format!("[data-path={name}] textarea"), r#"{"new":1}"#).await;
        page.saved().await;
        assert_eq!(kept().await[name], json!({"new": 1}));
    }
    page.write("[data-path=nested] textarea", r#"{"x":{"toString":"new"}}"#).await;
    page.saved().await;
    assert_eq!(kept().await["nested"], json!({"x": {"toString": "new"}}));
    for (name, label) in names.into_iter().zip(["__proto__", "Constructor", "To string"]) {
        page.choose(label, &format!("Remove {label}")).await;
        page.saved().await;
        assert_eq!(kept().await.get(name), None);
    }
    page.view(&format!("#/i/{bare}")).await;
    let shown = page.js("return [...document.querySelectorAll('[data-field]')].map((e) => e.dataset.field)").await;
    assert!(names.iter().all(|name| !shown.to_string().contains(name)), "{shown}");
}
