//! Entries that an import refuses, reports or accepts.

use serde_json::{Value, json};

use super::export::{export, import_summary, imported};
use crate::support::process::{fieldbook, on_no_backend, refused};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

/// Returns three lines of an export: the head, an investigation with a history, a chat and a link, and the end line,
/// which says that two lines come before it.
async fn a_line() -> (String, Value, String) {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress", "steps": [{"text": "Sow"}]})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Radish"})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"title": "Bean", "steps": [{"text": "Sow"}, {"text": "Water"}]})).await;
    teacher.get(&teacher.create_link(&id, "class", "a").await).await;
    let text = export(app.folder());
    let lines: Vec<&str> = text.lines().collect();
    let [head, line, ..] = lines.as_slice() else { panic!("{text}") };
    ((*head).to_owned(), serde_json::from_str(line).expect("JSON"), r#"{"end":{"lines":2}}"#.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn import_refuses_impossible_records_with_a_message_and_stores_none_of_them() {
    let (head, line, end) = a_line().await;
    let folder = tempfile::tempdir().expect("a folder");
    let set = |pointer: &str, value: Value| {
        let mut line = line.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a key");
        match line.pointer_mut(&format!("/investigation{parent}")).expect("a place") {
            Value::Object(object) => drop(object.insert(key.to_owned(), value)),
            Value::Array(array) => array[key.parse::<usize>().expect("a place")] = value,
            _ => panic!("{pointer}"),
        }
        line.to_string()
    };
    let dismissal = |field: &str, value: Value| {
        let finding = json!({"fieldName": "title", "conflictsWith": ["steps"], "reason": "Why", "evidence": [], "source": "rule:r"});
        let mut dismissal = json!({"id": "dddddddddddddddddddddddd", "finding": finding, "values": "0".repeat(64), "by": null,
            "at": "2026-11-21T08:00:00.000Z", "reason": null, "dormant": true});
        dismissal[field] = value;
        dismissal
    };
    let deep = (0..66).fold(json!(1), |inner, _| json!([inner]));
    let mut told = String::new();
    for text in [
        "nonsense".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        "7".to_owned(),
        line.to_string().replacen("\"_id\"", "\"title\":1,\"title\":2,\"_id\"", 1),
        line.to_string().replacen("\"Bean\"", "1e400", 1),
        line.to_string().replacen("Bean", "\\u0000", 1),
        line.to_string().replacen("\"Bean\"", &"[".repeat(200_000), 1),
        set("/document/content/x", deep),
        set("/document/content/x", "x".repeat(1024 * 1024).into()),
        set("/document/content/version", json!(1)),
        set("/document/content", json!([])),
        set("/document/_id", json!("42")),
        set("/document/status", json!("lost")),
        set("/document/revision", json!(0)),
        set("/document/revision", json!(u64::MAX)),
        set("/document/revision", json!(i64::MAX)),
        set("/document/revision", json!(1_u64 << 53)),
        set("/document/editors", (0..101).map(|n| format!("{n:024x}")).collect()),
        set("/document/editors", json!(vec!["e".repeat(24); 2])),
        set("/document/version", json!(i64::MAX)),
        set("/document/version", json!(9)),
        set("/document/version", json!(0)),
        set("/document/latestVersion", json!(3)),
        set("/document/editors", json!((0..101).map(|id| format!("{id:024x}")).collect::<Vec<_>>())),
        set("/document/editors", json!(["dddddddddddddddddddddddd", "dddddddddddddddddddddddd"])),
        set("/document/createdAt", json!("yesterday")),
        set("/document/more", json!(1)),
        set("/document/dismissals", json!([{"id": "dddddddddddddddddddddddd"}])),
        set("/document/dismissals", json!([dismissal("by", json!("me"))])),
        set("/document/dismissals", json!([dismissal("values", json!("X".repeat(64)))])),
        set("/document/dismissals", json!([dismissal("dormant", json!(false))])),
        set("/document/dismissals", json!([dismissal("reason", json!("x".repeat(501)))])),
        set("/document/dismissals", json!([dismissal("by", json!(null)), dismissal("by", json!(null))])),
        set("/document/dismissals", json!(vec![dismissal("by", json!(null)); 201])),
        set("/records/0/parent", json!(2)),
        set("/records/0/version", json!(2)),
        set("/records/0/kind", json!("guess")),
        set("/records/1/changes", json!([{"path": ["steps", "7", "text"], "before": "a", "after": "b"}])),
        set("/records/1/changes/0/after", json!("Parsley")),
        set("/records/0/undone", json!(false)),
        set("/records/0/name", json!("Trial ")),
        set("/records/0/name", json!("x".repeat(101))),
        set("/chat/history", json!([{"user": "me"}])),
        set("/links/0/link/key", json!("a b")),
        set("/links/0/link/key", json!("investigation")),
        set("/links/0/link/investigationId", json!("cccccccccccccccccccccccc")),
        set("/links/0/link/visitCount", json!(0)),
        set("/links/0/link/visitCount", json!(i64::MAX)),
        set("/links/0/days", json!([{"day": "2026-11-21", "count": i64::MAX}])),
        set("/links/0/days", json!([{"day": "2026-11-31", "count": 1}])),
        set("/links", json!([line["investigation"]["links"][0], line["investigation"]["links"][0]])),
    ] {
        let (said, failed) = imported(folder.path(), &format!("{head}\n{text}\n{end}\n"), &[]);
        let first = said.lines().next().expect("a sentence");
        assert!(first.starts_with("line 2 ") && failed.contains("not imported"), "{text:.200}: {said} {failed}");
        told.push_str(&format!("{first:.180}\n"));
    }
    insta::assert_snapshot!(told, @r#"
    line 2 is not valid JSON: expected ident at line 1 column 2
    line 2 is not a line of an export: invalid type: sequence, expected string or map
    line 2 is not a line of an export: invalid value: map, expected map with a single key
    line 2 is not a line of an export: invalid type: integer `7`, expected string or map
    line 2 investigation.document has the key "title" twice
    line 2 investigation.document.content.title is a number that cannot be stored exactly: 1e400; write it as a string
    line 2 investigation.document.content.title holds a NUL character
    line 2 is not valid JSON: expected value at line 1 column 200399
    line 2 cannot be imported: its history has the version 2, which is nested deeper than 64 levels
    line 2 cannot be imported: its history has the version 2, which takes 1048641 bytes; at most 1048576 are allowed
    line 2 cannot be imported: its history has the version 2, which has the field version in its content, which the service sets itself
    line 2 is not a line of an export: invalid type: sequence, expected a map
    line 2 is not a line of an export: must be 24 hexadecimal digits
    line 2 is not a line of an export: unknown variant `lost`, expected one of `draft_incomplete`, `draft_non_contradictory_complete`, `draft_contradictory_complete`, `in_development`,
    line 2 cannot be imported: its revision is 0, and must be from 1 to 9007199254740991
    line 2 cannot be imported: its revision is 18446744073709551615, and must be from 1 to 9007199254740991
    line 2 cannot be imported: its revision is 9223372036854775807, and must be from 1 to 9007199254740991
    line 2 cannot be imported: its revision is 9007199254740992, and must be from 1 to 9007199254740991
    line 2 cannot be imported: it has 101 editors; at most 100 are allowed
    line 2 cannot be imported: its editor eeeeeeeeeeeeeeeeeeeeeeee appears twice
    line 2 cannot be imported: its history has no record of the current version 9223372036854775807
    line 2 cannot be imported: its history has no record of the current version 9
    line 2 cannot be imported: its history has the record 2, which is not marked undone, but the content does not include it
    line 2 cannot be imported: its history has 2 records, but the latest version is 3
    line 2 cannot be imported: it has 101 editors; at most 100 are allowed
    line 2 cannot be imported: its editor dddddddddddddddddddddddd appears twice
    line 2 is not a line of an export: must be a time such as 2026-11-21T08:00:00.000Z
    line 2 is not a line of an export: unknown field `more`, expected one of `_id`, `status`, `author`, `editors`, `metadataAuthor`, `lastChangeWithAI`, `findings`, `dismissals`, `vers
    line 2 is not a line of an export: missing field `finding`
    line 2 is not a line of an export: must be 24 hexadecimal digits
    line 2 cannot be imported: its dismissal dddddddddddddddddddddddd has values that are not SHA-256 in lower-case hexadecimal digits
    line 2 cannot be imported: its dismissal dddddddddddddddddddddddd is marked as one that applies, which contradicts its values
    line 2 cannot be imported: its dismissal dddddddddddddddddddddddd is malformed: reason must have at most 500 characters
    line 2 cannot be imported: its dismissal dddddddddddddddddddddddd appears twice
    line 2 cannot be imported: its dismissals are 201, and at most 200 are kept
    line 2 cannot be imported: its history has the record 1, based on the later version 2
    line 2 cannot be imported: its history has the record 2 in place of 1
    line 2 is not a line of an export: unknown variant `guess`, expected one of `update`, `resolve`, `regenerate`, `converse`, `restore`
    line 2 cannot be imported: its history has the record 2, which does not fit the content
    line 2 cannot be imported: its history has the record 2, which does not fit the content
    line 2 cannot be imported: its history has the record 1, which is not marked undone, but the content does not include it
    line 2 cannot be imported: the name of its version 1 must have 1 to 100 characters in one line, without spaces around them
    line 2 cannot be imported: the name of its version 1 must have 1 to 100 characters in one line, without spaces around them
    line 2 is not a line of an export: invalid type: string "me", expected struct UserTurn
    line 2 cannot be imported: its link a b/a is invalid: key must be 1 to 64 characters of A-Z a-z 0-9 _ -
    line 2 cannot be imported: its link investigation/a is invalid: key must not be "investigation", which the service uses itself
    line 2 cannot be imported: its link class/a leads to cccccccccccccccccccccccc
    line 2 cannot be imported: its link class/a has 0 visits, fewer than the sum of its days
    line 2 cannot be imported: its link class/a is invalid: visitCount must be at most 9007199254740991
    line 2 cannot be imported: its link class/a has 1 visits, fewer than the sum of its days
    line 2 cannot be imported: its link class/a has days that are not in order or have no visits
    line 2 cannot be imported: its link class/a appears twice
    "#);
    // A faulty line is refused as a whole, and the rest of the file is imported.
    let end = end.replace('2', "3");
    let (said, _) = imported(folder.path(), &format!("{head}\nnonsense\n{line}\n{end}\n"), &[]);
    assert!(said.ends_with(&import_summary(1, 0, 0, 1)), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn import_refuses_an_incomplete_export_file() {
    let (head, line, end) = a_line().await;
    let folder = tempfile::tempdir().expect("a folder");
    let failed = |text: String| imported(folder.path(), &text, &[]).1;
    assert_eq!(
        failed(format!("{line}\n{end}\n")),
        "fieldbook: line 1 is not the first line of an export; use fieldbook-from-mongo to convert mongoexport files"
    );
    assert_eq!(
        failed("{\"fieldbook\":{\"form\":3}}\n".into()),
        "fieldbook: line 1 begins an export in format version 3, but this program reads version 2; use the program that wrote it"
    );
    assert_eq!(failed(String::new()), "fieldbook: the file ends before its last line: it was cut off");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "a file that is no export creates no store");
    let (said, failed) = imported(folder.path(), &head.to_string(), &[]);
    assert_eq!(failed, "fieldbook: the file ends before its last line: it was cut off");
    if crate::support::postgres::server().is_none() {
        let created = format!("\na new store was created in the folder {}", folder.path().display());
        assert_eq!(said, format!("{}{created}", import_summary(0, 0, 0, 0)));
    }
    let (said, failed) = imported(folder.path(), &format!("{head}\n{end}\n"), &[]);
    assert!(said.starts_with("line 2 says that 2 lines come before it, and 1 did: "), "{said}");
    assert_eq!(failed, "fieldbook: 1 lines were not imported");
    let (said, failed) = imported(folder.path(), &format!("{head}\n{line}\n"), &[]);
    assert_eq!(
        (said, failed.as_str()),
        (import_summary(1, 0, 0, 0), "fieldbook: the file ends before its last line: it was cut off")
    );
    let missing = refused(fieldbook("import", folder.path()).arg("/nowhere").output().expect("run"));
    assert_eq!(
        missing,
        "fieldbook: cannot read the file /nowhere: No such file or directory (os error 2); check the path"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn import_keeps_an_existing_investigation_that_differs_and_reports_schema_violations() {
    let (app, _, teacher) = TestApp::start().await;
    let (head, line, end) = a_line().await;
    let id = teacher.create(json!({"title": "Mine"})).await;
    assert_eq!(line["investigation"]["document"]["_id"], id.as_str(), "identifiers of tests are counted");
    let text = format!("{head}\n{line}\n{end}\n");
    assert_eq!(
        imported(app.folder(), &text, &[]).0.lines().next().expect("a line"),
        format!("line 2 is not imported: the investigation {id} already exists here and differs")
    );
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.data()["title"], "Mine");
    // Under another id, the investigation cannot be imported either, because another investigation has its link.
    let other = "cccccccccccccccccccccccc";
    let mut moved = line.clone();
    moved["investigation"]["document"]["_id"] = json!(other);
    moved["investigation"]["links"][0]["link"]["investigationId"] = json!(other);
    moved["investigation"]["links"][0]["link"]["_id"] = json!(other);
    moved["investigation"]["chat"]["_id"] = json!(other);
    teacher.create_link(&id, "class", "a").await;
    let text = format!("{head}\n{moved}\n{end}\n");
    assert_eq!(
        imported(app.folder(), &text, &[]).0.lines().next().expect("a line"),
        format!("line 2 cannot be imported: the link class/a leads to the investigation {id} here")
    );
    teacher.delete("/api/link/class/a").await;
    let schema = app.folder().join("schema.json");
    std::fs::write(&schema, r#"{"properties":{"title":{"type":"integer"},"steps":{"maxItems":1}}}"#).expect("written");
    let schema = ["--schema", schema.to_str().expect("a text")];
    let named = format!("line 2: the investigation {other} is imported unchanged, and violates the content schema: ");
    let (dry, failed) = imported(app.folder(), &text, &[&schema[..], &["--dry-run"]].concat());
    assert!(dry.starts_with(&named) && failed.is_empty(), "{dry} {failed}");
    assert!(dry.ends_with("would import 1 investigations, 0 in the trash, 0 people, 0 API keys, and 0 entries of the audit log; 0 existed already, 0 were not imported"));
    assert_eq!(teacher.get("/api/link/class/a").await.status, 404);
    let (said, failed) = imported(app.folder(), &text, &schema);
    assert!(
        said.starts_with(&named) && said.ends_with(&import_summary(1, 0, 0, 0)) && failed.is_empty(),
        "{said} {failed}"
    );
    assert!(said.contains(", and 1 more\n"), "{said}");
    assert_eq!(teacher.get("/api/link/class/a").await.data()["visitCount"], 2);
    let taken = teacher.get(&format!("/api/investigation/{other}")).await.data();
    assert_eq!(
        (&taken["title"], &taken["version"], &taken["author"]["id"]),
        (&json!("Bean"), &json!(2), &json!(TEACHER))
    );
    let undone = teacher.post_empty(&format!("/api/investigation/{other}/undo")).await.data();
    assert_eq!(undone["title"], "Cress");
}

#[tokio::test(flavor = "multi_thread")]
async fn investigation_imported_with_the_largest_accepted_counts_can_be_changed() {
    let (app, _, teacher) = TestApp::start().await;
    let (head, mut line, end) = a_line().await;
    let id = line["investigation"]["document"]["_id"].as_str().expect("an id").to_owned();
    let largest = (1_u64 << 53) - 1;
    line["investigation"]["document"]["revision"] = json!(largest);
    line["investigation"]["links"][0]["link"]["visitCount"] = json!(largest);
    let (said, _) = imported(app.folder(), &format!("{head}\n{line}\n{end}\n"), &[]);
    assert_eq!(said, import_summary(1, 0, 0, 0));
    let changed = teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Radish"})).await;
    assert_eq!(changed.status, 200);
    assert_eq!(teacher.get("/api/link/class/a").await.data()["visitCount"], json!(largest + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn import_with_the_detect_flag_finds_contradictions_and_computes_the_status() {
    let (app, _, teacher) = TestApp::start().await;
    let (head, mut line, end) = a_line().await;
    let entry = &mut line["investigation"];
    (entry["detect"], entry["records"]) = (json!(true), json!([]));
    let document = &mut entry["document"];
    (document["version"], document["latestVersion"]) = (json!(0), json!(0));
    document["status"] = json!("draft_non_contradictory_complete");
    document["content"] = json!({"durationMinutes": 20, "steps": [{"text": "Sow", "minutes": 45}]});
    let id = document["_id"].as_str().expect("an id").to_owned();
    let text = format!("{head}\n{line}\n{end}\n");
    assert_eq!(imported(app.folder(), &text, &[]), (import_summary(1, 0, 0, 0), String::new()));
    assert_eq!(imported(app.folder(), &text, &[]), (import_summary(0, 0, 1, 0), String::new()));
    let taken = teacher.get(&format!("/api/investigation/{id}")).await.data();
    assert_eq!(taken["status"], "draft_incomplete");
    assert_eq!(taken["contradictions"][0]["source"], "rule:duration_sum", "{taken}");
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_investigation_without_an_author_gets_the_author_named_in_its_metadata() {
    let (app, _, _) = TestApp::start().await;
    let (head, mut line, end) = a_line().await;
    let document = &mut line["investigation"]["document"];
    (document["author"], document["metadataAuthor"]) = (Value::Null, json!(COLLEAGUE));
    let id = document["_id"].as_str().expect("an id").parse().expect("an id");
    let text = format!("{head}\n{line}\n{end}\n");
    assert_eq!(imported(app.folder(), &text, &[]), (import_summary(1, 0, 0, 0), String::new()));
    assert_eq!(imported(app.folder(), &text, &[]), (import_summary(0, 0, 1, 0), String::new()));
    let stored = app.app.store.load(id).await.expect("read").expect("an investigation");
    assert_eq!(stored.author, Some(COLLEAGUE.parse().expect("an id")));
}

#[tokio::test(flavor = "multi_thread")]
async fn dry_run_of_an_import_fails_if_it_cannot_read_the_existing_store() {
    let (head, line, end) = a_line().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.jsonl");
    std::fs::write(&file, format!("{head}\n{line}\n{end}\n")).expect("written");
    let run = |more: &[&str]| {
        let mut program = on_no_backend("import --dry-run --lossy", folder.path());
        program.arg(&file).args(more).output().expect("run")
    };
    assert_eq!(run(&[]).status.code(), Some(0), "no store exists");
    let unreachable = run(&["--database", "postgres://fieldbook@127.0.0.1:1/fieldbook"]);
    std::fs::write(folder.path().join("fieldbook.sqlite3"), "no store").expect("written");
    for output in [unreachable, run(&[])] {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.starts_with("nothing is compared with a store: "), "{said}");
        assert!(said.contains("would import 1 investigations"), "{said}");
        let failed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(failed.ends_with("fieldbook: nothing was compared with the store\n"), "{failed}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_import_that_stores_something_is_in_the_audit_log() {
    let (head, line, end) = a_line().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("{head}\n{line}\n{end}\n");
    for _ in 0..2 {
        imported(folder.path(), &file, &["--dry-run"]);
        imported(folder.path(), &file, &[]);
    }
    let said = fieldbook("audit", folder.path()).output().expect("run").stdout;
    let said = String::from_utf8(said).expect("a text");
    let mut entry: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("not one entry: {said}"));
    let at = entry["at"].take();
    assert!(at.is_string(), "{at}");
    let expected = json!({"at": null, "actor": {}, "action": "import", "investigations": 1, "trashed": 0, "people": 0, "apiKeys": 0});
    assert_eq!(entry, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn import_of_the_complete_file_after_a_truncated_file_adds_the_missing_audit_log() {
    let (app, _, _) = TestApp::with_id(json!({"title": "Cress"})).await;
    let whole = export(app.folder());
    let folder = tempfile::tempdir().expect("a folder");
    let part: Vec<&str> = whole.lines().take(2).collect();
    let (said, failed) = imported(folder.path(), &format!("{}\n", part.join("\n")), &[]);
    assert_eq!(
        (said.lines().next(), failed.as_str()),
        (Some(import_summary(1, 0, 0, 0).as_str()), "fieldbook: the file ends before its last line: it was cut off")
    );
    assert_eq!(imported(folder.path(), &whole, &[]), (import_summary(0, 1, 1, 0), String::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn dry_run_of_an_import_reports_conflicting_lines_like_the_import() {
    let (head, line, _) = a_line().await;
    // Three lines: the same investigation again, another investigation with the same link, and the first one with
    // another title.
    let with_id = |id: &str| {
        let mut moved = line.clone();
        moved["investigation"]["document"]["_id"] = json!(id);
        moved["investigation"]["links"][0]["link"]["investigationId"] = json!(id);
        moved["investigation"]["links"][0]["link"]["_id"] = json!(id);
        moved["investigation"]["chat"]["_id"] = json!(id);
        moved
    };
    let other = with_id("cccccccccccccccccccccccc");
    let mut changed = line.clone();
    changed["investigation"]["document"]["content"]["title"] = json!("Pea");
    let person = |id: &str| {
        json!({"person": {"id": id, "name": "Ada", "email": "ada@example.org", "role": null, "status": "active",
            "createdAt": "2026-11-21T08:00:00.000Z", "lastSignInAt": null}})
    };
    let people =
        [person("dddddddddddddddddddddddd"), person("dddddddddddddddddddddddd"), person("eeeeeeeeeeeeeeeeeeeeeeee")];
    let lines: Vec<String> =
        [&line, &line, &other, &changed].into_iter().chain(&people).map(Value::to_string).collect();
    let text = format!("{head}\n{}\n{{\"end\":{{\"lines\":8}}}}\n", lines.join("\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let (dry, _) = imported(folder.path(), &text, &["--dry-run"]);
    let (said, _) = imported(folder.path(), &text, &[]);
    let lines =
        |said: &str| said.lines().filter(|line| line.starts_with("line ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&dry), lines(&said));
    assert_eq!(lines(&said).len(), 3, "{said}");
    let counted = said.lines().last().expect("a summary");
    assert_eq!(dry.lines().last().expect("a summary"), counted.replacen("imported", "would import", 1));
}
