//! Imports documents of MongoDB collections.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::Value;

use super::chats::{self, ChatPart};
use super::members::{Account, Outcome};
use super::mongo::{Document, Kind, Reader, Reading};
use super::texts::{Text, Texts};
use super::versions::{self, Version};
use super::{Import, MAX_TEXT, Stopped, stopped};
use crate::domain::change::same_content;
use crate::domain::chat::Chat;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::link::Link;
use crate::domain::path::FieldPath;
use crate::store::jsonl::Entry;
use crate::store::{ChatFill, LinkCreated, Reports, StoreError};

/// An import of MongoDB documents, with the counts so far.
pub struct DocumentImport<'i> {
    import: Import<'i>,
    reader: Reader<'i>,
    /// Chats that are not stored yet, by investigation. Chats of one investigation are merged before they are stored.
    chats: BTreeMap<ObjectId, Vec<(Source, ChatPart)>>,
    /// Versions from the file given with `--versions`, by investigation, until the investigation is imported.
    versions: BTreeMap<ObjectId, Vec<(Source, Version)>>,
    /// Size of the documents in `chats` or `versions`, in bytes.
    buffered_bytes: usize,
    /// Numbers of imported investigations, chats, links and versions.
    added: [u64; 4],
    existing: u64,
    rejected: u64,
    totals: Account,
}

/// Where a document comes from, and how many of its values were kept, mapped or not stored.
struct Source {
    line: String,
    id: String,
    account: Account,
}

/// What happened to a document.
enum ImportResult {
    Added,
    Existed,
    Rejected(String),
}

impl<'i> DocumentImport<'i> {
    pub fn of(import: Import<'i>, reader: Reader<'i>) -> Self {
        let (chats, versions, totals) = Default::default();
        Self { import, reader, chats, versions, buffered_bytes: 0, added: [0; 4], existing: 0, rejected: 0, totals }
    }

    /// Reads the file given with `--versions`, before the investigations are imported.
    pub fn with_versions<R: BufRead>(mut self, mut texts: Texts<R>) -> Result<Self, String> {
        let reader = Reader { kind: Some(Kind::Version), ..self.reader };
        while let Some(Text { line, bytes }) = texts.next_text().map_err(|e| e.to_string())? {
            self.buffered_bytes += bytes.as_ref().map_or(0, Vec::len);
            if self.buffered_bytes > MAX_TEXT {
                return Err(format!(
                    "the versions take more than {MAX_TEXT} bytes; split them, and the investigations alike"
                ));
            }
            let (source, document) = read(&reader, format!("{line} of the versions"), bytes);
            match document {
                Ok(Document::Version(version)) => {
                    self.versions.entry(version.investigation_id).or_default().push((source, version))
                }
                Ok(_) => {}
                Err(fault) => self.record(Kind::Version, vec![source], ImportResult::Rejected(fault)),
            }
        }
        self.buffered_bytes = 0;
        Ok(self)
    }

    /// Imports all documents. `first` is the document that was read already, to detect the format. Returns the reason
    /// if the import is incomplete; otherwise `None`.
    pub async fn import_all<R: BufRead>(
        mut self,
        first: Option<Text>,
        texts: &mut Texts<R>,
    ) -> Result<Option<String>, String> {
        let outcome = self.import_documents(first, texts).await;
        let Self { import, added: [investigations, chats, links, versions], existing, rejected, totals, .. } = self;
        let verb = import.verb();
        import.say(format_args!("{totals}"));
        import.say(format_args!(
            "{verb} {investigations} investigations, {chats} chats, {links} links and {versions} versions, {existing} existed already, {rejected} lines were not imported"
        ));
        outcome?;
        let paths = totals.left_out();
        Ok((rejected > 0 || paths > 0).then(|| {
            format!(
                "{rejected} lines were not imported, and members at {paths} paths were left out; --lossy accepts that"
            )
        }))
    }

    async fn import_documents<R: BufRead>(&mut self, first: Option<Text>, texts: &mut Texts<R>) -> Result<(), Stopped> {
        let mut next = first;
        while let Some(Text { line, bytes }) = next {
            let size = bytes.as_ref().map_or(0, Vec::len);
            let (source, document) = read(&self.reader, line.to_string(), bytes);
            match document {
                Ok(Document::Investigation(investigation)) => self.import_investigation(source, *investigation).await?,
                Ok(Document::Link(link)) => {
                    let imported = self.import_link(&source.line, link).await?;
                    self.record(Kind::Link, vec![source], imported);
                }
                Ok(Document::Chat(part)) => {
                    self.chats.entry(part.chat.investigation_id).or_default().push((source, part));
                    self.buffered_bytes += size;
                    if self.buffered_bytes > MAX_TEXT {
                        self.import_chats().await?;
                    }
                }
                Ok(Document::Version(version)) => {
                    let words = "is left out: versions are imported together with their investigations; import those with --versions FILE";
                    self.record(
                        Kind::Version,
                        vec![source],
                        ImportResult::Rejected(format!("{words} (of {})", version.investigation_id)),
                    );
                }
                Err(fault) => self.record(Kind::Investigation, vec![source], ImportResult::Rejected(fault)),
            }
            let read = texts.next_text().map_err(|e| e.to_string());
            if !matches!(read, Ok(Some(_))) {
                self.import_chats().await?;
            }
            next = read?;
        }
        for (investigation_id, versions) in std::mem::take(&mut self.versions) {
            let fault = format!("is left out: the investigation {investigation_id} is not in the file");
            self.record(Kind::Version, sources(versions).0, ImportResult::Rejected(fault));
        }
        Ok(())
    }

    /// Adds these documents to the counts, and reports them if they were rejected.
    fn record(&mut self, kind: Kind, sources: Vec<Source>, imported: ImportResult) {
        for Source { line, id, account } in sources {
            if let ImportResult::Rejected(fault) = &imported {
                let id = if id.is_empty() { id } else { format!(" ({id})") };
                self.import.say(format_args!("line {line}{id} {fault}"));
                self.rejected += 1;
                self.totals.add_rejected(&account);
                continue;
            }
            match &imported {
                ImportResult::Existed => self.existing += 1,
                _ => self.added[kind as usize] += 1,
            }
            self.totals.add(account, Some(&line));
        }
    }

    async fn import_investigation(&mut self, source: Source, investigation: Investigation) -> Result<(), Stopped> {
        let (line, id) = (source.line.clone(), investigation.id);
        let (versions, parts) = sources(self.versions.remove(&id).unwrap_or_default());
        let (document, records, fault) = match versions::history(&investigation, parts) {
            Ok((document, records)) => (document, records, None),
            Err(fault) => (investigation, Vec::new(), Some(ImportResult::Rejected(format!("is left out: {fault}")))),
        };
        let chat =
            Chat { id: self.import.ids.object_id(document.created_at), investigation_id: id, history: Vec::new() };
        let (imported, of_versions) = match Entry::of(document, records, Some(chat), Vec::new()).whole() {
            Err(fault) => (ImportResult::Rejected(fault), None),
            Ok(whole) => match self.import.snapshot(&line, id).await? {
                None => match self.import.add(&line, whole).await? {
                    None => (ImportResult::Added, Some(ImportResult::Added)),
                    Some(fault) => (ImportResult::Rejected(fault), None),
                },
                Some(here) if same_content(&here.row.investigation.content, &whole.row.investigation.content) => {
                    (ImportResult::Existed, (here.records == whole.records).then_some(ImportResult::Existed))
                }
                Some(here) => {
                    let revision = here.revision();
                    let fault = format!(
                        "is not imported: the investigation {id} already exists here with other content (revision {revision}); delete it here and import again"
                    );
                    (ImportResult::Rejected(fault), None)
                }
            },
        };
        let of_versions = fault.or(of_versions).unwrap_or_else(|| {
            ImportResult::Rejected(format!(
                "is left out: the investigation {id} is not imported, or is here with another history"
            ))
        });
        self.record(Kind::Investigation, vec![source], imported);
        self.record(Kind::Version, versions, of_versions);
        Ok(())
    }

    /// Stores the chats that were read so far.
    async fn import_chats(&mut self) -> Result<(), Stopped> {
        self.buffered_bytes = 0;
        for (investigation_id, mut chats) in std::mem::take(&mut self.chats) {
            if !chats::can_merge(chats.iter().map(|(_, part)| part)) {
                let (others, _) = sources(chats.split_off(1));
                let fault = format!(
                    "is left out: the investigation {investigation_id} has another chat in the file, and times that would order their messages are missing"
                );
                self.record(Kind::Chat, others, ImportResult::Rejected(fault));
            }
            let (mut sources, parts) = sources(chats);
            for Source { account, .. } in sources.iter_mut().skip(1) {
                account.kept -= 1;
                let id = FieldPath::root().child("_id");
                account.report(
                    &id,
                    &Value::Null,
                    Outcome::LeftOut,
                    "the chat is merged with another one of its investigation",
                );
            }
            let line = sources.first().map(|source| source.line.clone()).unwrap_or_default();
            if let Some(chat) = chats::merged(parts) {
                let imported = self.import_chat(&line, chat).await?;
                self.record(Kind::Chat, sources, imported);
            }
        }
        Ok(())
    }

    async fn import_chat(&self, line: &str, chat: Chat) -> Result<ImportResult, Stopped> {
        let Some(store) = self.import.store else { return Ok(ImportResult::Added) };
        let investigation_id = chat.investigation_id;
        let here = self.import.snapshot(line, investigation_id).await?.and_then(|whole| whole.chat);
        let unknown = || {
            ImportResult::Rejected(format!(
                "cannot be imported: the investigation {investigation_id} does not exist here; import it first"
            ))
        };
        let other = || {
            ImportResult::Rejected(format!(
                "is not imported: the investigation {investigation_id} has another chat here"
            ))
        };
        match here {
            None => return Ok(unknown()),
            Some(here) if here == chat => return Ok(ImportResult::Existed),
            Some(here) if !here.history.is_empty() => return Ok(other()),
            Some(_) if self.import.dry_run => return Ok(ImportResult::Added),
            Some(_) => {}
        }
        match store.fill_chat(chat).await {
            Ok(ChatFill::Done) => Ok(ImportResult::Added),
            Ok(ChatFill::Unknown) => Ok(unknown()),
            Ok(ChatFill::NotEmpty) => Ok(other()),
            Err(StoreError::Failed(reason)) => Ok(ImportResult::Rejected(format!("cannot be imported: {reason}"))),
            Err(error) => Err(stopped(line, &error)),
        }
    }

    async fn import_link(&self, line: &str, link: Link) -> Result<ImportResult, Stopped> {
        let Some(store) = self.import.store else { return Ok(ImportResult::Added) };
        let (name, investigation_id) = (link.address(), link.investigation_id);
        if let Some(known) = self.import.link(line, &link).await? {
            // The link may have been visited since it was imported, so the number of visits is not compared.
            let same = known.id == link.id && known.investigation_id == investigation_id;
            return Ok(if same {
                ImportResult::Existed
            } else {
                ImportResult::Rejected(format!("cannot be imported: another link {name} exists here"))
            });
        }
        let unknown = || {
            ImportResult::Rejected(format!(
                "cannot be imported: the investigation {investigation_id} of the link {name} does not exist here; import it first"
            ))
        };
        if self.import.dry_run {
            let target = self.import.snapshot(line, investigation_id).await?;
            return Ok(if target.is_some() { ImportResult::Added } else { unknown() });
        }
        match store.create_link(link, None, Reports::default()).await {
            Ok(LinkCreated::Done) => Ok(ImportResult::Added),
            Ok(LinkCreated::NoInvestigation | LinkCreated::NoVersion) => Ok(unknown()),
            Ok(LinkCreated::Taken | LinkCreated::KeyUsed(_)) => {
                Ok(ImportResult::Rejected(format!("cannot be imported: another link {name} exists here")))
            }
            Err(StoreError::Failed(reason)) => Ok(ImportResult::Rejected(format!("cannot be imported: {reason}"))),
            Err(error) => Err(stopped(line, &error)),
        }
    }
}

fn read(reader: &Reader<'_>, line: String, bytes: Option<Vec<u8>>) -> (Source, Result<Document, String>) {
    let Reading { id, account, document } = match bytes {
        Some(bytes) => reader.read(&bytes),
        None => {
            let document = Err(format!("has more than {MAX_TEXT} bytes"));
            Reading { id: String::new(), account: Account::default(), document }
        }
    };
    (Source { line, id, account }, document)
}

fn sources<T>(documents: Vec<(Source, T)>) -> (Vec<Source>, Vec<T>) {
    documents.into_iter().unzip()
}
