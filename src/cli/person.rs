//! `fieldbook person`: adds, lists, exports and erases people, and makes sign-in links for them.

use clap::{Arg, ArgMatches, Command};

use super::output::reason;
use super::with_store::{with_app, with_store};
use super::{audit, healthcheck, person_export};
use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::clock::Clock;
use crate::domain::audit::{AuditAction, AuditActor};
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::domain::page::PageRequest;
use crate::domain::permission::{Principal, Role};
use crate::domain::person::{Invitation, LAST_ADMIN, Person, PersonStatus, email_fault, name_fault};
use crate::domain::secret_token::SecretToken;
use crate::domain::session::LINK_VALIDITY;
use crate::http::sign_in_link;
use crate::ids::Ids;
use crate::settings::Settings;
use crate::store::{PersonAdded, PersonErased, Stamp, Store};

/// Number of people that are read at once.
const PAGE: u32 = 100;

const LONG_ABOUT: &str = "People sign in on the page with a link, which is shown once, works once, and is valid for seven days. A new link \
makes an older one invalid. The service may be running.";

pub fn command() -> Command {
    let name = Arg::new("name").value_name("NAME").required(true).help("The name of the person");
    let email = Arg::new("email").long("email").value_name("E-MAIL").help("The e-mail address of the person");
    let role = Arg::new("role")
        .long("role")
        .value_name("NAME")
        .value_parser(Role::names().into_iter().rev().collect::<Vec<_>>());
    let role = role.help("The role of the person; without it, auth.default-role");
    let id = Arg::new("id").value_name("ID").required(true).help("The id of the person, from fieldbook person list");
    let new_author = Arg::new("reassign").long("reassign").value_name("ID");
    let new_author = new_author.help("Active person who replaces the erased person as author and editor");
    let commands = [
        Command::new("add").about("Adds a person and prints a sign-in link for them").args([name, email, role]),
        Command::new("list").about("Lists the people"),
        Command::new("link").about("Prints a new sign-in link for a person").arg(id.clone()),
        Command::new("export").about("Prints everything stored about a person, as JSON").arg(id.clone()),
        Command::new("erase").about("Erases a person: only the id stays").args([id, new_author]),
    ];
    Command::new("person")
        .about("Adds, lists, exports and erases people, and makes sign-in links")
        .long_about(LONG_ABOUT)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands)
}

pub fn run(settings: &Settings, command: &str, matches: &ArgMatches) -> Result<(), String> {
    if command == "erase" {
        return erase(settings, matches);
    }
    with_store(settings, async |store| match command {
        "add" => add(settings, store, matches).await,
        "list" => list(settings, store).await,
        "export" => export(store, matches).await,
        _ => link(settings, store, matches).await,
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
    let (code, stamp) = (Ids::random().secret_token(), stamp());
    let person = Invitation { name, email, role }.person(Ids::random().object_id(stamp.at), stamp.at);
    match store.invite_person(person.clone(), code.digest(), stamp).await.map_err(|e| e.to_string())? {
        PersonAdded::Added => {
            show(settings, &person, &code)?;
            if person.email.is_none() {
                note!("without an e-mail address, this person can sign in only with links");
            }
            Ok(())
        }
        PersonAdded::EmailTaken => Err("another person has this e-mail address".to_owned()),
        PersonAdded::IdTaken => Err("the new id is taken; try again".to_owned()),
    }
}

/// Prints the sign-in link of a person.
fn show(settings: &Settings, person: &Person, code: &SecretToken) -> Result<(), String> {
    let here = healthcheck::reachable(settings.listen);
    say!("{}", sign_in_link(&healthcheck::base_url(&settings.http, settings.listen), code))?;
    if settings.http.public_url.is_none() && here.ip().is_loopback() {
        note!(
            "this link works only on this computer; to create links for others, set public-url, and give this command the --config of the service"
        );
    }
    let days = LINK_VALIDITY.as_secs() / (24 * 60 * 60);
    note!("this link signs in {} ({}) once, within {days} days", person.name.as_deref().unwrap_or("-"), person.id);
    Ok(())
}

async fn list(settings: &Settings, store: &Store) -> Result<(), String> {
    say!("ID\tSTATUS\tROLE\tCREATED\tLAST SIGN-IN\tE-MAIL\tNAME")?;
    let mut wanted = PageRequest::first(PAGE);
    loop {
        let page = store.all_people(None, wanted.clone()).await.map_err(|e| e.to_string())?;
        wanted.after = page.entries.last().map(|(last, _)| last.clone());
        for (_, Person { id, name, email, role, provider_role, status, created_at, last_sign_in_at, .. }) in
            page.entries
        {
            let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let of_provider = || provider_role.map(|role| format!("{role} (provider)"));
            let by_default =
                || (status != PersonStatus::Erased).then(|| format!("{} (default)", settings.http.default_role));
            let role = shown(role.map(|role| role.to_string()).or_else(of_provider).or_else(by_default));
            let signed_in = shown(last_sign_in_at.map(|at| at.to_string()));
            say!("{id}\t{status}\t{role}\t{created_at}\t{signed_in}\t{}\t{}", shown(email), shown(name))?;
        }
        if !page.has_more {
            return Ok(());
        }
    }
}

async fn link(settings: &Settings, store: &Store, matches: &ArgMatches) -> Result<(), String> {
    let id = id(matches, "id")?.ok_or("give the id of a person")?;
    let code = Ids::random().secret_token();
    match store.make_sign_in_link(id, code.digest(), stamp()).await.map_err(|e| e.to_string())? {
        None => Err(format!("the directory has no person {id}; see fieldbook person list")),
        Some(person) if person.status.is_refused() => Err(format!("the person {id} was disabled or erased")),
        Some(person) => {
            show(settings, &person, &code)?;
            if !person.origin.is_here() && person.role.is_none() {
                note!(
                    "this person has a school account; the link does not grant the role of that account, only a role that is set in the directory, or {}",
                    settings.http.default_role
                );
            }
            Ok(())
        }
    }
}

async fn export(store: &Store, matches: &ArgMatches) -> Result<(), String> {
    let id = id(matches, "id")?.ok_or("give the id of a person")?;
    // The audit entry is stored first, so that the export contains it.
    audit::note(store, AuditAction::PersonExported { person_id: id }).await?;
    say!("{}", person_export::export(store, id).await?)
}

/// Reads the id of a person.
fn id(matches: &ArgMatches, name: &str) -> Result<Option<ObjectId>, String> {
    let read = |text: &String| text.parse().map_err(|_| format!("{text} is not an id; see fieldbook person list"));
    matches.get_one::<String>(name).map(read).transpose()
}

/// Erases a person. A command that failed on the way can be repeated.
fn erase(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let (person, new_author) = (id(matches, "id")?.ok_or("give the id of a person")?, id(matches, "reassign")?);
    // First opens the store with `with_store`, which fails if there is no store, because `with_app` would create an
    // empty one. The second call needs `with_app`, because changing investigations needs the whole service.
    with_store(settings, async |_| Ok(()))?;
    with_app(settings, async |app| erase_in(app, person, new_author).await)
}

async fn erase_in(app: &App, id: ObjectId, new_author: Option<ObjectId>) -> Result<(), String> {
    let known =
        app.store.people(&[id].into_iter().chain(new_author).collect::<Vec<_>>()).await.map_err(|e| e.to_string())?;
    let shown =
        |id: ObjectId| match known.iter().find(|person| person.id == id).and_then(|person| person.name.as_deref()) {
            Some(name) => format!("{name} ({id})"),
            None => id.to_string(),
        };
    let erased = app.store.erase_person(id, new_author, app.http.default_role, stamp()).await;
    match erased.map_err(|e| e.to_string())? {
        PersonErased::Erased | PersonErased::ErasedBefore => {}
        PersonErased::LastAdmin => return Err(LAST_ADMIN.to_owned()),
        PersonErased::NoNewAuthor => {
            let given = new_author.unwrap_or(id);
            return Err(format!(
                "--reassign {given} is not another active person with a role; see fieldbook person list"
            ));
        }
        PersonErased::Unknown => {
            return Err(format!("the directory has no person {id}; see fieldbook person list"));
        }
    }
    note!("a running service notices within 15 seconds");
    let Some(new_author) = new_author else {
        return say!(
            "erased {}; what they wrote still has this id as author; to change that, repeat this with --reassign",
            shown(id)
        );
    };
    let context = ChangeContext { caller: Principal::SERVICE, ..ChangeContext::default() };
    let reassigned = authoring::reassign(app, &context, id, new_author).await.map_err(|error| {
        format!("the person was erased, but not everything was reassigned: {}; repeat the command", reason(error))
    })?;
    let lessons = if reassigned == 1 { "1 lesson has".to_owned() } else { format!("{reassigned} lessons have") };
    say!("erased {}; {lessons} {} as author or editor now", shown(id), shown(new_author))
}
