//! The directory of people.

pub mod change;
pub mod list;
