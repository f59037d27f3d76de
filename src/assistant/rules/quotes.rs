//! Quotes the values at the paths of a finding, shortened.

use std::io;
use std::sync::Arc;

use serde_json::Value;

use crate::domain::content::Content;
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

/// Maximum number of values that are quoted as evidence.
const MAX_EVIDENCE: usize = 50;
/// Maximum length of a quote, in characters. The full text is in the document.
const MAX_QUOTE: usize = 200;

/// Quotes each value whose path matches `pattern`, and appends the quotes to `evidence`, up to 50. In a pattern, `*`
/// matches every list element, and `-1` matches the last element.
pub fn evidence(pattern: &[Arc<str>], content: &Content, evidence: &mut Vec<Evidence>) {
    visit(pattern, content, &mut |path, value| {
        let room = evidence.len() < MAX_EVIDENCE;
        if room {
            evidence.push(quoted(&path, value));
        }
        room
    });
}

/// Calls `see` with each path that matches `pattern` and with the value there. Stops when `see` returns false.
pub fn visit<'c>(pattern: &[Arc<str>], content: &'c Content, see: &mut impl FnMut(FieldPath, &'c Value) -> bool) {
    let Some((field, rest)) = pattern.split_first() else { return };
    if let Some(value) = content.get(field.as_ref()) {
        walk(rest, FieldPath::root().child(field.clone()), value, see);
    }
}

fn walk<'c>(
    pattern: &[Arc<str>],
    path: FieldPath,
    value: &'c Value,
    see: &mut impl FnMut(FieldPath, &'c Value) -> bool,
) -> bool {
    let Some((segment, rest)) = pattern.split_first() else {
        return see(path, value);
    };
    match (value, segment.as_ref()) {
        (Value::Array(elements), "*") => {
            elements.iter().enumerate().all(|(index, element)| walk(rest, path.child(index.to_string()), element, see))
        }
        (Value::Array(elements), "-1") => match elements.last() {
            Some(last) => walk(rest, path.child((elements.len() - 1).to_string()), last, see),
            None => true,
        },
        _ => match crate::domain::path::step(value, segment) {
            Some(member) => walk(rest, path.child(segment.clone()), member, see),
            None => true,
        },
    }
}

/// Quotes the beginning of a value. A value that is not a text is quoted as JSON.
fn quoted(path: &FieldPath, value: &Value) -> Evidence {
    let quote = match value {
        Value::String(text) => shortened(text),
        other => beginning(other),
    };
    Evidence::new(path, quote)
}

/// Returns the beginning of a text, at most 200 characters.
pub fn shortened(text: &str) -> String {
    text.chars().take(MAX_QUOTE).collect()
}

/// Returns the beginning of a value as JSON, at most 200 characters. Does not format the rest, which can be large.
fn beginning(value: &Value) -> String {
    struct Room(Vec<u8>);
    impl io::Write for Room {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.extend_from_slice(bytes);
            if self.0.len() < 4 * MAX_QUOTE { Ok(bytes.len()) } else { Err(io::ErrorKind::StorageFull.into()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut room = Room(Vec::new());
    // Writing fails at the limit. The bytes written before that are enough.
    let _ = serde_json::to_writer(&mut room, value);
    shortened(&String::from_utf8_lossy(&room.0))
}
