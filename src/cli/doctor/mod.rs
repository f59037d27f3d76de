//! `fieldbook doctor`: finds problems before users do, and changes nothing.

mod command;
mod files;
mod finding;
mod services;
mod store;

pub use command::{command, run};
