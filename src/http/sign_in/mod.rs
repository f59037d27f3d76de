//! Sign-in with the account of a provider: a browser goes there, and comes back with a code. `/sign-in` itself is a
//! file of the page, which says what went wrong.

mod addresses;
mod attempt;
pub mod begin;
mod error;
pub mod finish;
mod prompt;

pub use addresses::{CALLBACK, refused, sign_in_link};
pub use prompt::note_sign_out;
