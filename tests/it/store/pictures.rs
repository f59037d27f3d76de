//! Pictures in the store, on both engines.

use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::investigation::Expected;
use fieldbook::store::{PictureAdded, PictureRemoved, Stamp};
use fieldbook_pictures::{Picture, make};
use serde_json::json;

use super::export::{export, imported};
use crate::support::picture::{numbered, showing};
use crate::support::{START, TestApp};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };
const UNKNOWN: ObjectId = ObjectId::from_bytes([0xee; 12]);

fn picture(number: u8) -> Picture {
    make(&numbered(number)).expect("a picture")
}

#[tokio::test]
async fn stored_picture_is_read_back_byte_for_byte() {
    let (app, _, id) = TestApp::with_id(json!({})).await;
    let (store, id) = (&app.app.store, id.parse().expect("an id"));
    let picture = picture(1);
    assert_eq!(store.add_picture(id, picture.clone(), START).await.expect("an answer"), PictureAdded::Done);
    assert_eq!(store.picture(id, picture.id.clone()).await.expect("read"), Some(picture.clone()));
    let asked = vec![picture.id.clone(), "0".repeat(64)];
    assert_eq!(store.held_pictures(id, asked).await.expect("read"), [picture.id]);
}

#[tokio::test]
async fn uploading_a_picture_again_repairs_its_damaged_bytes() {
    let (app, _, id) = TestApp::with_id(json!({})).await;
    let (store, id) = (&app.app.store, id.parse().expect("an id"));
    let picture = picture(1);
    store.add_picture(id, picture.clone(), START).await.expect("stored");
    app.behind("UPDATE picture_file SET bytes = substr(bytes, 2)");
    let damaged = store.picture(id, picture.id.clone()).await.expect("read").expect("a picture");
    assert_ne!(damaged.bytes, picture.bytes);
    assert_eq!(store.add_picture(id, picture.clone(), START).await.expect("stored"), PictureAdded::Done);
    assert_eq!(store.picture(id, picture.id.clone()).await.expect("read"), Some(picture));
}

#[tokio::test]
async fn store_reports_missing_pictures_as_missing_and_not_as_errors() {
    let (app, _, id) = TestApp::with_id(json!({})).await;
    let (store, id) = (&app.app.store, id.parse().expect("an id"));
    let picture = picture(1);
    assert_eq!(store.add_picture(UNKNOWN, picture.clone(), START).await.expect("read"), PictureAdded::NoInvestigation);
    assert_eq!(store.picture(id, picture.id.clone()).await.expect("read"), None);
    let remove = async |id| store.remove_picture(id, picture.id.clone(), Expected::Any, NOW).await.expect("an answer");
    assert_eq!(remove(id).await, PictureRemoved::NoPicture);
    assert_eq!(remove(UNKNOWN).await, PictureRemoved::NoInvestigation);
}

#[tokio::test]
async fn pictures_are_permanently_deleted_with_their_investigation() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let shown = teacher.add_picture(&path, numbered(1)).await;
    teacher.patch(&path, showing(&[&shown])).await;
    teacher.delete(&path).await;
    app.sweep().await;
    assert_eq!(app.rows("picture"), 1, "it is in the trash");
    teacher.post_empty(&format!("{path}/undelete")).await;
    assert_eq!(teacher.get(&format!("{path}/pictures/{shown}")).await.status.as_u16(), 200);
    teacher.delete(&format!("{path}?permanently=true")).await;
    app.sweep().await;
    assert_eq!((app.rows("picture"), app.rows("picture_file")), (0, 0));
}

#[tokio::test]
async fn clones_share_the_bytes_of_their_pictures_until_the_last_one_is_deleted() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let (kept, removed) =
        (teacher.add_picture(&path, numbered(1)).await, teacher.add_picture(&path, numbered(2)).await);
    teacher.patch(&path, showing(&[&kept, &removed])).await;
    let mut paths = vec![path];
    for _ in 0..3 {
        let copy = teacher.post_empty(&format!("{}/clone", paths[0])).await;
        paths.push(format!("/api/investigation/{}", copy.data()["_id"].as_str().expect("an id")));
    }
    assert_eq!((app.rows("picture"), app.rows("picture_file")), (8, 2));
    for path in &paths {
        assert_eq!(app.rows("picture_file"), 2, "{path} needs both");
        let gone = teacher.delete(&format!("{path}/pictures/{removed}")).await;
        assert_eq!(gone.status.as_u16(), 200, "{gone}");
    }
    assert_eq!(app.rows("picture_file"), 1, "the removed one goes at once");
    while let Some(path) = paths.pop() {
        assert_eq!(teacher.get(&format!("{path}/pictures/{kept}")).await.status.as_u16(), 200);
        teacher.delete(&format!("{path}?permanently=true")).await;
        app.sweep().await;
        assert_eq!((app.rows("picture"), app.rows("picture_file")), (paths.len() as i64, i64::from(!paths.is_empty())));
    }
}

#[tokio::test]
async fn import_refuses_a_picture_with_a_wrong_id_or_unreadable_bytes_or_a_wrong_investigation() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let shown = teacher.add_picture(&path, numbered(1)).await;
    teacher.patch(&path, showing(&[&shown])).await;
    let lines = export(app.folder());
    let line = lines.lines().find(|line| line.starts_with(r#"{"picture":"#)).expect("a picture");
    assert!(!line.contains("unusedSince"), "a content shows it: {line}");
    let other = make(&numbered(2)).expect("a picture").id;
    let id = path.rsplit('/').next().expect("an id");
    for (changed, expected) in [
        (line.to_owned(), "0 in the trash, 1 pictures, 0 people"),
        (line.replace(&shown, &other), "does not match its id, which is the SHA-256 of the bytes"),
        (line.replace(r#""data":""#, r#""data":"AAAA"#), "is refused: this is not a PNG, JPEG, WebP or GIF picture"),
        (line.replace(id, "000000000000000000000000"), "belongs to the investigation 000000000000000000000000"),
    ] {
        let target = tempfile::tempdir().expect("a folder");
        let (said, noted) = imported(target.path(), &lines.replace(line, &changed), &[]);
        assert!(said.contains(expected), "{expected}: {said} {noted}");
    }
}
