//! Plain text: bullets, line ends, pages, e-mails, encodings.

use fieldbook_reader::{Kind, Source, read};
use serde_json::json;

use crate::support::{content, filled, left, lesson, text};

#[test]
fn every_kind_of_bullet_is_stripped() {
    for bullet in [
        "- ",
        "•\t",
        "● ",
        "·\t",
        "➢ ",
        "✓ ",
        "o\t",
        "Ÿ ",
        "\u{f0b7} ",
        "▪ ",
        "☐ ",
        "– ",
        "1. ",
        "1)\t",
        "(a) ",
        "iv. ",
    ] {
        let content = content(&lesson(Source::Text(&format!("Salt\nMaterials\n{bullet}250 ml water\n{bullet}salt\n"))));
        assert_eq!(
            content["materials"],
            json!([{"name": "water", "quantity": 250, "unit": "ml"}, {"name": "salt"}]),
            "{bullet:?}"
        );
    }
}

#[test]
fn every_kind_of_line_end_ends_a_line() {
    for end in ["\n", "\r\n", "\r", "\u{b}", "\u{2028}", "\u{2029}", "\u{85}"] {
        let text = ["Soil", "Materials:", "- 3 pots", "Steps:", "1. Pour."].join(end);
        let expected =
            json!({"title": "Soil", "materials": [{"name": "pots", "quantity": 3}], "steps": [{"text": "Pour."}]});
        assert_eq!(content(&lesson(Source::Text(&text))), expected, "{end:?}");
    }
}

#[test]
fn wrapped_lines_are_joined_and_hyphenated_words_restored() {
    let text = "Rust\n\nSteps\n1. Leave the rack at room temper-\n   ature for three days, and take a photo-\n   graph every day.\n2. Fold the set-\n   up away; the set-up is heavy.\n\nAssessment\nA report with claim, evidence and the reasons that the group found for\nits claim. Look for two things.\n";
    let expected = json!({
        "title": "Rust",
        "steps": [
            {"text": "Leave the rack at room temperature for three days, and take a photograph every day."},
            {"text": "Fold the set-up away; the set-up is heavy."},
        ],
        "assessment": "A report with claim, evidence and the reasons that the group found for its claim. Look for two things.",
    });
    assert_eq!(content(&lesson(Source::Text(text))), expected);
}

#[test]
fn page_header_in_the_middle_of_a_sentence_does_not_split_it() {
    let text = "Grade 8 Science, Unit 4\n\nRust\n\nSteps\n1. Pour the water and wait until it is\n\n      1\n\nGrade 8 Science, Unit 4\n\nwarm enough.\n2. Stir.\n\n      2\n";
    let lesson = lesson(Source::Text(text));
    assert_eq!(
        content(&lesson),
        json!({"title": "Rust", "steps": [{"text": "Pour the water and wait until it is warm enough."}, {"text": "Stir."}]})
    );
    assert_eq!(left(&lesson), ["Grade 8 Science, Unit 4", "1", "2"]);
}

#[test]
fn header_lines_and_signature_of_an_email_are_not_put_into_any_field() {
    let text = "From: Ann <ann@school.example>\nTo: Bo <bo@school.example>\nSubject: Mould\n\nHi Bo,\n\nTitle: Bread mould\n\nYou need\n- bread\n\n--\nAnn | Room 4\n";
    let lesson = lesson(Source::Text(text));
    assert_eq!(content(&lesson), json!({"title": "Bread mould", "materials": [{"name": "bread"}]}));
    assert_eq!(left(&lesson).len(), 6);
}

#[test]
fn numbered_lines_without_full_stops_are_steps() {
    let text = "Pendulum\n\nMethod\n1 Tie the mass to the string.\n2 Pull it aside.\n3 Let go.\n\nEquipment\n1 mass\n2 strings\n";
    let content = content(&lesson(Source::Text(text)));
    assert_eq!(
        content["steps"],
        json!([{"text": "Tie the mass to the string."}, {"text": "Pull it aside."}, {"text": "Let go."}])
    );
    assert_eq!(content["materials"], json!([{"name": "mass", "quantity": 1}, {"name": "strings", "quantity": 2}]));
}

#[test]
fn ligatures_are_expanded_and_soft_hyphens_removed() {
    let content = content(&lesson(Source::Text("ﬂames and ﬁre in the class\u{ad}room")));
    assert_eq!(content["title"], "flames and fire in the classroom");
}

#[test]
fn text_file_is_decoded_by_its_bom_or_as_windows_1252() {
    let read_bytes = |bytes: &[u8]| read(Source::File { media_type: "text/plain; charset=x", bytes }).unwrap();
    let utf16: Vec<u8> = [0xfeff].into_iter().chain("Öl".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [b"\xef\xbb\xbf\xc3\x96l".as_slice(), b"\xc3\x96l", &utf16] {
        let document = read_bytes(bytes);
        assert_eq!((document.blocks[0].text.as_str(), document.notices.len()), ("Öl", 0));
    }
    let guessed = read_bytes(b"\xd6l \x80 \x93x\x94");
    assert_eq!(guessed.blocks[0].text, "Öl € “x”");
    assert_eq!(read_bytes(b"\xef\xbb\xbf\xd6l").blocks[0].text, "Öl");
    assert_eq!(guessed.notices, ["The text is not UTF-8. It was read as Windows-1252."]);
}

#[test]
fn text_is_split_into_headings_list_items_and_paragraphs_with_levels_and_numbered_ids() {
    let document =
        read(Source::Text("Salt\nSteps\n1. Dissolve.\n   a) Stir.\n   b) Heat.\n2. Filter.\nPress Enter.")).unwrap();
    let blocks: Vec<_> = document.blocks.iter().map(|block| (block.id.as_str(), block.kind, block.level)).collect();
    let expected = [
        ("b1", Kind::Heading, 8),
        ("b2", Kind::Heading, 8),
        ("b3", Kind::Item, 1),
        ("b4", Kind::Item, 2),
        ("b5", Kind::Item, 2),
        ("b6", Kind::Item, 1),
        ("b7", Kind::Paragraph, 0),
    ];
    assert_eq!(blocks, expected);
    assert_eq!(content(&filled(&document))["steps"][0], json!({"text": "Dissolve.\nStir.\nHeat."}));
}

#[test]
fn tab_or_wide_gap_after_a_label_counts_as_one_space() {
    for gap in ["\t", "      ", " \t "] {
        let lesson = lesson(Source::Text(&format!("Salt\n\nMaterials:{gap}salt\n")));
        assert_eq!(content(&lesson), json!({"title": "Salt", "materials": [{"name": "salt"}]}), "{gap:?}");
    }
}

#[test]
fn right_to_left_text_is_read() {
    let text = "المغناطيس\nالزمن: ٤٥ دقيقة\n\nالمواد\n- 2 مغناطيس\n\nخطوات العمل\n1. اجمع الأشياء. (10 دقائق)\n";
    let expected = json!({
        "title": "المغناطيس",
        "durationMinutes": 45,
        "materials": [{"name": "مغناطيس", "quantity": 2}],
        "steps": [{"text": "اجمع الأشياء.", "minutes": 10}],
    });
    assert_eq!(content(&lesson(Source::Text(text))), expected);
}

#[test]
fn last_word_of_a_wrapped_item_is_not_a_heading() {
    let lines = "Salz\n\nDurchführung\n1. Wir sehen uns das Salz in den beiden Gläsern genau an und sammeln\nVermutungen.\n\
                 2. Wir rühren das Wasser mit dem Salz so lange um, bis wir es nicht\nsehen.\n";
    let steps = json!([
        {"text": "Wir sehen uns das Salz in den beiden Gläsern genau an und sammeln Vermutungen."},
        {"text": "Wir rühren das Wasser mit dem Salz so lange um, bis wir es nicht sehen."},
    ]);
    assert_eq!(content(&lesson(Source::Text(lines))), json!({"title": "Salz", "steps": steps}));
}

#[test]
fn initial_of_a_name_is_not_read_as_a_list_letter() {
    let lesson = lesson(Source::Text("Salt\n\nTeacher\nH. Marlow\n\nMaterials\nA. salt\nB. water\n"));
    assert_eq!(content(&lesson), json!({"title": "Salt", "materials": [{"name": "salt"}, {"name": "water"}]}));
    assert_eq!(left(&lesson), ["Teacher", "H. Marlow"]);
}

#[test]
fn letters_i_and_j_continue_a_lettered_list() {
    let names = ["salt", "water", "a cup", "sand", "a sieve", "paper", "a jar", "a cork", "a lamp", "a tray"];
    let lines = |letters: &str| {
        let lines = letters.chars().zip(names).map(|(letter, name)| format!("{letter}. {name}\n"));
        lines.collect::<String>()
    };
    let items = |text: &str| {
        let blocks = read(Source::Text(text)).expect("blocks").blocks.into_iter();
        blocks.filter(|block| block.kind == Kind::Item).map(|block| (block.level, block.text)).collect::<Vec<_>>()
    };
    let expected = names.map(|name| (1, name.to_owned()));
    assert_eq!(items(&lines("ABCDEFGHIJ")), expected);
    assert_eq!(items(&lines("ABCDEFGHI")), expected[..9]);
    assert_eq!(items(&lines("QRSTUVWXYZ")), expected);
    // I and J also continue the list if sections with Roman numerals are above it.
    let both = format!("I. Warm up\nGreet.\n\nII. Look\n{}", lines("ABCDEFGHIJ"));
    let texts: Vec<_> = items(&both).into_iter().map(|(_, text)| text).collect();
    assert!(texts.ends_with(&names.map(str::to_owned)), "{texts:?}");
    // Initials of names do not continue the Roman numerals of an outline.
    let lesson = lesson(Source::Text("Salt\n\nTeacher\nH. Marlow\n\nI. Materials\n- salt\n\nII. Safety\n- Dry it.\n"));
    let expected = json!({"title": "Salt", "materials": [{"name": "salt"}], "safety": ["Dry it."]});
    assert_eq!((content(&lesson), left(&lesson)), (expected, vec!["Teacher", "H. Marlow"]));
}

#[test]
fn page_headers_and_footers_are_removed_from_the_sentences_they_interrupt() {
    let pages = [
        ("Oak Books\tForces: Unit 2", "© Oak Books 2020. All rights reserved.", [31, 32, 33]),
        ("Kiefer Verlag\tKräfte", "© Kiefer Verlag, Kopiervorlage", [7, 8, 9]),
        ("Cahier de sciences\tCycle 3", "© Éditions du Pin", [1, 2, 3]),
        ("Cuaderno de ciencias\tUnidad 4", "© Editorial Pino", [12, 13, 14]),
        ("كتاب العلوم\tالوحدة 3", "© دار النشر", [5, 6, 7]),
    ];
    for (header, notice, [one, two, three]) in pages {
        let lesson = text(&format!(
            "{header}\nMoving shadows\nSafety\nNever look at the sun, neither with bare eyes nor through a\n{notice}\n{one}\n\
             {header}\ntelescope.\nMethod\n1. Measure the shadow of a stick.\n{notice}\n{two}\n{header}\n2. Do it again later.\n\
             {notice}\n{three}\n"
        ));
        let expected = json!({
            "title": "Moving shadows",
            "safety": ["Never look at the sun, neither with bare eyes nor through a telescope."],
            "steps": [{"text": "Measure the shadow of a stick."}, {"text": "Do it again later."}],
        });
        assert_eq!(content(&lesson), expected, "{header}");
    }
    // Numbers that do not increase from page to page are part of the lesson.
    let lesson = text("Rust\n\nQuestions\nHow many nails are there?\n3\nHow many tubes are there?\n9\n");
    let answers = "How many nails are there?\n3\nHow many tubes are there?\n9";
    assert_eq!(content(&lesson)["assessment"], answers);
}

#[test]
fn sentence_after_a_label_continues_on_the_next_line() {
    let lesson = text(
        "Rust\n\nDifferentiation\nSupport: Hand out the table with the first of the four rows filled in before the\nlesson.\n\
         Challenge: Plan a test of paint.\n",
    );
    let expected = "Support: Hand out the table with the first of the four rows filled in before the lesson.\n\
                    Challenge: Plan a test of paint.";
    assert_eq!(content(&lesson)["differentiation"], expected);
}

#[test]
fn lines_for_pupils_to_write_on_are_not_put_into_any_field() {
    for line in [
        "Name: ________  Form: ____",
        "Klasse ______\tDatum ______",
        "Nom : ______ Prénom : ______",
        "الاسم: ______ التاريخ: ______",
    ] {
        let lesson = text(&format!(
            "{line}\n\nHow do seeds breathe?\n\nQuestions\n1. What did you see? ________\n2. Why? ____\n"
        ));
        let expected = json!({"title": "How do seeds breathe?", "assessment": "What did you see?\nWhy?"});
        assert_eq!((content(&lesson), left(&lesson).len()), (expected, 1), "{line}");
    }
}

#[test]
fn closing_lines_of_a_letter_are_not_put_into_any_field() {
    for (closing, greeting) in [
        ("Let me know what they said.", "Cheers,"),
        ("Sagt mir Bescheid, wie es lief!", "Viele Grüße,"),
        ("Tenez-moi au courant.", "Amitiés,"),
        ("Ya me diréis cómo fue.", "Saludos,"),
    ] {
        let start = "Rust\n\nSteps\n1. Wet it.\n2. Wait.\n";
        let lesson = lesson(Source::Text(&format!("{start}\n{closing}\n\n{greeting}\nAnn\n\n--\nAnn Bo\nRoom 4\n")));
        assert_eq!(content(&lesson), json!({"title": "Rust", "steps": [{"text": "Wet it."}, {"text": "Wait."}]}));
        assert_eq!(left(&lesson), [closing, greeting, "Ann", "--", "Ann Bo", "Room 4"]);
    }
}

#[test]
fn page_header_of_two_lines_is_not_put_into_any_field() {
    let header = |page: u32| format!("Green River Museum          {page}\nPart 2: Metals\n");
    let (first, second) = (header(41), header(42));
    let text = format!(
        "Rust\nObjectives\n• name two metals\n{first}Materials\n• nails\nSteps\n1. Wet it.\n{second}2. Wait.\n"
    );
    let expected = json!({
        "title": "Rust",
        "objectives": ["name two metals"],
        "materials": [{"name": "nails"}],
        "steps": [{"text": "Wet it."}, {"text": "Wait."}],
    });
    assert_eq!(content(&lesson(Source::Text(&text))), expected);
}

#[test]
fn wrapped_line_that_begins_with_an_amount_continues_its_step() {
    let text = "Rust\n\nSteps\n1. Fill the glass and wait until it has\n2.5 ml left. Then stop.\n2. Hang the nail over it, about\n20 mm above the water.\n";
    let steps = json!([
        {"text": "Fill the glass and wait until it has 2.5 ml left. Then stop."},
        {"text": "Hang the nail over it, about 20 mm above the water."},
    ]);
    assert_eq!(content(&lesson(Source::Text(text)))["steps"], steps);
}
