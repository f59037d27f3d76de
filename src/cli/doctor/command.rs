//! The command, and the order of its checks.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tokio::time::timeout;

use super::finding::{self, Finding, Level};
use super::{files, services, store};
use crate::cli::{output, parts};
use crate::settings::{PLAIN_SIGN_INS, Settings};

/// Time limit for one check. All checks run concurrently.
const LIMIT: Duration = Duration::from_secs(10);

/// Time limit for the test question. A local server may have to load the model first.
const MODEL_LIMIT: Duration = Duration::from_secs(60);

const SETTINGS: &str = "settings";
const SCHEMA: &str = "schema";

pub fn command() -> Command {
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print one JSON object, for programs");
    Command::new("doctor").about("Reports problems of the service with these settings, and changes nothing").arg(json)
}

pub fn run(settings: Result<Settings, String>, matches: &ArgMatches) -> Result<(), String> {
    let findings = match settings {
        Err(sentence) => vec![Finding::from_sentence(SETTINGS, &sentence, "see config.default.toml")],
        Ok(settings) => {
            let runtime = parts::runtime()?;
            let findings = runtime.block_on(check(&settings));
            // A check that did not finish must not delay the end of the program.
            runtime.shutdown_timeout(Duration::from_millis(100));
            findings
        }
    };
    if matches.get_flag("json") {
        output::lines(&finding::as_json(&findings))?;
    } else {
        findings.iter().try_for_each(|finding| say!("{finding}"))?;
    }
    match findings.iter().filter(|finding| finding.level == Level::Problem).count() {
        0 => Ok(()),
        1 => Err("there is a problem".to_owned()),
        count => Err(format!("there are {count} problems")),
    }
}

async fn check(settings: &Settings) -> Vec<Finding> {
    let (store, provider, profiles, model) = tokio::join!(
        in_time(store::STORE, LIMIT, store::check(settings)),
        in_time(services::PROVIDER, LIMIT, services::check_provider(settings)),
        in_time(services::PROFILES, LIMIT, async { vec![services::check_profiles(settings).await] }),
        in_time(services::MODEL, MODEL_LIMIT, async { vec![services::check_model(settings).await] }),
    );
    [check_settings(settings), files::check(settings), store, provider, profiles, model].concat()
}

fn check_settings(settings: &Settings) -> Vec<Finding> {
    let given: Vec<String> = settings.given.iter().map(|(name, origin)| format!("{name} from {origin}")).collect();
    let others =
        if given.is_empty() { "all have default values".to_owned() } else { format!("set: {}", given.join(", ")) };
    let mut findings = vec![Finding::ok(SETTINGS, format!("valid; {others}"))];
    findings.extend(parts::misspelt().into_iter().map(|unknown| {
        let message = format!("the environment variable {} is not a setting and has no effect", unknown.variable);
        Finding::warning(SETTINGS, message, unknown.remedy())
    }));
    if settings.has_plain_sign_ins() {
        findings.push(Finding::warning(SETTINGS, PLAIN_SIGN_INS.message, PLAIN_SIGN_INS.remedy));
    }
    findings.extend(services::check_receivers(SETTINGS, settings));
    let schema = parts::schema(settings.schema.as_deref()).and_then(|schema| parts::rules(&schema));
    findings.push(match schema {
        Ok(_) => Finding::ok(SCHEMA, "it and its rules can be used"),
        Err(sentence) => Finding::from_sentence(SCHEMA, &sentence, "correct it, or omit --schema"),
    });
    findings
}

async fn in_time(check: &'static str, limit: Duration, findings: impl Future<Output = Vec<Finding>>) -> Vec<Finding> {
    timeout(limit, findings).await.unwrap_or_else(|_| {
        let says = format!("the check did not finish within {} s", limit.as_secs());
        vec![Finding::problem(check, says, "find out what blocks it, and run doctor again")]
    })
}
