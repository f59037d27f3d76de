//! Fuzzes the import, with any bytes as a file.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/parsers.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod parsers;

fuzz_target!(|bytes: &[u8]| {
    parsers::import(bytes);
});
