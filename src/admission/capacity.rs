//! The capacity of every shared resource, and the resulting memory use.

use super::pool::share_of;

/// Maximum number of visits of links that are counted at the same time.
pub const VISITS: u32 = 1024;

/// Maximum number of sign-ins with the provider at once. They wait for the provider, so they have a separate pool of
/// permits.
pub const SIGN_INS: u32 = 64;

/// Maximum number of requests for the metrics at once. Each address can have only one.
pub const METRICS: u32 = 4;

/// Maximum number of light requests at once.
pub const LIGHT: u32 = 16;

/// Maximum memory, in bytes, of a parsed document in a light request.
pub(super) const LIGHT_DOCUMENT: usize = 2 * 1024 * 1024;

/// Maximum number of heavy requests at once.
pub const HEAVY: u32 = 4;

/// Approximate maximum memory, in bytes, of a parsed document in a heavy request: one of 1 MiB with short values.
const HEAVY_DOCUMENT: usize = 13 * 1024 * 1024;

/// Maximum number of pictures that are decoded at once.
pub const PICTURES: u32 = 1;

/// Maximum number of requests at once that use the assistant.
pub const ASSISTANT: u32 = 16;

/// Maximum number of credentials that are checked at the same time. A check may have to fetch the keys of a provider.
pub const CREDENTIALS: u32 = 256;

/// Maximum size, in bytes, of all request bodies in memory. The share of one caller fits the largest body and a few
/// small ones.
pub const BODY_BYTES: u32 = 44 * 1024 * 1024;

/// Maximum size, in bytes, of all answers in memory.
pub const ANSWER_BYTES: u32 = 48 * 1024 * 1024;

/// Maximum number of open connections, in addition to those of event streams.
pub const CONNECTIONS: u32 = 2048;

/// Maximum size, in bytes, of a request body that the service reads before it checks who sent the request.
pub const READ_AHEAD: usize = VISIT_BODY;

/// Maximum memory, in bytes, of the cache of investigations that were shown recently.
pub const SHOWN_BYTES: u64 = 16 * 1024 * 1024;

/// Maximum memory, in bytes, of each of two caches: of rendered lesson sheets, and of their pictures.
pub const SHEET_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum memory, in bytes, of the proposals of a language model that were shown.
pub const PROPOSAL_BYTES: u64 = 8 * 1024 * 1024;

/// Maximum memory, in bytes, of the remembered button presses (see `app/link_presses.rs`).
pub const PRESS_BYTES: u64 = 1024 * 1024;

/// Maximum memory, in bytes, of the cache of profiles.
pub const PROFILE_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum memory for each of the three caches of people and sessions, in bytes. Each holds about 8,000 entries.
pub const DIRECTORY_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum memory for the counts of wrong passwords, in bytes.
pub const ATTEMPT_BYTES: u64 = 2 * 1024 * 1024;

/// Number of representations of a document that a request holds at once: before the change, after it, the version
/// record, and the JSON text.
const FORMS: usize = 4;

/// Memory, in bytes, that decoding a picture takes. The decoder copies the file.
const PICTURE: usize = fieldbook_pictures::MAX_MEMORY + fieldbook_pictures::MAX_BYTES;

/// Reading a document into fields must not take more memory than other heavy requests.
const _: () = assert!(fieldbook_reader::MAX_MEMORY <= FORMS * HEAVY_DOCUMENT);

/// Memory, in bytes, of all caches.
const CACHES: usize = (SHOWN_BYTES
    + 2 * SHEET_BYTES
    + PROPOSAL_BYTES
    + PRESS_BYTES
    + PROFILE_BYTES
    + 3 * DIRECTORY_BYTES
    + 2 * ATTEMPT_BYTES) as usize;

/// Approximate maximum memory, in bytes, of all requests, their answers and the caches. A request of the assistant may
/// hold two representations of a heavy document while the model is at work, but then it takes up the whole share of its
/// caller.
///
/// Not included: the program itself, the store's own caches, connection buffers, and the two further representations
/// that exist while the assistant's change to a heavy document is decided.
pub const MEMORY: usize = memory(LIGHT, HEAVY, ASSISTANT / share_of(ASSISTANT), CONNECTIONS, BODY_BYTES, ANSWER_BYTES);

/// Approximate maximum memory, in bytes, of all requests of one caller.
pub const MEMORY_OF_CALLER: usize =
    memory(share_of(LIGHT), share_of(HEAVY), 1, share_of(CONNECTIONS), share_of(BODY_BYTES), share_of(ANSWER_BYTES));

const fn memory(light: u32, heavy: u32, assisted: u32, connections: u32, bodies: u32, answers: u32) -> usize {
    FORMS * (light as usize * LIGHT_DOCUMENT + heavy as usize * HEAVY_DOCUMENT)
        + PICTURES as usize * PICTURE
        + 2 * assisted as usize * HEAVY_DOCUMENT
        + connections as usize * READ_AHEAD
        + bodies as usize
        + answers as usize
        + CACHES
}

/// Maximum size, in bytes, of the body of a visit. Nobody needs an account to send one.
pub const VISIT_BODY: usize = 16 * 1024;
