//! The store on PostgreSQL, which several copies of the service may share.

mod address;
mod connect;
mod database;
pub mod diagnostics;
mod error;
mod migrate;
mod pool;
mod pooler;
mod session;
mod snapshot;
mod statements;
mod take_over;
mod tls;
mod write;

pub use address::{Address, AddressError};
pub use database::Postgres;
pub use snapshot::Snapshot;
