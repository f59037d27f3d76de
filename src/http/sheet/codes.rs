//! QR codes: of the addresses on an HTML sheet, where they are visible only in print, and of the link in a Word
//! document.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt::Write as _;

use maud::{Markup, html};
use qrcode::{Color, EcLevel, QrCode};

/// Maximum length of an address that gets a code, in bytes. Codes of longer ones are hard to scan when they are small.
const MAX_ADDRESS: usize = 300;

/// Maximum total size of all codes on a sheet, in bytes.
const MAX_CODES: usize = 32 * 1024;

/// Width of the white margin around a code, in modules.
const QUIET: usize = 2;

/// Widths of a module and of the white margin of a code that is drawn as a picture, in pixels.
const MODULE: u32 = 8;
const MARGIN: u32 = 4 * MODULE;

/// The code of a link as a picture.
pub struct Code {
    pub address: String,
    pub png: Vec<u8>,
}

impl Code {
    /// Returns the code of an address; `None` if the address is too long for one.
    pub fn of(address: String) -> Option<Self> {
        let code = QrCode::new(&address).ok()?;
        let (width, colors) = (code.width() as u32, code.to_colors());
        let side = width * MODULE + 2 * MARGIN;
        let module = |place: u32| place.checked_sub(MARGIN).map(|inside| inside / MODULE).filter(|at| *at < width);
        let color = |column, row| colors.get((module(row)? * width + module(column)?) as usize);
        let is_dark = |column, row| color(column, row) == Some(&Color::Dark);
        let png = fieldbook_pictures::black_and_white(side, is_dark).ok()?;
        Some(Self { address, png })
    }
}

/// The codes of a sheet. Each address gets one code.
#[derive(Default)]
pub struct Codes {
    drawn: RefCell<HashSet<String>>,
    bytes: Cell<usize>,
}

impl Codes {
    /// Returns the code of an address; `None` if the address already has a code on the sheet, if the address is too
    /// long, or if the codes would exceed [`MAX_CODES`].
    pub fn code(&self, address: &str) -> Option<Markup> {
        let has_room = address.len() <= MAX_ADDRESS && self.bytes.get() < MAX_CODES;
        if !has_room || self.drawn.borrow().contains(address) {
            return None;
        }
        let code = QrCode::with_error_correction_level(address, EcLevel::L).ok()?;
        let (path, side) = (path(&code), code.width() + 2 * QUIET);
        let bytes = self.bytes.get() + path.len();
        (bytes <= MAX_CODES).then(|| {
            self.bytes.set(bytes);
            self.drawn.borrow_mut().insert(address.to_owned());
            html! { svg.code viewBox={ "0 0 " (side) " " (side) } aria-hidden="true" { path d=(path) {} } }
        })
    }
}

/// Returns the dark modules as an SVG path, with one bar for each run of dark modules in a row.
fn path(code: &QrCode) -> String {
    let mut path = String::new();
    for (row, colors) in code.to_colors().chunks(code.width()).enumerate() {
        let mut column = 0;
        for run in colors.chunk_by(|one, next| one == next) {
            if run.first() == Some(&Color::Dark) {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}h{}v1h-{}z", column + QUIET, row + QUIET, run.len(), run.len());
            }
            column += run.len();
        }
    }
    path
}
