//! The rows of the table, grouped by subject.

mod documents;
mod history;
mod links;
mod lists;
mod overload;
mod page;
mod peers;
mod pictures;
mod postgres;
mod process;
mod scale;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::row::Row;

/// Settings of a run of the benchmark.
pub struct Bench {
    /// Folder for stores.
    pub folder: PathBuf,
    /// Duration of a load in one round, in seconds.
    pub seconds: u32,
    /// Number of rounds. Each round measures Fieldbook and then the program that it is compared with.
    pub rounds: u32,
    /// True if the large stores have their full size, false if they have a tenth of this size.
    pub full: bool,
}

/// A function that measures the rows of one subject.
pub type Matter = fn(&Bench) -> Result<Vec<Row>, String>;

/// All subjects, with their names on the command line. Those in [`ON_REQUEST`] are measured only when named.
pub const MATTERS: [(&str, Matter); 11] = [
    ("links", links::measure),
    ("page", page::measure),
    ("pictures", pictures::measure),
    ("documents", documents::measure),
    ("lists", lists::measure),
    ("history", history::measure),
    ("process", process::measure),
    ("overload", overload::measure),
    ("postgres", postgres::measure),
    ("peers", peers::measure),
    ("scale", scale::measure),
];
pub const ON_REQUEST: [&str; 1] = ["scale"];

impl Bench {
    /// Returns the duration of a measurement inside this process, in one round.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.seconds.into())
    }

    /// Creates an empty folder with this name, in place of an earlier one, and returns its path.
    pub fn fresh(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{folder:?}: {e}"))?;
        Ok(folder)
    }
}

/// Writes a file for a load script, and returns its path.
fn file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|e| format!("{path:?}: {e}"))?;
    Ok(path)
}
