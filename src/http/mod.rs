//! The HTTP layer, the only module that uses axum. Each operation has a file of its own and one line in [`router`].

mod audit;
mod auth;
mod body;
mod client_address;
mod digest;
mod docs;
pub mod envelope;
mod error;
mod error_code;
mod events;
mod framing;
mod hangup;
mod headers;
mod health;
mod idempotency;
mod investigation;
pub mod lesson_page;
mod limits;
mod lingering;
mod link;
mod mcp;
mod metrics;
mod observe;
mod page;
mod panic;
mod params;
mod preconditions;
pub mod prefer;
mod reads;
mod router;
mod server;
mod trash;

pub use page::prepare as prepare_page;
pub use router::openapi;
pub use router::router;
pub use server::{Server, ServerError};
