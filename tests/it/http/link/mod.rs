//! The link operations.

mod change;
mod create;
mod create_refusals;
mod delete;
mod list;
mod own;
mod page;
mod pages;
mod qr;
mod resolve;
mod visits;
