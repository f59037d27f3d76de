//! Rules that operators write, and the language model.

mod built_in;
mod facts;
mod hardening;
mod model;
mod promises;
mod rules;
mod summary;
