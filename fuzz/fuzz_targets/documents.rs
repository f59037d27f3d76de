//! Fuzzes reading documents: the first byte selects the format in which the other bytes are read. Every block must be
//! in a field or listed as unplaced.

#![no_main]

use std::sync::LazyLock;

use fieldbook_reader::{Fields, Source, WORD, by_headings, fill, read};
use libfuzzer_sys::fuzz_target;

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("../../schemas/investigation.json")).expect("the built-in schema");
    Fields::of(&schema)
});

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let media_type = match kind {
        b'h' => "text/html",
        b'm' => "text/markdown",
        b'w' => WORD,
        _ => "text/plain",
    };
    let Ok(document) = read(Source::File { media_type, bytes }) else { return };
    let filled = fill(&document, &by_headings(&document, &FIELDS), &FIELDS, &|_| Vec::new());
    let placed = filled.blocks.iter().filter(|block| block.field.is_some()).count();
    assert_eq!(placed + filled.not_placed.len(), document.blocks.len());
});
