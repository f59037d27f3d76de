//! Finds the programs of PostgreSQL.

use std::path::PathBuf;

/// Returns Debian's folder with the programs of the newest PostgreSQL.
pub fn postgres() -> Result<PathBuf, String> {
    let folders = std::fs::read_dir("/usr/lib/postgresql").map_err(|e| format!("/usr/lib/postgresql: {e}"))?;
    let versions = folders.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let programs = |version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"));
    // Some versions may have only their client installed.
    let newest = versions.filter(|version| programs(*version).join("initdb").exists()).max();
    newest.map(programs).ok_or_else(|| "there is no PostgreSQL in /usr/lib/postgresql".to_owned())
}
