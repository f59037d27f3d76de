//! `POST /api/investigation/{id}/pictures`

use std::time::Duration;

use fieldbook::admission::Actor;
use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::Editing;
use insta::assert_snapshot;
use serde_json::json;

use crate::support::picture::{numbered, png, showing};
use crate::support::{COLLEAGUE, TestApp};

#[tokio::test]
async fn added_picture_is_converted_and_stored_without_changing_the_investigation() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let before = teacher.get(&path).await;
    let added = teacher.send_picture(&path, png(3200, 400, [200, 30, 40, 255])).await;
    let id = added.data()["id"].as_str().expect("an id").to_owned();
    assert_eq!(added.location(), format!("{path}/pictures/{id}"));
    let shown = added.answer().replace(&id, "{pictureId}");
    assert_snapshot!(shown, @r#"
    201 Created
    location: /api/investigation/000000000000000000000001/pictures/{pictureId}
    {
      "success": true, "message": "Picture added successfully",
      "data": {
        "id": "{pictureId}", "width": 1600, "height": 200,
        "type": "image/jpeg", "bytes": 9380
      }
    }
    "#);
    let after = teacher.get(&path).await;
    assert_eq!((after.header("etag"), &after.text), (before.header("etag"), &before.text));
    assert_eq!(app.rows("picture"), 1);
    let again = teacher.send_picture(&path, png(3200, 400, [200, 30, 40, 255])).await;
    assert_eq!((again.status.as_u16(), again.data(), app.rows("picture")), (201, added.data(), 1));
}

#[tokio::test]
async fn content_that_refers_to_a_picture_of_another_investigation_is_refused() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let other = teacher.create_path(json!({})).await;
    let (here, there) = (teacher.add_picture(&path, numbered(1)).await, teacher.add_picture(&other, numbered(2)).await);
    let with_step = json!({"pictures": [{"id": here, "alt": "A pan"}],
        "steps": [{"text": "Sow", "picture": {"id": here, "alt": "Seeds"}}]});
    let shown = teacher.patch(&path, with_step).await;
    assert_eq!(shown.status.as_u16(), 200, "{shown}");
    let of_another = json!({"steps": [{"text": "Sow"}, {"text": "Wait", "picture": {"id": there, "alt": ""}}]});
    let refusal = r#"400 "validation_failed" "Validation failed" "steps.1.picture.id" "must be the id of a picture that this investigation holds; send the picture to it first""#;
    assert_eq!(teacher.patch(&path, of_another.clone()).await.refusal(), refusal);
    assert_eq!(teacher.patch(&format!("{path}?dryRun=true"), of_another).await.refusal(), refusal);
    let created = teacher.post("/api/investigation", showing(&[&here])).await;
    assert_eq!(created.refusal(), refusal.replace("steps.1.picture.id", "pictures.0.id"), "a new one holds none");
    let short = teacher.patch(&path, json!({"pictures": [{"id": here}]})).await;
    assert_eq!(short.status.as_u16(), 400, "alt is required: {short}");
}

#[tokio::test]
async fn pictures_of_a_clone_and_of_earlier_versions_can_be_read() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let (first, second) =
        (teacher.add_picture(&path, numbered(1)).await, teacher.add_picture(&path, numbered(2)).await);
    teacher.patch(&path, showing(&[&first])).await;
    let copy = teacher.post_empty(&format!("{path}/clone")).await;
    assert_eq!(copy.status.as_u16(), 201, "{copy}");
    let copy = format!("/api/investigation/{}", copy.data()["_id"].as_str().expect("an id"));
    assert_eq!(teacher.get(&format!("{copy}/pictures/{first}")).await.status.as_u16(), 200);
    assert_eq!(teacher.get(&format!("{copy}/pictures/{second}")).await.status.as_u16(), 404, "nothing shows it");
    teacher.patch(&path, json!({"pictures": null})).await;
    let back = teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(back.data()["pictures"][0]["id"], first, "{back}");
    let restored = teacher.post_empty(&format!("{path}/versions/1/restore")).await;
    assert_eq!(restored.status.as_u16(), 200, "{restored}");
    teacher.delete(&path).await;
    app.sweep().await;
    assert_eq!(app.rows("picture"), 1, "that of the clone");
}

#[tokio::test]
async fn files_other_than_pictures_are_refused_with_advice() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\0".to_vec();
    let cut = numbered(1)[..60].to_vec();
    let wide = png(60_000, 401, [1, 2, 3, 255]);
    let mut refusals = String::new();
    for file in [heic, b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), b"{}".to_vec(), Vec::new(), cut, wide] {
        let refused = teacher.send_picture(&path, file).await;
        refusals += &format!("{} {}\n", refused.refusal(), refused.json()["error"]);
    }
    let large = teacher.send_picture(&path, vec![0; 10 * 1024 * 1024 + 1]).await;
    refusals += &format!("{} {}\n", large.refusal(), large.json()["error"]);
    assert_snapshot!(refusals, @r#"
    415 "unsupported_media_type" "Unsupported media type" "this is a HEIC picture, as iPhones take them; save or export it as JPEG"
    415 "unsupported_media_type" "Unsupported media type" "this is an SVG drawing; export it as PNG"
    415 "unsupported_media_type" "Unsupported media type" "this is not a PNG, JPEG, WebP or GIF picture; save it as one of them"
    400 "validation_failed" "Validation failed" "" "the file is empty; send the picture itself as the body" null
    400 "validation_failed" "Validation failed" "" "the picture is damaged, or a part of it is missing" null
    413 "too_large" "Too large" "the picture has more than 24 megapixels; make it smaller"
    413 "too_large" "Too large" "The body has more than 10485760 bytes"
    "#);
    let nowhere = teacher.send_picture("/api/investigation/000000000000000000000000", numbered(1)).await;
    assert_eq!(nowhere.json()["code"], "investigation_not_found", "{nowhere}");
    assert_eq!(app.rows("picture"), 0);
}

#[tokio::test]
async fn picture_type_is_detected_from_the_bytes_of_the_file() {
    let (_app, teacher, path) = TestApp::with(json!({})).await;
    let glass = png(4, 4, [1, 2, 3, 4]);
    let added = teacher.post_bytes(&format!("{path}/pictures"), "image/gif", glass).await;
    assert_eq!(added.data()["type"], "image/png", "{added}");
    let compressed = teacher.clone().with_header("content-encoding", "gzip");
    assert_eq!(compressed.send_picture(&path, numbered(1)).await.status.as_u16(), 415);
}

#[tokio::test]
async fn investigation_holds_at_most_200_pictures() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let last = teacher.add_picture(&path, numbered(1)).await;
    app.behind(
        "INSERT INTO picture_file (id, bytes)
         WITH RECURSIVE c (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
         SELECT CAST(c.n AS TEXT), f.bytes FROM c, picture_file f",
    );
    app.behind(
        "INSERT INTO picture (body, id, media_type, width, height, unused_since, size)
         SELECT p.body, f.id, p.media_type, p.width, p.height, p.unused_since, p.size
         FROM picture_file f, picture p WHERE f.id <> p.id",
    );
    let refused = teacher.send_picture(&path, numbered(2)).await;
    assert_eq!(
        refused.refusal(),
        r#"400 "validation_failed" "Validation failed" "" "An investigation holds at most 200 pictures and 32 MiB of them; remove one first""#
    );
    assert_eq!(teacher.add_picture(&path, numbered(1)).await, last, "it is there already");
}

#[tokio::test]
async fn investigation_holds_at_most_32_mib_of_pictures() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    teacher.add_picture(&path, numbered(1)).await;
    app.behind("UPDATE picture SET size = 33554432");
    let refused = teacher.send_picture(&path, png(64, 64, [1, 2, 3, 4])).await.refusal();
    assert_eq!(
        refused,
        r#"400 "validation_failed" "Validation failed" "" "An investigation holds at most 200 pictures and 32 MiB of them; remove one first""#
    );
    app.behind("UPDATE picture SET size = 33500000");
    teacher.add_picture(&path, png(64, 64, [1, 2, 3, 4])).await;
}

#[tokio::test]
async fn only_one_picture_is_decoded_at_a_time() {
    let (app, teacher, path) = TestApp::with(json!({})).await;
    let turn = app.app.admission.pictures.try_take(Actor::User(COLLEAGUE.parse().expect("an id")), 1).expect("a turn");
    let refused = teacher.send_picture(&path, numbered(1)).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")), "{refused}");
    assert_eq!(teacher.get(&path).await.status.as_u16(), 200, "others go on");
    drop(turn);
    teacher.add_picture(&path, numbered(1)).await;
}

#[tokio::test]
async fn only_users_who_may_edit_an_investigation_can_add_pictures() {
    let http = HttpSettings { editing: Editing::Author, ..HttpSettings::default() };
    let (app, _, teacher) = TestApp::start_with(http).await;
    let path = teacher.create_path(json!({})).await;
    teacher.add_picture(&path, numbered(1)).await;
    let refused = app.signed_in(COLLEAGUE).send_picture(&path, numbered(2)).await;
    assert_eq!(refused.json()["code"], "not_your_investigation", "{refused}");
}

#[tokio::test]
async fn unused_picture_is_deleted_after_30_days() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let day = Duration::from_secs(24 * 3600);
    let shown = teacher.add_picture(&path, numbered(1)).await;
    teacher.add_picture(&path, numbered(2)).await;
    teacher.patch(&path, showing(&[&shown])).await;
    let teacher_later = |app: &TestApp| app.signed_in(crate::support::TEACHER);
    teacher.patch(&path, json!({"pictures": null})).await;
    for _ in 0..20 {
        app.clock.advance(day);
        app.sweep().await;
    }
    teacher_later(&app).add_picture(&path, numbered(3)).await;
    assert_eq!(app.rows("picture"), 3);
    for _ in 0..11 {
        app.clock.advance(day);
        app.sweep().await;
    }
    assert_eq!(app.rows("picture"), 2, "the one of a version, and the newest");
    let kept = teacher_later(&app).get(&format!("{path}/pictures/{shown}")).await;
    assert_eq!(kept.status.as_u16(), 200);
}
