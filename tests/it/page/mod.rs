//! The page for authors, in a real browser, with a real service.

mod assets;
mod away;
mod chaos;
mod chat;
mod directory;
mod dismissals;
mod editor;
mod findings;
mod focus;
mod history;
mod hostile;
mod links;
mod list;
mod lists;
mod merging;
mod names;
mod notices;
mod pasting;
mod patch;
mod permissions;
mod picture;
mod pictures;
mod presence;
mod printing;
mod provider;
mod reading;
mod rows;
mod sign_in;
mod speech;
mod touch;
mod trash;
mod undoing;
mod unsaved;
mod windows;
mod writing;

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::browser::Page;
use crate::support::{Caller, TestApp};

/// Writes a text while the session ends. The page is offline meanwhile, so it does not notice the end of the session,
/// and opens no dialog that would take the key presses.
pub async fn write_as_the_session_ends(page: &Page, app: &TestApp, selector: &str, text: &str) {
    page.offline(true).await;
    app.clock.advance(Duration::from_secs(13 * 3600));
    page.write(selector, text).await;
    page.offline(false).await;
    page.sees("You were signed out").await;
    page.click_on(".notice button").await;
}

/// Returns an investigation as the service stores it.
pub async fn stored(caller: &Caller, id: &str) -> Value {
    caller.get(&format!("/api/investigation/{id}")).await.data()
}

/// Returns a whole lesson without contradictions.
pub fn cress() -> Value {
    json!({
        "title": "Cress in the dark", "grade": 5, "curriculum": "Life science",
        "drivingQuestion": "Does cress need light to grow?", "objectives": ["Say what a seed needs."],
        "materials": [{"name": "Cress seeds", "quantity": 40}, {"name": "Saucers", "quantity": 2}],
        "durationMinutes": 45,
        "steps": [{"text": "Sow twenty seeds on each saucer.", "minutes": 15}, {"text": "Cover one saucer.", "minutes": 10}],
        "assessment": "Describe both saucers after a week.",
    })
}

/// Returns [`cress`] with less time than its steps take.
pub fn hurried() -> Value {
    let mut lesson = cress();
    lesson["durationMinutes"] = json!(20);
    lesson
}

impl Page {
    pub async fn choose(&self, field: &str, action: &str) {
        self.click(&format!("More for {field}")).await;
        self.click(action).await;
    }

    /// Chooses an action in the menu of a version.
    pub async fn choose_version(&self, version: &str, action: &str) {
        self.click(&format!("Actions for {version}")).await;
        self.click(&format!("{action} {version}")).await;
    }

    pub async fn open_findings(&self) {
        self.until("document.querySelector('.finding')").await;
        self.js("document.querySelectorAll('.finding').forEach((finding) => { finding.open = true; })").await;
    }
}
