//! The link operations, one file each.

pub mod change;
pub mod create;
pub mod delete;
pub mod list;
pub mod qr;
pub mod resolve;
pub mod visits;
