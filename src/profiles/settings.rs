//! Settings of the profile service.

use std::time::Duration;

use crate::grpc::Address;

#[derive(Debug, Clone)]
pub struct ProfilesSettings {
    pub address: Address,
    /// Deadline of a lookup, including connecting and retries.
    pub deadline: Duration,
    /// Time for which a profile is cached; zero disables the cache.
    pub keep: Duration,
}
