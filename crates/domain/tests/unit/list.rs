//! Unit tests of `crates/domain/src/list.rs`.

use super::*;

#[test]
fn a_parameter_that_is_not_taken_is_named() {
    let given = [
        ("limit", "0"),
        ("offset", "-1"),
        ("sortBy", "colour"),
        ("sortOrder", "up"),
        ("groupBy", "x"),
        ("status", "done"),
        ("author", "me"),
        ("cursor", "?"),
        ("limit", "5"),
        ("utm", "x"),
    ];
    let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let named: Vec<_> = ListQuery::read(&given)
        .expect_err("refused")
        .into_iter()
        .map(|v| format!("{} {}", v.path, v.message))
        .collect();
    assert_eq!(
        named,
        [
            "limit must appear once",
            "offset must be a whole number from 0 to 9223372036854775807",
            "sortBy must be one of createdAt, updatedAt, title, grade, curriculum, status",
            "sortOrder must be one of asc, desc",
            "groupBy must be one of curriculum, none",
            "status must be one of draft_incomplete, draft_non_contradictory_complete, draft_contradictory_complete, in_development, published",
            "author must be an object identifier (24 hexadecimal digits)",
            "cursor must be the nextCursor of a page with the same filters and order",
        ]
    );
}
