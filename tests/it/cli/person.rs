//! `fieldbook person`: people, and the links that sign them in.

use serde_json::{Value, json};

use crate::http::investigation::dismiss::{dismissed, too_long};
use crate::http::investigation::undo::complete;
use crate::http::people::{add, person};
use crate::support::picture::numbered;
use crate::support::process::{Service, fieldbook, refused};
use crate::support::{COLLEAGUE, Caller, TestApp};

#[tokio::test]
async fn person_added_by_a_command_signs_in_with_the_printed_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let run = |command: &str, arguments: &[&str]| {
        let output = fieldbook(command, folder.path()).args(arguments).output().expect("run");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8").trim_end().to_owned();
        (text(output.stdout), text(output.stderr))
    };
    let (link, said) = run("person add", &["Ada Lovelace", "--email", "ada@school.example", "--role", "admin"]);
    let (base, code) = link.split_once("/sign-in#code=").expect("a code");
    assert_eq!(base, "http://127.0.0.1:8080");
    let (warning, said) = said.split_once('\n').expect("two lines");
    assert!(
        warning.starts_with("this link works only on this computer; to create links for others, set public-url"),
        "{warning}"
    );
    assert!(said.starts_with("this link signs in Ada Lovelace (") && said.ends_with(") once, within 7 days"), "{said}");
    let browser = Caller::of(service.base.clone()).with_header("sec-fetch-site", "same-origin");
    let me = browser.post("/api/session", json!({ "code": code })).await.data();
    assert_eq!((&me["name"], &me["role"]), (&json!("Ada Lovelace"), &json!("admin")));
    let id = me["id"].as_str().expect("an id");

    let (_, said) = run("person add", &["Zoe"]);
    assert!(said.contains("without an e-mail address, this person can sign in only with links"), "{said}");
    let (list, _) = run("person list", &[]);
    assert!(list.contains("\tinvited\tauthor (default)\t") && list.ends_with("\tZoe"), "{list}");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines[0], "ID\tSTATUS\tROLE\tCREATED\tLAST SIGN-IN\tE-MAIL\tNAME");
    assert!(lines[1].starts_with(&format!("{id}\tactive\tadmin\t")), "{list}");
    assert!(lines[1].ends_with("\tada@school.example\tAda Lovelace"), "{list}");

    let (again, said) = run("person link", &[id, "--public-url", "https://fieldbook.school.example"]);
    assert!(!said.contains("this computer"), "{said}");
    assert!(again.starts_with("https://fieldbook.school.example/sign-in#code="), "{again}");

    let refused = |command: &str, arguments: &[&str]| {
        refused(fieldbook(command, folder.path()).args(arguments).output().expect("run"))
    };
    assert_eq!(
        refused("person add", &["Bob", "--email", "ADA@school.example"]),
        "fieldbook: another person has this e-mail address"
    );
    assert_eq!(
        refused("person add", &["Bob", "--email", "bob"]),
        "fieldbook: --email must be an e-mail address of at most 254 characters"
    );
    assert_eq!(
        refused("person add", &[" "]),
        "fieldbook: the name must have 1 to 100 characters and no control or invisible characters"
    );
    assert_eq!(refused("person link", &["ada"]), "fieldbook: ada is not an id; see fieldbook person list");
    let unknown = "0123456789abcdef01234567";
    assert_eq!(
        refused("person link", &[unknown]),
        format!("fieldbook: the directory has no person {unknown}; see fieldbook person list")
    );
}

#[tokio::test]
async fn erase_command_makes_another_person_the_author_of_the_lessons() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let run = |command: &str, arguments: &[&str]| {
        let output = fieldbook(command, folder.path()).args(arguments).output().expect("run");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8").trim_end().to_owned();
        assert!(output.status.success(), "{}", text(output.stderr));
        text(output.stdout)
    };
    let caller = Caller::of(service.base.clone()).with_header("sec-fetch-site", "same-origin");
    let sign_in = async |name: &str| {
        let link = run("person add", &[name]);
        let (_, code) = link.split_once("/sign-in#code=").expect("a code");
        let signed_in = caller.post("/api/session", json!({ "code": code })).await;
        let cookie = signed_in.header("set-cookie").expect("a cookie").split(';').next().expect("a pair").to_owned();
        let id = signed_in.data()["id"].as_str().expect("an id").to_owned();
        (caller.clone().with_header("cookie", &cookie), id)
    };
    let ((ada, ada_id), (grace, grace_id)) = (sign_in("Ada").await, sign_in("Grace").await);
    let lesson = ada.create_path(json!({"title": "Cress"})).await;
    let foreign = grace.create_path(json!({"title": "Peas"})).await;
    ada.patch(&foreign, json!({"title": "Beans"})).await;
    ada.patch(&lesson, json!({"subject": "Light"})).await;
    grace.patch(&lesson, json!({"notes": "Grace was here."})).await;
    let export: serde_json::Value = serde_json::from_str(&run("person export", &[&ada_id])).expect("JSON");
    assert_eq!((&export["person"]["name"], &export["apiKeys"]), (&json!("Ada"), &json!([])));
    let (own, others) = (&export["investigations"], &export["investigationsOfOthers"]);
    assert_eq!((own.as_array().map(Vec::len), &own[0]["document"]["content"]["title"]), (Some(1), &json!("Cress")));
    assert_eq!((others.as_array().map(Vec::len), &others[0]["records"][0]["by"]), (Some(1), &json!(ada_id)));
    assert_eq!(others[0]["title"], "Beans");
    let versions = own[0]["records"].as_array().expect("records").iter().map(|record| record["by"].clone());
    assert_eq!(versions.collect::<Vec<_>>(), [json!(ada_id)]);
    let actions = export["audit"].as_array().expect("entries").iter().map(|entry| entry["action"].as_str());
    let actions: Vec<&str> = actions.map(|action| action.expect("an action")).collect();
    assert_eq!(actions, ["person.invited", "person.signed_in", "investigation.created", "person.exported"]);
    // The metadata of Grace's lesson names Ada as the author, because Ada was the first to change that lesson.
    let erased = run("person erase", &[&ada_id, "--reassign", &grace_id]);
    assert_eq!(erased, format!("erased Ada ({ada_id}); 2 lessons have Grace ({grace_id}) as author or editor now"));
    assert_eq!(grace.get(&lesson).await.data()["author"]["id"], json!(grace_id));
    let refused =
        |arguments: &[&str]| refused(fieldbook("person erase", folder.path()).args(arguments).output().expect("run"));
    let reason =
        format!("fieldbook: --reassign {ada_id} is not another active person with a role; see fieldbook person list");
    assert_eq!(refused(&[&grace_id, "--reassign", &ada_id]), reason);
    let kept = run("person erase", &[&grace_id]);
    let lessons = "what they wrote still has this id as author; to change that, repeat this with --reassign";
    assert_eq!(kept, format!("erased Grace ({grace_id}); {lessons}"));
    assert!(run("person list", &[]).contains(&format!("{grace_id}\terased\t-\t")));
    let unknown = "0123456789abcdef01234567";
    assert_eq!(
        refused(&[unknown]),
        format!("fieldbook: the directory has no person {unknown}; see fieldbook person list")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn person_export_has_their_own_lessons_and_their_work_on_lessons_of_others() {
    let (app, teacher, lesson) = TestApp::with(complete(20)).await;
    add(&app, person(COLLEAGUE, "Ada", None)).await;
    let ada = app.signed_in(COLLEAGUE);
    ada.patch(&lesson, json!({"title": "Beans"})).await;
    teacher.patch(&lesson, json!({"editors": [COLLEAGUE]})).await;
    dismissed(&ada, &lesson, too_long()).await;
    let id = lesson.rsplit('/').next().expect("an id");
    ada.create_link(id, "k", "of-ada").await;
    teacher.create_link(id, "k", "of-the-teacher").await;
    let picture = ada.add_picture(&ada.create_path(json!({})).await, numbered(1)).await;
    let run = |command: &str, arguments: &[&str]| {
        let output = fieldbook(command, app.folder()).args(arguments).output().expect("run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    run("keys add", &["Nightly", "--user", COLLEAGUE]);
    let export: Value = serde_json::from_slice(&run("person export", &[COLLEAGUE])).expect("JSON");
    let found = |pointer: &str| export.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is missing: {export}"));
    for (pointer, expected) in [
        ("/person/name", json!("Ada")),
        ("/apiKeys/0/name", json!("Nightly")),
        ("/investigations/0/pictures/0/id", json!(picture)),
        ("/investigationsOfOthers/0/_id", json!(id)),
        ("/investigationsOfOthers/0/title", json!("Beans")),
        ("/investigationsOfOthers/0/isEditor", json!(true)),
        ("/investigationsOfOthers/0/isMetadataAuthor", json!(true)),
        ("/investigationsOfOthers/0/records/0/by", json!(COLLEAGUE)),
        ("/investigationsOfOthers/0/dismissals/0/by", json!(COLLEAGUE)),
        ("/investigationsOfOthers/0/links/0/link/subLink", json!("of-ada")),
    ] {
        assert_eq!(*found(pointer), expected, "{pointer}");
    }
    assert_eq!(found("/investigationsOfOthers/0/links").as_array().map(Vec::len), Some(1));
}
