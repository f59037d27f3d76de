//! Rules that operators write, and the language model.

mod hardening;
mod model;
mod promises;
mod rules;
