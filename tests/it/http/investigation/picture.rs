//! `GET /api/investigation/{id}/pictures/{pictureId}`

use serde_json::json;

use crate::support::TestApp;
use crate::support::picture::{numbered, png};

#[tokio::test]
async fn picture_response_is_private_immutable_and_cannot_run_scripts() {
    let (_app, teacher, path) = TestApp::with(json!({})).await;
    for (file, media_type) in [(png(30, 20, [1, 2, 3, 255]), "image/jpeg"), (numbered(1), "image/png")] {
        let added = teacher.send_picture(&path, file).await.data();
        let got = teacher.get(&format!("{path}/pictures/{}", added["id"].as_str().expect("an id"))).await;
        assert_eq!(got.status.as_u16(), 200);
        for (name, value) in [
            ("content-type", media_type),
            ("content-length", &added["bytes"].to_string()),
            ("cache-control", "private, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(got.header(name), Some(value), "{name}");
        }
    }
}

#[tokio::test]
async fn picture_of_another_investigation_is_not_found() {
    let (_app, teacher, path) = TestApp::with(json!({})).await;
    let other = teacher.create_path(json!({})).await;
    let id = teacher.add_picture(&other, numbered(1)).await;
    let unknown = r#"404 "picture_not_found" "Picture not found""#;
    assert_eq!(teacher.get(&format!("{path}/pictures/{id}")).await.refusal(), unknown);
    teacher.delete(&other).await;
    assert_eq!(teacher.get(&format!("{other}/pictures/{id}")).await.refusal(), unknown);
    for malformed in ["7", "%20", &id.to_uppercase()] {
        let refused = teacher.get(&format!("{path}/pictures/{malformed}")).await;
        assert_eq!(refused.status.as_u16(), 400, "{refused}");
    }
}
