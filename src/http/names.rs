//! Profiles of users in answers: from the profile service, or from the directory.

use std::collections::HashMap;

use super::auth::Caller;
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::representation::Profile;

/// Returns the profiles of these users, in the same order, as the caller may see them. The profile service knows only
/// bearer tokens, so all other callers get names from the directory. A lookup that fails costs the names alone.
pub async fn profiles(app: &App, caller: &Caller, users: &[Option<ObjectId>]) -> Vec<Profile> {
    if let Some(bearer) = caller.bearer().filter(|_| app.profiles.is_set_up()) {
        return app.profiles.of(Some(bearer), users).await;
    }
    let found = app.directory.people(&app.store, &app.clock, users.iter().copied().flatten()).await;
    let people = found.unwrap_or_else(|error| {
        tracing::warn!(%error, "the directory cannot be read: an answer has no names");
        HashMap::new()
    });
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
