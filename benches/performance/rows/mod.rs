//! The rows of the table, by what they are about.

mod documents;
mod history;
mod links;
mod lists;
mod overload;
mod page;
mod peers;
mod postgres;
mod process;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::row::Row;

/// How thoroughly is measured.
pub struct Bench {
    /// Where stores are made.
    pub folder: PathBuf,
    /// How long a server is asked in one round, in seconds.
    pub seconds: u32,
    /// How many rounds there are, ours and the other's turn by turn.
    pub rounds: u32,
    /// Whether the large stores are as large as the goal says; otherwise a tenth of that.
    pub full: bool,
}

/// Measures the rows of one matter.
pub type Matter = fn(&Bench) -> Result<Vec<Row>, String>;

/// All matters, with the names by which they are chosen.
pub const MATTERS: [(&str, Matter); 9] = [
    ("links", links::measure),
    ("page", page::measure),
    ("documents", documents::measure),
    ("lists", lists::measure),
    ("history", history::measure),
    ("process", process::measure),
    ("overload", overload::measure),
    ("postgres", postgres::measure),
    ("peers", peers::measure),
];

impl Bench {
    /// How long something within this process is repeated in one round.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.seconds.into())
    }

    /// A folder of its own, empty.
    pub fn fresh(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{folder:?}: {e}"))?;
        Ok(folder)
    }
}

/// A file for a script of the load.
fn file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|e| format!("{path:?}: {e}"))?;
    Ok(path)
}
