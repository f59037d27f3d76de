//! Fuzzes the JSON parser, merge patches and changes, with any two documents.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/parsers.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod parsers;

fuzz_target!(|text: &str| {
    parsers::patch(text);
});
