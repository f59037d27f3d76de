//! Fuzzes `fieldbook-from-mongo`, with any bytes as a file of each collection. Each member must be kept, mapped or left
//! out, exactly once.

#![no_main]

use fieldbook_from_mongo::document::Document;
use fieldbook_from_mongo::field_map::FieldMap;
use fieldbook_from_mongo::{chats, investigations, links, texts, versions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let convert: [fn(&mut Document) -> bool; 4] = [
        |document| investigations::read(document).is_ok(),
        |document| chats::read(document).is_ok(),
        |document| links::read(document).is_ok(),
        |document| versions::read(document).is_ok(),
    ];
    for text in texts::split(bytes).unwrap_or_default() {
        for convert in convert {
            let mut document = Document { new_ids: true, ..Document::default() };
            if document.parse(text, &FieldMap::default()).is_ok() && convert(&mut document) {
                document.finish("documents");
                assert_eq!(document.fates.len(), document.read);
            }
        }
    }
});
