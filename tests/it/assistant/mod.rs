//! Rules that operators write, and the language model.

mod model;
mod hardening;
mod promises;
mod rules;
