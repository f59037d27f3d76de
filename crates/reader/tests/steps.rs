//! Steps, and the time that each takes.

use serde_json::{Value, json};

use crate::support::{content, docx, filled, html, item, left, paragraph, read_docx, text};

#[test]
fn minutes_before_within_or_after_the_text_of_a_step_are_read() {
    let filled = text(
        "Salt\nSteps\n1. 5 min: Pour.\n2. Stir (10 min) and wait.\n3. Filter. (2 x 3 min)\n4. Heat – 1 h\n5. Wait for 20 minutes.\n6. Look every 3 minutes.",
    );
    assert_eq!(
        content(&filled)["steps"],
        json!([
            {"text": "Pour.", "minutes": 5},
            {"text": "Stir and wait.", "minutes": 10},
            {"text": "Filter.", "minutes": 6},
            {"text": "Heat", "minutes": 60},
            {"text": "Wait for 20 minutes."},
            {"text": "Look every 3 minutes."},
        ])
    );
}

#[test]
fn lines_that_begin_with_minutes_below_a_heading_are_steps() {
    let filled = text(
        "Yeast\nRunning order\n5 min   Introduction: smell some dough.\n10 min Put yeast into each bottle.\n15 min Wait.\n",
    );
    let expected = json!([
        {"text": "Introduction: smell some dough.", "minutes": 5},
        {"text": "Put yeast into each bottle.", "minutes": 10},
        {"text": "Wait.", "minutes": 15},
    ]);
    assert_eq!(content(&filled)["steps"], expected);
}

#[test]
fn time_in_parentheses_or_after_a_dash_sets_the_minutes_of_its_step() {
    for times in [["[5 min]", "[25 min]"], ["(5')", "(25')"], ["– 5 min", "– 25 min"], ["[5 minutes]", "[25 Min.]"]]
    {
        let [first, second] = times;
        let front = [first, second]
            .map(|time| if time.starts_with('–') { format!("{} –", &time[4..]) } else { time.to_owned() });
        let names = [format!("Pour {first}"), format!("Stir {second}")];
        let fronts = [format!("{} Pour", front[0]), format!("{} Stir", front[1])];
        let expected = json!([{"text": "Pour", "minutes": 5}, {"text": "Stir", "minutes": 25}]);
        for [one, other] in [names, fronts] {
            let word = docx(&[paragraph("Salt"), paragraph("Steps"), item(2, 0, &one), item(2, 0, &other)].concat());
            let pages = [
                text(&format!("Salt\n\nSteps\n1. {one}\n2. {other}\n")),
                text(&format!("# Salt\n\n## Steps\n\n### {one}\n\n### {other}\n")),
                text(&format!("# Salt\n\n## Steps\n\n**1. {one}**\n\n**2. {other}**\n")),
                html(&format!("<h1>Salt</h1><h2>Steps</h2><ol><li>{one}</li><li>{other}</li></ol>")),
                filled(&read_docx(&word).unwrap()),
            ];
            for page in pages {
                assert_eq!(content(&page)["steps"], expected, "{one}: {page:#?}");
            }
        }
    }
}

/// Returns the steps of a table with these times.
fn of_times(head: &str, times: &[&str]) -> Value {
    let rows: String = times.iter().map(|time| format!("<tr><td>{time}<td>x<td>y</tr>")).collect();
    let page = format!("<h1>Salt</h1><h2>Steps</h2><table>{head}{rows}</table>");
    content(&html(&page))["steps"].clone()
}

#[test]
fn time_column_sets_the_minutes_of_each_row() {
    let columns = [
        ["0–10", "10–25"],
        ["0'-10'", "10'-25'"],
        ["0’ – 10’", "10’ – 25’"],
        ["0–10 min", "10–25 min"],
        ["9:00–9:10", "9:10–9:25"],
        ["9h00–9h10", "9h10–9h25"],
        ["8.00 – 8.10 Uhr", "8.10 – 8.25 Uhr"],
        ["12:50 to 1:00 pm", "1:00 to 1:15 pm"],
        ["0 à 10", "10 à 25"],
        ["٠–١٠", "١٠–٢٥"],
        ["0–10 (10 min)", "10–25 (15 min)"],
    ];
    let expected = json!([{"text": "x\ny", "minutes": 10}, {"text": "x\ny", "minutes": 15}]);
    for times in columns {
        for head in ["<tr><th>Time<th>Teacher<th>Pupils</tr>", "<tr><td>Zeit<td>Lehrer<td>Schüler</tr>", ""] {
            assert_eq!(of_times(head, &times), expected, "{times:?} {head}");
        }
    }
}

#[test]
fn range_of_minutes_stays_in_the_text_of_a_step() {
    let head = "<tr><th>Time<th>Teacher<th>Pupils</tr>";
    for times in [["5–10 min", "10–15 min"], ["5–10", "5–10"], ["10–15", "5–10"]] {
        let expected = json!([{"text": format!("{}\nx\ny", times[0])}, {"text": format!("{}\nx\ny", times[1])}]);
        let times_of_overlap = of_times(head, &times);
        assert_eq!(times_of_overlap, expected, "{times:?}");
    }
    for step in [
        "Stir for 5 – 10 min",
        "5 – 10 min: Stir",
        "5 min – 10 min: Stir",
        "Stir (5–10 min)",
        "Stir. 5 to 10 min",
        "Umrühren, 5 bis 10 min",
        "Remuer : 5 à 10 min",
        "Remover, 5 o 10 min",
    ] {
        let filled = text(&format!("Salt\nSteps\n1. Pour.\n2. {step}\n"));
        assert_eq!(content(&filled)["steps"], json!([{"text": "Pour."}, {"text": step}]), "{step}");
    }
}

#[test]
fn dash_between_a_part_number_and_its_minutes_is_not_read_as_a_range() {
    let filled = text("# Salt\n## Steps\n### Part 1 – 5 min\nPour.\n### Part 2 – 10 min\nStir.\n");
    let expected = json!([{"text": "Part 1: Pour.", "minutes": 5}, {"text": "Part 2: Stir.", "minutes": 10}]);
    assert_eq!(content(&filled)["steps"], expected);
}

#[test]
fn duration_between_a_phase_name_and_its_text_becomes_the_minutes_of_the_step() {
    let filled = text("# Salt\n\n## Steps\n- Discussion – 20 min: compare.\n- Bilan, 10 min : noter.\n");
    let expected = json!([
        {"text": "Discussion: compare.", "minutes": 20},
        {"text": "Bilan: noter.", "minutes": 10},
    ]);
    assert_eq!(content(&filled)["steps"], expected);
}

#[test]
fn range_of_clock_times_before_a_step_gives_its_minutes() {
    let filled = text("Salt\n\nAgenda\n9:00–9:10 Pour.\n9:10–9:25: Stir.\n\nSafety\nNo food.\n");
    let expected = json!([{"text": "Pour.", "minutes": 10}, {"text": "Stir.", "minutes": 15}]);
    assert_eq!(content(&filled)["steps"], expected);
}

#[test]
fn lines_with_times_are_steps_even_without_a_heading() {
    let filled =
        text("Salt\n\nHello, all of you.\n\n(5 min) Pour.\n0:05-0:30 - Stir.\n10 min: Filter.\n\nSafety\nNo food.\n");
    let expected = json!({
        "title": "Salt",
        "steps": [
            {"text": "Pour.", "minutes": 5},
            {"text": "Stir.", "minutes": 25},
            {"text": "Filter.", "minutes": 10},
        ],
        "safety": ["No food."],
    });
    assert_eq!(content(&filled), expected);
    assert_eq!(left(&filled), ["Hello, all of you."]);
}

#[test]
fn timed_lines_below_an_unrelated_heading_are_not_steps() {
    let filled = text("# Salt\n\n## Results\n\n(5 min) 10 g left.\n\n(10 min) 3 g left.\n");
    assert_eq!(content(&filled), json!({"title": "Salt"}));
}

#[test]
fn each_timed_line_below_a_day_heading_is_a_step() {
    let filled = text("# Salt\n## Steps\n### Day 2\n\n(20 min) Observe.\n\n(10 min) Compare.\n");
    let expected = json!([{"text": "Day 2: Observe.", "minutes": 20}, {"text": "Compare.", "minutes": 10}]);
    assert_eq!(content(&filled)["steps"], expected);
}

#[test]
fn line_that_begins_with_the_name_of_a_phase_begins_the_steps() {
    for phase in ["Starter", "Plenary", "Do now", "Bell work", "Einstieg", "Accroche", "Calentamiento", "التمهيد"]
    {
        let filled = text(&format!("Salt\n\nSafety\n- No food.\n\n{phase}: Look at salt.\n\nHello.\n"));
        let expected = json!({
            "title": "Salt",
            "steps": [{"text": format!("{phase}: Look at salt.")}],
            "safety": ["No food."],
        });
        assert_eq!(content(&filled), expected, "{phase}");
        assert_eq!(left(&filled), ["Hello."]);
    }
}

#[test]
fn table_of_timed_phases_is_read_as_steps_below_any_heading() {
    let filled = html(
        "<h1>Salt</h1><h2>Safety</h2><p>No food.</p><table><tr><td>Time<td>Teacher<td>Pupils</tr><tr><td>5 min<td>Shows.<td>Watch.</tr></table>",
    );
    let expected =
        json!({"title": "Salt", "safety": ["No food."], "steps": [{"text": "Shows.\nWatch.", "minutes": 5}]});
    assert_eq!(content(&filled), expected);
}

#[test]
fn label_of_another_field_ends_the_timed_steps_above_it() {
    let filled = text(
        "Salt\n\nSteps:\nIntroduction (5 min): Show salt.\nPractice (10 min): Stir.\n\nExit ticket: Where did it go?\n\nHomework: Read.\n",
    );
    let expected = json!([
        {"text": "Introduction: Show salt.", "minutes": 5},
        {"text": "Practice: Stir.", "minutes": 10},
    ]);
    assert_eq!(content(&filled)["steps"], expected);
    assert_eq!(content(&filled)["assessment"], "Where did it go?");
}

#[test]
fn range_of_minutes_after_a_phase_name_stays_in_the_text_of_the_step() {
    let lesson = text(
        "Rust\n\nLesson\nOpening: 5 min. Show a nail.\nMain: 20 min\nPupils test the nails.\nClosing: 5–10 min\nPupils share.\nThey tidy up.\n",
    );
    let steps = json!([
        {"text": "Opening: Show a nail.", "minutes": 5},
        {"text": "Main: Pupils test the nails.", "minutes": 20},
        {"text": "Closing: 5–10 min: Pupils share.\nThey tidy up."},
    ]);
    assert_eq!(content(&lesson)["steps"], steps);
}

#[test]
fn time_in_parentheses_after_other_words_sets_the_minutes_of_a_step() {
    let lesson = text(
        "Filter\n\nSteps\n1. Look at the water. (10 min, all together)\n2. Build it (in groups, 35 min).\n3. Shake (5 min, then 10 min).\n",
    );
    let steps = json!([
        {"text": "Look at the water. (all together)", "minutes": 10},
        {"text": "Build it (in groups).", "minutes": 35},
        {"text": "Shake (5 min, then 10 min)."},
    ]);
    assert_eq!(content(&lesson)["steps"], steps);
}

#[test]
fn minutes_alone_on_a_line_belong_to_the_step_above() {
    let filled = text(
        "Salt\n\nSteps\n1. Dissolve the salt in the water of the large beaker.\n(10 minutes)\n2. Filter it. (5 min)\n",
    );
    let expected = json!([
        {"text": "Dissolve the salt in the water of the large beaker.", "minutes": 10},
        {"text": "Filter it.", "minutes": 5}
    ]);
    assert_eq!(content(&filled)["steps"], expected);
}

#[test]
fn repeated_lines_are_all_kept_if_the_lesson_has_no_page_numbers() {
    let filled = text("5 min\tDiscussion\n10 min\tIntroduction\n20 min\tExperiment\n5 min\tDiscussion\n");
    assert_eq!(words(&filled, "discussion"), 2);
    let filled =
        text("Record the temperature.\nHeat it.\nRecord the temperature.\nCool it.\nRecord the temperature.\n");
    assert_eq!(words(&filled, "temperature"), 3);
}

/// Returns how often a word is in the lesson and in the unplaced texts.
fn words(filled: &fieldbook_reader::Filled, word: &str) -> usize {
    format!("{} {:?}", content(filled), left(filled)).to_lowercase().matches(word).count()
}
