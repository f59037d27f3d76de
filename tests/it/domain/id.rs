//! Object identifiers: twelve bytes, written as 24 lower-case hexadecimal digits.

use fieldbook::domain::id::*;
use fieldbook::domain::time::Timestamp;

#[test]
fn malformed_object_ids_are_rejected() {
    for text in [
        "",
        "0123456789abcdef0123456",
        "0123456789abcdef012345678",
        "0123456789abcdef0123456g",
        "+123456789abcdef01234567",
        "éééééééééééé",
    ] {
        assert_eq!(text.parse::<ObjectId>(), Err(ObjectIdError), "{text}");
    }
}

#[test]
fn object_id_starts_with_its_creation_second_and_ends_with_random_bits() {
    let id: ObjectId = "6920227f0000000001020304".parse().expect("an id");
    assert_eq!(id.made_at(), Timestamp(0x6920_227f * 1000));
    assert_eq!(id.low_bits(), 0x0102_0304);
}
