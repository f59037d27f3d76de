//! Passwords: which ones are accepted, and how many attempts are allowed.

use std::time::Duration;

use serde_json::{Map, Value};

use super::members::Members;
use super::schema::Violation;

/// Minimum length, in characters.
pub const SHORTEST: usize = 10;

/// Maximum length, in characters. A longer password would only cost hashing time.
pub const LONGEST: usize = 200;

/// Common passwords of sufficient length, in the form that [`is_easy`] compares: without trailing digits.
const COMMON: [&str; 18] = [
    "password",
    "passwordpassword",
    "passwort",
    "motdepasse",
    "contraseña",
    "changeme",
    "letmein",
    "iloveyou",
    "welcome",
    "qwerty",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "abcdefghij",
    "abcdefghijkl",
    "admin",
    "administrator",
    "fieldbook",
];

/// Number of attempts that are allowed in a row.
const FREE_ATTEMPTS: u32 = 5;

/// Interval after which one more attempt is allowed.
const WAIT: Duration = Duration::from_secs(60);

/// Prefix of all password hashes that this service creates: the algorithm, its version and its cost parameters.
const DIGEST: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

/// Returns whether a password hash has this service's parameters. Verifying other hashes could be much slower.
pub fn is_hash(text: &str) -> bool {
    let is_safe = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '+' | '/' | '$');
    text.strip_prefix(DIGEST).is_some_and(|rest| rest.chars().all(is_safe))
}

/// Returns what is wrong with a new password; `None` if it is accepted.
pub fn password_fault(password: &str) -> Option<String> {
    let length = password.chars().count();
    (!(SHORTEST..=LONGEST).contains(&length)).then(|| format!("must have {SHORTEST} to {LONGEST} characters"))
}

/// Returns whether a new password is easy to guess: a single repeated character, a common password, a sequence of
/// digits, or one of the person's `names`. For an e-mail address, the part before the `@` is compared as well. Trailing
/// digits are ignored.
pub fn is_easy<'n>(password: &str, names: impl IntoIterator<Item = &'n str>) -> bool {
    let letters = essence(password);
    let signs: Vec<char> = password.chars().filter(|c| !c.is_whitespace()).collect();
    let is_one_sign = signs.windows(2).all(|pair| pair[0] == pair[1]);
    let names = names.into_iter().flat_map(|name| [Some(name), name.rsplit_once('@').map(|(local, _)| local)]);
    let mut names = names.flatten().map(essence).filter(|name| !name.is_empty());
    is_one_sign || is_row(&signs) || COMMON.contains(&letters.as_str()) || names.any(|name| name == letters)
}

/// Returns whether more than half of these characters are digits that form an ascending or descending sequence, such as
/// 345 or 321. 9 and 0 count as adjacent.
fn is_row(signs: &[char]) -> bool {
    let digits: Vec<u32> = signs.iter().filter_map(|sign| sign.to_digit(10)).collect();
    let goes_by = |step: u32| digits.windows(2).all(|pair| (pair[0] + step) % 10 == pair[1]);
    digits.len() * 2 > signs.len() && (goes_by(1) || goes_by(9))
}

/// Returns the letters and digits of a text in lower case. Removes trailing digits, unless the text consists of digits
/// only.
fn essence(text: &str) -> String {
    let all: String = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let word = all.trim_end_matches(|c: char| c.is_ascii_digit());
    if word.is_empty() { all } else { word.to_owned() }
}

/// Returns why a password cannot be correct; `None` if it has to be checked.
pub fn attempt_fault(password: &str) -> Option<String> {
    (password.chars().count() > LONGEST).then(|| format!("has at most {LONGEST} characters"))
}

/// A new password that somebody chooses.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordChange {
    /// The new password.
    pub password: String,
    /// The old password, if it was given.
    pub current: Option<String>,
}

impl PasswordChange {
    const MEMBERS: [&str; 2] = ["password", "currentPassword"];

    /// Returns whether the body of a request changes the password instead of the person's other properties.
    pub fn is_in(body: &Map<String, Value>) -> bool {
        Self::MEMBERS.iter().any(|member| body.contains_key(*member))
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// What is wrong with each member.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut members = Members::of(body);
        let password = members.text("password", password_fault);
        let current = members.text("currentPassword", attempt_fault);
        members.require("password", password.is_some());
        members.refuse_others("a change of a password");
        match password {
            Some(password) if members.violations.is_empty() => Ok(Self { password, current }),
            _ => Err(members.violations),
        }
    }
}

/// Limits failed sign-in attempts for one account: five in a row, and one more after each minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttemptLimit {
    /// The time at which all attempts are available again. It has the same starting point as `now` in [`Self::next`].
    forgotten_at: Duration,
}

impl AttemptLimit {
    /// Counts an attempt before its result is known, so that concurrent attempts get no more chances than sequential
    /// ones.
    ///
    /// # Errors
    /// The time until the next attempt is allowed.
    pub fn next(self, now: Duration) -> Result<Self, Duration> {
        let forgotten_at = self.forgotten_at.max(now) + WAIT;
        let wait = forgotten_at.saturating_sub(now + WAIT * FREE_ATTEMPTS);
        if wait.is_zero() { Ok(Self { forgotten_at }) } else { Err(wait) }
    }

    /// Takes back the count of an attempt whose password was correct.
    #[must_use]
    pub fn without_one(self) -> Self {
        Self { forgotten_at: self.forgotten_at.saturating_sub(WAIT) }
    }
}
