//! Secrets from files, as container platforms and systemd provide them. A file that is open to other users is rejected.

use std::collections::BTreeMap;
use std::path::Path;

use super::{SettingError, SourcedValue};
use crate::private_file;

/// Settings that name a file, each with the setting whose value the file contains.
const FILES: [(&str, &str); 4] = [
    ("auth.hs256-secret-file", "auth.hs256-secret"),
    ("auth.client-secret-file", "auth.client-secret"),
    ("assistant-api-key-file", "assistant-api-key"),
    ("webhook-secret-file", "webhook-secret"),
];

/// Adds the values of secrets that are given as files.
///
/// # Errors
/// [`SettingError`] if a secret is given both as a value and as a file, or if [`read`] fails.
pub(super) fn add(layers: &mut BTreeMap<&'static str, SourcedValue>) -> Result<(), SettingError> {
    for (name_of_file, name) in FILES {
        let Some(SourcedValue { value: path, .. }) = layers.get(name_of_file) else { continue };
        if layers.contains_key(name) {
            return Err(SettingError(format!("give either the setting {name} or {name_of_file}, not both")));
        }
        let value = read(name_of_file, path)?;
        let origin = format!("the file {path}");
        layers.insert(name, SourcedValue { value, origin, is_default: false });
    }
    Ok(())
}

/// Reads the secret in the file `path`, without the line break at its end.
///
/// # Errors
/// [`SettingError`] if the file cannot be read, is not UTF-8 text, or is open to other users.
pub(super) fn read(name: &str, path: &str) -> Result<String, SettingError> {
    private_file::secret(Path::new(path))
        .map_err(|fault| SettingError(format!("the file {path} of the setting {name} {fault}")))
}
