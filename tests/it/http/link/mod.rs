//! The link operations.

mod create;
mod create_refusals;
mod delete;
mod list;
mod pages;
mod qr;
mod resolve;
mod visits;
