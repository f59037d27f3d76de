//! The sizes that a WebP file states, in its header and for each frame.

/// Bytes that the decoder needs per pixel of a still picture: the RGBA output and the intermediate planes.
const STILL: u64 = 11;
/// Bytes that the decoder needs per pixel of an animation: the frame, the canvas, the output and the intermediate
/// planes.
const ANIMATION: u64 = 14;

/// Returns the number of pixels of the largest frame or of the canvas, whichever is larger.
pub(crate) fn largest_frame(file: &[u8]) -> u64 {
    frames(file.get(12..).unwrap_or_default(), false)
}

/// Returns how many bytes of memory the decoder takes.
pub(crate) fn memory(file: &[u8]) -> u64 {
    let is_animation = chunks(file.get(12..).unwrap_or_default()).any(|(name, _)| name == b"ANMF");
    largest_frame(file).saturating_mul(if is_animation { ANIMATION } else { STILL })
}

/// Returns the number of pixels of the largest frame among these chunks. A frame of an animation contains its own
/// chunks.
fn frames(bytes: &[u8], is_inside: bool) -> u64 {
    let pixels = |(name, data): (&[u8], &[u8])| match name {
        b"VP8X" => product(number(data, 4, 3) + 1, number(data, 7, 3) + 1),
        b"VP8 " => product(number(data, 6, 2) & 0x3fff, number(data, 8, 2) & 0x3fff),
        b"VP8L" => {
            let sizes = number(data, 1, 4);
            product((sizes & 0x3fff) + 1, (sizes >> 14 & 0x3fff) + 1)
        }
        b"ANMF" if !is_inside => {
            let whole = product(number(data, 6, 3) + 1, number(data, 9, 3) + 1);
            whole.max(frames(data.get(16..).unwrap_or_default(), true))
        }
        _ => 0,
    };
    chunks(bytes).map(pixels).max().unwrap_or_default()
}

fn product(width: u64, height: u64) -> u64 {
    width.saturating_mul(height)
}

/// Returns the little-endian number of `length` bytes at the offset `place`. Missing bytes count as 0.
fn number(data: &[u8], place: usize, length: usize) -> u64 {
    data.iter().skip(place).take(length).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Returns the chunks of a RIFF file: name and data.
fn chunks(mut rest: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (name, _) = rest.split_at_checked(4)?;
        let length = usize::try_from(number(rest.get(4..8)?, 0, 4)).ok()?;
        let data = &rest[8..];
        rest = data.get(length.saturating_add(length & 1)..).unwrap_or_default();
        Some((name, &data[..length.min(data.len())]))
    })
}
