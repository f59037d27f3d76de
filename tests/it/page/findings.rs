//! Contradictions and the assistant's proposals, on the page.

use fieldbook::assistant::rules::Rule;
use serde_json::{Value, json};

use super::{cress, hurried};
use crate::authoring::start;
use crate::support::browser::{Page, WIDE};
use crate::support::endpoint::{Answer, finds, proposes};
use crate::support::{SETTLE, TestApp, rules};

#[tokio::test]
async fn contradiction_is_shown_at_both_fields_with_quotes_reason_and_a_correction() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    let marked =
        page.js("return [...document.querySelectorAll('.field.contradicted')].map((f) => f.dataset.field)").await;
    assert_eq!(marked, json!(["durationMinutes", "steps"]));
    page.open_findings().await;
    let card = page
        .js("return document.querySelector('[data-field=durationMinutes] .finding').innerText.replaceAll(/\\s+/g, ' ')")
        .await;
    assert_eq!(
        card,
        "The steps take 25 minutes, but the lesson lasts 20. Duration in minutes 20 Correct Duration in minutes … Step 1, minutes 15 Step 2, minutes 10 Correct Steps … Set the duration to 25 minutes, or shorten the steps. Found by comparing the fields Not a contradiction Give a reason"
    );
    page.click("Step 2, minutes").await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'steps.1.minutes'").await;
    page.write("[data-path='steps.1.minutes'] input", "5").await;
    page.saved().await;
    page.until("!document.querySelector('.contradicted, .finding')").await;
}

#[tokio::test]
async fn finding_names_a_missing_material_or_activity_and_other_fields_that_conflict() {
    let missing = [
        ("steps.0.text", "two drops of iodine", "materials", "", "Step 1 needs iodine, which is not listed."),
        ("durationMinutes", "20", "steps", "", "The steps leave no time to clear up."),
    ];
    let (_endpoint, app, teacher) = start(move |_| {
        let Answer::Says(mut answer) = finds(&missing) else { unreachable!("an answer") };
        answer["time"][0]["alsoAt"] = json!(["steps.1.text", "assessment"]);
        Answer::Says(answer)
    })
    .await;
    let id = teacher
        .create(json!({
            "materials": [{"name": "Potato"}], "durationMinutes": 20, "assessment": "Say what iodine shows.",
            "steps": [{"text": "Put two drops of iodine on the potato."}, {"text": "Look at the iodine."}],
        }))
        .await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.open_findings().await;
    let cards = page.js("return [...document.querySelectorAll('[data-field=steps] .finding')].map((card) => card.innerText.replaceAll(/\\s+/g, ' '))").await;
    assert_eq!(
        cards,
        json!([
            "Step 1 needs iodine, which is not listed. Step 1 two drops of iodine Correct Steps … Materials nothing that fits Correct Materials … The same in: Step 2, Assessment Found by the language model muse Not a contradiction Give a reason",
            "The steps leave no time to clear up. Steps as a whole Correct Steps … Duration in minutes 20 Correct Duration in minutes … Found by the language model muse Not a contradiction Give a reason",
        ])
    );
    page.click("Assessment").await;
    page.until("document.activeElement.dataset.path === 'assessment'").await;
}

#[tokio::test]
async fn page_explains_what_an_incomplete_check_means() {
    let (app, teacher) = TestApp::start_with_rules(r#"{"properties":{"a":{}}}"#, &[rules::FAILS]).await;
    let id = teacher.create(json!({"a": "text"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.sees("Checking could not be completed, so some contradictions may not be shown.").await;
    let rest = page.js("return document.querySelector('.overview').innerText").await;
    assert!(
        !rest.as_str().is_some_and(|rest| rest.contains("None was found") || rest.contains("Checked by")),
        "{rest}"
    );
    page.js("const b = document.querySelector('[data-path=a] textarea'); b.value = '1'; b.dispatchEvent(new Event('input'))").await;
    page.sees("None found.").await;
    page.sees("Checked by comparing the fields.").await;
}

#[tokio::test]
async fn correction_is_previewed_before_it_is_applied() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    page.open_findings().await;
    page.click("Correct Duration in minutes …").await;
    page.sees("The steps take 25 minutes, but the lesson lasts 20.").await;
    page.sees("No contradiction would be left.").await;
    let shown = page.js("return ['del', 'ins'].map((tag) => document.querySelector(`dialog ${tag}`).lastChild.previousSibling.textContent)").await;
    assert_eq!(shown, json!(["20", "25"]));
    page.click("Leave as it is").await;
    assert_eq!(teacher.get(&path).await.data()["durationMinutes"], 20);
    page.open_findings().await;
    page.click("Correct Duration in minutes …").await;
    page.click("Correct it this way").await;
    page.until("document.querySelector('[data-path=durationMinutes] input').value === '25'").await;
    page.until("!document.querySelector('.finding')").await;
    assert_eq!(teacher.get(&path).await.data()["status"], "draft_non_contradictory_complete");
}

#[tokio::test]
async fn page_previews_the_result_before_it_fits_the_other_fields_to_one_field() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    page.choose("Title", "Fit the other fields to Title").await;
    page.sees("Nothing would change.").await;
    page.sees("No contradiction with Title was found.").await;
    page.sees("No rule reads Title").await;
    page.click("Close").await;
    page.choose("Steps", "Fit the other fields to Steps").await;
    page.until("document.querySelector('dialog .changes')?.innerText.includes('Duration in minutes')").await;
    assert_eq!(page.js("return document.querySelector('dialog .explanation')").await, Value::Null);
    page.sees("They will agree with Steps, which stays as it is.").await;
    page.click("Take these changes").await;
    page.until("document.querySelector('[data-path=durationMinutes] input').value === '25'").await;
    page.write_and_leave("[data-path=durationMinutes] input", "60").await;
    page.choose("Duration in minutes", "Fit the other fields to Duration in minutes").await;
    page.sees("No contradiction with Duration in minutes was found: the steps take 25 of 60 min.").await;
    page.sees("Nothing would change.").await;
}

#[tokio::test]
async fn page_asks_the_author_to_correct_a_contradiction_that_no_rule_can_fix() {
    let schema = r#"{"properties":{"a":{"type":"number"},"b":{"type":"number"}}}"#;
    // The fix that this rule proposes sets `a` to the value that it already has, so it resolves nothing.
    let same = Rule {
        has_fix: true,
        find: |document| Ok(vec![rules::fixable("a is not b.", "a", rules::value(document, "a"))]),
        ..rules::SAME
    };
    let (app, teacher) = TestApp::start_with_rules(schema, &[same]).await;
    let id = teacher.create(json!({"a": 1, "b": 2})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.open_findings().await;
    page.click("Correct A …").await;
    page.sees("You need to decide this").await;
    page.sees("No safe way to resolve the contradiction of A is known.").await;
    page.click("Close").await;
    page.until("!document.querySelector('dialog')").await;
}

#[tokio::test]
async fn finding_without_a_known_fix_offers_no_correction() {
    let (page, _, _) =
        Page::of_lesson(json!({"variables": {"independent": "light", "controlled": ["light"]}}), WIDE).await;
    page.open_findings().await;
    page.sees("Fieldbook cannot correct this by itself: change one of the places above.").await;
    assert_eq!(page.js("return document.querySelector('.finding').innerText.includes('Correct this')").await, false);
}

#[tokio::test]
async fn author_can_stop_waiting_for_a_long_operation_and_continue_writing() {
    let (endpoint, app, teacher) = start(|question| match question.kind {
        "findings" => finds(&[]),
        "regenerate" => proposes(&[("assessment", json!("Describe it."))], "Fitted."),
        _ => Answer::Refuses(403),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    endpoint.hold("regenerate");
    page.choose("Title", "Fit the other fields to Title").await;
    page.sees("Fitting the other fields to Title …").await;
    endpoint.asked("regenerate", 1).await;
    page.click("Stop waiting").await;
    page.until("!document.querySelector('.work')").await;
    endpoint.let_go();
    // The stopped request does not disturb an author who continues to write.
    page.write("[data-path=hypothesis]", "It grows.").await;
    page.saved().await;
    page.choose("Title", "Fit the other fields to Title").await;
    page.click("Take these changes").await;
    page.until("document.querySelector('[data-path=assessment]').value === 'Describe it.'").await;
}

#[tokio::test]
async fn author_can_write_during_the_model_check_and_findings_appear_afterwards() {
    let (endpoint, app, teacher) = start(|question| match question.kind {
        _ if question.holds(&["three birds"]) => {
            finds(&[("title", "Cress", "assessment", "three birds", "Cress is not a bird.")])
        }
        _ => finds(&[]),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    endpoint.hold("findings");
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.write("[data-path=assessment]", "Name three birds.").await;
    page.saved().await;
    page.sees("Checking …").await;
    endpoint.let_go();
    app.clock.advance(SETTLE);
    page.sees("Cress is not a bird.").await;
    page.until("!document.querySelector('.overview').textContent.includes('Checking')").await;
    page.sees("Checked by comparing the fields, and by a language model.").await;
}

#[tokio::test]
async fn accepted_proposal_changes_the_lesson_exactly_as_its_preview_showed() {
    let (endpoint, app, teacher) = start(|question| match question.kind {
        "findings" => finds(&[]),
        _ => proposes(&[("assessment", json!(format!("Draw it {} times.", question.nth)))], "Fitted."),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.choose("Title", "Fit the other fields to Title").await;
    page.sees("Draw it 1 times.").await;
    page.click("Take these changes").await;
    page.sees("The other fields now fit Title.").await;
    page.until("document.querySelector('[data-path=assessment]').value === 'Draw it 1 times.'").await;
    assert_eq!(endpoint.count("regenerate"), 1);
}

#[tokio::test]
async fn hint_is_listed_separately_from_contradictions_and_offers_no_correction() {
    let (page, _, _) = Page::of_lesson(json!({"grade": 5, "curriculum": "NGSS 4-LS1-1"}), WIDE).await;
    page.sees("None; 1 hint in the text.").await;
    page.sees("Checked by comparing the fields.").await;
    assert_eq!(page.js("return document.querySelectorAll('.contradicted').length").await, 0);
    page.open_findings().await;
    page.sees("is not for grade \"5\".").await;
    let ways_out = page.js("return [...document.querySelectorAll('.hint button')].filter((b) => b.textContent.startsWith('Correct')).length").await;
    assert_eq!(ways_out, 0);
}

#[tokio::test]
async fn new_empty_row_does_not_move_a_finding_to_another_row() {
    let mut lesson = cress();
    lesson["steps"] = json!([{"text": "Sow."}, {"text": "Wait."}, {"text": "Draw."}]);
    let (page, _, _) = Page::of_lesson(lesson, WIDE).await;
    page.js("document.querySelector('[data-path=\"steps.0.text\"]').focus()").await;
    // Enter goes from the text to the minutes, and from there to a new step.
    page.press("\u{e007}").await;
    page.until("document.activeElement.closest('[data-path=\"steps.0.minutes\"]')").await;
    page.press("\u{e007}").await;
    page.until("document.activeElement.dataset.path === 'steps.3.text'").await;
    page.write("[data-path='steps.1.text']", "Go on as in step 4.").await;
    let row = page.until("document.querySelector('.notes .finding')?.closest('li').querySelector('.text').value").await;
    assert_eq!(row, "Go on as in step 4.");
    // While the new row is empty, its path comes after those of all other rows. As soon as it has a text, the paths of
    // all rows follow their positions.
    page.write("[data-path='steps.3.text']", "Water them.").await;
    page.until("document.activeElement.dataset.path === 'steps.1.text'").await;
    let paths =
        "return [...document.querySelectorAll('[data-field=steps] li .entry > *')].map((row) => row.dataset.path)";
    assert_eq!(page.js(paths).await, json!(["steps.0", "steps.1", "steps.2", "steps.3"]));
}
