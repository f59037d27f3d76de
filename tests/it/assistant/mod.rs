//! Rules that operators write, and the language model.

mod hardening;
mod matchers;
mod model;
mod promises;
mod rules;
