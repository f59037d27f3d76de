//! Text as WordprocessingML.

use super::*;

fn in_runs(text: &str, direction: Direction) -> String {
    let mut xml = String::new();
    runs(&mut xml, text, Look { properties: "", direction });
    xml.replace(r#" xml:space="preserve""#, "")
}

#[test]
fn markup_in_a_text_is_escaped_in_a_word_document() {
    assert_eq!(escaped("</w:t> & \"a\"\n\t]]>"), "&lt;/w:t&gt; &amp; &quot;a&quot;&#10;&#9;]]&gt;");
}

#[test]
fn invalid_xml_characters_in_a_text_are_replaced() {
    assert_eq!(escaped("a\u{0}\u{1b}b\u{fffe}\u{ffff}c\u{7f}\u{1f600}"), "a��b��c\u{7f}😀");
}

#[test]
fn word_document_keeps_line_breaks_and_tabs() {
    let expected = "<w:r><w:t> a </w:t><w:br/><w:br/><w:t>b</w:t><w:br/><w:t>c</w:t><w:tab/><w:t>d</w:t><w:br/></w:r>";
    assert_eq!(in_runs(" a \n\r\nb\rc\td\u{2028}", Direction::Ltr), expected);
}

#[test]
fn text_of_mixed_directions_is_split_into_word_runs_of_one_direction() {
    let mixed =
        "<w:r><w:t>pH </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t>ماء، ملح</w:t></w:r><w:r><w:t> (5 g)</w:t></w:r>";
    assert_eq!(in_runs("pH ماء، ملح (5 g)", Direction::Ltr), mixed);
    let hebrew = "<w:r><w:rPr><w:rtl/></w:rPr><w:t>מים </w:t></w:r><w:r><w:t>300</w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t>, מלח</w:t></w:r>";
    assert_eq!(in_runs("מים 300, מלח", Direction::Rtl), hebrew);
}

#[test]
fn splitting_long_hostile_texts_into_word_runs_loses_no_character() {
    for piece in ["\u{2067}(א", "\u{202e}[a", "א1", "\u{2066}\u{2069}", "🧪e\u{301}", "(", "\u{2067}", "א)"] {
        let text = piece.repeat(60_000 / piece.len());
        let xml = in_runs(&text, Direction::Rtl);
        let shown: String = xml.split('<').filter_map(|tag| tag.strip_prefix("w:t>")).collect();
        assert_eq!(shown, text);
    }
}
