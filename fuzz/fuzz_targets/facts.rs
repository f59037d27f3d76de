//! Fuzzes finding, resolving and regenerating with the built-in schema, with any text and any JSON document.

#![no_main]

use std::sync::LazyLock;

use fieldbook::assistant::Assistant;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/promises.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod promises;

static PARTS: LazyLock<(Schema, Assistant)> = LazyLock::new(|| {
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    let assistant = Assistant::for_schema(&schema).expect("the built-in rules");
    (schema, assistant)
});

fuzz_target!(|bytes: &[u8]| {
    if let Some(content) = promises::content(bytes) {
        let (schema, assistant) = &*PARTS;
        promises::hold_for(assistant, schema, &content);
    }
});
