//! Profiles of users in answers: from the profile service, or from the directory.

use std::collections::HashMap;
use std::sync::Arc;

use super::auth::Caller;
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::person::Person;
use crate::domain::representation::Profile;

/// Returns the profiles of these users, in the same order, as the caller may see them. The profile service knows only
/// bearer tokens, so all other callers get names from the directory. If a lookup fails, only the names are missing.
pub async fn profiles(app: &App, caller: &Caller, users: &[Option<ObjectId>]) -> Vec<Profile> {
    if let Some(bearer) = caller.bearer().filter(|_| app.profiles.is_set_up()) {
        return app.profiles.of(Some(bearer), users).await;
    }
    let people = in_directory(app, users.iter().copied().flatten().collect()).await;
    let sees_email = |id: ObjectId| caller.principal.is_admin() || caller.principal.user == Some(id);
    let profile = |id: ObjectId| {
        let person = people.get(&id)?;
        let email = person.email.clone().filter(|_| sees_email(id));
        Some(Profile { id: Some(id), name: person.name.clone(), email, avatar: None })
    };
    users.iter().map(|user| user.and_then(profile).unwrap_or_else(|| Profile::bare(*user))).collect()
}

/// Returns the profile of one user.
pub async fn profile(app: &App, caller: &Caller, user: Option<ObjectId>) -> Profile {
    profiles(app, caller, &[user]).await.pop().unwrap_or_else(|| Profile::bare(user))
}

/// Returns the name of each of these people that the profile service or the directory knows.
pub async fn named(app: &App, caller: &Caller, ids: &[ObjectId]) -> Vec<(ObjectId, Option<String>)> {
    let users: Vec<_> = ids.iter().copied().map(Some).collect();
    let profiles = profiles(app, caller, &users).await;
    let unnamed = ids.iter().zip(&profiles).filter(|(_, profile)| profile.name.is_none()).map(|(id, _)| *id).collect();
    let people = in_directory(app, unnamed).await;
    let of_directory = |id: &ObjectId| people.get(id)?.name.clone();
    let name = |(id, profile): (&ObjectId, Profile)| (*id, profile.name.or_else(|| of_directory(id)));
    ids.iter().zip(profiles).map(name).collect()
}

/// Returns the people with these ids, except those whom the directory does not know.
async fn in_directory(app: &App, ids: Vec<ObjectId>) -> HashMap<ObjectId, Arc<Person>> {
    if ids.is_empty() {
        return HashMap::new();
    }
    let found = match app.directory.checked(&app.store, &app.clock).await {
        Ok(checked) => app.directory.people(checked, &app.store, ids).await,
        Err(error) => Err(error),
    };
    found.unwrap_or_else(|error| {
        tracing::warn!(%error, "the directory cannot be read: an answer has no names");
        HashMap::new()
    })
}
