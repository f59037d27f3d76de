//! A document as blocks.

use serde::Serialize;

use crate::time::Timed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Heading,
    Paragraph,
    Item,
    Row,
    Picture,
}

/// A part of a document: a heading, paragraph, list item, table row or picture. It is in at most one field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Block {
    pub id: String,
    pub kind: Kind,
    /// Depth of a heading or of a list item; 0 for all other kinds of blocks.
    pub level: u8,
    pub text: String,
    /// The field that the block is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whether the user or the model marked this block as a label for the blocks below it. Its text is then in no
    /// field.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub label: bool,
    /// Number of blocks below a heading that belong to it.
    #[serde(skip_serializing_if = "is_zero")]
    pub below: usize,
    #[serde(skip)]
    pub(crate) form: Form,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Formatting and structure of a block.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Form {
    /// Whether it has the style of a title.
    pub(crate) is_title: bool,
    /// Whether the block began with a number or letter, as in a list.
    pub(crate) is_ordered: bool,
    /// The number that the block began with.
    pub(crate) number: Option<u32>,
    /// Whether the block belongs to the page and not to the lesson: navigation, footers, headers of e-mails.
    pub(crate) is_aside: bool,
    /// Whether the block has the style of what the service adds to a lesson on a sheet.
    pub(crate) is_of_sheet: bool,
    /// Whether the whole block consists of links.
    pub(crate) is_linked: bool,
    /// Whether the whole block is bold.
    pub(crate) is_bold: bool,
    /// Whether the block is the first, or follows a blank line.
    pub(crate) is_apart: bool,
    /// Length of the bold text at the beginning, in bytes, before white space is collapsed.
    pub(crate) label: usize,
    /// The cells of a row.
    pub(crate) cells: Vec<String>,
    /// Whether the row is the head of its table.
    pub(crate) is_head: bool,
    /// Whether it is the caption of the picture above.
    pub(crate) is_caption: bool,
    /// Whether it is a term that a definition follows.
    pub(crate) is_term: bool,
    /// Whether the user or the model marked it as a label.
    pub(crate) is_label: bool,
    /// The text without list mark, time and trailing punctuation. Headings are looked up by this name. It is computed
    /// once, because many functions need it.
    pub(crate) name: String,
    /// The time in the text, also computed once.
    pub(crate) timed: Option<Timed>,
}

/// A picture embedded in a document: the raw bytes, and the type that the document claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Id of the block that represents the picture.
    pub block: String,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub blocks: Vec<Block>,
    pub pictures: Vec<Picture>,
    /// Sentences for the user about parts that could not be read.
    pub notices: Vec<String>,
}
