//! Creates the link that signs in an author on a service that runs on one machine with its own secret.
//!
//! The user's id is stored in the data folder, so that an author keeps their investigations after a restart.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::app::App;
use crate::domain::id::ObjectId;
use crate::private_file;
use crate::settings::{Auth, Settings};

/// File in the data folder that contains the user's id.
pub const USER_FILE: &str = "page-user";
/// Time for which the sign-in link is valid.
const VALID: Duration = Duration::from_secs(12 * 60 * 60);

/// Returns the address of the page with a token in the fragment, which browsers never send. Returns `None` if other
/// machines can reach the service, if tokens are signed with another secret or by a provider, or if the log is in JSON
/// for programs.
///
/// # Errors
/// Returns a sentence for the operator.
pub fn link(settings: &Settings, app: &App, address: SocketAddr) -> Result<Option<String>, String> {
    if !matches!(settings.auth, Auth::OwnSecret) || settings.log_json || !address.ip().is_loopback() {
        return Ok(None);
    }
    let user = user(&settings.data, app)?;
    let token = app.tokens.sign(user, app.clock.now(), VALID)?;
    Ok(Some(format!("http://{address}/#token={token}")))
}

/// Returns the user in the data folder. Creates a user if there is no file, or if a crash left an empty file.
fn user(folder: &Path, app: &App) -> Result<ObjectId, String> {
    let path = folder.join(USER_FILE);
    let cannot = |what: &str, e: &dyn std::fmt::Display| {
        format!("cannot {what} {}: {e}; sign in with a token of fieldbook token", path.display())
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

/// Content of the user file.
pub enum User {
    /// The file does not exist.
    Missing,
    /// The file contains only white space and NUL bytes.
    Blank,
    Known(ObjectId),
    /// The file contains something other than an id.
    Other,
    Unreadable(String),
}

impl User {
    /// Reads the user file.
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
