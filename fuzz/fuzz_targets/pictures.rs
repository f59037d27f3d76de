//! Fuzzes picture files. Each file must be refused, or converted into the form in which pictures are stored.

#![no_main]

use fieldbook_pictures::{check, make};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(made) = make(bytes) {
        assert_eq!(check(made.bytes.clone()), Ok(made));
    }
    let _ = check(bytes.to_vec());
});
