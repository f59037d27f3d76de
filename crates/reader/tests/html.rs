//! HTML of web pages and of the clipboard.

use fieldbook_reader::{Kind, Source, read};
use serde_json::json;

use crate::support::{content, html, left, lesson, text};

#[test]
fn list_pasted_from_word_as_html_is_read_as_a_list() {
    let item = |level: u8, mark: &str, text: &str| {
        format!(
            "<p class=MsoListParagraph style='margin-left:36.0pt;mso-list:l0 level{level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>{mark}<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;</span></span><![endif]>{text}<o:p></o:p></p>"
        )
    };
    let html = [
        "<p class=MsoTitle>Salt<o:p></o:p></p><h2>Materials</h2>".to_owned(),
        item(1, "·", "10 g salt"),
        "<h2>Method</h2>".to_owned(),
        item(1, "1.", "Dissolve the salt. (10 min)"),
        item(2, "a.", "stir"),
        item(2, "b.", "heat"),
        item(1, "2.", "Filter."),
    ];
    let expected = json!({
        "title": "Salt",
        "materials": [{"name": "salt", "quantity": 10, "unit": "g"}],
        "steps": [{"text": "Dissolve the salt.\nstir\nheat", "minutes": 10}, {"text": "Filter."}],
    });
    assert_eq!(content(&lesson(Source::Html(&html.concat()))), expected);
}

#[test]
fn superscripts_subscripts_and_links_are_read_and_hidden_text_is_left_out() {
    let html = "<p>50 cm<sup>3</sup> of H<sub>2</sub>O, 10<sup>−3</sup> mol, x<sup>ab</sup>c, the 4<sup>th</sup>, \
                <span style='vertical-align:super'>2</span></p><p><a href='https://example.org/a'>BBC</a> \
                <a href='javascript:alert(1)'>x</a><span style='display: none'>secret</span><del>old</del><ins>new</ins>\
                <script>alert('no')</script><style>p{}</style></p>";
    let document = read(Source::Html(html)).unwrap();
    let texts: Vec<_> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["50 cm³ of H₂O, 10⁻³ mol, x^abc, the 4th, ²", "BBC (https://example.org/a) xnew"]);
}

#[test]
fn navigation_and_footers_are_not_put_into_any_field() {
    let html = "<nav><a href='/m'>Materials</a></nav><h1>Tower</h1><h2>Materials</h2><ul><li>honey</ul>\
                <div class='sidebar'><h3>Steps</h3><ul><li><a href='/v'>Volcano</a></ul></div><footer>Safety first</footer>";
    let lesson = lesson(Source::Html(html));
    assert_eq!(content(&lesson), json!({"title": "Tower", "materials": [{"name": "honey"}]}));
    assert_eq!(left(&lesson), ["Materials", "Steps", "Volcano", "Safety first"]);
}

#[test]
fn body_with_a_css_class_for_a_sidebar_or_search_is_read_completely() {
    for class in ["page right-sidebar", "no-search", "toc"] {
        let html = format!("<body class='{class}'><h1>Tower</h1><h2>Materials</h2><ul><li>honey</ul></body>");
        let expected = json!({"title": "Tower", "materials": [{"name": "honey"}]});
        assert_eq!(content(&lesson(Source::Html(&html))), expected, "{class}");
    }
}

#[test]
fn list_of_only_links_is_put_into_no_field_but_a_material_may_have_a_link() {
    let html = "<h1>Tower</h1><h2><a name='_Toc1'>Materials</a></h2><ul><li><a href='https://shop.example/h'>honey</a><li>oil</ul>\
                <h2><a href='#safety'>Safety</a></h2><p>Wear goggles.</p><ul><li><a href='/a'>Eggs</a><li><a href='/b'>Ice</a><li><a href='/c'>Milk</a></ul>";
    let lesson = lesson(Source::Html(html));
    let materials = json!([{"name": "honey", "notes": "https://shop.example/h"}, {"name": "oil"}]);
    assert_eq!(content(&lesson), json!({"title": "Tower", "materials": materials, "safety": ["Wear goggles."]}));
    assert_eq!(left(&lesson), ["Eggs", "Ice", "Milk"]);
}

#[test]
fn html_comments_scripts_and_quoted_attributes_end_where_the_html_standard_says() {
    let html = "<!-- <p a=' --><p>One<!--> --><p title='> <p>'>Two<script>if (a<b) '<p>no'</script><p>Three</><p>Four<!x><p>Five";
    let document = read(Source::Html(html)).unwrap();
    let texts: Vec<_> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["One -->", "Two", "Three", "Four", "Five"]);
}

#[test]
fn html_elements_without_end_tags_end_where_the_html_standard_says() {
    let html = "<h1>Salt<h2>Safety</h2><p>One<p>Two<h2>Materials</h2><table><tr><th>Item<th>Amount<tr><td>salt<td>2 g</table><ol><li>x</ol>";
    let content = content(&lesson(Source::Html(html)));
    assert_eq!(content["safety"], json!(["One", "Two"]));
    assert_eq!(content["materials"][0], json!({"name": "salt", "quantity": 2, "unit": "g"}));
}

#[test]
fn table_used_for_layout_is_read_as_headings_and_their_content() {
    let html = "<p><b>Puddle</b></p><table><tr><td><b>Grade level</b><td>5<tr><td><b>Objectives</b><td>Pupils can:<ul><li>see<li>say</ul>\
                <tr><td colspan=2><b>LESSON SEQUENCE</b><tr><td><b>Engage</b><br>8 minutes<td><p>Show.</p><p>Ask.</p>\
                <tr><td colspan=2><b>AFTER THE LESSON</b><tr><td><b>Assessment</b><td>Look.</table>";
    let expected = json!({
        "title": "Puddle",
        "grade": 5,
        "objectives": ["see", "say"],
        "steps": [{"text": "Engage: Show.\nAsk.", "minutes": 8}],
        "assessment": "Look.",
    });
    assert_eq!(content(&lesson(Source::Html(html))), expected);
}

#[test]
fn embedded_pictures_are_kept_unchanged() {
    let html = "<p>Salt</p><img alt='A funnel' src='data:image/png;base64,UE5H'><img src='https://example.org/x.png'>";
    let document = read(Source::Html(html)).unwrap();
    assert_eq!((document.blocks[1].kind, document.blocks[1].text.as_str()), (Kind::Picture, "A funnel"));
    assert_eq!((document.pictures[0].block.as_str(), document.pictures[0].bytes.as_slice()), ("b2", b"PNG".as_slice()));
    assert_eq!(document.notices, ["Pictures that are not in the lesson: 1. Add them by hand."]);
}

#[test]
fn time_beside_a_phase_name_becomes_the_minutes_of_the_step() {
    let html = "<h1>Strom</h1><h2>Verlauf</h2><table><tr><th>Phase/Zeit<th>Aktivität<tr><td>Einstieg<br>(15 min)<td>Lampe zerlegen\
                <tr><td>Arbeitsphase<br>(60 min)<td>Bauen</table>";
    let expected = json!([
        {"text": "Einstieg\nLampe zerlegen", "minutes": 15},
        {"text": "Arbeitsphase\nBauen", "minutes": 60},
    ]);
    assert_eq!(content(&lesson(Source::Html(html)))["steps"], expected);
}

#[test]
fn blank_lines_end_lists_in_emails_as_in_plain_text() {
    let lines = [
        "Salt",
        "",
        "You need:",
        "- 2 cups",
        "- salt",
        "",
        "Part one",
        "* 5 min – Stir.",
        "* 10 min – Wait.",
        "",
        "Bring a towel, please.",
        "It is wet.",
    ];
    let expected = text(&lines.join("\n"));
    let in_lines = |blank: &str, name: &str| {
        let line = |line: &&str| format!("<{name}>{}</{name}>", if line.is_empty() { blank } else { line });
        lines.iter().map(line).collect::<String>()
    };
    for page in [in_lines("<br>", "div"), in_lines("&nbsp;", "p"), format!("<div>{}</div>", lines.join("<br>"))] {
        let lesson = html(&page);
        assert_eq!((content(&lesson), left(&lesson)), (content(&expected), left(&expected)), "{page}");
    }
    assert_eq!(left(&expected), ["Part one", "Bring a towel, please.", "It is wet."]);
}

#[test]
fn caption_of_a_linked_picture_is_not_a_step() {
    let page = "<h1>Salt</h1><h2>Method</h2><ol><li>Stir.</ol><figure><img src='a.png' alt='A cup'>\
                <figcaption>Our cup</figcaption></figure>";
    let lesson = html(page);
    assert_eq!(content(&lesson), json!({"title": "Salt", "steps": [{"text": "Stir."}]}));
    assert_eq!(left(&lesson), ["A cup", "Our cup"]);
}

#[test]
fn reader_comments_below_a_web_page_are_not_put_into_any_field() {
    for name in ["Comments (2)", "Kommentare", "Commentaires", "Comentarios", "التعليقات"] {
        let lesson = html(&format!(
            "<h1>Ice</h1><h2>Extensions</h2><p>Try salt.<h2 id=comments>{name}</h2><h3>Jo says:</h3><p>Great!<p>Bo: It melted.\
             <h2>Homework</h2><p>Read."
        ));
        assert_eq!(
            content(&lesson),
            json!({"title": "Ice", "differentiation": "Try salt.", "homework": "Read."}),
            "{name}"
        );
    }
}
