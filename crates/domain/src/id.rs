//! Object ids: twelve bytes, written as 24 lower-case hexadecimal digits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::hex;
use super::time::Timestamp;

/// Id of an investigation, a chat, a link, a user, a dismissal or an API key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId([u8; 12]);

/// The error for a text that is not an object id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 24 hexadecimal digits")]
pub struct ObjectIdError;

impl ObjectId {
    /// Creates the id with these bytes.
    pub const fn from_bytes(bytes: [u8; 12]) -> Self {
        Self(bytes)
    }

    /// Returns the creation time, which the first four bytes contain in seconds.
    pub fn made_at(self) -> Timestamp {
        let seconds = self.0[..4].iter().fold(0_i64, |seconds, byte| seconds << 8 | i64::from(*byte));
        Timestamp(seconds * 1000)
    }

    /// Returns the last four bytes as a number. These bytes differ most between ids that were created at about the same
    /// time.
    pub fn low_bits(self) -> usize {
        self.0[8..].iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte))
    }
}

/// The digits of an id, in an array of fixed size: responses and statements contain many ids, and an allocation for
/// each would cost time.
struct Digits([u8; 24]);

impl Digits {
    fn of(id: &ObjectId) -> Self {
        let mut digits = [0; 24];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(id.0) {
            pair.copy_from_slice(&hex::pair(byte));
        }
        Self(digits)
    }

    fn as_str(&self) -> &str {
        // Hexadecimal digits are ASCII and so valid UTF-8. The conversion never fails, and the default is never used.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for ObjectId {
    type Err = ObjectIdError;

    /// Accepts upper-case and lower-case digits.
    fn from_str(text: &str) -> Result<Self, ObjectIdError> {
        let digits = text.as_bytes();
        if digits.len() != 24 {
            return Err(ObjectIdError);
        }
        let mut bytes = [0; 12];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |d: u8| char::from(d).to_digit(16).ok_or(ObjectIdError);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Digits::of(self).as_str())
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ObjectId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Digits::of(self).as_str())
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
