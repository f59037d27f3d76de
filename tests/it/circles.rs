//! Files of one folder depend on each other in one direction only, without circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Each file with the siblings that it names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the code of a file without comments and unit tests.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns the first name of a path, or the first name of each branch of `{a::b, c}`.
fn first_names(path: &str) -> Vec<String> {
    let word = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(tree) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut names, mut depth, mut branch) = (Vec::new(), 0, String::new());
    for letter in tree.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(word(&std::mem::take(&mut branch))),
            _ if depth == 0 => branch.push(letter),
            _ => {}
        }
    }
    names.push(word(&branch));
    names
}

/// Returns the siblings that each file of a folder names, through `super::` or from the root of the crate.
fn graph(folder: &Path, path: &str) -> Graph {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let file = entry.expect("an entry").path();
        if file.extension().is_some_and(|ending| ending == "rs") {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            texts.insert(name, code(&fs::read_to_string(&file).expect("a text")));
        }
    }
    let named = |text: &str| {
        let through = ["super::".to_owned(), format!("crate::{path}::")];
        let paths = through.iter().flat_map(|start| text.split(start.as_str()).skip(1));
        let names: BTreeSet<String> = paths.flat_map(first_names).filter(|name| texts.contains_key(name)).collect();
        names
    };
    texts.iter().map(|(name, text)| (name.clone(), named(text))).collect()
}

/// Returns all files that can be reached from one file.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(file) = open.pop() {
        for next in &graph[&file] {
            if reached.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    reached
}

fn find(folder: &Path, path: &str, found: &mut Vec<String>) {
    if !path.is_empty() {
        let graph = graph(folder, path);
        found.extend(
            graph.keys().filter(|file| reached(&graph, file).contains(*file)).map(|file| format!("{path}::{file}")),
        );
    }
    for entry in fs::read_dir(folder).expect("a folder") {
        let inside = entry.expect("an entry").path();
        if inside.is_dir() {
            let name = inside.file_name().expect("a name").to_string_lossy().into_owned();
            find(&inside, &if path.is_empty() { name } else { format!("{path}::{name}") }, found);
        }
    }
}

#[test]
fn files_of_one_folder_have_no_circular_dependencies() {
    let mut found = Vec::new();
    for package in ["src", "crates/domain/src"] {
        find(&Path::new(env!("CARGO_MANIFEST_DIR")).join(package), "", &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}
