//! The link that signs an author in where the service is tried out: on the machine itself, with the secret that it made.
//!
//! The user is one of the data folder, made once, so that what was written yesterday is one's own today.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::app::App;
use crate::domain::id::ObjectId;
use crate::private;
use crate::settings::{Auth, Settings};

/// The file in the data folder that holds the user's id.
const USER_FILE: &str = "page-user";
/// How long the link signs in.
const VALID: Duration = Duration::from_secs(12 * 60 * 60);

/// The address of the page with a token in its fragment, which browsers never send. `None` where others could reach the
/// service, where tokens come from somebody else, or where logs are read by programs.
///
/// # Errors
/// A sentence for the operator.
pub fn link(settings: &Settings, app: &App, address: SocketAddr) -> Result<Option<String>, String> {
    if !matches!(settings.auth, Auth::OwnSecret) || settings.log_json || !address.ip().is_loopback() {
        return Ok(None);
    }
    let user = user(&settings.data, app)?;
    let token = app.tokens.sign(user, app.clock.now(), VALID)?;
    Ok(Some(format!("http://{address}/#token={token}")))
}

/// The user of the data folder; made on the first call.
fn user(folder: &Path, app: &App) -> Result<ObjectId, String> {
    let path = folder.join(USER_FILE);
    let cannot = |what: &str, e: &dyn std::fmt::Display| {
        format!("cannot {what} {}: {e}; sign in with a token of fieldbook token", path.display())
    };
    match private::new_file(&path) {
        Ok(mut file) => {
            let made = app.ids.object_id(app.clock.now());
            file.write_all(format!("{made}\n").as_bytes()).map_err(|e| cannot("write", &e))?;
            Ok(made)
        }
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            let text = std::fs::read_to_string(&path).map_err(|e| cannot("read", &e))?;
            text.trim().parse().map_err(|_| cannot("use", &"it holds no user id; delete it to have a new one made"))
        }
        Err(e) => Err(cannot("make", &e)),
    }
}
