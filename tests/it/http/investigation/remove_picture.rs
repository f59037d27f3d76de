//! `DELETE /api/investigation/{id}/pictures/{pictureId}`

use insta::assert_snapshot;
use serde_json::json;

use crate::http::permissions::with_role;
use crate::support::picture::{numbered, showing};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

#[tokio::test]
async fn removed_picture_is_deleted_and_its_references_stay_in_the_content() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let (first, second) =
        (teacher.add_picture(&path, numbered(1)).await, teacher.add_picture(&path, numbered(2)).await);
    teacher.patch(&path, showing(&[&first, &second])).await;
    let removed = teacher.delete(&format!("{path}/pictures/{first}")).await;
    assert_snapshot!(removed.answer().replace(&first, "{pictureId}"), @r#"
    200 OK
    {
      "success": true, "message": "Picture removed successfully",
      "data": {
        "investigationId": "000000000000000000000001",
        "pictureId": "{pictureId}"
      }
    }
    "#);
    assert_eq!(teacher.get(&format!("{path}/pictures/{first}")).await.status.as_u16(), 404);
    let after = teacher.get(&path).await;
    assert_eq!((after.header("etag"), &after.data()["version"]), (Some("\"3\""), &json!(1)), "{after}");
    assert_eq!(after.data()["pictures"][0]["id"], first, "the content refers to it as before");
    let renamed = teacher.patch(&path, json!({"title": "Peas"})).await;
    assert_eq!(renamed.status.as_u16(), 200, "{renamed}");
    teacher.patch(&path, json!({"pictures": null})).await;
    assert_eq!(teacher.post_empty(&format!("{path}/undo")).await.status.as_u16(), 200);
    teacher.patch(&path, json!({"pictures": null})).await;
    let again = teacher.patch(&path, showing(&[&first])).await;
    assert_eq!(again.status.as_u16(), 400, "{again}");
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.add_picture(&path, numbered(1)).await;
    assert_eq!(
        app.rows("picture WHERE unused_since IS NULL"),
        2,
        "the content still refers to the one that is sent again"
    );
    let audit = with_role(&app, TEACHER, "admin").get("/api/audit").await;
    assert!(
        audit.text.contains(&format!(r#""action":"investigation.picture_removed","pictureId":"{first}""#)),
        "{audit}"
    );
}

#[tokio::test]
async fn only_the_author_and_admins_may_remove_pictures() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let id = teacher.add_picture(&path, numbered(1)).await;
    let picture = format!("{path}/pictures/{id}");
    let refused = app.signed_in(COLLEAGUE).delete(&picture).await;
    assert_eq!(refused.json()["code"], "not_your_investigation", "{refused}");
    let stale = teacher.clone().with_header("if-match", "\"7\"").delete(&picture).await;
    assert_eq!(stale.json()["code"], "revision_mismatch", "{stale}");
    assert_eq!(with_role(&app, COLLEAGUE, "admin").delete(&picture).await.status.as_u16(), 200);
    assert_eq!(teacher.delete(&picture).await.refusal(), r#"404 "picture_not_found" "Picture not found""#);
    assert_eq!(app.rows("picture"), 0);
}
