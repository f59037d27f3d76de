//! Profiles of authors: names, e-mail addresses and pictures, from a profile service over gRPC.
//!
//! A lookup never fails and never exceeds its deadline. If the profile of an author does not arrive in time, the author
//! is shown with only the id. Callers with different tokens never share profiles.

mod bearer;
mod client;
mod diagnostics;
mod error;
mod lookup;
mod settings;
#[rustfmt::skip]
#[path = "../../proto/fieldbook/profile/v1/profile.rs"]
#[expect(clippy::allow_attributes, reason = "made from the contract by a library")]
pub mod stubs;
mod tally;

pub use bearer::Bearer;
pub use diagnostics::{Diagnosis, diagnose};
pub use lookup::Profiles;
pub use settings::ProfilesSettings;
