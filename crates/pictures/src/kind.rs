//! Detects the type of a file from its bytes.

use image::ImageFormat;

use crate::error::PictureError;
use crate::{MAX_PIXELS, webp};

/// Number of bytes at the beginning of a text in which an SVG element is searched for.
const BEGINNING: usize = 1024;

/// Brands of the ISO base media file format (ISO 14496-12), which HEIC, AVIF and videos share, by picture type.
const HEIC: [&[u8]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"];
const AVIF: [&[u8]; 2] = [b"avif", b"avis"];

/// Returns the type of a file.
pub(crate) fn of(file: &[u8]) -> Result<ImageFormat, PictureError> {
    match file {
        [] => Err(PictureError::Empty),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Ok(ImageFormat::Png),
        [0xff, 0xd8, 0xff, ..] => Ok(ImageFormat::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(ImageFormat::WebP),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Ok(ImageFormat::Gif),
        _ => Err(refusal(file)),
    }
}

fn refusal(file: &[u8]) -> PictureError {
    if file.get(4..8) == Some(b"ftyp") {
        let length = file.first_chunk().map_or(0, |length| u32::from_be_bytes(*length) as usize);
        let brands = || file[8..file.len().min(length.clamp(8, BEGINNING))].chunks(4);
        // AVIF is checked first, because an AVIF file has brands of HEIC, too.
        if brands().any(|brand| AVIF.contains(&brand)) {
            return PictureError::Avif;
        }
        if brands().any(|brand| HEIC.contains(&brand)) {
            return PictureError::Heic;
        }
    }
    let beginning = &file[..file.len().min(BEGINNING)];
    let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning).trim_ascii_start();
    match text.starts_with(b"<") && text.windows(4).any(|name| name.eq_ignore_ascii_case(b"<svg")) {
        true => PictureError::Svg,
        false => PictureError::OtherType,
    }
}

/// Refuses files that the decoder would accept: a truncated JPEG, whose missing part it would fill with gray, and a
/// WebP with frames larger than the canvas, for which it would allocate memory.
pub(crate) fn check(format: ImageFormat, file: &[u8]) -> Result<(), PictureError> {
    match format {
        ImageFormat::Jpeg if !has_end(file) => Err(PictureError::Damaged),
        ImageFormat::WebP if webp::largest_frame(file) > MAX_PIXELS => Err(PictureError::TooManyPixels),
        ImageFormat::WebP if webp::memory(file) > crate::MAX_MEMORY as u64 => Err(PictureError::TooMuchMemory),
        _ => Ok(()),
    }
}

/// Returns true if a JPEG has an end marker (EOI) after its first scan. A thumbnail before the scan has its own EOI.
fn has_end(file: &[u8]) -> bool {
    scan(file).is_some_and(|scan| scan.windows(2).any(|marker| marker == [0xff, 0xd9]))
}

/// Returns the bytes after the header of the first scan of a JPEG.
fn scan(file: &[u8]) -> Option<&[u8]> {
    let mut rest = file.get(2..)?;
    loop {
        let start = rest.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xff))?;
        let (marker, after) = (rest[start + 1], &rest[start + 2..]);
        // These markers have no length field.
        if matches!(marker, 0x01 | 0xd0..=0xd8) {
            rest = after;
            continue;
        }
        rest = after.get(usize::from(u16::from_be_bytes(*after.first_chunk()?))..)?;
        if marker == 0xda {
            return Some(rest);
        }
    }
}

/// Counts the components of all scans of a JPEG. Finds the headers of the scans by their bytes anywhere in the file,
/// because a file could hide scans from code that reads it segment by segment. Other data seldom has such bytes, except
/// for thumbnails, which have few scans.
pub(crate) fn scanned_components(file: &[u8]) -> u64 {
    let components = |header: &[u8]| match *header {
        // The header of a scan: its marker, its length, and the number of its components.
        [0xff, 0xda, 0, length, count @ 1..=4] if length == 6 + 2 * count => u64::from(count),
        _ => 0,
    };
    file.windows(5).map(components).sum()
}
