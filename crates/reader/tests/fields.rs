//! Headings, labels and tables choose fields.

use fieldbook_reader::{Fields, Source, by_headings, fill, read};
use serde_json::{Value, json};

use crate::support::{FIELDS, content, html, left, text};

#[test]
fn headings_of_the_fields_are_recognized_in_five_languages() {
    let headings = [
        (
            "safety",
            ["Health & Safety", "Sicherheitshinweise", "Consignes de sécurité", "Medidas de seguridad", "السلامة"],
        ),
        ("objectives", ["Learning intentions", "Lernziele", "Objectifs", "Objetivos", "الأهداف"]),
        ("materials", ["Apparatus", "Du brauchst:", "Matériel", "Materiales", "المواد والأدوات"]),
        ("steps", ["Lesson procedure", "Durchführung", "Déroulement", "Procedimiento", "خطوات العمل"]),
        ("assessment", ["Success criteria", "Lernkontrolle", "Évaluation", "Evaluación", "التقويم"]),
    ];
    for (field, names) in headings {
        for name in names {
            let filled = text(&format!("Salt\n\n{name}\n- something\n"));
            assert!(filled.content.contains_key(field), "{name}: {}", content(&filled));
            assert_eq!(left(&filled), [""; 0], "{name}");
        }
    }
}

#[test]
fn number_or_letter_before_a_heading_is_ignored() {
    for front in ["", "1. ", "II. ", "C. ", "a) ", "## ", "2.\t"] {
        let filled = text(&format!("Salt\n\n{front}Materials\n- salt\n"));
        assert_eq!(content(&filled)["materials"], json!([{"name": "salt"}]), "{front}");
    }
}

#[test]
fn grade_duration_and_group_size_in_one_line_are_separated() {
    let lines = [
        "Year 7 | 60 minutes | groups of 3",
        "Year group: 7    Time: 60 minutes    Group size: 3",
        "Year: 7 – 1 hour – groups of three",
        "Klasse: 7 · 60 Min. · zu dritt",
        "Grade: 7\tDuration: 1 h\tGroups of 3",
    ];
    for line in lines {
        let content = content(&text(&format!("Salt\n{line}\n")));
        assert_eq!((&content["durationMinutes"], &content["groupSize"]), (&json!(60), &json!(3)), "{line}");
        assert!([json!(7), json!("Year 7")].contains(&content["grade"]), "{line}: {content}");
    }
}

#[test]
fn sub_heading_of_the_procedure_becomes_a_step_with_its_minutes() {
    let filled = text(
        "# Salt\n## Procedure\n### 1) Engage (10 minutes)\n- Show salt.\n- **Materials:** a spoon\n### Explain – 5 min\nWhy?\n## Assessment\nAsk.",
    );
    assert_eq!(
        content(&filled),
        json!({
            "title": "Salt",
            "steps": [
                {"text": "Engage: Show salt.\nMaterials: a spoon", "minutes": 10},
                {"text": "Explain: Why?", "minutes": 5},
            ],
            "assessment": "Ask.",
        })
    );
}

#[test]
fn table_columns_fill_the_properties_that_their_headers_name() {
    let filled = text(
        "Salt\nMaterials\nItem\tQuantity\tNotes\nRock salt\t10 g\tcrushed\nWater\t1,000 ml\t\nBeaker\t2\tlarge\nProcedure\nTime\tTeacher\tPupils\n5 min\tShows salt.\tWatch.\n10\tHelps.\tStir.\n",
    );
    let content = content(&filled);
    assert_eq!(
        content["materials"],
        json!([
            {"name": "Rock salt", "quantity": 10, "unit": "g", "notes": "crushed"},
            {"name": "Water", "quantity": "1,000", "unit": "ml"},
            {"name": "Beaker", "quantity": 2, "notes": "large"},
        ])
    );
    assert_eq!(
        content["steps"],
        json!([{"text": "Shows salt.\nWatch.", "minutes": 5}, {"text": "Helps.\nStir.", "minutes": 10}])
    );
}

#[test]
fn ambiguous_heading_is_used_only_if_no_clear_heading_names_the_field() {
    let both = text("# Water\n## Materials\n- sand\n## Resources\n- NGSS\n");
    assert_eq!(
        (content(&both)["materials"].clone(), left(&both)),
        (json!([{"name": "sand"}]), vec!["Resources", "NGSS"])
    );
    let alone = text("# Water\n## Resources\n- sand\n");
    assert_eq!(content(&alone)["materials"], json!([{"name": "sand"}]));
}

#[test]
fn heading_with_extra_words_begins_its_field_and_is_listed_as_unplaced() {
    let filled = text("# Water\n## Safety in the kitchen\n- Wash hands.\n");
    assert_eq!(content(&filled)["safety"], json!(["Wash hands."]));
    assert_eq!(left(&filled), ["Safety in the kitchen"]);
}

#[test]
fn values_that_violate_the_schema_are_put_into_no_field_and_reported() {
    let document = read(Source::Text("Salt\nSafety\n- short\n- much too long\nMaterials\n- salt\n")).unwrap();
    let choices = by_headings(&document, &FIELDS);
    let filled = fill(&document, &choices, &FIELDS, &|content| {
        let safety = content.get("safety").and_then(Value::as_array).into_iter().flatten();
        let is_long = |(place, text): (usize, &Value)| (text.as_str()?.len() > 5).then(|| format!("safety.{place}"));
        safety.enumerate().filter_map(is_long).collect()
    });
    assert_eq!(content(&filled), json!({"title": "Salt", "safety": ["short"], "materials": [{"name": "salt"}]}));
    assert_eq!(left(&filled), ["much too long"]);
    assert_eq!(filled.notices, ["Some texts do not fit into safety and were not placed."]);
}

#[test]
fn caller_can_assign_the_blocks_of_a_document_without_headings_to_fields() {
    let document =
        read(Source::Text("Salt\n\nWhat we are going to take with us today\n- 10 g salt\n\nBe quick.\n")).unwrap();
    let choices: Vec<Option<String>> =
        [Some("title"), None, Some("materials"), Some("safety")].map(|name| name.map(str::to_owned)).into();
    let filled = fill(&document, &choices, &FIELDS, &|_| Vec::new());
    let expected =
        json!({"title": "Salt", "safety": ["Be quick."], "materials": [{"name": "salt", "quantity": 10, "unit": "g"}]});
    assert_eq!(content(&filled), expected);
    assert_eq!(filled.not_placed, ["b2"]);
}

#[test]
fn homework_and_differentiation_are_fields_in_five_languages() {
    for (homework, differentiation) in [
        ("Homework", "Differentiation"),
        ("Hausaufgaben", "Differenzierung"),
        ("Devoirs", "Différenciation"),
        ("Tarea", "Atención a la diversidad"),
        ("الواجب المنزلي", "مراعاة الفروق الفردية"),
    ] {
        let headings = format!(
            "Salt\n\n{homework}\nDraw a crystal.\n\nName it.\n\n{differentiation}\n- A word list\n- Two beakers"
        );
        let labels = format!("Salt\n\n{homework}: Draw a crystal.\n\n{differentiation}: A word list");
        let expected = json!({"title": "Salt", "differentiation": "A word list\nTwo beakers", "homework": "Draw a crystal.\nName it."});
        assert_eq!(content(&text(&headings)), expected, "{homework}");
        let expected = json!({"title": "Salt", "differentiation": "A word list", "homework": "Draw a crystal."});
        assert_eq!(content(&text(&labels)), expected, "{homework}");
    }
}

#[test]
fn fields_of_another_schema_are_found_by_their_titles() {
    let schema = json!({"properties": {
        "title": {"type": "string"},
        "gear": {"title": "Field kit", "type": "array", "items": {"properties": {"name": {"type": "string"}, "quantity": {}}}},
        "homework": {"type": "string"},
    }});
    let fields = Fields::of(&schema);
    let document =
        read(Source::Text("Pond\n\nField kit\n- 2 nets\n\nHomework\nDraw a frog.\n\nSafety\nStay dry.\n")).unwrap();
    let filled = fill(&document, &by_headings(&document, &fields), &fields, &|_| Vec::new());
    let expected = json!({"title": "Pond", "gear": [{"name": "nets", "quantity": 2}], "homework": "Draw a frog."});
    assert_eq!(content(&filled), expected);
    assert_eq!(left(&filled), ["Safety", "Stay dry."]);
}

#[test]
fn numbered_list_without_a_heading_is_the_steps() {
    let filled = text("Salt\n\nRead this first.\n\n1. Pour.\n2. Stir.\n3. Wait. (5 min)\n");
    assert_eq!(
        content(&filled)["steps"],
        json!([{"text": "Pour."}, {"text": "Stir."}, {"text": "Wait.", "minutes": 5}])
    );
    assert_eq!(left(&filled), ["Read this first."]);
}

#[test]
fn numbered_list_below_an_unrelated_heading_is_not_the_steps() {
    for heading in ["References", "Seats"] {
        let filled = text(&format!("# Salt\n\n## {heading}\n\n1. Pour.\n2. Stir.\n3. Wait.\n"));
        assert_eq!(content(&filled), json!({"title": "Salt"}), "{heading}");
    }
}

#[test]
fn heading_word_inside_a_vocabulary_list_is_an_entry_and_not_a_heading() {
    let filled = text("Salt\n\nKey words\ndissolve\nmethod\nfilter\n");
    let terms = ["dissolve", "method", "filter"].map(|term| json!({"term": term, "definition": ""}));
    assert_eq!(content(&filled), json!({"title": "Salt", "vocabulary": terms}));
}

#[test]
fn integer_field_of_another_schema_accepts_only_numbers() {
    let schema =
        json!({"properties": {"title": {"type": "string"}, "age": {"title": "Age of pupils", "type": "integer"}}});
    let fields = Fields::of(&schema);
    for (line, expected) in [("9", json!({"title": "Salt", "age": 9})), ("pairs", json!({"title": "Salt"}))] {
        let document = read(Source::Text(&format!("# Salt\n\n## Age of pupils\n{line}\n"))).unwrap();
        let filled = fill(&document, &by_headings(&document, &fields), &fields, &|_| Vec::new());
        assert_eq!(content(&filled), expected);
    }
}

#[test]
fn line_labeled_with_a_kind_of_variable_fills_the_field_of_that_kind() {
    let filled = text(
        "Pendulum\n\nVariables\nIndependent - length\nDependent: time for ten swings\nControl variables: mass; angle\n",
    );
    let expected =
        json!({"independent": "length", "dependent": "time for ten swings", "controlled": ["mass", "angle"]});
    assert_eq!(content(&filled)["variables"], expected);
}

#[test]
fn bold_label_ends_the_materials_and_the_steps_above_it() {
    let filled = text(
        "**Bridges**\n\n**Material pro Gruppe**\n- 5 sheets\n\n**Tip:** no tape.\n\n**Phase 1 (5 min)**\n\nFold.\n\n**Évaluation :** Test it.\n",
    );
    let expected = json!({
        "title": "Bridges",
        "materials": [{"name": "sheets", "quantity": 5}],
        "steps": [{"text": "Phase 1: Fold.", "minutes": 5}],
        "assessment": "Test it.",
    });
    assert_eq!(content(&filled), expected);
    assert_eq!(left(&filled), ["Material pro Gruppe", "Tip: no tape."]);
}

#[test]
fn list_below_a_numbered_heading_does_not_hide_the_next_numbered_heading() {
    let filled = text(
        "Density\n\n1. Materials:\n- water\n\n2. Safety:\n- Wear goggles.\n\n3. Step-by-step procedure:\na. Prepare:\n- Fill it.\n- Stir.\nb. Watch.\n",
    );
    let expected = json!({
        "title": "Density",
        "materials": [{"name": "water"}],
        "steps": [{"text": "Prepare:\nFill it.\nStir."}, {"text": "Watch."}],
        "safety": ["Wear goggles."],
    });
    assert_eq!(content(&filled), expected);
}

#[test]
fn objectives_in_paragraphs_are_read() {
    let filled = text(
        "Acids\n\nObjectives\nStudents will identify three acids\nStudents will measure pH\n\nSafety\nSuspend it from a thread.\n",
    );
    let expected = json!({
        "title": "Acids",
        "objectives": ["Students will identify three acids", "Students will measure pH"],
        "safety": ["Suspend it from a thread."],
    });
    assert_eq!(content(&filled), expected);
}

#[test]
fn lead_in_sentence_assigns_the_list_below_it_to_a_field() {
    let leads = [
        ("You will need the following:", "materials"),
        ("Students will need:", "materials"),
        ("We will need these things:", "materials"),
        ("Students will be able to:", "objectives"),
        ("By the end you can", "objectives"),
    ];
    for (lead, field) in leads {
        let filled = text(&format!("Salt\n\nHello.\n\n{lead}\n- salt\n"));
        let fields: Vec<&String> = filled.content.keys().filter(|name| *name != "title").collect();
        assert_eq!(fields, [field], "{lead}");
    }
}

#[test]
fn paragraph_that_only_resembles_a_lead_in_sentence_begins_no_field() {
    for line in ["I cannot do this.", "Suspend the magnet from a thread", "Sustainable cities"] {
        let filled = text(&format!("Salt\n\nHello there, this is for you.\n\n{line}\n\nBe careful with it.\n"));
        assert_eq!(content(&filled), json!({"title": "Salt"}), "{line}");
    }
}

#[test]
fn heading_questions_begins_the_assessment_and_heading_question_begins_the_driving_question() {
    for (heading, field) in [
        ("Discussion Questions", "assessment"),
        ("Review questions", "assessment"),
        ("Questions", "assessment"),
        ("Preguntas", "assessment"),
        ("Question", "drivingQuestion"),
        ("Driving questions", "drivingQuestion"),
    ] {
        let filled = text(&format!("# Salt\n## {heading}\nWhy does it dissolve?\n"));
        assert_eq!(content(&filled), json!({"title": "Salt", field: "Why does it dissolve?"}), "{heading}");
    }
}

#[test]
fn label_inside_steps_or_safety_notes_stays_part_of_that_field() {
    let filled = text(
        "# Salt\n## Procedure\nTeacher: Show salt.\n\nQuestion: Why does it dissolve?\n\nStir.\n## Safety\nNote: It is hot.\n\nWear goggles.\n",
    );
    let expected = json!({
        "title": "Salt",
        "steps": [{"text": "Teacher: Show salt."}, {"text": "Question: Why does it dissolve?"}, {"text": "Stir."}],
        "safety": ["Note: It is hot.", "Wear goggles."],
    });
    assert_eq!(content(&filled), expected);
}

#[test]
fn sentence_in_capitals_below_a_heading_is_not_a_heading() {
    let filled = text("Salt\n\nSAFETY\nWEAR GOGGLES AT ALL TIMES\nTie back hair.\n");
    let expected = json!({"title": "Salt", "safety": ["WEAR GOGGLES AT ALL TIMES", "Tie back hair."]});
    assert_eq!(content(&filled), expected);
}

#[test]
fn first_heading_is_the_title_unless_another_line_is_labelled_as_the_title() {
    for (line, title) in [
        ("Topic: Forces", "Electromagnets"),
        ("Experiment: Wind the wire", "Electromagnets"),
        ("Lab: Room 12", "Electromagnets"),
        ("Lesson title: Forces", "Forces"),
    ] {
        let filled = text(&format!("# Electromagnets\n\n{line}\n\n## Safety\n- Switch off.\n"));
        assert_eq!(content(&filled)["title"], title, "{line}");
    }
}

#[test]
fn missing_required_field_does_not_remove_values_of_other_fields() {
    let document = read(Source::Text("Salt\nSafety\n- Be quick.\n")).unwrap();
    let choices = by_headings(&document, &FIELDS);
    let filled = fill(&document, &choices, &FIELDS, &|_| vec!["hypothesis".to_owned()]);
    assert_eq!(content(&filled), json!({"title": "Salt", "safety": ["Be quick."]}));
}

#[test]
fn list_element_that_violates_the_schema_is_removed_and_the_others_are_kept() {
    let document = read(Source::Text("Salt\nMaterials\n- a\n- bbb\n- c\nSteps\n1. dddd\n2. e\n")).unwrap();
    let choices = by_headings(&document, &FIELDS);
    let filled = fill(&document, &choices, &FIELDS, &|content| {
        let long = |field: &str, key: &str| {
            let list = content.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
            list.iter().position(|element| element[key].as_str().is_some_and(|text| text.len() > 2))
        };
        let materials =
            long("materials", "name").map(|at| [format!("materials.{at}.name"), format!("materials.{at}.unit")]);
        materials.into_iter().flatten().chain(long("steps", "text").map(|at| format!("steps.{at}.text"))).collect()
    });
    let expected = json!({"title": "Salt", "materials": [{"name": "a"}, {"name": "c"}], "steps": [{"text": "e"}]});
    assert_eq!(content(&filled), expected);
}

#[test]
fn unknown_heading_ends_the_section_above_it() {
    let filled = text("Towels\n\nObjectives\n- Compare.\n\nLoot (each table of 4)\n- 3 cups\n- a towel\n");
    assert_eq!(content(&filled), json!({"title": "Towels", "objectives": ["Compare."]}));
    assert_eq!(left(&filled), ["Loot (each table of 4)", "3 cups", "a towel"]);
}

#[test]
fn grade_duration_and_group_size_in_one_table_row_and_materials_on_the_same_line_as_a_label_are_read() {
    let filled = html(
        "<h1>Filter</h1><table><tr><td>CM1<td>Sciences<td>Durée : 1 h 15<td>26 élèves, groupes de 3</table>\
         <p><b>Material für jede Gruppe:</b> 1 Wanne, 2 Nägel, 1 Korken</p>",
    );
    let expected = json!({
        "title": "Filter", "grade": "CM1", "durationMinutes": 75, "groupSize": 3,
        "materials": [{"name": "Wanne", "quantity": 1}, {"name": "Nägel", "quantity": 2}, {"name": "Korken", "quantity": 1}],
    });
    assert_eq!(content(&filled), expected);
}
