//! Numbers as texts write them: digits, fractions, words and ordinals.

use fieldbook::assistant::facts::number::*;

#[test]
fn digits_fractions_and_number_words_are_read_as_numbers() {
    for (written, expected) in [
        ("7", 7.0),
        ("1,250", 1250.0),
        ("2.5", 2.5),
        ("1/2", 0.5),
        ("1 1/2", 1.5),
        ("½", 0.5),
        ("2½", 2.5),
        ("nine", 9.0),
        ("Twenty-five", 25.0),
        ("thirty", 30.0),
        ("third", 3.0),
        ("12th", 12.0),
    ] {
        assert_eq!(value(written), Some(expected), "{written}");
    }
    assert_eq!((value("1/0"), value("dozen"), whole("2.5")), (None, None, None));
}

#[test]
fn corrected_number_keeps_the_notation_of_the_old_number() {
    for (like, number, written) in [
        ("9", 5, "5"),
        ("9th", 2, "2nd"),
        ("Ninth", 4, "Fourth"),
        ("eight", 24, "twenty-four"),
        ("six", 30, "thirty"),
        ("Two", 3, "Three"),
        ("two", 400, "400"),
        ("ninth", 20, "20"),
    ] {
        assert_eq!(written_like(like, number), written, "{like}");
    }
}
