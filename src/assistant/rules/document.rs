//! A document as the input of rules: its fields, and the facts in its texts.

use std::io;

use serde_json::{Number, Value};

use crate::assistant::facts::pattern::Pattern;
use crate::assistant::facts::{Fact, MAX_QUOTE, Reading, Text, in_texts, sentence_at, shortened};
use crate::domain::content::{self, Content};
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

/// Maximum length of the path of a text, in bytes. Texts with longer paths are not read, because each finding repeats
/// its path.
const MAX_PATH: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

pub struct Document<'c> {
    content: &'c Content,
    texts: Vec<Text<'c>>,
    /// All texts in lower case, each with a line break after it. Searching this once is faster than searching each
    /// text.
    joined: String,
    /// End of each text in `joined`.
    ends: Vec<usize>,
}

impl<'c> Document<'c> {
    pub fn new(content: &'c Content) -> Self {
        let mut document = Self { content, texts: Vec::new(), joined: String::new(), ends: Vec::new() };
        content::for_each_leaf(content, &mut |path, leaf| {
            if let Value::String(text) = leaf
                && path.bytes() <= MAX_PATH
            {
                document.texts.push(Text { path: path.clone(), text });
                document.joined.push_str(text);
                document.joined.push('\n');
                document.ends.push(document.joined.len());
            }
        });
        document.joined.make_ascii_lowercase();
        document
    }

    pub fn value(&self, field: &str) -> Option<&'c Value> {
        self.content.get(field).filter(|value| !value.is_null())
    }

    pub fn number(&self, field: &str) -> Result<Option<&'c Number>, RuleError> {
        self.read(field, "a number", Value::as_number)
    }

    pub fn list(&self, field: &str) -> Result<Option<&'c Vec<Value>>, RuleError> {
        self.read(field, "a list", Value::as_array)
    }

    fn read<T>(
        &self,
        field: &str,
        expected: &str,
        read: impl Fn(&'c Value) -> Option<T>,
    ) -> Result<Option<T>, RuleError> {
        let of_value = |value| read(value).ok_or_else(|| RuleError(format!("{field} is not {expected}")));
        self.value(field).map(of_value).transpose()
    }

    /// Returns the facts in the texts that `words` match. The other texts contain no fact of this kind.
    pub fn facts<T>(&self, words: &Pattern, read: impl Fn(&str) -> Vec<Reading<T>>) -> Vec<Fact<T>> {
        let mut from = 0;
        let matching = std::iter::from_fn(|| {
            let found = words.as_ref()?.find_at(&self.joined, from)?;
            let index = self.ends.partition_point(|end| *end <= found.start());
            from = *self.ends.get(index)?;
            self.texts.get(index)
        });
        in_texts(matching, read)
    }

    pub fn facts_in<T>(&self, fields: &[&str], read: impl Fn(&str) -> Vec<Reading<T>>) -> Vec<Fact<T>> {
        let is_in = |text: &&Text<'c>| text.path.field().is_some_and(|field| fields.contains(&field));
        in_texts(self.texts.iter().filter(is_in), read)
    }

    /// Returns the sentence around a statement. Of a long sentence, returns only the part around the statement.
    pub fn sentence_of<T>(&self, fact: &Fact<T>) -> Option<&'c str> {
        let text = fact.path.get_in(self.content)?.as_str()?;
        Some(sentence_at(text, fact.number.start))
    }

    /// Quotes the beginning of a value as evidence. Returns `None` if nothing is at the path.
    pub fn quoted(&self, path: &FieldPath) -> Option<Evidence> {
        let quote = match path.get_in(self.content)? {
            Value::String(text) => shortened(text),
            other => beginning(other),
        };
        Some(Evidence::new(path, quote))
    }

    pub fn quoted_field(&self, field: &str) -> Option<Evidence> {
        self.quoted(&FieldPath::root().child(field))
    }
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
