//! `fieldbook-from-mongo`: turns collections that mongoexport wrote into a file for `fieldbook import`.

use std::collections::{BTreeMap, HashSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use fieldbook_domain::id::ObjectId;
use fieldbook_domain::printable::printable;
use fieldbook_from_mongo::document::{Converted, Document, derived};
use fieldbook_from_mongo::field_map::FieldMap;
use fieldbook_from_mongo::report::Report;
use fieldbook_from_mongo::{chats, investigations, links, texts, versions};
use serde_json::json;

/// Names of the collections. The command-line options and the tables of the map have the same names.
const COLLECTIONS: [&str; 4] = ["investigations", "chats", "links", "versions"];

fn command() -> Command {
    let file = |name| Arg::new(name).long(name).value_name("FILE");
    let flag = |name| Arg::new(name).long(name).action(ArgAction::SetTrue);
    Command::new("fieldbook-from-mongo")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Turns collections of MongoDB into a file for fieldbook import")
        .args(COLLECTIONS.map(|name| file(name).action(ArgAction::Append).help(format!("A file with {name}"))))
        .args([
            file("map").help("TOML file with a table per collection that maps source paths to target paths"),
            flag("new-ids").help("Derive object identifiers from other ids"),
            flag("lossy").help("Exit with 0 even if something was lost"),
            flag("dry-run").help("Only reports what would be written"),
            file("out").required_unless_present("dry-run").help("The file to write; it must be new"),
        ])
}

fn main() -> ExitCode {
    match run(&command().get_matches()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(reason) => {
            eprintln!("fieldbook-from-mongo: {}", printable(&reason));
            ExitCode::FAILURE
        }
    }
}

/// Converts the files. Returns whether nothing was lost.
fn run(options: &ArgMatches) -> Result<bool, String> {
    let mut conversion = Conversion { options, maps: maps(options.get_one("map"))?, report: Report::default() };
    let mut chats = conversion.read("chats", chats::read)?;
    let mut links = conversion.read("links", links::read)?;
    let mut versions = conversion.read("versions", versions::read)?;
    let investigations = conversion.read("investigations", investigations::read)?;
    let report = &mut conversion.report;
    let mut lines = vec![json!({"fieldbook": {"form": 2}})];
    for (document, current) in investigations.into_values().flatten() {
        let id = current.id;
        let (sources, parts): (Vec<_>, Vec<_>) = versions.remove(&id).unwrap_or_default().into_iter().unzip();
        let history = versions::history(&current, parts);
        sources.iter().for_each(|source| match &history {
            Ok(_) => report.add(source),
            Err(reason) => report.refuse(source, reason),
        });
        let (current, records) = history.unwrap_or((current, Vec::new()));
        // Several chats become one, with the _id of the first. An investigation without a chat gets an empty one.
        let chats = chats.remove(&id).unwrap_or_default();
        chats.iter().for_each(|(source, _)| report.add(source));
        let chat_id = chats.first().map_or_else(|| derived("chat", &id.to_string()), |(_, chat)| chat.id);
        let entries: Vec<_> = chats.into_iter().flat_map(|(_, chat)| chat.history).collect();
        let links = links.remove(&id).unwrap_or_default();
        links.iter().for_each(|(source, _)| report.add(source));
        let links: Vec<_> = links.into_iter().map(|(_, link)| json!({"link": link, "days": []})).collect();
        report.add(&document);
        let chat = json!({"_id": chat_id, "history": entries});
        let entry = json!({"document": current, "records": records, "chat": chat, "links": links, "detect": true});
        lines.push(json!({"investigation": entry}));
    }
    let orphans = sources(chats).chain(sources(links)).chain(sources(versions));
    orphans.for_each(|orphan| report.refuse(&orphan, "no file of --investigations has its investigation"));
    lines.push(json!({"end": {"lines": lines.len()}}));
    let is_dry = options.get_flag("dry-run");
    if let Some(name) = options.get_one::<String>("out").filter(|_| !is_dry) {
        write(name, &lines).map_err(|error| format!("cannot write the file {name}: {error}; name a new file"))?;
    }
    report.print(is_dry)?;
    Ok(report.is_whole() || options.get_flag("lossy"))
}

fn maps(name: Option<&String>) -> Result<BTreeMap<String, FieldMap>, String> {
    let Some(name) = name else { return Ok(BTreeMap::new()) };
    let text = std::fs::read_to_string(name).map_err(|error| format!("cannot read the map {name}: {error}"))?;
    FieldMap::parse_all(&text, &COLLECTIONS).map_err(|error| format!("cannot use the map {name}: {error}"))
}

/// Writes a new file, which only its owner may read.
fn write(name: &str, lines: &[serde_json::Value]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(name)?;
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    file.write_all(lines.as_bytes())?;
    file.sync_all()
}

type Documents<T> = BTreeMap<ObjectId, Vec<(Document, T)>>;

fn sources<T>(converted: Documents<T>) -> impl Iterator<Item = Document> {
    converted.into_values().flatten().map(|(document, _)| document)
}

struct Conversion<'o> {
    options: &'o ArgMatches,
    maps: BTreeMap<String, FieldMap>,
    report: Report,
}

impl Conversion<'_> {
    /// Reads the files of a collection. Documents that are left out are only reported.
    fn read<T>(&mut self, name: &str, convert: fn(&mut Document) -> Converted<T>) -> Result<Documents<T>, String> {
        let (none, mut keys, mut converted) = (FieldMap::default(), HashSet::new(), Documents::new());
        for file in self.options.get_many::<String>(name).unwrap_or_default() {
            let fault = |reason: String| format!("cannot read the file {file}: {reason}");
            let bytes = std::fs::read(file).map_err(|error| fault(error.to_string()))?;
            for (number, text) in (1..).zip(texts::split(&bytes).map_err(fault)?) {
                let new_ids = self.options.get_flag("new-ids");
                let mut document = Document { file: file.clone(), number, new_ids, ..Document::default() };
                let read = document.parse(text, self.maps.get(name).unwrap_or(&none));
                let read = read.and_then(|()| convert(&mut document));
                document.finish(name);
                let known = document.keys.iter().find(|key| read.is_ok() && !keys.insert((*key).clone()));
                match (read, known) {
                    (Ok(_), Some(key)) => self.report.refuse(&document, &format!("an earlier document has the {key}")),
                    (Ok((of, it)), None) => converted.entry(of).or_default().push((document, it)),
                    (Err(reason), _) => self.report.refuse(&document, &reason),
                }
            }
        }
        Ok(converted)
    }
}
