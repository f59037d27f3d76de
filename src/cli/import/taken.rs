//! What a dry run would have imported by now. An import finds it in the store.

use std::collections::{HashMap, HashSet};

use crate::domain::api_key::ApiKey;
use crate::domain::id::ObjectId;
use crate::domain::person::Person;

#[derive(Default)]
pub(super) struct Taken {
    /// The digests of investigations, by which one is known again.
    pub(super) investigations: HashMap<ObjectId, u64>,
    pub(super) trashed: HashMap<ObjectId, u64>,
    /// The investigations of links, by their addresses.
    pub(super) links: HashMap<String, ObjectId>,
    pub(super) people: HashMap<ObjectId, Person>,
    pub(super) emails: HashSet<String>,
    pub(super) api_keys: HashMap<ObjectId, ApiKey>,
}
