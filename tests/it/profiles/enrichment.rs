//! Every answer that contains an investigation contains the profile of its author.

use std::collections::BTreeSet;

use fieldbook::app::{Access, HttpSettings};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{bare, known, start, start_with_authors, user};
use crate::authoring::{at_odds, finds_birds};
use crate::http::people::{add, person};
use crate::support::endpoint::{Endpoint, Question, finds, proposes};
use crate::support::profile_service::{Played, knows_all};
use crate::support::{Caller, Exchange, TEACHER, TestApp};

/// Returns the operations whose success answer contains an investigation, according to the served OpenAPI document.
async fn that_hold_an_investigation(app: &TestApp) -> BTreeSet<String> {
    fn holds(document: &Value, value: &Value) -> bool {
        match value {
            Value::Object(members) => members.iter().any(|(key, member)| match member.as_str() {
                Some(reference) if key == "$ref" => {
                    holds(document, document.pointer(reference.trim_start_matches('#')).expect("a schema"))
                }
                // Only investigations have this field.
                _ => key == "lastChangeWithAI" || holds(document, member),
            }),
            Value::Array(elements) => elements.iter().any(|element| holds(document, element)),
            _ => false,
        }
    }
    let document = app.anon().get("/api/openapi.json").await.json();
    let items = document["paths"].as_object().expect("paths").values();
    let operations = items.flat_map(|item| item.as_object().expect("operations").values());
    let holding = operations.filter(|operation| holds(&document, &operation["responses"]));
    holding.map(|operation| operation["operationId"].as_str().expect("a name").to_owned()).collect()
}

/// Answers like a model that reports a contradiction about birds. Asked for a change, it proposes a text without birds.
fn fixes_birds(question: &Question) -> crate::support::endpoint::Answer {
    match question.kind {
        "findings" => finds_birds(question),
        "resolve" | "regenerate" | "converse" => proposes(&[("assessment", json!("Name the plant."))], "No birds."),
        _ => finds(&[]),
    }
}

#[tokio::test]
async fn every_operation_that_returns_an_investigation_names_its_author() {
    let (model, service) = (Endpoint::start(fixes_birds).await, Played::start(knows_all).await);
    let http = HttpSettings { trash_days: 1, ..HttpSettings::default() };
    let (app, teacher) = TestApp::start_with_profiles(service.settings(), Some(model.settings()), http).await;
    let mut held = BTreeSet::new();
    let mut check = |operation: &str, answer: &Exchange, pointer: &str| {
        let author = answer.json().pointer(pointer).map(|investigation| investigation["author"].clone());
        assert_eq!(author, Some(known(TEACHER)), "{operation}: {answer}");
        held.insert(operation.to_owned());
    };
    let created = teacher.post("/api/investigation", at_odds()).await;
    check("createInvestigation", &created, "/data");
    let path = format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"));
    let post = async |what: &str, body: Value| teacher.post(&format!("{path}/{what}"), body).await;
    check("getInvestigation", &teacher.get(&path).await, "/data");
    check("getInvestigations", &teacher.get("/api/investigation").await, "/data/items/0");
    let preview = teacher.patch(&format!("{path}?dryRun=true"), json!({"title": "Cress"})).await;
    check("updateInvestigation", &preview, "/updatedInvestigation");
    let updated = teacher.patch(&path, json!({"title": "Cress"})).await;
    check("updateInvestigation", &updated, "/updatedInvestigation");
    check("cloneInvestigation", &post("clone", json!({})).await, "/data");
    check("undoInvestigation", &post("undo", json!({})).await, "/data");
    check("redoInvestigation", &post("redo", json!({})).await, "/data");
    let field = json!({"fieldName": "assessment"});
    check("resolveContradiction", &post("resolve-contradiction", field).await, "/data/investigation");
    let named = teacher.patch(&format!("{path}/versions/1"), json!({"name": "Trial"})).await;
    check("nameInvestigationVersion", &named, "/data");
    check("restoreInvestigationVersion", &post("versions/0/restore", json!({})).await, "/data");
    let finding = json!({"fieldName": "phenomenon", "conflictsWith": ["assessment"]});
    let dismissed = post("dismissals", finding).await;
    check("dismissFinding", &dismissed, "/data");
    let dismissal = dismissed.data()["dismissed"][0]["id"].as_str().expect("an id").to_owned();
    check("removeDismissal", &teacher.delete(&format!("{path}/dismissals/{dismissal}")).await, "/data");
    let field = json!({"fieldName": "phenomenon"});
    check("regenerateOtherFields", &post("regenerate", field).await, "/data/investigation");
    check("converse", &post("chat", json!({"content": "No birds"})).await, "/data/investigation");
    teacher.delete(&path).await;
    check("undeleteInvestigation", &post("undelete", json!({})).await, "/data");
    assert_eq!(held, that_hold_an_investigation(&app).await);
    assert_eq!(service.count(), 1, "the profile of a moment ago is used again");
}

#[tokio::test]
async fn copy_of_the_investigation_in_the_chat_has_only_the_id_of_its_author() {
    let service = Played::start(knows_all).await;
    let (_app, teacher) = start(service.settings()).await;
    let steps = json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 20}]});
    let path = teacher.create_path(steps).await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "durationMinutes"})).await;
    let chat = teacher.get(&format!("{path}/chat")).await.data();
    let kept: Value =
        serde_json::from_str(chat["history"][0]["assistant"]["metadata"].as_str().expect("a text")).expect("JSON");
    assert_eq!(kept["author"], bare(Some(TEACHER)));
    assert!(!chat.to_string().contains("example.org"), "{chat}");
}

#[tokio::test]
async fn list_of_investigations_contains_the_profiles_of_their_authors() {
    let service = Played::start(|asked| {
        let mut profiles = knows_all(asked)?;
        profiles.retain(|profile| profile.user_id != user(2));
        profiles.iter_mut().filter(|profile| profile.user_id == user(1)).for_each(|profile| {
            profile.email = None;
            profile.avatar = Some(String::new());
        });
        Ok(profiles)
    })
    .await;
    let authors = [Some(user(0)), Some(user(1)), None, Some(user(2)), Some(user(0))];
    let (_app, teacher) = start_with_authors(service.settings(), &authors).await;
    let shown: Vec<_> = super::authors(&teacher).await.iter().map(Value::to_string).collect();
    assert_snapshot!(shown.join("\n"), @r#"
    {"id":"000000000000000000abc000","name":"Name of 000000000000000000abc000","email":"000000000000000000abc000@example.org","avatar":"https://example.org/000000000000000000abc000.png"}
    {"id":"000000000000000000abc001","name":"Name of 000000000000000000abc001","email":null,"avatar":""}
    {"id":null,"name":null,"email":null,"avatar":null}
    {"id":"000000000000000000abc002","name":null,"email":null,"avatar":null}
    {"id":"000000000000000000abc000","name":"Name of 000000000000000000abc000","email":"000000000000000000abc000@example.org","avatar":"https://example.org/000000000000000000abc000.png"}
    "#);
    let [asked] = service.asked().try_into().expect("one call for the page");
    assert_eq!((asked.batch, asked.ids), (true, vec![user(0), user(1), user(2)]));
}

#[tokio::test]
async fn profile_service_is_not_asked_for_a_list_without_authors() {
    let service = Played::start(knows_all).await;
    for authors in [vec![], vec![None, None]] {
        let (_app, teacher) = start_with_authors(service.settings(), &authors).await;
        assert_eq!(super::authors(&teacher).await, vec![bare(None); authors.len()]);
    }
    assert_eq!(service.count(), 0);
}

#[tokio::test]
async fn caller_without_a_token_sees_author_names_from_the_directory() {
    let service = Played::start(knows_all).await;
    let http = HttpSettings { investigations: Access::Optional, ..HttpSettings::default() };
    let (app, _) = TestApp::start_with_profiles(service.settings(), None, http).await;
    super::store(&app, Some(&user(0))).await;
    add(&app, person(&user(0), "Ada", None)).await;
    let ada = json!({"id": user(0), "name": "Ada", "email": null, "avatar": null});
    assert_eq!(super::authors(&app.anon()).await, [ada]);
    assert_eq!(service.count(), 0);
}

#[tokio::test]
async fn change_is_stored_and_answered_even_if_the_profile_of_its_author_cannot_be_read() {
    let service = Played::start(|_| Err(tonic::Status::internal("a secret of the service"))).await;
    let (_app, teacher) = start(service.settings()).await;
    let created = teacher.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!((created.status.as_u16(), &created.data()["author"]), (201, &bare(Some(TEACHER))), "{created}");
    assert!(!created.text.contains("secret"), "{created}");
    let path = format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"));
    assert_eq!(teacher.get(&path).await.data()["title"], "Cress");
    assert_eq!(failing_again(&teacher, &path).await, bare(Some(TEACHER)));
}

async fn failing_again(teacher: &Caller, path: &str) -> Value {
    let updated = teacher.patch(path, json!({"title": "Radish"})).await;
    assert_eq!(updated.status.as_u16(), 200, "{updated}");
    updated.json()["updatedInvestigation"]["author"].clone()
}
