//! Rules that operators write.

mod rules;
