//! The directory of people.

pub mod change;
pub mod erase;
pub mod invite;
pub mod link;
pub mod list;
mod password;
pub mod reassign;
mod refusals;
