//! The size of content that is stored.

use fieldbook::domain::json::MAX_BYTES;
use fieldbook::domain::request::oversize;
use serde_json::json;

#[test]
fn content_is_too_large_from_one_byte_more_than_the_limit() {
    let frame = r#"{"text":""}"#.len();
    for (sign, bytes) in [("x", 1), ("\u{1}", 6), ("é", 2)] {
        let of = |signs: usize| json!({"text": sign.repeat(signs)}).as_object().cloned().expect("an object");
        let fit = (MAX_BYTES - frame) / bytes;
        assert_eq!(oversize(&of(fit)), None, "{sign:?}");
        assert_eq!(oversize(&of(fit + 1)), Some(frame + (fit + 1) * bytes), "{sign:?}");
    }
}
