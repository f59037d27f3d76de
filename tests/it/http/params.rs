//! Path and query parameters. The service refuses a wrong parameter by name before the operation runs.

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn error_for_an_invalid_limit_parameter_names_the_parameter() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let refused = teacher.get(&format!("{path}/versions?limit=0")).await;
    assert_snapshot!(refused.refusal(), @r#"400 "validation_failed" "Validation failed" "limit" "must be a whole number from 1 to 1000""#);
    for pages in ["versions", "history/title", "chat"] {
        for limit in [
            "0",
            "-1",
            "1001",
            "%2B5",
            "1.5",
            "1e1",
            "0x10",
            "x",
            "",
            "%205",
            "99999999999999999999",
            "5&limit=6",
            "1%00",
        ] {
            let other = teacher.get(&format!("{path}/{pages}?limit={limit}")).await;
            assert_eq!(
                (other.status, &other.json()["errors"][0]["path"]),
                (refused.status, &json!("limit")),
                "{other}"
            );
        }
        for query in ["limit=1", "limit=1000", "limit=007", "other=1", ""] {
            let taken = teacher.get(&format!("{path}/{pages}?{query}")).await;
            assert_eq!(taken.status, StatusCode::OK, "{taken}");
        }
    }
    let of_history = teacher.get(&format!("{path}/history/title?limit=1001")).await;
    assert_eq!(of_history.text, refused.text);
}

#[tokio::test]
async fn error_for_an_invalid_version_number_in_the_path_names_the_parameter() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let refused = teacher.get(&format!("{path}/versions/latest")).await;
    assert_snapshot!(refused.refusal(), @r#"400 "validation_failed" "Validation failed" "version" "must be a whole number from 0 to 9223372036854775807""#);
    for version in ["first", "-1", "1.0", "1.5", "%20", "", "%2B1", "9223372036854775808", "99999999999999999999"] {
        for other in [
            teacher.get(&format!("{path}/versions/{version}")).await,
            teacher.post_empty(&format!("{path}/versions/{version}/restore")).await,
        ] {
            assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
        }
    }
}

#[tokio::test]
async fn request_with_a_malformed_query_is_accepted_or_refused_with_400_and_answered_in_json() {
    let (_app, _, teacher) = TestApp::start().await;
    for query in ["%FF", "search=%FF", "search=%zz", "=", "&&&", "search=%00", "search=%"] {
        let answer = teacher.get(&format!("/api/investigation?{query}")).await;
        assert!([StatusCode::OK, StatusCode::BAD_REQUEST].contains(&answer.status), "{answer}");
        assert!(answer.json().is_object(), "{answer}");
    }
}
