//! The words of a search. The domain layer computes the words, so every store finds the same investigations.

use fieldbook::domain::search::*;
use fieldbook::domain::size::MAX_CONTENT;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn search_ignores_case_and_accents() {
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
        ("كتــاب", "كتاب"),
        ("Łódka", "lodka"),
        ("FRØ", "fro"),
        ("Đất", "dat"),
        ("ISPARTA ısı", "isparta isi"),
        ("İzmir", "izmir"),
        ("Cœur", "coeur"),
        ("Ærø", "aero"),
        ("Þór", "thor"),
        ("ħaġra", "hagra"),
        ("ƙasa ɗaki ɓera", "kasa daki bera"),
    ] {
        assert_eq!(fold(a), fold(b));
    }
    assert_eq!(fold("CO2 In Water'S"), fold("co₂ in WATER's"));
}

#[test]
fn search_ignores_invisible_characters() {
    for invisible in ["\u{ad}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{fe0f}", "\u{e0100}"] {
        for word in ["photosynthesis", "grün", "植物成長", "ต้นไม้"] {
            let apart: Vec<String> = word.chars().map(String::from).collect();
            assert_eq!(fold(&apart.join(invisible)), fold(word), "{invisible:?} in {word}");
        }
        assert_eq!(words(invisible), [""; 0]);
    }
}

#[test]
fn search_words_are_runs_of_letters_and_digits() {
    assert_eq!(words("H2O: water's  (25 °C)—한국어!").join(" "), fold("h2o water s 25 c 한국어"));
    assert_eq!(words(" …!\" "), Vec::<String>::new());
    assert_eq!(words("दिन दान"), ["दिन", "दान"]);
}

#[test]
fn text_in_a_script_without_spaces_is_indexed_as_pairs_of_characters() {
    assert_eq!(words("植物の成長"), ["植物", "物の", "の成", "成長"]);
    assert_eq!(words("水"), ["水"]);
    assert_eq!(words("pH試験紙5枚"), ["ph", "試験", "験紙", "5", "枚"]);
    // A character includes its combining marks.
    assert_eq!(words("ต้นไม้"), ["ต้น", "นไ", "ไม้"]);
    assert_eq!(words("がき"), ["か\u{3099}き"]);
}

/// Returns whether a search finds a content.
fn finds(search: &str, content: &str) -> bool {
    let content = json!({ "text": content });
    let indexed = index_words(content.as_object().expect("an object"));
    let searched = words(search);
    !searched.is_empty() && searched.iter().all(|word| indexed.split(' ').any(|other| other.starts_with(word.as_str())))
}

#[test]
fn search_finds_any_part_of_a_text_in_a_script_without_spaces() {
    for (text, found) in [
        ("植物の成長実験", "成長"),
        ("植物の成長実験", "験"),
        ("我们研究光合作用的过程", "光合作用"),
        ("カタカナのテスト", "ﾃｽﾄ"),
        ("เราศึกษาการสังเคราะห์แสงของพืช", "สังเคราะห์"),
        ("ພວກເຮົາຮຽນກ່ຽວກັບພືດ", "ພືດ"),
        ("យើងរៀនអំពីរុក្ខជាតិ", "រុក្ខជាតិ"),
        ("အပင်များကြီးထွားပုံ", "ကြီးထွား"),
    ] {
        assert!(finds(found, text), "{found} in {text}");
        assert!(finds(text, text), "{text}");
    }
    for (text, missing) in [("植物の成長実験", "長成"), ("植物の成長実験", "動物"), ("成功 長い", "成長")]
    {
        assert!(!finds(missing, text), "{missing} in {text}");
    }
}

#[test]
fn search_index_of_the_largest_chinese_text_has_at_most_one_word_per_character() {
    let sign = |n: usize| char::from_u32(0x4e00 + (n * n % 20_011) as u32).expect("a character");
    let text: String = (0..MAX_CONTENT / 3).map(sign).collect();
    let content = json!({ "text": text });
    let indexed = index_words(content.as_object().expect("an object"));
    assert!(indexed.split(' ').count() <= text.chars().count());
    assert!(indexed.len() <= 3 * text.len(), "{} bytes for {}", indexed.len(), text.len());
}

#[test]
fn search_index_has_every_text_and_number_but_no_property_name() {
    let content =
        json!({"title":"Cress","grade":5,"steps":[{"text":"Sow cress","minutes":10.5}],"x":{"y":[null,true]}});
    let content = content.as_object().expect("an object");
    assert_eq!(index_words(content), "10 5 cress sow");
}

#[test]
fn words_beyond_the_search_index_limit_are_not_searchable() {
    let long = "\u{fdfa}".repeat(300_000);
    let content = json!({"title": long, "hypothesis": "hidden"});
    let content = content.as_object().expect("an object");
    assert!(fold(&long).len() <= MAX_FOLDED);
    assert!(!index_words(content).contains("hidden"));
    let korean = json!({"title": "Cress", "text": "한국어 ".repeat(26_000), "last": "found"});
    let korean = korean.as_object().expect("an object");
    assert!(index_words(korean).contains("found"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn search_index_has_each_word_of_every_text_once_and_sorted(
        texts in prop::collection::vec("([a-cÀ-ɏ]{1,3}[ .°]|\\PC){0,9}", 0..60),
    ) {
        let content = json!({ "texts": texts });
        let indexed = index_words(content.as_object().expect("an object"));
        let indexed: Vec<&str> = indexed.split_whitespace().collect();
        prop_assert!(indexed.windows(2).all(|pair| pair[0] < pair[1]));
        // Besides the words of the texts, the index contains only the last characters of texts in scripts without
        // spaces.
        let mut searched: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
        searched.sort();
        searched.dedup();
        prop_assert!(searched.iter().all(|word| indexed.contains(&word.as_str())));
        let alone = |word: &str| words(word) == [word] && words(&format!("字{word}")).len() < 2;
        prop_assert!(indexed.iter().all(|word| searched.iter().any(|other| other == word) || alone(word)));
    }

    #[test]
    fn every_substring_of_a_text_in_a_script_without_spaces_finds_the_text(
        text in "[一-四か-くก-งក-ងa-c]{1,12}",
        start in 0..12_usize,
        length in 1..6_usize,
    ) {
        let characters: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
        let part: String = characters.iter().skip(start).take(length).collect();
        prop_assume!(!part.is_empty());
        let whole: String = characters.iter().collect();
        prop_assert!(finds(&part, &whole), "{} in {}", part, whole);
        let longer = format!("x{whole}y {text}");
        prop_assert!(finds(&part, &longer));
    }

    #[test]
    fn search_finds_a_text_by_every_prefix_of_its_words(
        text in "([a-eß-öł-ňа-г]{1,6}[ .-]){1,6}",
        place in 0..6_usize,
        length in 1..6_usize,
    ) {
        let all: Vec<&str> = text.split([' ', '.', '-']).filter(|word| !word.is_empty()).collect();
        let beginning: String = all[place % all.len()].chars().take(length).collect();
        prop_assert!(finds(&beginning, &text), "{} in {}", beginning, text);
        prop_assert!(finds(&beginning.to_uppercase(), &text));
    }
}
