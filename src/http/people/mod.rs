//! The directory of people.

pub mod change;
pub mod erase;
mod errors;
pub mod invite;
pub mod link;
pub mod list;
mod password;
pub mod reassign;
