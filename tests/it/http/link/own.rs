//! `GET /api/link`

use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, TestApp, token};

/// Returns the sub-links of a page, and the cursor of the next page.
async fn page(caller: &Caller, query: &str) -> (Vec<String>, Option<String>) {
    let page = caller.get(&format!("/api/link{query}")).await.json();
    let links = page["data"].as_array().expect("links").iter();
    let names = links.map(|link| link["subLink"].as_str().expect("a name").to_owned()).collect();
    (names, page["pagination"]["nextCursor"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn caller_sees_their_own_links_to_any_investigation_newest_first() {
    let (app, anon, teacher) = TestApp::start().await;
    let colleague = app.signed_in(COLLEAGUE);
    let (id, other) = (teacher.create(json!({})).await, colleague.create(json!({})).await);
    teacher.create_link(&id, "k", "first").await;
    colleague.create_link(&id, "k", "of-a-colleague").await;
    let visited = teacher.create_link(&other, "k", "second").await;
    anon.get(&visited).await;
    let newest = teacher.get("/api/link?limit=1").await.json()["data"][0].clone();
    assert_eq!(newest, teacher.get(&format!("/api/link/investigation/{other}")).await.json()["data"][0]);
    assert_eq!((&newest["visitCount"], &newest["investigationId"]), (&json!(1), &json!(other)));
    assert_eq!(page(&teacher, "").await, (vec!["second".to_owned(), "first".to_owned()], None));
    assert_eq!(page(&colleague, "").await, (vec!["of-a-colleague".to_owned()], None));
}

#[tokio::test]
async fn paging_through_own_links_gives_each_link_once_despite_additions_and_deletions() {
    let (app, teacher, id) = TestApp::with_id(json!({})).await;
    for number in 0..5 {
        teacher.create_link(&id, "k", &format!("l{number}")).await;
        app.clock.advance(std::time::Duration::from_secs(u64::from(number % 2 == 0)));
    }
    let (mut seen, mut next) = page(&teacher, "?limit=2").await;
    teacher.create_link(&id, "k", "newer").await;
    teacher.delete(&format!("/api/link/k/{}", seen[1])).await;
    while let Some(cursor) = next {
        let (more, after) = page(&teacher, &format!("?limit=2&cursor={cursor}")).await;
        seen.extend(more);
        next = after;
    }
    seen.sort_unstable();
    assert_eq!(seen, ["l0", "l1", "l2", "l3", "l4"]);
}

#[tokio::test]
async fn caller_whose_token_names_no_user_has_no_own_links() {
    let (app, _, id) = TestApp::with_id(json!({})).await;
    let claims = json!({"userId": "marie@school.example", "exp": token::IN_AN_HOUR});
    let nameless = app.anon().bearing(&token::signed(&claims));
    nameless.create_link(&id, "k", "s").await;
    assert_eq!(page(&nameless, "").await, (Vec::new(), None));
}

#[tokio::test]
async fn list_of_own_links_refuses_the_cursor_of_another_list() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    for name in ["a", "b"] {
        teacher.create_link(&id, "k", name).await;
    }
    let cursor = |page: Value| page["pagination"]["nextCursor"].as_str().expect("a cursor").to_owned();
    let of_investigation = cursor(teacher.get(&format!("/api/link/investigation/{id}?limit=1")).await.json());
    let own = cursor(teacher.get("/api/link?limit=1").await.json());
    let refusals = [
        teacher.get(&format!("/api/link?cursor={of_investigation}")).await,
        teacher.get(&format!("/api/link/investigation/{id}?cursor={own}")).await,
    ];
    for refused in refusals {
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["errors"][0]["path"]),
            (400, &json!("cursor")),
            "{refused}"
        );
    }
}
