//! What the provider says about people: their names, e-mail addresses and roles, and those who are refused here.

use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{PersonChange, PersonStatus};
use fieldbook::domain::sign_in::Introduced;
use fieldbook::domain::token_user::derived_id;
use fieldbook::store::{SignIn, Stamp};
use serde_json::{Value, json};

use super::{ADA, School};
use crate::http::people::{add, person};
use crate::http::provider::with;
use crate::support::TEACHER;
use crate::support::visitor::Visitor;

async fn signed_in_with(school: &School, change: &[(&str, Value)]) -> Value {
    let mut claims = school.claims();
    for (name, value) in change {
        claims = with(&claims, name, value.clone());
    }
    let mut visitor = Visitor::new();
    assert_eq!(school.sign_in(&mut visitor, &claims).await.location, "/#/trash");
    let me = school.me(&mut visitor).await;
    json!([me["name"], me["email"], me["role"]])
}

#[tokio::test]
async fn person_gets_a_name_once_and_an_address_that_is_verified_and_free() {
    let school = School::start().await;
    // This person has the address Ada@School.example.
    add(&school.app, person(TEACHER, "Ada Byron", None)).await;
    let taken = "ada@school.EXAMPLE";
    let (verified, unverified) = (("email_verified", json!(true)), ("email_verified", json!(false)));
    let address = |address: &str| ("email", json!(address));
    let said = async |change: &[(&str, Value)]| signed_in_with(&school, change).await.to_string();
    let nameless = [("name", json!("\u{7}")), address("new@school.example"), unverified.clone()];
    assert_eq!(said(&nameless).await, r#"[null,null,"reader"]"#);
    assert_eq!(said(&[address("new@school.example")]).await, r#"["Ada Lovelace",null,"reader"]"#);
    assert_eq!(said(&[address(taken), verified.clone()]).await, r#"["Ada Lovelace",null,"reader"]"#);
    assert_eq!(said(&[address("not one"), verified.clone()]).await, r#"["Ada Lovelace",null,"reader"]"#);
    let new = [("name", json!("Countess")), address("New@school.example"), verified.clone()];
    assert_eq!(said(&new).await, r#"["Ada Lovelace","New@school.example","reader"]"#);
    assert_eq!(
        said(&[address("other@school.example"), unverified]).await,
        r#"["Ada Lovelace","New@school.example","reader"]"#
    );
    assert_eq!(
        said(&[address("other@school.example"), verified]).await,
        r#"["Ada Lovelace","other@school.example","reader"]"#
    );
    assert_eq!(school.app.rows("person"), 2);
}

#[tokio::test]
async fn role_of_the_provider_counts_unless_the_directory_has_one() {
    let school = School::start().await;
    let said = async |roles: Value| signed_in_with(&school, &[("roles", roles)]).await[2].clone();
    assert_eq!(said(json!(["author", "other"])).await, "author");
    assert_eq!(said(json!([])).await, "reader");
    assert_eq!(said(json!("none")).await, "none");
    let change = PersonChange { role: Some(Some(Role::Admin)), ..PersonChange::default() };
    let stamp = Stamp { actor: Default::default(), at: school.app.clock.now() };
    let id = derived_id(&school.provider.issuer(), ADA);
    school.app.app.store.change_person(id, change, stamp).await.expect("stored");
    assert_eq!(said(json!(["author"])).await, "admin");
}

#[tokio::test]
async fn disabled_and_erased_people_are_not_signed_in() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &school.claims()).await;
    let id = derived_id(&school.provider.issuer(), ADA);
    let change = PersonChange { status: Some(PersonStatus::Disabled), ..PersonChange::default() };
    let stamp = Stamp { actor: Default::default(), at: school.app.clock.now() };
    school.app.app.store.change_person(id, change, stamp).await.expect("stored");
    let refused = school.sign_in(&mut visitor, &school.claims()).await;
    assert_eq!(refused.location, "/sign-in?failed=disabled&to=%2F%23%2Ftrash");
    // The next attempt asks for another account.
    assert_eq!(visitor.cookies["fieldbook_signed_out"], "1");
    assert_eq!(school.app.rows("session"), 0);
}

#[tokio::test]
async fn sign_in_is_in_the_audit_log() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &with(&school.claims(), "roles", json!(["admin"]))).await;
    let visited = visitor.get(&school.at("/api/audit")).await;
    let audit: Value = serde_json::from_str(&visited.text).expect("JSON");
    let entry = &audit["data"][0];
    assert_eq!((&entry["action"], &entry["by"]), (&json!("person.signed_in"), &json!("provider")), "{audit}");
}

#[tokio::test]
async fn two_sign_ins_of_a_new_person_at_once_make_one_person() {
    let school = School::start().await;
    let id = derived_id(&school.provider.issuer(), ADA);
    let introduced = || Introduced::new(id, Some("Ada"), None, None);
    let (store, at) = (&school.app.app.store, school.app.clock.now());
    let (one, other) = tokio::join!(
        store.sign_in_by_provider(introduced(), "a".repeat(64), None, at),
        store.sign_in_by_provider(introduced(), "b".repeat(64), None, at),
    );
    assert!(matches!((&one, &other), (Ok(SignIn::Done(_)), Ok(SignIn::Done(_)))), "{one:?} {other:?}");
    assert_eq!((school.app.rows("session"), school.app.rows("person")), (2, 1));
}
