//! `GET /api/investigation/{id}/sheet`

use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

fn lesson() -> Value {
    json!({
        "title": "Salz im Wasser", "drivingQuestion": "Warum verschwindet das Salz, wenn man es in das Wasser rührt?",
        "materials": [{"name": "Löffel", "quantity": 2}], "steps": [{"text": "Rühre.\na) langsam", "minutes": 5}],
        "safety": ["Nicht kosten."], "objectives": ["Die Lernenden beschreiben, was beim Lösen geschieht."],
        "differentiation": "Wortliste", "homework": "Sieh nach: https://example.org/salz", "eigenes": "Für die Lehrkraft",
    })
}

/// Returns the sheet for an audience, without its style sheet.
async fn body(caller: &Caller, path: &str, query: &str) -> String {
    let sheet = caller.get(&format!("{path}/sheet{query}")).await;
    assert_eq!(sheet.status, 200, "{sheet}");
    sheet.text.split_once("</style>").expect("a style sheet").1.to_owned()
}

#[tokio::test]
async fn each_audience_gets_its_sheet_in_the_language_of_the_lesson() {
    let (_app, teacher, path) = TestApp::with(lesson()).await;
    let sheet = teacher.get(&format!("{path}/sheet")).await;
    assert!(
        sheet.text.starts_with("<!DOCTYPE html><html lang=\"de\" dir=\"ltr\" data-title=\"Salz im Wasser\">"),
        "{sheet}"
    );
    let pupils = body(&teacher, &path, "").await;
    let expected = "<main><h1>Salz im Wasser</h1>\
        <p class=\"pupil\"><span>Name</span><span>Datum</span></p>\
        <section><h2>Unsere Frage</h2><p>Warum verschwindet das Salz, wenn man es in das Wasser rührt?</p></section>\
        <section><h2>Material</h2><ul class=\"checklist\"><li><label><input type=\"checkbox\"><span class=\"amount\">2</span> <span>Löffel</span></label></li></ul></section>\
        <section class=\"safety\"><h2>Sicherheit</h2><ul><li>Nicht kosten.</li></ul></section>\
        <section><h2>Durchführung</h2><ol class=\"steps\"><li><span class=\"minutes\">5\u{a0}min </span><p>Rühre.\na) langsam</p></li></ol></section>\
        <section><h2>Hausaufgabe</h2><p><svg class=\"code\"";
    assert!(pupils.contains(expected), "{pupils}");
    let link = "</svg>Sieh nach: <a href=\"https://example.org/salz\" target=\"_blank\" rel=\"noopener noreferrer nofollow\" dir=\"ltr\">https://example.org/<wbr>salz</a></p>";
    assert!(pupils.contains(link), "{pupils}");
    assert_eq!(pupils, body(&teacher, &path, "?for=pupils&format=html&version=0").await);
    let class = body(&teacher, &path, "?for=class").await;
    assert!(class.contains("<p class=\"pupil\"><span>Name</span><span>Datum</span></p>"), "{class}");
    assert!(
        class.contains("<div class=\"lines\"><h3>Unsere Ergebnisse</h3><span></span>") && !pupils.contains("lines"),
        "{class}"
    );
    let teachers = body(&teacher, &path, "?for=teachers").await;
    let marked = "<main><h1>Salz im Wasser</h1><p class=\"pupil\"><strong>Für Lehrkräfte</strong></p>";
    assert!(
        teachers.contains(marked) && !class.contains("Für Lehrkräfte") && !pupils.contains("Für Lehrkräfte"),
        "{teachers}"
    );
    for words in ["Lernziele", "beim Lösen geschieht", "Wortliste", "Eigenes", "Für die Lehrkraft"] {
        assert!(teachers.contains(words) && !class.contains(words) && !pupils.contains(words), "{words}: {teachers}");
    }
}

#[tokio::test]
async fn sheet_is_framed_only_by_pages_of_the_service_and_runs_no_scripts() {
    let (_app, teacher, path) = TestApp::with(lesson()).await;
    let sheet = teacher.get(&format!("{path}/sheet")).await;
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "SAMEORIGIN"),
    ] {
        assert_eq!(sheet.headers.get_all(name).iter().collect::<Vec<_>>(), [value], "{name}");
    }
    let policy = sheet.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(
        policy.ends_with("img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"),
        "{policy}"
    );
}

#[tokio::test]
async fn word_document_of_a_lesson_is_downloaded_under_the_title_of_the_lesson() {
    let (_app, teacher, path) = TestApp::with(lesson()).await;
    let sheet = teacher.get(&format!("{path}/sheet?for=class&format=docx")).await;
    assert_eq!(sheet.status, 200, "{sheet}");
    for (name, value) in [
        ("content-type", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (
            "content-disposition",
            "attachment; filename=\"lesson.docx\"; filename*=UTF-8''Salz%20im%20Wasser%20%E2%80%93%20class.docx",
        ),
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ] {
        assert_eq!(sheet.headers.get_all(name).iter().collect::<Vec<_>>(), [value], "{name}");
    }
    assert!(sheet.text.starts_with("PK\u{3}\u{4}"), "a zip file");
    let missing = teacher.get(&format!("{path}/sheet?format=docx&version=9")).await;
    assert_eq!(missing.json()["error"], "Version 9 not found", "{missing}");
}

#[tokio::test]
async fn word_document_has_the_qr_code_of_the_requested_link_to_its_lesson() {
    let (_app, teacher, path) = TestApp::with(lesson()).await;
    let id = path.rsplit('/').next().expect("an id");
    teacher.create_link(id, "class-7a", "salt").await;
    let of = async |path: &str, query: &str| teacher.get(&format!("{path}/sheet?format=docx{query}")).await;
    let media = async |query: &str| of(&path, query).await.text.contains("word/media/picture1.png");
    assert_eq!((media("").await, media("&link=class-7a/salt").await), (false, true));
    let unknown = of(&path, "&link=class-7a/water").await;
    assert_eq!(unknown.json()["message"], "Link not found", "{unknown}");
    let other = format!("/api/investigation/{}", teacher.create(json!({"title": "Other"})).await);
    let foreign = of(&other, "&link=class-7a/salt").await;
    assert_eq!(foreign.json()["message"], "Link not found", "{foreign}");
}

#[tokio::test]
async fn sheet_shows_the_current_version_or_the_requested_version() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    assert!(body(&teacher, &path, "").await.contains("<h1>Cress</h1>"));
    teacher.patch(&path, json!({"title": "Beans"})).await;
    assert!(body(&teacher, &path, "").await.contains("<h1>Beans</h1>"));
    assert!(body(&teacher, &path, "?version=1").await.contains("<h1>Beans</h1>"));
    assert!(body(&teacher, &path, "?version=0").await.contains("<h1>Cress</h1>"));
    let missing = teacher.get(&format!("{path}/sheet?version=2")).await;
    assert_eq!(missing.json()["error"], "Version 2 not found", "{missing}");
}

#[tokio::test]
async fn sheet_refuses_invalid_parameters_and_names_the_valid_values() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    for (query, expected) in [
        ("for=parents", "\"for\" \"must be one of pupils, class, teachers\""),
        ("for=Pupils", "\"for\" \"must be one of pupils, class, teachers\""),
        ("for=class&for=class", "\"for\" \"must appear once\""),
        ("link=class-7a", "\"link\" \"must be the key and the subLink of a link, with / between them\""),
        ("link=class-7a/a/b", "\"link\" \"must be the key and the subLink of a link, with / between them\""),
        ("format=pdf", "\"format\" \"must be one of html, docx\""),
        ("version=-1", "\"version\" \"must be a whole number from 0 to 9223372036854775807\""),
        ("version=", "\"version\" \"must be a whole number from 0 to 9223372036854775807\""),
    ] {
        let refused = teacher.get(&format!("{path}/sheet?{query}")).await;
        assert_eq!(refused.refusal(), format!("400 \"validation_failed\" \"Validation failed\" {expected}"), "{query}");
    }
    let wrong = teacher.get("/api/investigation/x/sheet").await;
    assert_eq!(wrong.status, 400, "{wrong}");
}

#[tokio::test]
async fn empty_lesson_has_a_sheet() {
    let (_app, teacher, path) = TestApp::with(json!({})).await;
    assert!(
        body(&teacher, &path, "?for=teachers")
            .await
            .contains("<main><h1>Lesson</h1><p class=\"pupil\"><strong>For teachers</strong></p></main>")
    );
}
