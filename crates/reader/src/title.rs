//! Finds the title of a document.

use crate::blocks::FORMED;
use crate::document::{Block, Kind};
use crate::facts;
use crate::fields::{Fields, Meant};
use crate::headings::name_and_time;
use crate::time;
use crate::words;

/// Number of blocks in which the title is searched for.
const MAX_DEPTH: usize = 30;
const MAX_TITLE: usize = 120;

/// Returns the block that is the title: a block with a title label or style, the first heading that does not name a
/// field, or the first line.
pub(crate) fn title(blocks: &[Block], fields: &Fields) -> Option<usize> {
    fields.form("title")?;
    let is_own = |block: &Block| !block.form.is_aside && matches!(block.kind, Kind::Heading | Kind::Paragraph);
    let own = || blocks.iter().enumerate().filter(|(_, block)| is_own(block));
    let find = |is: &dyn Fn(&Block) -> bool| own().find(|(_, block)| is(block)).map(|(at, _)| at);
    let is_meant =
        |block: &Block| fields.means(name_and_time(block).0).is_some() && time::of_heading(&block.text).is_none();
    let is_usable = |block: &Block| {
        let is_document = words::is("documents", &block.text) || words::is("documents", name_and_time(block).0);
        !is_meant(block) && !is_document && facts::unlabelled(&block.text).is_none()
    };
    let is_letterhead = |block: &Block| words::is_letterhead(&block.text);
    let label = |block: &Block| {
        let found = facts::labelled(&block.text, block.form.label)?;
        (fields.meant(found.meaning.key) == Meant::Field("title")).then(|| words::fold(found.label))
    };
    // Labels that mean the title itself. A document can have both a topic and a title.
    const TITLES: [&str; 5] = ["title", "titel", "titre", "titulo", "عنوان"];
    let is_title = |block: &Block| label(block).is_some_and(|label| TITLES.iter().any(|word| label.contains(word)));
    let labelled = |is: &dyn Fn(&Block) -> bool| own().take(MAX_DEPTH).find(|(_, block)| is(block)).map(|(at, _)| at);
    let first_field = find(&|block| {
        block.kind == Kind::Heading && is_meant(block) && !words::is("documents", name_and_time(block).0)
    })
    .unwrap_or(usize::MAX);
    let is_above = |at: &usize| *at < first_field;
    let headed = || {
        find(&|block| {
            let is_head = block.kind == Kind::Heading && block.level < FORMED && !block.form.is_ordered;
            is_head && is_usable(block) && !is_letterhead(block)
        })
    };
    let is_fact = |block: &Block| {
        let labelled = facts::labelled(&block.text, block.form.label);
        labelled.map_or_else(
            || !is_usable(block) && !is_meant(block),
            |found| found.meaning.is_fact() || found.meaning.key == "other",
        )
    };
    let is_line = |block: &Block| {
        let ends = block.text.ends_with(['.', ',', ';', ':']) && block.kind != Kind::Heading;
        is_usable(block)
            && block.text.len() <= MAX_TITLE
            && !block.text.contains('\n')
            && !ends
            && !block.text.contains("__")
            && !block.text.starts_with('(')
    };
    // In a letterhead, the name of the school is above the title of the lesson.
    let is_first = |block: &Block| !is_fact(block) && !words::is_school(&block.text) && !is_letterhead(block);
    // A line with a label of another kind is the title only if no other line qualifies.
    let is_plain = |block: &Block| is_first(block) && facts::labelled(&block.text, block.form.label).is_none();
    let is_line_at = |at: &usize| blocks.get(*at).is_some_and(is_line);
    let first = || find(&is_plain).filter(is_above).filter(is_line_at).or_else(|| find(&is_first).filter(is_line_at));
    let formed = || find(&|block| block.kind == Kind::Heading && is_first(block) && is_usable(block));
    // A heading above a line that is labelled as the topic.
    let above_topic = || {
        let topic = labelled(&|block| label(block).is_some())?;
        let is_name = |block: &Block| {
            let is_part = facts::labelled(&block.text, 0).is_some() || time::of_heading(&block.text).is_some();
            !is_part && block.text.split_whitespace().count() > 2
        };
        formed().filter(|at| *at < topic && blocks.get(*at).is_some_and(is_name))
    };
    let subject = || blocks.iter().take(MAX_DEPTH).position(is_subject);
    labelled(&is_title)
        .or_else(|| find(&|block| block.form.is_title && is_usable(block) && !is_letterhead(block)))
        .or_else(|| headed().filter(is_above))
        .or_else(|| above_topic().filter(is_above))
        .or_else(|| labelled(&|block| label(block).is_some()))
        .or_else(|| first().filter(is_above))
        .or_else(|| formed().filter(is_above))
        .or_else(|| {
            find(&|block| is_letterhead(block) && is_usable(block) && !words::is("subjects", &block.text))
                .filter(is_above)
        })
        .or_else(subject)
}

/// Returns whether a line is the subject line of an e-mail.
fn is_subject(block: &Block) -> bool {
    block.form.is_aside && block.text.split_once(':').is_some_and(|(label, _)| words::is("subjectlines", label))
}
