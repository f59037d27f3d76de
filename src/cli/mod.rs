//! The command line. Each command has a file or a folder; the other files contain code that several commands use.

#[macro_use]
mod macros;

mod argument;
mod audit;
mod backup;
mod demo;
mod doctor;
mod eval;
mod export;
mod first_admin;
mod flags;
mod healthcheck;
mod import;
mod keys;
mod manual;
mod migrate;
mod output;
mod parts;
mod person;
mod person_export;
mod program;
mod restore;
mod role;
mod second_service;
mod serve;
mod service_manager;
mod token;
mod with_store;

pub use import::{Text, Texts};
pub use program::main;
