//! Sheets as HTML.

use std::collections::HashMap;

use fieldbook::domain::lesson_sheet::{Audience, Sheet};
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::http::sheet::html::html;
use serde_json::{Value, json};

fn sheet(content: &Value, audience: Audience) -> Sheet {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    Sheet::of(&schema, content.as_object().expect("an object"), audience)
}

fn picture(alt: &str) -> Value {
    json!({"id": "0123456789abcdef".repeat(4), "alt": alt})
}

/// Returns the pictures of a sheet, each with a width and a height.
fn held(sheet: &Sheet) -> HashMap<String, (u32, u32)> {
    sheet.pictures().map(|picture| (picture.id.clone(), (640, 480))).collect()
}

/// Returns a sheet without its style sheet.
fn page(sheet: &Sheet, held: &HashMap<String, (u32, u32)>) -> String {
    let html =
        String::from_utf8(html(sheet).page(held, "/l/class-5b/craters/", "?visit=9.x").to_vec()).expect("a text");
    html.split_once("</style>").expect("a style sheet").1.to_owned()
}

#[test]
fn html_sheet_keeps_line_breaks_and_text_directions_and_turns_addresses_into_links() {
    let shown = sheet(
        &json!({
            "language": "ar", "title": "Salt <b>", "safety": ["Goggles\nGloves"],
            "materials": [{"name": "ماء", "quantity": 300, "unit": "ml", "notes": "see https://a.org/?a=1&b=2"}],
            "pictures": [picture("A \"wet\" crater")],
        }),
        Audience::Pupils,
    );
    let html = page(&shown, &held(&shown));
    for part in [
        "<h1 dir=\"ltr\">Salt &lt;b&gt;</h1>",
        "<section class=\"safety\"><h2>السلامة</h2><ul><li><bdi dir=\"ltr\">Goggles\nGloves</bdi></li></ul>",
        "<span class=\"amount\"><bdi dir=\"ltr\">300\u{a0}ml</bdi></span> <span>ماء<span",
        "<a href=\"https://a.org/?a=1&amp;b=2\" target=\"_blank\" rel=\"noopener noreferrer nofollow\" dir=\"ltr\">https://a.org/<wbr>?a=1&amp;b=2</a>",
        "</svg>see ",
        "alt=\"A &quot;wet&quot; crater\"",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
}

#[test]
fn html_sheet_marks_a_missing_picture_and_ignores_malformed_picture_references() {
    let content = json!({
        "language": "de", "pictures": [{"id": "0123456789ABCDEF".repeat(4), "alt": "Krater", "caption": "nass"}],
        "steps": [{"text": "Sieh hin.", "picture": picture("Lupe")}],
        "own": [{"id": "../../l/x", "alt": "none"}, {"id": "a", "alt": 5}],
    });
    let shown = sheet(&content, Audience::Teachers);
    let alts: Vec<&str> = shown.pictures().map(|picture| picture.alt.as_str()).collect();
    assert_eq!(alts, ["Krater", "Lupe"]);
    let html = page(&shown, &HashMap::new());
    assert!(!html.contains("<img"), "{html}");
    assert!(html.contains("(Bild entfernt) Krater</p><figcaption>nass</figcaption>"), "{html}");
}

#[test]
fn pictures_of_an_html_sheet_have_addresses_below_the_address_of_the_page() {
    let other = json!({"id": "f".repeat(64), "alt": "gone"});
    let content = json!({"title": "Krater", "pictures": [picture("wet"), other, picture("dry")], "safety": ["Wash."]});
    let shown = sheet(&content, Audience::Pupils);
    let id = "0123456789abcdef".repeat(4);
    let html = page(&shown, &HashMap::from([(id.clone(), (640, 480))]));
    let image = |alt| {
        format!(
            "<figure><a class=\"picture\" href=\"/l/class-5b/craters/{id}?visit=9.x\" target=\"_blank\"><img src=\"/l/class-5b/craters/{id}?visit=9.x\" width=\"480\" height=\"360\" alt=\"{alt}\"></a></figure>"
        )
    };
    let gone = "<figure><p class=\"removed\">(picture removed) gone</p></figure>";
    let figures = format!(
        "<h2 class=\"heard\">Pictures</h2><div class=\"pictures\">{}{gone}{}</div></section>",
        image("wet"),
        image("dry")
    );
    assert!(html.contains(&figures) && html.contains("Wash."), "{figures}\n{html}");
    assert!(!html.contains('\0'));
}

#[test]
fn html_sheet_states_the_size_of_each_picture_and_shows_wide_pictures_at_full_width() {
    let sheet = sheet(&json!({"pictures": [picture("scale")]}), Audience::Pupils);
    let attributes = |width, height| {
        let html = page(&sheet, &HashMap::from([("0123456789abcdef".repeat(4), (width, height))]));
        html.split_once("?visit=9.x\" width=")
            .and_then(|(_, rest)| rest.split_once(" alt="))
            .expect("a size")
            .0
            .to_owned()
    };
    assert_eq!(attributes(1600, 900), "\"640\" height=\"360\"");
    assert_eq!(attributes(300, 200), "\"300\" height=\"200\"");
    assert_eq!(attributes(1600, 320), "\"1600\" height=\"320\" class=\"wide\"");
    assert_eq!(attributes(1, 1600), "\"1\" height=\"360\"");
}

#[test]
fn html_sheet_shows_numbered_lines_of_a_text_as_list_items() {
    let html =
        page(&sheet(&json!({"homework": "Do:\nboth.\n1. Why?\n2) How?\nEnd"}), Audience::Pupils), &HashMap::new());
    let items = "<p>Do:\nboth.<span class=\"item\">1. Why?</span><span class=\"item\">2) How?</span>End</p>";
    assert!(html.contains(items), "{html}");
    let html = page(&sheet(&json!({"homework": "In\n2. May"}), Audience::Pupils), &HashMap::new());
    assert!(html.contains("<p>In\n2. May</p>"), "{html}");
}

#[test]
fn html_sheet_for_a_class_labels_the_lines_to_write_on() {
    let lesson = json!({"language": "de", "drivingQuestion": "Warum?", "phenomenon": "Was ist das?", "steps": [{"text": "Rühre."}]});
    let html = page(&sheet(&lesson, Audience::Class), &HashMap::new());
    let lines = |before: &str| html.contains(&format!("{before}<span></span>"));
    assert!(lines("<p>Warum?</p><div class=\"lines\"><h3>Unsere Vermutung</h3>"), "{html}");
    assert!(
        lines("<div class=\"lines\"><h3>Unsere Ergebnisse</h3>") && lines("<p>Was ist das?</p><div class=\"lines\">"),
        "{html}"
    );
}

#[test]
fn printed_sheet_has_one_qr_code_per_web_address() {
    let content =
        json!({"homework": "https://a.org/x and https://a.org/x", "safety": ["https://a.org/x", "https://b.org"]});
    let html = page(&sheet(&content, Audience::Pupils), &HashMap::new());
    assert_eq!((html.matches("<a href").count(), html.matches("<svg").count()), (4, 2), "{html}");
}

#[test]
fn formulas_in_an_arabic_html_sheet_run_left_to_right_on_one_line() {
    let content = json!({
        "language": "ar", "title": "تبريد 200 mL", "homework": "سجّل درجة الحرارة (t = 0 min) بوحدة °C/min بعد 20 دقيقة.",
        "steps": [{"text": "صب الماء.", "minutes": 3}],
    });
    let html = page(&sheet(&content, Audience::Pupils), &HashMap::new());
    for part in [
        "<h1>تبريد <bdi class=\"whole\" dir=\"ltr\">200\u{a0}mL</bdi></h1>",
        "(<bdi class=\"whole\" dir=\"ltr\">t\u{a0}=\u{a0}0\u{a0}min</bdi>)",
        "<bdi class=\"whole\" dir=\"ltr\">°C/min</bdi> بعد 20 دقيقة.",
        "<span class=\"minutes\">3\u{a0}د </span>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
}

#[test]
fn footer_of_printed_pages_has_the_title_and_on_sheets_for_teachers_also_the_grade() {
    let content = json!({"title": "Cress", "grade": "8", "groupSize": 3, "durationMinutes": 60, "language": "en"});
    let title = |audience| {
        let html = String::from_utf8(html(&sheet(&content, audience)).text.to_vec()).expect("a text");
        html.split_once("data-title=\"").and_then(|(_, rest)| rest.split_once('"')).expect("a title").0.to_owned()
    };
    assert_eq!([Audience::Pupils, Audience::Teachers].map(title), ["Cress", "Cress · Grade 8"]);
    let teachers = page(&sheet(&content, Audience::Teachers), &HashMap::new());
    assert!(teachers.contains("<h2>Duration</h2><p>60\u{a0}min</p>") && !teachers.contains("Language"), "{teachers}");
}
