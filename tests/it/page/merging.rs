//! One list or object that is changed in two places: changes of different rows are merged, row by row.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::cress;
use crate::support::browser::{Page, WIDE};
use crate::support::{COLLEAGUE, Caller};

const CASES: usize = 300;
const TEXTS: [&str; 6] =
    ["Sow twenty seeds.", "Cover one saucer.", "Water both.", "Wait a week.", "Draw the cress.", "Compare."];

fn steps(texts: &[&str]) -> Value {
    texts.iter().map(|text| json!({"text": text, "minutes": 5})).collect()
}

async fn step_texts(caller: &Caller, path: &str) -> Vec<String> {
    let steps = caller.get(path).await.data()["steps"].clone();
    let texts = steps.as_array().expect("a list").iter().map(|step| step["text"].as_str().expect("a text").to_owned());
    texts.collect()
}

/// Opens a lesson with six steps. Returns the page, a colleague and the path of the lesson.
async fn open() -> (Page, Caller, String) {
    let mut lesson = cress();
    lesson["steps"] = steps(&TEXTS);
    let (page, _, id) = Page::of_lesson(lesson, WIDE).await;
    page.until("document.querySelector('[data-path=\"steps.4.text\"]')").await;
    let colleague = page.signed_in(COLLEAGUE);
    (page, colleague, format!("/api/investigation/{id}"))
}

async fn put_the_cursor(page: &Page, step: usize, at: usize) {
    let script = format!(
        "const box = document.querySelector('[data-path=\"steps.{step}.text\"]'); box.focus(); box.setSelectionRange({at}, {at})"
    );
    page.js(&script).await;
}

#[tokio::test]
async fn changes_of_different_steps_are_both_kept_and_the_cursor_stays_in_its_step() {
    let (page, colleague, path) = open().await;
    page.offline(true).await;
    put_the_cursor(&page, 4, 4).await;
    page.press(" and label").await;
    let theirs = steps(&["Cover a saucer.", TEXTS[2], TEXTS[3], TEXTS[4], TEXTS[5], "Clean up."]);
    colleague.patch(&path, json!({"steps": theirs})).await;
    page.offline(false).await;
    page.sees("Steps: changed elsewhere, too. Both changes are kept.").await;
    assert_eq!(page.js("return document.querySelectorAll('dialog').length").await, 0);
    assert_eq!(page.js("return document.activeElement.dataset.path").await, "steps.3.text");
    page.press(" it: draw").await;
    page.press("\u{e004}").await;
    page.saved().await;
    let both = ["Cover a saucer.", TEXTS[2], TEXTS[3], "Draw and label it: draw the cress.", TEXTS[5], "Clean up."];
    assert_eq!(step_texts(&colleague, &path).await, both);
}

#[tokio::test]
async fn a_new_row_that_is_being_written_stays_under_the_cursor_when_others_change_rows() {
    let (page, colleague, path) = open().await;
    put_the_cursor(&page, 2, 0).await;
    page.press("\u{e010}\u{e007}").await;
    page.saved().await;
    let mut steps = colleague.get(&path).await.data()["steps"].clone();
    steps.as_array_mut().expect("a list").remove(0);
    colleague.patch(&path, json!({"steps": steps})).await;
    page.until("document.querySelector('[data-path=\"steps.0.text\"]').value === 'Cover one saucer.'").await;
    page.press("Wait an hour.").await;
    page.press("\u{e004}").await;
    page.saved().await;
    let both = [TEXTS[1], TEXTS[2], "Wait an hour.", TEXTS[3], TEXTS[4], TEXTS[5]];
    assert_eq!(step_texts(&colleague, &path).await, both);
}

const THEIRS: [&str; 6] = ["Sow twenty seeds.", "Cover no saucer.", TEXTS[2], TEXTS[3], TEXTS[4], TEXTS[5]];

/// Changes the second step on the page while it is offline, and as the colleague, until the page asks about it.
async fn change_step_two_on_both_sides(page: &Page, colleague: &Caller, path: &str) {
    page.offline(true).await;
    page.write("[data-path=\"steps.1.text\"]", "Cover both saucers.").await;
    colleague.patch(path, json!({"steps": steps(&THEIRS)})).await;
    page.offline(false).await;
    page.sees("Step 2 was changed elsewhere, too").await;
}

#[tokio::test]
async fn of_one_step_that_both_changed_both_are_kept_and_a_step_that_was_removed_meanwhile_stays_away() {
    let (page, colleague, path) = open().await;
    change_step_two_on_both_sides(&page, &colleague, &path).await;
    let sides = page.js("return [...document.querySelectorAll('.sides pre')].map((side) => side.innerText)").await;
    assert_eq!(sides, json!(["Cover both saucers. (5 min)", "Cover no saucer. (5 min)"]));
    colleague.patch(&path, json!({"steps": steps(&THEIRS[..5])})).await;
    page.click("Keep both").await;
    page.saved().await;
    let both = [TEXTS[0], "Cover no saucer.", "Cover both saucers.", TEXTS[2], TEXTS[3], TEXTS[4]];
    page.until("document.querySelectorAll('[data-field=steps] li').length === 6").await;
    assert_eq!(step_texts(&colleague, &path).await, both);
    // The cursor is in the row that was written.
    assert_eq!(page.js("return document.activeElement.value").await, "Cover both saucers.");
}

#[tokio::test]
async fn a_conflict_that_was_settled_elsewhere_is_not_asked_about() {
    let (page, colleague, path) = open().await;
    change_step_two_on_both_sides(&page, &colleague, &path).await;
    page.click("Decide later").await;
    page.sees("This was changed elsewhere, too.").await;
    colleague.patch(&path, json!({"steps": steps(&TEXTS)})).await;
    page.saved().await;
    assert_eq!(step_texts(&colleague, &path).await[1], "Cover both saucers.");
}

/// Merges on the page, and returns the value and the paths of the open conflicts.
async fn merged(page: &Page, cases: &[[Value; 3]]) -> Value {
    let script = format!(
        "return import('/ui/merge.js').then(({{ merge }}) => {}.map(([base, mine, theirs]) => {{
            const {{ value, open }} = merge(base ?? undefined, mine ?? undefined, theirs ?? undefined);
            return [value ?? null, open.map(({{ path }}) => path.join('.'))];
         }}))",
        json!(cases)
    );
    page.js(&script).await
}

#[tokio::test]
async fn lists_are_merged_row_by_row_and_objects_part_by_part() {
    let table = json!([
        // base, mine, theirs, merged, conflicts
        [["a", "b", "c"], ["a", "x", "c"], ["a", "b", "y"], ["a", "x", "y"], []],
        [["a", "b", "c"], ["b", "c"], ["a", "b", "y"], ["b", "y"], []],
        [["a", "b", "c"], ["a", "b", "c", "x"], ["a", "b", "c", "y"], ["a", "b", "c", "y", "x"], []],
        [["a", "b", "c"], ["a", "b", "c", "x"], ["a", "b", "c", "x"], ["a", "b", "c", "x"], []],
        [["a", "b", "c"], ["x", "a", "b", "c"], ["a", "c"], ["x", "a", "c"], []],
        [["a", "b", "c"], ["c", "a", "b"], ["a", "b", "c", "x"], ["c", "x", "a", "b"], []],
        [["a", "b", "c"], ["a", "b", "c", "x"], ["c", "a", "b"], ["c", "x", "a", "b"], []],
        [["a a a", "b b b", "c c c"], ["c c c", "a a a", "b b b"], ["a a a", "b b b x", "c c c"], ["c c c", "a a a", "b b b x"], []],
        [["a", "b"], ["a", "x"], ["a", "y"], ["a", "x"], ["1"]],
        [["a", "b"], ["a", "x"], ["a"], ["a", "x"], ["1"]],
        [["a", "b"], ["a"], ["a", "y"], ["a"], ["1"]],
        [["a", "b", "c"], ["c", "a", "b"], ["b", "a", "c"], ["c", "a", "b"], [""]],
        [null, ["a"], ["b"], ["b", "a"], []],
        [["a"], null, ["a", "b"], null, [""]],
        [{"x": 1, "y": 2}, {"x": 1, "y": 3}, {"x": 4, "y": 2}, {"x": 4, "y": 3}, []],
        [{"x": 1, "y": 2}, {"x": 1}, {"x": 4, "y": 2}, {"x": 4}, []],
        [{"x": 1, "y": 2}, {"x": 1, "y": 3}, {"x": 1, "y": 4}, {"x": 1, "y": 3}, ["y"]],
        [{"x": ["a", "b"]}, {"x": ["a"]}, {"x": ["a", "b", "c"]}, {"x": ["a", "c"]}, []],
        [[{"t": "a", "n": 1}], [{"t": "a", "n": 2}], [{"t": "a", "n": 1, "u": 3}], [{"t": "a", "n": 2, "u": 3}], []],
        [[{"t": "a", "n": 1}], [{"t": "a", "n": 2}], [{"t": "a", "n": 3}], [{"t": "a", "n": 2}], ["0"]],
        ["a", "b", "a", "b", []],
        ["a", "b", "c", "b", [""]],
        [1, 2, 3, 2, [""]],
    ]);
    let (page, _) = Page::of_service(WIDE).await;
    let rows = table.as_array().expect("a table");
    let cases: Vec<[Value; 3]> = rows.iter().map(|row| [row[0].clone(), row[1].clone(), row[2].clone()]).collect();
    let results = merged(&page, &cases).await;
    for (n, row) in rows.iter().enumerate() {
        assert_eq!(results[n], json!([row[3], row[4]]), "{row}");
    }
}

#[tokio::test]
async fn a_choice_decides_about_its_row_alone() {
    let (page, _) = Page::of_service(WIDE).await;
    let chosen = async |choice: &str, base: Value, mine: Value, theirs: Value| {
        let script = format!(
            "return import('/ui/merge.js').then(({{ merge, keyOf }}) => {{
                const sides = [{base}, {mine}, {theirs}];
                const choices = new Map(merge(...sides).open.map((conflict) => [keyOf(conflict), '{choice}']));
                return merge(...sides, choices).value;
             }})"
        );
        page.js(&script).await
    };
    let lists = || (json!(["a", "b", "c"]), json!(["a", "x", "c"]), json!(["a", "y", "c", "d"]));
    for (choice, result) in [("mine", "axcd"), ("theirs", "aycd"), ("both", "ayxcd")] {
        let (base, mine, theirs) = lists();
        let letters: Vec<String> = result.chars().map(String::from).collect();
        assert_eq!(chosen(choice, base, mine, theirs).await, json!(letters));
    }
    assert_eq!(chosen("both", json!(""), json!("Mine."), json!("Theirs.")).await, "Theirs.\nMine.");
    let (base, mine, theirs) = (json!("look at it."), json!("look at it, too."), json!("Now look at it."));
    assert_eq!(chosen("both", base, mine, theirs).await, "Now look at it, too.");
    // Two numbers cannot both be kept.
    assert_eq!(chosen("both", json!(1), json!(2), json!(3)).await, 2);
}

/// What one side does with a row.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Change,
    Remove,
    AddBelow,
}

/// Returns lists in which each row is changed by at most one side, and what both changes make of the list.
fn separate_edits() -> Vec<([Value; 3], Value)> {
    let edit =
        prop::option::of((any::<bool>(), prop_oneof![Just(Edit::Change), Just(Edit::Remove), Just(Edit::AddBelow)]));
    let mut runner = TestRunner::deterministic();
    let lists = prop::collection::vec(edit, 1..8);
    let mut drawn = || lists.new_tree(&mut runner).expect("a list").current();
    let case = |edits: Vec<Option<(bool, Edit)>>| {
        let row = |n: usize, more: &str| json!({"text": format!("Row{n} with words{n}{more}"), "minutes": n});
        let side = |takes: &dyn Fn(bool) -> bool| -> Value {
            let rows = edits.iter().enumerate().flat_map(|(n, edit)| match edit.filter(|(mine, _)| takes(*mine)) {
                None => vec![row(n, "")],
                Some((_, Edit::Change)) => vec![row(n, " and more")],
                Some((_, Edit::Remove)) => vec![],
                Some((_, Edit::AddBelow)) => vec![row(n, ""), json!({"text": format!("Fresh{n}")})],
            });
            rows.collect()
        };
        ([side(&|_| false), side(&|mine| mine), side(&|mine| !mine)], side(&|_| true))
    };
    std::iter::repeat_with(|| case(drawn())).take(CASES).collect()
}

#[tokio::test]
async fn changes_of_different_rows_never_ask_and_none_is_lost() {
    let (page, _) = Page::of_service(WIDE).await;
    let cases = separate_edits();
    let sides: Vec<[Value; 3]> = cases.iter().map(|(sides, _)| sides.clone()).collect();
    let results = merged(&page, &sides).await;
    for (n, (sides, both)) in cases.iter().enumerate() {
        assert_eq!(results[n][1], json!([]), "{sides:?}");
        let sorted = |rows: &Value| {
            let mut rows = rows.as_array().expect("rows").clone();
            rows.sort_by_key(|row| row["text"].to_string());
            rows
        };
        assert_eq!(sorted(&results[n][0]), sorted(both), "{sides:?}");
    }
}

#[tokio::test]
async fn what_is_typed_after_its_row_was_removed_goes_into_no_other_row() {
    let (page, colleague, path) = open().await;
    put_the_cursor(&page, 2, 0).await;
    let theirs = [TEXTS[0], TEXTS[1], TEXTS[3], TEXTS[4], TEXTS[5]];
    colleague.patch(&path, json!({"steps": steps(&theirs)})).await;
    page.sees("Steps was changed elsewhere just now.").await;
    page.press("Lost").await;
    page.write("[data-path=assessment]", "Draw.").await;
    page.saved().await;
    assert_eq!(step_texts(&colleague, &path).await, theirs);
}
