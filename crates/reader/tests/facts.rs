//! Facts about a lesson, in lines and tables.

use serde_json::json;

use crate::support::{content, html, left, text};

#[test]
fn exit_ticket_or_quick_check_is_the_assessment_in_five_languages() {
    let labels = [
        "Exit ticket",
        "Exit slip",
        "Exit Card",
        "Check for understanding",
        "Ticket out the door",
        "Quick check",
        "Exit-Ticket",
        "Abschlussfrage",
        "Verständniskontrolle",
        "Ticket de sortie",
        "Billet de sortie",
        "Ticket de salida",
        "Boleto de salida",
        "بطاقة الخروج",
        "تذكرة الخروج",
    ];
    for label in labels {
        let expected = json!({"title": "Salt", "safety": ["No food."], "assessment": "Where did the salt go?"});
        let start = "Salt\n\nSafety\n- No food.\n\n";
        for filled in [
            text(&format!("{start}{label}: Where did the salt go?\n")),
            text(&format!("{start}{label}\nWhere did the salt go?\n")),
            text(&format!("{start}{label}:\nWhere did the salt go?\n")),
            html(&format!("<h1>Salt</h1><h2>Safety</h2><li>No food.</li><p><b>{label}</b> Where did the salt go?")),
            html(&format!("<h1>Salt</h1><h2>Safety</h2><li>No food.</li><p><b>{label}</b><p>Where did the salt go?")),
        ] {
            assert_eq!(content(&filled), expected, "{label}");
        }
    }
}

#[test]
fn table_row_with_two_pairs_of_label_and_value_gives_grade_and_duration() {
    let rows = [
        "<td>Grade<td>7<td>Duration<td>60 min",
        "<td>Teacher<td>Mr Patel<td>Grade<td>7</tr><tr><td>Duration<td>60 min<td>Date<td>",
        "<th>Klasse<th>7<th>Dauer<th>60 min</tr><tr><td>Fach<td>Physik<td>Raumnummer<td>12",
        "<td><b>Classe :</b><td>7<td><b>Durée :</b><td>1 h",
        "<td>Curso: 7<td>Tema: Sal<td>Tiempo: 60 min",
        "<td>Asignatura: Ciencias<td>Curso: 7</tr><tr><td>Duración: 1 hora<td>Sala: 3",
        "<td>الصف<td>7<td>المدة<td>60 دقيقة",
    ];
    for row in rows {
        let content = content(&html(&format!("<h1>Salt</h1><table><tr>{row}</tr></table><p>Welcome to all of you.")));
        assert_eq!((&content["grade"], &content["durationMinutes"]), (&json!(7), &json!(60)), "{row}");
    }
}

#[test]
fn table_with_labels_above_their_values_gives_grade_and_duration() {
    let filled = html(
        "<h1>Salt</h1><table><tr><th>Year group<th>Subject<th>Time<th>Date</tr><tr><td>8<td>Chemistry<td>50 minutes<td>12/05</tr></table>",
    );
    assert_eq!(content(&filled), json!({"title": "Salt", "grade": 8, "durationMinutes": 50}));
    assert_eq!(left(&filled), ["Subject: Chemistry", "Date: 12/05"]);
}

#[test]
fn labels_on_the_line_above_their_values_give_grade_and_duration_in_any_format() {
    let expected =
        json!({"title": "Salt", "grade": "7b", "durationMinutes": 60, "groupSize": 3, "safety": ["No food."]});
    let languages = [
        ["Class", "Time", "Groups", "60 min", "Safety"],
        ["Klasse", "Dauer", "Gruppen", "60 Min.", "Sicherheit"],
        ["Classe", "Durée", "Groupes", "60 min", "Sécurité"],
        ["Curso", "Duración", "Grupos", "60 min", "Seguridad"],
        ["الصف", "المدة", "المجموعات", "60 دقيقة", "السلامة"],
    ];
    for [class, time, groups, minutes, safety] in languages {
        let cells = |cells: [&str; 3], gap: &str| cells.join(gap);
        for gap in ["\t", " | ", "      "] {
            let [labels, values] = [[class, time, groups], ["7b", minutes, "3"]].map(|row| cells(row, gap));
            let lesson = text(&format!("Salt\n\n{labels}\n{values}\n\n{safety}\nNo food.\n"));
            assert_eq!((content(&lesson), left(&lesson)), (expected.clone(), vec![]), "{labels}");
        }
        let [labels, values] = [[class, time, groups], ["7b", minutes, "3"]].map(|row| cells(row, "<td>"));
        let rows = format!("<tr><td>{labels}</tr><tr><td>{values}</tr><tr><td><b>{safety}</b><td>No food.</tr>");
        let lesson = html(&format!("<h1>Salt</h1><table>{rows}</table>"));
        assert_eq!((content(&lesson), left(&lesson)), (expected.clone(), vec![]), "{labels}");
    }
}

#[test]
fn labels_above_one_row_of_values_are_read_if_half_of_the_labels_are_known() {
    let lesson = text("Topic\tClass\tTime\tWeek\nSalt water\t7b\t60 min\t4\n\nSafety\nNo food.\n");
    let expected = json!({"title": "Salt water", "grade": "7b", "durationMinutes": 60, "safety": ["No food."]});
    assert_eq!((content(&lesson), left(&lesson)), (expected, vec!["Week: 4"]));
    // A table with several rows of values is not a table of facts.
    let rows = "Class\tTime\tGroups\n7b\t60 min\t3\n8a\t45 min\t2";
    let lesson = text(&format!("Salt\n\n{rows}\n\nSafety\nNo food.\n"));
    assert_eq!(content(&lesson), json!({"title": "Salt", "safety": ["No food."]}));
    assert_eq!(left(&lesson), rows.split('\n').collect::<Vec<_>>());
}

#[test]
fn school_year_in_a_byline_is_the_grade() {
    for (line, grade, rest) in [
        ("By Ms Khan, Year 8, May 2024", "Year 8", ["By Ms Khan", "May 2024"].as_slice()),
        ("Written by Aisha Khan, Year 8", "Year 8", &["Written by Aisha Khan"]),
        ("Chemie 9b, Frau Lutz", "Chemie 9b", &["Frau Lutz"]),
        ("Frau Lutz – Klasse 9 – 12.05.2024", "Klasse 9", &["Frau Lutz", "12.05.2024"]),
        ("Par Mme Petit, CM1, mai 2024", "CM1", &["Par Mme Petit", "mai 2024"]),
        ("Por la Sra. García, 3º ESO, mayo 2024", "3º ESO", &["Por la Sra. García", "mayo 2024"]),
        ("إعداد: المعلم أحمد، الصف 7", "الصف 7", &["إعداد: المعلم أحمد"]),
    ] {
        for lesson in [
            text(&format!("Salt\n{line}\n\nSafety\nNo food.\n")),
            html(&format!("<p>{line}<h1>Salt</h1><h2>Safety</h2><p>No food.")),
        ] {
            let expected = json!({"title": "Salt", "grade": grade, "safety": ["No food."]});
            assert_eq!((content(&lesson), left(&lesson)), (expected, rest.to_vec()), "{line}");
        }
    }
    for line in ["Thanks to Mr Khan, Year 8, for the idea", "Mr Khan, Year 8 and 9, have fun", "Physics 7"] {
        let lesson = text(&format!("Salt\n\n{line}\n\nSafety\nNo food.\n"));
        assert_eq!(content(&lesson), json!({"title": "Salt", "safety": ["No food."]}), "{line}");
        assert_eq!(left(&lesson), [line]);
    }
}

#[test]
fn grade_after_a_label_overrides_a_grade_in_a_byline() {
    let filled = text("Herr Weber, Klasse 6a\n\nFallschirme\n\nKlasse: 6\n\nSicherheit\n- Vorsicht.\n");
    assert_eq!(content(&filled)["grade"], 6);
}

#[test]
fn range_for_group_size_or_duration_is_not_parsed_as_a_number() {
    let lines = [
        "Group size: 3–4",
        "Groups of 2 – 3",
        "Groups of 2 to 3",
        "Duration: 45–60 min",
        "Duration: 45 – 60 min",
        "Dauer: 45 bis 60 Minuten",
        "Durée : 45 à 60 min",
        "Duración: 45 - 60 minutos",
        "المدة: 45 – 60 دقيقة",
        "Time: two days",
    ];
    for line in lines {
        for filled in [
            text(&format!("Salt\n{line}\n\nSafety\n- No food.\n")),
            html(&format!("<h1>Salt</h1><p>{line}<h2>Safety</h2><li>No food.")),
        ] {
            assert_eq!(content(&filled), json!({"title": "Salt", "safety": ["No food."]}), "{line}");
            assert_eq!(left(&filled), [line]);
        }
    }
    let row = "<h1>Salt</h1><table><tr><td>Grade<td>7<td>Duration<td>45–60 min</tr></table>";
    assert_eq!(
        (content(&html(row)), left(&html(row))),
        (json!({"title": "Salt", "grade": 7}), vec!["Duration: 45–60 min"])
    );
}

#[test]
fn duration_in_lessons_is_read_only_if_the_total_minutes_are_known() {
    for (line, minutes) in [
        ("Time: 2 lessons (90 min)", json!(90)),
        ("Dauer: 2 Unterrichtsstunden (90 Min.)", json!(90)),
        ("Dauer: Doppelstunde (90 Min.)", json!(90)),
        ("Time: 9:00–9:50", json!(50)),
        ("Time: two 50-minute periods", json!(100)),
        ("Time: one 45-minute lesson", json!(45)),
        ("Time: 2 lessons (45 min)", json!(null)),
        ("Lesson 2 (60 min)", json!(null)),
    ] {
        assert_eq!(content(&text(&format!("# Salt\n\n{line}\n")))["durationMinutes"], minutes, "{line}");
    }
}

#[test]
fn labels_for_the_duration_in_minutes_and_for_pupils_per_group_are_read() {
    for (line, field, value) in [
        ("Duration in minutes: 45", "durationMinutes", json!(45)),
        ("Duration (min): 45", "durationMinutes", json!(45)),
        ("Dauer in Minuten: 45", "durationMinutes", json!(45)),
        ("Durée en minutes : 45", "durationMinutes", json!(45)),
        ("Duración en minutos: 45", "durationMinutes", json!(45)),
        ("المدة بالدقائق: 45", "durationMinutes", json!(45)),
        ("Effectif : binômes", "groupSize", json!(2)),
        ("Pupils: groups of 3", "groupSize", json!(3)),
        ("Pupils: for each group of three", "groupSize", json!(3)),
        ("Schülerzahl: Zweiergruppen", "groupSize", json!(2)),
        ("Número de alumnos: parejas", "groupSize", json!(2)),
        ("Language: German", "language", json!("de")),
        ("Unterrichtssprache: Deutsch", "language", json!("de")),
        ("Langue : français", "language", json!("fr")),
        ("Idioma: castellano", "language", json!("es")),
        ("اللغة: العربية", "language", json!("ar")),
        ("Class size: 28", "groupSize", json!(null)),
        ("Effectif : 24 élèves", "groupSize", json!(null)),
        ("Duration in hours: 2", "durationMinutes", json!(null)),
    ] {
        let lesson = text(&format!("Rust\n\n{line}\n\nSafety\nNo food.\n"));
        assert_eq!(lesson.content.get(field).cloned().unwrap_or_default(), value, "{line}");
        assert_eq!(lesson.not_placed.is_empty(), !value.is_null(), "{line}");
    }
}

#[test]
fn words_after_the_number_of_the_group_size_are_put_into_no_field() {
    for (line, size, rest) in [
        ("Group size: groups of 3, max. 30 pupils", 3, "max. 30 pupils"),
        ("Gruppengröße: 4 (bei 28 Kindern)", 4, "(bei 28 Kindern)"),
    ] {
        let filled = text(&format!("Salt\n\n{line}\n\nSafety\n- Wear goggles.\n"));
        let expected = json!({"title": "Salt", "groupSize": size, "safety": ["Wear goggles."]});
        assert_eq!((content(&filled), left(&filled)), (expected, vec![rest]), "{line}");
    }
}

#[test]
fn age_label_gives_the_grade() {
    for label in ["Age", "Alter", "Âge", "Edad", "العمر"] {
        let filled = text(&format!("Salt\n\n{label}: 9–10\n\nSafety\n- Wear goggles.\n"));
        assert_eq!(content(&filled)["grade"], "9–10", "{label}");
    }
}

#[test]
fn words_beside_the_grade_or_duration_in_a_line_are_put_into_no_field() {
    for (line, field, value, rest) in [
        ("Class: 7C (31 students)", "grade", json!("7C"), vec!["(31 students)"]),
        ("Klasse: 5d (22 Kinder)", "grade", json!("5d"), vec!["(22 Kinder)"]),
        ("Classe : CE2 (25 élèves)", "grade", json!("CE2"), vec!["(25 élèves)"]),
        ("Curso: 2B (30 alumnos)", "grade", json!("2B"), vec!["(30 alumnos)"]),
        ("Pupils: 28 pupils (groups of 4)", "groupSize", json!(4), vec!["Pupils: 28 pupils"]),
        ("Time: 80 min block", "durationMinutes", json!(80), vec![]),
        ("Time: 45 min in the gym", "durationMinutes", json!(45), vec!["in the gym"]),
        ("Dauer: 45 Minuten im Freien", "durationMinutes", json!(45), vec!["im Freien"]),
        ("Year 7 Chemistry – pupil worksheet", "grade", json!("Year 7 Chemistry"), vec!["pupil worksheet"]),
        ("Ages 7–8", "grade", json!("Ages 7–8"), vec![]),
        ("8 Jahre", "grade", json!("8 Jahre"), vec![]),
        ("For Grade 4", "grade", json!("For Grade 4"), vec![]),
        ("Grade 6", "grade", json!(6), vec![]),
        ("Grade 6, groups of 3", "grade", json!(6), vec![]),
        ("Grade 6b", "grade", json!("Grade 6b"), vec![]),
        ("Travail en binôme", "groupSize", json!(2), vec![]),
        ("يعمل الطلاب في مجموعات من 3", "groupSize", json!(3), vec![]),
    ] {
        let lesson = text(&format!("Rust\n\n{line}\n\nSafety\nNo food.\n"));
        assert_eq!((&content(&lesson)[field], left(&lesson)), (&value, rest), "{line}");
    }
}

#[test]
fn school_year_is_the_grade_and_the_class_name_is_put_into_no_field() {
    let lesson = text("Rust\n\nClass: 9X1\nYear: 9\n\nSafety\nNo food.\n");
    assert_eq!((&content(&lesson)["grade"], left(&lesson)), (&json!(9), vec!["Class: 9X1"]));
}

#[test]
fn table_row_with_an_unknown_label_does_not_hide_the_grade_in_another_row() {
    let rows = "<tr><td>Teacher<td>Mr Bo<td>Year<td>9</tr><tr><td>Date<td>12 May<td>Set<td>Blue";
    let lesson = html(&format!("<h1>Rust</h1><table>{rows}</table><h2>Safety</h2><p>No food."));
    assert_eq!(content(&lesson), json!({"title": "Rust", "grade": 9, "safety": ["No food."]}));
    assert_eq!(left(&lesson), ["Teacher: Mr Bo", "Date: 12 May", "Set: Blue"]);
}

#[test]
fn group_of_three_in_the_materials_label_gives_the_group_size() {
    for line in [
        "Materials (per team of 3)",
        "Material (pro Gruppe, je 3 SuS)",
        "Material (für je 3 Lernende)",
        "Matériel (pour chaque groupe de 3 élèves)",
        "Material (por equipo de 3)",
        "المواد (لكل مجموعة من 3 طلاب)",
    ] {
        assert_eq!(content(&text(&format!("Rust\n\n{line}\n- nails\n")))["groupSize"], 3, "{line}");
    }
    // The number of items per pupil is not a group size.
    assert_eq!(content(&text("Rust\n\nMaterials\n\nGoggles (1 per pupil)\n"))["groupSize"], json!(null));
}

#[test]
fn duration_stated_per_lesson_or_in_total_is_read_as_total_minutes() {
    for (line, minutes) in [
        ("Time: three 50-minute class periods", 150),
        ("Duration: 35 minutes altogether", 35),
        ("Dauer: 70 Minuten insgesamt", 70),
        ("Durée : 40 minutes en tout", 40),
        ("Duración: 25 minutos en total", 25),
        ("المدة: 30 دقيقة إجمالا", 30),
    ] {
        assert_eq!(content(&text(&format!("Rust\n{line}\nSafety\nNo food.\n")))["durationMinutes"], minutes, "{line}");
    }
    let steps = json!([{"text": "Wet it.", "minutes": 20}, {"text": "Wait."}]);
    assert_eq!(content(&text("Rust\n\nSteps\n1. Wet it. (20 min in total)\n2. Wait.\n"))["steps"], steps);
}

#[test]
fn school_year_is_the_grade_even_if_a_class_name_is_above_or_below() {
    let (class, year) = ("<tr><td>Class<td>8C/Bi1", "<tr><td>Year group<td>Year 8");
    for rows in [format!("{class}{year}"), format!("{year}{class}")] {
        let lesson = html(&format!("<h1>Rust</h1><table>{rows}</table><h2>Safety</h2><p>No food."));
        assert_eq!(content(&lesson)["grade"], "Year 8");
    }
}

#[test]
fn group_size_in_a_materials_heading_is_read_with_or_without_brackets() {
    for line in [
        "Equipment per team (3 pupils)",
        "Materials for a group of 3",
        "Material pro Gruppe (3 Kinder)",
        "Material für eine Gruppe von 3",
        "Matériel par groupe (3 élèves)",
        "Material por equipo (3 alumnos)",
    ] {
        let lesson = text(&format!("Rust\n\n{line}\n- nails\n"));
        assert_eq!(
            content(&lesson),
            json!({"title": "Rust", "groupSize": 3, "materials": [{"name": "nails"}]}),
            "{line}"
        );
    }
    // The number of items per group is not a group size.
    assert_eq!(content(&text("Rust\n\nMaterials\n\nGlasses per group (3)\n"))["groupSize"], json!(null));
}
