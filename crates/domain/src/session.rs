//! Sessions of people on the page, and links with which people sign in.

use std::time::Duration;

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::id::ObjectId;
use super::time::Timestamp;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A session ends if it is not used for this long.
pub const IDLE: Duration = HOUR.saturating_mul(12);

/// Maximum lifetime of a session, even if it is in use.
pub const LONGEST: Duration = DAY.saturating_mul(30);

/// Maximum lifetime of a session that began with a provider, because only the provider knows who has left the school.
const LONGEST_OF_PROVIDER: Duration = HOUR.saturating_mul(12);

/// Time for which a sign-in link is valid.
pub const LINK_VALIDITY: Duration = DAY.saturating_mul(7);

/// Sessions and links that seem to begin later than this from now are not accepted: they were made while the clock was
/// ahead, and would otherwise be valid for as long as it was ahead.
const AHEAD: Duration = HOUR;

/// For this long after signing in with a link, a person may choose a new password without giving the old one.
const CHOICE: Duration = MINUTE.saturating_mul(15);

/// Minimum time between two updates of the stored time of last use.
pub const RESOLUTION: Duration = MINUTE.saturating_mul(5);

/// How a caller authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SignedInBy {
    /// A bearer token.
    Token,
    /// An API key.
    Key,
    /// A session that began with a sign-in at the provider.
    Provider,
    /// A session that began with a password.
    Password,
    /// A session that began with a sign-in link.
    Link,
}

/// A session of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Digest of the text in the cookie.
    pub digest: String,
    /// The person who signed in.
    pub person: ObjectId,
    /// How the session began.
    pub by: SignedInBy,
    /// When the session began.
    pub created_at: Timestamp,
    /// When the session was last used. The stored time is updated at most every few minutes.
    pub last_used_at: Timestamp,
}

impl Session {
    /// Returns when the session ends if it is not used any more.
    pub fn ends_at(&self) -> Timestamp {
        let longest = if self.by == SignedInBy::Provider { LONGEST_OF_PROVIDER } else { LONGEST };
        self.last_used_at.later_by(IDLE).min(self.created_at.later_by(longest))
    }

    /// Returns whether the person may choose a new password without giving the old one.
    pub fn may_choose_password(&self, now: Timestamp) -> bool {
        self.by == SignedInBy::Link && now < self.created_at.later_by(CHOICE)
    }

    /// Returns whether the session has ended.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.ends_at() <= now || self.created_at > now.later_by(AHEAD)
    }
}

/// Returns whether a sign-in link that was made at this time is still valid.
pub fn is_link_valid(made_at: Timestamp, now: Timestamp) -> bool {
    now < made_at.later_by(LINK_VALIDITY) && made_at <= now.later_by(AHEAD)
}
