//! The tests of the service. They are one binary, and their folders mirror those of `src/`. The tests run the real
//! service. Only external services, such as the language model, are replaced by fakes.

#![expect(clippy::expect_used, reason = "a test that cannot go on should fail where it stands")]

mod admission;
mod assistant;
mod authoring;
#[path = "../faults/caller.rs"]
#[expect(dead_code, reason = "the faults use more of it")]
mod caller;
mod circles;
mod cli;
mod cost;
mod deploy;
mod domain;
mod eval;
#[path = "../histories/mod.rs"]
mod histories;
mod http;
mod limits;
mod model_settings;
mod outgoing;
mod page;
mod parsers;
mod profiles;
mod rate_limits;
mod readme;
#[path = "../faults/round.rs"]
#[expect(dead_code, reason = "the faults use more of it")]
mod round;
mod settings;
mod store;
mod support;
mod telemetry;
mod tidy;
mod webhooks;
