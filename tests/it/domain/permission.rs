//! Permissions: laws that are true for every caller, operation and investigation.

use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::*;

const OPERATIONS: [Operation; 5] =
    [Operation::Read, Operation::Create, Operation::Change, Operation::Own, Operation::Administer];

fn id(byte: u8) -> ObjectId {
    ObjectId::from_bytes([byte; 12])
}

/// Returns callers with every combination of roles, for three users and for no user.
fn callers() -> Vec<Principal> {
    let users = [None, Some(id(1)), Some(id(2)), Some(id(3))];
    let roles = [(false, false), (false, true), (true, false), (true, true)];
    let all = users.into_iter().flat_map(|user| roles.map(|roles| (user, roles)));
    all.map(|(user, (admin, reader))| Principal { user, roles: Roles { admin, reader }, key: None }).collect()
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
fn an_admin_may_do_everything_and_everybody_may_read() {
    for_each(|caller, operation, ownership, editing| {
        if caller.roles.admin || operation == Operation::Read {
            assert_eq!(decide(caller, operation, Some(ownership), editing), Ok(()), "{caller:?} {operation:?}");
        }
    });
}

#[test]
fn a_reader_who_is_no_admin_changes_nothing() {
    for_each(|caller, operation, ownership, editing| {
        if caller.roles == (Roles { admin: false, reader: true }) && operation != Operation::Read {
            assert!(decide(caller, operation, Some(ownership), editing).is_err(), "{caller:?} {operation:?}");
        }
    });
}

#[test]
fn what_the_roles_alone_refuse_no_investigation_allows() {
    for_each(|caller, operation, ownership, editing| {
        if let Err(denial) = decide(caller, operation, None, editing) {
            assert_eq!(decide(caller, operation, Some(ownership), editing), Err(denial), "{caller:?} {operation:?}");
        }
    });
}

#[test]
fn one_more_editor_takes_no_permission_away_and_gives_it_to_no_other_user() {
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
fn where_only_authors_edit_a_user_without_a_role_changes_what_is_theirs() {
    for_each(|caller, operation, ownership, editing| {
        if caller.roles == Roles::default() && operation == Operation::Change && editing == Editing::Author {
            let is_theirs =
                caller.user.is_some_and(|user| ownership.author == Some(user) || ownership.editors.contains(&user));
            let expected = if is_theirs { Ok(()) } else { Err(Denial::NotYours { author: ownership.author }) };
            assert_eq!(decide(caller, operation, Some(ownership), editing), expected, "{caller:?}");
        }
    });
}

#[test]
fn only_the_author_and_admins_decide_over_an_investigation() {
    for_each(|caller, operation, ownership, editing| {
        if operation == Operation::Own && caller.roles == Roles::default() {
            let is_author = caller.user.is_some() && caller.user == ownership.author;
            let expected = if is_author { Ok(()) } else { Err(Denial::NotAuthor { author: ownership.author }) };
            assert_eq!(decide(caller, operation, Some(ownership), editing), expected, "{caller:?}");
        }
    });
}

#[test]
fn unknown_roles_are_ignored() {
    let roles = Roles::from_names(["reader", "Admin", "billing", ""]);
    assert_eq!((roles, roles.names()), (Roles { admin: false, reader: true }, vec!["reader"]));
}
