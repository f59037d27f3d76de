//! Names of files that browsers save.

use axum::http::HeaderValue;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::domain::printable::turns_direction;

/// Maximum length of the lesson title in a file name, in characters. File systems allow 255 bytes for the whole name.
const MAX_NAME: usize = 60;

/// Characters that are percent-encoded in a parameter of a header (RFC 8187).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// Returns the value of `Content-Disposition` for a file that is named after the title of a lesson and the audience of
/// the sheet. `audience` and `ending` are ASCII.
pub fn attachment(title: &str, audience: &str, ending: &str) -> HeaderValue {
    // Characters that change the text direction are treated as separators, because they could disguise the file
    // extension.
    let is_separator = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || r#"\/:*?"<>|"#.contains(character)
            || turns_direction(character)
    };
    let words: Vec<&str> = title.split(is_separator).filter(|word| !word.is_empty()).collect();
    let name = beginning(&words.join(" "));
    // A file whose name begins with a full stop is hidden. A title that consists only of full stops is replaced.
    let name = name.trim_matches(['.', ' ']);
    let name = format!("{} – {audience}", if name.is_empty() { "lesson" } else { name });
    let name = utf8_percent_encode(&name, ENCODED);
    let value = format!("attachment; filename=\"lesson.{ending}\"; filename*=UTF-8''{name}.{ending}");
    HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("attachment"))
}

/// Returns the leading words that fit into a file name. Only a single word that is too long is truncated.
fn beginning(text: &str) -> String {
    let cut: String = text.chars().take(MAX_NAME).collect();
    let is_whole = text.strip_prefix(&cut).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    match cut.rsplit_once(' ') {
        Some((words, _)) if !is_whole => words.to_owned(),
        _ => cut,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/http/sheet/attachment.rs"]
mod tests;
