//! Lesson sheets as HTML and as Word documents.

mod html;
mod word;
