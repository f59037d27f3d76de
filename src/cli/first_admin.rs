//! Makes the first admin of an empty directory, and the link with which they sign in.

use std::io::IsTerminal;
use std::net::SocketAddr;

use super::healthcheck;
use crate::app::App;
use crate::domain::permission::Role;
use crate::domain::person::Invitation;
use crate::settings::Settings;

/// The name of the first admin, until they choose another.
const NAME: &str = "Admin";

/// Returns a new link that signs the first admin in. Adds the admin if the directory is empty. Returns `None` once somebody
/// has signed in, and where others than the operator may read the link: in the log of a service that other machines can
/// reach, and in a log for programs. With a provider, its roles say who is an admin.
pub async fn link(settings: &Settings, app: &App, address: SocketAddr) -> Result<Option<String>, String> {
    if settings.auth.has_sign_in() {
        return Ok(None);
    }
    let is_private = address.ip().is_loopback() || std::io::stderr().is_terminal();
    let is_shown = is_private && !settings.log_json;
    let now = app.clock.now();
    let invitation = Invitation { name: NAME.to_owned(), email: None, role: Some(Role::Admin) };
    let admin = invitation.person(app.ids.object_id(now), now);
    let code = app.ids.opaque();
    let is_made = app.store.invite_first_admin(admin, is_shown.then(|| code.digest()), now).await;
    let here = || format!("http://{}", healthcheck::reachable(address));
    let base = settings.http.public_url.clone().unwrap_or_else(here);
    Ok(is_made.map_err(|e| e.to_string())?.then(|| format!("{base}/sign-in#code={}", code.expose())))
}
