//! Fieldbook: a service for people who author *investigations*, the hands-on lessons of a science class.
//!
//! The modules are listed in reading order. An arrow points to a dependency; no dependency points the other way:
//! `domain ← store, assistant, profiles ← feed, webhooks ← app, authoring ← http ← cli`.

/// The domain rules, which are a separate package: `crates/domain`.
pub use fieldbook_domain as domain;

pub mod admission;
pub mod breaker;
pub mod cache;
pub mod clock;
pub mod error_chain;
pub mod examples;
pub mod first_seen;
pub mod grpc;
pub mod http_client;
pub mod ids;
pub mod limits;
pub mod metrics;
pub mod private_file;
pub mod proxy;
pub mod telemetry;
pub mod tokens;

pub mod assistant;
pub mod profiles;
pub mod store;

pub mod feed;
pub mod webhooks;

pub mod app;
pub mod authoring;
pub mod settings;

pub mod http;

pub mod cli;
