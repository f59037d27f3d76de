//! Unit tests of `crates/domain/src/request.rs`.

use super::*;
use proptest::prelude::*;
use serde_json::json;

proptest! {
    #[test]
    fn no_value_takes_more_bytes_than_is_thought(value in super::super::json::arbitrary()) {
        prop_assert!(value.to_string().len() <= most_bytes(&value), "{value}");
    }
}

#[test]
fn content_is_too_large_from_the_first_byte_on_that_is_too_much() {
    let frame = r#"{"text":""}"#.len();
    for (sign, bytes) in [("x", 1), ("\u{1}", 6), ("é", 2)] {
        let of = |signs: usize| json!({"text": sign.repeat(signs)}).as_object().cloned().expect("an object");
        let fit = (MAX_BYTES - frame) / bytes;
        assert_eq!(content_fault(&of(fit)), None, "{sign:?}");
        let bytes = frame + (fit + 1) * bytes;
        assert_eq!(content_fault(&of(fit + 1)), Some(ContentFault::TooLarge { bytes }), "{sign:?}");
    }
}
