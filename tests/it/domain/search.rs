//! The words of a search. The domain layer computes the words, so every store finds the same investigations.

use fieldbook::domain::search::*;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn case_and_accents_do_not_matter() {
    for (a, b) in [
        ("CAFÉ", "cafe\u{301}"),
        ("straße", "STRASSE"),
        ("straße", "STRAẞE"),
        ("ΟΔΟΣ", "οδος"),
        ("Ñandú", "nandu"),
        ("ﬁn", "FIN"),
        ("x²", "X2"),
        ("כִּתָּה", "כתה"),
        ("كِتَاب", "كتاب"),
    ] {
        assert_eq!(fold(a), fold(b));
    }
    assert_eq!(fold("CO2 In Water'S"), fold("co₂ in WATER's"));
}

#[test]
fn words_are_runs_of_letters_and_digits() {
    assert_eq!(words("H2O: water's  (25 °C)—日本語!"), ["h2o", "water", "s", "25", "c", "日本語"]);
    assert_eq!(words(" …!\" "), Vec::<String>::new());
    assert_eq!(words("दिन दान"), ["दिन", "दान"]);
}

#[test]
fn every_text_and_number_of_the_content_is_found_and_no_key() {
    let content =
        json!({"title":"Cress","grade":5,"steps":[{"text":"Sow cress","minutes":10.5}],"x":{"y":[null,true]}});
    let content = content.as_object().expect("an object");
    assert_eq!(index_words(content), "10 5 cress sow");
}

#[test]
fn overlong_texts_are_cut_and_the_rest_is_searched() {
    let long = "\u{fdfa}".repeat(300_000);
    let content = json!({"title": long, "hypothesis": "hidden"});
    let content = content.as_object().expect("an object");
    assert!(fold(&long).len() <= MAX_FOLDED);
    assert!(!index_words(content).contains("hidden"));
    let korean = json!({"title": "Cress", "text": "한국어 ".repeat(30_000), "last": "found"});
    let korean = korean.as_object().expect("an object");
    assert!(index_words(korean).contains("found"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_has_the_words_of_every_text_once_and_in_order(texts in prop::collection::vec("([a-cÀ-ɏ]{1,3}[ .°]|\\PC){0,9}", 0..60)) {
        let mut expected: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
        expected.sort();
        expected.dedup();
        let content = json!({ "texts": texts });
        prop_assert_eq!(index_words(content.as_object().expect("an object")), expected.join(" "));
    }
}
