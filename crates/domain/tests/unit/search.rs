//! Unit tests of `crates/domain/src/search.rs`.

use std::cell::Cell;

use serde_json::json;

use super::*;
use crate::index;
use crate::keys::{Keys, Names};

thread_local! {
    /// The total bytes of all texts that this thread has folded.
    pub static FOLDED: Cell<usize> = const { Cell::new(0) };
}

#[test]
fn each_text_is_folded_once() {
    let content = json!({"title": " Kressé ", "curriculum": "Ünits", "grade": "Fünf", "steps": ["Säen", 5]});
    let content = content.as_object().expect("an object");
    FOLDED.set(0);
    let names = Names::of(content);
    let keys = Keys::from(&names);
    let text = index::words(content, &names);
    assert_eq!(FOLDED.get(), "KresséÜnitsFünfSäen".len());
    assert_eq!((keys.title.as_str(), text.as_str()), ("kresse", "5 funf kresse saen units"));
}

#[test]
fn what_grows_too_long_is_cut_and_the_rest_is_searched() {
    let long = "\u{fdfa}".repeat(300_000);
    let content = json!({"title": long, "hypothesis": "hidden"});
    let content = content.as_object().expect("an object");
    assert!(fold(&long).len() <= MAX_FOLDED);
    assert!(!index::words(content, &Names::of(content)).contains("hidden"));
    let korean = json!({"title": "Cress", "text": "한국어 ".repeat(30_000), "last": "found"});
    let korean = korean.as_object().expect("an object");
    assert!(index::words(korean, &Names::of(korean)).contains("found"));
}
