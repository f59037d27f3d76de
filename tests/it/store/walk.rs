//! Compares the history with a simple model: a tree of whole contents, and the current position in the tree.

use fieldbook::authoring::{self, AuthoringError};
use fieldbook::domain::content::Content;
use fieldbook::domain::history::HistoryRange;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::merge_patch;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::{TestApp, as_service};

#[derive(Debug, Clone)]
enum Move {
    Update(Map<String, Value>),
    Undo,
    Redo,
    Restore(prop::sample::Index),
    Reopen,
}

/// The versions by number, each with its parent and its whole content.
struct Model {
    versions: Vec<(usize, Content)>,
    at: usize,
}

impl Model {
    fn content(&self) -> &Content {
        &self.versions[self.at].1
    }

    fn record(&mut self, content: Content) {
        if content != *self.content() {
            self.versions.push((self.at, content));
            self.at = self.versions.len() - 1;
        }
    }

    fn newest_child(&self) -> Option<usize> {
        (1..self.versions.len()).rev().find(|version| self.versions[*version].0 == self.at)
    }

    fn is_on_the_way(&self, version: usize) -> bool {
        let mut at = self.at;
        while at > version {
            at = self.versions[at].0;
        }
        at == version
    }
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let value = prop_oneof![
        3 => "[a-c]{0,2}".prop_map(Value::from),
        1 => Just(Value::Null),
        1 => (0..3).prop_map(Value::from),
        1 => prop::collection::vec("[a-c]".prop_map(Value::from), 0..3).prop_map(Value::from),
        1 => prop::collection::vec(("[x-z]", "[a-b]"), 0..3).prop_map(|m| m.into_iter().map(|(k, v)| (k, json!(v))).collect()),
    ];
    let patch = prop::collection::vec(("[f-j]", value), 1..3).prop_map(|fields| fields.into_iter().collect());
    let one = prop_oneof![
        5 => patch.prop_map(Move::Update),
        4 => Just(Move::Undo),
        3 => Just(Move::Redo),
        2 => any::<prop::sample::Index>().prop_map(Move::Restore),
        1 => Just(Move::Reopen),
    ];
    prop::collection::vec(one, 1..40)
}

async fn walk(moves: Vec<Move>) {
    let (mut app, _, _) = TestApp::start().await;
    let start: Content =
        [("f".to_owned(), json!("a")), ("h".to_owned(), json!({"y": "a", "x": "b"}))].into_iter().collect();
    let id = authoring::create(&app.app, None, start.clone()).await.expect("created").id;
    let mut model = Model { versions: vec![(0, start)], at: 0 };
    let who = as_service();
    for step in moves {
        match step {
            Move::Update(patch) => {
                model.record(merge_patch::merge_objects(model.content().clone(), &patch));
                authoring::update(&app.app, id, &who, patch).await.expect("updated");
            }
            Move::Undo => match authoring::undo(&app.app, id, &who).await {
                Ok(_) => model.at = model.versions[model.at].0,
                Err(failure) => {
                    assert!(matches!(failure, AuthoringError::NothingToUndo) && model.at == 0, "{failure:?}")
                }
            },
            Move::Redo => match (authoring::redo(&app.app, id, &who).await, model.newest_child()) {
                (Ok(_), Some(child)) => model.at = child,
                (outcome, child) => {
                    assert!(matches!(outcome, Err(AuthoringError::NothingToRedo)) && child.is_none(), "{outcome:?}")
                }
            },
            Move::Restore(index) => {
                let version = index.index(model.versions.len());
                let restored = authoring::restore(&app.app, id, &who, version as u64).await.expect("restored");
                // A restore may choose the order of top-level fields, so the model uses the order of the restored
                // content.
                assert_eq!(restored.content, model.versions[version].1);
                model.record(restored.content);
            }
            Move::Reopen => app = app.restart().await,
        }
        agree(&app, id, &model).await;
    }
    for (version, (_, content)) in model.versions.iter().enumerate() {
        let stored = app.app.store.content_at(id, version as u64).await.expect("read").expect("a version");
        assert_eq!(text(&stored), text(content), "the content at version {version}");
    }
}

fn text(content: &Content) -> String {
    serde_json::to_string(content).expect("JSON")
}

/// Asserts that the content, the version number and every version record agree with the model, byte for byte.
async fn agree(app: &TestApp, id: ObjectId, model: &Model) {
    let stored = app.app.store.load(id).await.expect("read").expect("an investigation");
    assert_eq!(text(&stored.content), text(model.content()));
    assert_eq!(stored.version, model.at as u64);
    let records = app.app.store.versions(id, HistoryRange::newest(1000)).await.expect("read").expect("records");
    assert_eq!(records.len(), model.versions.len() - 1);
    for record in records {
        let version = record.version as usize;
        assert_eq!(record.parent as usize, model.versions[version].0);
        assert_eq!(record.undone, !model.is_on_the_way(version), "the mark of version {version}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn random_walk_of_changes_agrees_with_a_simple_model(moves in moves()) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(walk(moves));
    }
}
