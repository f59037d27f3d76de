//! Unit tests of `src/http/sign_in/attempt.rs`.

use super::*;

const STATE: &str = "AAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn kept() -> AttemptCookie {
    let attempt = Attempt { nonce: "nonce".to_owned(), verifier: "verifier".to_owned() };
    AttemptCookie::new(attempt, "/#/trash".to_owned(), Timestamp(0))
}

#[test]
fn sign_in_attempt_cookie_can_be_decrypted_only_with_its_secret_and_state() {
    let sealed = seal("secret", STATE, &kept()).expect("sealed");
    let opened = open("secret", STATE, &sealed).expect("opened");
    assert!(opened.attempt == kept().attempt && opened.to == "/#/trash" && opened.ends_at == Timestamp(600_000));
    assert!(open("another", STATE, &sealed).is_none());
    assert!(open("secret", &STATE.replace('I', "J"), &sealed).is_none());
    for wrong in ["", "AAAA", "ä", &sealed[..sealed.len() - 4], &sealed.replacen(&sealed[20..24], "____", 1)] {
        assert!(open("secret", STATE, wrong).is_none(), "{wrong}");
    }
}

#[test]
fn two_cookies_of_one_sign_in_attempt_differ_and_reveal_nothing() {
    let [one, other] = [(); 2].map(|()| seal("secret", STATE, &kept()).expect("sealed"));
    assert_ne!(one, other);
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(&one).expect("Base64");
    assert!(!bytes.windows(5).any(|part| part == b"nonce" || part == b"trash"));
}

#[test]
fn sign_in_attempt_cookie_with_the_longest_return_path_fits_the_size_limit() {
    let kept = AttemptCookie { to: format!("/{}", "\u{1f331}".repeat(249)), ..kept() };
    let header = set(&HttpSettings::default(), "secret", STATE, &kept).expect("a header");
    assert!(header.len() < 4096, "{}", header.len());
}
