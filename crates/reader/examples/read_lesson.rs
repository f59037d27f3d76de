//! Prints the lesson that is read out of a file, as JSON.
//!
//! `cargo run --package fieldbook-reader --example read_lesson -- SCHEMA.json LESSON.docx`

use std::collections::HashSet;
use std::error::Error;

use fieldbook_reader::{Fields, Source, WORD, by_headings, fill, read};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let [schema, path] = [1, 2].map(|place| std::env::args().nth(place).unwrap_or_default());
    let schema: Value = serde_json::from_slice(&std::fs::read(schema)?)?;
    let bytes = std::fs::read(&path)?;
    let media_type = match path.rsplit('.').next().unwrap_or_default() {
        "docx" => WORD,
        "html" => "text/html",
        "md" => "text/markdown",
        _ => "text/plain",
    };
    let document = read(Source::File { media_type, bytes: &bytes })?;
    let fields = Fields::of(&schema);
    let filled = fill(&document, &by_headings(&document, &fields), &fields, &|_| Vec::new());
    let left: HashSet<&String> = filled.not_placed.iter().collect();
    let elsewhere: Vec<_> =
        filled.blocks.iter().filter(|block| left.contains(&block.id)).map(|block| &block.text).collect();
    let mut lesson = filled.content.clone();
    lesson.insert("elsewhere".to_owned(), json!(elsewhere));
    lesson.insert("notices".to_owned(), json!(filled.notices));
    println!("{}", serde_json::to_string_pretty(&lesson)?);
    if std::env::var_os("BLOCKS").is_some() {
        for block in &filled.blocks {
            eprintln!(
                "{:4} {:?} {} [{}] {:?}",
                block.id,
                block.kind,
                block.level,
                block.field.as_deref().unwrap_or("-"),
                block.text
            );
        }
    }
    Ok(())
}
