//! Lists of materials, some with labels that name the recipients.

use serde_json::json;

use crate::support::{content, html, left, text};

#[test]
fn label_for_the_teacher_among_the_materials_becomes_a_note_of_each_item_below() {
    let filled = text("Salt\nMaterials\nFor each group:\n- salt\nFor the teacher:\n- 2 fans\n- lamp (60 W)\n");
    let expected = json!([
        {"name": "salt"},
        {"name": "fans", "quantity": 2, "notes": "For the teacher"},
        {"name": "lamp", "notes": "60 W; For the teacher"},
    ]);
    assert_eq!(content(&filled)["materials"], expected);
    assert_eq!(left(&filled), ["For each group:"]);
}

#[test]
fn label_for_a_group_or_the_teacher_does_not_end_the_materials() {
    let languages = [
        ("Materials", "Per group", "For the teacher"),
        ("Material", "Pro Gruppe", "Für die Lehrkraft"),
        ("Matériel", "Par groupe", "Pour l’enseignant"),
        ("Materiales", "Por grupo", "Para el docente"),
        ("الأدوات", "لكل مجموعة", "للمعلم"),
    ];
    for (materials, group, teacher) in languages {
        let expected = json!([{"name": "magnet", "quantity": 2}, {"name": "filings", "notes": teacher}]);
        for page in [
            text(&format!("Salt\n\n{materials}\n{group}:\n- 2 magnet\n{teacher}:\n- filings\n")),
            text(&format!("Salt\n\n{materials}:\n\n{group} :\n\n- 2 magnet\n\n{teacher} :\n\n- filings\n")),
            text(&format!("# Salt\n\n**{materials}**\n\n**{group}:**\n- 2 magnet\n\n**{teacher}**\n- filings\n")),
            html(&format!(
                "<h1>Salt</h1><h2>{materials}</h2><h2>{group}</h2><li>2 magnet<h2>{teacher}</h2><li>filings"
            )),
            html(&format!(
                "<h1>Salt</h1><h2>{materials}</h2><ul><li>{group}:<ul><li>2 magnet</ul><li>{teacher}:<ul><li>filings"
            )),
        ] {
            assert_eq!(content(&page)["materials"], expected, "{group}: {page:#?}");
        }
    }
}

#[test]
fn materials_table_that_separates_groups_and_the_teacher_is_read() {
    let head = "<table><tr><th>Per group<th>For the teacher</tr><tr><td>2 magnets<td>kettle</tr><tr><td>10 g salt<td></tr></table>";
    let row = "<table><tr><th>Item<th>Quantity</tr><tr><td>Per group<td></tr><tr><td>magnets<td>2</tr><tr><td>salt<td>10 g</tr><tr><td>For the teacher:<td></tr><tr><td>kettle<td></tr></table>";
    for table in [head, row] {
        let expected = json!([
            {"name": "magnets", "quantity": 2},
            {"name": "salt", "quantity": 10, "unit": "g"},
            {"name": "kettle", "notes": "For the teacher"},
        ]);
        assert_eq!(
            content(&html(&format!("<h1>Salt</h1><h2>Materials</h2>{table}")))["materials"],
            expected,
            "{table}"
        );
    }
}

#[test]
fn comma_separated_names_after_a_label_for_a_group_are_separate_materials() {
    let filled = html(
        "<h1>Salt</h1><p><b>Material</b></p><p><b>Pro Gruppe:</b> 2 Gläser, 10 g Salz</p><p><b>Für die Lehrkraft:</b> Waage, Film</p><p>Bis bald!</p>",
    );
    let expected = json!([
        {"name": "Gläser", "quantity": 2},
        {"name": "Salz", "quantity": 10, "unit": "g"},
        {"name": "Waage", "notes": "Für die Lehrkraft"},
        {"name": "Film", "notes": "Für die Lehrkraft"},
    ]);
    assert_eq!(content(&filled)["materials"].as_array().map(|list| &list[..4]), expected.as_array().map(Vec::as_slice));
}

#[test]
fn label_per_group_above_materials_does_not_become_a_note_of_these_materials() {
    for label in ["Per group:", "Pro Gruppe:", "Par groupe :", "Por grupo:"] {
        let lesson = text(&format!(
            "Rust\n\nMaterials\n{label}\n- 4 nails\n- 3 sheets sandpaper\n- 2 sheets of paper\n- 2 Blatt Papier\n- 2 feuilles de papier\n- 5 sheets\n"
        ));
        let unit = |name: &str, quantity: u8, unit: &str| json!({"name": name, "quantity": quantity, "unit": unit});
        let expected = json!([
            {"name": "nails", "quantity": 4},
            unit("sandpaper", 3, "sheets"),
            unit("paper", 2, "sheets"),
            unit("Papier", 2, "Blatt"),
            unit("papier", 2, "feuilles"),
            {"name": "sheets", "quantity": 5},
        ]);
        assert_eq!((&content(&lesson)["materials"], left(&lesson)), (&expected, vec![label]), "{label}");
    }
}

#[test]
fn table_cells_that_are_not_clearly_an_amount_become_notes_of_the_material() {
    let lesson = text("Salt\n\nMaterials\nbeaker\tclean\t3\n");
    assert_eq!(content(&lesson)["materials"], json!([{"name": "beaker", "notes": "3; clean"}]));
}

#[test]
fn comma_inside_parentheses_does_not_split_a_material() {
    let lesson = text(
        "Salt\n\nMaterials: 2 large potatoes, sugar (or 1.0 mol/dm³ of a solution that is made before, 50 cm³), water\n",
    );
    assert_eq!(content(&lesson)["materials"].as_array().map(Vec::len), Some(3));
}

#[test]
fn counted_items_separated_by_commas_become_several_materials() {
    let filled =
        text("Salt\n\nMaterials\n- 1 plum, 2 big corks, 1 ring (steel)\n- 1 beaker, 250 ml\n- droppers, 2 per group\n");
    let expected = json!([
        {"name": "plum", "quantity": 1},
        {"name": "big corks", "quantity": 2},
        {"name": "ring", "quantity": 1, "notes": "steel"},
        {"name": "beaker", "quantity": 1, "notes": "250 ml"},
        {"name": "droppers", "quantity": 2, "notes": "per group"},
    ]);
    assert_eq!(content(&filled)["materials"], expected);
}

#[test]
fn size_after_a_comma_becomes_a_note_and_not_a_material() {
    for (line, note) in [
        ("- 3 rubber tubes, 30 cm long", "30 cm long"),
        ("- 2 Bretter, 20 cm breit", "20 cm breit"),
        ("- 4 ficelles, 15 cm de long", "15 cm de long"),
        ("- 4 cuerdas, 15 cm de largo", "15 cm de largo"),
    ] {
        let lesson = text(&format!("Ice\n\nMaterials\n{line}\n"));
        let materials = content(&lesson)["materials"].clone();
        assert_eq!((materials.as_array().map(Vec::len), &materials[0]["notes"]), (Some(1), &json!(note)), "{line}");
    }
    let lesson = text("Ice\n\nMaterials: 1 block, 4 cm wide; 1 tray; 2 cubes\n");
    let names: Vec<_> =
        content(&lesson)["materials"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["block", "tray", "cubes"]);
}

#[test]
fn container_made_of_wood_or_glass_is_counted_as_an_item() {
    for line in
        ["2 cajas de madera", "1 bolsa de plástico", "3 botellas de vidrio", "1 علبة من الخشب", "2 boîtes en bois"]
    {
        let (count, name) = line.split_once(' ').unwrap();
        let expected = json!([{"name": name, "quantity": count.parse::<u32>().unwrap()}]);
        assert_eq!(content(&text(&format!("Ice\n\nMaterials\n- {line}\n")))["materials"], expected);
    }
}

#[test]
fn conjunction_before_the_last_material_in_a_line_is_removed() {
    for line in [
        "Materials: a bowl, 2 spoons, and salt",
        "Material: eine Schale, 2 Löffel, und Salz",
        "Il faut : un bol, 2 cuillères, et sel",
    ] {
        let last = content(&text(&format!("Ice\n\n{line}\n")))["materials"][2]["name"].as_str().map(str::to_owned);
        assert!(last.is_some_and(|name| !name.contains(' ')), "{line}");
    }
}
