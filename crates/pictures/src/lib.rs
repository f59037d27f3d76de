//! Converts uploaded files to pictures of lessons. PNG, JPEG, WebP and GIF files become JPEG files or, with
//! transparency, PNG files. The pictures are upright, in sRGB, at most [`MAX_SIDE`] pixels long, and without metadata,
//! which could reveal where and by whom a picture was taken.
//!
//! The functions are pure. They check the type and the size of a file before they decode any pixel. Limits bound the
//! memory and the work for any input.

mod color;
mod encode;
mod error;
mod kind;
mod samples;
mod stored;
mod webp;

use std::io::Cursor;

use aws_lc_rs::digest::{SHA256, digest};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

pub use encode::black_and_white;
pub use error::{ErrorClass, PictureError};
pub use stored::check;

/// Maximum size of a file, in bytes.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;
/// Maximum number of pixels of a file.
pub const MAX_PIXELS: u64 = 24_000_000;
/// Maximum number of pixels of all pictures of a document.
pub const MAX_PIXELS_OF_DOCUMENT: u64 = 5 * MAX_PIXELS;
/// Maximum number of components of all scans of a JPEG, counted together, if it has [`MAX_PIXELS`]. With fewer pixels,
/// it may have more. A scan of few bytes can make the decoder visit all pixels. The scans of a progressive JPEG usually
/// have 14 components in all, or 24 if the JPEG has four inks.
pub const MAX_SCANNED: u64 = 25;
/// Approximate maximum memory for decoding a file, in bytes, in addition to the file and a copy of it.
pub const MAX_MEMORY: usize = 256 * 1024 * 1024;
/// Maximum memory for the color profile, which may be compressed, and other metadata, in bytes. A larger profile is
/// ignored.
const MAX_METADATA: u64 = 32 * 1024 * 1024;
/// Maximum length of the longer side of a converted picture, in pixels.
pub const MAX_SIDE: u32 = 1_600;
/// Maximum size of a converted picture, in bytes.
pub const MAX_MADE: usize = 2 * 1024 * 1024;

/// The type of a converted picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Jpeg,
    Png,
}

impl Type {
    /// Returns the media type, such as `image/png`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// A converted picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The SHA-256 of `bytes`, as 64 lower-case hexadecimal digits.
    pub id: String,
    /// `width` and `height` are in pixels, from 1 to [`MAX_SIDE`].
    pub width: u32,
    pub height: u32,
    pub kind: Type,
    pub bytes: Vec<u8>,
}

impl Picture {
    fn of(width: u32, height: u32, kind: Type, bytes: Vec<u8>) -> Self {
        Self { id: id(&bytes), width, height, kind, bytes }
    }
}

/// Returns the id of a picture with these bytes.
pub fn id(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Converts a PNG, JPEG, WebP or GIF file. Of an animation, only the first frame is used.
///
/// # Errors
/// [`PictureError`] if the file is of another type, is damaged, or exceeds a limit.
pub fn make(file: &[u8]) -> Result<Picture, PictureError> {
    let mut decoder = open(file)?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_MEMORY as u64);
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    // Damaged metadata is ignored, because the picture can be seen without it.
    let orientation = decoder.orientation();
    let profile = decoder.icc_profile().ok().flatten();
    let samples = samples::Samples::read(decoder)?;
    let small = samples.shrunk(MAX_SIDE);
    let is_gray = samples.is_gray();
    // From here on only the small picture is in memory.
    drop(samples);
    let mut image = DynamicImage::ImageRgba8(color::to_srgb(small, is_gray, profile.as_deref()));
    if let Ok(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    encode::encode(image.into_rgba8())
}

/// Returns the number of pixels of a file, without decoding them.
///
/// # Errors
/// [`PictureError`] if [`make`] would refuse the file before it decodes any pixel.
pub fn pixels(file: &[u8]) -> Result<u64, PictureError> {
    open(file).map(|decoder| area(decoder.dimensions()))
}

/// Reads the header of a file, and checks its limits.
fn open(file: &[u8]) -> Result<impl ImageDecoder + '_, PictureError> {
    if file.len() > MAX_BYTES {
        return Err(PictureError::TooLarge);
    }
    let format = kind::of(file)?;
    kind::check(format, file)?;
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    // Limits the memory for metadata that the decoder reads with the header, such as a profile, which may be
    // compressed.
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_METADATA);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if area((width, height)) > MAX_PIXELS {
        return Err(PictureError::TooManyPixels);
    }
    // The decoder visits whole blocks, of up to 32 by 32 pixels.
    let padded = area((width.next_multiple_of(32), height.next_multiple_of(32)));
    if format == ImageFormat::Jpeg && padded * kind::scanned_components(file) > MAX_SCANNED * MAX_PIXELS {
        return Err(PictureError::OtherForm);
    }
    Ok(decoder)
}

fn area((width, height): (u32, u32)) -> u64 {
    u64::from(width) * u64::from(height)
}
