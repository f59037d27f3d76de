//! The user and the role in the claims of a token.

use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::Role;
use fieldbook::domain::token_user::{ClaimRules, RoleNames, TokenUser, UserIds, derived_id};
use proptest::prelude::*;
use serde_json::{Value, json};

const ISSUER: &str = "https://id.example.org/";

fn read(rules: &ClaimRules, claims: &Value) -> TokenUser {
    rules.read(claims.as_object().expect("claims"))
}

fn derived() -> ClaimRules {
    ClaimRules { user_ids: UserIds::Derived, ..ClaimRules::default() }
}

fn role_in(claim: &str, claims: &Value) -> Option<Role> {
    read(&ClaimRules { roles_claim: claim.to_owned(), ..ClaimRules::default() }, claims).role
}

#[test]
fn user_name_is_read_from_a_token_without_an_object_id() {
    let name = |claims: Value| read(&ClaimRules::default(), &claims).name;
    assert_eq!(name(json!({"userId": "teacher-7", "sub": "x"})).as_deref(), Some("\"teacher-7\""));
    assert_eq!(name(json!({"sub": 7})).as_deref(), Some("7"));
    assert_eq!(name(json!({"sub": null})), None);
    assert_eq!(name(json!({})), None);
}

#[test]
fn derived_user_id_is_the_start_of_the_digest_of_issuer_and_name() {
    // The expected id is the start of the output of this command:
    // printf 'https://id.example.org/\0f81d4fae-7dec-11d0-a765-00a0c91e6bf6' | sha256sum
    let id = derived_id(ISSUER, "f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
    assert_eq!(id.to_string(), "fded194664493c72309ec324");
}

#[test]
fn derived_ids_give_every_provider_user_an_id_unless_the_token_has_a_user_id() {
    let given = "64b64c6f1f4e4b0012345678";
    let of = |claims: Value| read(&derived(), &claims).id.map(|id| id.to_string());
    let made = |name: &str| Some(derived_id(ISSUER, name).to_string());
    for (claims, id) in [
        (json!({"iss": ISSUER, "sub": "carol@district.example"}), made("carol@district.example")),
        // A user name that looks like an object id is still treated as a name.
        (json!({"iss": ISSUER, "sub": given}), made(given)),
        (json!({"iss": ISSUER, "sub": " x "}), made(" x ")),
        (json!({"iss": ISSUER, "sub": "x", "userId": given}), Some(given.to_owned())),
        (json!({"iss": ISSUER, "sub": "x", "userId": null}), made("x")),
        (json!({"iss": ISSUER, "sub": "x", "userId": "teacher-7"}), None),
        (json!({"iss": ISSUER, "sub": ""}), None),
        (json!({"iss": ISSUER, "sub": 7}), None),
        (json!({"sub": "x"}), None),
    ] {
        assert_eq!(of(claims.clone()), id, "{claims}");
    }
}

#[test]
fn configured_user_claim_is_used_if_the_token_has_no_user_id() {
    let rules = ClaimRules { user_claim: "oid".to_owned(), ..derived() };
    let of = |claims: Value| read(&rules, &claims).id;
    assert_eq!(of(json!({"iss": ISSUER, "sub": "a", "oid": "b"})), Some(derived_id(ISSUER, "b")));
    assert_eq!(of(json!({"iss": ISSUER, "sub": "a"})), None);
}

#[test]
fn roles_claim_may_be_a_list_or_a_text_and_the_highest_role_applies() {
    assert_eq!(role_in("roles", &json!({"roles": ["reader", 7, "other"]})), Some(Role::Reader));
    assert_eq!(role_in("roles", &json!({"roles": ["none", "Author", "READER"]})), Some(Role::Author));
    assert_eq!(role_in("scope", &json!({"scope": "openid  reader Admin"})), Some(Role::Admin));
    assert_eq!(role_in("roles", &json!({"scope": "admin"})), None);
    assert_eq!(role_in("roles", &json!({"roles": {"admin": true}})), None);
}

#[test]
fn claim_with_a_dot_in_its_name_takes_precedence_over_a_nested_claim() {
    let nested = json!({"realm_access": {"roles": ["admin"]}});
    assert_eq!(role_in("realm_access.roles", &nested), Some(Role::Admin));
    let both = json!({"realm_access": {"roles": ["admin"]}, "realm_access.roles": ["reader"]});
    assert_eq!(role_in("realm_access.roles", &both), Some(Role::Reader));
    assert_eq!(role_in("realm_access.roles.more", &nested), None);
    assert_eq!(role_in("", &nested), None);
}

#[test]
fn configured_role_names_are_translated_and_built_in_role_names_stay_valid() {
    let names = RoleNames::new([("Teachers", Role::Author), ("it", Role::Admin), ("reader", Role::None)]);
    let rules = ClaimRules { role_names: names, ..ClaimRules::default() };
    let role = |names: Value| read(&rules, &json!({"roles": names})).role;
    assert_eq!(role(json!(["teachers"])), Some(Role::Author));
    assert_eq!(role(json!(["pupils", "IT"])), Some(Role::Admin));
    assert_eq!(role(json!(["Reader"])), Some(Role::None));
    assert_eq!(role(json!(["admin"])), Some(Role::Admin));
    assert_eq!(role(json!(["pupils"])), None);
}

proptest! {
    #[test]
    fn derived_id_is_the_same_only_for_the_same_name_and_issuer(one in ".{1,40}", other in ".{1,40}") {
        prop_assert_eq!(derived_id(ISSUER, &one), derived_id(ISSUER, &one));
        prop_assert_eq!(one == other, derived_id(ISSUER, &one) == derived_id(ISSUER, &other));
        prop_assert_ne!(derived_id(ISSUER, &one), derived_id("https://id.example.org", &one));
    }

    #[test]
    fn token_names_a_user_only_by_an_object_id_unless_ids_are_derived(
        name in "[0-9a-fA-F]{22,26}|.{0,30}",
    ) {
        let id = read(&ClaimRules::default(), &json!({"iss": ISSUER, "sub": name})).id;
        prop_assert_eq!(id, name.parse::<ObjectId>().ok());
    }
}
