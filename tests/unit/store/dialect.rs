//! Unit tests of `src/store/dialect.rs`.

use super::*;

/// Returns the words that each PostgreSQL statement gets when the words of an investigation change.
fn sent(before: &str, after: &str) -> Vec<Vec<String>> {
    let statements = Postgres.index_again(Value::from("id"), || before.to_owned(), after);
    let words = |value: &Value| if let Value::Texts(words) = value { words.to_vec() } else { Vec::new() };
    let of_statement = |statement: &Statement| statement.values.iter().flat_map(|(_, value)| words(value)).collect();
    statements.iter().map(of_statement).collect()
}

fn long_text() -> String {
    (0..80_000).map(|n| format!("{n:05} ")).collect()
}

#[test]
fn small_change_of_a_long_text_sends_only_the_search_words_that_differ() {
    let text = long_text();
    assert_eq!(sent(&format!("{text}cress"), &format!("{text}radish")), [["cress", "radish"]]);
    assert_eq!(sent(&format!("{text}cress"), &text), [["cress"]]);
    assert_eq!(sent(&text, &format!("{text}radish")), [["radish"]]);
}

#[test]
fn unchanged_search_words_are_not_sent_to_postgresql() {
    assert_eq!(sent(&long_text(), &long_text()), Vec::<Vec<String>>::new());
}

#[test]
fn postgres_replaces_all_search_words_if_most_of_them_changed() {
    let statements = Postgres.index_again(Value::from("id"), || "00000 cress".to_owned(), &long_text());
    let [delete, insert] = &statements[..] else { panic!("{statements:?}") };
    assert!(delete.sql.starts_with("DELETE") && !delete.sql.contains("word)"), "{delete:?}");
    assert!(!insert.sql.contains("CONFLICT") && !insert.sql.contains("EXISTS"), "{}", insert.sql);
    assert_eq!(sent("00000 cress", &long_text())[1].len(), 80_000);
}
