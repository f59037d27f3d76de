//! The beginning and the end of sections, and additional words in headings.

use serde_json::json;

use fieldbook_reader::Source;

use crate::support::{
    content, docx, filled as filled_by, html, item, left, lesson, paragraph, read_docx, styled, text,
};

#[test]
fn answers_follow_the_questions_in_the_assessment_and_keep_their_numbers() {
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
fn questions_keep_their_original_numbers() {
    let answers = "Answers\n1. Rain.\n2. Sun.";
    let filled = text(&format!("Salt\n\nQuestions\n\n1. Why wet?\n\nThink of rain.\n\n2. Why dry?\n\n{answers}\n"));
    assert_eq!(content(&filled)["assessment"], format!("1. Why wet?\nThink of rain.\n2. Why dry?\n{answers}"));
    let filled = text("Salt\n\nQuestions\n5. Why wet?\n6. Why dry?\n\nAnswers\n5. Rain.\n6. Sun.\n");
    assert_eq!(content(&filled)["assessment"], "5. Why wet?\n6. Why dry?\nAnswers\n5. Rain.\n6. Sun.");
    let expected = "1. Why wet?\nThink of rain.\n2. Why dry?\nAnswers\n1. Rain.\n2. Sun.";
    let filled = html(
        "<h1>Salt</h1><h2>Questions</h2><ol><li>Why wet?</ol><p>Think of rain.<ol start=2><li>Why dry?</ol>\
         <h2>Answers</h2><ol><li>Rain.<li>Sun.</ol>",
    );
    assert_eq!(content(&filled)["assessment"], expected);
    let markdown =
        "# Salt\n\n## Questions\n\n1. Why wet?\n\nThink of rain.\n\n2. Why dry?\n\n## Answers\n\n1. Rain.\n2. Sun.\n";
    let filled = lesson(Source::File { media_type: "text/markdown", bytes: markdown.as_bytes() });
    assert_eq!(content(&filled)["assessment"], expected);
    // Lists in Word have numbers that are not part of the text.
    let lines = [
        styled("Titel", "Salt"),
        styled("berschrift2", "Questions"),
        item(2, 0, "Why wet?"),
        paragraph("Think of rain."),
        item(2, 0, "Why dry?"),
        styled("berschrift2", "Answers"),
        item(2, 0, "Rain."),
        item(2, 0, "Sun."),
    ];
    let filled = filled_by(&read_docx(&docx(&lines.concat())).expect("a document"));
    assert_eq!(content(&filled)["assessment"], expected);
}

#[test]
fn extra_words_in_a_heading_or_table_header_are_put_into_a_field_or_listed_as_unplaced() {
    let filled = text("Salt\n\nMaterials (per pair)\n- salt\n\nSafety (everybody)\n- Wear goggles.\n");
    let expected =
        json!({"title": "Salt", "groupSize": 2, "materials": [{"name": "salt"}], "safety": ["Wear goggles."]});
    assert_eq!((content(&filled), left(&filled)), (expected, vec!["Safety (everybody)"]));
    let filled = html("<h1>Salt</h1><table><tr><th>Item<th>Quantity per bench<tr><td>salt<td>5 g</table>");
    let expected = json!({"title": "Salt", "materials": [{"name": "salt", "quantity": 5, "unit": "g"}]});
    assert_eq!((content(&filled), left(&filled)), (expected, vec!["Item\tQuantity per bench"]));
}

#[test]
fn bold_line_with_a_field_name_ends_the_steps_even_beside_real_headings() {
    let filled = html(
        "<h1>Salt</h1><h2>Method</h2><ol><li>Stir.<li>Filter.</ol><p><b>First try</b></p><ol><li>Dry it.</ol>\
         <p><b>Safety</b></p><ul><li>Wear goggles.</ul><p><b>Homework</b></p><p>Draw it.</p>",
    );
    let steps = json!([{"text": "Stir."}, {"text": "Filter."}, {"text": "First try: Dry it."}]);
    let expected = json!({"title": "Salt", "steps": steps, "safety": ["Wear goggles."], "homework": "Draw it."});
    assert_eq!(content(&filled), expected);
}

#[test]
fn labeled_line_after_a_blank_line_is_not_part_of_the_list_above() {
    for label in ["Before the lesson", "Vor der Stunde", "Avant la séance", "Antes de la clase", "قبل الدرس"] {
        let line = format!("{label}: Dry the salt.");
        let filled = text(&format!("Salt\n\nMaterials:\n- salt\n- a cup\n\n{line}\n"));
        let expected = json!({"title": "Salt", "materials": [{"name": "salt"}, {"name": "a cup"}]});
        assert_eq!((content(&filled), left(&filled)), (expected, vec![line.as_str()]));
    }
}

#[test]
fn timed_lists_below_numbered_lessons_are_the_steps() {
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

#[test]
fn plain_line_below_numbered_steps_does_not_hide_later_labels() {
    for (label, field) in [
        ("Homework", "homework"),
        ("Hausaufgabe", "homework"),
        ("Devoirs", "homework"),
        ("Tarea", "homework"),
        ("الواجب", "homework"),
        ("Early finishers", "differentiation"),
        ("Those who finish early", "differentiation"),
        ("Wer eher fertig ist", "differentiation"),
        ("Pour ceux qui ont fini", "differentiation"),
        ("Si acaban antes", "differentiation"),
        ("لمن ينتهي مبكرا", "differentiation"),
    ] {
        let filled =
            text(&format!("Rust\n\nSteps\n1. Wet it.\n2. Wait.\n\nPut it all back.\n\n{label}: Draw a nail.\n"));
        assert!(content(&filled)[field].as_str().is_some_and(|text| text.ends_with("Draw a nail.")), "{label}");
        assert_eq!(content(&filled)["steps"].as_array().map(Vec::len), Some(3), "{label}");
    }
    let filled =
        text("Rust\n\nSteps\n1. Wet it.\n2. Wait.\n\nPut it back.\n\nCaution: It is sharp.\n\nHomework: Draw.\n");
    assert_eq!(
        (&content(&filled)["safety"], &content(&filled)["homework"]),
        (&json!(["It is sharp."]), &json!("Draw."))
    );
}

#[test]
fn heading_such_as_questions_for_the_students_begins_the_assessment() {
    for heading in [
        "Questions for the class:",
        "Discussion questions for students",
        "Fragen für die Kinder:",
        "Questions de discussion pour les élèves",
        "Cuestiones para el alumnado:",
    ] {
        let filled = text(&format!("Rust\n\nSteps\n1. Wet it.\n2. Wait.\n\n{heading}\n- Is it red?\n- Is it wet?\n"));
        assert_eq!(content(&filled)["assessment"], "Is it red?\nIs it wet?", "{heading}");
    }
}
