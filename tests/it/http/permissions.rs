//! Who may do what: every operation, for every kind of caller, under both settings of `editing`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use fieldbook::app::{Access, HttpSettings};
use fieldbook::domain::permission::{Editing, Roles};
use fieldbook::domain::schema::BUILT_IN;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Caller, TEACHER, TestApp};

const EDITOR: &str = "eeeeeeeeeeeeeeeeeeeeeeee";
const STRANGER: &str = "ffffffffffffffffffffffff";
const ADMIN: &str = "adadadadadadadadadadadad";

/// An operation and a request for it: `{id}` and `{link}` stand for an investigation of the teacher and its link.
const OPERATIONS: [(&str, Method, &str, &str); 30] = [
    ("getInvestigations", Method::GET, "/api/investigation", ""),
    ("createInvestigation", Method::POST, "/api/investigation", r#"{"title":"Mine"}"#),
    ("getInvestigationFormat", Method::GET, "/api/investigation/format", ""),
    ("getInvestigation", Method::GET, "/api/investigation/{id}", ""),
    ("deleteInvestigation", Method::DELETE, "/api/investigation/{id}", ""),
    ("updateInvestigation", Method::PATCH, "/api/investigation/{id}", r#"{"title":"Changed"}"#),
    ("cloneInvestigation", Method::POST, "/api/investigation/{id}/clone", ""),
    ("getFieldHistory", Method::GET, "/api/investigation/{id}/history/title", ""),
    ("getInvestigationVersions", Method::GET, "/api/investigation/{id}/versions", ""),
    ("getInvestigationVersion", Method::GET, "/api/investigation/{id}/versions/1", ""),
    ("restoreInvestigationVersion", Method::POST, "/api/investigation/{id}/versions/0/restore", ""),
    ("undoInvestigation", Method::POST, "/api/investigation/{id}/undo", ""),
    ("redoInvestigation", Method::POST, "/api/investigation/{id}/redo", ""),
    ("resolveContradiction", Method::POST, "/api/investigation/{id}/resolve-contradiction", r#"{"fieldName":"title"}"#),
    ("regenerateOtherFields", Method::POST, "/api/investigation/{id}/regenerate", r#"{"fieldName":"title"}"#),
    (
        "dismissFinding",
        Method::POST,
        "/api/investigation/{id}/dismissals",
        r#"{"fieldName":"title","conflictsWith":["steps"],"evidence":[]}"#,
    ),
    ("removeDismissal", Method::DELETE, "/api/investigation/{id}/dismissals/000000000000000000000000", ""),
    ("getInvestigationChat", Method::GET, "/api/investigation/{id}/chat", ""),
    ("converse", Method::POST, "/api/investigation/{id}/chat", r#"{"content":"Shorter, please"}"#),
    ("listLinks", Method::GET, "/api/link/investigation/{id}", ""),
    ("createLink", Method::POST, "/api/link/investigation/{id}", r#"{"key":"new","description":""}"#),
    ("listInvestigationLinks", Method::GET, "/api/investigation/{id}/links", ""),
    ("createInvestigationLink", Method::POST, "/api/investigation/{id}/links", r#"{"key":"new","description":""}"#),
    ("resolveLink", Method::GET, "{link}", ""),
    ("deleteLink", Method::DELETE, "{link}", ""),
    ("headLink", Method::HEAD, "{link}", ""),
    ("changeLink", Method::PATCH, "{link}", r#"{"shows":"handout"}"#),
    ("getLinkVisits", Method::GET, "{link}/visits", ""),
    ("getLinkQrCode", Method::GET, "{link}/qr.svg", ""),
    // The form of this request is refused after its caller was let through: a stream would not end.
    ("streamEvents", Method::GET, "/api/events?after=nothing", ""),
];

/// Operations of machines, which need no token.
const OF_MACHINES: [&str; 3] = ["live", "ready", "metrics"];

struct Callers {
    app: TestApp,
    callers: [(&'static str, Caller); 6],
}

fn with_role(app: &TestApp, user: &str, role: &str) -> Caller {
    let (user, roles) = (user.parse().expect("an id"), Roles::from_names([role]));
    let token = app.app.tokens.sign_with_roles(user, roles, app.clock.now(), Duration::from_secs(3600));
    app.anon().bearing(&token.expect("a token"))
}

async fn callers(editing: Editing) -> Callers {
    let (app, anon, author) = TestApp::start_with(HttpSettings { editing, ..HttpSettings::default() }, BUILT_IN).await;
    let callers = [
        ("nobody", anon),
        ("reader", with_role(&app, TEACHER, "reader")),
        ("stranger", app.signed_in(STRANGER)),
        ("editor", app.signed_in(EDITOR)),
        ("author", author),
        ("admin", with_role(&app, ADMIN, "admin")),
    ];
    Callers { app, callers }
}

/// An investigation of the teacher with an editor, a version and a link: what `{id}` and `{link}` stand for.
async fn investigation(callers: &Callers, key: &str) -> (String, String) {
    let author = &callers.callers[4].1;
    let id = author.create(json!({"title": "Cress"})).await;
    let changed =
        author.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas", "editors": [EDITOR]})).await;
    assert_eq!(changed.status, 200, "{changed}");
    author.create_link(&id, key, "one").await;
    (id, format!("/api/link/{key}/one"))
}

/// The outcome of one request: status, and code of a refusal.
async fn outcome(caller: &Caller, method: &Method, path: &str, body: &str) -> String {
    let body = (!body.is_empty()).then_some(("application/json", body));
    let response = caller.send(method.clone(), path, body).await;
    let refusal: Option<Value> = serde_json::from_str(&response.text).ok();
    let code = refusal.and_then(|body| body["code"].as_str().map(|code| format!(" {code}")));
    format!("{}{}", response.status.as_u16(), code.unwrap_or_default())
}

/// A line for each operation with equal outcomes of neighbouring callers joined.
async fn table(editing: Editing) -> String {
    let callers = callers(editing).await;
    let mut table = String::new();
    for (row, (operation, method, path, body)) in OPERATIONS.iter().enumerate() {
        let mut outcomes: Vec<(String, Vec<&str>)> = Vec::new();
        for (column, (name, caller)) in callers.callers.iter().enumerate() {
            let (id, link) = investigation(&callers, &format!("k{row}-{column}")).await;
            let path = path.replace("{id}", &id).replace("{link}", &link);
            let outcome = outcome(caller, method, &path, body).await;
            match outcomes.last_mut() {
                Some((last, names)) if *last == outcome => names.push(name),
                _ => outcomes.push((outcome, vec![name])),
            }
        }
        let outcomes: Vec<String> =
            outcomes.into_iter().map(|(outcome, names)| format!("{}: {outcome}", names.join(" "))).collect();
        writeln!(table, "{operation} | {}", outcomes.join(" | ")).expect("a line");
    }
    drop(callers.app);
    table
}

#[tokio::test]
async fn every_operation_has_a_row() {
    let (_app, anon, _) = TestApp::start().await;
    let document = anon.get("/api/openapi.json").await.json();
    let named: BTreeSet<&str> = OPERATIONS.iter().map(|(operation, ..)| *operation).chain(OF_MACHINES).collect();
    let operations = document["paths"].as_object().expect("paths").values().filter_map(Value::as_object);
    let ids = operations.flat_map(|path| path.values()).filter_map(|operation| operation["operationId"].as_str());
    assert_eq!(ids.collect::<BTreeSet<&str>>(), named);
}

#[tokio::test]
async fn by_default_every_user_may_do_everything_and_a_reader_changes_nothing() {
    insta::assert_snapshot!(table(Editing::Anyone).await, @"
    getInvestigations | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    createInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 201
    getInvestigationFormat | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getInvestigation | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    deleteInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    updateInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    cloneInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 201
    getFieldHistory | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getInvestigationVersions | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getInvestigationVersion | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    restoreInvestigationVersion | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    undoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    redoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 500 nothing_to_redo
    resolveContradiction | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 500 not_resolved
    regenerateOtherFields | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    dismissFinding | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 404 finding_not_found
    removeDismissal | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 404 dismissal_not_found
    getInvestigationChat | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    converse | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 500 no_model
    listLinks | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    createLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 201
    listInvestigationLinks | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    createInvestigationLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 201
    resolveLink | nobody reader stranger editor author admin: 200
    deleteLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    headLink | nobody reader stranger editor author admin: 200
    changeLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 200
    getLinkVisits | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getLinkQrCode | nobody reader stranger editor author admin: 200
    streamEvents | nobody: 401 unauthenticated | reader stranger editor author admin: 400 validation_failed
    ");
}

#[tokio::test]
async fn where_only_authors_edit_strangers_read_and_clone() {
    insta::assert_snapshot!(table(Editing::Author).await, @"
    getInvestigations | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    createInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 201
    getInvestigationFormat | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getInvestigation | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    deleteInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    updateInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    cloneInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin: 201
    getFieldHistory | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getInvestigationVersions | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getInvestigationVersion | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    restoreInvestigationVersion | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    undoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    redoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 500 nothing_to_redo
    resolveContradiction | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 500 not_resolved
    regenerateOtherFields | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    dismissFinding | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 404 finding_not_found
    removeDismissal | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 404 dismissal_not_found
    getInvestigationChat | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    converse | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 500 no_model
    listLinks | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    createLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 201
    listInvestigationLinks | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    createInvestigationLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 201
    resolveLink | nobody reader stranger editor author admin: 200
    deleteLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    headLink | nobody reader stranger editor author admin: 200
    changeLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin: 200
    getLinkVisits | nobody: 401 unauthenticated | reader stranger editor author admin: 200
    getLinkQrCode | nobody reader stranger editor author admin: 200
    streamEvents | nobody: 401 unauthenticated | reader stranger editor author admin: 400 validation_failed
    ");
}

#[tokio::test]
async fn a_refusal_says_who_may_and_what_else_to_do() {
    let callers = callers(Editing::Author).await;
    let (id, _) = investigation(&callers, "k").await;
    let refused = callers.callers[2].1.patch(&format!("/api/investigation/{id}"), json!({"title": "X"})).await;
    insta::assert_snapshot!(refused, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"X"}

    403 Forbidden
    {
      "success": false,
      "message": "Not allowed",
      "error": "Only its author (aaaaaaaaaaaaaaaaaaaaaaaa), its editors and admins may change it; clone it to change the copy",
      "code": "not_your_investigation"
    }
    "#);
    let refused = callers.callers[1].1.post("/api/investigation", json!({"title": "X"})).await;
    insta::assert_snapshot!(refused, @r#"
    POST /api/investigation
    {"title":"X"}

    403 Forbidden
    {
      "success": false,
      "message": "Not allowed",
      "error": "Your role, reader, changes nothing; ask an admin for another",
      "code": "read_only"
    }
    "#);
}

#[tokio::test]
async fn only_the_author_and_admins_name_editors() {
    for editing in [Editing::Anyone, Editing::Author] {
        let callers = callers(editing).await;
        let (id, _) = investigation(&callers, "k").await;
        let path = format!("/api/investigation/{id}");
        for (name, caller) in &callers.callers[2..] {
            let done = caller.patch(&path, json!({"editors": [EDITOR, ADMIN, EDITOR]})).await;
            let may = ["author", "admin"].contains(name);
            assert_eq!(done.status, if may { 200 } else { 403 }, "{name}: {done}");
            let same = callers.callers[4].1.patch(&path, json!({"editors": [EDITOR]})).await;
            assert_eq!(same.json()["updatedInvestigation"]["editors"], json!([EDITOR]), "{name}");
        }
        // What a client received it may send back.
        let back = callers.callers[3].1.patch(&path, json!({"title": "Beans", "editors": [EDITOR]})).await;
        assert_eq!(back.status, 200, "{back}");
        let none = callers.callers[4].1.patch(&path, json!({"editors": null})).await;
        assert!(none.json()["updatedInvestigation"].get("editors").is_none(), "{none}");
    }
}

#[tokio::test]
async fn editors_are_object_identifiers() {
    let (_app, _, author) = TestApp::start().await;
    let id = author.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    for (editors, expected) in [
        (json!("all"), "editors: must be a list of object identifiers, or null"),
        (json!([EDITOR, "me"]), "editors.1: must be an object identifier (24 hexadecimal digits)"),
        ((0..101).map(|n| json!(format!("{n:024x}"))).collect(), "editors: must have at most 100 entries"),
    ] {
        let refused = author.patch(&path, json!({ "editors": editors })).await;
        let first = &refused.json()["errors"][0];
        let said =
            format!("{}: {}", first["path"].as_str().expect("a path"), first["message"].as_str().expect("a message"));
        assert_eq!((refused.status.as_u16(), said.as_str()), (400, expected));
    }
}

#[tokio::test]
async fn editors_are_kept_by_undo_and_not_copied_to_a_clone() {
    let (_app, _, author) = TestApp::start().await;
    let id = author.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    author.patch(&path, json!({"title": "Peas", "editors": [EDITOR]})).await;
    let undone = author.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((&undone["title"], &undone["editors"]), (&json!("Cress"), &json!([EDITOR])));
    let clone = author.post_empty(&format!("{path}/clone")).await.data();
    assert!(clone.get("editors").is_none(), "{clone}");
}

#[tokio::test]
async fn an_investigation_without_an_author_is_for_admins_until_one_names_an_author() {
    let http = HttpSettings { editing: Editing::Author, investigations: Access::Optional, ..HttpSettings::default() };
    let (app, anon, _) = TestApp::start_with(http, BUILT_IN).await;
    let (stranger, admin) = (app.signed_in(STRANGER), with_role(&app, ADMIN, "admin"));
    let path = format!("/api/investigation/{}", anon.create(json!({"title": "Cress"})).await);
    let refused = stranger.patch(&path, json!({"title": "Peas"})).await;
    insta::assert_snapshot!(refused, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Peas"}

    403 Forbidden
    {
      "success": false,
      "message": "Not allowed",
      "error": "It has no author, so only admins may change it; clone it to change the copy",
      "code": "not_your_investigation"
    }
    "#);
    let named = admin.patch(&path, json!({"metadata": {"author": STRANGER}})).await;
    assert_eq!(named.json()["updatedInvestigation"]["author"]["id"], STRANGER, "{named}");
    assert_eq!(stranger.patch(&path, json!({"title": "Peas"})).await.status, 200);
    assert_eq!(anon.patch(&path, json!({"title": "Beans"})).await.status, 403);
}

#[tokio::test]
async fn an_editor_who_is_removed_while_saving_is_refused_or_was_first() {
    let callers = callers(Editing::Author).await;
    let (author, editor) = (&callers.callers[4].1, &callers.callers[3].1);
    for round in 0..20 {
        let (id, _) = investigation(&callers, &format!("race{round}")).await;
        let path = format!("/api/investigation/{id}");
        let (saved, removed) = tokio::join!(
            editor.patch(&path, json!({"title": "By the editor"})),
            author.patch(&path, json!({"editors": null})),
        );
        assert_eq!(removed.status, 200, "{removed}");
        let now = author.get(&path).await.data();
        // Either the editor was first, and both were stored; or the author was, and the editor changed nothing.
        let expected = if saved.status == 200 { "By the editor" } else { "Peas" };
        assert!(saved.status == 200 || saved.json()["code"] == "not_your_investigation", "{saved}");
        assert_eq!(now["title"], expected);
        assert!(now.get("editors").is_none(), "{now}");
        assert_eq!(editor.patch(&path, json!({"title": "Later"})).await.status, 403);
    }
}

#[tokio::test]
async fn a_read_says_in_allow_that_the_caller_may_not_change_it() {
    let callers = callers(Editing::Author).await;
    let (id, _) = investigation(&callers, "allow").await;
    for (name, caller) in &callers.callers[1..] {
        let read = caller.get(&format!("/api/investigation/{id}")).await;
        assert_eq!(read.header("allow"), ["reader", "stranger"].contains(name).then_some("GET, HEAD"), "{name}");
    }
}
