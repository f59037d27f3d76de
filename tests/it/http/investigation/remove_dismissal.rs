//! `DELETE /api/investigation/{id}/dismissals/{dismissalId}`

use reqwest::StatusCode;
use serde_json::json;

use super::dismiss::{counts, dismissed, too_long};
use super::undo::complete;
use super::versions::listed;
use crate::support::TestApp;

#[tokio::test]
async fn removing_a_dismissal_shows_the_finding_again() {
    let (_app, teacher, id) = TestApp::with_id(complete(20)).await;
    let path = format!("/api/investigation/{id}");
    let before = teacher.get(&path).await.data();
    let hidden = dismissed(&teacher, &path, too_long()).await;
    let dismissal = hidden["dismissed"][0]["id"].as_str().expect("an id").to_owned();
    let answer = teacher.delete(&format!("{path}/dismissals/{}", dismissal.to_uppercase())).await;
    assert_eq!((answer.status, answer.header("etag")), (StatusCode::OK, Some("\"3\"")), "{answer}");
    assert_eq!(answer.json()["message"], "Dismissal removed successfully");
    let after = answer.data();
    assert_eq!((&after["contradictions"], &after["status"]), (&before["contradictions"], &before["status"]));
    assert_eq!((counts(&after).2, &after["version"], listed(&teacher, &path).await.as_str()), (0, &json!(0), ""));
    assert_eq!(teacher.get(&path).await.data(), after);
    assert_eq!(counts(&dismissed(&teacher, &path, too_long()).await).2, 1, "it can be dismissed again");
}

#[tokio::test]
async fn dismissal_can_be_removed_even_if_changed_values_ended_its_effect() {
    let (_app, teacher, id) = TestApp::with_id(complete(20)).await;
    let path = format!("/api/investigation/{id}");
    let hidden = dismissed(&teacher, &path, too_long()).await;
    teacher.patch(&path, json!({"durationMinutes": 9})).await;
    let dismissal = hidden["dismissed"][0]["id"].as_str().expect("an id");
    let answer = teacher.delete(&format!("{path}/dismissals/{dismissal}")).await;
    assert_eq!((answer.status, answer.header("etag")), (StatusCode::OK, Some("\"4\"")), "{answer}");
    let back = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!(counts(&back), (1, 0, 0, "draft_contradictory_complete"));
}

#[tokio::test]
async fn removal_of_an_unknown_dismissal_is_refused_and_changes_nothing() {
    let (_app, teacher, path) = TestApp::with(complete(20)).await;
    let hidden = dismissed(&teacher, &path, too_long()).await;
    let there = hidden["dismissed"][0]["id"].as_str().expect("an id");
    let other = teacher.create_path(complete(20)).await;
    let unknown = r#"404 "dismissal_not_found" "Dismissal not found""#;
    let malformed = r#"400 "validation_failed" "Validation failed" "dismissalId" "must be 24 hexadecimal digits""#;
    let stale = teacher.clone().with_header("if-match", "\"1\"");
    for (caller, path, dismissal, expected) in [
        (&teacher, &path, "ffffffffffffffffffffffff", unknown),
        (&teacher, &path, "7", malformed),
        (&teacher, &path, "%20", malformed),
        (&teacher, &other, there, unknown),
        (&stale, &path, there, r#"412 "revision_mismatch" "The investigation has changed""#),
    ] {
        let refused = caller.delete(&format!("{path}/dismissals/{dismissal}")).await;
        assert_eq!(refused.refusal(), expected);
    }
    assert_eq!(teacher.get(&path).await.data(), hidden);
}
