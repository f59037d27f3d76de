//! The effective role of a token or an API key whose user is in the directory.

use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::person::{self, GrantedRole};
use crate::settings::Settings;
use crate::store::Store;

/// Tells the operator if a token or a key (`what`) grants less than `role`, because its user has a lower role in the
/// directory.
pub async fn note_limit(store: &Store, settings: &Settings, what: &str, user: ObjectId, role: Role) {
    let person = store.people(&[user]).await.ok().and_then(|mut people| people.pop());
    match person::role(GrantedRole::AtMost(role), person.as_ref(), settings.http.default_role) {
        Ok(limited) if limited < role => {
            note!("the user {user} has the role {limited} here, so the {what} gives no more than that");
        }
        Ok(_) => {}
        Err(_) => note!("the user {user} was disabled or erased, so the {what} is refused"),
    }
}
