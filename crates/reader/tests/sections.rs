//! Where the sections of a document begin and end, and what their headings say besides.

use serde_json::json;

use crate::support::{content, html, left, text};

#[test]
fn answers_are_below_their_questions_with_the_same_numbers() {
    for (questions, answers) in [
        ("Questions", "Answers"),
        ("Questions", "Model answers:"),
        ("Fragen", "Lösungen"),
        ("Questions de discussion", "Réponses attendues"),
        ("Preguntas", "Soluciones"),
        ("أسئلة للمناقشة", "الإجابات"),
    ] {
        let filled = text(&format!(
            "Salt\n\n{questions}\n1. Why is it wet?\n2. Why is it dry?\n\n{answers}\n1. Rain.\n2. Sun.\n"
        ));
        let expected = format!("1. Why is it wet?\n2. Why is it dry?\n{answers}\n1. Rain.\n2. Sun.");
        assert_eq!(content(&filled), json!({"title": "Salt", "assessment": expected}), "{answers}");
        assert_eq!(left(&filled), [""; 0]);
    }
    let filled = text("Salt\n\nQuestions\n1. Why is it wet?\n\nAnswers: Rain. Sun.\n");
    assert_eq!(content(&filled), json!({"title": "Salt", "assessment": "Why is it wet?\nAnswers: Rain. Sun."}));
}

#[test]
fn words_beside_the_name_of_a_field_are_not_lost() {
    let filled = text("Salt\n\nMaterials (per pair)\n- salt\n\nSafety (everybody)\n- Wear goggles.\n");
    let expected =
        json!({"title": "Salt", "groupSize": 2, "materials": [{"name": "salt"}], "safety": ["Wear goggles."]});
    assert_eq!((content(&filled), left(&filled)), (expected, vec!["Safety (everybody)"]));
    let filled = html("<h1>Salt</h1><table><tr><th>Item<th>Quantity per bench<tr><td>salt<td>5 g</table>");
    let expected = json!({"title": "Salt", "materials": [{"name": "salt", "quantity": 5, "unit": "g"}]});
    assert_eq!((content(&filled), left(&filled)), (expected, vec!["Item\tQuantity per bench"]));
}

#[test]
fn bold_lines_with_known_names_end_steps_below_a_heading_of_the_document() {
    let filled = html(
        "<h1>Salt</h1><h2>Method</h2><ol><li>Stir.<li>Filter.</ol><p><b>First try</b></p><ol><li>Dry it.</ol>\
         <p><b>Safety</b></p><ul><li>Wear goggles.</ul><p><b>Homework</b></p><p>Draw it.</p>",
    );
    let steps = json!([{"text": "Stir."}, {"text": "Filter."}, {"text": "First try: Dry it."}]);
    let expected = json!({"title": "Salt", "steps": steps, "safety": ["Wear goggles."], "homework": "Draw it."});
    assert_eq!(content(&filled), expected);
}

#[test]
fn label_apart_from_a_list_is_not_in_it() {
    for label in ["Before the lesson", "Vor der Stunde", "Avant la séance", "Antes de la clase", "قبل الدرس"] {
        let line = format!("{label}: Dry the salt.");
        let filled = text(&format!("Salt\n\nMaterials:\n- salt\n- a cup\n\n{line}\n"));
        let expected = json!({"title": "Salt", "materials": [{"name": "salt"}, {"name": "a cup"}]});
        assert_eq!((content(&filled), left(&filled)), (expected, vec![line.as_str()]));
    }
}

#[test]
fn counted_lessons_over_lists_are_the_steps() {
    let filled = text(
        "Salt\n\nLesson 1\n- 10 min – Stir.\n- 5 min – Wait.\n\nLesson 2\n- 20 min – Filter.\n\nSafety: Wear goggles.\n",
    );
    let steps = json!([
        {"text": "Lesson 1: Stir.", "minutes": 10},
        {"text": "Wait.", "minutes": 5},
        {"text": "Lesson 2: Filter.", "minutes": 20},
    ]);
    assert_eq!(content(&filled), json!({"title": "Salt", "steps": steps, "safety": ["Wear goggles."]}));
}
