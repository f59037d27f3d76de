//! Vocabulary: terms with and without definitions.

use fieldbook_reader::{Source, by_headings, fill, read};
use serde_json::{Value, json};

use crate::support::{FIELDS, content, html, left, text};

fn bare(terms: &[&str]) -> Value {
    terms.iter().map(|term| json!({"term": term, "definition": ""})).collect()
}

#[test]
fn terms_in_one_vocabulary_line_are_separate_entries() {
    let lines = [
        ("Key words: ion, emission", vec!["ion", "emission"]),
        ("Fachbegriffe: Ion; Emission; angeregter Zustand", vec!["Ion", "Emission", "angeregter Zustand"]),
        ("Mots-clés : ion, émission.", vec!["ion", "émission"]),
        ("Palabras clave: ion (el), emisión (la)", vec!["ion (el)", "emisión (la)"]),
        ("المفردات: أيون، انبعاث", vec!["أيون", "انبعاث"]),
    ];
    for (line, terms) in lines {
        let label = line.split(':').next().unwrap();
        let bold = line.replacen(&format!("{label}:"), &format!("<b>{label}: </b>"), 1);
        for filled in [text(&format!("Salt\n\n{line}\n")), html(&format!("<h1>Salt</h1><p>{bold}</p>"))] {
            assert_eq!(content(&filled)["vocabulary"], bare(&terms), "{line}");
            assert_eq!(left(&filled), [""; 0], "{line}");
        }
    }
}

#[test]
fn vocabulary_list_may_mix_terms_with_and_without_a_definition() {
    let filled = text("Salt\n\nKey vocabulary\nsolute: what dissolves\nsolvent – a liquid, mostly\nmixture\n");
    let expected = json!([
        {"term": "solute", "definition": "what dissolves"},
        {"term": "solvent", "definition": "a liquid, mostly"},
        {"term": "mixture", "definition": ""},
    ]);
    assert_eq!(content(&filled)["vocabulary"], expected);
}

#[test]
fn several_terms_with_definitions_in_one_line_are_separated() {
    let filled = text("Salt\n\nGlossary\nsolute: what dissolves; solvent: what it dissolves in\n");
    let expected = json!([
        {"term": "solute", "definition": "what dissolves"},
        {"term": "solvent", "definition": "what it dissolves in"},
    ]);
    assert_eq!(content(&filled)["vocabulary"], expected);
}

#[test]
fn sentence_in_a_glossary_is_not_a_vocabulary_term() {
    let filled = text("Salt\n\nGlossary\nCopy these words into your book, please.\nWhat is a solute?\n");
    assert_eq!(content(&filled), json!({"title": "Salt"}));
    assert_eq!(left(&filled), ["Glossary", "Copy these words into your book, please.", "What is a solute?"]);
}

#[test]
fn bold_word_is_a_term_and_the_words_after_it_are_its_definition() {
    let filled = html("<h1>Salt</h1><h2>Glossary</h2><p><b>solute</b> what dissolves</p>");
    assert_eq!(content(&filled)["vocabulary"], json!([{"term": "solute", "definition": "what dissolves"}]));
}

#[test]
fn whole_vocabulary_line_is_put_into_no_field_if_the_schema_refuses_one_term() {
    let document = read(Source::Text("Salt\n\nWords: ion, emission, salt\n\nSafety\nNo food.\n")).unwrap();
    let filled = fill(&document, &by_headings(&document, &FIELDS), &FIELDS, &|content| {
        let terms = content.get("vocabulary").and_then(Value::as_array).into_iter().flatten();
        let refused = |(at, term): (usize, &Value)| (term["term"] != "salt").then(|| format!("vocabulary.{at}.term"));
        terms.enumerate().filter_map(refused).collect()
    });
    assert_eq!(content(&filled), json!({"title": "Salt", "safety": ["No food."]}));
    assert_eq!(left(&filled), ["Words: ion, emission, salt"]);
}

#[test]
fn vocabulary_line_is_split_into_terms_if_one_of_them_has_a_definition() {
    let lesson = text("Salt\n\nVocabulary: solute – what dissolves; solvent; solution\n");
    let expected = json!([{"term": "solute", "definition": "what dissolves"}, {"term": "solvent", "definition": ""}, {"term": "solution", "definition": ""}]);
    assert_eq!(content(&lesson)["vocabulary"], expected);
}

#[test]
fn each_line_with_a_term_and_a_definition_is_one_vocabulary_entry() {
    let filled = text(
        "Rust\n\nObjectives\nPupils name what iron needs to get rusty, and say why some\nnails stay clean.\n\n\
         Vocabulary\nalloy: a stuff that is made of two or more metals in a melt\nrust: what iron becomes in wet air\n",
    );
    let terms = json!([
        {"term": "alloy", "definition": "a stuff that is made of two or more metals in a melt"},
        {"term": "rust", "definition": "what iron becomes in wet air"},
    ]);
    assert_eq!(content(&filled)["vocabulary"], terms);
}

#[test]
fn html_definition_list_gives_terms_with_their_definitions() {
    let filled = html(
        "<h1>Rust</h1><h2>Key words</h2><dl><dt>alloy</dt><dd>Mixed metals.</dd><dt>ore<dd>Stone.</dl>\
         <dl><dt>Materials</dt><dd>nails</dd><dd>water</dd></dl>",
    );
    let terms = json!([{"term": "alloy", "definition": "Mixed metals."}, {"term": "ore", "definition": "Stone."}]);
    assert_eq!(content(&filled)["vocabulary"], terms);
    assert_eq!(content(&filled)["materials"], json!([{"name": "nails"}, {"name": "water"}]));
}
