//! Unit tests of `src/cli/import/links.rs`.

use serde_json::json;

use super::super::extended::plain_document;
use super::super::members::Account;
use super::*;
use crate::domain::time::Timestamp;

/// Returns whether a link with this member is imported as closed, or the reason why it is left out.
fn closed(field: &str, value: Value) -> Result<bool, String> {
    let id = "65a000000000000000000001";
    let mut document = json!({"key": "class", "subLink": "a", "investigationId": {"$oid": id}});
    document[field] = value;
    let mut account = Account::of(&document);
    let document = plain_document(document, &mut account)?;
    let link = read(id.parse().expect("an id"), Members::of(document, &mut account, "it is not a field of a link"))?;
    assert_eq!((account.kept + account.mapped, account.reported), (4, 0), "{field} is taken");
    Ok(link.is_closed(Timestamp(1_700_000_000_000)))
}

#[test]
fn a_link_that_was_closed_in_any_way_is_closed_and_one_that_was_open_is_open() {
    let (past, future) = (json!({"$date": "2023-01-01T00:00:00Z"}), json!({"$date": "2024-01-01T00:00:00Z"}));
    for (names, closes, opens) in [
        (OPEN_IF_TRUE, vec![json!(false), json!(0), json!("False")], vec![json!(true), json!(1), json!("true")]),
        (CLOSED_IF_TRUE, vec![json!(true), json!(1), json!("TRUE")], vec![json!(false), json!(0), json!("false")]),
        (CLOSED_IF_SET, vec![past.clone(), json!(1_600_000_000_000_i64)], vec![]),
        (STATUSES, vec![json!("Inactive"), json!("deleted"), json!(" paused ")], vec![json!("active"), json!("LIVE")]),
        (EXPIRES, vec![past, json!("2023-06-30T12:00:00+02:00"), json!(1_600_000_000_000_i64)], vec![future]),
        (MAX_VISITS, vec![], vec![json!({"$numberLong": "5"})]),
    ] {
        for field in names.split(' ') {
            closes.iter().for_each(|value| assert_eq!(closed(field, value.clone()), Ok(true), "{field} {value}"));
            opens.iter().for_each(|value| assert_eq!(closed(field, value.clone()), Ok(false), "{field} {value}"));
            assert_eq!(closed(field, Value::Null), Ok(false), "{field}");
        }
    }
}

#[test]
fn a_link_that_may_have_been_closed_is_left_out() {
    for (field, value, words) in [
        ("isActive", json!("perhaps"), "is left out: its isActive says neither open nor closed"),
        ("disabled", json!({"by": "Anna"}), "is left out: its disabled says neither open nor closed"),
        ("deletedAt", json!("last week"), "is left out: its deletedAt says neither open nor closed"),
        ("status", json!("waiting"), "is left out: its status says neither open nor closed"),
        ("expiresAt", json!("2023-06-30"), "is left out: its expiresAt is not a time"),
        ("expiresAt", json!(1_700_000_000), "is left out: its expiresAt is not a time"),
        ("expiresAt", json!({"$date": "soon"}), "is left out: its expiresAt cannot be read"),
        ("isActive", json!({"$numberDouble": "NaN"}), "is left out: its isActive cannot be read"),
        ("maxClicks", json!("ten"), "is left out: its maxClicks is not a number of visits"),
        ("maxVisits", json!({"$numberDouble": "Infinity"}), "is left out: its maxVisits cannot be read"),
        ("visits", json!("31"), "is left out: its visits is not a number of visits"),
    ] {
        assert_eq!(closed(field, value), Err(words.to_owned()));
    }
}
