//! Passwords: which ones are accepted, and the limit of attempts to enter one.

use std::time::Duration;

use fieldbook::domain::password::{AttemptLimit, is_easy, password_fault};

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn password_must_have_10_to_200_characters() {
    for (length, is_taken) in [(0, false), (9, false), (10, true), (200, true), (201, false)] {
        assert_eq!(password_fault(&"é".repeat(length)).is_none(), is_taken, "{length}");
    }
}

#[test]
fn easily_guessed_passwords_are_detected_and_other_passwords_are_not() {
    let own = ["Ada Lovelace", "Countess.King@School.example"];
    for easy in [
        "          ",
        " \u{a0} \t \u{3000}     ",
        "aaaaaaaaaaaa",
        " aaaaaaaaaa",
        "..........",
        "password12",
        "Password2026!",
        "P-a-s-s-w-o-r-d",
        "QwertyUiop",
        "1234567890",
        "0987654321",
        "12345678901234567890123456789012345678901234567890",
        "54321098765432109876543210",
        "1-2-3-4-5-6",
        "#123456789!",
        "ada lovelace",
        "AdaLovelace1815",
        "countess.king@school.example",
        "Countess.King",
        "countess king 1815",
    ] {
        assert!(is_easy(easy, own), "{easy:?}");
    }
    for good in [
        "correct horse",
        "password horse",
        "2718281828",
        "1234554321",
        "#?!$%&/()=7",
        "horses 12345",
        "school.example",
        "Ada Lovelace is here",
        "ошибка горя",
    ] {
        assert!(!is_easy(good, own), "{good:?}");
    }
    assert!(!is_easy("correct horse", ["", "@"]));
}

/// Returns how many attempts in a row are allowed, and the state of the limit after these attempts.
fn in_a_row(mut limit: AttemptLimit, now: Duration) -> (u32, AttemptLimit) {
    let mut count = 0;
    while let Ok(next) = limit.next(now) {
        (limit, count) = (next, count + 1);
    }
    (count, limit)
}

#[test]
fn person_may_try_five_passwords_and_then_one_per_minute() {
    let start = Duration::from_secs(1000);
    let (count, limit) = in_a_row(AttemptLimit::default(), start);
    assert_eq!((count, limit.next(start)), (5, Err(MINUTE)));
    let almost = start + MINUTE - Duration::from_millis(1);
    assert_eq!(limit.next(almost), Err(Duration::from_millis(1)));
    let (count, limit) = in_a_row(limit, start + MINUTE);
    assert_eq!(count, 1);
    assert_eq!(in_a_row(limit, start + 3 * MINUTE).0, 2);
    assert_eq!(in_a_row(limit, start + 60 * MINUTE).0, 5);
}

#[test]
fn correct_password_does_not_count_as_a_failed_attempt() {
    let now = Duration::from_secs(1000);
    let mut limit = AttemptLimit::default();
    for _ in 0..100 {
        limit = limit.next(now).expect("an attempt").without_one();
    }
    assert_eq!(in_a_row(limit, now).0, 5);
}
