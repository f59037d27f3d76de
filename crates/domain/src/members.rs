//! Reads the members of a request body that changes a record, and notes every fault.

use serde_json::{Map, Value};

use super::schema::Violation;

/// The members of a body.
pub(crate) struct Members<'b> {
    pub body: &'b Map<String, Value>,
    /// What is wrong with the members that were read.
    pub violations: Vec<Violation>,
}

impl<'b> Members<'b> {
    pub fn of(body: &'b Map<String, Value>) -> Self {
        Self { body, violations: Vec::new() }
    }

    /// Reads a text. `check` returns what is wrong with it.
    pub fn text(&mut self, field: &str, check: fn(&str) -> Option<String>) -> Option<String> {
        match self.body.get(field)? {
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

    pub fn value<T>(&mut self, field: &str, expected: &str, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let value = read(self.body.get(field)?);
        if value.is_none() {
            self.violations.push(Violation::new(field, expected));
        }
        value
    }

    /// Reads a value that may be null, which is the inner `None`.
    pub fn nullable<T>(
        &mut self,
        field: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.is_null(field) { Some(None) } else { self.value(field, expected, read).map(Some) }
    }

    /// Reads a text that may be null, which is the inner `None`.
    pub fn nullable_text(&mut self, field: &str, check: fn(&str) -> Option<String>) -> Option<Option<String>> {
        if self.is_null(field) { Some(None) } else { self.text(field, check).map(Some) }
    }

    fn is_null(&self, field: &str) -> bool {
        self.body.get(field).is_some_and(Value::is_null)
    }

    /// Notes that a member is missing.
    pub fn require(&mut self, field: &str, is_there: bool) {
        if !is_there {
            self.violations.push(Violation::new(field, "is required"));
        }
    }

    /// Notes each member that is not `known`. The text `of` follows "is not a field of".
    pub fn refuse_others(&mut self, of: &str, known: impl Fn(&str) -> bool) {
        let unknown = self.body.keys().filter(|field| !known(field));
        self.violations.extend(unknown.map(|field| Violation::new(field, format!("is not a field of {of}"))));
    }
}
