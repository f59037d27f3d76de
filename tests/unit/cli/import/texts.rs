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
fn lines_are_texts_blank_ones_left_out_and_one_that_is_too_long_is_passed_over() {
    let (found, error) = texts("{\"a\":1}\n\n  {\"b\":\"\\n\"}\r\n{\"long\":123456}\nnonsense");
    assert_eq!(found, ["1 {\"a\":1}", "3 {\"b\":\"\\n\"}\r", "4 too long", "5 nonsense"]);
    assert_eq!(error, None);
    assert_eq!(texts(" \n "), (Vec::new(), None));
}

#[test]
fn elements_of_an_array_are_texts_wherever_their_lines_end() {
    let (found, error) = texts("\n[{\"a\":\n1},{\"]\":\"\\\"}\"}\n ,{\"long\":1234567},{}]\n");
    assert_eq!(found, ["2 {\"a\":\n1}", "3 {\"]\":\"\\\"}\"}", "4 too long", "4 {}"]);
    assert_eq!(error, None);
    assert_eq!(texts("[]"), (Vec::new(), None));
}

#[test]
fn a_broken_array_says_where() {
    for (input, words) in [
        ("[{}\n{}]", "line 2: the array is broken here; elements must be parted by a comma"),
        ("[{},]", "line 1: the array is broken here; an element must follow the comma"),
        ("[{}", "line 1: the array is broken here; it has no end"),
        ("[{\"a\":[}", "line 1: the array is broken here; an element has no end"),
        ("[1]", "line 1: the array is broken here; its elements must be objects"),
        ("[] x", "line 1: the array is broken here; nothing may follow its end"),
    ] {
        assert_eq!(texts(input).1.as_deref(), Some(words), "{input}");
    }
}
