//! Hashes JSON values with a key of this process, so that nobody can construct two values with one hash.

use std::hash::{BuildHasher as _, Hash as _, Hasher, RandomState};
use std::io;

use serde_json::Value;

/// Hashes the name and the value of a field as JSON text. Unlike [`Value`]'s own hash, the text distinguishes kinds of
/// numbers and orders of members. Two fields have the same hash by chance once in 10^19.
pub fn hash_field(key: &RandomState, name: &str, value: &Value) -> u64 {
    struct Text<H>(H);
    impl<H: Hasher> io::Write for Text<H> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut text = Text(key.build_hasher());
    name.hash(&mut text.0);
    // Hashing cannot fail, and a value of JSON can always be written.
    let _ = serde_json::to_writer(&mut text, value);
    text.0.finish()
}
