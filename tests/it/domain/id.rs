//! Object identifiers: twelve bytes, written as 24 lower-case hexadecimal digits.

use fieldbook::domain::id::*;

#[test]
fn upper_case_is_taken_and_kept_as_lower_case() {
    let id: ObjectId = "0123456789ABCDEFabcdef01".parse().expect("an id");
    assert_eq!(id.to_string(), "0123456789abcdefabcdef01");
}

#[test]
fn anything_else_is_no_identifier() {
    for text in [
        "",
        "0123456789abcdef0123456",
        "0123456789abcdef012345678",
        "0123456789abcdef0123456g",
        "+123456789abcdef01234567",
        "éééééééééééé",
    ] {
        assert_eq!(text.parse::<ObjectId>(), Err(NotAnObjectId), "{text}");
    }
}
