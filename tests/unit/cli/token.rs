//! Unit tests of `src/cli/token.rs`.

use super::*;

#[test]
fn duration_option_is_parsed_only_as_a_whole_number_with_a_unit() {
    assert_eq!(duration("90s"), Some(Duration::from_secs(90)));
    assert_eq!(duration("7d"), Some(Duration::from_secs(7 * 86_400)));
    for text in ["", "h", "12", "0h", "-1h", "1.5h", "1y", "1é", "99999999999999999999d", "9999999999999999999d"] {
        assert_eq!(duration(text), None, "{text}");
    }
}
