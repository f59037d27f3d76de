//! Pages of version records, and refused requests for such pages.

use serde_json::{Value, json};

use crate::support::TestApp;

#[tokio::test]
async fn page_of_versions_has_twenty_versions_by_default() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    for n in 1..=25 {
        teacher.patch(&path, json!({"n": n})).await;
    }
    for (query, count) in
        [("", 20), ("?limit=1", 1), ("?limit=007", 7), ("?limit=24", 24), ("?limit=1000", 25), ("?other=x", 20)]
    {
        let data = teacher.get(&format!("{path}/versions{query}")).await.data();
        let records = data.as_array().expect("records");
        assert_eq!((records.len(), &records[0]["version"]), (count, &json!(25)), "{query}");
    }
}

#[tokio::test]
async fn before_parameter_lists_only_versions_older_than_the_given_version() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    for n in 1..=5 {
        teacher.patch(&path, json!({"n": n})).await;
    }
    let mut pages = Vec::new();
    for query in ["limit=2", "limit=2&before=4", "limit=2&before=2", "before=1", "before=9223372036854775807"] {
        let data = teacher.get(&format!("{path}/versions?{query}")).await.data();
        let numbers = data.as_array().expect("records").iter().map(|record| record["version"].clone());
        pages.push(Value::Array(numbers.collect()));
    }
    assert_eq!(json!(pages), json!([[5, 4], [3, 2], [1], [], [5, 4, 3, 2, 1]]));
    for before in ["0", "-1", "1.5", "ten", "", "9223372036854775808", "5&before=5"] {
        let refused = teacher.get(&format!("{path}/versions?before={before}")).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["errors"][0]["path"]),
            (400, &json!("before")),
            "{refused}"
        );
    }
}
