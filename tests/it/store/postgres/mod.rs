//! Tests that need PostgreSQL: addresses, servers that go away, and several copies of the service.

mod copies;
mod doctor;
mod events;
mod failover;
mod import;
mod outage;
mod password;
mod pooler;
mod search_words;
mod start;
mod usage;
mod visits;
mod webhooks;
