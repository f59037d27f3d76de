//! The forms of a lesson sheet.

mod html;
mod word;
