//! The choice of the title among the lines above a lesson.

use crate::support::{content, html, left, text};

#[test]
fn school_name_is_not_the_title() {
    let schools = [
        "St Aidan’s Academy – Science Department",
        "Albert-Schweitzer-Realschule",
        "Collège Marie Curie",
        "COLEGIO SAN MARTÍN",
        "مدرسة النور الابتدائية",
    ];
    for school in schools {
        let filled = text(&format!("{school}\n\nWhy boats float\n\nSafety\nNo food.\n"));
        assert_eq!(content(&filled)["title"], "Why boats float", "{school}");
        assert_eq!(left(&filled), [school]);
    }
}

#[test]
fn title_that_ends_with_letters_of_a_school_abbreviation_is_kept() {
    for title in ["Series Circuits", "Lemon Batteries", "Falling Bodies"] {
        let filled = text(&format!("{title}\n\nSafety\nNo food.\n"));
        assert_eq!(content(&filled)["title"], title);
    }
}

#[test]
fn header_lines_greeting_and_closing_of_a_letter_are_not_put_into_any_field() {
    let filled = text(
        "From: Dana\nTo: science team\nSubject: pond\n\nHi all, use whatever you like.\n\nPOND IN A JAR\n\nAssessment\nWhat changed?\n\nCheers,\nDana\n",
    );
    assert_eq!(content(&filled), serde_json::json!({"title": "POND IN A JAR", "assessment": "What changed?"}));
    let head = ["From: Dana", "To: science team", "Subject: pond", "Hi all, use whatever you like."];
    assert_eq!(left(&filled), [&head[..], &["Cheers,", "Dana"]].concat());
}

#[test]
fn document_type_or_subject_is_the_title_only_if_no_other_line_fits() {
    let heads = [
        "Fiche pédagogique – SVT",
        "Lesson Plan – Chemistry",
        "Unterrichtsentwurf Physik",
        "Ficha de clase – Biología",
        "خطة درس – علوم",
        "Sachunterricht",
    ];
    for head in heads {
        let filled = text(&format!("{head}\n\nWhy boats float\n\nSafety\nNo food.\n"));
        assert_eq!(content(&filled)["title"], "Why boats float", "{head}");
        assert_eq!(left(&filled), [head]);
    }
    let filled = text("Arbeitsblatt Magnete\n\nSafety\nNo food.\n");
    assert_eq!(content(&filled)["title"], "Arbeitsblatt Magnete", "nothing else can be the title");
}

#[test]
fn names_of_teachers_and_departments_are_not_the_title() {
    for head in ["Mrs. Farrell", "Frau Böhm", "Mme Petit", "Departamento de Biología", "وزارة التربية والتعليم"]
    {
        let filled = text(&format!("{head}\n\nWhy boats float\n\nSafety\nNo food.\n"));
        assert_eq!(content(&filled)["title"], "Why boats float", "{head}");
    }
}

#[test]
fn heading_with_a_year_and_a_teacher_stays_the_title() {
    let head = "Photosynthesis – Year 8 – Ms Khan";
    let filled = html(&format!(
        "<h1>{head}</h1><h2>What we find out</h2><p>Leaves make sugar.</p><h2>Safety</h2><p>No food.</p>"
    ));
    assert_eq!(content(&filled)["title"], head);
}

#[test]
fn numbered_experiment_or_worksheet_is_the_title_only_if_no_other_line_fits() {
    for line in
        ["Experiment 12", "Worksheet 3", "Versuch 4", "Arbeitsblatt Nr. 2", "Séance n° 5", "Práctica 2", "النشاط 3"]
    {
        let lesson = text(&format!("{line}\nWhy does ice float?\n\nSafety\nNo food.\n"));
        assert_eq!((content(&lesson)["title"].as_str(), left(&lesson)), (Some("Why does ice float?"), vec![line]));
    }
    // If no other line can be the title, this line is the title.
    assert_eq!(content(&text("Experiment 12\n\nSafety\nNo food.\n"))["title"], "Experiment 12");
}

#[test]
fn line_that_names_the_teacher_or_the_teaching_sequence_is_not_the_title() {
    let lesson = html("<p>Teacher: Mr Oduya<p>Sequence: Water<p>Where does the rain go?<h2>Safety</h2><p>No food.");
    assert_eq!(content(&lesson)["title"], "Where does the rain go?");
}

#[test]
fn numbered_heading_is_not_the_title_if_a_line_above_can_be_the_title() {
    let lesson = text(
        "LAB GUIDE No. 3\nFLOATING EGGS\n\nI. SETTING\nRoom 4\n\nII. SAFETY\nNo food.\n\nIII. PROCEDURE\n1. Look.\n",
    );
    assert!(content(&lesson)["title"].as_str().is_some_and(|title| title != "SETTING"), "{lesson:#?}");
}

#[test]
fn words_in_brackets_are_not_the_title() {
    let lesson = text(
        "Stundenverlauf: Eis\n\nFach: NaWi\tKlasse: 3b (21 Kinder)\tDauer: 45 Min.\n\nSicherheit\nNichts essen.\n",
    );
    assert_eq!(content(&lesson)["title"], "Stundenverlauf: Eis");
}

#[test]
fn numbered_unit_or_chapter_is_not_the_title() {
    for part in ["Unit 4.1", "Activity 2.13", "Kapitel 3.2", "Séance 1-2", "Unidad 5.1"] {
        assert_eq!(
            content(&text(&format!("{part}\nWhy does iron rust?\nSafety\nNo food.\n")))["title"],
            "Why does iron rust?"
        );
    }
}
