//! Any bytes as a file to import: of lines that an export wrote, or of documents of MongoDB.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/parsers.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod parsers;

fuzz_target!(|bytes: &[u8]| {
    parsers::import(bytes);
});
