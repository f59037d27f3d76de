//! Runs `fieldbook-from-mongo` on files. `make.py` creates those in `canonical` and `relaxed`.

#![expect(clippy::expect_used, reason = "a test that cannot go on should fail where it stands")]

use std::path::{Path, PathBuf};
use std::process::Command;

use fieldbook_from_mongo::document::Document;
use fieldbook_from_mongo::field_map::FieldMap;
use fieldbook_from_mongo::{chats, investigations, links, texts, versions};
use proptest::prelude::*;
use serde_json::{Value, json};

const COLLECTIONS: [&str; 4] = ["investigations", "chats", "links", "versions"];
const CRESS: &str = "65a000000000000000000001";

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Runs the program in `folder`. Returns its exit code, and its output with its errors.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldbook-from-mongo"));
    let output = command.current_dir(folder).args(arguments).output().expect("run");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a code"), String::from_utf8(said).expect("UTF-8").trim_end().to_owned())
}

/// Converts one file with the default options. Returns the exit code, the report, and the investigations written.
fn converted(collection: &str, text: impl AsRef<[u8]>, more: &[&str]) -> (i32, String, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("in.json"), text).expect("written");
    let option = format!("--{collection}");
    let (code, said) = run(folder.path(), &[&[option.as_str(), "in.json", "--out", "out.jsonl"], more].concat());
    let lines = std::fs::read_to_string(folder.path().join("out.jsonl")).unwrap_or_default();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    (code, said, lines.filter_map(|line| line.get("investigation").cloned()).collect())
}

/// Converts the test collections in one form, `canonical` or `relaxed`. Returns the report and the written file.
fn of_form(form: &str) -> (String, String) {
    let (folder, out) = (here(form), tempfile::tempdir().expect("a folder"));
    let out = out.path().join("out.jsonl").display().to_string();
    let files = COLLECTIONS.map(|name| [format!("--{name}"), format!("{name}.jsonl")]).concat();
    let mut arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    arguments.extend(["--map", "../map.toml", "--out", &out]);
    let (code, said) = run(&folder, &arguments);
    assert_eq!(code, 2, "{said}");
    (said, std::fs::read_to_string(out).expect("a file"))
}

/// Counts members. Does not use the code that is tested.
fn members(value: &Value) -> usize {
    match value {
        Value::Object(object) if object.keys().next().is_some_and(|key| !key.starts_with('$')) => {
            object.values().map(members).sum()
        }
        Value::Array(array) if !array.is_empty() => array.iter().map(members).sum(),
        _ => 1,
    }
}

#[test]
fn converter_reports_every_member_of_both_mongodb_json_formats_as_kept_mapped_or_left_out() {
    let (said, written) = of_form("canonical");
    assert_eq!(of_form("relaxed"), (said.clone(), written.clone()));
    let read = |name: &str| std::fs::read_to_string(here("relaxed").join(format!("{name}.jsonl"))).expect("a file");
    let count =
        |text: String| -> usize { text.lines().map(|line| members(&serde_json::from_str(line).expect("JSON"))).sum() };
    let sum: usize = COLLECTIONS.map(|name| count(read(name))).iter().sum();
    let numbers = said.lines().find(|line| line.contains("members were read")).expect("the sums");
    let numbers: Vec<usize> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert_eq!((numbers[0], numbers[1] + numbers[2] + numbers[3]), (sum, sum), "{said}");
    // The tests of fieldbook import this file. FIELDBOOK_UPDATE=1 writes a new one.
    if std::env::var_os("FIELDBOOK_UPDATE").is_some() {
        std::fs::write(here("expected.jsonl"), &written).expect("written");
    }
    assert_eq!(written, std::fs::read_to_string(here("expected.jsonl")).expect("a file"));
    insta::assert_snapshot!(said, @"
    chats.jsonl document 2 (65e5a0c00000000000000002) is left out: it has no list history
    chats.jsonl document 8 (65e5a0c00000000000000008) is left out: it has no list history
    chats.jsonl document 9 (65e5a0c00000000000000009) is left out: no entry of its history has user or assistant messages
    chats.jsonl document 10 (65e5a0c0000000000000000a) is left out: it has no list history
    chats.jsonl document 12 (65e5a0c0000000000000000c) is left out: it has no object identifier in investigationId investigation investigation_id documentId docId entityId refId originalId; --map and --new-ids can help
    links.jsonl document 9 (65e5a0d00000000000000009) is left out: status: it is not open or closed, so nobody knows whether the link is open
    links.jsonl document 10 (65e5a0d0000000000000000a) is left out: expiresAt: it is not a time, so nobody knows whether the link is open
    links.jsonl document 12 (65e5a0d0000000000000000c) is left out: an earlier document has the address class-5b/s1
    versions.jsonl document 4 (65e5a0f00000000000000004) is left out: before and after do not differ
    versions.jsonl document 5 (65e5a0f00000000000000005) is left out: before and after do not differ
    versions.jsonl document 7 (65e5a0f00000000000000007) is left out: it has no object identifier in investigationId investigation investigation_id documentId docId entityId refId originalId; --map and --new-ids can help
    versions.jsonl document 8 (65e5a0f00000000000000008) is left out: before and after do not differ
    versions.jsonl document 9 (65e5a0f00000000000000009) is left out: before and after do not differ
    investigations.jsonl document 8 (65e5a0a00000000000000001) is left out: an earlier document has the _id 65e5a0a00000000000000001
    investigations.jsonl document 9 (legacy-17) is left out: it has no object identifier in _id; --map and --new-ids can help
    versions.jsonl document 6 (65e5a0f00000000000000006) is left out: its version of 2024-03-11T08:30:00.250Z does not match the content that follows
    versions.jsonl document 10 (65e5a0f0000000000000000a) is left out: its version of 2024-03-04T10:22:40.000Z does not match the content that follows
    versions.jsonl document 11 (65e5a0f0000000000000000b) is left out: its version of 2024-03-04T10:22:40.000Z does not match the content that follows
    chats.jsonl document 11 (65e5a0c0000000000000000b) is left out: no file of --investigations has its investigation
    versions.jsonl document 12 (65e5a0f0000000000000000c) is left out: no file of --investigations has its investigation
    chats.jsonl __v: left out without loss: it is Mongoose's internal version counter (1 in all, first in document 1)
    chats.jsonl history.*._id: left out without loss: entries have no ids here (1 in all, first in document 1)
    chats.jsonl history.*.createdAt: left out: Fieldbook has no place for it in chats (1 in all, first in document 3)
    investigations.jsonl __v: left out without loss: it is Mongoose's internal version counter (4 in all, first in document 1)
    investigations.jsonl author: left out without loss: it is empty (1 in all, first in document 5)
    investigations.jsonl author: left out: it is not an object identifier; --new-ids derives one (1 in all, first in document 10)
    investigations.jsonl contradictions: left out without loss: Fieldbook computes its own (1 in all, first in document 1)
    investigations.jsonl createdAt: left out: it is not a time (1 in all, first in document 10)
    investigations.jsonl dismissed.*.by: left out: Fieldbook has no place for it in investigations (1 in all, first in document 7)
    investigations.jsonl dismissed.*.fieldName: left out: Fieldbook has no place for it in investigations (1 in all, first in document 7)
    investigations.jsonl error: left out: JSON has no value for this $numberDouble, so null takes its place (1 in all, first in document 4)
    investigations.jsonl grade.updatedAt: left out: the map puts another value there (1 in all, first in document 2)
    investigations.jsonl grade.updatedBy: left out: the map puts another value there (1 in all, first in document 2)
    investigations.jsonl hints.*.fieldName: left out without loss: Fieldbook computes its own (1 in all, first in document 7)
    investigations.jsonl measurements.*.period: left out: JSON has no value for this $numberDouble, so null takes its place (1 in all, first in document 4)
    investigations.jsonl metadata.locale: left out: Fieldbook has no place for it in investigations (1 in all, first in document 2)
    investigations.jsonl metadata.school.city: left out: Fieldbook has no place for it in investigations (1 in all, first in document 2)
    investigations.jsonl metadata.school.name: left out: Fieldbook has no place for it in investigations (1 in all, first in document 2)
    investigations.jsonl metadata: left out without loss: it is empty (1 in all, first in document 5)
    investigations.jsonl readings.*: left out: JSON has no value for this $numberDouble, so null takes its place (1 in all, first in document 4)
    investigations.jsonl status: left out without loss: it is empty (1 in all, first in document 5)
    investigations.jsonl title.updatedAt: left out: the map puts another value there (1 in all, first in document 2)
    investigations.jsonl title.updatedBy: left out: the map puts another value there (1 in all, first in document 2)
    investigations.jsonl updatedAt: left out without loss: it is empty (1 in all, first in document 5)
    investigations.jsonl updatedAt: left out: it is not a time after the creation (1 in all, first in document 7)
    investigations.jsonl version: left out without loss: Fieldbook computes its own (1 in all, first in document 1)
    links.jsonl __v: left out without loss: it is Mongoose's internal version counter (1 in all, first in document 1)
    links.jsonl dateClicks.*.count: left out: Fieldbook has no place for it in links (1 in all, first in document 7)
    links.jsonl dateClicks.*.date: left out: Fieldbook has no place for it in links (1 in all, first in document 7)
    links.jsonl deletedAt: left out without loss: it is empty (1 in all, first in document 11)
    links.jsonl deletedBy: left out: Fieldbook has no place for it in links (1 in all, first in document 5)
    links.jsonl expiresAt: left out without loss: it is empty (1 in all, first in document 6)
    links.jsonl qrStyle.colour: left out: Fieldbook has no place for it in links (1 in all, first in document 4)
    links.jsonl qrStyle.dots: left out: Fieldbook has no place for it in links (1 in all, first in document 4)
    links.jsonl updatedAt: left out: Fieldbook has no place for it in links (1 in all, first in document 1)
    versions.jsonl _id: left out without loss: versions are numbered (3 in all, first in document 1)
    versions.jsonl after.status: left out: Fieldbook has no place for it in versions (1 in all, first in document 1)
    versions.jsonl before.status: left out: Fieldbook has no place for it in versions (1 in all, first in document 1)
    versions.jsonl kind: left out: Fieldbook has no place for it in versions (1 in all, first in document 2)
    versions.jsonl reason: left out: Fieldbook has no place for it in versions (1 in all, first in document 2)
    chats.jsonl: wrote 6 documents, and left out 6
    investigations.jsonl: wrote 10 documents, and left out 2
    links.jsonl: wrote 9 documents, and left out 3
    versions.jsonl: wrote 3 documents, and left out 9
    390 members were read: 159 were kept, 54 mapped and 177 left out; 26 were lost
    ");
}

#[test]
fn converter_writes_the_same_output_for_json_lines_for_a_json_array_and_for_indented_json() {
    let lines = std::fs::read_to_string(here("relaxed/investigations.jsonl")).expect("a file");
    let documents: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let pretty = |document: &Value| serde_json::to_string_pretty(document).expect("JSON");
    let (_, _, expected) = converted("investigations", &lines, &[]);
    assert_eq!(expected.len(), 10);
    for text in [
        format!("\u{feff}{lines}"),
        lines.replace('\n', "\r\n\r\n"),
        format!("[{}]\n", lines.trim_end().replace('\n', ",\n")),
        format!("\u{feff}{}", pretty(&json!(documents))),
        documents.iter().map(|document| pretty(document) + "\n").collect(),
    ] {
        assert_eq!(converted("investigations", text, &[]).2, expected);
    }
}

#[test]
fn conversion_of_an_empty_collection_reports_zero_members_and_succeeds() {
    for text in ["", "[]", "\u{feff}[\n]\n"] {
        let said = "0 members were read: 0 were kept, 0 mapped and 0 left out; 0 were lost";
        assert_eq!(converted("links", text, &[]), (0, said.to_owned(), Vec::new()));
    }
}

#[test]
fn broken_mongodb_documents_are_reported_and_the_others_are_converted() {
    let id = json!({"$oid": CRESS});
    let link = |key: &str| json!({"_id": 7, "key": key, "subLink": "a", "investigationId": id}).to_string();
    let text = [
        "7".to_owned(),
        json!({"title": "Nameless"}).to_string(),
        json!({"_id": "legacy-17", "title": "Wiki"}).to_string(),
        json!({"_id": id, "title": "Cress", "x": {"$numberDouble": "NaN"}}).to_string(),
        json!({"_id": CRESS.to_uppercase(), "title": "Again"}).to_string(),
        format!("{{\"_id\":\"{CRESS}\",\"a\":1,\"a\":2}}"),
        format!("{{\"_id\":\"{CRESS}\",\"a\":1.00000000000000000001}}"),
        json!({"_id": "\u{1b}[2J\u{202e}", "title": "Escapes"}).to_string(),
        link("a"),
    ];
    let (code, said, written) = converted("investigations", text.join("\n"), &[]);
    assert_eq!((code, written.len()), (2, 1));
    insta::assert_snapshot!(said, @r#"
    in.json document 1 is left out: it is not an object
    in.json document 2 is left out: it has no object identifier in _id; --map and --new-ids can help
    in.json document 3 (legacy-17) is left out: it has no object identifier in _id; --map and --new-ids can help
    in.json document 5 (65a000000000000000000001) is left out: an earlier document has the _id 65a000000000000000000001
    in.json document 6 is left out: it has the key "a" twice
    in.json document 7 is left out: a is a number that cannot be stored exactly: 1.00000000000000000001; write it as a string
    in.json document 8 (\u001b[2J\u202e) is left out: it has no object identifier in _id; --map and --new-ids can help
    in.json document 9 (7) is left out: it has no object identifier in _id; --map and --new-ids can help
    in.json x: left out: JSON has no value for this $numberDouble, so null takes its place (1 in all, first in document 4)
    in.json: wrote 1 documents, and left out 8
    15 members were read: 2 were kept, 0 mapped and 13 left out; 1 were lost
    "#);
    let (_, said, _) = converted("links", [link("a b"), link("b"), link("b")].join("\n"), &["--new-ids", "--lossy"]);
    insta::assert_snapshot!(said, @"
    in.json document 1 (7) is left out: the link a b/a is invalid: key must be 1 to 64 characters of A-Z a-z 0-9 _ -
    in.json document 3 (7) is left out: an earlier document has the _id 7
    in.json document 2 (7) is left out: no file of --investigations has its investigation
    in.json: wrote 0 documents, and left out 3
    12 members were read: 0 were kept, 0 mapped and 12 left out; 0 were lost
    ");
}

#[test]
fn unreadable_input_or_unwritable_output_ends_the_program_with_the_reason() {
    let utf_16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (text, words) in [
        (utf_16, "in.json: it is UTF-16; in PowerShell, use mongoexport --out FILE instead of >"),
        (b"[{}".to_vec(), "in.json: it is broken: EOF while parsing a list at line 1 column 3; export it again"),
        (
            b"{\"_id\": 1}\n{\"title\": \"cut".to_vec(),
            "in.json: it is broken: EOF while parsing a string at line 2 column 14; export it again",
        ),
    ] {
        let (code, said, _) = converted("chats", text, &[]);
        assert_eq!((code, said), (1, format!("fieldbook-from-mongo: cannot read the file {words}")));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (code, said) = run(folder.path(), &["--links", "/nowhere", "--dry-run"]);
    assert_eq!(code, 1);
    assert!(said.starts_with("fieldbook-from-mongo: cannot read the file /nowhere: "), "{said}");
    std::fs::write(folder.path().join("there"), "").expect("written");
    let (code, said) = run(folder.path(), &["--out", "there"]);
    assert_eq!(code, 1);
    assert!(said.contains("cannot write the file there: "), "{said}");
}

#[test]
fn dry_run_prints_the_report_of_the_conversion_and_writes_no_file() {
    let text = json!({"_id": CRESS, "title": "Cress", "dismissed": [], "__v": 0}).to_string();
    let (code, said, written) = converted("investigations", &text, &[]);
    assert_eq!((code, written.len()), (0, 1), "{said}");
    let dry = (0, said.replace("wrote", "would write"), Vec::new());
    assert_eq!(converted("investigations", &text, &["--dry-run"]), dry);
}

#[test]
fn chats_links_and_authors_still_belong_to_their_investigation_after_the_converter_makes_new_ids() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, document) in [
        ("investigations", json!({"_id": 17, "title": "Cress", "author": "anna@example.org", "editors": ["ben"]})),
        ("chats", json!({"_id": "c", "investigationId": "17", "history": [{"user": "Why?", "assistant": "Light."}]})),
        (
            "links",
            json!({"_id": "l", "key": "a", "subLink": "b", "investigationId": 17, "creator": "anna@example.org"}),
        ),
        (
            "versions",
            json!({"investigationId": "17", "by": "ben", "before": {"title": "C"}, "after": {"title": "Cress"}}),
        ),
    ] {
        std::fs::write(folder.path().join(name), document.to_string()).expect("written");
    }
    let files = COLLECTIONS.map(|name| [format!("--{name}"), name.to_owned()]).concat();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (code, said) = run(folder.path(), &[&files[..], &["--out", "out", "--new-ids"]].concat());
    assert_eq!(code, 0, "{said}");
    let written = std::fs::read_to_string(folder.path().join("out")).expect("a file");
    let entry: Value = serde_json::from_str(written.lines().nth(1).expect("a line")).expect("JSON");
    let (entry, document) = (&entry["investigation"], &entry["investigation"]["document"]);
    assert_eq!(entry["links"][0]["link"]["investigationId"], document["_id"]);
    assert_eq!(entry["links"][0]["link"]["creator"], document["author"]);
    assert_eq!(entry["records"][0]["by"], document["editors"][0]);
    assert_eq!(entry["chat"]["history"][0]["user"]["content"], "Why?");
    let (code, said) = run(folder.path(), &[&files[..], &["--dry-run"]].concat());
    assert_eq!(code, 2);
    insta::assert_snapshot!(said, @"
    chats document 1 (c) is left out: it has no object identifier in _id; --map and --new-ids can help
    links document 1 (l) is left out: it has no object identifier in _id; --map and --new-ids can help
    versions document 1 is left out: it has no object identifier in investigationId investigation investigation_id documentId docId entityId refId originalId; --map and --new-ids can help
    investigations document 1 (17) is left out: it has no object identifier in _id; --map and --new-ids can help
    chats: would write 0 documents, and left out 1
    investigations: would write 0 documents, and left out 1
    links: would write 0 documents, and left out 1
    versions: would write 0 documents, and left out 1
    17 members were read: 0 were kept, 0 mapped and 17 left out; 0 were lost
    ");
}

#[test]
fn mapping_file_moves_members_and_turns_values_into_lists() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    let option = map.display().to_string();
    let mapped = |pairs: &str, document: Value| {
        std::fs::write(&map, format!("[investigations]\n{pairs}")).expect("written");
        let mut document = document;
        document["_id"] = json!(CRESS);
        let (_, said, written) = converted("investigations", document.to_string(), &["--map", &option]);
        (written.first().map(|entry| entry["document"]["content"].clone()), said)
    };
    let (content, said) = mapped(
        "\"objectives.value\" = \"objectives.0\"",
        json!({"objectives": {"value": "Know poles", "isContradicting": false}}),
    );
    assert_eq!(content, Some(json!({"objectives": ["Know poles"]})), "{said}");
    assert!(said.contains("objectives.isContradicting: left out: the map puts another value there"), "{said}");
    let steps = mapped("\"procedure.*\" = \"steps.*.text\"", json!({"procedure": ["Sow", "Water"], "tags": []}));
    assert_eq!(steps.0, Some(json!({"steps": [{"text": "Sow"}, {"text": "Water"}], "tags": []})));
    let renamed = mapped("name = \"title\"", json!({"title": "Old", "name": "New"}));
    assert_eq!(renamed.0, Some(json!({"title": "New"})));
    for (pairs, document, words) in [
        (
            "goal = \"objectives.0\"",
            json!({"goal": "g", "objectives": {"a": 1}}),
            "the map puts goal into a list at objectives",
        ),
        ("goal = \"objectives.1\"", json!({"goal": "g"}), "the map has no free position at objectives.1"),
        ("a = \"title\"\nb = \"title\"", json!({"a": 1, "b": 2}), "the map has no free position at title"),
        ("title = 1", json!({}), "cannot use the map"),
        ("[users]", json!({}), "users is not a valid table; the tables are investigations, chats, links, versions"),
    ] {
        let (content, said) = mapped(pairs, document);
        assert!(content.is_none() && said.contains(words), "{said}");
    }
}

/// Generates documents from names and values that the program treats specially, and from others.
fn documents() -> impl Strategy<Value = Value> {
    let id = json!({"$oid": CRESS});
    let leaf = prop::sample::select(vec![
        json!(null),
        json!(true),
        json!("text"),
        json!("user"),
        json!("active"),
        json!("draft"),
        json!(7),
        json!({}),
        json!([]),
        json!({"$numberDouble": "NaN"}),
        json!({"$date": "2024-01-01T00:00:00Z"}),
        json!({"$binary": {"base64": "", "subType": "00"}}),
        json!({"$numberDecimal": "1E+3"}),
        id,
    ]);
    let names = "title value status author metadata createdAt history messages user assistant content role before after \
         snapshot key subLink isActive expiresAt __v _id investigationId $odd a.b";
    let names = prop::sample::select(names.split(' ').filter(|name| !name.is_empty()).collect::<Vec<_>>());
    leaf.prop_recursive(4, 30, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((names.clone(), inner), 0..7)
                .prop_map(|members| Value::Object(members.into_iter().map(|(name, v)| (name.to_owned(), v)).collect())),
        ]
    })
}

/// Checks that each member of a document was either kept, mapped or left out.
fn has_all_fates(text: &str, map: &FieldMap) {
    let read: [fn(&mut Document) -> bool; 4] = [
        |document| investigations::read(document).is_ok(),
        |document| chats::read(document).is_ok(),
        |document| links::read(document).is_ok(),
        |document| versions::read(document).is_ok(),
    ];
    for read in read {
        let mut document = Document { new_ids: true, ..Document::default() };
        if document.parse(text, map).is_ok() {
            let is_read = read(&mut document);
            document.finish("documents");
            assert!(!is_read || document.fates.len() == document.read, "{document:?}");
        }
    }
}

proptest! {
    #[test]
    fn each_member_of_any_mongodb_document_is_kept_mapped_or_left_out_exactly_once(mut document in documents()) {
        if let Value::Object(members) = &mut document {
            members.insert("_id".to_owned(), json!("1"));
            members.insert("investigationId".to_owned(), json!("2"));
        }
        let map = "[m]\n\"title.value\" = \"title.0\"\n\"messages.*.content\" = \"history.*.user\"\nstatus = \"key\"";
        let map = FieldMap::parse_all(map, &["m"]).expect("a map").remove("m").expect("a table");
        let text = document.to_string();
        has_all_fates(&text, &map);
        has_all_fates(&text, &FieldMap::default());
        let twice = format!("{text}\n{text}");
        let count = document.as_array().map_or(2, |elements| 2 * elements.len());
        prop_assert_eq!(texts::split(twice.as_bytes()).map(|texts| texts.len()), Ok(count));
    }
}

#[test]
fn duplicate_editors_are_dropped_and_more_than_a_hundred_editors_are_refused() {
    let document = |count: usize| {
        let editors: Vec<String> = (0..count).map(|number| format!("{number:024x}")).collect();
        let twice = [editors.clone(), editors].concat();
        json!({"_id": CRESS, "title": "Cress", "editors": twice}).to_string()
    };
    let (code, said, written) = converted("investigations", document(100), &[]);
    assert_eq!((code, written[0]["document"]["editors"].as_array().map(Vec::len)), (0, Some(100)), "{said}");
    let (code, said, written) = converted("investigations", document(101), &[]);
    assert_eq!((code, &written[0]["document"]["editors"]), (2, &Value::Null), "{said}");
    assert!(said.contains("it is not a list of at most 100 object identifiers"), "{said}");
}

#[test]
fn program_fails_if_its_report_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("in.json"), json!({"_id": CRESS, "title": "Cress"}).to_string())
        .expect("written");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldbook-from-mongo"));
    command.current_dir(folder.path()).args(["--investigations", "in.json", "--out", "out.jsonl"]).stdout(full);
    let output = command.output().expect("run");
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (
            Some(1),
            "fieldbook-from-mongo: cannot write the report to standard output: No space left on device (os error 28)\n"
        )
    );
}
