//! Tests of the reader, which turns documents into the fields of a lesson.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod amounts;
mod facts;
mod fields;
mod html;
mod limits;
mod lists;
mod markdown;
mod materials;
mod origins;
mod places;
mod sections;
mod steps;
mod support;
mod text;
mod title;
mod vocabulary;
mod word;
mod words_once;
