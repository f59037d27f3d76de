//! Unit tests of `src/http/lesson_page/visit_token.rs`.

use super::*;

const NOW: Timestamp = Timestamp(1_795_248_000_000);

#[test]
fn visit_token_is_valid_for_its_link_and_one_hour() {
    let (link, other) = (ObjectId::from_bytes([1; 12]), ObjectId::from_bytes([2; 12]));
    let token = sign("secret", link, NOW);
    let after = |seconds: i64| Timestamp(NOW.0 + seconds * 1000);
    assert!(is_valid(&token, "secret", link, NOW));
    assert!(is_valid(&token, "secret", link, after(3599)));
    assert!(!is_valid(&token, "secret", link, after(3600)));
    assert!(!is_valid(&token, "secret", other, NOW));
    assert!(!is_valid(&token, "another secret", link, NOW));
}

#[test]
fn visit_token_that_was_tampered_with_is_not_valid() {
    let link = ObjectId::from_bytes([1; 12]);
    let token = sign("secret", link, NOW);
    let (end, signature) = token.split_once('.').expect("two parts");
    let later = end.parse::<i64>().expect("a number") + 1;
    for changed in [
        String::new(),
        ".".to_owned(),
        end.to_owned(),
        format!("{end}."),
        format!("{later}.{signature}"),
        format!("{end}.{}", &signature[1..]),
        format!("{token}="),
        format!("+{token}"),
    ] {
        assert!(!is_valid(&changed, "secret", link, NOW), "{changed}");
    }
}
