//! Creates the sign-in link for an author whose service runs on one machine and has its own secret.
//!
//! The user's id is stored in the data folder, so that the author keeps their investigations after a restart.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::app::App;
use crate::domain::id::ObjectId;
use crate::private_file;
use crate::settings::{Auth, Settings};

/// Name of the file in the data folder that contains the id of the user whom the sign-in link signs in.
pub const USER_FILE: &str = "page-user";
/// Time for which a sign-in link is valid.
const VALID: Duration = Duration::from_secs(12 * 60 * 60);

/// Returns a link to the authoring page, with a token in the fragment, which browsers never send to a server. Returns
/// `None` if other machines can reach the service, if the service does not sign tokens with its own secret, or if the
/// log is in JSON for programs.
pub fn link(settings: &Settings, app: &App, address: SocketAddr) -> Result<Option<String>, String> {
    if !matches!(settings.auth, Auth::OwnSecret) || settings.log_json || !address.ip().is_loopback() {
        return Ok(None);
    }
    let user = user(&settings.data, app)?;
    let token = app.tokens.sign(user, app.clock.now(), VALID)?;
    Ok(Some(format!("http://{address}/#token={token}")))
}

/// Returns the user in the data folder. Creates a user if the file [`USER_FILE`] is missing, or empty after a crash.
fn user(folder: &Path, app: &App) -> Result<ObjectId, String> {
    let path = folder.join(USER_FILE);
    let cannot = |what: &str, e: &dyn std::fmt::Display| {
        format!("cannot {what} {}: {e}; sign in with a token from fieldbook token", path.display())
    };
    match User::read(&path) {
        User::Known(user) => return Ok(user),
        User::Other => return Err(cannot("use", &"it contains no user id; delete it so that a new one is created")),
        User::Unreadable(reason) => return Err(cannot("read", &reason)),
        User::Blank => tracing::warn!(file = %path.display(), "the page's user was lost; a new one is created"),
        User::Missing => {}
    }
    let made = app.ids.object_id(app.clock.now());
    let written = private_file::file(&path).and_then(|mut file| {
        file.set_len(0)?;
        file.write_all(format!("{made}\n").as_bytes())
    });
    written.map(|()| made).map_err(|e| cannot("write", &e))
}

/// State of the file [`USER_FILE`], which contains a user's id.
pub enum User {
    Missing,
    /// The file contains only white space or NUL bytes.
    Blank,
    Known(ObjectId),
    /// The file contains text that is not an id.
    Other,
    Unreadable(String),
}

impl User {
    pub fn read(path: &Path) -> Self {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Self::Missing,
            Err(e) => return Self::Unreadable(e.to_string()),
        };
        match text.trim_matches(|sign: char| sign.is_whitespace() || sign == '\0') {
            "" => Self::Blank,
            text => text.parse().map_or(Self::Other, Self::Known),
        }
    }
}
