//! Claims of the provider about people: names, e-mail addresses and roles, and people who are refused.

use fieldbook::app::{HttpSettings, PEOPLE_MAX_AGE};
use fieldbook::domain::page::PageRequest;
use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{PersonChange, PersonStatus};
use fieldbook::domain::secret_token::SecretToken;
use fieldbook::domain::sign_in::ProviderClaims;
use fieldbook::domain::token_user::{ClaimRules, RoleNames, derived_id};
use fieldbook::store::{SignIn, Stamp};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{ADA, School, me};
use crate::http::people::{add, person};
use crate::http::provider::{with, without};
use crate::support::visitor::Visitor;
use crate::support::{TEACHER, log};

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
async fn person_gets_an_email_address_from_the_provider_only_if_it_is_verified_and_free() {
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
    assert_eq!(
        said(&[address("New@school.example"), verified.clone()]).await,
        r#"["Ada Lovelace","New@school.example","reader"]"#
    );
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

/// Sets the name of Ada, as an admin does.
async fn set_name(school: &School, name: &str) {
    let change = PersonChange { name: Some(name.to_owned()), ..PersonChange::default() };
    let stamp = Stamp { actor: Default::default(), at: school.app.clock.now() };
    let id = derived_id(&school.provider.issuer(), ADA);
    school.app.app.store.change_person(id, change, stamp).await.expect("stored");
}

#[tokio::test]
async fn name_is_updated_at_each_provider_sign_in_until_it_is_set_in_the_directory() {
    let named = async |school: &School, name: &str| signed_in_with(school, &[("name", json!(name))]).await[0].clone();
    let school = School::start().await;
    for (said, name) in [("Ada Byron", "Ada Byron"), ("Ada King", "Ada King"), ("\u{7}", "Ada King")] {
        assert_eq!(named(&school, said).await, name);
    }
    set_name(&school, "Countess").await;
    assert_eq!(named(&school, "Ada Lovelace").await, "Countess");
    // An admin may set a name that the provider has sent before. Later sign-ins must not change it.
    let school = School::start().await;
    assert_eq!(named(&school, "Ada Byron").await, "Ada Byron");
    set_name(&school, "Ada Byron").await;
    assert_eq!(named(&school, "Ada King").await, "Ada Byron");
}

#[tokio::test]
async fn userinfo_endpoint_supplies_a_name_and_roles_missing_in_the_id_token() {
    let school = School::start_with(HttpSettings::default(), |settings| settings).await;
    let said = json!({"sub": ADA, "name": "Ada King", "email": "ada@school.example", "email_verified": true,
        "roles": ["author"], "userId": TEACHER, "iss": "https://id.example.org"});
    school.provider.says_of_people(200, &said.to_string());
    let mut visitor = Visitor::new();
    let nameless = without(&school.claims(), "name");
    assert_eq!(school.sign_in(&mut visitor, &nameless).await.location, "/#/trash");
    let me = school.me(&mut visitor).await;
    let id = derived_id(&school.provider.issuer(), ADA).to_string();
    assert_eq!(json!([me["id"], me["name"], me["role"]]), json!([id, "Ada King", "author"]));
    assert_eq!(me["email"], "ada@school.example");
    // Claims in the ID token take precedence. If it has all claims, the service does not ask the userinfo endpoint.
    let asked = school.provider.count("/userinfo");
    assert_eq!(signed_in_with(&school, &[("roles", json!("reader"))]).await[0], "Ada Lovelace");
    assert_eq!(school.provider.count("/userinfo"), asked);
}

#[tokio::test]
async fn invalid_userinfo_answer_is_ignored_unless_the_sign_in_needs_its_roles() {
    let (log, _guard) = log::captured();
    let role_names = RoleNames::new([("teachers", Role::Author)]);
    let school = School::start_with_rules(ClaimRules { role_names, ..ClaimRules::default() }).await;
    for (status, text) in [
        (200, json!({"sub": "somebody else", "name": "Eve", "roles": ["admin"]}).to_string()),
        (200, "eyJ".to_owned()),
        (200, json!({"name": "Eve"}).to_string()),
        (401, String::new()),
        (404, "<h1>no</h1>".to_owned()),
    ] {
        school.provider.says_of_people(status, &text);
        let mut visitor = Visitor::new();
        let nameless = without(&with(&school.claims(), "roles", json!("author")), "name");
        assert_eq!(school.sign_in(&mut visitor, &nameless).await.location, "/#/trash");
        let me = school.me(&mut visitor).await;
        assert_eq!(json!([me["name"], me["role"]]), json!([null, "author"]), "{text}");
        // A sign-in without roles is refused, because a person with a lower role at the provider would get the default
        // role.
        let refused = school.sign_in(&mut visitor, &school.claims()).await;
        assert_eq!(refused.location, "/sign-in?failed=untrusted&to=%2F%23%2Ftrash", "{text}");
        assert_eq!(school.me(&mut visitor).await["role"], "author");
    }
    assert_eq!(log.text().matches("cannot use the provider's userinfo endpoint").count(), 1, "{}", log.text());
    let reason = "it sends no claim roles, and its userinfo_endpoint answered with status 401; check auth.scopes";
    assert!(log.text().contains(reason), "{}", log.text());
    // People keep their roles while the provider is busy.
    school.provider.says_of_people(503, "");
    let busy = school.sign_in(&mut Visitor::new(), &school.claims()).await;
    assert_eq!(busy.location, "/sign-in?failed=unavailable&to=%2F%23%2Ftrash");
}

#[tokio::test]
async fn invalid_userinfo_answer_gives_the_default_role_if_no_role_names_are_configured() {
    let school = School::start().await;
    school.provider.says_of_people(404, "<h1>no</h1>");
    assert_eq!(signed_in_with(&school, &[]).await[2], "reader");
}

#[tokio::test]
async fn sign_in_without_roles_is_refused_if_the_provider_did_not_grant_the_scope() {
    let (log, _guard) = log::captured();
    let school = School::start().await;
    let google = "https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile";
    let signed_in = async |scope: &str, claims: &Value| {
        let mut visitor = Visitor::new();
        let begun = school.begun(&mut visitor).await;
        let id_token = school.key.token("k", &with(claims, "nonce", json!(begun.nonce)));
        let answer = json!({"access_token": "unused", "token_type": "Bearer", "id_token": id_token, "scope": scope});
        school.provider.grants(200, &answer.to_string());
        visitor.get(&school.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state))).await;
        school.me(&mut visitor).await["role"].clone()
    };
    for scope in ["openid email profile", "email profile", &format!("openid {google}")] {
        assert_eq!(signed_in(scope, &school.claims()).await, "reader", "{scope}");
    }
    for scope in ["", "openid", "openid profile"] {
        assert_eq!(signed_in(scope, &school.claims()).await, Value::Null, "{scope}");
    }
    assert!(log.text().contains("does not grant the scope email; check auth.scopes"), "{}", log.text());
    // A sign-in with roles is accepted, even if a scope was not granted.
    assert_eq!(signed_in("openid", &with(&school.claims(), "roles", json!(["author"]))).await, "author");
}

#[tokio::test]
async fn sign_in_without_a_roles_claim_is_refused_if_a_mapped_role_is_below_the_default_role() {
    let (log, _guard) = log::captured();
    let rules = |names: &[(&'static str, Role)]| ClaimRules {
        roles_claim: "groups".to_owned(),
        role_names: RoleNames::new(names.iter().copied()),
        ..ClaimRules::default()
    };
    let school = School::start_with_rules(rules(&[("teachers", Role::Author), ("pupils", Role::None)])).await;
    let mut at_home = Visitor::new();
    school.sign_in(&mut at_home, &with(&school.claims(), "groups", json!(["pupils"]))).await;
    assert_eq!(school.me(&mut at_home).await["role"], "none");
    for groups in [Value::Null, json!(7), json!({"pupils": true})] {
        let refused = school.sign_in(&mut Visitor::new(), &with(&school.claims(), "groups", groups)).await;
        assert_eq!(refused.location, "/sign-in?failed=untrusted&to=%2F%23%2Ftrash");
    }
    assert_eq!(school.me(&mut at_home).await["role"], "none");
    assert!(log.text().contains("auth.roles-map has a role below auth.default-role"), "{}", log.text());
    assert_eq!(signed_in_with(&school, &[("groups", json!(["cooks"]))]).await[2], "reader");
    let school = School::start_with_rules(rules(&[("teachers", Role::Author)])).await;
    assert_eq!(signed_in_with(&school, &[]).await[2], "reader");
}

#[tokio::test]
async fn sign_in_without_roles_or_a_name_is_logged_once_with_the_reason() {
    let (log, _guard) = log::captured();
    let school = School::start().await;
    for _ in 0..2 {
        signed_in_with(&school, &[("groups", json!(["teachers"]))]).await;
        signed_in_with(&school, &[("roles", json!(["pupils"]))]).await;
        school.sign_in(&mut Visitor::new(), &without(&school.claims(), "name")).await;
    }
    let text = log.text();
    for words in [
        "because the provider does not send this claim; check auth.roles-claim",
        "because no value of this claim is in auth.roles-map",
        "people have no name here; check auth.scopes",
    ] {
        assert_eq!(text.matches(words).count(), 1, "{words}: {text}");
    }
    let missing = text.lines().find(|line| line.contains("does not send this claim")).expect("a line");
    assert!(missing.contains("roles") && missing.contains("aud exp groups iss name nonce sub"), "{missing}");
}

#[tokio::test]
async fn changes_that_a_sign_in_makes_to_a_person_are_in_the_audit_log() {
    let school = School::start().await;
    let address = |address: &str| [("email", json!(address)), ("email_verified", json!(true))];
    signed_in_with(&school, &address("ada@school.example")).await;
    signed_in_with(&school, &address("ada@school.example")).await;
    signed_in_with(&school, &address("king@school.example")).await;
    signed_in_with(&school, &[("name", json!("Ada King"))]).await;
    let entries = school.app.app.store.audit(None, PageRequest::first(10)).await.expect("read").entries;
    let shown = entries.iter().map(|(_, entry)| format!("{}\n", serde_json::to_string(entry).expect("JSON")));
    let id = derived_id(&school.provider.issuer(), ADA).to_string();
    let at = school.app.clock.now().to_string();
    insta::assert_snapshot!(shown.collect::<String>().replace(&id, "ADA").replace(&at, "NOW"), @r#"
    {"at":"NOW","actor":{"user":"ADA"},"action":"person.changed","personId":"ADA","fields":["name"]}
    {"at":"NOW","actor":{"user":"ADA"},"action":"person.signed_in","personId":"ADA","by":"provider"}
    {"at":"NOW","actor":{"user":"ADA"},"action":"person.changed","personId":"ADA","fields":["email"]}
    {"at":"NOW","actor":{"user":"ADA"},"action":"person.signed_in","personId":"ADA","by":"provider"}
    {"at":"NOW","actor":{"user":"ADA"},"action":"person.signed_in","personId":"ADA","by":"provider"}
    {"at":"NOW","actor":{"user":"ADA"},"action":"person.signed_in","personId":"ADA","by":"provider"}
    "#);
}

#[tokio::test]
async fn person_who_signs_in_with_the_provider_loses_their_password_and_can_set_no_other() {
    let school = School::start_with(HttpSettings::default(), |settings| settings).await;
    let (store, now) = (&school.app.app.store, school.app.clock.now());
    let teacher = person(TEACHER, "Ada Byron", None);
    add(&school.app, teacher.clone()).await;
    assert!(store.put_password(teacher.id, "digest".to_owned()).await.expect("stored"));
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &with(&school.claims(), "userId", json!(TEACHER))).await;
    assert_eq!(school.app.rows("password"), 0);
    assert!(!store.put_password(teacher.id, "digest".to_owned()).await.expect("read"));
    // After a sign-in with a link, a person can usually choose a password without entering the old one. A person who
    // signs in with the provider cannot.
    let (link, session) = (SecretToken::new(&[1; 32]), SecretToken::new(&[2; 32]));
    let stamp = Stamp { actor: Default::default(), at: now };
    store.make_sign_in_link(teacher.id, link.digest(), stamp).await.expect("stored");
    store.sign_in_by_link(link.digest(), session.digest(), None, now).await.expect("stored");
    let by_provider = visitor.cookies["fieldbook_session"].clone();
    for session in [by_provider, session.expose().to_owned()] {
        visitor.cookies.insert("fieldbook_session".to_owned(), session);
        let password = json!({"password": "correct horse battery"});
        let refused = visitor.patch(&school.at(&format!("/api/people/{TEACHER}")), &password).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        let reason = "cannot be used by people who sign in with the provider";
        assert!(refused.text.contains(reason), "{}", refused.text);
    }
    assert_eq!(school.app.rows("password"), 0);
}

#[tokio::test]
async fn concurrent_sign_ins_with_one_email_address_give_the_address_to_one_person() {
    let school = School::start().await;
    let (store, at) = (&school.app.app.store, school.app.clock.now());
    let ids = ["ada", "ben"].map(|name| derived_id(&school.provider.issuer(), name));
    for (n, digests) in [["a", "b"], ["c", "d"], ["e", "f"]].into_iter().enumerate() {
        let address = format!("{n}@school.example");
        let claims = |id| ProviderClaims::new(id, None, Some(&address), None);
        let [one, other] = digests.map(|digit| digit.repeat(64));
        let (one, other) = tokio::join!(
            store.sign_in_by_provider(claims(ids[0]), one, None, at),
            store.sign_in_by_provider(claims(ids[1]), other, None, at),
        );
        assert!(matches!((&one, &other), (Ok(SignIn::Done(_)), Ok(SignIn::Done(_)))), "{one:?} {other:?}");
        let people = store.people(&ids).await.expect("read");
        let with_it = people.iter().filter(|person| person.email.as_ref() == Some(&address));
        assert_eq!(with_it.count(), 1, "{people:?}");
    }
}

#[tokio::test]
async fn role_from_the_provider_applies_unless_the_directory_has_a_role_for_the_person() {
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
async fn role_of_the_latest_provider_sign_in_applies_to_all_provider_sessions_of_the_user() {
    let school = School::start().await;
    let copy = school.app.copy().await;
    let (mut at_home, mut at_school) = (Visitor::new(), Visitor::new());
    let with_roles = |roles: Value| with(&school.claims(), "roles", roles);
    school.sign_in(&mut at_home, &with_roles(json!(["author"]))).await;
    assert_eq!(school.me(&mut at_home).await["role"], "author");
    assert_eq!(me(&copy, &mut at_home).await["role"], "author");
    school.sign_in(&mut at_school, &with_roles(json!(["pupils"]))).await;
    assert_eq!(school.me(&mut at_home).await["role"], "reader");
    copy.clock.advance(PEOPLE_MAX_AGE);
    assert_eq!(me(&copy, &mut at_home).await["role"], "reader");
    let create = school.app.anon().with_header("sec-fetch-site", "same-origin");
    let cookie = format!("fieldbook_session={}", at_home.cookies["fieldbook_session"]);
    let refused = create.with_header("cookie", &cookie).post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::FORBIDDEN, &json!("read_only")), "{refused}");
    // A session that began with a sign-in link never has the role that the provider gives the person.
    let id = derived_id(&school.provider.issuer(), ADA).to_string();
    let by_link = school.app.session(&id).await;
    at_school.cookies.insert("fieldbook_session".to_owned(), by_link);
    school.sign_in(&mut at_home, &with_roles(json!(["admin"]))).await;
    assert_eq!(school.me(&mut at_school).await["role"], "reader");
    let entries = school.app.app.store.audit(None, PageRequest::first(2)).await.expect("read").entries;
    let changed = entries.iter().any(|(_, entry)| {
        serde_json::to_string(entry).expect("JSON").contains(r#""action":"person.changed""#)
            && serde_json::to_string(entry).expect("JSON").contains(r#""fields":["providerRole"]"#)
    });
    assert!(changed, "{entries:?}");
}

#[tokio::test]
async fn person_with_the_role_none_is_found_only_by_admins() {
    let school = School::start().await;
    let sign_in = async |sub: &str, name: &str, role: &str| {
        let claims = with(&with(&school.claims(), "sub", json!(sub)), "name", json!(name));
        let mut visitor = Visitor::new();
        school.sign_in(&mut visitor, &with(&claims, "roles", json!([role]))).await;
        visitor
    };
    let mut teacher = sign_in("ada", "Ada Lovelace", "author").await;
    sign_in("ben", "Ben Lovelace", "none").await;
    let mut admin = sign_in("carol", "Carol", "admin").await;
    let found = async |visitor: &mut Visitor| {
        let visited = visitor.get(&school.at("/api/people?search=love")).await;
        let people: Value = serde_json::from_str(&visited.text).expect("JSON");
        let items = people["data"]["items"].as_array().expect("items").clone();
        items.into_iter().map(|person| json!([person["name"], person["providerRole"]])).collect::<Vec<_>>()
    };
    assert_eq!(found(&mut teacher).await, [json!(["Ada Lovelace", null])]);
    assert_eq!(found(&mut admin).await, [json!(["Ada Lovelace", "author"]), json!(["Ben Lovelace", "none"])]);
}

#[tokio::test]
async fn disabled_and_erased_people_cannot_sign_in() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &school.claims()).await;
    let id = derived_id(&school.provider.issuer(), ADA);
    let change = PersonChange { status: Some(PersonStatus::Disabled), ..PersonChange::default() };
    let stamp = Stamp { actor: Default::default(), at: school.app.clock.now() };
    school.app.app.store.change_person(id, change, stamp).await.expect("stored");
    let (log, _guard) = log::captured();
    let refused = school.sign_in(&mut visitor, &school.claims()).await;
    assert_eq!(refused.location, format!("/sign-in?failed=disabled&to=%2F%23%2Ftrash&person={id}"));
    assert!(log.text().contains(&format!("person.id={id}")), "{}", log.text());
    let noted = async || {
        let entries = school.app.app.store.audit(None, PageRequest::first(1)).await.expect("read").entries;
        serde_json::to_string(&entries[0].1).expect("JSON")
    };
    // The audit entry is written by a separate task.
    while !noted().await.contains("person.sign_in_failed") {
        tokio::task::yield_now().await;
    }
    assert!(noted().await.contains(&id.to_string()));
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
    let [role, entry] = [&audit["data"][0], &audit["data"][1]];
    assert_eq!((&entry["action"], &entry["by"]), (&json!("person.signed_in"), &json!("provider")), "{audit}");
    assert_eq!(
        (&role["action"], &role["to"]),
        (&json!("person.changed"), &json!({"providerRole": "admin"})),
        "{audit}"
    );
}

#[tokio::test]
async fn two_concurrent_sign_ins_of_a_new_person_create_one_person() {
    let school = School::start().await;
    let id = derived_id(&school.provider.issuer(), ADA);
    let claims = || ProviderClaims::new(id, Some("Ada"), None, None);
    let (store, at) = (&school.app.app.store, school.app.clock.now());
    let (one, other) = tokio::join!(
        store.sign_in_by_provider(claims(), "a".repeat(64), None, at),
        store.sign_in_by_provider(claims(), "b".repeat(64), None, at),
    );
    assert!(matches!((&one, &other), (Ok(SignIn::Done(_)), Ok(SignIn::Done(_)))), "{one:?} {other:?}");
    assert_eq!((school.app.rows("session"), school.app.rows("person")), (2, 1));
}
