//! Files with the password of a server: either nothing but the password, or lines in libpq's format. Each line is
//! `host:port:database:user:password`. In the first four fields, `*` matches anything.

use std::path::{Path, PathBuf};

use tokio_postgres::Config;

use crate::private_file;

/// A file with the password of a server. It is read for each new connection, so that the service takes a new password
/// without a restart.
#[derive(Debug, Clone)]
pub enum PasswordFile {
    /// A file with nothing but the password.
    Alone(PathBuf),
    /// A file in libpq's format.
    Lines { file: PathBuf, wanted: Wanted },
}

impl PasswordFile {
    pub fn path(&self) -> &Path {
        match self {
            Self::Alone(file) | Self::Lines { file, .. } => file,
        }
    }

    /// Returns the password; `None` if no line matches.
    ///
    /// # Errors
    /// A phrase about the file if it cannot be read, or if other users can read it.
    pub fn read(&self) -> Result<Option<String>, String> {
        match self {
            Self::Alone(file) => private_file::secret(file).map(Some),
            Self::Lines { file, wanted } => Ok(find(&private_file::read(file)?, wanted)),
        }
    }
}

/// The first four fields that a line must match: host, port, database and user.
pub type Wanted = [String; 4];

/// Returns the fields that a line for this server must match. The default of the database is the user's name.
pub fn wanted(host: &str, port: u16, config: &Config) -> Wanted {
    let user = config.get_user().unwrap_or_default();
    [host.to_owned(), port.to_string(), config.get_dbname().unwrap_or(user).to_owned(), user.to_owned()]
}

/// Returns a matching line with a placeholder for the password, such as `db.example:5432:fieldbook:alice:PASSWORD`.
pub fn line_of(wanted: &Wanted) -> String {
    let escaped = wanted.each_ref().map(|part| part.replace('\\', "\\\\").replace(':', "\\:"));
    format!("{}:PASSWORD", escaped.join(":"))
}

/// Returns the password from the first matching line; `None` if no line matches.
fn find(text: &str, wanted: &Wanted) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| of_line(line, wanted))
}

fn of_line(line: &str, wanted: &Wanted) -> Option<String> {
    let parts = parts(line);
    let (password, place) = parts.split_last()?;
    let fits = place.len() == wanted.len() && place.iter().zip(wanted).all(|(part, name)| part == "*" || part == name);
    fits.then(|| password.clone())
}

/// Returns the fields of a line, separated by colons. A backslash escapes the next character.
fn parts(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match (sign, parts.last_mut()) {
            (':', _) => parts.push(String::new()),
            ('\\', Some(part)) => part.extend(signs.next()),
            (_, Some(part)) => part.push(sign),
            (_, None) => {}
        }
    }
    parts
}

#[cfg(test)]
#[path = "../../../tests/unit/store/postgres/password.rs"]
mod tests;
