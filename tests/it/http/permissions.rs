//! Permissions: every operation, for every kind of caller, under both settings of `editing`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use fieldbook::app::{Access, HttpSettings};
use fieldbook::domain::api_key::{ApiKey, KeyText};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::{Editing, Role};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, START, TEACHER, TestApp};

pub const EDITOR: &str = "eeeeeeeeeeeeeeeeeeeeeeee";
pub const STRANGER: &str = "ffffffffffffffffffffffff";
pub const ADMIN: &str = "adadadadadadadadadadadad";

/// Every operation with a request: id, method, path and body. `{id}` and `{link}` stand for an investigation of the
/// teacher and its link.
const OPERATIONS: [(&str, Method, &str, &str); 51] = [
    ("getInvestigations", Method::GET, "/api/investigation", ""),
    ("createInvestigation", Method::POST, "/api/investigation", r#"{"title":"Mine"}"#),
    // Without a language model, an allowed caller gets an error.
    ("splitText", Method::POST, "/api/investigation/split", r#"{"text":"Cress"}"#),
    ("getInvestigationFormat", Method::GET, "/api/investigation/format", ""),
    ("getInvestigation", Method::GET, "/api/investigation/{id}", ""),
    ("deleteInvestigation", Method::DELETE, "/api/investigation/{id}", ""),
    ("updateInvestigation", Method::PATCH, "/api/investigation/{id}", r#"{"title":"Changed"}"#),
    ("cloneInvestigation", Method::POST, "/api/investigation/{id}/clone", ""),
    ("getFieldHistory", Method::GET, "/api/investigation/{id}/history/title", ""),
    ("getInvestigationVersions", Method::GET, "/api/investigation/{id}/versions", ""),
    ("getInvestigationVersion", Method::GET, "/api/investigation/{id}/versions/1", ""),
    ("getInvestigationSheet", Method::GET, "/api/investigation/{id}/sheet?for=teachers", ""),
    ("nameInvestigationVersion", Method::PATCH, "/api/investigation/{id}/versions/1", r#"{"name":"Trial"}"#),
    ("restoreInvestigationVersion", Method::POST, "/api/investigation/{id}/versions/0/restore", ""),
    // The service has no trash, so an allowed caller gets an error.
    ("undeleteInvestigation", Method::POST, "/api/investigation/{id}/undelete", ""),
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
    // The body is not a picture, and the investigation has no pictures, so an allowed caller gets an error.
    ("addPicture", Method::POST, "/api/investigation/{id}/pictures", "{}"),
    ("getPicture", Method::GET, PICTURE, ""),
    ("removePicture", Method::DELETE, PICTURE, ""),
    ("notePresence", Method::POST, "/api/investigation/{id}/presence", r#"{"open":true}"#),
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
    ("listOwnLinks", Method::GET, "/api/link", ""),
    ("getLinkVisits", Method::GET, "{link}/visits", ""),
    ("getLinkQrCode", Method::GET, "{link}/qr.svg", ""),
    // The parameter is invalid, so an allowed caller gets an error instead of an endless stream.
    ("streamEvents", Method::GET, "/api/events?after=nothing", ""),
    ("getMe", Method::GET, "/api/me", ""),
    ("listPeople", Method::GET, "/api/people?search=cress", ""),
    ("changePerson", Method::PATCH, "/api/people/cccccccccccccccccccccccc", r#"{"name":"Carol"}"#),
    ("erasePerson", Method::DELETE, "/api/people/cccccccccccccccccccccccc", ""),
    // A sign-in is allowed only from the page, that is, for the caller with a session. This caller gets an error,
    // because the code is wrong.
    ("createSession", Method::POST, "/api/session", r#"{"code":"x"}"#),
    ("invitePerson", Method::POST, "/api/people", r#"{"name":"Carol"}"#),
    ("makeSignInLink", Method::POST, "/api/people/cccccccccccccccccccccccc/link", ""),
    (
        "reassignInvestigations",
        Method::POST,
        "/api/people/cccccccccccccccccccccccc/reassign",
        r#"{"to":"dddddddddddddddddddddddd"}"#,
    ),
    ("listAudit", Method::GET, "/api/audit", ""),
    ("listTrash", Method::GET, "/api/trash", ""),
    ("purgeInvestigation", Method::DELETE, "/api/trash/{id}", ""),
    // This operation is the last one, because it ends the session.
    ("deleteSession", Method::DELETE, "/api/session", ""),
];

const PICTURE: &str =
    "/api/investigation/{id}/pictures/0000000000000000000000000000000000000000000000000000000000000000";

/// Operations for monitoring, which need no token.
const OF_MACHINES: [&str; 3] = ["live", "ready", "metrics"];

pub struct Callers {
    pub app: TestApp,
    pub callers: [(&'static str, Caller); 9],
}

pub fn with_role(app: &TestApp, user: &str, role: &str) -> Caller {
    let (user, role) = (user.parse().expect("an id"), role.parse::<Role>().expect("a role"));
    let token = app.app.tokens.sign(user, Some(role), app.clock.now(), Duration::from_secs(3600));
    app.anon().bearing(&token.expect("a token"))
}

/// Returns a caller who sends the cookie of a session of this user, like the page in a browser.
async fn with_session(app: &TestApp, user: &str) -> Caller {
    let cookie = format!("fieldbook_session={}", app.session(user).await);
    app.anon().with_header("sec-fetch-site", "same-origin").with_header("cookie", &cookie)
}

pub async fn add_key(app: &TestApp, number: u8, role: &str) -> KeyText {
    let text = KeyText::new(ObjectId::from_bytes([number; 12]), &[number; 32]);
    let key = ApiKey {
        id: text.id().expect("an id"),
        name: format!("Key {number}"),
        user: STRANGER.parse().expect("an id"),
        role: role.parse::<Role>().expect("a role"),
        digest: text.digest(),
        created_at: START,
        last_used_at: None,
        revoked_at: None,
    };
    app.app.store.add_api_key(key).await.expect("added");
    text
}

pub async fn callers(editing: Editing) -> Callers {
    let (app, anon, author) = TestApp::start_with(HttpSettings { editing, ..HttpSettings::default() }).await;
    let revoked = add_key(&app, 2, "admin").await;
    app.app.store.revoke_api_key(revoked.id().expect("an id"), START).await.expect("revoked");
    let callers = [
        ("nobody", anon),
        ("reader", with_role(&app, TEACHER, "reader")),
        ("stranger", app.signed_in(STRANGER)),
        ("editor", app.signed_in(EDITOR)),
        ("author", author),
        ("admin", with_role(&app, ADMIN, "admin")),
        ("key", app.anon().bearing(add_key(&app, 1, "admin").await.expose())),
        ("session", with_session(&app, COLLEAGUE).await),
        ("revoked", app.anon().bearing(revoked.expose())),
    ];
    Callers { app, callers }
}

/// Creates an investigation of the teacher with an editor, a version and a link. Returns its id and the link's path.
pub async fn investigation(callers: &Callers, key: &str) -> (String, String) {
    let author = &callers.callers[4].1;
    let id = author.create(json!({"title": "Cress"})).await;
    let changed =
        author.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas", "editors": [EDITOR]})).await;
    assert_eq!(changed.status, 200, "{changed}");
    author.create_link(&id, key, "one").await;
    (id, format!("/api/link/{key}/one"))
}

/// Returns the status of one request, and the code if the request is refused.
async fn outcome(caller: &Caller, method: &Method, path: &str, body: &str) -> String {
    let body = (!body.is_empty()).then_some(("application/json", body));
    let response = caller.send(method.clone(), path, body).await;
    let refusal: Option<Value> = serde_json::from_str(&response.text).ok();
    let code = refusal.and_then(|body| body["code"].as_str().map(|code| format!(" {code}")));
    format!("{}{}", response.status.as_u16(), code.unwrap_or_default())
}

/// Returns a line for each operation. Adjacent callers with the same outcome are joined.
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
async fn permissions_table_in_this_test_lists_every_operation() {
    let (_app, anon, _) = TestApp::start().await;
    let document = anon.get("/api/openapi.json").await.json();
    let named: BTreeSet<&str> = OPERATIONS.iter().map(|(operation, ..)| *operation).chain(OF_MACHINES).collect();
    let operations = document["paths"].as_object().expect("paths").values().filter_map(Value::as_object);
    let ids = operations.flat_map(|path| path.values()).filter_map(|operation| operation["operationId"].as_str());
    assert_eq!(ids.collect::<BTreeSet<&str>>(), named);
}

#[tokio::test]
async fn caller_with_the_role_none_is_refused_by_every_operation_that_needs_a_caller() {
    let callers = callers(Editing::Anyone).await;
    let caller = with_role(&callers.app, STRANGER, "none");
    let (id, link) = investigation(&callers, "none").await;
    for (operation, method, path, body) in OPERATIONS {
        let path = path.replace("{id}", &id).replace("{link}", &link);
        let expected = match operation {
            "resolveLink" | "headLink" | "getLinkQrCode" | "getMe" | "deleteSession" => "200",
            "createSession" => "403 cross_site",
            // People may change only their own name.
            "changePerson" => "403 admins_only",
            _ => "403 no_role",
        };
        assert_eq!(outcome(&caller, &method, &path, body).await, expected, "{operation}");
    }
}

#[tokio::test]
async fn caller_without_a_token_has_the_default_role() {
    let http = HttpSettings { investigations: Access::Optional, default_role: Role::Reader, ..HttpSettings::default() };
    let (_app, anon, _) = TestApp::start_with(http).await;
    assert_eq!(outcome(&anon, &Method::GET, "/api/investigation", "").await, "200");
    assert_eq!(outcome(&anon, &Method::POST, "/api/investigation", "{}").await, "403 read_only");
}

#[tokio::test]
async fn caller_without_a_token_is_never_an_admin() {
    let http = HttpSettings {
        investigations: Access::Optional,
        default_role: Role::Admin,
        editing: Editing::Author,
        ..HttpSettings::default()
    };
    let (_app, anon, teacher) = TestApp::start_with(http).await;
    let lesson = teacher.create_path(json!({"title": "Cress"})).await;
    assert_eq!(outcome(&anon, &Method::PATCH, &lesson, r#"{"title":"Peas"}"#).await, "403 not_your_investigation");
    assert_eq!(outcome(&anon, &Method::POST, "/api/investigation", "{}").await, "201");
}

#[tokio::test]
async fn permissions_follow_roles_and_the_editing_setting() {
    let by_default = table(Editing::Anyone).await;
    insta::assert_snapshot!(by_default, @"
    getInvestigations | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    createInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 201 | revoked: 401 invalid_token
    splitText | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getInvestigationFormat | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getInvestigation | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    deleteInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    updateInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    cloneInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 201 | revoked: 401 invalid_token
    getFieldHistory | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getInvestigationVersions | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getInvestigationVersion | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getInvestigationSheet | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    nameInvestigationVersion | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    restoreInvestigationVersion | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    undeleteInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 404 not_in_trash | revoked: 401 invalid_token
    undoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    redoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 500 nothing_to_redo | revoked: 401 invalid_token
    resolveContradiction | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 500 not_resolved | revoked: 401 invalid_token
    regenerateOtherFields | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    dismissFinding | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 404 finding_not_found | revoked: 401 invalid_token
    removeDismissal | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 404 dismissal_not_found | revoked: 401 invalid_token
    addPicture | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 415 unsupported_media_type | revoked: 401 invalid_token
    getPicture | nobody: 401 unauthenticated | reader stranger editor author admin key session: 404 picture_not_found | revoked: 401 invalid_token
    removePicture | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor: 403 not_your_investigation | author admin key: 404 picture_not_found | session: 403 not_your_investigation | revoked: 401 invalid_token
    notePresence | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getInvestigationChat | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    converse | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 500 no_model | revoked: 401 invalid_token
    listLinks | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    createLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 201 | revoked: 401 invalid_token
    listInvestigationLinks | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    createInvestigationLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 201 | revoked: 401 invalid_token
    resolveLink | nobody reader stranger editor author admin key session revoked: 200
    deleteLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    headLink | nobody reader stranger editor author admin key session revoked: 200
    changeLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    listOwnLinks | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getLinkVisits | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    getLinkQrCode | nobody reader stranger editor author admin key session revoked: 200
    streamEvents | nobody: 401 unauthenticated | reader stranger editor author admin key session: 400 validation_failed | revoked: 401 invalid_token
    getMe | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    listPeople | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 200 | revoked: 401 invalid_token
    changePerson | nobody: 401 unauthenticated | reader stranger editor author: 403 admins_only | admin key: 404 person_not_found | session: 403 admins_only | revoked: 401 invalid_token
    erasePerson | nobody: 401 unauthenticated | reader stranger editor author: 403 admins_only | admin key: 404 person_not_found | session: 403 admins_only | revoked: 401 invalid_token
    createSession | nobody reader stranger editor author admin key: 403 cross_site | session: 401 wrong_credentials | revoked: 403 cross_site
    invitePerson | nobody: 401 unauthenticated | reader stranger editor author: 403 admins_only | admin key: 201 | session: 403 admins_only | revoked: 401 invalid_token
    makeSignInLink | nobody: 401 unauthenticated | reader stranger editor author: 403 admins_only | admin key: 404 person_not_found | session: 403 admins_only | revoked: 401 invalid_token
    reassignInvestigations | nobody: 401 unauthenticated | reader stranger editor author: 403 admins_only | admin key: 400 validation_failed | session: 403 admins_only | revoked: 401 invalid_token
    listAudit | nobody: 401 unauthenticated | reader stranger editor author: 403 admins_only | admin key: 200 | session: 403 admins_only | revoked: 401 invalid_token
    listTrash | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    purgeInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger editor author admin key session: 404 not_in_trash | revoked: 401 invalid_token
    deleteSession | nobody: 401 unauthenticated | reader stranger editor author admin key session: 200 | revoked: 401 invalid_token
    ");
    // With `Editing::Author`, these rows differ from the table above, because users who may not edit an investigation
    // may only read and clone it.
    let rows: BTreeSet<&str> = by_default.lines().collect();
    let of_authors = table(Editing::Author).await;
    let others: Vec<&str> = of_authors.lines().filter(|row| !rows.contains(row)).collect();
    insta::assert_snapshot!(others.join("\n"), @"
    deleteInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    updateInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    nameInvestigationVersion | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    restoreInvestigationVersion | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    undoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    redoInvestigation | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 500 nothing_to_redo | session: 403 not_your_investigation | revoked: 401 invalid_token
    resolveContradiction | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 500 not_resolved | session: 403 not_your_investigation | revoked: 401 invalid_token
    regenerateOtherFields | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    dismissFinding | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 404 finding_not_found | session: 403 not_your_investigation | revoked: 401 invalid_token
    removeDismissal | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 404 dismissal_not_found | session: 403 not_your_investigation | revoked: 401 invalid_token
    addPicture | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 415 unsupported_media_type | session: 403 not_your_investigation | revoked: 401 invalid_token
    converse | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 500 no_model | session: 403 not_your_investigation | revoked: 401 invalid_token
    createLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 201 | session: 403 not_your_investigation | revoked: 401 invalid_token
    createInvestigationLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 201 | session: 403 not_your_investigation | revoked: 401 invalid_token
    deleteLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    changeLink | nobody: 401 unauthenticated | reader: 403 read_only | stranger: 403 not_your_investigation | editor author admin key: 200 | session: 403 not_your_investigation | revoked: 401 invalid_token
    ");
}

#[tokio::test]
async fn refused_change_names_who_may_make_the_change_and_suggests_an_alternative() {
    let callers = callers(Editing::Author).await;
    let (id, _) = investigation(&callers, "k").await;
    let refused = callers.callers[2].1.patch(&format!("/api/investigation/{id}"), json!({"title": "X"})).await;
    insta::assert_snapshot!(refused, @r#"
    PATCH /api/investigation/000000000000000000000003
    {"title":"X"}
    403 Forbidden
    {
      "success": false, "message": "Not allowed",
      "error": "Only its author (aaaaaaaaaaaaaaaaaaaaaaaa), its editors and admins may change it; clone it to change the copy",
      "code": "not_your_investigation"
    }
    "#);
    let refused = callers.callers[1].1.post("/api/investigation", json!({"title": "X"})).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("read_only")), "{refused}");
    assert_eq!(refused.json()["error"], "Your role, reader, may not change anything; ask an admin for another role");
}

#[tokio::test]
async fn allow_header_lists_only_get_and_head_for_callers_who_may_not_change() {
    let callers = callers(Editing::Author).await;
    let (id, _) = investigation(&callers, "allow").await;
    for (name, caller) in &callers.callers[1..7] {
        let read = caller.get(&format!("/api/investigation/{id}")).await;
        assert_eq!(read.header("allow"), ["reader", "stranger"].contains(name).then_some("GET, HEAD"), "{name}");
    }
}
