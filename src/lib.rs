//! Fieldbook: a service for people who author *investigations*, the hands-on lessons of a science class.
//!
//! The modules in reading order. An arrow never runs back:
//! `domain ← store, assistant, profiles ← feed, webhooks ← app, authoring ← http ← cli`.

pub mod domain;

pub mod causes;
pub mod clock;
pub mod grpc;
pub mod ids;
pub mod limits;
pub mod measures;
pub mod outgoing;
pub mod private;
pub mod shares;
pub mod tokens;
pub mod traces;

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
