//! Through a real socket: one file for an operation, called as in `src/http/`.

mod auth;
mod body;
mod docs;
mod error;
mod events;
mod framing;
mod headers;
mod health;
mod hostile;
mod idempotency;
pub mod investigation;
mod limits;
mod link;
mod log;
mod metrics;
mod observe;
mod params;
mod permissions;
mod preconditions;
mod provider;
mod reads;
mod router;
mod server;
mod shares;
mod slow;
mod store_failure;
