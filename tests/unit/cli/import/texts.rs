//! Unit tests of `src/cli/import/texts.rs`.

use std::io::BufReader;

use super::*;

/// Returns the texts with their line numbers, and the error if reading failed. The buffer has only 3 bytes, so that
/// every text is split.
fn texts(input: &str) -> (Vec<String>, Option<String>) {
    let mut texts = Texts::of(BufReader::with_capacity(3, input.as_bytes()), 12);
    let mut found = Vec::new();
    loop {
        match texts.next_text() {
            Ok(Some(Text { line, bytes: Some(bytes) })) => {
                found.push(format!("{line} {}", String::from_utf8_lossy(&bytes)))
            }
            Ok(Some(Text { line, bytes: None })) => found.push(format!("{line} too long")),
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

#[test]
fn import_skips_blank_lines_and_reports_lines_that_are_too_long() {
    let (found, error) = texts("{\"a\":1}\n\n{\"b\":\"\\n\"}\r\n{\"long\":123456}\nnonsense");
    assert_eq!(found, ["1 {\"a\":1}", "3 {\"b\":\"\\n\"}", "4 too long", "5 nonsense"]);
    assert_eq!(error, None);
    assert_eq!(texts(" \n "), (Vec::new(), None));
}

#[test]
fn import_skips_a_bom_before_the_first_line() {
    assert_eq!(texts("\u{feff}{}\n{}"), (vec!["1 {}".to_owned(), "2 {}".to_owned()], None));
    assert_eq!(texts("{}\n\u{feff}{}"), (vec!["1 {}".to_owned(), "2 \u{feff}{}".to_owned()], None));
}
