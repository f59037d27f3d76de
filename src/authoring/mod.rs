//! The operations that change what is stored: load, decide, commit. `change.rs` has the steps.

pub mod assist;
mod change;
mod context;
mod creation;
mod deletion;
pub mod dismissals;
pub mod failure;
mod findings;
mod fixes;
mod idempotency;
pub mod links;
mod load;
mod name_version;
pub mod pictures;
mod processing;
mod proposals;
mod reassign;
mod redo;
mod restore;
mod split;
mod undo;
mod update;

pub use context::{ChangeContext, RespondAfter};
pub use creation::{clone, create, create_once};
pub use deletion::{delete, purge, undelete};
pub use failure::Failure;
pub use idempotency::{Created, IdempotentRequest};
pub use load::missing;
pub use name_version::{VersionName, name_version};
pub use processing::resume_pending;
pub use reassign::reassign;
pub use redo::redo;
pub use restore::restore;
pub use split::{SplitBy, split};
pub use undo::undo;
pub use update::update;
