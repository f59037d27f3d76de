//! Timestamps: milliseconds since 1970-01-01T00:00:00Z, written in RFC 3339 in UTC with three decimals.

use std::time::Duration;

use fieldbook::domain::time::*;

#[test]
fn timestamp_is_written_in_utc_with_milliseconds() {
    assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
    assert_eq!(Timestamp(1_795_219_200_007).to_string(), "2026-11-21T00:00:00.007Z");
    assert_eq!(Timestamp(1_795_219_200_007).day(), "2026-11-21");
    assert_eq!(Timestamp(-1).to_string(), "1969-12-31T23:59:59.999Z");
}

#[test]
fn timestamps_written_as_text_are_read_back_without_rounding() {
    for moment in [0, -1, 1_795_219_200_007, 253_402_207_200_999] {
        assert_eq!(Timestamp::from_rfc3339(&Timestamp(moment).to_string()), Some(Timestamp(moment)));
    }
    assert_eq!(Timestamp::from_rfc3339("1970-01-01T01:00:00+01:00"), Some(Timestamp(0)));
    for text in ["1970-01-01T00:00:00.0001Z", "1970-01-01", "", "now"] {
        assert_eq!(Timestamp::from_rfc3339(text), None, "{text}");
    }
}

#[test]
fn timestamp_arithmetic_saturates_instead_of_overflowing() {
    let wait = Duration::from_millis(1500);
    assert_eq!(Timestamp(7).later_by(wait), Timestamp(1507));
    assert_eq!(Timestamp(i64::MAX).later_by(wait), Timestamp(i64::MAX));
    assert_eq!(Timestamp(1507).since(Timestamp(7)), wait);
    assert_eq!(Timestamp(7).since(Timestamp(1507)), Duration::ZERO);
}

#[test]
fn http_date_is_parsed() {
    assert_eq!(Timestamp::from_http_date("Thu, 01 Jan 1970 00:00:02 GMT"), Some(Timestamp(2000)));
    assert_eq!(Timestamp::from_http_date("tomorrow"), None);
}

#[test]
fn timestamp_after_the_year_9999_has_no_http_date() {
    let date = |moment| Timestamp(moment).http_date();
    assert_eq!(date(1_795_248_000_000).as_deref(), Some("Sat, 21 Nov 2026 08:00:00 GMT"));
    assert_eq!(date(253_402_207_200_000).as_deref(), Some("Thu, 30 Dec 9999 22:00:00 GMT"));
    assert_eq!((date(253_402_300_800_000), date(i64::MAX), date(i64::MIN)), (None, None, None));
}
