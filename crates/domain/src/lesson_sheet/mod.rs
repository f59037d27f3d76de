//! A lesson as a sheet to read and to print: which fields it shows, in which order, with which headings. Every form in
//! which a lesson is shown (the page of a link, printed sheets, Word) is written from this model.

mod address;
mod audience;
mod block;
mod cut;
mod headings;
mod language;
mod sheet;
mod together;

pub use address::{Piece, pieces};
pub use audience::Audience;
pub use block::{Block, Entry, List, ListKind, Picture};
pub use cut::MAX_SHEET;
pub use language::{Direction, Language};
pub use sheet::{Section, Sheet};
pub use together::{LONGEST_FORMULA, Part, parts, unbroken};
