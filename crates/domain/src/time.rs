//! Times in milliseconds since 1970-01-01T00:00:00Z. As text, they are written in RFC 3339 in UTC, with three decimals.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A time in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Returns the day in UTC, as `YYYY-MM-DD`.
    pub fn day(self) -> String {
        let mut day = self.to_string();
        day.truncate(day.find('T').unwrap_or(day.len()));
        day
    }

    /// Returns this time plus `wait`; the maximum time if the sum is out of range.
    pub fn later_by(self, wait: std::time::Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Returns this time minus `span`; the minimum time if the difference is out of range.
    pub fn earlier_by(self, span: std::time::Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Returns the time since `earlier`; zero if `earlier` is later than this time.
    pub fn since(self, earlier: Self) -> std::time::Duration {
        std::time::Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or_default())
    }

    /// Parses a time in RFC 3339 with any offset; `None` if the text is invalid or more precise than a millisecond.
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        let moment: jiff::Timestamp = text.parse().ok()?;
        (moment.subsec_nanosecond() % 1_000_000 == 0).then(|| Self(moment.as_millisecond()))
    }

    /// Parses a date of an HTTP header, such as `Sat, 21 Nov 2026 08:00:00 GMT`; `None` if the text is invalid.
    pub fn from_http_date(text: &str) -> Option<Self> {
        let moment = jiff::fmt::rfc2822::parse(text).ok()?;
        Some(Self(moment.timestamp().as_millisecond()))
    }

    /// Returns the date for an HTTP header, such as `Sat, 21 Nov 2026 08:00:00 GMT`; `None` beyond the year 9999.
    pub fn http_date(self) -> Option<String> {
        let moment = jiff::Timestamp::from_millisecond(self.0).ok()?;
        jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&moment).ok()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only a clock that is wrong by thousands of years gives a time out of range. Such a time is written as the
        // nearest valid time.
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

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::from_rfc3339(&text)
            .ok_or_else(|| serde::de::Error::custom("must be a time such as 2026-11-21T08:00:00.000Z"))
    }
}
