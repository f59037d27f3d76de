//! The pictures of the documents, taken anew by `scripts/pictures`, and the time to the first paint, printed by
//! `scripts/first-paint`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE, Window};
use crate::support::process::Service;

/// The most that a picture may take, in bytes.
const MOST: u64 = 150 * 1024;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn examples() -> Vec<(String, Value)> {
    let files = fs::read_dir(root("examples")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = files.filter(|path| path.is_file());
    let read = |file: PathBuf| serde_json::from_str(&fs::read_to_string(file).expect("a text")).expect("JSON");
    let mut examples: Vec<(String, Value)> = files.map(|file| (file.display().to_string(), read(file))).collect();
    examples.sort_by(|one, other| one.0.cmp(&other.0));
    examples
}

#[tokio::test]
#[ignore = "prints a time, and asserts none; run by scripts/first-paint"]
async fn the_time_to_the_first_paint() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::var("FIELDBOOK_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_fieldbook").to_owned());
    let mut program = Command::new(program);
    program.args(["serve", "--log-level", "error", "--data"]).arg(folder.path());
    let service = Service::of(program);
    for (name, window) in [("wide", WIDE), ("phone", PHONE)] {
        let act = move |page: Arc<Page>| async move {
            page.visit("").await;
            for visit in ["first", "second", "third"] {
                let first = page.until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime").await;
                let ready = page.until("document.querySelector('main h1') && performance.now()").await;
                println!(
                    "{name}, {visit} visit: {first} ms to the first paint; the form for the token stands at {ready} ms at most"
                );
                page.js("location.reload()").await;
            }
        };
        Page::at(&service.base, window, act, None).await;
    }
}

#[tokio::test]
#[ignore = "writes docs/pictures; run by scripts/pictures"]
async fn the_pictures_of_the_documents() {
    let (app, _, teacher) = TestApp::start().await;
    let mut id = String::new();
    for (name, example) in examples() {
        let created = teacher.create(example).await;
        if name.ends_with("plant-growth.json") {
            id = created;
        }
    }
    let path = format!("/api/investigation/{id}");
    let hypothesis = "If radish seedlings get less light, then their stems grow longer and their leaves stay paler.";
    teacher.patch(&path, json!({"hypothesis": hypothesis})).await;
    teacher.patch(&path, json!({"durationMinutes": 30})).await;
    let take = async |page: &Page, name: &str| {
        fs::create_dir_all(root("docs/pictures")).expect("a folder");
        fs::write(root(&format!("docs/pictures/{name}.png")), page.picture().await).expect("written");
    };
    let window = Window { height: 760, ..WIDE };
    Page::of(&app, window, |page| async move {
        page.view("#/").await;
        take(&page, "list").await;
        page.view(&format!("#/i/{id}")).await;
        page.js("document.querySelector('[data-field=durationMinutes]').scrollIntoView({ block: 'start' }); scrollBy(0, -70)").await;
        take(&page, "editor").await;
        teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
        page.view(&format!("#/i/{id}/history")).await;
        page.js("document.querySelectorAll('.timeline details').forEach((one) => { one.open = true; })").await;
        page.until("document.querySelector('ins')").await;
        take(&page, "history").await;
        page.appear(Window { dark: true, ..PHONE }).await;
        page.view(&format!("#/i/{id}")).await;
        take(&page, "phone").await;
    })
    .await;
}

#[test]
fn the_pictures_are_small() {
    for entry in fs::read_dir(root("docs/pictures")).expect("pictures") {
        let entry = entry.expect("an entry");
        assert!(entry.metadata().expect("a size").len() < MOST, "{}", entry.path().display());
    }
}
