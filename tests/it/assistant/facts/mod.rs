//! Facts that the assistant reads from texts, and phrases that only look like facts.

mod amount;
mod grade;
mod group_size;
mod lesson_length;
mod number;
mod standard_code;
mod step_minutes;
mod step_reference;
mod words;

use fieldbook::assistant::facts::Reading;

/// Returns the quotes and values that a reader finds in a text.
fn read_all<T>(read: impl Fn(&str) -> Vec<Reading<T>>, text: &str) -> Vec<(String, T)> {
    read(text).into_iter().map(|(quote, _, value)| (text[quote].to_owned(), value)).collect()
}
