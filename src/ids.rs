//! Source of identifiers and random values. All code gets them from an [`Ids`], so that tests can control them.

use std::sync::Arc;
#[cfg(feature = "simulation")]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::domain::id::ObjectId;
use crate::domain::link;
use crate::domain::time::Timestamp;

/// Error if the operating system provides no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no randomness: {0}")]
pub struct NoRandomness(getrandom::Error);

/// Source of identifiers: random identifiers, or counted identifiers in tests.
#[derive(Debug, Clone)]
pub struct Ids(Source);

#[derive(Debug, Clone)]
enum Source {
    /// Five random bytes, which are fixed for the lifetime of the process, and a counter.
    Random { machine: [u8; 5], count: Arc<AtomicU32> },
    #[cfg(feature = "simulation")]
    Counted(Arc<AtomicU64>),
}

impl Ids {
    /// Creates a source of random identifiers. In practice, no other process creates the same identifiers.
    pub fn random() -> Result<Self, NoRandomness> {
        let mut machine = [0; 5];
        fill(&mut machine)?;
        let mut start = [0; 4];
        fill(&mut start)?;
        Ok(Self(Source::Random { machine, count: Arc::new(AtomicU32::new(u32::from_be_bytes(start))) }))
    }

    /// Creates a source of identifiers that are counted from 1, for tests.
    #[cfg(feature = "simulation")]
    pub fn counted() -> Self {
        Self(Source::Counted(Arc::new(AtomicU64::new(0))))
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
            Source::Counted(count) => bytes[4..].copy_from_slice(&next(count).to_be_bytes()),
        }
        ObjectId::from_bytes(bytes)
    }

    /// Returns a random sub-link (the last part of a link's address), which nobody can guess.
    pub fn sub_link(&self) -> Result<String, NoRandomness> {
        let letters = link::ALPHABET.len();
        let mut text = String::with_capacity(link::GENERATED_LENGTH);
        match &self.0 {
            Source::Random { .. } => {
                // Random bytes from `fair` on are skipped, because they would favour the first letters of the alphabet.
                let fair = 256 / letters * letters;
                while text.len() < link::GENERATED_LENGTH {
                    let mut bytes = [0; 16];
                    fill(&mut bytes)?;
                    let missing = link::GENERATED_LENGTH - text.len();
                    let taken = bytes.into_iter().map(usize::from).filter(|byte| *byte < fair).take(missing);
                    text.extend(taken.map(|byte| char::from(link::ALPHABET[byte % letters])));
                }
            }
            #[cfg(feature = "simulation")]
            Source::Counted(count) => {
                let mut rest = next(count) as usize;
                for _ in 0..link::GENERATED_LENGTH {
                    text.insert(0, char::from(link::ALPHABET[rest % letters]));
                    rest /= letters;
                }
            }
        }
        Ok(text)
    }

    /// Returns 32 random hexadecimal digits, which nobody can guess.
    pub fn nonce(&self) -> Result<String, NoRandomness> {
        let mut bytes = [0; 16];
        match &self.0 {
            Source::Random { .. } => fill(&mut bytes)?,
            #[cfg(feature = "simulation")]
            Source::Counted(count) => bytes[8..].copy_from_slice(&next(count).to_be_bytes()),
        }
        Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
    }

    /// Returns a random number that spreads out retries; 0 if the operating system provides no random bytes.
    pub fn jitter(&self) -> u8 {
        self.nonce().ok().and_then(|nonce| u8::from_str_radix(nonce.get(30..)?, 16).ok()).unwrap_or(0)
    }

    /// Returns a new id for a request that was sent without one.
    pub fn request_id(&self, now: Timestamp) -> String {
        format!("req-{}", self.object_id(now))
    }
}

#[cfg(feature = "simulation")]
fn next(count: &AtomicU64) -> u64 {
    count.fetch_add(1, Ordering::SeqCst) + 1
}

#[expect(clippy::disallowed_methods, reason = "the one place that asks the operating system")]
pub fn fill(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    getrandom::fill(bytes).map_err(NoRandomness)
}
