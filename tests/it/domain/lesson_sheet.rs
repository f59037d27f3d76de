//! The contents of a lesson sheet, and its language.

use std::collections::HashMap;

use fieldbook::domain::lesson_sheet::*;
use fieldbook::domain::link::Shows;
use fieldbook::domain::named::Named;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::http::sheet::html::html;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn sheet(content: Value, audience: Audience) -> Sheet {
    Sheet::of(&Schema::parse(BUILT_IN).expect("a schema"), &object(content), audience)
}

fn headings(sheet: &Sheet) -> Vec<&str> {
    sheet.sections.iter().map(|section| section.heading.as_str()).collect()
}

fn entry(lead: &str) -> Entry {
    Entry { lead: lead.to_owned(), ..Entry::default() }
}

fn picture(alt: &str) -> Value {
    json!({"id": "0123456789abcdef".repeat(4), "alt": alt})
}

/// Returns a sheet as HTML without its style sheet. All of its pictures exist.
fn page(sheet: &Sheet) -> String {
    let held: HashMap<String, (u32, u32)> = sheet.pictures().map(|picture| (picture.id.clone(), (640, 480))).collect();
    let html = String::from_utf8(html(sheet).page(&held, "/", "").to_vec()).expect("a text");
    html.split_once("</style>").expect("a style sheet").1.to_owned()
}

#[test]
fn sheet_has_fields_in_schema_order_and_entries_split_into_their_parts() {
    let shown = sheet(
        json!({
            "vocabulary": [{"term": "germinate", "definition": "begin to grow"}],
            "steps": [{"text": "Sow.\n\nWater.", "minutes": 10, "place": "outside"}, {"text": " "}],
            "materials": [{"name": "water", "quantity": 300, "unit": "ml", "notes": "cold"}, {"name": ""}],
            "title": " Cress ", "assessment": "First.\n\n  Second.  ", "pictures": [picture("Two saucers")],
            "variables": {"independent": "Light", "controlled": ["water", ""], "dependent": ""},
            "own": {"room": 5, "open": true, "empty": []},
        }),
        Audience::Teachers,
    );
    assert_eq!(shown.title.as_deref(), Some("Cress"));
    assert_eq!(headings(&shown), ["Pictures", "Variables", "Materials", "Steps", "Assessment", "Vocabulary", "Own"]);
    let list = |kind, entries: Vec<Entry>| Block::List(List { kind, entries });
    let text = |text: &str| Block::Text(vec![text.to_owned()]);
    let blocks: Vec<Block> = shown.sections.into_iter().map(|section| section.block).collect();
    let saucers = Picture { id: "0123456789abcdef".repeat(4), alt: "Two saucers".into(), caption: None };
    let expected = [
        Block::Pictures(vec![saucers]),
        Block::Members(vec![
            ("Independent variable".into(), text("Light")),
            ("Controlled variables".into(), list(ListKind::Plain, vec![entry("water")])),
        ]),
        list(
            ListKind::Materials,
            vec![Entry { amount: Some("300 ml".into()), notes: vec!["cold".into()], ..entry("water") }],
        ),
        list(
            ListKind::Steps,
            vec![Entry { minutes: Some("10".into()), notes: vec!["outside".into()], ..entry("Sow.\n\nWater.") }],
        ),
        Block::Text(vec!["First.".into(), "  Second.".into()]),
        list(ListKind::Terms, vec![Entry { notes: vec!["begin to grow".into()], ..entry("germinate") }]),
        Block::Members(vec![("Room".into(), text("5")), ("Open".into(), text("yes"))]),
    ];
    assert_eq!(blocks, expected);
}

#[test]
fn sheet_shows_amounts_as_the_author_wrote_them() {
    let said = |material: Value| {
        let shown = sheet(json!({ "materials": [material] }), Audience::Pupils);
        let Some(Block::List(list)) = shown.sections.into_iter().map(|section| section.block).next() else {
            panic!("a list")
        };
        let entry = &list.entries[0];
        entry.amount.iter().chain([&entry.lead]).cloned().collect::<Vec<_>>().join(" ")
    };
    for (material, expected) in [
        (json!({"name": "saucer", "quantity": 2}), "2 saucer"),
        (json!({"name": "Untertassen", "quantity": "2"}), "2 Untertassen"),
        (json!({"name": "V lamp", "quantity": 12}), "12 V lamp"),
        (json!({"name": "lamp", "quantity": 12, "unit": "V"}), "12 V lamp"),
        (json!({"name": "cm³ of oil", "quantity": 5}), "5 cm³ of oil"),
        (json!({"name": "pints of milk", "quantity": 2}), "2 pints of milk"),
        (json!({"name": "µl sample", "quantity": 10}), "10 µl sample"),
        (json!({"name": "NaHCO₃ أقراص", "quantity": 6}), "6 NaHCO₃ أقراص"),
        (json!({"name": "Wasser", "quantity": "1.000", "unit": "ml"}), "1.000 ml Wasser"),
        (json!({"name": "beads", "quantity": "1,000"}), "1,000 beads"),
        (json!({"name": "sugar", "quantity": 2.5}), "2.5 sugar"),
        (json!({"name": "nails", "quantity": "3–4"}), "3–4 nails"),
        (json!({"name": "salt", "unit": "pinch"}), "salt (pinch)"),
        (json!({"name": "seeds"}), "seeds"),
    ] {
        assert_eq!(said(material.clone()), expected, "{material}");
    }
}

#[test]
fn sheet_for_a_class_has_the_fields_for_pupils_and_lines_to_write_on() {
    let content = json!({
        "phenomenon": "It grows.", "drivingQuestion": "Why?", "steps": [{"text": "Sow."}], "homework": "Draw it.",
        "safety": ["Wash."], "vocabulary": [{"term": "rot", "definition": "fall apart"}], "differentiation": "Help.",
        "objectives": ["Know."], "own": "Ours.",
    });
    let pupils = sheet(content.clone(), Audience::Pupils);
    let for_pupils = ["What we see", "Our question", "Safety", "Steps", "Vocabulary", "Homework"];
    assert_eq!(headings(&pupils), for_pupils);
    let safe: Vec<&str> =
        pupils.sections.iter().filter(|section| section.is_safety).map(|section| section.field.as_str()).collect();
    assert_eq!(safe, ["safety"]);
    assert!(pupils.sections.iter().all(|section| section.lines == 0));
    let class = sheet(content.clone(), Audience::Class);
    assert_eq!(headings(&class), for_pupils);
    assert_eq!(class.sections.iter().map(|section| section.lines).collect::<Vec<_>>(), [0, 3, 0, 8, 0, 3]);
    let labels: Vec<_> = class.sections.iter().filter_map(|section| section.lines_label).collect();
    assert_eq!(labels, ["Our guess", "Our results"]);
    let film =
        json!({"phenomenon": "See https://example.org/?v=1", "drivingQuestion": "See https://example.org/?v=1. Why?"});
    let lines: Vec<_> = sheet(film, Audience::Class).sections.iter().map(|section| section.lines).collect();
    assert_eq!(lines, [0, 3], "a question mark in an address asks nothing");
    let teachers = sheet(content, Audience::Teachers);
    let all = [
        "Phenomenon",
        "Driving question",
        "Objectives",
        "Safety",
        "Steps",
        "Differentiation",
        "Vocabulary",
        "Homework",
        "Own",
    ];
    assert_eq!(headings(&teachers), all);
    assert_eq!(
        Shows::ALL.iter().map(|shows| Audience::of(*shows)).collect::<Vec<_>>(),
        [None, Some(Audience::Pupils), Some(Audience::Teachers)]
    );
}

#[test]
fn sheet_language_comes_from_the_language_field_or_else_from_the_text() {
    let german = "Gib fünf Löffel Salz in das Wasser und rühre, bis sich nichts mehr löst. Was siehst du jetzt?";
    let arabic = "أضف خمس ملاعق من الملح إلى الماء وحرك حتى يذوب";
    let language = |content: Value| {
        let language = sheet(content, Audience::Pupils).language;
        format!("{} {}", language.tag, language.direction.name())
    };
    for (content, expected) in [
        (json!({"title": "Salz", "drivingQuestion": german}), "de ltr"),
        (json!({"title": "ملح", "drivingQuestion": arabic}), "ar rtl"),
        (
            json!({"title": "Salt", "drivingQuestion": "Does salt dissolve faster in warm water than in cold water?"}),
            "en ltr",
        ),
        (
            json!({"title": "Le sel", "drivingQuestion": "Pourquoi le sel disparaît-il quand on le mélange avec de l’eau chaude ?"}),
            "fr ltr",
        ),
        (json!({"title": "מלח", "drivingQuestion": "מדוע נמס המלח במים חמים מהר יותר"}), "he rtl"),
        (json!({"title": "Salt"}), "en ltr"),
        (json!({"title": "42"}), "en ltr"),
        (json!({"language": "fr", "drivingQuestion": german}), "fr ltr"),
        (json!({"language": "fa", "drivingQuestion": arabic}), "fa rtl"),
        (json!({"language": "pa-Arab"}), "pa-Arab rtl"),
        (json!({"language": "az-Latn-IR", "title": arabic}), "az-Latn-IR ltr"),
        (json!({"language": "", "drivingQuestion": german}), "de ltr"),
        (json!({"language": "\"><script>", "drivingQuestion": german}), "de ltr"),
        (json!({"language": ["de"], "drivingQuestion": german}), "de ltr"),
    ] {
        assert_eq!(language(content.clone()), expected, "{content}");
    }
}

#[test]
fn every_demo_example_is_detected_as_english() {
    for (name, example) in fieldbook::examples::read().expect("examples") {
        assert_eq!(sheet(Value::Object(example), Audience::Teachers).language.tag, "en", "{name}");
    }
}

#[test]
fn sheet_headings_are_in_the_language_of_the_lesson_or_else_of_the_schema() {
    let content = |tag: &str| {
        json!({"language": tag, "title": "x", "drivingQuestion": "x", "materials": [{"name": "x"}], "safety": ["x"],
               "steps": [{"text": "x", "minutes": 5}], "homework": "x"})
    };
    let shown = |tag: &str| sheet(content(tag), Audience::Pupils);
    for (tag, expected) in [
        ("de", ["Unsere Frage", "Material", "Sicherheit", "Durchführung", "Hausaufgabe"]),
        ("fr-CA", ["Notre question", "Matériel", "Sécurité", "Déroulement", "Devoirs"]),
        ("es", ["Nuestra pregunta", "Materiales", "Seguridad", "Pasos", "Tarea"]),
        ("AR", ["سؤالنا", "المواد والأدوات", "السلامة", "الخطوات", "الواجب المنزلي"]),
        ("sv", ["Our question", "Materials", "Safety", "Steps", "Homework"]),
    ] {
        assert_eq!(headings(&shown(tag)), expected, "{tag}");
    }
    assert!(page(&shown("ar")).contains("5\u{a0}د "), "{}", page(&shown("ar")));
    // A heading from an operator's schema is not translated.
    let schema = json!({"properties": {"materials": {"title": "Field kit"}, "steps": {"title": "Steps"}}});
    let schema = Schema::parse(&schema.to_string()).expect("a schema");
    let shown = Sheet::of(&schema, &object(content("de")), Audience::Teachers);
    assert_eq!(headings(&shown)[..2], ["Field kit", "Durchführung"]);
}

#[test]
fn web_and_mail_addresses_in_a_text_are_found_without_surrounding_punctuation() {
    let found = |text: &'static str| {
        let all = pieces(text);
        let whole: String = all
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) | Piece::Address(text) => *text,
            })
            .collect();
        assert_eq!(whole, text, "the pieces together are the text");
        all.into_iter()
            .filter_map(|piece| if let Piece::Address(address) = piece { Some(address) } else { None })
            .collect::<Vec<_>>()
    };
    for (text, expected) in [
        ("See https://phet.colorado.edu/en/simulations.", vec!["https://phet.colorado.edu/en/simulations"]),
        ("(https://a.org/x_(y)), then HTTP://B.org!", vec!["https://a.org/x_(y)", "HTTP://B.org"]),
        ("Film (https://a.org/b)", vec!["https://a.org/b"]),
        ("„https://a.org/ü?x=1&y=2“", vec!["https://a.org/ü?x=1&y=2"]),
        ("انظر https://a.org/x؟ ثم", vec!["https://a.org/x"]),
        ("见https://a.org/x。然后", vec![]),
        ("见 https://a.org/x。然后", vec!["https://a.org/x"]),
        ("mailto:me@a.org or me@a.org", vec!["mailto:me@a.org"]),
        ("https://a.org\nhttps://b.org", vec!["https://a.org", "https://b.org"]),
        ("https://a.org/\u{202e}gro.b", vec!["https://a.org/"]),
        ("https:// http://. mailto: https://? 12:30 javascript:alert(1) data:text/html,x xhttps://a.org", vec![]),
        ("https://a.org/<script>", vec!["https://a.org/"]),
        ("", vec![]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
    let long: &'static str = Box::leak(format!("https://a.org/{}", "x".repeat(3000)).into_boxed_str());
    assert_eq!(found(long), Vec::<&str>::new());
}

#[test]
fn sheet_of_an_oversized_lesson_is_cut() {
    const MARGIN: usize = 64 * 1024;
    let lines = "\n\n".repeat(60_000);
    for content in [
        json!({"title": "&".repeat(400_000), "homework": "x"}),
        json!({ "materials": vec![json!({"name": "a", "quantity": 1, "unit": "b", "notes": "c"}); 9_000] }),
        json!({ "steps": vec![json!({"text": "a", "picture": picture("b")}); 4_000] }),
        json!({ "steps": [{ "text": format!("a{lines}b") }] }),
        json!({ "homework": "https://a.org/&& ".repeat(20_000) }),
        json!({ "homework": "MAILTO:a@b ".repeat(20_000) }),
        json!({ "homework": "https://a.org////////////////////// ".repeat(20_000) }),
        json!({ "language": "ar", "homework": "ا a ".repeat(60_000) }),
        json!({ "homework": "1 a ".repeat(200_000) }),
        json!({ "homework": (0..200).map(|n| format!("https://a.org/{n:0250} ")).collect::<String>() }),
        json!({ "own": vec![vec![json!({"x": "\"\"\""}); 30]; 300] }),
    ] {
        let shown = sheet(content.clone(), Audience::Teachers);
        let size = page(&shown).len();
        assert!(size < MAX_SHEET + MARGIN, "{size}: {}", &content.to_string()[..60]);
    }
}

/// Returns values in which each text is a unique word: `marker`, the number of the field, and a number.
fn marked(field: usize) -> impl Strategy<Value = Value> {
    let text = any::<u16>().prop_map(move |number| json!(format!("marker{field}x{number}.")));
    text.prop_recursive(4, 16, 4, move |inner| {
        let names = prop::sample::select(vec![
            "name",
            "text",
            "term",
            "definition",
            "minutes",
            "quantity",
            "unit",
            "notes",
            "picture",
            "alt",
            "id",
            "x",
            "title",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|elements| json!(elements)),
            prop::collection::hash_map(names.prop_map(str::to_owned), inner, 0..4).prop_map(|members| json!(members)),
        ]
    })
}

/// Returns the texts of a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(elements) => elements.iter().for_each(|element| texts(element, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        _ => {}
    }
}

#[test]
fn sheet_shows_the_language_field_unless_it_is_a_language_code() {
    let named = |language: Value| {
        let shown = sheet(json!({"title": "Salt", "language": language}), Audience::Teachers);
        headings(&shown).iter().map(|heading| (*heading).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named(json!(" en ")), Vec::<String>::new());
    assert_eq!(named(json!("plain English")), ["Language"]);
    assert_eq!(named(json!(["de", "fr"])), ["Language"]);
}

#[test]
fn sheet_never_breaks_a_line_between_a_number_and_its_unit_or_inside_a_formula() {
    for (text, expected) in [
        ("8 cm of 20 °C, 0.5 g, 60 min.", "8_cm of 20_°C, 0.5_g, 60_min."),
        ("12 pencils and 3 \ng", "12 pencils and 3 \ng"),
        ("٣ مل", "٣_مل"),
        ("no number", "no number"),
        ("lime water (pH 12)", "lime water (pH_12)"),
        ("die Dichte ρ = m : V. Und", "die Dichte ρ_=_m_:_V. Und"),
        ("mit Vₘ ≈ 24 l/mol, (V = n · Vₘ)", "mit Vₘ_≈_24_l/mol, (V_=_n_·_Vₘ)"),
        ("107 g : 100 cm³ = 1,07 g/cm³", "107_g_:_100_cm³ =_1,07_g/cm³"),
        ("NaHCO₃ + CH₃COOH → CH₃COONa + H₂O + CO₂↑", "NaHCO₃_+_CH₃COOH →_CH₃COONa_+_H₂O_+_CO₂↑"),
        ("gas + water → acid, oil : water = a problem", "gas + water → acid, oil : water = a problem"),
        ("(x-Achse: cm, y-axis) X-rays e-e well-known", "(x‑Achse: cm, y‑axis) X‑rays e‑e well-known"),
        ("a = b\nc = d  e = f", "a_=_b\nc_=_d  e_=_f"),
    ] {
        assert_eq!(unbroken(text).replace('\u{a0}', "_"), expected, "{text}");
    }
    let found = |text: &'static str| {
        let formula = |part: Part<'static>| if let Part::Formula(formula) = part { Some(formula) } else { None };
        parts(text, Direction::Rtl).into_iter().filter_map(formula).collect::<Vec<_>>()
    };
    for (text, expected) in [
        ("حوالي 55 °C)، ثم 20 دقيقة", vec!["55 °C"]),
        ("شغّل الساعة (t = 0 min).", vec!["t = 0 min"]),
        ("احسب ΔT = T₀ − T₁₅.", vec!["ΔT = T₀ − T₁₅"]),
        ("20 cm × 30 cm", vec!["20 cm × 30 cm"]),
        ("سعة 250 mL", vec!["250 mL"]),
        ("من -10 إلى 110", vec!["-10"]),
        ("محلول Ca(OH)₂ و(NaCl)", vec!["Ca(OH)₂", "NaCl"]),
        ("مدته 4:30، 3–4", vec![]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
    assert_eq!(parts("55 °C", Direction::Ltr), [Part::Flowing("55 °C")]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sheet_has_exactly_the_words_for_its_audience(
        fields in prop::collection::vec(prop::sample::select(vec!["pupil", "teacher", "none", "unknown"]), 1..8)
            .prop_flat_map(|audiences| {
                let values: Vec<_> = (0..audiences.len()).map(marked).collect();
                (Just(audiences), values)
            }),
    ) {
        let (audiences, values) = fields;
        // One field is the title, which the sheet shows outside of the sections.
        let name = |n: usize| if n == 0 { "title".to_owned() } else { format!("field{n}") };
        let mut properties = Map::new();
        for (n, audience) in audiences.iter().enumerate() {
            match *audience {
                "unknown" => None,
                "none" => properties.insert(name(n), json!({})),
                audience => properties.insert(name(n), json!({"x-audience": audience})),
            };
        }
        let schema = Schema::parse(&json!({ "properties": properties }).to_string()).expect("a schema");
        let content: Map<String, Value> = values.iter().cloned().enumerate().map(|(n, value)| (name(n), value)).collect();
        for &audience in Audience::ALL {
            let page = page(&Sheet::of(&schema, &content, audience));
            for (n, of) in audiences.iter().enumerate() {
                let may_show = audience == Audience::Teachers || *of == "pupil";
                prop_assert!(may_show || !page.contains(&format!("marker{n}x")), "{audience:?} {n} {of}: {page}");
                let mut words = Vec::new();
                texts(&values[n], &mut words);
                for word in words.into_iter().filter(|_| may_show) {
                    prop_assert!(page.contains(&word), "{audience:?} {n} {word}: {page}");
                }
            }
        }
    }

    #[test]
    fn splitting_a_text_at_its_addresses_loses_no_character(
        text in "(https?://|mailto:|[a-z0-9é(). \u{202e}\n:@/-]){0,40}",
    ) {
        let whole: String =
            pieces(&text).into_iter().map(|piece| match piece { Piece::Text(text) | Piece::Address(text) => text }).collect();
        prop_assert_eq!(whole, text);
    }

    #[test]
    fn splitting_a_text_at_its_formulas_loses_no_character(text in "[a-z0-9 .()°=\u{627}-\u{62a}«»\n-]{0,40}") {
        let whole: String = parts(&text, Direction::Rtl)
            .into_iter()
            .map(|part| match part { Part::Flowing(text) | Part::Formula(text) => text })
            .collect();
        prop_assert_eq!(whole, text);
    }
}
