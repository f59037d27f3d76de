//! Creates the first admin in an empty directory, and the link with which they sign in.

use std::io::IsTerminal;
use std::net::SocketAddr;

use super::healthcheck;
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::person::Invitation;
use crate::http::sign_in_link;
use crate::settings::Settings;
use crate::store::StoreError;

/// The name of the first admin, until they choose another.
const NAME: &str = "Admin";

/// How the first admin can sign in.
pub enum FirstAdmin {
    /// They open this sign-in link.
    Link(String),
    /// No link was created: the operator must create one for the person with this id.
    Unlinked(ObjectId),
}

/// Returns how the first admin can sign in; `None` if somebody has already signed in. Adds the admin if the directory
/// is empty. Creates no link if people other than the operator could read it: if other machines can reach the service,
/// or if the log is in JSON. With a provider, the provider's roles determine the admins.
pub async fn first_admin(
    settings: &Settings,
    app: &App,
    address: SocketAddr,
) -> Result<Option<FirstAdmin>, StoreError> {
    if settings.auth.has_sign_in() {
        return Ok(None);
    }
    let is_private = address.ip().is_loopback() || std::io::stderr().is_terminal();
    let is_shown = is_private && !settings.log_json;
    let now = app.clock.now();
    let invitation = Invitation { name: NAME.to_owned(), email: None, role: Some(Role::Admin) };
    let admin = invitation.person(app.ids.object_id(now), now);
    let code = app.ids.secret_token();
    let invited = app.store.invite_first_admin(admin, is_shown.then(|| code.digest()), now).await?;
    let base = healthcheck::base_url(&settings.http, address);
    Ok(invited.map(|id| match is_shown {
        true => FirstAdmin::Link(sign_in_link(&base, &code)),
        false => FirstAdmin::Unlinked(id),
    }))
}
