//! Fuzzes rules with any text. A rule is either refused, or it can be run on any document.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/promises.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod promises;

fuzz_target!(|text: &str| {
    promises::rule_is_refused_or_runs(text);
});
