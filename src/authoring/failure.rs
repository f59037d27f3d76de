//! What can go wrong in an operation, by name. The edge turns it into a status and words.

use crate::assistant::mend::Unresolved;
use crate::assistant::model::ModelFailure;
use crate::domain::change::Misfit;
use crate::domain::id::ObjectId;
use crate::domain::schema::Violation;
use crate::ids::NoRandomness;
use crate::limits::Exceeded;
use crate::shares::{Refused, share_of};
use crate::store::StoreError;

/// Why an operation did not succeed. Nothing was changed.
#[derive(Debug)]
pub enum Failure {
    /// There is no such investigation.
    InvestigationNotFound,
    /// The investigation has no chat.
    ChatNotFound(ObjectId),
    /// The content stands at its beginning.
    NothingToUndo,
    /// No record was made on the current version and undone.
    NothingToRedo,
    /// There is no such version.
    VersionNotFound(u64),
    /// Nothing like that is found now.
    FindingNotFound,
    /// There is no such dismissal.
    DismissalNotFound,
    /// The contradiction stays.
    Unresolved(Unresolved),
    /// The language model was of no help.
    Model(ModelFailure),
    /// None of the language model's proposals could be taken.
    NotTaken {
        /// How many it made.
        tries: usize,
        /// Why the last one was not taken.
        reason: String,
    },
    /// What was asked needs a language model, and none is set up.
    NoModel,
    /// The caller holds their share of something bounded.
    OwnShare {
        /// What it is.
        what: &'static str,
        /// The most of it that one caller can hold.
        each: u32,
    },
    /// The caller asks the assistant too often.
    TooOften(Exceeded),
    /// While the assistant was at work the content became another.
    ChangedMeanwhile,
    /// The service stops and waits for no language model.
    Stopping,
    /// The request breaks its form, or the content its schema.
    Invalid(Vec<Violation>),
    /// The content would be larger than is kept.
    TooLarge {
        /// Its size as JSON, in bytes.
        bytes: usize,
    },
    /// The caller meant to change another revision.
    Changed {
        /// The revision that is there.
        revision: u64,
    },
    /// There is no such link.
    LinkNotFound,
    /// Key and sub-link are taken.
    LinkExists,
    /// The caller's key belongs to another request.
    KeyReused,
    /// Other copies of the service were faster, time and again.
    TooManyRaces,
    /// The history does not fit the document: the store was changed by something else.
    Damaged,
    /// The store did not do what it was asked.
    Store(StoreError),
    /// It panicked, as the log says.
    Panicked,
    /// No randomness for an identifier.
    Randomness(NoRandomness),
}

impl Failure {
    /// That nothing is left of a bounded resource, or of the caller's share of its units.
    pub fn no_room(refused: Refused, what: &'static str, units: u32) -> Self {
        match refused {
            Refused::OwnShare => Failure::OwnShare { what, each: share_of(units) },
            Refused::Everything => Failure::Store(StoreError::Busy),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Store(error)
    }
}

impl From<Vec<Violation>> for Failure {
    fn from(violations: Vec<Violation>) -> Self {
        Failure::Invalid(violations)
    }
}

impl From<Unresolved> for Failure {
    fn from(unresolved: Unresolved) -> Self {
        Failure::Unresolved(unresolved)
    }
}

impl From<ModelFailure> for Failure {
    fn from(failure: ModelFailure) -> Self {
        Failure::Model(failure)
    }
}

impl From<Misfit> for Failure {
    fn from(misfit: Misfit) -> Self {
        tracing::error!(%misfit, "a version record does not fit its document");
        Failure::Damaged
    }
}

impl From<Exceeded> for Failure {
    fn from(exceeded: Exceeded) -> Self {
        Failure::TooOften(exceeded)
    }
}

impl From<NoRandomness> for Failure {
    fn from(error: NoRandomness) -> Self {
        Failure::Randomness(error)
    }
}
