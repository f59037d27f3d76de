//! MongoDB documents, as mongoexport writes them, become investigations, chats and links.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::mongo_collections::{arguments, file, run, sums};
use crate::support::process::{fieldbook, refused};
use crate::support::{TEACHER, TestApp};

const CRESS: &str = "65a000000000000000000001";
const RADISH: &str = "65a000000000000000000002";
const BEAN: &str = "65a000000000000000000003";

/// Imports a text. Returns the standard output and the standard error.
fn imported(folder: &Path, text: &str, more: &[&str]) -> (String, String) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let output = fieldbook("import", folder).arg(file.path()).args(more).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn canonical() -> Value {
    json!({
        "_id": {"$oid": CRESS}, "title": "Cress", "grade": {"$numberInt": "5"}, "curriculum": "NGSS",
        "durationMinutes": {"$numberDouble": "45.0"},
        "steps": [{"text": "Sow", "minutes": {"$numberInt": "20"}, "photo": {"$binary": {"base64": "AA==", "subType": "00"}}}],
        "seen": {"$date": {"$numberLong": "1700000000000"}}, "weight": {"$numberDecimal": "0.1234567890123456789"},
        "status": "published", "author": {"$oid": TEACHER}, "metadata": {"author": {"$oid": TEACHER}, "school": "North"},
        "lastChangeWithAI": true, "createdAt": {"$date": {"$numberLong": "1700000000123"}},
        "updatedAt": {"$date": "2023-11-15T00:00:00Z"}, "__v": {"$numberInt": "3"}
    })
}

fn relaxed() -> Value {
    json!({"_id": {"$oid": RADISH}, "title": "Radish", "durationMinutes": 30, "status": "draft", "author": "nobody"})
}

#[tokio::test(flavor = "multi_thread")]
async fn collections_are_taken_one_after_the_other_in_lines_or_in_one_array() {
    let (app, _, teacher) = TestApp::start().await;
    let lines = format!("{}\n{}\n", canonical(), relaxed());
    let said = [
        "__v: replaced in 1 lines, first line 1: the service computes it",
        "author: left out of 1 lines, first line 2: it is not an object identifier",
        "metadata.school: left out of 1 lines, first line 1: only metadata.author is kept",
        "status: left out of 1 lines, first line 2: it is not a status, so it is computed",
        "steps.*.photo: altered in 1 lines, first line 1: steps.0.photo: a $binary has no plain form, so it stays as written",
        "weight: altered in 1 lines, first line 1: no number represents the $numberDecimal exactly, so it is a text",
        "23 members were read: 19 were kept, 0 mapped and 4 reported",
    ]
    .join("\n");
    let end = |word: &str| {
        format!(
            "{word} 2 investigations, 0 chats, 0 links and 0 versions, 0 existed already, 0 lines were not imported"
        )
    };
    let lossy =
        "fieldbook: 0 lines were not imported, and members at 3 paths were left out; --lossy accepts that".to_owned();
    let dry = imported(app.folder(), &lines, &["--dry-run"]);
    assert_eq!(dry, (format!("{said}\n{}", end("would take")), lossy.clone()));
    assert_eq!(imported(app.folder(), &lines, &[]), (format!("{said}\n{}", end("took")), lossy));
    insta::assert_snapshot!(teacher.get(&format!("/api/investigation/{CRESS}")).await, @r#"
    GET /api/investigation/65a000000000000000000001

    200 OK
    etag: "1"
    {
      "success": true,
      "message": "Investigation retrieved successfully",
      "data": {
        "_id": "65a000000000000000000001",
        "title": "Cress",
        "grade": 5,
        "curriculum": "NGSS",
        "durationMinutes": 45,
        "steps": [{"text": "Sow", "minutes": 20, "photo": {"$binary": {"base64": "AA==", "subType": "00"}}}],
        "seen": "2023-11-14T22:13:20.000Z",
        "weight": "0.1234567890123456789",
        "status": "published",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"},
        "lastChangeWithAI": true,
        "contradictions": [],
        "hints": [],
        "dismissed": [],
        "version": 0,
        "revision": 1,
        "clonedFrom": null,
        "createdAt": "2023-11-14T22:13:20.123Z",
        "updatedAt": "2023-11-15T00:00:00.000Z"
      }
    }
    "#);
    let radish = teacher.get(&format!("/api/investigation/{RADISH}")).await.data();
    assert_eq!(
        (&radish["status"], &radish["createdAt"]),
        (&json!("draft_incomplete"), &json!("2024-01-11T14:49:36.000Z"))
    );

    let array = format!("[{},\n{}]", canonical(), relaxed());
    let again = "took 0 investigations, 0 chats, 0 links and 0 versions, 2 existed already, 0 lines were not imported";
    let (told, failed) = imported(app.folder(), &array, &["--from", "mongoexport", "--lossy"]);
    assert_eq!((told.lines().last(), failed.as_str()), (Some(again), ""));

    let chat = json!({"_id": {"$oid": "65a0000000000000000000c1"}, "investigationId": {"$oid": CRESS}, "__v": 0, "history": [
        {"_id": {"$oid": "65a0000000000000000000e1"}, "user": {"content": "Why?"},
         "assistant": {"content": "Light.", "metadata": "{}", "content_for_llm": "[investigation_provided]"}},
        {"user": {"content": ""}, "assistant": {"content": "More."}}]});
    let link = json!({"_id": {"$oid": "65a0000000000000000000f1"}, "key": "class", "subLink": "a", "investigationId": {"$oid": CRESS},
        "creator": {"$oid": TEACHER}, "visitCount": {"$numberLong": "7"}});
    for (document, took) in [(&chat, "1 chats, 0 links"), (&link, "0 chats, 1 links")] {
        for (taken, there) in [(took, 0), ("0 chats, 0 links", 1)] {
            let (told, failed) = imported(app.folder(), &document.to_string(), &[]);
            let end = format!(
                "took 0 investigations, {taken} and 0 versions, {there} existed already, 0 lines were not imported"
            );
            assert_eq!((told.lines().last(), failed.as_str()), (Some(end.as_str()), ""), "{told}");
        }
    }
    let chat = teacher.get(&format!("/api/investigation/{CRESS}/chat")).await.data();
    assert_eq!(
        (&chat["_id"], &chat["history"][1]["assistant"]),
        (&json!("65a0000000000000000000c1"), &json!({"content": "More.", "metadata": "", "content_for_llm": ""}))
    );
    assert_eq!(teacher.get("/api/link/class/a").await.data()["visitCount"], 8);
    // The imported investigation can be edited, and the edit can be undone.
    let edited = teacher.patch(&format!("/api/investigation/{CRESS}"), json!({"title": "Watercress"})).await;
    assert_eq!(edited.status, 200, "{edited}");
    let undone = teacher.post_empty(&format!("/api/investigation/{CRESS}/undo")).await.data();
    assert_eq!(undone["title"], "Cress");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_taken_is_named_and_the_rest_is_taken() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create_link(&teacher.create(json!({"title": "Here"})).await, "class", "a").await;
    let id = json!({"$oid": CRESS});
    let link =
        |key: &str, of: &Value| json!({"_id": {"$oid": RADISH}, "key": key, "subLink": "a", "investigationId": of});
    let mut text = format!("{}\n", relaxed());
    for line in [
        "nonsense".to_owned(),
        "[]".to_owned(),
        json!({"title": "Nameless"}).to_string(),
        json!({"_id": 7}).to_string(),
        json!({"_id": {"$oid": BEAN}, "title": "Bean", "n": {"$numberDouble": "NaN"}}).to_string(),
        json!({"_id": {"$date": "once"}, "title": "Pea"}).to_string(),
        format!("{{\"_id\":\"{CRESS}\",\"a\":1,\"a\":2}}"),
        format!("{{\"_id\":\"{CRESS}\",\"a\":{}}}", "[".repeat(100_000)),
        json!({"_id": id, "title": "x".repeat(1024 * 1024)}).to_string(),
        json!({"_id": {"$oid": RADISH}, "title": "Other"}).to_string(),
        json!({"_id": id, "investigationId": id, "history": []}).to_string(),
        json!({"_id": id, "investigationId": {"$oid": RADISH}, "history": [7]}).to_string(),
        link("class", &json!({"$oid": RADISH})).to_string(),
        link("a b", &json!({"$oid": RADISH})).to_string(),
        link("other", &id).to_string(),
        {
            let mut much_visited = link("much", &id);
            much_visited["visitCount"] = json!({"$numberLong": i64::MAX.to_string()});
            much_visited.to_string()
        },
    ] {
        text.push_str(&format!("{line}\n"));
    }
    let (said, failed) = imported(app.folder(), &text, &[]);
    assert_eq!(
        failed,
        "fieldbook: 15 lines were not imported, and members at 3 paths were left out; --lossy accepts that"
    );
    insta::assert_snapshot!(said, @r#"
    line 2 is not valid JSON: expected ident at line 1 column 2
    line 3 is not a document: it must be an object
    line 4 is left out: its _id is not an object identifier
    line 5 (7) is left out: it has no field of an investigation; import it with --as investigation if it is one
    line 7 is left out: its _id is not an object identifier
    line 8 has the key "a" twice
    line 9 is not valid JSON: expected value at line 1 column 100039
    line 10 (65a000000000000000000001) cannot be imported: its history has the version 0, which takes 1048588 bytes; at most 1048576 are allowed
    line 11 (65a000000000000000000002) is not imported: the investigation 65a000000000000000000002 already exists here with other content (revision 1); delete it here and import again
    line 13 (65a000000000000000000001) is left out: history.0 is not a message
    line 14 (65a000000000000000000002) cannot be imported: another link class/a exists here
    line 15 (65a000000000000000000002) is left out: the link a b/a breaks its form: key must be 1 to 64 characters of A-Z a-z 0-9 _ -
    line 16 (65a000000000000000000002) cannot be imported: the investigation 65a000000000000000000001 of the link other/a does not exist here; import it first
    line 17 (65a000000000000000000002) is left out: the link much/a breaks its form: visitCount must be at most 9007199254740991
    line 12 (65a000000000000000000001) cannot be imported: the investigation 65a000000000000000000001 does not exist here; import it first
    author: left out of 1 lines, first line 1: it is not an object identifier
    n: left out of 1 lines, first line 6: it has a $numberDouble that JSON has no number for
    status: left out of 1 lines, first line 1: it is not a status, so it is computed
    40 members were read: 5 were kept, 0 mapped and 35 reported
    took 2 investigations, 0 chats, 0 links and 0 versions, 0 existed already, 15 lines were not imported
    "#);
    assert_eq!(teacher.get("/api/investigation?groupBy=none").await.data()["pagination"]["total"], 3);
    let (said, failed) = imported(app.folder(), "[{\"_id\":\"65a000000000000000000009\"} {}]", &[]);
    assert!(
        said.contains("line 1 (65a000000000000000000009) is left out: it has no field of an investigation"),
        "{said}"
    );
    assert_eq!(failed, "fieldbook: line 1: the array is broken here; elements must be parted by a comma");
    assert!(refused(fieldbook("import", app.folder()).arg("/nowhere").output().expect("run")).contains("/nowhere"));
}

#[test]
fn a_dry_run_needs_no_store_and_creates_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    for collection in ["investigations", "chats", "links", "users"] {
        let (said, _, code) = {
            let mut command = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
            command.args(["import", "--dry-run", "--data"]).arg(&data);
            let arguments = arguments("canonical", collection);
            run(command, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert_eq!(code, 2, "{said}");
        assert!(said.starts_with("nothing is compared with a store: no store exists in the folder"), "{said}");
        let [read, kept, mapped, reported] = sums(&said);
        assert_eq!(read, kept + mapped + reported);
        assert!(said.lines().last().expect("a line").starts_with("would take "), "{said}");
        assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none(), "{collection}");
    }
}

#[test]
fn a_map_or_a_kind_that_cannot_be_used_ends_the_import_before_it_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    std::fs::write(&map, "title = 1").expect("written");
    let (users, map) = (file("relaxed", "users").display().to_string(), map.display().to_string());
    let failed = |arguments: &[&str]| {
        let data = folder.path().join("data");
        let (said, failed, code) = run(fieldbook("import", &data), arguments);
        assert_eq!((said.as_str(), code, data.exists()), ("", 1, false));
        failed
    };
    let words = format!("fieldbook: the map {map} cannot be used: the target of title is not a path");
    assert_eq!(failed(&[&users, "--map", &map]), words);
    assert!(failed(&[&users, "--map", "/nowhere"]).starts_with("fieldbook: cannot read the file /nowhere: "));
    let words = "fieldbook: --as, --map and --versions are for documents of MongoDB";
    assert_eq!(failed(&[&users, "--from", "fieldbook", "--as", "link"]), words);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_shows_no_collection_is_imported_as_it_is_told() {
    let (app, _, teacher) = TestApp::start().await;
    let users = file("relaxed", "users").display().to_string();
    let (said, _, _) = run(fieldbook("import", app.folder()), &[&users, "--as", "investigation"]);
    assert!(
        said.ends_with(
            "took 11 investigations, 0 chats, 0 links and 0 versions, 0 existed already, 1 lines were not imported"
        ),
        "{said}"
    );
    let emil = teacher.get("/api/investigation/65e5a0b00000000000000005").await.data();
    assert_eq!((&emil["name"], &emil["metadata"]["author"]), (&json!("Emil"), &json!("65e5a0b00000000000000001")));
}
