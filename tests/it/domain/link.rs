//! The days on which a link was visited.

use fieldbook::domain::link::*;

#[test]
fn visit_day_is_valid_only_if_it_is_a_calendar_date_of_ten_characters() {
    assert!(is_day("2028-02-29"));
    for text in ["2026-02-29", "2026-2-09", "02026-02-09", "2026-02-09Z", ""] {
        assert!(!is_day(text), "{text}");
    }
}
