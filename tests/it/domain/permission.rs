//! Permissions: rules that hold for every caller, operation and investigation.

use fieldbook::domain::id::ObjectId;
use fieldbook::domain::named::Named;
use fieldbook::domain::permission::*;

const OPERATIONS: [Operation; 5] =
    [Operation::Read, Operation::Create, Operation::Change, Operation::Own, Operation::Administer];

fn id(byte: u8) -> ObjectId {
    ObjectId::from_bytes([byte; 12])
}

/// Returns callers with every role, for three users and for no user.
fn callers() -> Vec<Principal> {
    let users = [None, Some(id(1)), Some(id(2)), Some(id(3))];
    let all = users.into_iter().flat_map(|user| Role::ALL.iter().map(move |role| (user, *role)));
    all.map(|(user, role)| Principal { user, role, key: None }).collect()
}

/// Calls `check` with every caller, operation, author, list of editors and setting.
fn for_each(check: impl Fn(Principal, Operation, Ownership<'_>, Editing)) {
    for caller in callers() {
        for operation in OPERATIONS {
            for author in [None, Some(id(1)), Some(id(2))] {
                for editors in [&[][..], &[id(2)], &[id(1), id(3)]] {
                    for editing in [Editing::Anyone, Editing::Author] {
                        check(caller, operation, Ownership { author, editors }, editing);
                    }
                }
            }
        }
    }
}

#[test]
fn admin_may_do_everything_and_a_caller_without_a_role_nothing() {
    for_each(|caller, operation, ownership, editing| {
        let decided = decide(caller, operation, Some(ownership), editing);
        match caller.role {
            Role::Admin => assert_eq!(decided, Ok(()), "{caller:?} {operation:?}"),
            Role::None => assert_eq!(decided, Err(PermissionError::NoRole), "{caller:?} {operation:?}"),
            Role::Reader => assert_eq!(decided.is_ok(), operation == Operation::Read, "{caller:?} {operation:?}"),
            Role::Author => assert!(decided.is_ok() || operation != Operation::Read, "{caller:?} {operation:?}"),
        }
    });
}

#[test]
fn higher_role_has_all_permissions_of_a_lower_role() {
    for_each(|caller, operation, ownership, editing| {
        for higher in Role::ALL.iter().copied().filter(|role| *role > caller.role) {
            let before = decide(caller, operation, Some(ownership), editing);
            let after = decide(Principal { role: higher, ..caller }, operation, Some(ownership), editing);
            assert!(before.is_err() || after.is_ok(), "{caller:?} {operation:?} {higher}");
        }
    });
}

#[test]
fn operation_refused_for_a_role_is_refused_on_every_investigation() {
    for_each(|caller, operation, ownership, editing| {
        if let Err(denial) = decide(caller, operation, None, editing) {
            assert_eq!(decide(caller, operation, Some(ownership), editing), Err(denial), "{caller:?} {operation:?}");
        }
    });
}

#[test]
fn adding_an_editor_changes_no_permission_of_other_users() {
    for_each(|caller, operation, ownership, editing| {
        let more: Vec<ObjectId> = ownership.editors.iter().copied().chain([id(3)]).collect();
        let before = decide(caller, operation, Some(ownership), editing);
        let after = decide(caller, operation, Some(Ownership { editors: &more, ..ownership }), editing);
        assert!(before.is_err() || after.is_ok(), "{caller:?} {operation:?}");
        if caller.user != Some(id(3)) {
            assert_eq!(before, after, "{caller:?} {operation:?}");
        }
    });
}

#[test]
fn restricted_editing_lets_the_author_role_change_only_what_the_user_wrote_or_is_an_editor_of() {
    for_each(|caller, operation, ownership, editing| {
        if caller.role == Role::Author && operation == Operation::Change && editing == Editing::Author {
            let is_theirs =
                caller.user.is_some_and(|user| ownership.author == Some(user) || ownership.editors.contains(&user));
            let refused =
                caller.user.map_or(PermissionError::NoUser, |_| PermissionError::NotYours { author: ownership.author });
            let expected = if is_theirs { Ok(()) } else { Err(refused) };
            assert_eq!(decide(caller, operation, Some(ownership), editing), expected, "{caller:?}");
        }
    });
}

#[test]
fn only_the_author_and_admins_have_owner_permissions() {
    for_each(|caller, operation, ownership, editing| {
        if operation == Operation::Own && caller.role == Role::Author {
            let is_author = caller.user.is_some() && caller.user == ownership.author;
            let refused = caller
                .user
                .map_or(PermissionError::NoUser, |_| PermissionError::NotAuthor { author: ownership.author });
            let expected = if is_author { Ok(()) } else { Err(refused) };
            assert_eq!(decide(caller, operation, Some(ownership), editing), expected, "{caller:?}");
        }
    });
}

#[test]
fn role_is_parsed_without_regard_to_case() {
    for &role in Role::ALL {
        assert_eq!(role.name().to_uppercase().parse(), Ok(role));
    }
    for other in ["billing", "", " admin", "admins"] {
        assert!(other.parse::<Role>().is_err(), "{other}");
    }
}
