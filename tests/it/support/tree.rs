//! The files of this project, for tests that read them.

use std::path::{Path, PathBuf};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the paths of all files in a folder of the project and in the folders below it, relative to the root, sorted.
pub fn files_in(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in root().join(&folder).read_dir().expect("a folder") {
        let entry = entry.expect("an entry");
        let path = folder.as_ref().join(entry.file_name());
        if entry.path().is_dir() { found.extend(files_in(path)) } else { found.push(path) }
    }
    found.sort();
    found
}
