//! The operations on links, one file for each.

pub mod change;
pub mod create;
pub mod delete;
pub mod list;
pub mod own;
pub mod qr;
pub mod resolve;
pub mod visits;
