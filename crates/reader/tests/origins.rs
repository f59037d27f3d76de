//! Parts of documents that are not part of a lesson: from printed pages, forms, e-mails and web pages.

use serde_json::json;

use crate::support::{content, docx, filled, html, left, paragraph, read_docx, styled, text};

#[test]
fn lines_with_consecutive_numbers_without_full_stops_are_headings() {
    let lesson = text(
        "Unterrichtsentwurf\n\nWie laut ist leise?\n\n1 Lernziele\n- Schall messen\n\n2 Material (pro Gruppe)\n- 3 Becher\n\n3 Was wir tun\nRuhe.\n\n4 Durchführung\n1. Becher füllen.\n2. Klopfen.\n",
    );
    let steps = json!([{"text": "Becher füllen."}, {"text": "Klopfen."}]);
    let expected = json!({"title": "Wie laut ist leise?", "objectives": ["Schall messen"], "materials": [{"name": "Becher", "quantity": 3}], "steps": steps});
    assert_eq!(content(&lesson), expected);
    assert_eq!(left(&lesson), ["Unterrichtsentwurf", "Material (pro Gruppe)", "Was wir tun", "Ruhe."]);
}

#[test]
fn material_that_begins_with_its_count_is_not_a_numbered_heading() {
    let lesson = text("Circuits\n\nMaterials\n\n2 Controls\n3 AA cells\n1 Kit\n");
    assert_eq!(content(&lesson)["materials"].as_array().map(Vec::len), Some(3));
}

#[test]
fn page_headers_and_copyright_lines_are_not_put_into_any_field() {
    let page =
        |number: u32, body: &str| format!("Physics 7 – Sound    Page {number} of 3\n{body}\n© 2019 Sound board\n");
    let lesson =
        text(&[page(1, "Safety\n- No shouting."), page(2, "- No running."), page(3, "Homework\nListen.")].concat());
    let expected = json!({"safety": ["No shouting.", "No running."], "homework": "Listen."});
    assert_eq!(content(&lesson), expected);
    assert_eq!(left(&lesson), ["Physics 7 – Sound Page 1 of 3", "© 2019 Sound board"]);
}

#[test]
fn page_number_of_a_document_is_not_put_into_any_field() {
    for page in [
        "Page 29",
        "Seite 3",
        "Page 1 / 1",
        "Page 1 of 1",
        "(Page 1/2)",
        "Seite 1 von 1",
        "Page 1 sur 2",
        "Página 1 de 1",
        "صفحة 1 من 1",
    ] {
        for lesson in [
            text(&format!("Echo\n\nSafety\n- No shouting.\n\n{page}\n")),
            text(&format!("# Echo\n\n## Safety\n\n- No shouting.\n\n{page}\n")),
            html(&format!("<h1>Echo</h1><h2>Safety</h2><p>No shouting.<p>{page}")),
        ] {
            let expected = json!({"title": "Echo", "safety": ["No shouting."]});
            assert_eq!((content(&lesson), left(&lesson)), (expected, vec![page]));
        }
    }
    // A sentence about a page is not a page number.
    let lesson = text("Echo\n\nSafety\n- See page 1 of 2.\n- Read page 1/2\n");
    assert_eq!(content(&lesson)["safety"], json!(["See page 1 of 2.", "Read page 1/2"]));
}

#[test]
fn labels_inside_the_sentences_of_an_email_begin_fields() {
    let mail = "From: Ann\nTo: Bo\nSubject: Re: echo lesson\n\nHi Bo,\n\nThey know waves by now. Aim: they measure an echo.\n\nStuff per group: a tape, 2 boards. Also chalk for me\n\nHow it goes:\n- 0-5 min: clap\n- 5-20 measure it\n- last 10 mins: compare\n\nIf they finish early: try the hall.\nMark: the table.\n";
    let steps = json!([{"text": "clap", "minutes": 5}, {"text": "measure it", "minutes": 15}, {"text": "compare", "minutes": 10}]);
    let expected = json!({
        "title": "echo lesson",
        "objectives": ["they measure an echo."],
        "materials": [{"name": "a tape"}, {"name": "boards", "quantity": 2}, {"name": "Also chalk for me"}],
        "steps": steps,
        "differentiation": "If they finish early: try the hall.",
        "assessment": "the table.",
    });
    assert_eq!(content(&text(mail)), expected);
}

#[test]
fn abbreviation_of_an_ability_level_is_kept_in_the_differentiation_field() {
    let lesson = text("Echo\n\nDifferentiation\nLA: a table to fill in\nHA: find the speed\n\nHomework: listen\n");
    let expected =
        json!({"title": "Echo", "differentiation": "LA: a table to fill in\nHA: find the speed", "homework": "listen"});
    assert_eq!(content(&lesson), expected);
    let lesson = text("Echo\n\nMaterial: ein Lineal\n\nHA: Seite 4\n");
    assert_eq!(content(&lesson)["homework"], "Seite 4");
}

#[test]
fn dotted_and_underscored_lines_to_write_on_are_ignored() {
    let lesson = text("Echo\n\nAssessment\nThey draw it.\n……………………\n____________\n");
    assert_eq!(content(&lesson), json!({"title": "Echo", "assessment": "They draw it."}));
    assert_eq!(left(&lesson), Vec::<&str>::new());
}

#[test]
fn warnings_outside_of_steps_are_safety_rules() {
    let lesson = text("Echo\n\nNotes\n- ⚠ Loud sounds hurt.\n- Bring tea.\n\nSteps\n1. Clap.\n2. ⚠ Not near ears.\n");
    assert_eq!(content(&lesson)["safety"], json!(["⚠ Loud sounds hurt."]));
    assert_eq!(content(&lesson)["steps"].as_array().map(Vec::len), Some(2));
    assert_eq!(left(&lesson), ["Notes", "Bring tea."]);
}

#[test]
fn tracking_pixels_and_menu_links_are_not_put_into_any_field() {
    let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    let lesson = html(&format!(
        "<nav><a href='https://a.example/'>Home</a></nav><h1>Echo</h1><img src='data:image/gif;base64,{gif}' width=1 height=1>\
         <h2>Materials</h2><ul><li>1 <a href='https://shop.example/tape'>tape</a> (long)</li></ul>"
    ));
    assert_eq!(lesson.pictures.len(), 0);
    assert_eq!(left(&lesson), ["Home"]);
    let tape = json!([{"name": "tape", "quantity": 1, "notes": "long; https://shop.example/tape"}]);
    assert_eq!(content(&lesson)["materials"], tape);
}

#[test]
fn caption_belongs_to_the_picture_above_it() {
    let picture = r#"<w:p><w:r><w:drawing><wp:docPr descr=""/><a:blip r:embed="rId4"/></w:drawing></w:r></w:p>"#;
    let body = [
        styled("Titel", "Echo"),
        styled("berschrift1", "Safety"),
        paragraph("Cover your ears."),
        picture.to_owned(),
        paragraph("Fig. 1 The hall"),
    ];
    let lesson = filled(&read_docx(&docx(&body.concat())).unwrap());
    assert_eq!(content(&lesson), json!({"title": "Echo", "safety": ["Cover your ears."]}));
    assert_eq!(lesson.captions.values().collect::<Vec<_>>(), ["Fig. 1 The hall"]);
    // Without a picture above it, the line is not a caption.
    let lesson = text("Echo\n\nSafety\nFig. 1 says how.\n");
    assert_eq!(content(&lesson)["safety"], json!(["Fig. 1 says how."]));
}

#[test]
fn table_column_with_the_header_per_group_of_3_gives_the_group_size_and_the_amounts() {
    let row = |cells: [&str; 3]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat());
    let table = [["Item", "Per group of 3", "Notes"], ["Tape", "2 m", ""], ["Boards", "2", "hard"]].map(row).concat();
    let lesson = html(&format!("<h1>Echo</h1><h2>Equipment</h2><table>{table}</table>"));
    let materials =
        json!([{"name": "Tape", "quantity": 2, "unit": "m"}, {"name": "Boards", "quantity": 2, "notes": "hard"}]);
    assert_eq!(content(&lesson), json!({"title": "Echo", "groupSize": 3, "materials": materials}));
    assert_eq!(content(&text("Echo\n\nMaterial (pro Team von 4)\n- Brett\n"))["groupSize"], 4);
}

#[test]
fn title_is_the_line_above_a_table_and_not_the_topic_in_the_table() {
    let lesson = html(
        "<p><b>How far is that wall?</b></p><table><tr><td>Topic</td><td>Sound</td></tr><tr><td>Year group</td><td>7</td></tr></table><h2>Safety</h2><p>No shouting.</p>",
    );
    assert_eq!(content(&lesson)["title"], "How far is that wall?");
    assert_eq!(left(&lesson), ["Topic: Sound"]);
    // The name of a part of the lesson is not a title.
    let lesson = text("ROUND 1: CLAP (5 min)\n- Clap.\n\nTopic: Sound\n");
    assert_eq!(content(&lesson)["title"], "Sound");
}

#[test]
fn day_heading_is_prepended_to_its_first_step() {
    let lesson =
        text("Echo\n\nProcedure\n\nDay 1 (40 min)\n1. Clap.\n2. Measure.\n3. Draw.\n\nDay 2 (40 min)\n1. Compare.\n");
    let steps = ["Day 1 (40 min): Clap.", "Measure.", "Draw.", "Day 2 (40 min): Compare."];
    let steps = json!(steps.map(|text| json!({"text": text})));
    assert_eq!(content(&lesson)["steps"], steps);
}

#[test]
fn duration_excludes_waiting_time_after_the_lesson() {
    let cases = [
        ("Time: 2 class periods (45 min each), plus a night to dry", 90, "plus a night to dry"),
        ("Zeitbedarf: 2 Unterrichtsstunden (90 Minuten) und 3 Tage Warten", 90, "und 3 Tage Warten"),
        ("Durée : 1 heure, puis cinq minutes par jour", 60, "puis cinq minutes par jour"),
        ("Duración: 50 min (primer día)", 50, "(primer día)"),
    ];
    for (line, minutes, rest) in cases {
        let lesson = text(&format!("Echo\n\n{line}\n"));
        assert_eq!(content(&lesson)["durationMinutes"], minutes, "{line}");
        assert_eq!(left(&lesson), [rest]);
    }
    let lesson = text("Echo\n\nPrep Time: 15 minutes Active Time: 25 minutes Total Time: 40 minutes\n");
    assert_eq!(content(&lesson)["durationMinutes"], 40);
    let lesson = text("Echo\n\nGrade: 3–5 Difficulty: Easy Cost: $5\n");
    assert_eq!((&content(&lesson)["grade"], left(&lesson)), (&json!("3–5"), vec!["Difficulty: Easy", "Cost: $5"]));
}

#[test]
fn word_document_that_fieldbook_wrote_is_read_back_into_its_fields() {
    let body = [
        styled("Titel", "Echo"),
        styled("FieldbookPupil", "book.example.org/l/5b/echo"),
        styled("FieldbookPupil", "Name</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>Date"),
        styled("FieldbookPupil", "Our guess"),
        styled("FieldbookPupil", "Our guess: it comes back"),
        styled("Line", ""),
        styled("berschrift1", "Materials"),
        styled("Aufz", "4 pairs</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>ear plugs (soft)"),
        styled("berschrift1", "Steps"),
        paragraph("1. Clap."),
        styled("berschrift2", "Our results"),
        styled("Line", ""),
    ];
    let lesson = filled(&read_docx(&docx(&body.concat())).unwrap());
    let materials = json!([{"name": "ear plugs", "quantity": 4, "unit": "pairs", "notes": "soft"}]);
    assert_eq!(content(&lesson), json!({"title": "Echo", "materials": materials, "steps": [{"text": "Clap."}]}));
    assert_eq!(left(&lesson), ["Our guess: it comes back", "Our results"], "what a person wrote is kept");
}
