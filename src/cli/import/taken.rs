//! The records that a dry run would have imported so far. A real import finds them in the store.

use std::collections::{HashMap, HashSet};

use crate::domain::api_key::ApiKey;
use crate::domain::id::ObjectId;
use crate::domain::person::Person;

#[derive(Default)]
pub(super) struct Taken {
    /// Digests of the investigations, to recognize equal ones.
    pub(super) investigations: HashMap<ObjectId, u64>,
    pub(super) trashed: HashMap<ObjectId, u64>,
    /// The investigation of each link, by the link's address.
    pub(super) links: HashMap<String, ObjectId>,
    pub(super) people: HashMap<ObjectId, Person>,
    pub(super) emails: HashSet<String>,
    pub(super) api_keys: HashMap<ObjectId, ApiKey>,
}
