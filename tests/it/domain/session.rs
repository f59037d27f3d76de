//! Sessions: how long they last.

use std::time::Duration;

use fieldbook::domain::id::ObjectId;
use fieldbook::domain::secret_token::SecretToken;
use fieldbook::domain::session::*;
use fieldbook::domain::time::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;

const HOUR: i64 = 60 * 60 * 1000;

fn session(by: SignedInBy, created_at: i64, last_used_at: i64) -> Session {
    let (created_at, last_used_at) = (Timestamp(created_at), Timestamp(last_used_at));
    Session { digest: String::new(), person: ObjectId::from_bytes([1; 12]), by, created_at, last_used_at }
}

proptest! {
    #[test]
    fn session_ends_after_its_idle_time_or_its_maximum_duration(
        by in select(&[SignedInBy::Provider, SignedInBy::Password, SignedInBy::Link][..]),
        used in 0_i64..40 * 24 * HOUR,
        now in 0_i64..80 * 24 * HOUR
    ) {
        let session = session(by, 0, used);
        let longest = if by == SignedInBy::Provider { 12 * HOUR } else { 30 * 24 * HOUR };
        prop_assert_eq!(session.is_over(Timestamp(now)), now >= used + 12 * HOUR || now >= longest);
    }

    #[test]
    fn secret_token_is_parsed_back_unchanged_and_hidden_in_debug_output(bytes in any::<[u8; 32]>()) {
        let text = SecretToken::new(&bytes);
        prop_assert_eq!(SecretToken::read(text.expose()), Some(text.clone()));
        let shown = format!("{text:?}");
        prop_assert!(!shown.contains(text.expose()));
        prop_assert_eq!(text.digest().len(), 64);
    }
}

#[test]
fn malformed_secret_token_is_rejected() {
    let right = "A".repeat(43);
    assert!(SecretToken::read(&right).is_some());
    // The last of 43 characters has two bits that no byte uses, which must be zero.
    let wrong = [
        &right[1..],
        &format!("{right}A"),
        &format!("{right}="),
        &right.replacen('A', "+", 1),
        &format!("{}B", &right[1..]),
    ];
    for text in wrong {
        assert_eq!(SecretToken::read(text), None, "{text}");
    }
}

#[test]
fn sign_in_link_is_valid_for_seven_days() {
    let made = Timestamp(0);
    assert!(is_link_valid(made, Timestamp(7 * 24 * HOUR - 1)));
    assert!(!is_link_valid(made, made.later_by(Duration::from_secs(7 * 24 * 60 * 60))));
}

#[test]
fn session_or_link_from_a_clock_that_was_far_ahead_is_not_valid_after_the_clock_was_corrected() {
    for (hours, is_valid) in [(1, true), (2, false), (400 * 24, false)] {
        let (made, corrected) = (Timestamp(hours * HOUR), Timestamp(0));
        let session = session(SignedInBy::Password, made.0, made.0);
        assert_eq!(
            (!session.is_over(corrected), is_link_valid(made, corrected)),
            (is_valid, is_valid),
            "{hours} hours"
        );
    }
}
