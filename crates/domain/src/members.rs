//! Reads the members of a request body that changes a record, and collects every violation.

use serde_json::{Map, Value};

use super::schema::Violation;

/// The members of a body.
pub(crate) struct Members<'b> {
    body: &'b Map<String, Value>,
    /// The names of the members that were read, including those that the body does not have.
    known: Vec<&'static str>,
    /// The violations in the members that were read.
    pub violations: Vec<Violation>,
}

impl<'b> Members<'b> {
    pub fn of(body: &'b Map<String, Value>) -> Self {
        Self { body, known: Vec::new(), violations: Vec::new() }
    }

    /// Returns a member as it is.
    pub fn get(&mut self, field: &'static str) -> Option<&'b Value> {
        self.known.push(field);
        self.body.get(field)
    }

    /// Reads a text. `check` returns what is wrong with it.
    pub fn text(&mut self, field: &'static str, check: fn(&str) -> Option<String>) -> Option<String> {
        match self.get(field)? {
            Value::String(text) => {
                self.violations.extend(check(text).map(|message| Violation::new(field, message)));
                Some(text.clone())
            }
            _ => {
                self.violations.push(Violation::new(field, "must be a string"));
                Some(String::new())
            }
        }
    }

    pub fn value<T>(&mut self, field: &'static str, expected: &str, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let value = read(self.get(field)?);
        if value.is_none() {
            self.violations.push(Violation::new(field, expected));
        }
        value
    }

    /// Reads a value that may be null, which is the inner `None`.
    pub fn nullable<T>(
        &mut self,
        field: &'static str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.get(field)?.is_null() { Some(None) } else { self.value(field, expected, read).map(Some) }
    }

    /// Reads a text that may be null, which is the inner `None`.
    pub fn nullable_text(&mut self, field: &'static str, check: fn(&str) -> Option<String>) -> Option<Option<String>> {
        if self.get(field)?.is_null() { Some(None) } else { self.text(field, check).map(Some) }
    }

    /// Records a violation: a member is missing.
    pub fn require(&mut self, field: &'static str, is_there: bool) {
        if !is_there {
            self.violations.push(Violation::new(field, "is required"));
        }
    }

    /// Records a violation for each member that was not read before. The text `of` follows "is not a field of".
    pub fn refuse_others(&mut self, of: &str) {
        let unknown = self.body.keys().filter(|field| !self.known.contains(&field.as_str()));
        self.violations.extend(unknown.map(|field| Violation::new(field, format!("is not a field of {of}"))));
    }
}
