//! Files that are refused, and limits of work and memory.

use std::path::Path;

use fieldbook_reader::{ErrorClass, MAX_MEMORY, ReadError, Source, WORD, read};
use proptest::prelude::*;

use crate::support::{docx, docx_of, docx_with_styles, paragraph, read_docx, zip};

fn file(media_type: &str, bytes: &[u8]) -> Result<usize, ReadError> {
    read(Source::File { media_type, bytes }).map(|document| document.blocks.len())
}

#[test]
fn unsupported_file_is_refused_with_the_name_of_its_type() {
    let compound = |content: &str| {
        let name = content.encode_utf16().flat_map(u16::to_le_bytes);
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].into_iter().chain([0; 504]).chain(name).collect::<Vec<u8>>()
    };
    let opened = zip(&[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", b"<x/>")]);
    assert_eq!(file(WORD, b"%PDF-1.7"), Err(ReadError::Pdf));
    assert_eq!(file("text/plain", b"%PDF-1.7"), Err(ReadError::Pdf));
    assert_eq!(file(WORD, &compound("WordDocument")), Err(ReadError::OldOffice));
    assert_eq!(file(WORD, &compound("EncryptedPackage")), Err(ReadError::Encrypted));
    assert_eq!(file(WORD, &opened), Err(ReadError::OpenDocument));
    assert_eq!(file(WORD, &zip(&[("x.txt", b"x")])), Err(ReadError::OtherType));
    let root =
        b"<Relationships><Relationship Id='r' Type='x/officeDocument' Target='xl/workbook.xml'/></Relationships>";
    assert_eq!(
        file(WORD, &zip(&[("_rels/.rels", root), ("xl/workbook.xml", b"<workbook/>")])),
        Err(ReadError::OtherType)
    );
    assert_eq!(file("text/plain", &zip(&[("x.txt", b"x")])), Err(ReadError::OtherType));
    assert_eq!(file("image/png", b"x"), Err(ReadError::OtherType));
    assert_eq!(ReadError::Pdf.class(), ErrorClass::Type);
}

#[test]
fn damaged_word_files_are_refused() {
    let whole = docx(&paragraph("text"));
    assert_eq!(file(WORD, b""), Err(ReadError::Damaged));
    assert_eq!(file(WORD, b"PK\x03\x04 and no more"), Err(ReadError::Damaged));
    for part in [b"<w:document><w:body><w:p>".as_slice(), b"<w:document></w:body>", b"", b"text", b"<html/>"] {
        assert_eq!(read_docx(&docx_of(part)).err(), Some(ReadError::Damaged), "{part:?}");
    }
    // A file that is cut at any byte is never read as if it were complete.
    for end in (0..whole.len()).step_by(97) {
        assert!(read_docx(&whole[..end]).is_err(), "{end}");
    }
}

#[test]
fn damaged_word_file_never_panics() {
    let whole = docx(&paragraph("text"));
    for place in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x55;
        let _ = read_docx(&damaged);
    }
}

#[test]
fn zip_bombs_are_refused() {
    let zeros = vec![b' '; 60 * 1024 * 1024];
    let bomb = docx_of(&zeros);
    assert!(bomb.len() < 5 * 1024 * 1024);
    assert_eq!(read_docx(&bomb).err(), Some(ReadError::TooLargeUnpacked));
    let names: Vec<String> = (0..1_001).map(|number| format!("{number}.xml")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"x".as_slice())).collect();
    assert_eq!(read_docx(&zip(&entries)).err(), Some(ReadError::TooManyEntries));
}

#[test]
fn word_file_with_two_zip_entries_of_the_same_name_is_refused() {
    let mut twice = zip(&[("word/document.xml", b"<a/>"), ("word/documenu.xml", b"<b/>"), ("x", b"")]);
    for place in 0..twice.len() - 17 {
        if &twice[place..place + 17] == b"word/documenu.xml" {
            twice[place + 12] = b't';
        }
    }
    assert_eq!(read_docx(&twice).err(), Some(ReadError::DuplicateEntry));
}

#[test]
fn xml_with_a_doctype_or_with_deep_nesting_is_refused() {
    let doctype = b"<!DOCTYPE x [<!ENTITY a \"aaaa\">]><w:document><w:body/></w:document>";
    assert_eq!(read_docx(&docx_of(doctype)).err(), Some(ReadError::Doctype));
    assert_eq!(read_docx(&docx(&"<w:sdt>".repeat(300))).err(), Some(ReadError::TooDeep));
    for element in ["<div>", "<ul><li>", "<b>", "<table><tr><td>", "<span>"] {
        assert_eq!(read(Source::Html(&element.repeat(100_000))).err(), Some(ReadError::TooDeep), "{element}");
    }
    assert_eq!(read(Source::Text(&format!("# a\n{} b", ">".repeat(1_000)))).err(), Some(ReadError::TooDeep));
}

#[test]
fn documents_with_too_many_blocks_are_refused() {
    let many = |line: &str| line.repeat(10_001);
    assert_eq!(read(Source::Text(&many("- a\n"))).err(), Some(ReadError::TooManyBlocks));
    assert_eq!(read(Source::Html(&many("<p>a"))).err(), Some(ReadError::TooManyBlocks));
    assert_eq!(read(Source::Html(&format!("<table>{}", many("<tr><td>a")))).err(), Some(ReadError::TooManyBlocks));
    assert_eq!(
        read(Source::Html(&format!("<table><tr>{}", "<td>".repeat(100_010)))).err(),
        Some(ReadError::TooManyBlocks)
    );
    assert_eq!(read(Source::Text(&format!("# a\n{}", many("- a\n")))).err(), Some(ReadError::TooManyBlocks));
    assert_eq!(read_docx(&docx(&many(&paragraph("a")))).err(), Some(ReadError::TooManyBlocks));
    assert_eq!(read(Source::Text(&"a".repeat(6 * 1024 * 1024))).err(), Some(ReadError::TooLarge));
}

#[test]
fn large_documents_are_read() {
    let rows = (0..9_000).map(|row| format!("<tr><td>Thing {row}<td>{row}"));
    let html =
        format!("<h1>Rows</h1><h2>Materials</h2><table><tr><th>Item<th>Quantity{}</table>", rows.collect::<String>());
    let lesson = crate::support::lesson(Source::Html(&html));
    assert!(lesson.content["materials"].as_array().unwrap().len() > 3_000);
    assert_eq!(lesson.notices, ["The document is too large for one lesson. The rest was not placed."]);
}

/// Reading these texts would take very long if the work grew with the square of their size.
#[test]
fn large_hostile_texts_are_read_or_refused_in_bounded_time() {
    const SIZE: usize = 256 * 1024;
    let texts = [
        format!("Materials\n- 5 g A{}", "a".repeat(SIZE)),
        format!("Materials\n- 5 g {}", "Aa ".repeat(SIZE / 3)),
        format!("{}:", "the ".repeat(SIZE / 4)),
        "a\n".repeat(SIZE / 2),
        "a\t".repeat(SIZE / 2),
        format!("Title: x\n{}\n{}", "a".repeat(SIZE / 2), "b\n ".repeat(SIZE / 6)),
        format!("# a\n{}", format!("{} b\n", "c".repeat(60)).repeat(SIZE / 63)),
        "A. ".repeat(SIZE / 3),
        format!("Materials: {}", "A. ".repeat(SIZE / 3)),
        format!("Title: {}", "Fwd:".repeat(SIZE / 4)),
    ];
    for text in &texts {
        let _ = read(Source::Text(text)).map(|document| crate::support::filled(&document));
    }
    let pages = [
        format!("<p>{}", "a<br>".repeat(SIZE / 5)),
        format!("<li>a{}", "<p>".repeat(SIZE / 3)),
        format!("<li>{}", "&nbsp;<p>".repeat(SIZE / 9)),
        format!("<p>{}:", "the ".repeat(SIZE / 4)),
        format!("<h2>{}</h2>", "the ".repeat(SIZE / 4)),
        format!("<!--{}", "<p ".repeat(SIZE / 3)),
        format!("<p {}", "<p ".repeat(80)),
        "</script ".repeat(SIZE / 9),
        format!("<h2>Materials</h2><li>{}", "A. ".repeat(SIZE / 3)),
        format!("<h2>Materials</h2><li>{}", "a (mailto:b)".repeat(SIZE / 12)),
    ];
    for html in &pages {
        let _ = read(Source::Html(html)).map(|document| crate::support::filled(&document));
    }
}

#[test]
fn element_with_too_many_attributes_is_refused() {
    let names: String = (0..300).map(|number| format!("a{number} ")).collect();
    for start in ["<p ", "<!-- <p a=' --><p ", "<p title='>' ", "</p "] {
        assert_eq!(read(Source::Html(&format!("{start}{names}>x"))).err(), Some(ReadError::Damaged), "{start}");
    }
}

#[test]
fn word_document_with_too_much_text_is_refused() {
    let long = docx(&paragraph(&"a ".repeat(600 * 1024)));
    assert!(long.len() < 5 * 1024 * 1024);
    assert_eq!(read_docx(&long).err(), Some(ReadError::TooMuchText));
    let text = "a ".repeat(600 * 1024);
    assert_eq!(read(Source::Text(&text)).err(), Some(ReadError::TooMuchText));
    assert_eq!(read(Source::Text(&format!("# a\n{text}"))).err(), Some(ReadError::TooMuchText));
    assert_eq!(read(Source::Html(&text)).err(), Some(ReadError::TooMuchText));
}

#[test]
fn documents_with_too_much_formatting_are_refused() {
    assert_eq!(read(Source::Html(&"<b></b>".repeat(300_000))).err(), Some(ReadError::TooManyPieces));
    assert_eq!(read(Source::Html(&format!("<p>{}", "&amp;".repeat(500_000)))).err(), Some(ReadError::TooManyPieces));
    assert_eq!(read_docx(&docx(&"<w:r/>".repeat(300_000))).err(), Some(ReadError::TooManyPieces));
    // A picture counts as one piece of formatting, and its bytes do not count as text.
    let picture = format!("<p>a<img src='data:image/png;base64,{}'>", "A".repeat(4 * 1024 * 1024));
    assert_eq!(read(Source::Html(&picture)).unwrap().pictures.len(), 1);
    assert_eq!(ReadError::TooManyPieces.class(), ErrorClass::Size);
}

/// Returns the CPU time of this thread, in milliseconds.
fn cpu() -> u64 {
    let figures = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    figures.split(' ').next().unwrap().parse::<u64>().unwrap() / 1_000_000
}

/// Returns a memory figure of this process from `/proc/self/status`, in bytes.
fn memory(line: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let figure = status.lines().find_map(|text| text.strip_prefix(line)).unwrap();
    figure.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// Returns a text with the maximum number of lines and bytes of a document.
fn largest(head: &str, words: &str) -> String {
    let line: String = words.repeat(100).chars().take(70).collect();
    format!("{head}\n\n{}", format!("{line} end.\n").repeat(9_900))
}

#[test]
fn largest_documents_take_little_time_and_memory() {
    /// In milliseconds. A release build takes at most half a second. This build takes up to four seconds on slow cores
    /// that other processes use, too. Work that grows with the square of the length takes minutes.
    const MAX_CPU: u64 = 12_000;
    let words = "x".repeat(60_000);
    let styled: String = (0..9_000)
        .map(|id| format!("<w:style w:styleId='s{id}'><w:name w:val='n'/><w:basedOn w:val='{}'/></w:style>", id + 1))
        .collect();
    let text = |text: String| ("text/plain", text.into_bytes());
    let html = |html: String| ("text/html", html.into_bytes());
    let word = |body: &str| (WORD, docx(body));
    let documents = [
        text(largest("Steps", "5 min ")),
        text(largest("Steps", "Explain (5 min) – sow 20 seeds in 3 minutes; ")),
        text(largest("Steps", "9:00–9:15 ")),
        text(largest("", "wäter für ")),
        text(largest("Materials", "3 cups of salt, ")),
        text(largest("Objectives", "Students will be able to ")),
        text(format!("Steps\n\n1. {}", "1 – (5 min) ".repeat(74_000))),
        text("\u{fdfa} ".repeat(250_000)),
        text("(".repeat(1_000_000)),
        html("<h2>Explain – 5 min 5 min 5 min 5 min and then 5 – 10".repeat(9_900)),
        html(format!("{}{}", "<div>".repeat(200), "<p>".repeat(390_000))),
        html(format!("<p>{}", "<b style='a:b;c:d' class='nav x'>a</b>".repeat(119_000))),
        word(&format!("<w:p>{}</w:p>", "<w:r><w:t>a </w:t></w:r>".repeat(79_000))),
        word(&format!("{}{}{}", "<w:x>".repeat(200), "<w:p/>".repeat(190_000), "</w:x>".repeat(200))),
        word(&format!("<w:p>{}</w:p>", format!("<w:br w:a='{words}'/>").repeat(800))),
        (
            WORD,
            docx_with_styles(&format!("<w:p>{}</w:p>", "<w:r><w:rStyle w:val='s0'/></w:r>".repeat(60_000)), &styled),
        ),
    ];
    for (number, (media_type, bytes)) in documents.iter().enumerate() {
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        let (before, resident) = (cpu(), memory("VmRSS"));
        let document =
            read(Source::File { media_type, bytes }).unwrap_or_else(|why| panic!("document {number}: {why}"));
        crate::support::filled(&document);
        let (used, growth) = (cpu() - before, memory("VmHWM").saturating_sub(resident));
        assert!(used <= MAX_CPU, "document {number}: {used} ms of CPU time");
        assert!(growth <= MAX_MEMORY, "document {number}: {growth} bytes of memory");
    }
}

/// A small file can contain very many empty elements. A block for each would take too much memory.
#[test]
fn empty_blocks_are_dropped() {
    let page = "<table></table>".repeat(150_000);
    assert_eq!(read(Source::Html(&page)).unwrap().blocks.len(), 0);
    let document = read_docx(&docx(&"<w:tbl/>".repeat(150_000))).unwrap();
    assert_eq!(document.blocks.len(), 0);
    let notes = "<w:footnote w:id='1'><w:p/></w:footnote>".repeat(20_000);
    assert_eq!(read_docx(&docx(&notes)).unwrap().blocks.len(), 0);
}

#[test]
fn word_documents_that_would_take_much_memory_are_refused() {
    let notes: String = (0..10_001)
        .map(|id| format!("<w:footnote w:id='{id}'><w:p><w:r><w:t>a</w:t></w:r></w:p></w:footnote>"))
        .collect();
    assert_eq!(read_docx(&docx(&notes)).err(), Some(ReadError::TooManyBlocks));
    let name = format!("<{}/>", "n".repeat(1_000));
    assert_eq!(read_docx(&docx(&name)).err(), Some(ReadError::Damaged));
    let relations: String = (0..30_000).map(|id| format!("<Relationship Id='{id}' Type='x/a' Target='a'/>")).collect();
    let root = format!("<Relationships>{relations}</Relationships>");
    assert_eq!(file(WORD, &zip(&[("_rels/.rels", root.as_bytes())])), Err(ReadError::TooLarge));
}

#[test]
fn word_document_in_utf_16_is_read() {
    let text = "<w:document><w:body><w:p><w:r><w:t>Öl</w:t></w:r></w:p></w:body></w:document>";
    let part: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_docx(&docx_of(&part)).unwrap().blocks[0].text, "Öl");
}

#[test]
fn markdown_with_too_much_markup_is_refused() {
    let read = |text: String| read(Source::File { media_type: "text/markdown", bytes: text.as_bytes() }).err();
    assert_eq!(read("*a".repeat(100_001)), Some(ReadError::TooManyBlocks));
    assert_eq!(read("+ ".repeat(100_001)), Some(ReadError::TooManyBlocks));
    assert_eq!(read(format!("![Cress](data:image/png;base64,{})", "a+/=".repeat(100_001))), None);
}

#[test]
fn line_with_too_many_materials_is_not_split() {
    let lesson = crate::support::lesson(Source::Text(&format!("Materials\n\nsalt{}", ", a b".repeat(9_000))));
    assert_eq!(lesson.content["materials"].as_array().unwrap().len(), 1);
}

/// The texts would make a careless parser take quadratic time.
#[test]
fn hostile_texts_are_read_or_refused() {
    let texts = [
        "[ (](",
        "* ",
        "[](",
        "a***",
        "`a``b",
        "<!--",
        "[x]: y\n[x] ",
        "(5 min) ",
        "1. ",
        "a: ",
        "- 1 x ",
        "(((",
        "| a ",
        "\\\n",
        "&amp;",
    ];
    for piece in texts {
        let long = piece.repeat(3_000);
        let _ = read(Source::Text(&long)).map(|document| crate::support::filled(&document));
        let _ = read(Source::Text(&format!("# a\n{long}"))).map(|document| crate::support::filled(&document));
        let _ = read(Source::Html(&long)).map(|document| crate::support::filled(&document));
    }
}

/// Returns the seeds of the fuzz target, as media type and bytes.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/documents");
    let kinds = [("text", "text/plain"), ("markdown", "text/markdown"), ("html", "text/html"), ("word", WORD)];
    kinds.map(|(name, media_type)| (media_type, std::fs::read(folder.join(name)).unwrap().split_off(1))).into()
}

#[test]
fn every_seed_of_the_fuzz_target_is_read_as_a_document() {
    for (media_type, bytes) in seeds() {
        assert_ne!(file(media_type, &bytes), Ok(0), "{media_type}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_block_of_a_damaged_document_is_put_into_a_field_or_listed_as_unplaced(
        seed in prop::sample::select(seeds()),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (media_type, mut bytes) = seed;
        for (from, to, byte) in places {
            let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
            match byte % 3 {
                0 => bytes[from] = byte,
                1 => bytes.swap(from, to),
                _ => {
                    let piece = bytes[from.min(to)..from.max(to)].to_vec();
                    bytes.splice(to..to, piece);
                }
            }
        }
        if let Ok(document) = read(Source::File { media_type, bytes: &bytes }) {
            let filled = crate::support::filled(&document);
            let is_lost = |block: &&fieldbook_reader::Block| block.field.is_none() && !filled.not_placed.contains(&block.id);
            prop_assert_eq!(filled.blocks.iter().find(is_lost), None);
        }
    }
}
