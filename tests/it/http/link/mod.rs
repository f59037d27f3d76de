//! The link operations.

mod create;
mod delete;
mod list;
mod qr;
mod resolve;
mod visits;
