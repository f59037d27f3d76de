//! Source of identifiers and random values. All code gets them from an [`Ids`], so that tests can control them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::domain::id::ObjectId;
use crate::domain::link;
use crate::domain::secret_token::SecretToken;
use crate::domain::time::Timestamp;

#[cfg(feature = "simulation")]
#[path = "../tests/simulation/seams/ids.rs"]
mod counted;

#[derive(Debug, Clone)]
pub struct Ids(Source);

#[derive(Debug, Clone)]
enum Source {
    /// Five random bytes, which are fixed for the lifetime of the process, and a counter.
    Random { machine: [u8; 5], count: Arc<AtomicU32> },
    #[cfg(feature = "simulation")]
    Counted(counted::Count),
}

impl Ids {
    /// Creates a source of random identifiers. Identifiers of different processes are practically never equal.
    pub fn random() -> Self {
        let count = Arc::new(AtomicU32::new(u32::from_be_bytes(random_bytes())));
        Self(Source::Random { machine: random_bytes(), count })
    }

    /// Returns a new object id: four bytes with the time in seconds since 1970, five bytes that identify the process,
    /// and three bytes with a counter.
    pub fn object_id(&self, now: Timestamp) -> ObjectId {
        let mut bytes = [0; 12];
        match &self.0 {
            Source::Random { machine, count } => {
                let seconds = (now.0 / 1000) as u32;
                bytes[..4].copy_from_slice(&seconds.to_be_bytes());
                bytes[4..9].copy_from_slice(machine);
                bytes[9..].copy_from_slice(&count.fetch_add(1, Ordering::Relaxed).to_be_bytes()[1..]);
            }
            #[cfg(feature = "simulation")]
            Source::Counted(count) => bytes[4..].copy_from_slice(&count.next().to_be_bytes()),
        }
        ObjectId::from_bytes(bytes)
    }

    /// Returns a random sub-link (the last part of a link's address), which nobody can guess.
    pub fn sub_link(&self) -> String {
        // A sub-link needs only 40 of the 128 bits of the random number. So the remainders below are almost equally
        // frequent, and no letter is noticeably more frequent than another.
        let mut rest = self.number();
        let mut text = String::with_capacity(link::GENERATED_LENGTH);
        for _ in 0..link::GENERATED_LENGTH {
            let letters = link::ALPHABET.len() as u128;
            text.insert(0, char::from(link::ALPHABET[(rest % letters) as usize]));
            rest /= letters;
        }
        text
    }

    /// Returns 32 random hexadecimal digits, which nobody can guess.
    pub fn nonce(&self) -> String {
        format!("{:032x}", self.number())
    }

    /// Returns a random salt for a password hash.
    pub fn salt(&self) -> [u8; 16] {
        self.number().to_be_bytes()
    }

    /// Returns a random secret, for example for a session, which nobody can guess.
    pub fn secret_token(&self) -> SecretToken {
        match &self.0 {
            Source::Random { .. } => SecretToken::new(&random_bytes()),
            #[cfg(feature = "simulation")]
            Source::Counted(count) => {
                let mut bytes = [0; crate::domain::secret_token::BYTES];
                bytes[..8].copy_from_slice(&count.next().to_be_bytes());
                SecretToken::new(&bytes)
            }
        }
    }

    /// Returns a random number that spreads out retries.
    pub fn jitter(&self) -> u8 {
        self.number() as u8
    }

    fn number(&self) -> u128 {
        match &self.0 {
            Source::Random { .. } => u128::from_be_bytes(random_bytes()),
            #[cfg(feature = "simulation")]
            Source::Counted(count) => count.next().into(),
        }
    }

    pub fn request_id(&self, now: Timestamp) -> String {
        format!("req-{}", self.object_id(now))
    }
}

/// Returns random bytes, which nobody can guess.
///
/// # Panics
/// If the operating system has no random bytes. Linux always has them once it has started.
#[expect(clippy::disallowed_methods, reason = "the one place that asks the operating system")]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => bytes,
        Err(error) => panic!("the operating system has no random bytes: {error}"),
    }
}
