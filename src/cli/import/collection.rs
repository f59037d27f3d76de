//! Imports documents of MongoDB collections.

use std::io::BufRead;

use super::mongo::{Document, Reader};
use super::texts::{Text, Texts};
use super::{Import, MAX_TEXT, Stopped, ended, stopped};
use crate::domain::change::same_content;
use crate::domain::chat::Chat;
use crate::domain::investigation::Investigation;
use crate::domain::link::Link;
use crate::store::jsonl::Entry;
use crate::store::{ChatFill, LinkCreated, Reports, StoreError};

/// An import of MongoDB documents, with the counts so far.
pub struct Documents<'i> {
    import: Import<'i>,
    investigations: u64,
    chats: u64,
    links: u64,
    existing: u64,
    refused: u64,
}

/// What happened to one document.
enum Imported {
    Added,
    Existed,
    Refused(String),
}

impl<'i> Documents<'i> {
    pub fn of(import: Import<'i>) -> Self {
        Self { import, investigations: 0, chats: 0, links: 0, existing: 0, refused: 0 }
    }

    /// Imports all documents. `first` is the document that was read already, to detect the format.
    pub async fn take_all<R: BufRead>(mut self, first: Option<Text>, texts: &mut Texts<R>) -> Result<(), String> {
        let outcome = self.take_documents(first, texts).await;
        let Self { import, investigations, chats, links, existing, refused, .. } = self;
        let word = import.word();
        import.say(format_args!(
            "{word} {investigations} investigations, {chats} chats and {links} links, {existing} existed already, {refused} were not imported"
        ));
        outcome?;
        ended(refused)
    }

    async fn take_documents<R: BufRead>(&mut self, first: Option<Text>, texts: &mut Texts<R>) -> Result<(), Stopped> {
        let reader = Reader { schema: self.import.schema, assistant: self.import.assistant };
        let mut next = first;
        while let Some(Text { line, bytes }) = next {
            let mut notes = Vec::new();
            let read = match bytes {
                Some(bytes) => reader.read(&bytes, &mut notes),
                None => Err(format!("has more than {MAX_TEXT} bytes")),
            };
            let taken = match read {
                Err(fault) => Imported::Refused(fault),
                Ok(Document::Investigation(investigation)) => {
                    let taken = self.take(line, *investigation).await?;
                    self.investigations += u64::from(matches!(taken, Imported::Added));
                    taken
                }
                Ok(Document::Chat(chat)) => {
                    let taken = self.take_chat(line, chat).await?;
                    self.chats += u64::from(matches!(taken, Imported::Added));
                    taken
                }
                Ok(Document::Link(link)) => {
                    let taken = self.take_link(line, link).await?;
                    self.links += u64::from(matches!(taken, Imported::Added));
                    taken
                }
            };
            match taken {
                Imported::Added => notes.iter().for_each(|words| self.import.say(format_args!("line {line}: {words}"))),
                Imported::Existed => self.existing += 1,
                Imported::Refused(fault) => {
                    self.refused += 1;
                    self.import.say(format_args!("line {line} {fault}"));
                }
            }
            next = texts.next_text().map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    async fn take(&self, line: u64, investigation: Investigation) -> Result<Imported, Stopped> {
        let id = investigation.id;
        if let Some(here) = self.import.store.load(id).await.map_err(|error| stopped(line, &error))? {
            let same = same_content(&here.content, &investigation.content);
            return Ok(if same {
                Imported::Existed
            } else {
                let revision = here.revision;
                Imported::Refused(format!(
                    "is not imported: the investigation {id} already exists here with other content (revision {revision}); delete it here and import again"
                ))
            });
        }
        let chat = self.import.ids.object_id(investigation.created_at);
        let whole = match Entry::new(investigation, chat).whole() {
            Ok(whole) => whole,
            Err(fault) => return Ok(Imported::Refused(fault)),
        };
        Ok(self.import.add(line, whole).await?.map_or(Imported::Added, Imported::Refused))
    }

    async fn take_chat(&self, line: u64, chat: Chat) -> Result<Imported, Stopped> {
        let (store, of) = (self.import.store, chat.investigation_id);
        let here = store.whole(of).await.map_err(|error| stopped(line, &error))?.and_then(|whole| whole.chat);
        let unknown = || {
            Imported::Refused(format!(
                "cannot be imported: the investigation {of} does not exist here; import it first"
            ))
        };
        let other = || Imported::Refused(format!("is not imported: the investigation {of} has another chat here"));
        match here {
            None => return Ok(unknown()),
            Some(here) if here == chat => return Ok(Imported::Existed),
            Some(here) if !here.history.is_empty() => return Ok(other()),
            Some(_) if self.import.dry_run => return Ok(Imported::Added),
            Some(_) => {}
        }
        match store.fill_chat(chat).await {
            Ok(ChatFill::Done) => Ok(Imported::Added),
            Ok(ChatFill::Unknown) => Ok(unknown()),
            Ok(ChatFill::NotEmpty) => Ok(other()),
            Err(StoreError::Failed(reason)) => Ok(Imported::Refused(format!("cannot be imported: {reason}"))),
            Err(error) => Err(stopped(line, &error)),
        }
    }

    async fn take_link(&self, line: u64, link: Link) -> Result<Imported, Stopped> {
        let (store, name) = (self.import.store, format!("{}/{}", link.key, link.sub_link));
        let of = link.investigation_id;
        let known = store.link(link.key.clone(), link.sub_link.clone()).await.map_err(|error| stopped(line, &error))?;
        if let Some(known) = known {
            // The link may have been visited since it was imported, so the number of visits is not compared.
            let same = known.id == link.id && known.investigation_id == of;
            return Ok(if same {
                Imported::Existed
            } else {
                Imported::Refused(format!("cannot be imported: another link {name} exists here"))
            });
        }
        let unknown = || {
            Imported::Refused(format!(
                "cannot be imported: the investigation {of} of the link {name} does not exist here; import it first"
            ))
        };
        if self.import.dry_run {
            let target = store.load(of).await.map_err(|error| stopped(line, &error))?;
            return Ok(if target.is_some() { Imported::Added } else { unknown() });
        }
        match store.create_link(link, None, Reports::default()).await {
            Ok(LinkCreated::Done) => Ok(Imported::Added),
            Ok(LinkCreated::NoInvestigation | LinkCreated::NoVersion) => Ok(unknown()),
            Ok(LinkCreated::Taken | LinkCreated::KeyUsed(_)) => {
                Ok(Imported::Refused(format!("cannot be imported: another link {name} exists here")))
            }
            Err(StoreError::Failed(reason)) => Ok(Imported::Refused(format!("cannot be imported: {reason}"))),
            Err(error) => Err(stopped(line, &error)),
        }
    }
}
