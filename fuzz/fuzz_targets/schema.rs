//! Fuzzes the parser of schemas with any text. A text is either refused, or is a schema that can check any document.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/promises.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod promises;

fuzz_target!(|text: &str| {
    promises::schema_is_refused_or_reads(text);
});
