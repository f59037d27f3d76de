//! Which stored state a copied API key may replace, and how two states of a key differ.

use fieldbook::domain::api_key::ApiKey;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::Roles;
use fieldbook::domain::time::Timestamp;

fn key(last_used_at: Option<i64>, revoked_at: Option<i64>) -> ApiKey {
    ApiKey {
        id: ObjectId::from_bytes([1; 12]),
        name: "Night export".to_owned(),
        user: ObjectId::from_bytes([2; 12]),
        roles: Roles::from_names(["reader"]),
        digest: vec![3; 32],
        created_at: Timestamp(1),
        last_used_at: last_used_at.map(Timestamp),
        revoked_at: revoked_at.map(Timestamp),
    }
}

#[test]
fn a_key_replaces_only_an_older_state_of_itself() {
    let newer = Some("was used or revoked later");
    for (new, old, fault) in [
        ((None, None), (None, None), None),
        ((Some(5), Some(6)), (None, None), None),
        ((Some(5), Some(6)), (Some(4), Some(6)), None),
        ((Some(4), None), (Some(5), None), newer),
        ((None, None), (Some(5), None), newer),
        ((Some(9), None), (Some(5), Some(6)), newer),
        ((Some(5), Some(7)), (Some(5), Some(6)), newer),
    ] {
        assert_eq!(key(new.0, new.1).replace_fault(&key(old.0, old.1)), fault, "{new:?} over {old:?}");
    }
    let another = ApiKey { digest: vec![4; 32], ..key(None, None) };
    assert_eq!(key(None, None).replace_fault(&another), Some("has another secret"));
}

#[test]
fn the_parts_that_differ_are_named_and_the_secret_is_not_shown() {
    let (one, other) = (key(None, None), ApiKey { digest: vec![4; 32], ..key(Some(5), None) });
    assert_eq!(one.differences(&one), [""; 0]);
    assert_eq!(one.differences(&other), ["the secret", "the last use"]);
}
