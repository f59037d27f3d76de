//! Hashes and verifies passwords, and limits the attempts.
//!
//! A hash takes 19 MiB and several milliseconds on purpose. So hashes are not made on the threads that serve requests,
//! and only a few are made at the same time: nobody can use up memory or CPU time by guessing passwords.

use std::sync::LazyLock;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use aws_lc_rs::digest::{SHA256, digest};
use parking_lot::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::admission::{ATTEMPT_BYTES, Actor, Pool, WAIT};
use crate::cache::LruCache;
use crate::clock::Clock;
use crate::domain::password::AttemptLimit;
use crate::domain::secret_token::{self, SecretToken};

/// Maximum number of hashes that are made at the same time. Each client address can make only one at a time.
const AT_ONCE: u32 = 2;

/// Minimum time between two audit entries about wrong passwords for one e-mail address.
const NOTED: Duration = Duration::from_secs(60);

/// Key of an entry: the prefix of a digest, so that long e-mail addresses evict no more entries than short ones.
type Key = [u8; 16];

fn key(text: &str) -> Key {
    digest(&SHA256, text.as_bytes()).as_ref().first_chunk().copied().unwrap_or_default()
}

/// A hash that is verified if there is no password, so that the response takes the same time. Its password is unknown.
static NOBODY: LazyLock<Option<String>> = LazyLock::new(|| {
    let unknown = SecretToken::new(&[0; secret_token::BYTES]).digest();
    hash(unknown.as_bytes(), &[0; 16])
});

fn hash(password: &[u8], salt: &[u8; 16]) -> Option<String> {
    let hash = Argon2::default().hash_password_with_salt(password, salt).ok()?;
    Some(hash.to_string())
}

/// Why no hash was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("too many people are signing in; try again in a second")]
    Busy,
    #[error("the password cannot be hashed")]
    Failed,
}

#[derive(Debug)]
pub struct Passwords {
    turns: Pool,
    /// Recent attempts. The key stands for one of these: an e-mail address in lower case, the cookie of a known
    /// browser, or the id of a person who changes their own password.
    attempts: Mutex<LruCache<Key, AttemptLimit>>,
    /// Uptime of the last entry of the audit log about wrong passwords of a person, by their e-mail address.
    noted: Mutex<LruCache<Key, Duration>>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            turns: Pool::new(AT_ONCE),
            attempts: Mutex::new(LruCache::new(ATTEMPT_BYTES, |_: &_, _: &_| size_of::<Key>())),
            noted: Mutex::new(LruCache::new(ATTEMPT_BYTES, |_: &_, _: &_| size_of::<Key>())),
        }
    }
}

impl Passwords {
    /// Hashes a password with this salt.
    pub async fn hash(&self, address: Actor, password: String, salt: [u8; 16]) -> Result<String, PasswordError> {
        self.run(address, move || hash(password.as_bytes(), &salt)).await?.ok_or(PasswordError::Failed)
    }

    /// Returns whether a password matches this hash. Takes the same time if there is no hash.
    pub async fn accepts(&self, address: Actor, password: String, hash: Option<String>) -> Result<bool, PasswordError> {
        let check = move || {
            let nobody = NOBODY.as_deref()?;
            let is_right = Argon2::default().verify_password(password.as_bytes(), hash.as_deref().unwrap_or(nobody));
            Some(is_right.is_ok() && hash.is_some())
        };
        self.run(address, check).await?.ok_or(PasswordError::Failed)
    }

    async fn run<T: Send + 'static>(
        &self,
        address: Actor,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PasswordError> {
        let turn = timeout(WAIT, self.turns.take(address, 1)).await.map_err(|_| PasswordError::Busy)?;
        let work = move || {
            // The work continues after the client disconnects, so the permit is held until the work ends.
            let _turn = turn;
            work()
        };
        spawn_blocking(work).await.map_err(|_| PasswordError::Failed)
    }

    /// Counts an attempt. `whose` is an e-mail address (even if nobody has it), the cookie of a known browser, or the
    /// id of a person.
    ///
    /// # Errors
    /// The time until the next attempt is allowed.
    pub fn count_attempt(&self, whose: &str, clock: &Clock) -> Result<(), Duration> {
        let attempts = self.attempts.lock();
        let before = attempts.get(&key(whose)).unwrap_or_default();
        attempts.insert(key(whose), before.next(clock.uptime())?);
        Ok(())
    }

    /// Takes back an attempt with the correct password.
    pub fn take_back_attempt(&self, whose: &str) {
        let attempts = self.attempts.lock();
        let before = attempts.get(&key(whose)).unwrap_or_default();
        attempts.insert(key(whose), before.without_one());
    }

    /// Returns whether to record in the audit log that a password was wrong: once in a minute for an e-mail address.
    pub fn notes_failure(&self, email_key: &str, clock: &Clock) -> bool {
        let noted = self.noted.lock();
        let now = clock.uptime();
        let is_due = noted.get(&key(email_key)).is_none_or(|at| now.saturating_sub(at) >= NOTED);
        if is_due {
            noted.insert(key(email_key), now);
        }
        is_due
    }
}
