//! Moments: milliseconds since 1970-01-01T00:00:00Z, written in RFC 3339 with three decimals, in UTC.

use std::fmt;

use serde::{Serialize, Serializer};

/// A moment with the resolution of a millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The day in UTC, as `YYYY-MM-DD`.
    pub fn day(self) -> String {
        let mut day = self.to_string();
        day.truncate(day.find('T').unwrap_or(day.len()));
        day
    }

    /// Reads a date as HTTP headers write it: `Sat, 21 Nov 2026 08:00:00 GMT`.
    pub fn from_http_date(text: &str) -> Option<Self> {
        let moment = jiff::fmt::rfc2822::parse(text).ok()?;
        Some(Self(moment.timestamp().as_millisecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Out of range only for a clock some 9,000 years off: shown as the nearest moment that has a name.
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        });
        write!(f, "{moment:.3}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc_with_milliseconds() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp(1_795_219_200_007).to_string(), "2026-11-21T00:00:00.007Z");
        assert_eq!(Timestamp(1_795_219_200_007).day(), "2026-11-21");
        assert_eq!(Timestamp(-1).to_string(), "1969-12-31T23:59:59.999Z");
    }
}
