//! Facts, rules and the language model.

mod built_in;
mod facts;
mod model;
mod promises;
mod rules;
mod summary;
