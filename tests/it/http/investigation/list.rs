//! `GET /api/investigation`

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::create::violations;
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp};

pub(super) const LIST: &str = "/api/investigation";

/// Starts a service with these investigations, created one second apart.
pub(super) async fn with(contents: &[Value]) -> (TestApp, Caller) {
    let (app, _, teacher) = TestApp::start().await;
    for content in contents {
        teacher.create(content.clone()).await;
        app.clock.advance(Duration::from_secs(1));
    }
    (app, teacher)
}

/// Returns `data` of the list with this query.
pub(super) async fn data(caller: &Caller, query: &str) -> Value {
    let listed = caller.get(&format!("{LIST}?{query}")).await;
    assert_eq!(listed.status, StatusCode::OK, "{listed}");
    listed.data()
}

/// Returns this field of every item, in order.
pub(super) fn shown(data: &Value, field: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    data["items"].as_array().expect("items").iter().map(|item| text(&item[field])).collect()
}

/// Returns the titles that a query finds, from the oldest to the newest.
pub(super) async fn titles(caller: &Caller, query: &str) -> Vec<String> {
    shown(&data(caller, &format!("groupBy=none&sortOrder=asc&{query}")).await, "title")
}

#[tokio::test]
async fn list_has_whole_investigations_and_their_groups_by_curriculum_and_the_place_of_the_next_page() {
    let (_app, teacher) = with(&[json!({"title": "Cress", "curriculum": "NGSS"}), json!({"title": "Bread"})]).await;
    assert_snapshot!(teacher.get("/api/investigation?limit=1").await, @r#"
    GET /api/investigation?limit=1
    200 OK
    {
      "data": {
        "items": [
          {
            "_id": "000000000000000000000001", "title": "Cress", "curriculum": "NGSS",
            "status": "draft_incomplete",
            "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
            "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
            "dismissed": [], "version": 0, "revision": 1, "clonedFrom": null,
            "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:00.000Z"
          }
        ],
        "groups": [{"curriculum": "NGSS", "count": 1}, {"curriculum": null, "count": 1}],
        "pagination": {
          "total": 2, "limit": 1, "offset": 0, "hasMore": true,
          "nextCursor": "eyJwIjp7Imdyb3VwIjoiMG5nc3NcdTAwMDEwYmZhNmVjNjBlN2EyMGIwIiwia2V5IjoiMTc5NTI0ODAwMDAwMCIsImlkIjoiMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAxIn0sIm8iOjEsInEiOiJhMjQwOTk3MzMyYTM0MTcifQ"
        }
      }
    }
    "#);
}

#[tokio::test]
async fn empty_list_has_no_groups() {
    let (_app, _, teacher) = TestApp::start().await;
    let empty = data(&teacher, "").await;
    let pagination = json!({"total": 0, "limit": 20, "offset": 0, "hasMore": false, "nextCursor": null});
    assert_eq!(empty, json!({"items": [], "groups": [], "pagination": pagination}));
}

#[tokio::test]
async fn list_groups_are_sorted_by_curriculum_and_lessons_without_a_curriculum_come_last() {
    let in_group = |title: &str, curriculum: Value| json!({"title": title, "curriculum": curriculum});
    let contents = [
        json!({"title": "1"}),
        in_group("2", json!("ngss")),
        in_group("3", json!("Zürich")),
        in_group("4", json!(" ")),
        in_group("5", json!("Éire")),
        in_group("6", json!("NGSS")),
        in_group("7", json!("Zürich")),
        in_group("8", json!("Alberta")),
    ];
    let (_app, teacher) = with(&contents).await;
    let newest_first = data(&teacher, "limit=3").await;
    assert_eq!(shown(&newest_first, "title"), ["8", "5", "6"]);
    assert_snapshot!(newest_first["groups"], @r#"[{"curriculum":"Alberta","count":1},{"curriculum":"Éire","count":1},{"curriculum":"NGSS","count":1},{"curriculum":"ngss","count":1},{"curriculum":"Zürich","count":2},{"curriculum":null,"count":2}]"#);
    assert_eq!(shown(&data(&teacher, "").await, "title"), ["8", "5", "6", "2", "7", "3", "4", "1"]);
    assert_eq!(shown(&data(&teacher, "sortOrder=asc").await, "title"), ["8", "5", "6", "2", "3", "7", "1", "4"]);
    let bare = data(&teacher, "groupBy=none").await;
    assert_eq!(shown(&bare, "title"), ["8", "7", "6", "5", "4", "3", "2", "1"]);
    assert_eq!((&bare["groups"], &bare["pagination"]["total"]), (&json!([]), &json!(8)));
    assert_eq!(data(&teacher, "groupBy=curriculum").await, data(&teacher, "").await);
    // If the list is sorted by curriculum, its groups have the same order.
    let upwards = data(&teacher, "sortBy=curriculum&sortOrder=asc").await["groups"].clone();
    assert_eq!(upwards, newest_first["groups"]);
    for filter in ["", "&status=draft_incomplete"] {
        let downwards = data(&teacher, &format!("sortBy=curriculum&sortOrder=desc{filter}")).await;
        let mut groups = upwards.as_array().expect("a list").clone();
        groups.reverse();
        assert_eq!(downwards["groups"], json!(groups), "{filter}");
        assert_eq!(shown(&downwards, "title"), ["4", "1", "7", "3", "2", "6", "5", "8"], "{filter}");
    }
    let found = data(&teacher, "search=7").await;
    assert_eq!(found["groups"], json!([{"curriculum": "Zürich", "count": 1}]), "groups are those of the result");
}

#[tokio::test]
async fn list_sorts_grades_by_the_numbers_in_them() {
    let grades = [json!("10"), json!(2), json!("K"), json!(11), json!("1"), json!("3-5"), json!(9)];
    let (_app, teacher) = with(&grades.map(|grade| json!({"grade": grade}))).await;
    let ascending = data(&teacher, "sortBy=grade&sortOrder=asc").await;
    assert_eq!(shown(&ascending, "grade"), ["K", "1", "2", "3-5", "9", "10", "11"]);
    let mut descending = shown(&data(&teacher, "sortBy=grade").await, "grade");
    descending.reverse();
    assert_eq!(descending, shown(&ascending, "grade"));
}

#[tokio::test]
async fn list_sorts_titles_without_regard_to_case_and_accents() {
    let titles = ["banana", "Äpfel", "apple", "Cherry"];
    let (_app, teacher) = with(&titles.map(|title| json!({"title": title}))).await;
    let sorted = shown(&data(&teacher, "sortBy=title&sortOrder=asc").await, "title");
    assert_eq!(sorted, ["Äpfel", "apple", "banana", "Cherry"]);
}

#[tokio::test]
async fn update_moves_an_investigation_to_the_top_of_the_list_sorted_by_update_time() {
    let (_app, teacher) = with(&["A", "B", "C"].map(|title| json!({"title": title}))).await;
    let first = data(&teacher, "sortOrder=asc&limit=1").await["items"][0]["_id"].clone();
    teacher.patch(&format!("{LIST}/{}", first.as_str().expect("an id")), json!({"grade": 5})).await;
    assert_eq!(shown(&data(&teacher, "sortBy=updatedAt").await, "title"), ["A", "C", "B"]);
    assert_eq!(shown(&data(&teacher, "sortBy=createdAt").await, "title"), ["C", "B", "A"]);
}

#[tokio::test]
async fn list_has_only_investigations_that_match_all_filters() {
    let (_app, teacher) = with(&[
        json!({"title": "Cress grows", "grade": 5, "curriculum": "NGSS", "author": COLLEAGUE}),
        json!({"title": "Watercress", "grade": "5", "curriculum": "NGSS", "status": "published"}),
        json!({"title": "Bread 100%", "grade": 50, "curriculum": "NGSS 2"}),
        json!({"grade": "K"}),
        json!({"title": "Yeast", "grade": 5.0}),
    ])
    .await;
    for (query, found) in [
        ("title=CRESS", vec!["Cress grows", "Watercress"]),
        ("title=0%25", vec!["Bread 100%"]),
        ("title=_", vec![]),
        ("grade=5", vec!["Cress grows", "Watercress", "Yeast"]),
        ("grade=5.0", vec!["Cress grows", "Watercress", "Yeast"]),
        ("grade=%205%20", vec!["Cress grows", "Watercress", "Yeast"]),
        ("grade=05", vec![]),
        ("grade=.0", vec![]),
        ("grade=K", vec!["null"]),
        ("curriculum=NGSS", vec!["Cress grows", "Watercress"]),
        ("status=published", vec!["Watercress"]),
        ("status=draft_incomplete&grade=5", vec!["Cress grows", "Yeast"]),
        (&format!("author={COLLEAGUE}"), vec!["Cress grows"]),
        (&format!("author={}&title=water", TEACHER.to_uppercase()), vec!["Watercress"]),
        (&format!("author={COLLEAGUE}&title=water"), vec![]),
        ("search=cress&curriculum=NGSS&grade=5", vec!["Cress grows"]),
    ] {
        assert_eq!(titles(&teacher, query).await, found, "{query}");
        assert_eq!(data(&teacher, query).await["pagination"]["total"], found.len(), "{query}");
    }
    // A blank filter has no effect.
    let all = data(&teacher, "").await;
    for filter in ["title", "grade", "curriculum", "status", "author", "search"] {
        for blank in ["", "%20", "%09%20"] {
            assert_eq!(data(&teacher, &format!("{filter}={blank}")).await, all, "{filter}={blank}");
        }
    }
}

#[tokio::test]
async fn search_matches_every_word_as_a_prefix() {
    let (_app, teacher) = with(&[
        json!({"title": "A", "steps": [{"text": "Boil the water, slowly", "minutes": 12}], "note": {"x": ["Café NOT"]}}),
        json!({"title": "B", "phenomenon": "NEAR the Straße: H2O; don't (or do) boil-over", "durationMinutes": 123}),
        json!({"title": "C", "vocabulary": [{"term": "日本語", "definition": "Ñandú"}], "flag": true}),
    ])
    .await;
    for (search, found) in [
        ("boil", vec!["A", "B"]),
        ("BOI", vec!["A", "B"]),
        ("oil", vec![]),
        ("slow boil wat", vec!["A"]),
        ("boil ñandu", vec![]),
        ("cafe", vec!["A"]),
        ("CAFÉ", vec!["A"]),
        ("cafe\u{301}", vec!["A"]),
        ("nandu", vec!["C"]),
        ("strasse", vec!["B"]),
        ("日本", vec!["C"]),
        ("12", vec!["A", "B"]),
        ("h2o", vec!["B"]),
        ("not", vec!["A"]),
        ("NEAR", vec!["B"]),
        ("cafe NOT zebra", vec![]),
        ("cafe OR zebra", vec![]),
        ("boil OR", vec!["B"]),
        ("NEAR(boil over)", vec!["B"]),
        ("\"boil", vec!["A", "B"]),
        ("don't", vec!["B"]),
        ("boil*", vec!["A", "B"]),
        ("words:boil", vec![]),
        ("(boil) -over; ^the", vec!["B"]),
        ("\"' OR 1=1 --", vec!["B"]),
        ("text", vec![]),
        (" …!\" ", vec![]),
        ("🌱", vec![]),
        ("", vec!["A", "B", "C"]),
    ] {
        assert_eq!(titles(&teacher, &format!("search={search}")).await, found, "{search}");
    }
}

#[tokio::test]
async fn search_supports_letters_and_scripts_of_many_languages() {
    let (_app, teacher) = with(&[
        json!({"title": "Japanese", "steps": [{"text": "植物の成長実験、１０日間"}]}),
        json!({"title": "Chinese", "phenomenon": "我们研究光合作用的过程。"}),
        json!({"title": "Thai", "note": {"x": ["เราศึกษาการสังเคราะห์แสงของพืช"]}}),
        json!({"title": "Khmer", "note": "យើងរៀនអំពី\u{200b}រុក្ខជាតិ"}),
        json!({"title": "Burmese", "note": "အပင်များကြီးထွားပုံ"}),
        json!({"title": "Polish", "note": "Łódka płynie, pho\u{ad}to\u{ad}synthesis"}),
        json!({"title": "Danish", "note": "Frø på Ærø, Cœur"}),
        json!({"title": "Vietnamese", "note": "Đất và nước"}),
    ])
    .await;
    for (search, found) in [
        ("成長", vec!["Japanese"]),
        ("成長 10", vec!["Japanese"]),
        ("長", vec!["Japanese"]),
        ("間", vec!["Japanese"]),
        ("長成", vec![]),
        ("光合作用", vec!["Chinese"]),
        ("光合 成長", vec![]),
        ("สังเคราะห์แสง", vec!["Thai"]),
        ("រុក្ខ", vec!["Khmer"]),
        ("អំពីរុក្ខជាតិ", vec!["Khmer"]),
        ("ကြီးထွား", vec!["Burmese"]),
        ("lodka", vec!["Polish"]),
        ("ŁÓD PŁYNIE", vec!["Polish"]),
        ("photosyn", vec!["Polish"]),
        ("photo\u{200b}synthesis", vec!["Polish"]),
        ("synthesis", vec![]),
        ("fro aero coeur", vec!["Danish"]),
        ("frø ærø cœur", vec!["Danish"]),
        ("dat nuoc", vec!["Vietnamese"]),
        ("\u{ad}", vec![]),
    ] {
        assert_eq!(titles(&teacher, &format!("search={search}")).await, found, "{search}");
    }
    let listed = data(&teacher, "search=!").await;
    assert_eq!((&listed["pagination"]["total"], &listed["groups"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn search_in_a_script_without_spaces_reflects_updates_and_undo() {
    let (_app, teacher) = with(&[json!({"title": "植物の成長実験"})]).await;
    let id = data(&teacher, "").await["items"][0]["_id"].clone();
    let path = format!("{LIST}/{}", id.as_str().expect("an id"));
    teacher.patch(&path, json!({"title": "植物の実験"})).await;
    assert_eq!(titles(&teacher, "search=成長").await, [""; 0]);
    assert_eq!(titles(&teacher, "search=の実験").await, ["植物の実験"]);
    teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(titles(&teacher, "search=成長").await, ["植物の成長実験"]);
    assert_eq!(titles(&teacher, "search=の実").await, [""; 0]);
}

#[tokio::test]
async fn search_finds_the_new_text_of_an_update_and_not_the_old_text() {
    let (_app, teacher) = with(&[json!({"title": "Cress", "note": "old"})]).await;
    let id = data(&teacher, "").await["items"][0]["_id"].clone();
    teacher.patch(&format!("{LIST}/{}", id.as_str().expect("an id")), json!({"note": "new"})).await;
    assert_eq!(titles(&teacher, "search=new").await, ["Cress"]);
    assert_eq!(titles(&teacher, "search=old").await, [""; 0]);
}

#[tokio::test]
async fn error_for_an_unknown_list_parameter_names_the_parameter() {
    let (_app, _, teacher) = TestApp::start().await;
    let query = "limit=0&offset=-1&sortBy=colour&sortOrder=up&groupBy=grade&status=done&author=me&cursor=x";
    assert_snapshot!(violations(&teacher.get(&format!("{LIST}?{query}")).await), @"
    400 Bad Request
    limit: must be a whole number from 1 to 100
    offset: must be a whole number from 0 to 9223372036854775807
    sortBy: must be one of createdAt, updatedAt, title, grade, curriculum, status
    sortOrder: must be one of asc, desc
    groupBy: must be one of curriculum, none
    status: must be one of draft_incomplete, draft_non_contradictory_complete, draft_contradictory_complete, in_development, published
    author: must be an object identifier (24 hexadecimal digits)
    cursor: must be the nextCursor of a page with the same filters and order
    ");
    let refusals = "limit=101 limit= limit=ten limit=1.5 limit=%2B5 limit=5&limit=5 offset=x sortBy= sortBy=CreatedAt \
        sortOrder=ASC groupBy= title=a%00b offset=99999999999999999999";
    for refused in refusals.split(' ').filter(|refused| !refused.is_empty()) {
        let answer = teacher.get(&format!("{LIST}?{refused}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{refused}");
        let name = refused.split('=').next().expect("a name");
        assert_eq!(answer.json()["errors"][0]["path"], name, "{refused}");
    }
    for taken in ["limit=100", "limit=1", "limit=007", "offset=0", "offset=1000000"] {
        assert_eq!(teacher.get(&format!("{LIST}?{taken}")).await.status, StatusCode::OK, "{taken}");
    }
}

#[tokio::test]
async fn long_title_is_found_by_a_word_at_its_end() {
    let (_app, _, teacher) = TestApp::start().await;
    teacher.create(json!({"title": format!("{} needle", "a".repeat(250))})).await;
    let found = teacher.get("/api/investigation?title=NEEDLE").await.data();
    assert_eq!(found["pagination"]["total"], 1);
}

/// The key of a group depends on the version of Unicode, so stored keys may differ from the ones computed now.
#[tokio::test]
async fn changed_investigation_is_no_longer_counted_in_its_former_group() {
    let (app, _, teacher) = TestApp::start().await;
    let path = teacher.create_path(json!({"title": "Cress", "curriculum": "NGSS"})).await;
    app.behind("UPDATE investigation SET group_key = 'older'; UPDATE group_count SET group_key = 'older'");
    let groups = async || data(&teacher, "").await["groups"].clone();
    teacher.patch(&path, json!({"title": "Peas"})).await;
    assert_eq!(groups().await, json!([{"curriculum": "NGSS", "count": 1}]));
    teacher.patch(&path, json!({"curriculum": "Alberta"})).await;
    assert_eq!(groups().await, json!([{"curriculum": "Alberta", "count": 1}]));
    assert_eq!(app.rows("group_count"), 1, "an empty group has no row");
    teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(groups().await, json!([{"curriculum": "NGSS", "count": 1}]));
    teacher.delete(&path).await;
    assert_eq!((groups().await, app.rows("group_count")), (json!([]), 0));
}

#[tokio::test]
async fn long_curriculum_is_shortened_in_the_groups_and_found_by_its_full_name() {
    let long = "ü".repeat(300);
    let (app, teacher) = with(&[json!({"title": "Cress", "curriculum": long}), json!({"title": "Bread"})]).await;
    for query in ["", "?title=cress"] {
        let listed = teacher.get(&format!("/api/investigation{query}")).await.data();
        assert_eq!(listed["groups"][0], json!({"curriculum": "ü".repeat(200), "count": 1}));
        assert_eq!(listed["items"][0]["curriculum"], long);
    }
    assert_eq!(app.rows("group_count WHERE octet_length(curriculum) > 400"), 0);
    let found = teacher.get(&format!("/api/investigation?curriculum={long}")).await.data();
    assert_eq!(found["pagination"]["total"], 1);
}
