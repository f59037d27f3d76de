//! `fieldbook audit`: prints the audit log as JSON Lines.

use std::io::{BufWriter, Write};

use clap::Command;

use super::output::unwritable;
use super::with_store::with_store;
use crate::clock::Clock;
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::page::PageRequest;
use crate::settings::Settings;
use crate::store::Store;

/// Number of entries that are read from the store at a time.
const PAGE: u32 = 1000;

const LONG_ABOUT: &str = "Prints the audit log as JSON Lines, newest entry first: who did what to which record, and when. \
It names records and people by id, and never shows what anybody wrote. The service may be running. Admins get the same \
from GET /api/audit.";

pub fn command() -> Command {
    Command::new("audit").about("Prints who did what, as JSON Lines").long_about(LONG_ABOUT)
}

/// Records a command of an operator in the audit log.
///
/// # Errors
/// A sentence that says why it was not noted.
pub async fn note(store: &Store, action: AuditAction) -> Result<(), String> {
    let noted = store.add_audit_entry(AuditEntry::of_operator(Clock::system().now(), action)).await;
    noted.map_err(|error| format!("the audit log may have no entry about this command: {error}"))
}

pub fn run(settings: &Settings) -> Result<(), String> {
    with_store(settings, async |store| {
        let mut output = BufWriter::new(std::io::stdout().lock());
        let mut wanted = PageRequest::first(PAGE);
        loop {
            let page = store.audit(None, wanted).await.map_err(|e| e.to_string())?;
            for (place, entry) in page.entries {
                let line = serde_json::to_string(&entry).map_err(|e| e.to_string())?;
                writeln!(output, "{line}").map_err(|e| unwritable(&e))?;
                wanted.after = Some(place);
            }
            if !page.has_more {
                break;
            }
        }
        output.flush().map_err(|e| unwritable(&e))
    })
}
