//! Places the pictures of a document: in the entry before them if it can hold one, otherwise in the list of pictures.

use std::collections::{BTreeMap, HashSet};

use crate::document::{Document, Kind};
use crate::fields::Fields;
use crate::fill::Entry;

/// Chooses a field for each picture that has none: the field of the block before the picture, if the entries of that
/// field have pictures.
pub fn place_pictures(document: &Document, fields: &Fields, choices: &mut [Option<String>]) {
    let mut before: Option<String> = None;
    let mut picture: Option<String> = None;
    for (block, choice) in document.blocks.iter().zip(choices) {
        if block.form.is_caption {
            choice.clone_from(&picture);
            continue;
        }
        if block.kind != Kind::Picture {
            before.clone_from(choice);
        } else if choice.is_none() && !block.form.is_aside {
            let has_room = |field: &String| fields.picture_in(field).is_some();
            *choice = before.clone().filter(has_room).or_else(|| fields.pictures().map(str::to_owned));
        }
        let is_held = document.pictures.iter().any(|picture| picture.block == block.id);
        picture = choice.clone().filter(|_| is_held);
    }
}

/// Returns whether a block is the caption of the picture above it, and is in the same field. In another field, it is
/// ordinary text, because the user moved it there.
pub(crate) fn is_caption(document: &Document, choices: &[Option<String>], fields: &Fields, at: usize) -> bool {
    let has_room = |field: &str| fields.picture_in(field).is_some() || fields.pictures() == Some(field);
    let choice = choices.get(at).and_then(Option::as_deref).filter(|field| has_room(field));
    let of_picture = at.checked_sub(1).and_then(|above| choices.get(above)).and_then(Option::as_deref);
    document.blocks.get(at).is_some_and(|block| block.form.is_caption) && choice.is_some() && choice == of_picture
}

/// Returns the path of each picture that has a field, by its block.
pub(crate) fn paths<'e>(
    document: &Document,
    choices: &[Option<String>],
    fields: &Fields,
    entries: impl Iterator<Item = &'e (String, Vec<Entry>)> + Clone,
) -> BTreeMap<String, String> {
    let mut full: HashSet<String> = HashSet::new();
    let mut path = |id: &str| {
        let at = document.blocks.iter().position(|block| block.id == id)?;
        let field = choices.get(at)?.as_deref()?;
        let in_entry = || {
            let (_, list) = entries.clone().find(|(name, _)| name == field)?;
            let place = list.iter().rposition(|entry| entry.blocks.first().is_some_and(|first| *first < at))?;
            Some(format!("{field}.{place}.{}", fields.picture_in(field)?))
        };
        // An entry has one picture.
        in_entry().filter(|path| full.insert(path.clone())).or_else(|| fields.pictures().map(str::to_owned))
    };
    document.pictures.iter().filter_map(|picture| Some((picture.block.clone(), path(&picture.block)?))).collect()
}
