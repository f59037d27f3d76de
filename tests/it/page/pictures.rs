//! The screenshots for the documents, which `scripts/pictures` takes, and the time to the first paint, which
//! `scripts/first-paint` prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use axum::Router;
use axum::response::Html;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fieldbook::app::HttpSettings;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE, Window};
use crate::support::process::Service;

/// The drawing that the screenshots show in a lesson, and the window in which the browser renders it.
const DRAWING: &str = include_str!("seedlings.svg");
const SIZE: Window = Window { width: 1200, height: 520, dark: false };

/// The maximum size of a screenshot, in bytes.
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

/// The number of browsers, and the number of visits in each browser.
const BROWSERS: usize = 5;
const VISITS: usize = 5;

#[tokio::test]
#[ignore = "prints a time, and asserts none; run by scripts/first-paint"]
async fn print_the_time_to_the_first_paint() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::var("FIELDBOOK_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_fieldbook").to_owned());
    let mut program = Command::new(program);
    program.args(["serve", "--log-level", "error", "--data"]).arg(folder.path());
    let service = Service::of(program);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let empty = format!("http://{}", listener.local_addr().expect("an address"));
    let page = Router::new().fallback(async || Html("<!doctype html><title>Empty</title><h1>Empty</h1>"));
    tokio::spawn(async move { axum::serve(listener, page).await });
    for (name, window) in [("wide", WIDE), ("phone", PHONE)] {
        let mut paints = [Vec::new(), Vec::new()];
        for _ in 0..BROWSERS {
            for (base, paints) in [&service.base, &empty].into_iter().zip(&mut paints) {
                paints.push(first_paints(base, window).await);
            }
        }
        let [ours, bare] = paints;
        let first = |paints: &[Vec<f64>]| median(paints.iter().map(|visits| visits[0]).collect());
        let later = |paints: &[Vec<f64>]| median(paints.iter().flat_map(|visits| visits[1..].to_vec()).collect());
        println!("{name}, a browser's first visit: {} ms; of an empty page: {} ms", first(&ours), first(&bare));
        println!("{name}, its later visits: {} ms; of an empty page: {} ms", later(&ours), later(&bare));
    }
}

/// Returns the milliseconds to the first paint for each visit in a new browser.
async fn first_paints(base: &str, window: Window) -> Vec<f64> {
    let page = Page::at(base, window, None).await;
    let mut paints = Vec::new();
    for _ in 0..VISITS {
        page.visit("").await;
        let paint = page.until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime").await;
        paints.push(paint.as_f64().expect("milliseconds"));
    }
    paints
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[tokio::test]
#[ignore = "writes docs/pictures; run by scripts/pictures"]
async fn take_screenshots_of_the_documentation() {
    let http = HttpSettings { public_url: Some("http://fieldbook.example.org".into()), ..HttpSettings::default() };
    let (app, _, teacher) = TestApp::start_with(http).await;
    let page = Page::of(&app, SIZE).await;
    let drawing = format!("data:image/svg+xml;base64,{}", STANDARD.encode(DRAWING));
    page.ask("Page.navigate", json!({ "url": drawing })).await;
    page.until("document.querySelector('svg')").await;
    // Its corners are transparent, so the service stores it as PNG, without loss.
    page.ask("Emulation.setDefaultBackgroundColorOverride", json!({"color": {"r": 0, "g": 0, "b": 0, "a": 0}})).await;
    let drawing = page.picture().await;
    page.ask("Emulation.setDefaultBackgroundColorOverride", json!({})).await;
    page.appear(Window { height: 760, ..WIDE }).await;
    page.visit("").await;
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
    page.view("#/").await;
    take(&page, "list").await;
    page.view(&format!("#/i/{id}")).await;
    page.until("document.querySelector('[data-field=durationMinutes] .finding')").await;
    page.js("document.querySelector('[data-field=durationMinutes] .finding').open = true").await;
    page.js("scrollTo(0, 0)").await;
    take(&page, "editor").await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.js("document.querySelectorAll('.timeline details:not(.menu)').forEach((one) => { one.open = true; })").await;
    page.until("document.querySelector('ins')").await;
    take(&page, "history").await;
    let drawing = teacher.add_picture(&path, drawing).await;
    let alt =
        "Three dishes of seedlings: short and green on a window sill, taller on a shelf, tall and yellow in a cupboard";
    let caption = "The three dishes after seven days";
    teacher.patch(&path, json!({"pictures": [{"id": drawing, "alt": alt, "caption": caption}]})).await;
    let link = json!({"key": "class-5b", "subLink": "radishes", "description": "Class 5b", "shows": "handout"});
    teacher.post(&format!("{path}/links"), link).await;
    page.appear(Window { width: 1160, height: 1000, dark: false }).await;
    page.view(&format!("#/i/{id}/handout/class-5b/radishes")).await;
    page.until(
        "(() => { const images = [...document.querySelector('.sheet-frame').contentDocument.images];
             return images.length === 2 && images.every((image) => image.naturalWidth > 0); })()",
    )
    .await;
    take(&page, "sheet").await;
    page.appear(Window { dark: true, ..PHONE }).await;
    page.view(&format!("#/i/{id}")).await;
    take(&page, "phone").await;
}

#[test]
fn screenshots_of_the_documentation_are_small_files() {
    for entry in fs::read_dir(root("docs/pictures")).expect("pictures") {
        let entry = entry.expect("an entry");
        assert!(entry.metadata().expect("a size").len() < MOST, "{}", entry.path().display());
    }
}
