//! The days on which a link was visited.

use fieldbook::domain::link::*;

#[test]
fn day_has_ten_characters_and_is_in_the_calendar() {
    assert!(is_day("2028-02-29"));
    for text in ["2026-02-29", "2026-2-09", "02026-02-09", "2026-02-09Z", ""] {
        assert!(!is_day(text), "{text}");
    }
}
