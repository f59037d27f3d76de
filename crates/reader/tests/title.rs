//! The title among what else is above a lesson.

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
fn letter_head_and_closing_are_in_no_field() {
    let filled = text(
        "From: Dana\nTo: science team\nSubject: pond\n\nHi all, use whatever you like.\n\nPOND IN A JAR\n\nAssessment\nWhat changed?\n\nCheers,\nDana\n",
    );
    assert_eq!(content(&filled), serde_json::json!({"title": "POND IN A JAR", "assessment": "What changed?"}));
    let head = ["From: Dana", "To: science team", "Subject: pond", "Hi all, use whatever you like."];
    assert_eq!(left(&filled), [&head[..], &["Cheers,", "Dana"]].concat());
}

#[test]
fn document_type_and_subject_are_not_the_title_if_there_is_another() {
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
