//! Finds the title of a document.

use crate::blocks::FORMED;
use crate::document::{Block, Kind};
use crate::facts;
use crate::fields::{Fields, Meant};
use crate::headings::name_of;
use crate::time;
use crate::words;

/// Returns the block that is the title.
pub(crate) fn title(blocks: &[Block], fields: &Fields) -> Option<usize> {
    /// A title is near the beginning.
    const MAX_DEPTH: usize = 30;
    fields.form("title")?;
    let own = || blocks.iter().enumerate().filter(|(_, block)| !block.form.is_aside && block.kind != Kind::Picture);
    let is_meant = |block: &Block| fields.means(&name_of(block).0).is_some() && time::of_heading(&block.text).is_none();
    let is_document = |block: &Block| words::is("documents", &block.text) || words::is("documents", &name_of(block).0);
    let is_labelled = |block: &Block| {
        facts::labelled(&block.text, block.form.label)
            .is_some_and(|found| fields.meant(found.meaning.key) == Meant::Field("title"))
    };
    let is_usable = |block: &Block| !is_meant(block) && !is_document(block) && facts::unlabelled(&block.text).is_none();
    let is_line = |block: &Block| matches!(block.kind, Kind::Paragraph | Kind::Heading);
    let all = || own().take(MAX_DEPTH).filter(|(_, block)| is_line(block) && is_labelled(block));
    // A document can have a topic, and a title besides.
    let is_title = |block: &Block| {
        let label = words::fold(block.text.split(':').next().unwrap_or_default());
        ["title", "titel", "titre", "titulo", "عنوان"].iter().any(|word| label.contains(word))
    };
    let labelled = all().find(|(_, block)| is_title(block));
    let styled = || own().find(|(_, block)| block.form.is_title && is_usable(block));
    let first_known =
        || own().find(|(_, block)| block.kind == Kind::Heading && is_meant(block)).map_or(usize::MAX, |(at, _)| at);
    let headed = || {
        let end = first_known();
        own()
            .take_while(|(at, _)| *at < end)
            .find(|(_, block)| block.kind == Kind::Heading && block.level < FORMED && is_usable(block))
    };
    let set = || {
        let end = first_known();
        let is_text =
            |block: &Block| facts::labelled(&block.text, block.form.label).is_none_or(|found| !found.meaning.is_fact());
        let is_titled = |block: &Block| {
            block.text.len() <= 120
                && !block.text.contains('\n')
                && (block.kind == Kind::Heading || !block.text.ends_with(['.', ',', ';', ':']))
        };
        let mut first = own()
            .take_while(|(at, _)| *at < end)
            .filter(|(_, block)| !is_document(block) && facts::unlabelled(&block.text).is_none());
        first.find(|(_, block)| block.kind != Kind::Row && is_text(block)).filter(|(_, block)| {
            matches!(block.kind, Kind::Paragraph | Kind::Heading) && is_titled(block) && is_usable(block)
        })
    };
    labelled.or_else(styled).or_else(headed).or_else(|| all().next()).or_else(set).map(|(at, _)| at)
}
