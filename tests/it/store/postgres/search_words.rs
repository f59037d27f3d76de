//! The rows of search words. Another version of the program may have stored other words for the same text.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn change_succeeds_if_the_stored_search_words_differ_from_the_content() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress in a glass of water on the sill"})).await;
    let path = format!("/api/investigation/{id}");
    let total = async |word: &str| {
        teacher.get(&format!("/api/investigation?search={word}")).await.data()["pagination"]["total"].clone()
    };
    let other = "DELETE FROM search_word WHERE word = 'cress';
         INSERT INTO search_word SELECT body, unnest(ARRAY['radish', 'bean', 'pea', 'oat']) FROM investigation";
    app.behind(other);
    // Updates change a few words first, and then most of them.
    for (title, stale) in [("Radish in a glass of water on the sill", 1), ("Bean Pea Oat Rye", 1), ("Bean", 0)] {
        let changed = teacher.patch(&path, json!({ "title": title })).await;
        assert_eq!(changed.status, 200, "{changed}");
        assert_eq!(total(title.split(' ').next().expect("a word")).await, 1, "{title}");
        assert_eq!(total("oat").await, stale, "{title}");
        assert_eq!(total("cress").await, 0, "{title}");
    }
}
