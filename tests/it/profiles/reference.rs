//! `fieldbook profiles`: the profile service that reads its profiles from a file.

use std::path::Path;
use std::process::Command;

use fieldbook::profiles::stubs::profile_service_client::ProfileServiceClient;
use fieldbook::profiles::stubs::{BatchGetProfilesRequest, GetProfileRequest, Profile};
use serde_json::{Value, json};
use tonic::Code;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::support::TEACHER;
use crate::support::process::{Service, fieldbook, refused};

fn people(folder: &Path, people: &Value) -> std::path::PathBuf {
    let file = folder.join("people.json");
    std::fs::write(&file, people.to_string()).expect("written");
    file
}

async fn connect(service: &Service) -> Channel {
    Endpoint::from_shared(service.base.clone()).expect("an address").connect().await.expect("a connection")
}

async fn batch(client: &mut ProfileServiceClient<Channel>, ids: &[&str]) -> Result<Vec<Profile>, Code> {
    let user_ids = ids.iter().map(|id| (*id).to_owned()).collect();
    let answer = client.batch_get_profiles(BatchGetProfilesRequest { user_ids }).await;
    answer.map(|answer| answer.into_inner().profiles).map_err(|status| status.code())
}

async fn get(client: &mut ProfileServiceClient<Channel>, id: &str) -> Result<Option<Profile>, Code> {
    let answer = client.get_profile(GetProfileRequest { user_id: id.to_owned() }).await;
    answer.map(|answer| answer.into_inner().profile).map_err(|status| status.code())
}

#[tokio::test]
async fn it_tells_who_the_people_of_its_file_are_to_whoever_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = people(folder.path(), &json!([{"id": TEACHER.to_uppercase(), "name": "Ada", "email": null}]));
    let service = Service::profiles(&file, &[]);
    let mut client = ProfileServiceClient::new(connect(&service).await);
    let ada = Profile { user_id: TEACHER.into(), name: Some("Ada".into()), email: None, avatar: None };
    let nobody = "0".repeat(24);
    assert_eq!(get(&mut client, TEACHER).await, Ok(Some(ada.clone())));
    assert_eq!(get(&mut client, &nobody).await, Err(Code::NotFound));
    assert_eq!(get(&mut client, "ada").await, Err(Code::InvalidArgument));
    assert_eq!(batch(&mut client, &[&nobody, TEACHER]).await, Ok(vec![ada]));
    assert_eq!(batch(&mut client, &[]).await, Ok(vec![]));
    assert_eq!(batch(&mut client, &[TEACHER, "ada"]).await, Err(Code::InvalidArgument));
    assert_eq!(batch(&mut client, &[TEACHER; 1001]).await, Err(Code::InvalidArgument));
    let service_name = "fieldbook.profile.v1.ProfileService".to_owned();
    let health = HealthClient::new(connect(&service).await).check(HealthCheckRequest { service: service_name }).await;
    assert_eq!(health.expect("an answer").into_inner().status().as_str_name(), "SERVING");
}

#[tokio::test]
async fn it_reads_the_file_again_when_it_has_changed_and_stays_with_the_old_one_where_that_is_no_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = people(folder.path(), &json!([{"id": TEACHER, "name": "Ada"}]));
    let service = Service::profiles(&file, &[]);
    let mut client = ProfileServiceClient::new(connect(&service).await);
    let mut name = async || get(&mut client, TEACHER).await.expect("a profile").expect("a profile").name;
    assert_eq!(name().await.as_deref(), Some("Ada"));
    people(folder.path(), &json!([{"id": TEACHER, "name": "Ada Lovelace"}]));
    assert_eq!(name().await.as_deref(), Some("Ada Lovelace"));
    people(folder.path(), &json!([{"id": "somebody"}]));
    assert_eq!(name().await.as_deref(), Some("Ada Lovelace"));
    std::fs::remove_file(&file).expect("removed");
    assert_eq!(name().await.as_deref(), Some("Ada Lovelace"));
    people(folder.path(), &json!([{"id": TEACHER, "name": "Countess of Lovelace"}]));
    assert_eq!(name().await.as_deref(), Some("Countess of Lovelace"));
}

#[tokio::test]
async fn a_service_names_its_authors_with_it_and_both_end_with_0() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = people(folder.path(), &json!([{"id": TEACHER, "name": "Ada", "avatar": "https://example.org/a.png"}]));
    let mut profiles = Service::profiles(&file, &[]);
    let mut service = Service::start_with(folder.path(), &["--profiles-url", &profiles.base]);
    let token = fieldbook("token", folder.path()).args(["--user", TEACHER]).output().expect("run").stdout;
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
    let create = client.post(format!("{}/api/investigation", service.base));
    let create = create.bearer_auth(String::from_utf8_lossy(&token).trim()).header("content-type", "application/json");
    let created = create.body("{}").send().await.expect("an answer").text().await.expect("a text");
    let created: Value = serde_json::from_str(&created).expect("JSON");
    assert_eq!(
        created["data"]["author"],
        json!({"id": TEACHER, "name": "Ada", "email": null, "avatar": "https://example.org/a.png"})
    );
    // The service keeps a connection to the profile service open, and both must still stop.
    for process in [&mut profiles.process, &mut service.process] {
        assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().expect("kill").success());
        assert_eq!(process.wait().expect("ended").code(), Some(0));
    }
}

#[test]
fn a_file_that_cannot_be_used_is_answered_with_a_sentence_and_no_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = |file: &Path, listen: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
        program.args(["profiles", "--listen", listen, "--file"]).arg(file);
        refused(program.output().expect("run")).replace(&folder.path().display().to_string(), "…")
    };
    let wrong = |text: &str| {
        let file = folder.path().join("people.json");
        std::fs::write(&file, text).expect("written");
        start(&file, "127.0.0.1:0")
    };
    assert_eq!(
        start(&folder.path().join("none.json"), "127.0.0.1:0"),
        "fieldbook: cannot read the profiles file …/none.json: No such file or directory (os error 2); check --file"
    );
    assert_eq!(
        wrong("[{\"id\": \"ada\"}]"),
        "fieldbook: the profiles file …/people.json cannot be used: must be 24 hexadecimal digits at line 1 column 14; give a JSON array of people: [{\"id\": \"24 hexadecimal digits\", \"name\": \"…\", \"email\": \"…\", \"avatar\": \"…\"}]"
    );
    assert!(wrong("{}").contains("cannot be used: invalid type: map, expected a sequence"));
    assert!(wrong(&format!("[{{\"id\": \"{TEACHER}\", \"mail\": \"\"}}]")).contains("unknown field `mail`"));
    let twice = format!("[{{\"id\": \"{TEACHER}\"}}, {{\"id\": \"{}\"}}]", TEACHER.to_uppercase());
    assert!(wrong(&twice).contains(&format!("cannot be used: {TEACHER} appears twice; ")));
    let file = people(folder.path(), &json!([]));
    let taken = Service::profiles(&file, &[]);
    let taken = taken.base.trim_start_matches("http://");
    assert!(start(&file, taken).ends_with("choose another address with --listen"));
    assert!(start(&file, "here").contains("cannot be \"here\"; give an IP address and a port"));
}
