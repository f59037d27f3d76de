//! The parameters `status` and `fields` of a list, which choose its rows and the fields in each row.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::create::violations;
use super::list::{LIST, data, shown, titles, with};
use crate::support::{Caller, TestApp, compact};

async fn of_three_statuses() -> (TestApp, Caller) {
    with(&["published", "in_development", "draft_incomplete"].map(|status| json!({"title": status, "status": status})))
        .await
}

#[tokio::test]
async fn status_filter_with_several_values_matches_any_of_them() {
    let (_app, teacher) = of_three_statuses().await;
    assert_eq!(titles(&teacher, "status=published").await, ["published"]);
    assert_eq!(titles(&teacher, "status=in_development&status=published").await, ["published", "in_development"]);
    assert_eq!(titles(&teacher, "status=published&status=published&status=").await, ["published"]);
    assert_eq!(titles(&teacher, "status=in_development,%20published").await, ["published", "in_development"]);
    assert_eq!(titles(&teacher, "status=").await.len(), 3);
    let counted = data(&teacher, "status=in_development&status=published").await;
    assert_eq!((&counted["pagination"]["total"], &counted["groups"][0]["count"]), (&json!(2), &json!(2)));
}

#[tokio::test]
async fn list_refuses_an_unknown_status_in_any_position_of_the_filter() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.get(&format!("{LIST}?status=published&status=draft")).await;
    assert_snapshot!(violations(&refused), @"
    400 Bad Request
    status: must be one of draft_incomplete, draft_non_contradictory_complete, draft_contradictory_complete, in_development, published
    ");
}

#[tokio::test]
async fn list_cursor_is_accepted_with_the_same_statuses_in_any_order_and_refused_with_other_statuses() {
    let (_app, teacher) = of_three_statuses().await;
    let first = data(&teacher, "groupBy=none&limit=1&status=published&status=in_development").await;
    let cursor = first["pagination"]["nextCursor"].as_str().expect("a cursor");
    let rest = |statuses: &str| format!("groupBy=none&limit=1&cursor={cursor}&{statuses}");
    let next = data(&teacher, &rest("status=in_development&status=published")).await;
    assert_eq!(shown(&next, "title"), ["published"]);
    let refused = teacher.get(&format!("{LIST}?{}", rest("status=published"))).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!("cursor")));
}

#[tokio::test]
async fn more_than_a_hundred_fields_or_statuses_in_a_list_request_are_refused() {
    let (_app, teacher) = with(&[json!({"title": "Cress"})]).await;
    let names = |count: usize| (0..count).map(|n| format!("f{n}")).collect::<Vec<_>>().join(",");
    assert_eq!(titles(&teacher, &format!("fields=title,{}", names(99))).await, ["Cress"]);
    for query in [
        format!("fields={}", names(101)),
        format!("fields={}&fields=title", names(100)),
        format!("fields={}", vec!["title"; 10_000].join(",")),
        format!("status={}", vec!["published"; 101].join(",")),
    ] {
        let refused = teacher.get(&format!("{LIST}?{query}")).await;
        let parameter = query.split('=').next().expect("a name");
        assert_eq!(
            violations(&refused),
            format!("400 Bad Request\n{parameter}: must have at most 100 entries"),
            "{query:.100}"
        );
    }
    let searched = |count: usize| (0..count).map(|n| format!("w{n}")).collect::<Vec<_>>().join("+");
    assert_eq!(titles(&teacher, &format!("search={}", searched(50))).await, [""; 0]);
    let refused = teacher.get(&format!("{LIST}?search={}", searched(51))).await;
    assert_eq!(violations(&refused), "400 Bad Request\nsearch: must have at most 50 words");
    assert_eq!(titles(&teacher, &format!("search={}", vec!["cress"; 500].join("+"))).await, ["Cress"]);
}

#[tokio::test]
async fn fields_parameter_selects_the_content_of_each_row() {
    let content = json!({"grade": 5, "own": [1.50], "title": "Cress", "steps": [{"text": "Sow"}]});
    let (_app, teacher) = with(&[content]).await;
    let listed = data(&teacher, "fields=title,own&fields=hypothesis&groupBy=none").await;
    assert_snapshot!(compact(&listed["items"]), @r#"
    [
      {
        "_id": "000000000000000000000001", "own": [1.5], "title": "Cress", "status": "draft_incomplete",
        "version": 0, "revision": 1, "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    ]
    "#);
    let whole: Value = data(&teacher, "fields=").await["items"][0].clone();
    assert!(whole.get("metadata").is_some(), "{whole}");
    let listed = data(&teacher, "fields=author,contradictions").await["items"][0].clone();
    assert_eq!((&listed["author"], &listed["contradictions"]), (&whole["author"], &whole["contradictions"]));
    assert_eq!((listed.get("title"), listed["contradictions"].is_array()), (None, true));
}

#[tokio::test]
async fn list_cursor_made_with_the_fields_parameter_works_without_it() {
    let (_app, teacher) = of_three_statuses().await;
    let first = data(&teacher, "limit=2&fields=title").await;
    let cursor = first["pagination"]["nextCursor"].as_str().expect("a cursor");
    // The cursor of a list with `fields` also works without `fields`.
    let rest = data(&teacher, &format!("limit=2&cursor={cursor}")).await;
    let all = [shown(&first, "title"), shown(&rest, "title")].concat();
    assert_eq!(all, ["draft_incomplete", "in_development", "published"]);
}

#[tokio::test]
async fn fields_parameter_refuses_system_fields_other_than_author_and_contradictions() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut refusals = String::new();
    for fields in ["title,hints", "title,,grade", "_id,title", "title&fields=grade,version,metadata"] {
        let answer = teacher.get(&format!("{LIST}?fields={fields}")).await;
        refusals += &format!("{fields}: {}\n", violations(&answer));
    }
    assert_snapshot!(refusals, @"
    title,hints: 400 Bad Request
    fields: must name content fields, author or contradictions; hints is another system field
    title,,grade: 400 Bad Request
    fields: must be names of fields, separated by commas
    _id,title: 200 OK
    title&fields=grade,version,metadata: 400 Bad Request
    fields: must name content fields, author or contradictions; metadata is another system field
    ");
}
