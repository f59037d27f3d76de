//! The page of a link, which people open: `GET /l/{key}/{subLink}`. Programs use the operation `resolveLink`.
//!
//! The page needs no scripts. It shows the parts of the investigation that the link's `shows` names, and nothing else.

pub mod html;
mod negotiate;
pub mod picture;
mod response;
mod visit;
mod visit_token;

pub use negotiate::prefers_html;
pub use response::{headers, not_found_page, refused, unknown_length};
pub use visit::{count, head, look, look_without_counting, open, press};
