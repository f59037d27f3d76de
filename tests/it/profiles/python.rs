//! The profile service in Python that `examples/profiles/` shows.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use fieldbook::profiles::stubs::profile_service_client::ProfileServiceClient;
use fieldbook::profiles::stubs::{BatchGetProfilesRequest, GetProfileRequest, Profile};
use serde_json::{Value, json};
use tempfile::TempDir;
use tonic::Code;
use tonic::transport::Endpoint;

use super::{authors, bare, start_with_authors, user};
use crate::support::process::{Service, python};
use crate::support::profile_service::settings;
use crate::support::token::{IN_AN_HOUR, signed};
use crate::support::{COLLEAGUE, TEACHER};

/// A user whom the Python service does not know.
const NOBODY: &str = "ffffffffffffffffffffffff";

/// The service of the example, which also reports its calls. It ends when this value is dropped.
struct Recording {
    process: Child,
    output: BufReader<ChildStdout>,
    address: String,
    _folder: TempDir,
}

impl Recording {
    fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("people.json");
        std::fs::write(&file, json!([zoe(&user(1), "01"), zoe(&user(2), "02")]).to_string()).expect("written");
        let mut program = python("tests/it/profiles/recording.py");
        let mut process = program.arg(file).args(arguments).stdout(Stdio::piped()).spawn().expect("python starts");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").expect("the announcement").to_owned();
        Self { process, output, address, _folder: folder }
    }

    /// Returns the next call that the service received.
    fn asked(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn zoe(id: &str, ending: &str) -> Value {
    json!({"id": id, "name": format!("Zoë {ending}"), "email": format!("{id}@example.org"), "avatar": null})
}

#[tokio::test]
async fn example_profile_service_names_all_authors_of_a_list_in_one_call() {
    let mut python = Recording::start(&[]);
    let all = [Some(user(1)), None, Some(NOBODY.to_owned()), Some(user(2)), Some(user(1))];
    let (app, _) = start_with_authors(settings(python.address.parse().expect("an address")), &all).await;
    let token = signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR}));
    let teacher = app.anon().bearing(&token);
    let expected = [zoe(&user(1), "01"), bare(None), bare(Some(NOBODY)), zoe(&user(2), "02"), zoe(&user(1), "01")];
    assert_eq!(authors(&teacher).await, expected);
    assert_eq!(
        python.asked(),
        json!({"call": "BatchGetProfiles", "ids": [user(1), NOBODY, user(2)], "authorization": format!("Bearer {token}")})
    );
    // The first answer is cached for its token, so the test uses another token for the next call.
    assert_eq!(authors(&teacher).await, expected);
    let token = signed(&json!({"userId": COLLEAGUE, "exp": IN_AN_HOUR}));
    assert_eq!(authors(&app.anon().bearing(&token)).await, expected);
    assert_eq!(python.asked()["authorization"], json!(format!("Bearer {token}")));
}

#[tokio::test]
async fn example_profile_service_without_batch_calls_is_asked_one_user_at_a_time() {
    let mut python = Recording::start(&["--one-by-one"]);
    let all = [Some(user(1)), Some(NOBODY.to_owned()), Some(user(2))];
    let (_app, teacher) = start_with_authors(settings(python.address.parse().expect("an address")), &all).await;
    assert_eq!(authors(&teacher).await, [zoe(&user(1), "01"), bare(Some(NOBODY)), zoe(&user(2), "02")]);
    let mut asked: Vec<_> = (0..3).map(|_| python.asked()["ids"][0].to_string()).collect();
    asked.sort();
    assert_eq!(asked, [user(1), user(2), NOBODY.to_owned()].map(|id| format!("\"{id}\"")));
}

#[tokio::test]
async fn example_profile_service_answers_each_call_as_its_contract_says() {
    let example = Service::example_of_profiles();
    let channel = Endpoint::from_shared(example.base.clone()).expect("an address").connect().await;
    let mut client = ProfileServiceClient::new(channel.expect("a connection"));
    let grace = || Profile {
        user_id: "64b64c6f1f4e4b0012345679".into(),
        name: Some("Grace Example".into()),
        email: Some("grace@school.example".into()),
        avatar: None,
    };
    let mut get = async |id: &str| {
        let answer = client.get_profile(GetProfileRequest { user_id: id.into() }).await;
        answer.map(|answer| answer.into_inner().profile).map_err(|status| status.code())
    };
    assert_eq!(get(&grace().user_id).await, Ok(Some(grace())));
    assert_eq!(get(NOBODY).await, Err(Code::NotFound));
    assert_eq!(get("grace").await, Err(Code::InvalidArgument));
    let mut batch = async |ids: &[&str]| {
        let user_ids = ids.iter().map(|id| (*id).to_owned()).collect();
        let answer = client.batch_get_profiles(BatchGetProfilesRequest { user_ids }).await;
        answer.map(|answer| answer.into_inner().profiles).map_err(|status| status.code())
    };
    assert_eq!(batch(&[NOBODY, &grace().user_id]).await, Ok(vec![grace()]));
    assert_eq!(batch(&[]).await, Ok(vec![]));
    assert_eq!(batch(&[&grace().user_id, "grace"]).await, Err(Code::InvalidArgument));
}
