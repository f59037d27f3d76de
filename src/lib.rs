//! Fieldbook: a service for people who author *investigations*, the hands-on lessons of a science class.
//!
//! The modules in reading order. An arrow never runs back:
//! `domain ← store, assistant ← app, authoring ← http ← cli`.

pub mod assistant;
pub mod clock;
pub mod domain;
pub mod ids;
pub mod store;
