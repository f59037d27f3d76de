//! `fieldbook person`: adds and lists people, and makes sign-in links for them.

use clap::{Arg, ArgMatches, Command};

use super::healthcheck;
use crate::clock::Clock;
use crate::domain::audit::AuditActor;
use crate::domain::id::ObjectId;
use crate::domain::opaque::Opaque;
use crate::domain::page::PageRequest;
use crate::domain::permission::Role;
use crate::domain::person::{Invitation, Person, email_fault, name_fault};
use crate::domain::session::LINK_VALIDITY;
use crate::ids::Ids;
use crate::settings::Settings;
use crate::store::{LinkMade, PersonAdded, Stamp, Store};

/// Number of people that are read at once.
const PAGE: u32 = 100;

const LONG_ABOUT: &str = "People sign in on the page with a link, which is shown once, works once, and is valid for seven days. A new link \
makes an older one invalid. The service may be running.";

pub fn command() -> Command {
    let name = Arg::new("name").value_name("NAME").required(true).help("The name of the person");
    let email = Arg::new("email").long("email").value_name("E-MAIL").help("The e-mail address of the person");
    let role = Arg::new("role").long("role").value_name("NAME").value_parser(Role::ALL.map(Role::name));
    let role = role.help("The role of the person; without it, auth.default-role");
    let id = Arg::new("id").value_name("ID").required(true).help("The id of the person, from fieldbook person list");
    let commands = [
        Command::new("add").about("Adds a person and prints a sign-in link for them").args([name, email, role]),
        Command::new("list").about("Lists the people"),
        Command::new("link").about("Prints a new sign-in link for a person").arg(id),
    ];
    Command::new("person")
        .about("Adds and lists people, and makes sign-in links")
        .long_about(LONG_ABOUT)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands)
}

pub fn run(settings: &Settings, command: &str, matches: &ArgMatches) -> Result<(), String> {
    super::runtime()?.block_on(async {
        let store = super::open_store(settings).await?;
        let done = match command {
            "add" => add(settings, &store, matches).await,
            "list" => list(&store).await,
            _ => link(settings, &store, matches).await,
        };
        store.close().await;
        done
    })
}

fn stamp() -> Stamp {
    Stamp { actor: AuditActor::default(), at: Clock::system().now() }
}

async fn add(settings: &Settings, store: &Store, matches: &ArgMatches) -> Result<(), String> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let (name, email) = (text("name").unwrap_or_default(), text("email"));
    if let Some(fault) = name_fault(&name) {
        return Err(format!("the name {fault}"));
    }
    if let Some(fault) = email.as_deref().and_then(email_fault) {
        return Err(format!("--email {fault}"));
    }
    let role = text("role").and_then(|role| role.parse().ok());
    let (code, stamp) = (Ids::random().opaque(), stamp());
    let person = Invitation { name, email, role }.person(Ids::random().object_id(stamp.at), stamp.at);
    match store.invite_person(person.clone(), code.digest(), stamp).await.map_err(|e| e.to_string())? {
        PersonAdded::Added => show(settings, &person, &code),
        PersonAdded::EmailTaken => Err("another person has this e-mail address".to_owned()),
        PersonAdded::IdTaken => Err("the new id is taken; try again".to_owned()),
    }
}

/// Prints the sign-in link of a person.
fn show(settings: &Settings, person: &Person, code: &Opaque) -> Result<(), String> {
    let here = || format!("http://{}", healthcheck::reachable(settings.listen));
    let base = settings.http.public_url.clone().unwrap_or_else(here);
    say!("{base}/sign-in#code={}", code.expose())?;
    let days = LINK_VALIDITY.as_secs() / (24 * 60 * 60);
    note!("this link signs in {} ({}) once, within {days} days", person.name.as_deref().unwrap_or("-"), person.id);
    Ok(())
}

async fn list(store: &Store) -> Result<(), String> {
    say!("ID\tSTATUS\tROLE\tCREATED\tLAST SIGN-IN\tE-MAIL\tNAME")?;
    let mut wanted = PageRequest::first(PAGE);
    loop {
        let page = store.all_people(None, wanted.clone()).await.map_err(|e| e.to_string())?;
        wanted.after = page.entries.last().map(|(last, _)| last.clone());
        for (_, Person { id, name, email, role, status, created_at, last_sign_in_at }) in page.entries {
            let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let role = shown(role.map(|role| role.to_string()));
            let signed_in = shown(last_sign_in_at.map(|at| at.to_string()));
            say!("{id}\t{status}\t{role}\t{created_at}\t{signed_in}\t{}\t{}", shown(email), shown(name))?;
        }
        if !page.has_more {
            return Ok(());
        }
    }
}

async fn link(settings: &Settings, store: &Store, matches: &ArgMatches) -> Result<(), String> {
    let text = matches.get_one::<String>("id").map(String::as_str).unwrap_or_default();
    let id: ObjectId = text.parse().map_err(|_| format!("{text} is not an id; see fieldbook person list"))?;
    let code = Ids::random().opaque();
    match store.make_sign_in_link(id, code.digest(), stamp()).await.map_err(|e| e.to_string())? {
        LinkMade::For(person) => show(settings, &person, &code),
        LinkMade::Unknown => Err(format!("the directory has no person {id}; see fieldbook person list")),
        LinkMade::Disabled => Err(format!("the person {id} was disabled or erased")),
    }
}
