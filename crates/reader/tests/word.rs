//! Word documents.

use fieldbook_reader::Kind;
use serde_json::json;

use crate::support::{content, docx, filled, item, left, paragraph, read_docx, styled};

fn texts(body: &str) -> Vec<String> {
    read_docx(&docx(body)).unwrap().blocks.into_iter().map(|block| block.text).collect()
}

#[test]
fn heading_styles_are_recognized_regardless_of_their_ids() {
    let body = [
        styled("Titel", "Salt &amp; water"),
        styled("Untertitel", "Year 8 · 1 hour · pupils work in pairs"),
        styled("berschrift1", "Health &amp; Safety"),
        styled("Aufz", "Goggles on."),
        styled("Eigene", "Method"),
        item(2, 0, "Pour."),
        item(2, 1, "Slowly."),
        item(2, 0, "Stir. (5 min)"),
    ];
    let expected = json!({
        "title": "Salt & water",
        "grade": "Year 8",
        "groupSize": 2,
        "durationMinutes": 60,
        "steps": [{"text": "Pour.\nSlowly."}, {"text": "Stir.", "minutes": 5}],
        "safety": ["Goggles on."],
    });
    assert_eq!(content(&filled(&read_docx(&docx(&body.concat())).unwrap())), expected);
}

#[test]
fn bold_paragraphs_are_headings() {
    let bold = |text: &str| format!("<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>");
    let body = [
        bold("LESSON PLAN"),
        bold("Topic: Magnets"),
        bold("I. Teaching Aids"),
        paragraph("nails, wire (2 m), 2 cells (1.5 V)."),
        bold("II. Blackboard work"),
        paragraph("Poles."),
    ];
    let lesson = filled(&read_docx(&docx(&body.concat())).unwrap());
    let materials = json!([{"name": "nails"}, {"name": "wire", "quantity": 2, "unit": "m"}, {"name": "cells", "quantity": 2, "notes": "1.5 V"}]);
    assert_eq!(content(&lesson), json!({"title": "Magnets", "materials": materials}));
    assert_eq!(left(&lesson), ["LESSON PLAN", "Blackboard work", "Poles."]);
}

#[test]
fn tracked_changes_are_accepted_and_hidden_text_is_left_out() {
    let body = "<w:p><w:r><w:t xml:space=\"preserve\">Use </w:t></w:r><w:del><w:r><w:delText>ten</w:delText></w:r></w:del><w:ins><w:r><w:t>five</w:t></w:r></w:ins><w:r><w:t xml:space=\"preserve\"> drops</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:commentReference w:id=\"1\"/></w:p>\
                <w:p><w:pPr><w:rPr><w:del w:id=\"3\"/></w:rPr></w:pPr><w:r><w:t xml:space=\"preserve\">One </w:t></w:r></w:p><w:p><w:r><w:t>line.</w:t></w:r></w:p>\
                <w:p><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>here</w:t></w:r></w:moveTo></w:p>";
    assert_eq!(texts(body), ["Use five drops", "One line.", "here"]);
}

#[test]
fn footnotes_links_superscripts_symbols_and_field_results_are_read() {
    let body = "<w:p><w:r><w:t>Add 5 cm</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>3</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t>.</w:t></w:r></w:p>\
                <w:p><w:hyperlink r:id=\"rId5\"><w:r><w:t>The film</w:t></w:r></w:hyperlink></w:p>\
                <w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>7</w:t></w:r><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t></w:r></w:p>";
    assert_eq!(texts(body), ["Add 5 cm³ (Ask the technician.).", "The film (https://example.org/film)", "7a-bc"]);
}

#[test]
fn text_boxes_are_read_once_with_their_pictures() {
    let body = "<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>Box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>Box</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Text</w:t></w:r></w:p>\
                <w:p><w:r><w:drawing><wp:docPr descr=\"A funnel\"/><a:blip r:embed=\"rId4\"/></w:drawing></w:r></w:p><w:p><w:r><w:drawing><a:blip r:embed=\"rId5\"/></w:drawing></w:r></w:p>";
    let document = read_docx(&docx(body)).unwrap();
    let blocks: Vec<_> = document.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect();
    assert_eq!(blocks, [(Kind::Paragraph, "Box"), (Kind::Paragraph, "Text"), (Kind::Picture, "A funnel")]);
    assert_eq!(document.pictures[0].bytes, b"PNG");
    assert_eq!(document.notices, ["Pictures that are not in the lesson: 1. Add them by hand."]);
}

#[test]
fn numbered_list_stays_numbered_beside_a_bulleted_list() {
    let body = [styled("Titel", "Salt"), item(2, 0, "Pour."), item(2, 0, "Stir."), item(2, 0, "Wait.")];
    let steps = json!([{"text": "Pour."}, {"text": "Stir."}, {"text": "Wait."}]);
    assert_eq!(content(&filled(&read_docx(&docx(&body.concat())).unwrap())), json!({"title": "Salt", "steps": steps}));
}

#[test]
fn picture_repeated_in_ninety_table_rows_is_included_once() {
    let row = format!("<w:tr><w:tc>{}<w:p><w:r><a:blip r:embed=\"rId4\"/></w:r></w:p></w:tc></w:tr>", paragraph("x"));
    let document = read_docx(&docx(&format!("<w:tbl>{}</w:tbl>", row.repeat(90)))).unwrap();
    assert_eq!((document.pictures.len(), document.notices.len()), (1, 0));
}

#[test]
fn word_table_is_read_cell_by_cell() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph(text));
    let head = format!(
        "<w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}{}</w:tr>",
        cell("Item"),
        cell("Amount per pair"),
        cell("Remarks")
    );
    let row =
        |name: &str, amount: &str, note: &str| format!("<w:tr>{}{}{}</w:tr>", cell(name), cell(amount), cell(note));
    let body = format!(
        "{}{}<w:tbl>{head}{}{}</w:tbl>",
        styled("Titel", "Salt"),
        styled("berschrift1", "Apparatus"),
        row("250 cm³ beaker", "1", ""),
        row("Filter paper", "2", "one is a spare")
    );
    let materials = json!([{"name": "250 cm³ beaker", "quantity": 1}, {"name": "Filter paper", "quantity": 2, "notes": "one is a spare"}]);
    assert_eq!(content(&filled(&read_docx(&docx(&body)).unwrap())), json!({"title": "Salt", "materials": materials}));
}

#[test]
fn pictures_follow_the_line_that_contains_them() {
    let picture =
        |alt: &str| format!(r#"<w:r><w:drawing><wp:docPr descr="{alt}"/><a:blip r:embed="rId4"/></w:drawing></w:r>"#);
    let body = [
        styled("Titel", "Salt"),
        styled("berschrift1", "Method"),
        item(2, 0, "Pour."),
        item(2, 0, "Filter.").replace("</w:pPr>", &format!("</w:pPr>{}", picture("A funnel"))),
        item(2, 0, "Dry."),
    ];
    let lesson = filled(&read_docx(&docx(&body.concat())).unwrap());
    let steps = json!([{"text": "Pour."}, {"text": "Filter."}, {"text": "Dry."}]);
    assert_eq!(content(&lesson), json!({"title": "Salt", "steps": steps}));
    assert_eq!(left(&lesson), ["A funnel"]);
    assert_eq!(lesson.pictures.into_iter().collect::<Vec<_>>(), [("b5".to_owned(), "steps.1.picture".to_owned())]);
}
