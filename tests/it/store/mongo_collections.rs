//! The import of collections that pymongo has written. No member of a document is lost silently.
//! `tests/mongoexport/make.py` creates the files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::export::export;
use crate::support::TestApp;
use crate::support::process::fieldbook;

const FORMS: [&str; 2] = ["canonical", "relaxed"];

/// Returns the file of a collection, in the form `canonical` or `relaxed`.
pub(super) fn file(form: &str, collection: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/mongoexport/{form}/{collection}.jsonl"))
}

fn documents(form: &str, collection: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file(form, collection)).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Runs a command. Returns its standard output, its standard error and its exit code.
pub(super) fn run(mut command: Command, arguments: &[&str]) -> (String, String, i32) {
    let output = command.args(arguments).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("a code"))
}

/// Returns the arguments to import a collection.
pub(super) fn arguments(form: &str, collection: &str) -> Vec<String> {
    let mut arguments = vec![file(form, collection).display().to_string()];
    if collection == "investigations" {
        let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mongoexport/map.toml");
        arguments.extend(["--map".to_owned(), map.display().to_string()]);
        arguments.extend(["--versions".to_owned(), file(form, "versions").display().to_string()]);
    }
    arguments
}

fn import(folder: &Path, form: &str, collection: &str, more: &[&str]) -> (String, String, i32) {
    let arguments = arguments(form, collection);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    run(fieldbook("import", folder), &arguments)
}

/// Calls `visit` with the path of each member and its value. Does not use the code that is tested.
fn members(path: &str, value: &Value, visit: &mut impl FnMut(&str, &Value)) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(object) if object.keys().next().is_some_and(|key| !key.starts_with('$')) => {
            let index =
                |key: &str| if key.bytes().all(|b| b.is_ascii_digit()) { "*".to_owned() } else { key.to_owned() };
            object.iter().for_each(|(key, member)| members(&below(&index(key)), member, visit));
        }
        Value::Array(array) if !array.is_empty() => {
            array.iter().for_each(|element| members(&below("*"), element, visit))
        }
        leaf => visit(path, leaf),
    }
}

/// Returns the numbers in the last line but one: members read, kept, mapped and reported.
pub(super) fn sums(said: &str) -> [u64; 4] {
    let line = said.lines().rev().nth(1).expect("a line");
    let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().expect("four numbers")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_member_of_every_collection_is_kept_mapped_or_reported() {
    let mut both = Vec::new();
    for form in FORMS {
        let (app, _, _) = TestApp::start().await;
        let mut all = String::new();
        for collection in ["investigations", "chats", "links", "users"] {
            let (said, failed, code) = import(app.folder(), form, collection, &[]);
            let (mut read, mut files) = (0, documents(form, collection));
            if collection == "investigations" {
                files.extend(documents(form, "versions"));
            }
            files.iter().for_each(|document| members("", document, &mut |_, _| read += 1));
            let [sum, kept, mapped, reported] = sums(&said);
            assert_eq!((sum, kept + mapped + reported), (read, read), "{collection}: {said}");
            assert_eq!(code, 2, "{failed}");
            all.push_str(&format!("{collection}\n{said}\n{failed}\n\n"));
        }
        both.push(all);
    }
    assert_eq!(both[0], both[1], "both forms say the same");
    insta::assert_snapshot!(both[0], @r#"
    investigations
    line 5 of the versions (65e5a0f00000000000000005) is left out: it has no change in a known form
    line 7 of the versions (65e5a0f00000000000000007) is left out: it names no investigation by its id
    line 8 of the versions (65e5a0f00000000000000008) is left out: it has no change in a known form
    line 9 of the versions (65e5a0f00000000000000009) is left out: it has no change in a known form
    line 1: the investigation 65e5a0a00000000000000001 is imported unchanged, and violates the content schema: materials.1.unit must be a string
    line 5: the investigation 65e5a0a00000000000000005 is imported unchanged, and violates the content schema: title must be a string
    line 6: the investigation 65e5a0a00000000000000006 is imported unchanged, and violates the content schema: steps.0.minutes must be a number
    line 6 of the versions (65e5a0f00000000000000006) is left out: the version 1 does not lead to the content that follows it
    line 8 (65e5a0a00000000000000001) is not imported: the investigation 65e5a0a00000000000000001 already exists here with other content (revision 1); delete it here and import again
    line 9 (legacy-17) is left out: its _id is not an object identifier
    line 10 of the versions (65e5a0f0000000000000000a) is left out: two versions of the investigation have the same number
    line 11 of the versions (65e5a0f0000000000000000b) is left out: two versions of the investigation have the same number
    line 12 (65e5a0a0000000000000000c) is left out: it has no field of an investigation; import it with --as investigation if it is one
    line 12 of the versions (65e5a0f0000000000000000c) is left out: the investigation 65e5a0a0000000000000004d is not in the file
    __v: replaced in 4 lines, first line 1: the service computes it
    _id: replaced in 4 lines, first line 1 of the versions: the service numbers versions
    after.status: left out of 1 lines, first line 1 of the versions: it is not content
    answerPattern: altered in 1 lines, first line 4: a $regularExpression has no plain form, so it stays as written
    author: left out of 1 lines, first line 10: it is not an object identifier
    before.status: left out of 1 lines, first line 1 of the versions: it is not content
    contradictions: replaced in 1 lines, first line 1: the service computes it
    cost.exact: altered in 1 lines, first line 4: no number represents the $numberDecimal exactly, so it is a text
    createdAt: left out of 1 lines, first line 10: it is not a time
    dismissed.*.by: left out of 1 lines, first line 7: dismissed.0.by: it is not kept of an investigation
    dismissed.*.fieldName: left out of 1 lines, first line 7: dismissed.0.fieldName: it is not kept of an investigation
    error: left out of 1 lines, first line 4: it has a $numberDouble that JSON has no number for
    grade.updatedAt: left out of 1 lines, first line 2: the map puts another value there
    grade.updatedBy: left out of 1 lines, first line 2: the map puts another value there
    hints.*.fieldName: replaced in 1 lines, first line 7: hints.0.fieldName: the service computes it
    kind: left out of 1 lines, first line 2 of the versions: it is not a field of a version
    measurements.*.period: left out of 1 lines, first line 4: measurements.1.period: it has a $numberDouble that JSON has no number for
    metadata.locale: left out of 1 lines, first line 2: only metadata.author is kept
    metadata.school.city: left out of 1 lines, first line 2: only metadata.author is kept
    metadata.school.name: left out of 1 lines, first line 2: only metadata.author is kept
    photo: altered in 1 lines, first line 4: a $binary has no plain form, so it stays as written
    readings: left out of 1 lines, first line 4: a part of it has a $numberDouble that JSON has no number for
    reason: left out of 1 lines, first line 2 of the versions: it is not a field of a version
    snapshot: altered in 2 lines, first line 3 of the versions: it is kept as a change since the copy before; of the oldest copy, author and time are not kept
    snapshot.__v: left out of 1 lines, first line 4 of the versions: it is not content
    snapshot._id: left out of 2 lines, first line 3 of the versions: it is not content
    snapshot.author: left out of 1 lines, first line 3 of the versions: it is not content
    snapshot.status: left out of 1 lines, first line 3 of the versions: it is not content
    status: left out of 1 lines, first line 4: it is not a status, so it is computed
    title.updatedAt: left out of 1 lines, first line 2: the map puts another value there
    title.updatedBy: left out of 1 lines, first line 2: the map puts another value there
    updatedAt: left out of 1 lines, first line 7: it is not a time after the creation
    version: replaced in 1 lines, first line 1: the service computes it
    231 members were read: 95 were kept, 40 mapped and 96 reported
    took 9 investigations, 0 chats, 0 links and 4 versions, 0 existed already, 11 lines were not imported
    fieldbook: 11 lines were not imported, and members at 24 paths were left out; --lossy accepts that

    chats
    line 9 (65e5a0c00000000000000009) is left out: history.0 is a message in no known form
    line 10 (65e5a0c0000000000000000a) is left out: messages.0 is a message by "narrator", which is not a known role
    line 12 (65e5a0c0000000000000000c) is left out: it is a chat, and does not name an investigation; import it with --as investigation if it is one
    line 6 (65e5a0c00000000000000006) is left out: the investigation 65e5a0a00000000000000004 has another chat in the file, and times that would order their messages are missing
    line 11 (65e5a0c0000000000000000b) cannot be imported: the investigation 65e5a0a00000000000000063 does not exist here; import it first
    __v: replaced in 2 lines, first line 1: the service computes it
    _id: left out of 1 lines, first line 4: the chat is merged with another one of its investigation
    createdAt: left out of 1 lines, first line 2: it is not a field of a chat
    history.*._id: replaced in 1 lines, first line 1: history.0._id: the service numbers messages
    messages.*.content: left out of 1 lines, first line 2: messages.0.content: neither a person nor the assistant says it
    messages.*.content.*.image_url.url: left out of 1 lines, first line 2: messages.3.content.1.image_url.url: only the texts of a message are kept
    messages.*.content.*.type: left out of 1 lines, first line 2: messages.3.content.1.type: only the texts of a message are kept
    messages.*.createdAt: left out of 2 lines, first line 3: messages.0.createdAt: it is not kept of a message
    messages.*.role: left out of 1 lines, first line 2: messages.0.role: neither a person nor the assistant says it
    messages.*.timestamp: left out of 1 lines, first line 2: messages.1.timestamp: it is not kept of a message
    messages.*.timestamp: left out of 1 lines, first line 2: messages.0.timestamp: neither a person nor the assistant says it
    messages.*.tokens: left out of 1 lines, first line 2: messages.2.tokens: it is not kept of a message
    model: left out of 1 lines, first line 2: it is not a field of a chat
    title: left out of 1 lines, first line 2: it is not a field of a chat
    updatedAt: left out of 1 lines, first line 2: it is not a field of a chat
    userId: left out of 1 lines, first line 2: it is not a field of a chat
    90 members were read: 30 were kept, 15 mapped and 45 reported
    took 0 investigations, 7 chats, 0 links and 0 versions, 0 existed already, 5 lines were not imported
    fieldbook: 5 lines were not imported, and members at 14 paths were left out; --lossy accepts that

    links
    line 9 (65e5a0d00000000000000009) is left out: its status says neither open nor closed
    line 10 (65e5a0d0000000000000000a) is left out: its expiresAt is not a time
    line 12 (65e5a0d0000000000000000c) cannot be imported: another link class-5b/s1 exists here
    __v: replaced in 1 lines, first line 1: the service computes it
    dateClicks.*.count: left out of 1 lines, first line 7: dateClicks.0.count: it is not a field of a link
    dateClicks.*.date: left out of 1 lines, first line 7: dateClicks.0.date: it is not a field of a link
    deletedBy: left out of 1 lines, first line 5: it is not a field of a link
    qrStyle.colour: left out of 1 lines, first line 4: it is not a field of a link
    qrStyle.dots: left out of 1 lines, first line 4: it is not a field of a link
    updatedAt: left out of 1 lines, first line 1: it is not a field of a link
    81 members were read: 42 were kept, 18 mapped and 21 reported
    took 0 investigations, 0 chats, 9 links and 0 versions, 0 existed already, 3 lines were not imported
    fieldbook: 3 lines were not imported, and members at 6 paths were left out; --lossy accepts that

    users
    line 1 (65e5a0b00000000000000001) is left out: it has the field email, which user accounts have; import it with --as investigation if it is one
    line 2 (65e5a0b00000000000000002) is left out: it has the field email, which user accounts have; import it with --as investigation if it is one
    line 3 (65e5a0b00000000000000003) is left out: it has the field username, which user accounts have; import it with --as investigation if it is one
    line 4 (65e5a0b00000000000000004) is left out: it has the field googleId, which user accounts have; import it with --as investigation if it is one
    line 5 (65e5a0b00000000000000005) is left out: it has no field of an investigation; import it with --as investigation if it is one
    line 6 (65e5a0b00000000000000006) is left out: it has the field email, which user accounts have; import it with --as investigation if it is one
    line 7 (65e5a0b00000000000000007) is left out: it has the field email, which user accounts have; import it with --as investigation if it is one
    line 8 (65e5a0b00000000000000008) is left out: it has the field login, which user accounts have; import it with --as investigation if it is one
    line 9 (65e5a0b00000000000000009) is left out: it has no field of an investigation; import it with --as investigation if it is one
    line 10 (65e5a0b00000000000000001) is left out: it has the field email, which user accounts have; import it with --as investigation if it is one
    line 11 (65e5a0b0000000000000000b) is left out: it has no field of an investigation; import it with --as investigation if it is one
    line 12 (65e5a0b0000000000000000c) is left out: it has the field password, which user accounts have; import it with --as investigation if it is one
    58 members were read: 0 were kept, 0 mapped and 58 reported
    took 0 investigations, 0 chats, 0 links and 0 versions, 0 existed already, 12 lines were not imported
    fieldbook: 12 lines were not imported, and members at 0 paths were left out; --lossy accepts that
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_of_what_was_imported_is_in_an_export_or_its_path_was_reported() {
    let (app, _, _) = TestApp::start().await;
    for collection in ["investigations", "chats", "links"] {
        let (said, _, _) = import(app.folder(), "relaxed", collection, &[]);
        let text = export(app.folder());
        let reported: BTreeSet<&str> =
            said.lines().filter_map(|line| line.split_once(": ")).map(|(path, _)| path).collect();
        let refused = |line: usize| said.lines().any(|said| said.starts_with(&format!("line {line} (")));
        for (document, line) in documents("relaxed", collection).iter().zip(1..) {
            members("", document, &mut |path, value| {
                let Value::String(value) = value else { return };
                let value = serde_json::to_string(value).expect("JSON");
                let value = value.trim_matches('"');
                // The values of these members are stored in another form.
                let is_role = ["role", "sender", "type"].iter().any(|name| path.ends_with(name));
                let is_state = collection == "links" && ["status", "activeStatus"].contains(&path);
                let is_accounted =
                    text.contains(value) || reported.contains(path) || refused(line) || is_role || is_state;
                assert!(is_accounted, "{collection} {line}: {path} {value}\n{said}");
            });
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_imported_is_what_the_application_had() {
    let (app, anon, teacher) = TestApp::start().await;
    for collection in ["investigations", "chats", "links", "users"] {
        import(app.folder(), "canonical", collection, &[]);
    }
    let path = |number: u64| format!("/api/investigation/65e5a0a0{number:016x}");
    // The import created no investigation from a user account.
    assert_eq!(teacher.get("/api/investigation?groupBy=none&limit=1").await.data()["pagination"]["total"], 9);
    assert_eq!(teacher.get("/api/investigation/65e5a0b00000000000000001").await.status, 500);
    let radish = teacher.get(&path(2)).await.data();
    assert_eq!(
        (&radish["title"], &radish["grade"], &radish["durationMinutes"]),
        (&json!("Radish race"), &json!("6"), &json!(90))
    );
    assert_eq!(teacher.get(&path(3)).await.data()["steps"][2]["text"], "Stir in salt");
    // JSON has no infinity and no NaN, so members with such numbers are left out, and the others are imported.
    let pendulum = teacher.get(&path(4)).await.data();
    assert_eq!(pendulum["measurements"], json!([{"length": 0.5, "period": 1.42}, {"length": 0}]));
    assert_eq!((pendulum.get("error"), pendulum.get("readings")), (None, None));
    // The chats.
    let chat = |number: u64| {
        let address = format!("{}/chat", path(number));
        let teacher = &teacher;
        async move {
            let history = teacher.get(&address).await.data()["history"].clone();
            let words = |entry: &Value| {
                format!("{}|{}", entry["user"]["content"], entry["assistant"]["content"]).replace('"', "")
            };
            history.as_array().expect("entries").iter().map(words).collect::<Vec<_>>()
        }
    };
    assert_eq!(chat(2).await, ["Make it shorter|Use 60 minutes.", "And this photo?|"]);
    assert_eq!(chat(3).await, ["first|first answer", "second|second answer", "third|third answer"]);
    assert_eq!(chat(4).await, ["a|b"]);
    assert_eq!(chat(6).await, ["How tall is the stick?|One metre."]);
    assert_eq!(chat(7).await, Vec::<String>::new());
    // The links: closed links stay closed.
    let mut open = Vec::new();
    for number in 1..=12 {
        if anon.get(&format!("/api/link/class-5b/s{number}")).await.status == 200 {
            open.push(number);
        }
    }
    assert_eq!(open, [1, 11]);
    assert_eq!(teacher.get("/api/link/class-5b/s1").await.data()["visitCount"], 33);
    // The versions.
    let versions = |number: u64| {
        let address = format!("{}/versions", path(number));
        let teacher = &teacher;
        async move { teacher.get(&address).await.json()["data"].clone() }
    };
    let cress = versions(1).await;
    assert_eq!(
        (&cress[0]["withAI"], &cress[0]["by"], &cress[0]["at"]),
        (&json!(true), &json!("65e5a0b00000000000000002"), &json!("2024-03-13T08:30:00.250Z"))
    );
    assert_eq!(cress[1]["changes"][1], json!({"fieldPath": "durationMinutes", "before": 30, "after": 40}));
    assert_eq!(versions(7).await, json!([]));
    let undone = teacher.post_empty(&format!("{}/undo", path(3))).await.data();
    assert_eq!((&undone["title"], &undone["steps"]), (&json!("Eggs"), &Value::Null));
    let redone = teacher.post_empty(&format!("{}/redo", path(3))).await.data();
    assert_eq!((&redone["title"], &redone["groupSize"]), (&json!("Floating eggs"), &json!(3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_can_be_repeated_and_ends_with_2_unless_losses_are_accepted() {
    let (app, _, _) = TestApp::start().await;
    for collection in ["investigations", "chats", "links"] {
        let (once, _, _) = import(app.folder(), "relaxed", collection, &[]);
        let before = export(app.folder());
        let (again, failed, code) = import(app.folder(), "relaxed", collection, &["--lossy"]);
        assert_eq!((failed.as_str(), code), ("", 0));
        assert_eq!(export(app.folder()), before);
        assert_eq!(sums(&once), sums(&again));
        assert!(
            again.lines().last().expect("a line").starts_with("took 0 investigations, 0 chats, 0 links and 0 versions"),
            "{again}"
        );
    }
    let clean = tempfile::NamedTempFile::new().expect("a file");
    let document = json!({"_id": {"$oid": "65a000000000000000000001"}, "title": "Cress", "__v": 0});
    std::fs::write(clean.path(), document.to_string()).expect("written");
    let (said, failed, code) = run(fieldbook("import", app.folder()), &[&clean.path().display().to_string()]);
    assert_eq!((failed.as_str(), code), ("", 0), "{said}");
}
