//! Fuzzes the parser of list queries, with any parameters.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/parsers.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod parsers;

fuzz_target!(|text: &str| {
    parsers::query(text);
});
