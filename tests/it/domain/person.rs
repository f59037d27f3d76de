//! People: their roles, changes of them, and searches for them.

use fieldbook::domain::id::ObjectId;
use fieldbook::domain::named::Named;
use fieldbook::domain::permission::{PermissionError, Role};
use fieldbook::domain::person::*;
use fieldbook::domain::time::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

fn someone(role: Option<Role>, status: PersonStatus) -> Person {
    Person {
        id: ObjectId::from_bytes([1; 12]),
        name: Some("Ada".to_owned()),
        email: None,
        role,
        provider_role: None,
        status,
        created_at: Timestamp(0),
        last_sign_in_at: None,
        origin: Origin::Here,
    }
}

fn roles() -> impl Strategy<Value = Role> {
    select(Role::ALL)
}

fn statuses() -> impl Strategy<Value = PersonStatus> {
    select(&[PersonStatus::Invited, PersonStatus::Active, PersonStatus::Disabled, PersonStatus::Erased][..])
}

fn granted() -> impl Strategy<Value = GrantedRole> {
    prop_oneof![
        Just(GrantedRole::Unsaid),
        Just(GrantedRole::AtSignIn),
        roles().prop_map(GrantedRole::Given),
        roles().prop_map(GrantedRole::AtMost),
    ]
}

proptest! {
    #[test]
    fn disabled_and_erased_people_are_refused_with_any_credential(
        granted in granted(), set_here in proptest::option::of(roles()), status in statuses(), default in roles()
    ) {
        let person = someone(set_here, status);
        let role = role(granted, Some(&person), default);
        let is_refused = matches!(status, PersonStatus::Disabled | PersonStatus::Erased);
        prop_assert_eq!(role == Err(PermissionError::Disabled), is_refused);
    }

    #[test]
    fn directory_role_overrides_the_token_role_and_never_exceeds_the_api_key_role(
        granted in granted(), set_here in roles(), default in roles()
    ) {
        let known = role(granted, Some(&someone(Some(set_here), PersonStatus::Active)), default);
        match granted {
            GrantedRole::Unsaid | GrantedRole::AtSignIn | GrantedRole::Given(_) => prop_assert_eq!(known, Ok(set_here)),
            GrantedRole::AtMost(most) => prop_assert_eq!(known, Ok(most.min(set_here))),
        }
    }

    #[test]
    fn person_outside_the_directory_has_the_role_of_the_token_or_the_default_role(
        granted in granted(),
        default in roles(),
    ) {
        let expected = match granted {
            GrantedRole::Unsaid | GrantedRole::AtSignIn => default,
            GrantedRole::Given(role) | GrantedRole::AtMost(role) => role,
        };
        prop_assert_eq!(role(granted, None, default), Ok(expected));
    }

    #[test]
    fn person_without_a_directory_role_has_the_role_of_the_token_or_the_default_role(
        granted in granted(), default in roles()
    ) {
        let expected = match granted {
            GrantedRole::Unsaid | GrantedRole::AtSignIn => default,
            GrantedRole::Given(role) => role,
            GrantedRole::AtMost(role) => role.min(default),
        };
        prop_assert_eq!(role(granted, Some(&someone(None, PersonStatus::Active)), default), Ok(expected));
    }

    #[test]
    fn role_from_the_provider_applies_only_to_sessions_begun_at_the_provider(said in roles(), default in roles()) {
        let person = Person { provider_role: Some(said), ..someone(None, PersonStatus::Active) };
        prop_assert_eq!(role(GrantedRole::AtSignIn, Some(&person), default), Ok(said));
        prop_assert_eq!(role(GrantedRole::Unsaid, Some(&person), default), Ok(default));
    }

    #[test]
    fn person_is_found_by_the_prefix_of_any_word_in_their_name(
        name in "[A-Za-zÀ-ž]{1,8}( [A-Za-zÀ-ž]{1,8}){0,3}",
        part in 0_usize..4,
        length in 2_usize..8,
    ) {
        let words: Vec<&str> = name.split(' ').collect();
        let beginning: String = words[part % words.len()].chars().take(length).collect();
        prop_assume!(beginning.chars().count() >= 2);
        if let Ok(search) = PersonSearch::read(&beginning) {
            let words = name_words(&name);
            prop_assert!(search.beginnings.iter().all(|word| words.contains(word.as_str())), "{search:?} {words:?}");
        }
    }

    #[test]
    fn change_of_a_person_lists_exactly_the_properties_that_differ(
        name in proptest::option::of("[a-c]"), role in proptest::option::of(proptest::option::of(roles())),
        status in proptest::option::of(select(&[PersonStatus::Active, PersonStatus::Disabled][..]))
    ) {
        let before = Person { last_sign_in_at: Some(Timestamp(0)), ..someone(Some(Role::Author), PersonStatus::Active) };
        let change = PersonChange { name, email: None, role, status };
        let (after, changed) = change.apply(&before).expect("a change");
        prop_assert_eq!(changed.is_empty(), after == before);
        let again = change.apply(&after).expect("a change");
        prop_assert_eq!(again, (after, Vec::new()));
    }
}

#[test]
fn email_address_is_accepted_only_with_a_name_and_a_host() {
    for valid in ["ada@school.example", "ÅSA@skola.example", "a+b@c"] {
        assert_eq!(email_fault(valid), None, "{valid}");
    }
    for wrong in ["", "ada", "@school", "ada@", "a@b@c", "a b@c", "a@b\n", &format!("{}@b", "a".repeat(253))] {
        assert!(email_fault(wrong).is_some(), "{wrong}");
    }
    assert_eq!(email_key("ÅSA@Skola.example"), "åsa@skola.example");
}

#[test]
fn person_without_the_admin_role_may_change_only_a_name() {
    let all = json!({"name": "Ada", "email": "ada@school.example", "role": "reader", "status": "disabled"});
    let all = all.as_object().expect("an object");
    assert!(PersonChange::read(all, true).is_ok());
    let refused = PersonChange::read(all, false).expect_err("a refusal");
    assert_eq!(refused.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), ["email", "role", "status"]);
}

#[test]
fn activated_person_who_never_signed_in_gets_the_status_invited() {
    let active = PersonChange { status: Some(PersonStatus::Active), ..PersonChange::default() };
    let after = |status, last_sign_in_at| {
        let before = Person { last_sign_in_at, ..someone(Some(Role::Admin), status) };
        active.apply(&before).expect("a change").0.status
    };
    for before in [PersonStatus::Invited, PersonStatus::Disabled, PersonStatus::Erased] {
        assert_eq!(after(before, None), PersonStatus::Invited, "{before}");
    }
    for before in [PersonStatus::Disabled, PersonStatus::Erased] {
        assert_eq!(after(before, Some(Timestamp(0))), PersonStatus::Active, "{before}");
    }
}

#[test]
fn erased_person_cannot_be_changed_until_made_active_again() {
    let erased = Person { name: None, ..someone(None, PersonStatus::Erased) };
    let named = PersonChange { name: Some("Ada".to_owned()), ..PersonChange::default() };
    assert_eq!(named.apply(&erased), None);
    assert_eq!(PersonChange { status: Some(PersonStatus::Disabled), ..named.clone() }.apply(&erased), None);
    let (after, changed) =
        PersonChange { status: Some(PersonStatus::Active), ..named }.apply(&erased).expect("a change");
    assert_eq!((after.name.as_deref(), changed), (Some("Ada"), vec!["name", "status"]));
}

#[test]
fn person_name_with_hidden_or_direction_changing_characters_is_refused() {
    for valid in ["Ada", "Åsa Öberg", "نگار می\u{200c}خواهد", "👩\u{fe0f} Ada"] {
        assert_eq!(name_fault(valid), None, "{valid}");
    }
    for wrong in ["", " ", "\u{200c}", "Ada\n", "Ada\u{202e}nimda", "Ada\u{2066}x", "Ad\u{200b}a", "A\u{ad}da"] {
        assert!(name_fault(wrong).is_some(), "{wrong:?}");
    }
}

#[test]
fn people_search_needs_two_letters_in_a_word_and_at_most_four_words() {
    for wrong in ["", " ", "a", "a!", "%%", "a b", "ab c d e f", &"a".repeat(101)] {
        assert!(PersonSearch::read(wrong).is_err(), "{wrong}");
    }
    assert_eq!(PersonSearch::read("Ma ödE").expect("a search").beginnings, [" ma", " ode"]);
}
