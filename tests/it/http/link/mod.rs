//! The link operations.

mod create;
mod delete;
mod list;
mod pages;
mod qr;
mod resolve;
mod visits;
