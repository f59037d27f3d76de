//! A dismissal hides a finding exactly as long as the values that the finding was made from stay the same.

use fieldbook::authoring::{self, AuthoringError, dismissals};
use fieldbook::domain::content::Content;
use fieldbook::domain::dismissal::{self, Dismissal, DismissalRequest, MAX};
use fieldbook::domain::finding::{Evidence, Finding, Findings};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::status::Status;
use fieldbook::domain::time::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{at_odds, finds_birds, found, start, updated};
use crate::http::investigation::dismiss::{counts, dismissed};
use crate::http::investigation::undo::complete;
use crate::support::endpoint::{Answer, Question, finds};
use crate::support::{TestApp, as_service};

#[derive(Debug, Clone)]
enum Move {
    Update(Map<String, Value>),
    Undo,
    Redo,
    Restore(prop::sample::Index),
    Dismiss(prop::sample::Index),
    Remove(prop::sample::Index),
}

/// Edits of the few values that the rules read, so that old values come back often.
fn moves() -> impl Strategy<Value = Vec<Move>> {
    let text = prop_oneof!["Sow", "Look at step [124]", "As in step [13], go on to step [35]"];
    let step =
        (text, prop_oneof![Just(5), Just(30)]).prop_map(|(text, minutes)| json!({"text": text, "minutes": minutes}));
    let patch = prop_oneof![
        prop_oneof![Just(10), Just(20)].prop_map(|minutes| json!({"durationMinutes": minutes})),
        prop::collection::vec(step, 1..3).prop_map(|steps| json!({"steps": steps})),
        "[ab]".prop_map(|title| json!({"title": title})),
    ];
    let one = prop_oneof![
        5 => patch.prop_map(|patch| Move::Update(patch.as_object().cloned().expect("an object"))),
        3 => Just(Move::Undo),
        2 => Just(Move::Redo),
        1 => any::<prop::sample::Index>().prop_map(Move::Restore),
        5 => any::<prop::sample::Index>().prop_map(Move::Dismiss),
        1 => any::<prop::sample::Index>().prop_map(Move::Remove),
    ];
    prop::collection::vec(one, 1..30)
}

/// A dismissal in the model of this test: the id, the finding, and the values that its evidence points at.
type Read = (ObjectId, Finding, Vec<Option<Value>>);

fn values(finding: &Finding, content: &Content) -> Vec<Option<Value>> {
    let whole = Value::Object(content.clone());
    finding.evidence.iter().map(|place| FieldPath::parse(&place.field_path).get(&whole).cloned()).collect()
}

async fn walk(moves: Vec<Move>) {
    let (app, _, _) = TestApp::start().await;
    let who = as_service();
    let first = complete(20).as_object().cloned().expect("an object");
    let id = authoring::create(&app.app, None, first).await.expect("created").id;
    let mut model: Vec<Read> = Vec::new();
    for step in moves {
        let before = app.app.store.load(id).await.expect("read").expect("an investigation");
        match step {
            Move::Update(patch) => drop(authoring::update(&app.app, id, &who, patch).await.expect("updated")),
            Move::Undo => match authoring::undo(&app.app, id, &who).await {
                Ok(_) | Err(AuthoringError::NothingToUndo) => {}
                Err(error) => panic!("{error:?}"),
            },
            Move::Redo => match authoring::redo(&app.app, id, &who).await {
                Ok(_) | Err(AuthoringError::NothingToRedo) => {}
                Err(error) => panic!("{error:?}"),
            },
            Move::Restore(index) => {
                let version = index.index(before.latest_version as usize + 1) as u64;
                authoring::restore(&app.app, id, &who, version).await.expect("restored");
            }
            Move::Dismiss(index) if !before.findings.contradictions.is_empty() => {
                let finding = index.get(&before.findings.contradictions).clone();
                let paths: Vec<&String> = finding.evidence.iter().map(|place| &place.field_path).collect();
                let body = json!({"fieldName": finding.field_name, "conflictsWith": finding.conflicts_with, "evidence": paths});
                let asked = DismissalRequest::read(body.as_object().expect("an object")).expect("a request");
                let after = dismissals::dismiss(&app.app, id, &who, &asked).await.expect("dismissed");
                let new = after.dismissals.last().expect("a dismissal");
                // Two findings can have the same evidence. The service then dismisses the first, so the test takes
                // the finding from the answer.
                model.push((new.id, new.finding.clone(), values(&new.finding, &before.content)));
            }
            Move::Remove(index) if !model.is_empty() => {
                let (gone, ..) = model.remove(index.index(model.len()));
                dismissals::remove(&app.app, id, &who, gone).await.expect("removed");
            }
            Move::Dismiss(_) | Move::Remove(_) => {}
        }
        agree(&app, id, &model).await;
    }
}

async fn agree(app: &TestApp, id: ObjectId, model: &[Read]) {
    let stored = app.app.store.load(id).await.expect("read").expect("an investigation");
    let applies = |(_, finding, read): &&Read| values(finding, &stored.content) == *read;
    let same = |one: &Finding, other: &Finding| one.source == other.source && one.evidence == other.evidence;
    let mut expected = app.app.assistant.detect(&stored.content).contradictions;
    expected.retain(|finding| !model.iter().filter(applies).any(|(_, read, _)| same(read, finding)));
    let status =
        if expected.is_empty() { Status::DraftNonContradictoryComplete } else { Status::DraftContradictoryComplete };
    assert_eq!((&stored.findings.contradictions, stored.status), (&expected, status));
    let live: Vec<ObjectId> = stored.dismissals.iter().filter(|d| !d.dormant).map(|d| d.id).collect();
    assert_eq!(live, model.iter().filter(applies).map(|(id, ..)| *id).collect::<Vec<_>>());
    assert_eq!(stored.dismissals.len(), model.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn dismissed_finding_is_hidden_until_a_value_it_was_based_on_changes(moves in moves()) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(walk(moves));
    }
}

fn finding(source: &str, places: &[(&str, &str)]) -> Finding {
    Finding {
        field_name: "steps".into(),
        conflicts_with: vec!["safety".into()],
        reason: "Both cannot be.".into(),
        evidence: places.iter().map(|(path, quote)| Evidence::new(&FieldPath::parse(path), *quote)).collect(),
        also_at: Vec::new(),
        suggestion: None,
        source: source.into(),
    }
}

fn content() -> Content {
    let content = json!({"steps": [{"text": "Light the burner"}], "safety": ["No flames"], "title": "Fire"});
    content.as_object().cloned().expect("an object")
}

/// Returns the dismissal number `n` of this finding in [`content`].
fn nth(n: u8, finding: Finding) -> Dismissal {
    Dismissal::new(ObjectId::from_bytes([n; 12]), finding, &content(), None, Timestamp(0), None)
}

#[test]
fn dismissal_hides_a_reworded_finding_only_if_a_model_made_the_finding() {
    let both = [("steps.0.text", "Light"), ("safety.0", "No flames")];
    let other_words = [("safety.0", "flames"), ("steps.0.text", "the burner")];
    let hides = |mine: Finding, other: &Finding| dismissal::is_dismissed(&[nth(1, mine)], other);
    assert!(hides(finding("model:muse", &both), &finding("model:newer", &other_words)));
    assert!(hides(finding("rule:fire", &both), &finding("model:muse", &other_words)), "it read the same values");
    assert!(!hides(finding("rule:fire", &both), &finding("rule:fire", &other_words)));
    assert!(!hides(finding("rule:fire", &both), &finding("rule:flames", &both)));
    assert!(!hides(finding("model:muse", &both), &finding("rule:fire", &both)));
    let more = [both[0], both[1], ("title", "Fire")];
    assert!(!hides(finding("model:muse", &both), &finding("model:muse", &more)), "the title was not read");
    assert!(!hides(finding("model:muse", &both), &finding("model:muse", &[])));
    let mut other_pair = finding("model:muse", &both);
    other_pair.conflicts_with = vec!["title".into()];
    assert!(!hides(finding("model:muse", &both), &other_pair));
    (other_pair.field_name, other_pair.conflicts_with) = ("safety".into(), vec!["steps".into()]);
    assert!(hides(finding("model:muse", &both), &other_pair), "the other side first");
}

#[test]
fn dismissed_finding_is_shown_again_if_its_missing_value_is_added_or_its_list_or_field_grows() {
    for (places, patch) in [
        (vec![("steps.0.minutes", "")], json!({"steps": [{"text": "Light the burner", "minutes": 5}]})),
        (vec![("steps", "")], json!({"steps": [{"text": "Light the burner"}, {"text": "Watch"}]})),
        (vec![], json!({"safety": ["No flames", "Goggles"]})),
    ] {
        let finding = finding("rule:fire", &places);
        let mut after = content();
        after.extend(patch.as_object().cloned().expect("an object"));
        let findings =
            Findings { contradictions: vec![finding.clone()], hints: vec![finding.clone()], ..Findings::default() };
        let now = dismissal::for_content(vec![nth(1, finding)], &content());
        assert_eq!(dismissal::shown(&now, findings.clone()), Findings::default(), "{places:?}");
        let later = dismissal::for_content(now.clone(), &after);
        assert_eq!(dismissal::shown(&later, findings), findings_again(&places), "{places:?}");
        assert_eq!(dismissal::for_content(later, &content()), now);
    }
}

fn findings_again(places: &[(&str, &str)]) -> Findings {
    let finding = finding("rule:fire", places);
    Findings { contradictions: vec![finding.clone()], hints: vec![finding], ..Findings::default() }
}

#[test]
fn dismissal_beyond_the_limit_replaces_the_oldest_one_that_hides_nothing() {
    let each = |n: u8| nth(n, finding("rule:fire", &[("safety.0", "No flames")]));
    let mut all: Vec<Dismissal> = (0..MAX as u8).map(each).collect();
    let refused = dismissal::added(&all, each(255)).expect_err("full");
    assert_eq!(refused[0].message, "are 200, the most that an investigation keeps; take one back with DELETE");
    all[3].dormant = true;
    all[7].dormant = true;
    let after = dismissal::added(&all, each(255)).expect("room");
    assert_eq!((after.len(), after[3].id, after[MAX - 1].id), (MAX, all[4].id, each(255).id));
}

#[tokio::test]
async fn dismissed_model_finding_stays_dismissed_when_the_model_rewords_it() {
    let (endpoint, app, teacher) = start(|question: &Question| match question.kind {
        "findings" if question.holds(&["leans to the window", "three birds", "Oats"]) => {
            finds(&[("assessment", "birds", "phenomenon", "the window", "Birds do not lean.")])
        }
        _ => finds_birds(question),
    })
    .await;
    let id = teacher.create(at_odds()).await;
    let path = format!("/api/investigation/{id}");
    let asked = endpoint.count("findings");
    let birds = json!({"fieldName": "phenomenon", "conflictsWith": ["assessment"]});
    let hidden = dismissed(&teacher, &path, birds.clone()).await;
    assert_eq!((counts(&hidden).0, counts(&hidden).2, endpoint.count("findings")), (0, 1, asked), "no model was asked");
    let titled = updated(&teacher.patch(&path, json!({"title": "Oats"})).await);
    assert_eq!((found(&titled), endpoint.count("findings")), (vec![], asked + 1));
    let changed = updated(&teacher.patch(&path, json!({"assessment": "Name three birds of prey."})).await);
    assert_eq!(found(&changed), ["model:muse assessment"]);
    assert_eq!(found(&teacher.post_empty(&format!("{path}/undo")).await.data()), Vec::<String>::new());
    let dismissal = hidden["dismissed"][0]["id"].as_str().expect("an id");
    let back = teacher.delete(&format!("{path}/dismissals/{dismissal}")).await.data();
    assert_eq!(found(&back), ["model:muse assessment"]);
    drop(app);
}

#[tokio::test]
async fn hint_can_be_dismissed_like_a_contradiction() {
    let (_endpoint, _app, teacher) = start(|question: &Question| match (question.kind, finds_birds(question)) {
        ("findings", Answer::Says(mut found)) if found["time"][0].is_object() => {
            found["time"][0]["sure"] = json!(false);
            Answer::Says(found)
        }
        (_, answer) => answer,
    })
    .await;
    let path = teacher.create_path(at_odds()).await;
    assert_eq!(counts(&teacher.get(&path).await.data()), (0, 1, 0, "draft_incomplete"));
    let hidden = dismissed(&teacher, &path, json!({"fieldName": "phenomenon", "conflictsWith": ["assessment"]})).await;
    assert_eq!(counts(&hidden), (0, 0, 1, "draft_incomplete"));
    let again = updated(&teacher.patch(&path, json!({"title": "Oats"})).await);
    assert_eq!(counts(&again), (0, 0, 1, "draft_incomplete"));
}
