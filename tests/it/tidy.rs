//! The structure that ARCHITECTURE.md describes: the dependencies between the layers, and one file, one route line
//! and one test file for each operation.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::tree::{files_in, root};

/// The parts that each part of `src/` may use. The domain is a package of its own, and uses no part of `src/`.
const ARROWS: [(&str, &[&str]); 26] = [
    ("admission", &["domain"]),
    ("breaker", &[]),
    ("cache", &["clock"]),
    ("error_chain", &[]),
    ("examples", &[]),
    ("clock", &["domain"]),
    ("grpc", &["error_chain", "proxy"]),
    ("ids", &["domain"]),
    ("limits", &["admission", "clock"]),
    ("metrics", &["clock"]),
    ("http_client", &["domain", "error_chain", "proxy"]),
    ("first_seen", &[]),
    ("private_file", &[]),
    ("proxy", &[]),
    ("telemetry", &["error_chain", "grpc"]),
    (
        "tokens",
        &["breaker", "error_chain", "clock", "domain", "ids", "http_client", "first_seen", "private_file", "proxy"],
    ),
    (
        "assistant",
        &["admission", "breaker", "cache", "error_chain", "clock", "domain", "ids", "http_client", "telemetry"],
    ),
    ("profiles", &["admission", "breaker", "cache", "error_chain", "clock", "domain", "grpc", "telemetry"]),
    ("store", &["admission", "cache", "clock", "domain", "error_chain", "first_seen", "ids", "private_file"]),
    ("feed", &["admission", "clock", "domain", "store"]),
    ("webhooks", &["breaker", "error_chain", "clock", "domain", "feed", "ids", "http_client", "store"]),
    (
        "app",
        &[
            "admission",
            "assistant",
            "cache",
            "clock",
            "domain",
            "feed",
            "ids",
            "limits",
            "profiles",
            "store",
            "tokens",
            "webhooks",
        ],
    ),
    (
        "settings",
        &[
            "app",
            "assistant",
            "domain",
            "grpc",
            "limits",
            "private_file",
            "profiles",
            "proxy",
            "store",
            "tokens",
            "webhooks",
        ],
    ),
    ("authoring", &["admission", "app", "assistant", "domain", "limits", "store", "telemetry"]),
    (
        "http",
        &[
            "admission",
            "app",
            "authoring",
            "clock",
            "domain",
            "examples",
            "feed",
            "limits",
            "metrics",
            "first_seen",
            "profiles",
            "proxy",
            "store",
            "tokens",
            "telemetry",
        ],
    ),
    (
        "cli",
        &[
            "admission",
            "app",
            "assistant",
            "authoring",
            "clock",
            "domain",
            "examples",
            "feed",
            "http",
            "http_client",
            "ids",
            "limits",
            "private_file",
            "profiles",
            "settings",
            "store",
            "tokens",
            "telemetry",
            "webhooks",
        ],
    ),
];

/// Libraries that only certain files may name. `reqwest` and `tonic` have clients in several parts, which share one
/// way to connect to an address.
const OWNED: [(&str, &str); 41] = [
    ("axum", "src/http/"),
    ("hyper", "src/http/"),
    ("mimalloc", "src/main.rs"),
    ("rusqlite", "src/store/sqlite/"),
    ("rustix", "src/cli/doctor/files.rs"),
    ("rustix", "src/cli/serve.rs"),
    ("rustix", "src/http/server.rs"),
    ("rustix", "src/metrics/process.rs"),
    ("rustix", "src/private_file.rs"),
    ("rustix", "src/store/sqlite/diagnostics.rs"),
    ("tokio_postgres", "src/store/postgres/"),
    ("deadpool", "src/store/postgres/"),
    ("rustls", "src/store/postgres/"),
    ("reqwest", "src/assistant/model/"),
    ("reqwest", "src/http_client.rs"),
    ("reqwest", "src/tokens/fetch.rs"),
    ("reqwest", "src/webhooks/post.rs"),
    ("clap", "src/cli/"),
    ("clap_complete", "src/cli/manual.rs"),
    ("clap_mangen", "src/cli/manual.rs"),
    ("sd_notify", "src/cli/service_manager.rs"),
    ("governor", "src/limits.rs"),
    ("moka", "src/cache.rs"),
    ("tower_http", "src/http/"),
    ("rmcp", "src/http/mcp/"),
    ("percent_encoding", "src/http/mcp/"),
    ("percent_encoding", "src/http/sheet/"),
    ("percent_encoding", "src/http/sign_in/"),
    ("percent_encoding", "src/store/postgres/address.rs"),
    ("form_urlencoded", "src/tokens/sign_in.rs"),
    ("metrics_exporter_prometheus", "src/metrics.rs"),
    ("jsonwebtoken", "src/tokens/"),
    ("prost", "src/profiles/"),
    ("tonic", "src/grpc.rs"),
    ("tonic", "src/profiles/"),
    ("opentelemetry", "src/telemetry.rs"),
    ("opentelemetry_otlp", "src/telemetry.rs"),
    ("opentelemetry_sdk", "src/telemetry.rs"),
    ("tonic_prost", "src/profiles/"),
    ("unicode_bidi", "src/http/sheet/word/"),
    ("zip", "src/http/sheet/"),
];

/// The files below `src/store/` that may name an engine. All others are the same for both engines.
const OF_ENGINES: [&str; 9] = [
    "diagnostics.rs",
    "dialect.rs",
    "engine.rs",
    "handle.rs",
    "location.rs",
    "mod.rs",
    "postgres/",
    "sqlite/",
    "usage.rs",
];

/// The folders of `ui/` that each folder may use. Folders that are not listed here contain views, and may use all
/// folders.
const ARROWS_OF_PAGE: [(&str, &[&str]); 3] = [("text", &[]), ("core", &["text"]), ("doc", &["core", "text"])];
/// The modules that start the page, and so use everything.
const STARTS_OF_PAGE: [&str; 2] = ["ui/core/app.js", "ui/core/start.js"];

/// The maximum number of lines of a script or style sheet in `ui/`.
const MAX_LINES_OF_PAGE: usize = 300;
/// The maximum width of a line in `ui/`, and of a comment. Neither formatter wraps comments.
const MAX_COLUMNS: usize = 120;
/// Code that could turn a text of a user into markup or a script.
const NEVER_IN_THE_PAGE: [&str; 9] = [
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "new Function",
    "javascript:",
    "style=",
    "onclick=",
];

fn text_of(path: &Path) -> String {
    fs::read_to_string(root().join(path)).expect("a text")
}

/// Returns the names and texts of the Rust files in a folder.
fn files(folder: &str) -> Vec<(String, String)> {
    let rust = files_in(folder).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    rust.map(|path| (path.display().to_string(), text_of(&path))).collect()
}

fn code() -> Vec<(String, String)> {
    files("src").into_iter().chain(files("crates/domain/src")).collect()
}

/// Returns the part of `src/` that a file belongs to.
fn part(name: &str) -> &str {
    let inside = name.trim_start_matches("src/");
    inside.split_once('/').map_or_else(|| inside.trim_end_matches(".rs"), |(folder, _)| folder)
}

#[test]
fn layers_depend_in_one_direction() {
    for (name, text) in files("src") {
        let part = part(&name);
        if ["lib", "main"].contains(&part) {
            continue;
        }
        let (_, allowed) = ARROWS
            .iter()
            .find(|(known, _)| *known == part)
            .unwrap_or_else(|| panic!("{name}: a new part; add its arrows"));
        for piece in text.split("crate::").skip(1) {
            let used: String = piece.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(used == part || allowed.contains(&used.as_str()), "{name} uses crate::{used}");
        }
    }
}

#[test]
fn page_folders_depend_in_one_direction() {
    for path in files_in("ui") {
        let name = path.display().to_string();
        let folder = name.split('/').nth(1).unwrap_or_default();
        let Some((_, allowed)) = ARROWS_OF_PAGE.iter().find(|(known, _)| *known == folder) else { continue };
        if STARTS_OF_PAGE.contains(&name.as_str()) {
            continue;
        }
        // This includes modules that are imported only for a type.
        for piece in text_of(&path).split("'../").skip(1) {
            let used = piece.split('/').next().unwrap_or_default();
            assert!(allowed.contains(&used), "{name} uses ../{}", piece.split('\'').next().unwrap_or_default());
        }
    }
}

#[test]
fn each_library_is_used_only_in_the_modules_that_own_it() {
    for (name, text) in code() {
        for (library, _) in OWNED {
            let named = text.contains(&format!("use {library}::")) || text.contains(&format!(" {library}::"));
            let mut homes = OWNED.iter().filter(|(owned, _)| *owned == library).map(|(_, home)| *home);
            assert!(
                !named || homes.any(|home| name.starts_with(home)),
                "{name} names {library}, which belongs elsewhere"
            );
        }
    }
}

#[test]
fn store_source_files_outside_the_engine_folders_do_not_mention_sqlite_or_postgres() {
    for (name, text) in files("src/store") {
        if OF_ENGINES.iter().any(|place| name.trim_start_matches("src/store/").starts_with(place)) {
            continue;
        }
        for (line, number) in text.to_lowercase().lines().zip(1..) {
            assert!(!line.contains("sqlite") && !line.contains("postgres"), "{name}:{number} names an engine: {line}");
        }
    }
}

/// Returns the columns of each table that the migrations of an engine create, except the table for search, which only
/// one engine has.
fn tables(engine: &str) -> BTreeMap<String, Vec<String>> {
    let folder = fs::read_dir(root().join("migrations").join(engine)).expect("a folder");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let text: String = files.iter().map(|file| fs::read_to_string(file).expect("a text")).collect();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("--"));
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let text = lines.collect::<Vec<_>>().join("\n").replace("CREATE UNLOGGED TABLE ", "CREATE TABLE ");
    for statement in text.split(';').map(str::trim) {
        if let Some((table, lines)) = statement.strip_prefix("CREATE TABLE ").and_then(|rest| rest.split_once(" (\n")) {
            // Lines of constraints begin with a keyword in capital letters.
            let names = lines.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
            let columns = names.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
            tables.insert(table.to_owned(), columns);
        }
        if let Some((table, column)) =
            statement.strip_prefix("ALTER TABLE ").and_then(|rest| rest.split_once(" ADD COLUMN "))
        {
            let name = column.split(' ').next().expect("a name");
            tables.get_mut(table).expect("a table").push(name.to_owned());
        }
    }
    tables.remove("search_word");
    tables
}

#[test]
fn both_engines_have_the_same_tables_with_the_same_columns() {
    let (of_sqlite, of_postgres) = (tables("sqlite"), tables("postgres"));
    let names = |tables: &BTreeMap<String, Vec<String>>| tables.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&of_sqlite), names(&of_postgres));
    for (table, columns) in &of_sqlite {
        assert_eq!(columns, &of_postgres[table], "the table {table} differs");
    }
    assert_eq!(of_sqlite["link_day"], ["link", "day", "count"]);
}

#[test]
fn every_rust_file_starts_with_a_description() {
    for (name, text) in code().into_iter().chain(files("tests")) {
        assert!(text.starts_with("//! "), "{name} does not open with //!");
    }
}

/// Beginnings of lines that define an item. Items belong in files of their own, not in `mod.rs`.
const ITEMS: [&str; 9] = ["const ", "enum ", "fn ", "impl", "macro_rules!", "static ", "struct ", "trait ", "type "];

#[test]
fn mod_rs_files_only_declare_and_re_export_modules() {
    let is_list = |name: &str| name.contains("src/") && name.ends_with("/mod.rs");
    for (name, text) in files("src").into_iter().chain(files("crates")).filter(|(name, _)| is_list(name)) {
        for (line, number) in text.lines().zip(1..) {
            let item = line.trim_start().trim_start_matches("pub ").trim_start_matches("async ");
            assert!(!ITEMS.iter().any(|start| item.starts_with(start)), "{name}:{number} holds code: {line}");
        }
    }
}

#[test]
fn every_error_message_that_the_schemathesis_hooks_allow_exists_in_the_service() {
    let hooks = fs::read_to_string(root().join("tests/schemathesis/hooks.py")).expect("the hooks");
    let plain = |text: String| text.replace("{MAX_STORED_DEPTH}", "64").replace("{MAX_DEPTH}", "32");
    let code: String = code().into_iter().map(|(_, text)| plain(text)).collect();
    let list = hooks.split("REFUSALS = (").nth(1).and_then(|rest| rest.split(')').next()).expect("the list");
    let excused: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(excused.len() > 3, "the list is not read: {list}");
    let stale: Vec<&&str> = excused.iter().filter(|text| !code.contains(**text)).collect();
    assert!(stale.is_empty(), "no message holds {stale:?}");
}

#[test]
fn every_operation_has_one_file_one_route_line_and_one_test_file() {
    let router = fs::read_to_string(root().join("src/http/router.rs")).expect("the router");
    for group in ["investigation", "link"] {
        for (name, text) in files(&format!("src/http/{group}")) {
            let operation = name.trim_end_matches(".rs").rsplit('/').next().expect("a name").to_owned();
            if operation == "mod" {
                continue;
            }
            assert!(text.contains(&format!("pub async fn {operation}(")), "{name} is not an operation");
            let path = format!("{group}::{operation}::{operation}");
            assert!(router.contains(&path), "{path} stands in no line of the router");
            let test = format!("tests/it/http/{group}/{operation}.rs");
            assert!(root().join(&test).exists(), "{test} is missing");
        }
    }
}

#[test]
fn every_page_file_has_a_description_and_builds_no_markup_from_text() {
    for path in files_in("ui") {
        let (name, text) = (path.display(), text_of(&path));
        let begins = match path.extension().and_then(|ending| ending.to_str()) {
            Some("js") => text.starts_with("// @ts-check\n// "),
            Some("css") => text.starts_with("/* "),
            Some("html" | "svg") => text.lines().take(2).any(|line| line.contains("<!-- ")),
            _ => panic!("{name} is served as nothing"),
        };
        assert!(begins, "{name} does not say what it is");
        for word in NEVER_IN_THE_PAGE {
            assert!(!text.contains(word), "{name} has {word}");
        }
        assert!(names_no_host(&text), "{name} names a host");
    }
}

#[test]
fn every_page_file_is_short_and_its_lines_fit_the_screen() {
    for path in files_in("ui") {
        let (name, text) = (path.display(), text_of(&path));
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ["js", "css"].contains(&ending) {
            let lines = text.lines().count();
            assert!(lines <= MAX_LINES_OF_PAGE, "{name} has {lines} lines");
        }
        for (line, number) in text.lines().zip(1..).filter(|_| ending == "js") {
            let columns = line.chars().count();
            assert!(columns <= MAX_COLUMNS, "{name}:{number} has {columns} characters");
        }
    }
}

#[test]
fn every_comment_fits_the_screen() {
    for (name, text) in code().into_iter().chain(files("tests")) {
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with("//")) {
            let columns = line.chars().count();
            assert!(columns <= MAX_COLUMNS, "{name}:{number} has {columns} characters");
        }
    }
}

/// Returns whether a text names no host. The namespace of SVG looks like an address, but is only a name.
fn names_no_host(text: &str) -> bool {
    let hosts = text.split("http").skip(1).filter(|rest| rest.starts_with("://") || rest.starts_with("s://"));
    hosts.into_iter().all(|rest| rest.trim_start_matches('s').starts_with("://www.w3.org/2000/svg"))
}

/// Files whose tasks run without the permit of a request. These tasks wait for a model in the background, record when a
/// session or API key was used or that a sign-in failed (each with one short write), or serve connections, events and
/// webhooks.
const TASKS_OF_THE_SERVICE: [&str; 4] =
    ["src/authoring/processing.rs", "src/http/auth.rs", "src/http/passwords.rs", "src/http/server.rs"];

#[test]
fn file_that_spawns_tasks_passes_them_a_permit_or_is_a_listed_exception() {
    let files = ["src/app", "src/authoring", "src/http"].into_iter().flat_map(files_in);
    let begins_tasks = |path: &PathBuf| {
        let text = text_of(path);
        text.contains("spawn(") && !text.contains("for_another_task(")
    };
    let found: Vec<String> = files.filter(begins_tasks).map(|path| path.display().to_string()).collect();
    assert_eq!(found, TASKS_OF_THE_SERVICE);
}

/// Files of the service with code that only tests use, and the beginning of that code.
const SEAMS: [(&str, &str); 16] = [
    ("src/admission/pool.rs", "pub fn waiting("),
    ("src/clock.rs", "#[path = \"../tests/simulation/seams/clock.rs\"]\nmod manual;"),
    ("src/clock.rs", "Set(manual::Times)"),
    ("src/ids.rs", "#[path = \"../tests/simulation/seams/ids.rs\"]\nmod counted;"),
    ("src/ids.rs", "Counted(counted::Count)"),
    ("src/limits.rs", "pub fn tracked_callers("),
    ("src/store/mod.rs", "#[path = \"../../tests/simulation/seams/store.rs\"]\npub mod simulated;"),
    ("src/store/handle.rs", "pub(super) faults: Option<Arc<dyn simulated::Faults>>"),
    ("src/store/engine.rs", "if let Some(faults) = &self.faults {\n            return simulated::read"),
    ("src/store/engine.rs", "if let Some(faults) = &self.faults {\n            return simulated::write"),
    ("src/store/sqlite/database.rs", "pub fn on_task("),
    ("src/store/sqlite/readers.rs", "inline: bool"),
    ("src/store/sqlite/readers.rs", "let ran = if self.inline {"),
    ("src/store/sqlite/writer.rs", "pub fn on_task("),
    ("src/webhooks/post.rs", "#[path = \"../../tests/simulation/seams/webhooks.rs\"]\npub mod simulated;"),
    ("src/webhooks/post.rs", "Simulated(simulated::Receiver)"),
];

#[test]
fn release_build_excludes_test_seams() {
    for (file, seam) in SEAMS {
        let text = fs::read_to_string(root().join(file)).expect("a text");
        let (before, _) = text.split_once(seam).unwrap_or_else(|| panic!("{file} lacks {seam}"));
        let above = before.lines().rev().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("#[derive"));
        assert_eq!(above, Some(r#"#[cfg(feature = "simulation")]"#), "{file}: {seam}");
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a text");
    let (_, features) = manifest.split_once("[features]").expect("the features");
    assert!(features.contains("\nsimulation = []"), "{features}");
    assert!(!features.contains("\ndefault"), "no feature is on by default");
}
