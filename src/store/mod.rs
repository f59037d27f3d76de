//! The store. It contains all SQL, and has one function per use case: one list of plain statements for both engines.
//!
//! A write returns only after its data is on disk. Looking up something that does not exist returns `Ok(None)`, and the
//! caller decides what that means.

mod addresses;
mod answers;
mod api_keys;
mod audit;
mod chat_row;
mod chats;
mod commands;
mod commit;
mod create;
mod delete;
mod detections;
pub mod diagnostics;
mod dialect;
mod dump;
mod engine;
mod erasure;
mod error;
pub mod events;
mod expiry_clock;
mod groups;
mod handle;
mod history;
mod investigations;
pub mod jsonl;
mod links;
mod list;
mod location;
mod lock_order;
mod passwords;
mod people;
mod person_row;
mod pictures;
pub mod postgres;
mod presence;
mod provider_sign_in;
mod readable;
pub mod reads;
mod records;
mod reports;
mod rounds;
mod row;
mod rows;
mod secret;
mod sessions;
mod shown;
#[cfg(feature = "simulation")]
#[path = "../../tests/simulation/seams/store.rs"]
pub mod simulated;
mod sql;
pub mod sqlite;
pub mod sweep;
mod transient;
mod trash;
mod trash_item;
mod usage;
mod value;
mod visits;
pub mod webhook;
mod whole;
mod write;

pub use audit::Stamp;
pub use chat_row::{ChatPage, ChatPart};
pub use commands::{ANSWER_TTL, Commit, CountedVisit, Deleted, IdempotentAnswer, LinkChanged, LinkCreated, Visited};
pub use commit::Prepared;
pub use detections::MAX_DETECTIONS;
pub use erasure::PersonErased;
pub use error::{FixableError, OpenError, StoreError};
pub use handle::Store;
pub use list::{Page, PageEnd};
pub use location::{Backend, StoreLocation};
pub use passwords::{NewPassword, WithPassword};
pub use people::{PersonAdded, PersonStored};
pub use pictures::{ExportedPicture, PictureAdded, PictureRemoved};
pub use postgres::{Address, AddressError};
pub use presence::PRESENCE_TTL;
pub use reports::Reports;
pub use row::InvestigationRow;
pub use sessions::{FoundSession, SignIn};
pub use shown::RevisionKey;
pub use trash::{Discarded, Trashed, Undeleted};
pub use trash_item::TrashItem;
pub use usage::PoolUsage;
pub use whole::{ExportPart, FullCopy, RecordRow, VisitedLink, WholeInvestigation};
