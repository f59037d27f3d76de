//! Sign-in with an account of a provider: the browser is redirected to the provider, and returns with a code.
//! `/sign-in` itself belongs to the page for authors, and shows why a sign-in failed.

mod addresses;
mod attempt;
pub mod begin;
mod error;
pub mod finish;
mod prompt;

pub use addresses::{CALLBACK, refused, sign_in_link};
pub use prompt::note_sign_out;
