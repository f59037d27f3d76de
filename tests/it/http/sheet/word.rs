//! Lesson sheets as Word documents.

use std::collections::HashMap;
use std::fs;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use fieldbook::domain::content::Content;
use fieldbook::domain::lesson_sheet::{Audience, Block, Entry, ListKind, Sheet};
use fieldbook::domain::named::Named;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::http::sheet::Code;
use fieldbook::http::sheet::word::{Picture, word};
use fieldbook_reader::{Fields, Filled, Source, WORD, by_headings, fill, read};
use serde_json::{Value, json};
use zip::ZipArchive;

/// The ids of three pictures: one that exists, one that is missing, and one that is too large to include.
const HELD: &str = "1111111111111111111111111111111111111111111111111111111111111111";
const LOST: &str = "2222222222222222222222222222222222222222222222222222222222222222";
const LARGE: &str = "3333333333333333333333333333333333333333333333333333333333333333";

/// A PNG of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc\xa8\x07\0\0\x81\0\x80\xd3\x94SJ\0\0\0\0IEND\xaeB`\x82";

fn content(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

fn sheet(content: &Content, audience: Audience) -> Sheet {
    Sheet::of(&Schema::parse(BUILT_IN).expect("a schema"), content, audience)
}

fn document_of(sheet: &Sheet) -> Vec<u8> {
    let held = Picture { bytes: PNG, is_png: true, width: 1600, height: 400 };
    word(sheet, &HashMap::from([(HELD.to_owned(), Some(held)), (LARGE.to_owned(), None)]), None).expect("a document")
}

/// Returns the document of a lesson for teachers.
fn document(lesson: Value) -> Vec<u8> {
    document_of(&sheet(&content(lesson), Audience::Teachers))
}

fn bytes_of(document: &[u8], name: &str) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(document)).expect("a zip file");
    let mut bytes = Vec::new();
    archive.by_name(name).expect("a part").read_to_end(&mut bytes).expect("bytes");
    bytes
}

fn part(document: &[u8], name: &str) -> String {
    String::from_utf8(bytes_of(document, name)).expect("a text")
}

/// Returns the paragraphs of a document, and the elements between them, as XML.
fn paragraphs(document: &[u8]) -> Vec<String> {
    let xml = part(document, "word/document.xml").replace(r#" xml:space="preserve""#, "");
    let body = xml.split_once("<w:body>").expect("a body").1.replace("<w:p>", "\n<w:p>").replace("</w:p>", "</w:p>\n");
    body.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn read_back(document: &[u8]) -> Filled {
    let fields = Fields::of(&serde_json::from_str(BUILT_IN).expect("JSON"));
    let read = read(Source::File { media_type: WORD, bytes: document }).expect("a Word document");
    fill(&read, &by_headings(&read, &fields), &fields, &|_| Vec::new())
}

fn examples() -> Vec<(String, Content)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    let lesson = |file: &PathBuf| {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, serde_json::from_str(&fs::read_to_string(file).expect("a text")).expect("JSON"))
    };
    files.iter().map(lesson).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Appends the texts of a block, in the order in which they are read.
fn texts(sheet: &Sheet, block: &Block, found: &mut Vec<String>) {
    match block {
        Block::Text(paragraphs) => found.extend(paragraphs.iter().cloned()),
        Block::Members(members) => {
            for (label, block) in members {
                found.push(label.clone());
                texts(sheet, block, found);
            }
        }
        Block::List(list) => {
            if list.kind == ListKind::Terms {
                found.extend(["Term", "Definition"].map(|heading| sheet.say(heading).to_owned()));
            }
            for Entry { amount, lead, notes, minutes, .. } in &list.entries {
                found.extend(amount.iter().chain([lead]).chain(notes).cloned());
                found.extend(minutes.iter().map(|minutes| format!("{minutes} {}", sheet.say("min"))));
            }
        }
        Block::Pictures(pictures) => found.extend(pictures.iter().filter_map(|picture| picture.caption.clone())),
    }
}

#[test]
fn word_sheet_is_read_back_with_all_words_of_the_lesson_in_order() {
    for (name, lesson) in examples() {
        for &audience in Audience::ALL {
            let sheet = sheet(&lesson, audience);
            let mut expected: Vec<String> = sheet.title.iter().cloned().collect();
            for section in &sheet.sections {
                expected.extend((!section.is_heard()).then(|| section.heading.clone()));
                texts(&sheet, &section.block, &mut expected);
            }
            let document = document_of(&sheet);
            let read = read(Source::File { media_type: WORD, bytes: &document }).expect("a Word document");
            let found: Vec<String> = read.blocks.iter().flat_map(|block| words(&block.text)).collect();
            let expected: Vec<String> = expected.iter().flat_map(|text| words(text)).collect();
            assert!(expected.len() > 50, "{name}");
            assert_eq!(found, expected, "{name} for {}", audience.name());
        }
    }
}

#[test]
fn lesson_written_to_word_and_read_back_keeps_its_fields() {
    let fields = [
        "title",
        "curriculum",
        "phenomenon",
        "drivingQuestion",
        "objectives",
        "hypothesis",
        "steps",
        "safety",
        "vocabulary",
    ];
    for (name, lesson) in examples() {
        let read = read_back(&document_of(&sheet(&lesson, Audience::Teachers)));
        for field in fields {
            assert_eq!(read.content.get(field), lesson.get(field), "{name}: {field}");
        }
    }
}

/// The XML at the beginning of the box with the safety rules.
const BOX: &str = r#"<w:tbl><w:tblPr><w:tblW w:w="9638" w:type="dxa"/><w:tblBorders><w:top w:val="single" w:sz="8" w:space="0" w:color="8A2D10"/><w:left w:val="single" w:sz="8" w:space="0" w:color="8A2D10"/><w:bottom w:val="single" w:sz="8" w:space="0" w:color="8A2D10"/><w:right w:val="single" w:sz="8" w:space="0" w:color="8A2D10"/></w:tblBorders><w:tblLayout w:type="fixed"/><w:tblCellMar><w:top w:w="57" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid><w:gridCol w:w="9638"/></w:tblGrid><w:tr><w:trPr><w:cantSplit/></w:trPr><w:tc><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="FDEEE6"/></w:tcPr>"#;

#[test]
fn word_sheet_has_the_expected_paragraphs_for_each_field() {
    let lesson = json!({
        "title": "Salt & water", "grade": "5", "groupSize": 2, "durationMinutes": 60, "phenomenon": "It vanishes.\nWhy?\n\n<b>Look</b>\tagain.",
        "materials": [{"name": "water", "quantity": 300, "unit": "ml", "notes": "cold"}],
        "safety": ["Wear goggles."], "steps": [{"text": "Pour.\n\nSlowly.", "minutes": 5}, {"text": "Stir."}],
    });
    let expected = [
        r#"<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Salt &amp; water</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="FieldbookPupil"/></w:pPr><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>For teachers</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>Grade</w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>: </w:t></w:r><w:r><w:t>5</w:t></w:r><w:r><w:t> · </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>Group size</w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>: </w:t></w:r><w:r><w:t>2</w:t></w:r><w:r><w:t> · </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>Duration</w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>: </w:t></w:r><w:r><w:t>60 min</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Phenomenon</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:t>It vanishes.</w:t><w:br/><w:t>Why?</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:t>&lt;b&gt;Look&lt;/b&gt;</w:t><w:tab/><w:t>again.</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Materials</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Materials"/></w:pPr><w:r><w:t>300 ml</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>water</w:t></w:r><w:r><w:rPr><w:color w:val="4A5A62"/></w:rPr><w:t> (</w:t></w:r><w:r><w:rPr><w:color w:val="4A5A62"/></w:rPr><w:t>cold</w:t></w:r><w:r><w:rPr><w:color w:val="4A5A62"/></w:rPr><w:t>)</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Safety</w:t></w:r></w:p>"#,
        BOX,
        r#"<w:p><w:pPr><w:pStyle w:val="ListBullet"/></w:pPr><w:r><w:t>Wear goggles.</w:t></w:r></w:p>"#,
        "</w:tc></w:tr></w:tbl>",
        r#"<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Steps</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="ListNumber"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="4"/></w:numPr></w:pPr><w:r><w:t>Pour.</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="ListContinue"/></w:pPr><w:r><w:t>Slowly.</w:t></w:r><w:r><w:rPr><w:color w:val="4A5A62"/></w:rPr><w:t> (5 min)</w:t></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="ListNumber"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="4"/></w:numPr></w:pPr><w:r><w:t>Stir.</w:t></w:r></w:p>"#,
    ];
    let document = document(lesson);
    let found = paragraphs(&document);
    assert_eq!(found[..expected.len()], expected);
    let end = &found[expected.len()];
    assert!(
        end.starts_with(r#"<w:sectPr><w:footerReference w:type="default" r:id="rId4"/><w:pgSz w:w="11906""#),
        "{end}"
    );
    let footer = part(&document, "word/footer.xml");
    let title = r#"<w:t xml:space="preserve">Salt &amp; water · Grade 5</w:t></w:r><w:r><w:tab/></w:r>"#;
    assert!(footer.contains(title) && footer.contains(r#"w:instr=" PAGE ""#), "{footer}");
    assert!(
        part(&document, "docProps/core.xml")
            .contains("<dc:title>Salt &amp; water</dc:title><dc:language>en</dc:language>")
    );
}

#[test]
fn word_sheet_has_the_vocabulary_as_a_table_with_its_header_on_each_page() {
    let long = "what dissolves ".repeat(100);
    let document = document(
        json!({"vocabulary": [{"term": "solute", "definition": "it"}, {"term": "solvent", "definition": long}, {"term": "brine", "definition": ""}]}),
    );
    let xml = part(&document, "word/document.xml");
    let rows: Vec<&str> =
        xml.split("<w:tr>").skip(1).map(|row| row.split("<w:tc>").next().expect("properties")).collect();
    let head = "<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>";
    assert_eq!(rows, [head, "<w:trPr><w:cantSplit/></w:trPr>", "<w:trPr></w:trPr>", "<w:trPr><w:cantSplit/></w:trPr>"]);
    let empty = "<w:tc><w:p><w:pPr><w:pStyle w:val=\"Normal\"/></w:pPr></w:p></w:tc></w:tr></w:tbl>";
    let low = r#"<w:p><w:pPr><w:spacing w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p><w:sectPr>"#;
    assert!(xml.contains(&format!("{empty}{low}")), "no cell and no end without a paragraph");
}

#[test]
fn each_numbered_list_of_a_word_sheet_begins_with_1() {
    let document = document(json!({"steps": [{"text": "a"}], "more": [{"text": "b"}, {"text": "c"}]}));
    let numbers: Vec<String> = paragraphs(&document)
        .iter()
        .filter_map(|xml| xml.split_once("<w:numId w:val=\"").map(|(_, id)| id[..1].to_owned()))
        .collect();
    assert_eq!(numbers, ["4", "5", "5"]);
    let numbering = part(&document, "word/numbering.xml");
    for id in [4, 5] {
        let list = format!(
            r#"<w:num w:numId="{id}"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>"#
        );
        assert_eq!(numbering.matches(&list).count(), 1, "{numbering}");
    }
}

#[test]
fn word_sheet_links_only_web_and_mail_addresses() {
    let text = "https://example.org/a?b=1&c=\u{fc}. mailto:a@b.org http://x:99999/ javascript:alert(1) file:///etc/passwd https://example.org/a?b=1&c=\u{fc}";
    let document = document(json!({"homework": text}));
    let relations = part(&document, "word/_rels/document.xml.rels");
    let links: Vec<&str> =
        relations.split("<Relationship ").filter(|relation| relation.contains("hyperlink")).collect();
    let link = |id: u8, target: &str| {
        format!(
            r#"Id="rId{id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="{target}" TargetMode="External"/>"#
        )
    };
    assert_eq!(links[0], link(5, "https://example.org/a?b=1&amp;c=\u{fc}"));
    assert!(links[1].starts_with(&link(6, "mailto:a@b.org")) && links.len() == 2, "{links:?}");
    let xml = part(&document, "word/document.xml");
    assert_eq!((xml.matches(r#"<w:hyperlink r:id="rId5""#).count(), xml.matches("<w:hyperlink ").count()), (2, 3));
    assert_eq!(read_back(&document).content["homework"], text);
}

#[test]
fn word_sheet_includes_each_picture_once_and_names_missing_pictures() {
    let document = document(json!({
        "steps": [{"text": "Look.", "picture": {"id": HELD, "alt": "A \"glass\"\nof water", "caption": "The glass"}}],
        "pictures": [{"id": HELD, "alt": "again"}, {"id": LOST, "alt": "A spoon", "caption": "The spoon"}, {"id": LARGE, "alt": "A map"}],
    }));
    assert_eq!(bytes_of(&document, "word/media/picture1.png"), PNG);
    let archive = ZipArchive::new(Cursor::new(&document)).expect("a zip file");
    assert_eq!(archive.len(), 10, "nine parts and a picture");
    let all = paragraphs(&document);
    let at = all.iter().position(|xml| xml.contains("Look.")).expect("the step");
    assert!(all[at].contains("<w:keepNext/>"), "the step stays with its picture: {}", all[at]);
    for expected in [
        "<w:pStyle w:val=\"Picture\"/><w:keepNext/><w:ind w:left=\"624\"/></w:pPr>",
        r#"<wp:extent cx="5580000" cy="1395000"/><wp:docPr id="2" name="Picture 2" descr="A &quot;glass&quot;&#10;of water"/>"#,
        r#"<a:blip r:embed="rId5"/>"#,
    ] {
        assert!(all[at + 1].contains(expected), "{expected}: {}", all[at + 1]);
    }
    assert!(all[at + 2].contains("\"Caption\"") && all[at + 2].contains("The glass"), "{}", all[at + 2]);
    let texts: Vec<String> = read(Source::File { media_type: WORD, bytes: &document })
        .expect("a document")
        .blocks
        .into_iter()
        .map(|block| block.text)
        .collect();
    for expected in ["(picture removed) A spoon", "The spoon", "(picture left out) A map"] {
        assert!(texts.iter().any(|text| text == expected), "{texts:?}");
    }
}

#[test]
fn word_sheet_for_a_class_has_lines_to_write_on() {
    let lesson = content(json!({"title": "Salt", "drivingQuestion": "Why?", "steps": [{"text": "Stir."}]}));
    let lines =
        |audience| part(&document_of(&sheet(&lesson, audience)), "word/document.xml").matches("WritingLine").count();
    assert_eq!(Audience::ALL.iter().map(|audience| lines(*audience)).collect::<Vec<_>>(), [0, 11, 0]);
    let class = paragraphs(&document_of(&sheet(&lesson, Audience::Class)));
    let last = class.iter().rfind(|xml| xml.contains("WritingLine")).expect("a line");
    assert_eq!(
        class.iter().filter(|xml| xml.contains("WritingLine\"/><w:keepNext/>")).count(),
        9,
        "lines stay together"
    );
    assert!(!last.contains("keepNext"), "{last}");
    assert!(class.iter().any(|xml| xml.contains(r#""FieldbookPupil""#) && xml.contains("Our results")), "{class:?}");
    assert!(class.iter().any(|xml| xml.contains(r#""FieldbookPupil""#) && xml.contains("Our guess")), "{class:?}");
    assert_eq!(
        class[1],
        r#"<w:p><w:pPr><w:pStyle w:val="FieldbookPupil"/><w:tabs><w:tab w:val="left" w:leader="underscore" w:pos="7200"/><w:tab w:val="right" w:leader="underscore" w:pos="9638"/></w:tabs></w:pPr><w:r><w:t>Name</w:t></w:r><w:r><w:t> </w:t><w:tab/><w:t> </w:t></w:r><w:r><w:t>Date</w:t></w:r><w:r><w:t> </w:t><w:tab/></w:r></w:p>"#
    );
}

#[test]
fn word_sheet_splits_no_step_or_safety_rule_across_pages() {
    let styles = part(&document(json!({"title": "Salt"})), "word/styles.xml");
    for style in ["ListBullet", "ListNumber"] {
        let rest = styles.split_once(&format!("w:styleId=\"{style}\">")).expect("a style").1;
        assert!(rest.split_once("</w:style>").expect("its end").0.contains("<w:keepLines/>"), "{style}");
    }
}

#[test]
fn qr_code_beside_the_title_of_a_word_sheet_is_not_read_back() {
    let code = Code::of("https://lessons.example.org/l/class-7a/gas".to_owned()).expect("a code");
    for (language, side) in [("en", "right"), ("ar", "left")] {
        let lesson = content(json!({"language": language, "title": "Gas", "drivingQuestion": "Which?"}));
        let sheet = sheet(&lesson, Audience::Class);
        let document = word(&sheet, &HashMap::new(), Some(&code)).expect("a document");
        assert_eq!(bytes_of(&document, "word/media/picture1.png"), code.png);
        let all = paragraphs(&document);
        let frame = format!(
            r#"<w:framePr w:w="1814" w:hSpace="227" w:wrap="around" w:vAnchor="margin" w:hAnchor="margin" w:xAlign="{side}" w:yAlign="top"/>"#
        );
        assert!(all[0].contains(&frame) && all[0].contains(r#"<wp:extent cx="1076325" cy="1076325"/>"#), "{}", all[0]);
        assert!(
            all[1].contains(&frame)
                && all[1].contains("<w:t>lessons.example.org/l/class-7a/gas</w:t></w:r></w:hyperlink>"),
            "{}",
            all[1]
        );
        let relations = part(&document, "word/_rels/document.xml.rels");
        assert!(relations.contains(r#"Target="https://lessons.example.org/l/class-7a/gas""#), "{relations}");
        assert!(all[2].contains("\"Title\""), "{}", all[2]);
        assert!(all[3].contains(r#"w:pos="4600""#), "{}", all[3]);
        let read = read(Source::File { media_type: WORD, bytes: &document }).expect("a document");
        assert!(read.pictures.is_empty(), "{:?}", read.blocks);
    }
}

#[test]
fn what_a_word_sheet_adds_to_the_lesson_is_not_read_back_and_its_pictures_are() {
    let code = Code::of("https://lessons.example.org/l/class-7a/gas".to_owned()).expect("a code");
    for audience in Audience::ALL {
        let lesson = content(json!({
            "title": "Gas", "drivingQuestion": "Which gas?", "pictures": [{"id": HELD, "alt": "A flask"}],
            "steps": [{"text": "Light the splint."}],
        }));
        let held = Picture { bytes: PNG, is_png: true, width: 1600, height: 400 };
        let pictures = HashMap::from([(HELD.to_owned(), Some(held))]);
        let document = word(&sheet(&lesson, *audience), &pictures, Some(&code)).expect("a document");
        let Filled { content, blocks, not_placed, pictures, .. } = read_back(&document);
        let texts = json!({"title": "Gas", "drivingQuestion": "Which gas?", "steps": [{"text": "Light the splint."}]});
        let paths: Vec<&str> = pictures.values().map(String::as_str).collect();
        assert_eq!((json!(content), paths), (texts, vec!["pictures"]), "{audience:?}");
        let left = |id: &String| blocks.iter().find(|block| block.id == *id).map(|block| block.text.as_str());
        assert_eq!(not_placed.iter().filter_map(left).collect::<Vec<_>>(), ["A flask"], "{audience:?}: the picture");
    }
}

#[test]
fn what_a_word_sheet_adds_to_the_lesson_is_not_read_back_in_any_language() {
    let code = Code::of("https://lessons.example.org/l/class-7a/gas".to_owned()).expect("a code");
    for language in ["en", "de", "fr", "es", "ar"] {
        for audience in Audience::ALL {
            let lesson =
                json!({"language": language, "title": "Gas", "drivingQuestion": "?", "steps": [{"text": "!"}]});
            let sheet = sheet(&content(lesson), *audience);
            let document = word(&sheet, &HashMap::new(), Some(&code)).expect("a document");
            let said = ["Name", "Date", "Our guess", "Our results", "For teachers"].map(|words| sheet.say(words));
            let xml = part(&document, "word/document.xml");
            assert!(said.iter().any(|words| xml.contains(words)), "{language} {audience:?}: {xml}");
            let texts: Vec<String> = read_back(&document).blocks.into_iter().map(|block| block.text).collect();
            let is_added = |text: &String| text.contains("/l/") || said.iter().any(|words| text.contains(words));
            assert!(!texts.iter().any(is_added), "{language} {audience:?}: {texts:?}");
        }
    }
}

#[test]
fn non_breaking_characters_of_a_word_sheet_are_read_back_as_ordinary_characters() {
    let text = "Draw the x-axis: ρ = m : V, pH 7.";
    let document = document(json!({"assessment": text}));
    assert!(part(&document, "word/document.xml").contains("x</w:t><w:noBreakHyphen/>"));
    assert_eq!(read_back(&document).content["assessment"], text);
}

#[test]
fn arabic_word_sheet_joins_page_number_and_page_count_with_a_word() {
    let footer = part(&document(json!({"language": "ar", "title": "ملح"})), "word/footer.xml");
    assert!(footer.contains(r#"<w:pStyle w:val="Footer"/><w:bidi/>"#) && footer.contains(" من "), "{footer}");
}

#[test]
fn arabic_text_in_a_word_sheet_runs_right_to_left_except_amounts() {
    let lesson = json!({
        "language": "ar", "title": "ملح", "materials": [{"name": "ماء", "quantity": 300, "unit": "ml"}],
        "vocabulary": [{"term": "مذاب", "definition": "salt"}], "assessment": "Stir well.",
        "homework": "سخّن 200 mL إلى 70 °C.",
    });
    let document = document(lesson);
    let all = paragraphs(&document);
    assert_eq!(
        all[0],
        r#"<w:p><w:pPr><w:pStyle w:val="Title"/><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>ملح</w:t></w:r></w:p>"#
    );
    assert!(
        all.iter().any(|xml| xml.contains("\"Materials\"/><w:bidi/></w:pPr><w:r><w:t>\u{200e}300\u{a0}ml</w:t></w:r>")),
        "{all:?}"
    );
    assert!(all.iter().any(|xml| xml.contains("\"Normal\"/></w:pPr><w:r><w:t>Stir well.")), "{all:?}");
    let xml = part(&document, "word/document.xml");
    assert!(xml.contains("<w:bidiVisual/>") && xml.contains("<w:bidi/></w:sectPr>"), "{xml}");
    assert!(part(&document, "word/styles.xml").contains(r#"<w:lang w:val="ar" w:eastAsia="ar" w:bidi="ar"/>"#));
    let formula = "<w:r><w:t>\u{200e}70\u{a0}°C</w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t>.</w:t></w:r>";
    assert!(xml.replace(r#" xml:space="preserve""#, "").contains(formula), "{xml}");
    let lesson = read_back(&document).content;
    assert_eq!(lesson["homework"], "سخّن 200 mL إلى 70 °C.");
    assert_eq!(lesson["materials"], json!([{"name": "ماء", "quantity": 300, "unit": "ml"}]));
}

#[test]
fn hostile_texts_in_a_word_sheet_are_read_back_unchanged() {
    let long = "\u{1f9ea} e\u{301}\u{5d0}(1) ".repeat(6_000);
    for text in [
        "</w:t></w:r></w:p><w:p>",
        "]]>&amp;&#0;<!-- <?x?>",
        "a\u{202e}b\u{2067}c",
        "{body}{lists}{language}",
        long.trim(),
    ] {
        let document = document(
            json!({"title": text.chars().take(300).collect::<String>(), "assessment": text, "steps": [{"text": text}], "vocabulary": [{"term": text, "definition": text}]}),
        );
        let read = read(Source::File { media_type: WORD, bytes: &document }).expect("a Word document");
        let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = read.blocks.iter().filter(|block| block.text == squeezed).count();
        assert!(found >= 2, "{squeezed:.80}: {:.300?}", read.blocks);
    }
}

#[test]
fn invalid_xml_characters_in_a_lesson_are_replaced_in_its_word_sheet() {
    let document = document(json!({"assessment": "a\u{1}b\u{ffff}c"}));
    assert!(part(&document, "word/document.xml").contains("a\u{fffd}b\u{fffd}c"));
}

#[test]
fn word_documents_of_equal_sheets_are_byte_for_byte_equal() {
    let (_, lesson) = examples().remove(0);
    let sheet = sheet(&lesson, Audience::Teachers);
    assert_eq!(document_of(&sheet), document_of(&sheet));
}

#[test]
#[ignore = "writes files; run by scripts/sheets"]
fn example_lessons_are_written_as_word_files_to_check() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/sheets");
    let arabic = json!({
        "language": "ar", "title": "ذوبان الملح في الماء", "drivingQuestion": "لماذا يختفي الملح؟",
        "phenomenon": "عندما نضع الملح (NaCl) في الماء، يختفي. انظر https://example.org/a",
        "materials": [{"name": "ماء", "quantity": 300, "unit": "ml", "notes": "بارد"}, {"name": "كوب", "quantity": 2}],
        "safety": ["ارتد النظارات الواقية.", "لا تشرب."], "steps": [{"text": "صب الماء.", "minutes": 5}],
        "vocabulary": [{"term": "مذاب", "definition": "ما يذوب"}],
        "pictures": [{"id": HELD, "alt": "كوب", "caption": "كوب من الماء"}, {"id": LOST, "alt": "ملعقة"}],
    });
    let many: Vec<Value> = (0..400)
        .map(|place| json!({"term": format!("term{place}"), "definition": "meaning ".repeat(place % 40 + 1)}))
        .collect();
    let long = json!({"title": "Long", "vocabulary": many, "assessment": "word ".repeat(12_000), "glossary": [{"term": "whole", "definition": "page ".repeat(3_000)}]});
    let own = [("arabic", arabic), ("long", long)].map(|(name, lesson)| (name.to_owned(), content(lesson)));
    for (name, lesson) in examples().into_iter().chain(own) {
        for &audience in Audience::ALL {
            let sheet = sheet(&lesson, audience);
            let mut texts: Vec<String> = sheet.title.iter().cloned().collect();
            for section in &sheet.sections {
                texts.extend((!section.is_heard()).then(|| section.heading.clone()));
                self::texts(&sheet, &section.block, &mut texts);
            }
            let file = folder.join(format!("{name}-{}", audience.name()));
            fs::write(file.with_extension("docx"), document_of(&sheet)).expect("written");
            fs::write(file.with_extension("json"), json!({"language": sheet.language.tag, "texts": texts}).to_string())
                .expect("written");
        }
    }
}
