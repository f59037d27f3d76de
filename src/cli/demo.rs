//! `fieldbook demo`: adds the investigations of `examples/` to the store.

use clap::Command;
use serde_json::{Map, Value};

use super::output::reason;
use super::with_store::with_app;
use crate::app::App;
use crate::authoring;
use crate::domain::content::RawContent;
use crate::domain::investigation::Investigation;
use crate::domain::list::ListQuery;
use crate::examples;
use crate::settings::Settings;

pub fn command() -> Command {
    Command::new("demo").about("Fills the store with example investigations, without touching existing ones")
}

pub fn run(settings: &Settings) -> Result<(), String> {
    with_app(settings, async |app| {
        let mut created = 0;
        let mut there = 0;
        for (name, example) in examples::read()? {
            if is_stored(app, &example).await? {
                there += 1;
                continue;
            }
            let investigation = authoring::create(app, None, example)
                .await
                .map_err(|error| format!("cannot create {name}: {}", reason(error)))?;
            say!("{}  {}", investigation.id, name)?;
            created += 1;
        }
        say!("{created} created, {there} existed already")
    })
}

/// Returns whether the store has an investigation with the same title as this example.
async fn is_stored(app: &App, example: &Map<String, Value>) -> Result<bool, String> {
    let title = example.get("title").and_then(Value::as_str).unwrap_or_default();
    let query = ListQuery::read(&[("title".to_owned(), title.to_owned()), ("limit".to_owned(), "100".to_owned())])
        .map_err(|v| format!("{v:?}"))?;
    let page = app.store.list(query).await.map_err(|e| e.to_string())?;
    let has_title = |known: &Investigation<RawContent>| {
        known.content.read(&["title"]).is_ok_and(|content| content.get("title").and_then(Value::as_str) == Some(title))
    };
    Ok(page.items.iter().any(|(_, known)| has_title(known)))
}
