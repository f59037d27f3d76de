//! MongoDB documents, as mongoexport writes them, become investigations, chats and links.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::process::{fieldbook, refused};
use crate::support::{TEACHER, TestApp};

const CRESS: &str = "65a000000000000000000001";
const RADISH: &str = "65a000000000000000000002";

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
        "line 1: steps.0.photo has a $binary, which is imported unchanged",
        "line 1: weight has a $numberDecimal that no number represents exactly; it is imported as a string",
        "line 1: metadata.school is left out",
        "line 2: status is \"draft\", which does not exist; it is computed",
        "line 2: author is not an object identifier, and is left out",
    ]
    .join("\n");
    let end =
        |word: &str| format!("{word} 2 investigations, 0 chats and 0 links, 0 existed already, 0 were not imported");
    let dry = imported(app.folder(), &lines, &["--dry-run"]);
    assert_eq!(dry, (format!("{said}\n{}", end("would take")), String::new()));
    assert_eq!(imported(app.folder(), &lines, &[]), (format!("{said}\n{}", end("took")), String::new()));
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
        "steps": [
          {
            "text": "Sow",
            "minutes": 20,
            "photo": {
              "$binary": {
                "base64": "AA==",
                "subType": "00"
              }
            }
          }
        ],
        "seen": "2023-11-14T22:13:20.000Z",
        "weight": "0.1234567890123456789",
        "status": "published",
        "author": {
          "id": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "name": null,
          "email": null,
          "avatar": null
        },
        "metadata": {
          "author": "aaaaaaaaaaaaaaaaaaaaaaaa"
        },
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
    let again = "took 0 investigations, 0 chats and 0 links, 2 existed already, 0 were not imported";
    assert_eq!(imported(app.folder(), &array, &["--from", "mongoexport"]), (again.to_owned(), String::new()));

    let chat = json!({"_id": {"$oid": "65a0000000000000000000c1"}, "investigationId": {"$oid": CRESS}, "__v": 0, "history": [
        {"_id": {"$oid": "65a0000000000000000000e1"}, "user": {"content": "Why?"},
         "assistant": {"content": "Light.", "metadata": "{}", "content_for_llm": "[investigation_provided]"}},
        {"user": {"content": ""}, "assistant": {"content": "More."}}]});
    let link = json!({"_id": {"$oid": "65a0000000000000000000f1"}, "key": "class", "subLink": "a", "investigationId": {"$oid": CRESS},
        "creator": {"$oid": TEACHER}, "visitCount": {"$numberLong": "7"}});
    for (document, took) in [(&chat, "1 chats and 0 links"), (&link, "0 chats and 1 links")] {
        for (taken, there) in [(took, 0), ("0 chats and 0 links", 1)] {
            assert_eq!(
                imported(app.folder(), &document.to_string(), &[]),
                (
                    format!("took 0 investigations, {taken}, {there} existed already, 0 were not imported"),
                    String::new()
                )
            );
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
        json!({"_id": id, "n": {"$numberDouble": "NaN"}}).to_string(),
        json!({"_id": id, "d": {"$date": "once"}}).to_string(),
        format!("{{\"_id\":\"{CRESS}\",\"a\":1,\"a\":2}}"),
        format!("{{\"_id\":\"{CRESS}\",\"a\":{}}}", "[".repeat(100_000)),
        json!({"_id": id, "a": "x".repeat(1024 * 1024)}).to_string(),
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
    assert_eq!(failed, "fieldbook: 16 lines were not imported");
    insta::assert_snapshot!(said, @r#"
    line 1: status is "draft", which does not exist; it is computed
    line 1: author is not an object identifier, and is left out
    line 2 is not valid JSON: expected ident at line 1 column 2
    line 3 is not a document: it must be an object
    line 4 cannot be imported: its _id is not an object identifier
    line 5 cannot be imported: its _id is not an object identifier
    line 6 n has a $numberDouble that JSON has no number for
    line 7 d has a $date that is not a time
    line 8 has the key "a" twice
    line 9 is not valid JSON: expected value at line 1 column 100039
    line 10 cannot be imported: its history has the version 0, which takes 1048584 bytes; at most 1048576 are allowed
    line 11 is not imported: the investigation 65a000000000000000000002 already exists here with other content (revision 1); delete it here and import again
    line 12 cannot be imported: the investigation 65a000000000000000000001 does not exist here; import it first
    line 13 cannot be imported: history.0 is not an object
    line 14 cannot be imported: another link class/a exists here
    line 15 cannot be imported: the link a b/a breaks its form: key must be 1 to 64 characters of A-Z a-z 0-9 _ -
    line 16 cannot be imported: the investigation 65a000000000000000000001 of the link other/a does not exist here; import it first
    line 17 cannot be imported: the link much/a breaks its form: visitCount must be at most 9007199254740991
    took 1 investigations, 0 chats and 0 links, 0 existed already, 16 were not imported
    "#);
    assert_eq!(teacher.get("/api/investigation?groupBy=none").await.data()["pagination"]["total"], 2);
    let (said, failed) = imported(app.folder(), "[{\"_id\":\"65a000000000000000000009\"} {}]", &[]);
    assert_eq!(said, "took 1 investigations, 0 chats and 0 links, 0 existed already, 0 were not imported");
    assert_eq!(failed, "fieldbook: line 1: the array is broken here; elements must be parted by a comma");
    assert!(refused(fieldbook("import", app.folder()).arg("/nowhere").output().expect("run")).contains("/nowhere"));
}
