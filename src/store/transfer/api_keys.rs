//! Finds the API keys that must be copied to another store, and compares the API keys of two stores.

use std::collections::BTreeMap;

use super::{Examples, MoveError, Store, of_source, of_target};
use crate::domain::api_key::ApiKey;
use crate::domain::id::ObjectId;

type Keys = BTreeMap<ObjectId, ApiKey>;

/// Returns the keys of the source that are missing or different in the target.
///
/// # Errors
/// [`MoveError`] if a store fails, or if the target has a key that the source lacks or that must not be replaced.
pub async fn to_copy(from: &Store, to: &Store) -> Result<Vec<ApiKey>, MoveError> {
    let (keys, there) = both(from, to).await?;
    let mut strange = Examples::default();
    there.keys().filter(|id| !keys.contains_key(id)).for_each(|id| strange.add(*id));
    if let Some(shown) = strange.shown() {
        return Err(MoveError(format!(
            "the target has API keys that the source does not have: {shown}; copy the other way, or choose an empty target"
        )));
    }
    if let Some((id, fault)) =
        keys.iter().find_map(|(id, key)| there.get(id).and_then(|old| Some((id, key.replace_fault(old)?))))
    {
        return Err(MoveError(format!(
            "the API key {id} {fault} in the target; copy the other way, or choose an empty target"
        )));
    }
    Ok(keys.into_iter().filter(|(id, key)| there.get(id) != Some(key)).map(|(_, key)| key).collect())
}

/// Compares the keys of two stores. Returns the number of keys that are in at least one of them.
///
/// # Errors
/// [`MoveError`] if the keys of a store cannot be read.
pub async fn compare(from: &Store, to: &Store, mut differs: impl FnMut(String)) -> Result<u64, MoveError> {
    let (keys, mut there) = both(from, to).await?;
    let count = keys.len();
    for (id, key) in keys {
        match there.remove(&id) {
            None => differs(format!("the API key {id} is missing in the target")),
            Some(other) if other != key => {
                differs(format!("the API key {id} differs: {}", key.differences(&other).join(", ")));
            }
            Some(_) => {}
        }
    }
    there.keys().for_each(|id| differs(format!("the API key {id} exists only in the target")));
    Ok((count + there.len()) as u64)
}

async fn both(from: &Store, to: &Store) -> Result<(Keys, Keys), MoveError> {
    let by_id = |keys: Vec<ApiKey>| keys.into_iter().map(|key| (key.id, key)).collect();
    Ok((from.api_keys().await.map(by_id).map_err(of_source)?, to.api_keys().await.map(by_id).map_err(of_target)?))
}
