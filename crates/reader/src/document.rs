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

/// A piece of a document that goes to one field, or stays unplaced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Block {
    pub id: String,
    pub kind: Kind,
    /// Depth of a heading or of a list item. 0 for everything else.
    pub level: u8,
    pub text: String,
    /// The field that the block is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whether somebody said that it only names what is below it, so that its words are in no field.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub label: bool,
    /// How many of the blocks below a heading are part of what it names.
    #[serde(skip_serializing_if = "is_zero")]
    pub below: usize,
    #[serde(skip)]
    pub(crate) form: Form,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a document says about a block besides its text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Form {
    /// Whether it has the style of a title.
    pub(crate) is_title: bool,
    /// Whether a number or letter was in front.
    pub(crate) is_ordered: bool,
    /// The number that was in front.
    pub(crate) number: Option<u32>,
    /// Whether it belongs to the page and not to the lesson: navigation, footers, heads of e-mails.
    pub(crate) is_aside: bool,
    /// Whether all of it is links.
    pub(crate) is_linked: bool,
    /// Whether all of it is bold.
    pub(crate) is_bold: bool,
    /// Whether nothing is above it, or a blank line.
    pub(crate) is_apart: bool,
    /// Length of the bold text that it begins with, in bytes. Before spaces are made one.
    pub(crate) label: usize,
    /// The cells of a row.
    pub(crate) cells: Vec<String>,
    /// Whether the row is the head of its table.
    pub(crate) is_head: bool,
    /// Whether it says what the picture above it shows.
    pub(crate) is_caption: bool,
    /// Whether somebody said that it only names what is below it.
    pub(crate) is_label: bool,
    /// The text without mark, time and closing signs, as headings are named, and the time. Many ask for them.
    pub(crate) name: String,
    pub(crate) timed: Option<Timed>,
}

/// A picture inside a document, as it was there: not decoded, and with a type that only the document vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The block that stands for it.
    pub block: String,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub blocks: Vec<Block>,
    pub pictures: Vec<Picture>,
    /// Sentences about what could not be read.
    pub notices: Vec<String>,
}
