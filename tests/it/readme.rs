//! The documents are correct: commands print the documented output, the list of routes is complete, and every path and
//! link exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::endpoint::{self, Endpoint};
use crate::support::process::Service;
use crate::support::tree::{files_in, root};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Returns the shell commands of a text.
fn commands(text: &str) -> String {
    text.split("```sh\n").skip(1).map(|rest| rest.split_once("```").expect("its end").0).collect()
}

/// Runs commands against this service, and compares their output with the output in the document.
fn walk(commands: &str, service: &Service, folder: &Path) {
    let program = format!("{} ", env!("CARGO_BIN_EXE_fieldbook"));
    let run =
        commands.replace("cargo run --release --quiet -- ", &program).replace("http://127.0.0.1:8080", &service.base);
    assert!(run.contains(&program) && run.contains(&service.base), "the walk names program and address");
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &run])
        .env("FIELDBOOK_DATA", folder)
        .env("no_proxy", "127.0.0.1")
        .current_dir(root())
        .output()
        .expect("bash");
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{printed}\n{}", String::from_utf8_lossy(&run.stderr));
    let promised: Vec<&str> = commands.lines().filter_map(|line| line.strip_prefix("# → ")).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), promised);
}

#[test]
fn commands_of_the_readme_print_their_documented_output() {
    let folder = tempfile::tempdir().expect("a folder");
    walk(&commands(&read("README.md")), &Service::start(folder.path()), folder.path());
}

#[test]
fn commands_of_the_api_guide_print_their_documented_output() {
    let page = read("docs/integrators/api-by-task.md");
    let (without_model, rest) = page.split_once("## Talk with the assistant\n").expect("the assistant");
    let (_, end) = rest.split_once("\n## ").expect("another task");
    let folder = tempfile::tempdir().expect("a folder");
    walk(&commands(&format!("{without_model}{end}")), &Service::start(folder.path()), folder.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_of_the_assistant_guide_print_their_documented_output() {
    let page = read("docs/integrators/api-by-task.md");
    let (start, rest) = page.split_once("## Read it\n").expect("a second task");
    let (_, rest) = rest.split_once("## Talk with the assistant\n").expect("the assistant");
    let (talk, _) = rest.split_once("\n## ").expect("another task");
    let model = Endpoint::start(|question| match question.kind {
        "converse" => endpoint::proposes(&[("title", "Radishes".into())], "I made the title shorter."),
        _ => endpoint::finds(&[]),
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let address = model.settings().base_url;
    let settings = ["--assistant", "openai-compatible", "--assistant-model", "m", "--assistant-base-url", &address];
    let service = Service::start_with(folder.path(), &settings);
    let commands = commands(&format!("{start}{talk}"));
    tokio::task::spawn_blocking(move || walk(&commands, &service, folder.path())).await.expect("a walk");
}

#[test]
fn commands_of_the_profiles_guide_print_their_documented_output() {
    let page = read("docs/integrators/profiles.md");
    assert!(page.contains("    venv/bin/python examples/profiles/server.py\n"));
    assert!(page.contains("    fieldbook serve --profiles-url http://127.0.0.1:8081\n"));
    let profiles = Service::example_of_profiles();
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start_with(folder.path(), &["--profiles-url", &profiles.base]);
    walk(&commands(&page), &service, folder.path());
}

#[test]
fn documented_list_of_routes_matches_the_service() {
    let page = read("docs/integrators/routes.md");
    let listed: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(route, _)| route.to_owned()))
        .collect();
    let document = fieldbook::http::openapi();
    let mut served = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            served.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    assert_eq!(listed, served);
}

fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map(PathBuf::from).into();
    found.extend(files_in("docs").into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    found
}

#[test]
fn every_path_named_in_the_documents_exists() {
    const STARTS: [&str; 17] = [
        ".ci/",
        "api/",
        "benches/",
        "crates/",
        "deploy/",
        "docs/",
        "eval/",
        "examples/",
        "fuzz/",
        "migrations/",
        "proto/",
        "schemas/",
        "scripts/",
        "src/",
        "tests/",
        "ui/",
        "config.default.toml",
    ];
    for document in documents() {
        let name = document.display();
        let text = read(document.to_str().expect("UTF-8"));
        for quoted in text.split('`').skip(1).step_by(2) {
            // A script may be named with its arguments. The test skips patterns, which stand for many files.
            let path = quoted.split(' ').next().unwrap_or_default();
            if STARTS.iter().any(|start| path.starts_with(start)) && !path.contains(['*', '<', '…']) {
                assert!(root().join(path).exists(), "{name} names {path}");
            }
        }
    }
}

#[test]
fn every_link_between_documents_leads_to_an_existing_file_and_heading() {
    for document in documents() {
        let name = document.display();
        let text = read(document.to_str().expect("UTF-8"));
        let folder = document.parent().expect("a folder");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            if path.contains("://") {
                continue;
            }
            let target = if path.is_empty() { document.clone() } else { folder.join(path) };
            assert!(root().join(&target).exists(), "{name} leads to {link}");
            if !heading.is_empty() {
                assert!(anchors(&read(target.to_str().expect("UTF-8"))).contains(heading), "{name} leads to {link}");
            }
        }
    }
}

/// Returns the anchors of the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_documentation_page_is_in_the_index_and_begins_with_its_goal() {
    let index = read("docs/README.md");
    for document in documents().iter().filter(|path| path.starts_with("docs") && !path.ends_with("README.md")) {
        let path = document.strip_prefix("docs").expect("below docs").display().to_string();
        assert!(index.contains(&format!("]({path})")), "docs/README.md does not lead to {path}");
        let text = read(document.to_str().expect("UTF-8"));
        let opening = text.split("\n\n").nth(1).unwrap_or_default();
        assert!(opening.starts_with("After reading this page, you "), "docs/{path} opens with {opening:?}");
    }
}

#[test]
fn every_script_is_listed_for_contributors_and_has_a_description() {
    let listed = read("CONTRIBUTING.md");
    for script in root().join("scripts").read_dir().expect("a folder").map(|entry| entry.expect("an entry")) {
        let name = script.file_name().into_string().expect("UTF-8");
        let row = format!("| `scripts/{name}` | ");
        let count = listed.lines().filter(|line| line.starts_with(&row)).count();
        assert_eq!(count, 1, "CONTRIBUTING.md lists scripts/{name} {count} times");
        let text = std::fs::read_to_string(script.path()).expect("a text");
        let second = text.lines().nth(1).unwrap_or_default();
        assert!(second.starts_with("# ") || second.starts_with("\"\"\""), "scripts/{name} does not say what it does");
    }
}

#[test]
fn every_promise_of_the_architecture_names_an_existing_test() {
    let page = read("ARCHITECTURE.md");
    let (_, table) = page.split_once("| promise | file | test |\n").expect("the table");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split(" | ").collect()).collect();
    assert!(rows.len() > 20);
    for row in rows {
        let [promise, files, test] = row[..] else { panic!("{row:?} has not three cells") };
        if let Some(test) = test.strip_prefix('`').and_then(|test| test.strip_suffix("` |")) {
            let file = read(files.trim_matches('`'));
            assert!(file.contains(&format!("fn {test}(")), "{promise}: {files} has no {test}");
        }
    }
}

#[test]
fn every_button_and_label_in_the_guides_for_authors_is_on_the_page() {
    let page: String = files_in("ui").iter().map(|path| read(path.to_str().expect("UTF-8"))).collect();
    for document in documents().iter().filter(|path| path.starts_with("docs/authors")) {
        let text = read(document.to_str().expect("UTF-8"));
        for label in text.split("**").skip(1).step_by(2).map(|label| label.replace('\n', " ")) {
            let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
            let named = ["'", "`", ">", " ", ": "].iter().any(|before| page.contains(&format!("{before}{label}")));
            // Bold text that ends with a period is the title of a step in a list, and not a button or label.
            assert!(
                named || label.ends_with('.'),
                "{} names \"{label}\", which no file of ui/ has",
                document.display()
            );
        }
    }
}
