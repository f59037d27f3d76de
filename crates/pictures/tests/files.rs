//! Picture files that the tests create.

use std::io::Cursor;

use image::codecs::gif::GifEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ExtendedColorType, Frame, ImageFormat, Rgb, RgbImage, RgbaImage};

pub const RED: [u8; 3] = [220, 30, 40];
pub const BLUE: [u8; 3] = [30, 60, 210];

/// Returns a blue picture whose upper left quarter is red.
pub fn drawing(width: u32, height: u32) -> RgbImage {
    let is_corner = |x, y| x < width.div_ceil(2) && y < height.div_ceil(2);
    RgbImage::from_fn(width, height, |x, y| Rgb(if is_corner(x, y) { RED } else { BLUE }))
}

pub fn file(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).expect("a file");
    bytes.into_inner()
}

pub fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    file(image, ImageFormat::Png)
}

pub fn jpeg(image: impl Into<DynamicImage>) -> Vec<u8> {
    file(image, ImageFormat::Jpeg)
}

/// Returns a GIF of these frames.
pub fn gif(frames: Vec<RgbaImage>) -> Vec<u8> {
    let mut bytes = Vec::new();
    GifEncoder::new(&mut bytes).encode_frames(frames.into_iter().map(Frame::new)).expect("a file");
    bytes
}

/// Returns a lossless WebP in the simple file format, without the extended header.
pub fn webp(image: &RgbaImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (width, height) = image.dimensions();
    WebPEncoder::new_lossless(&mut bytes).encode(image, width, height, ExtendedColorType::Rgba8).expect("a file");
    bytes
}

/// Returns an animated WebP of this size, whose frames are these pictures at the upper left.
pub fn webp_film(width: u32, height: u32, frames: &[RgbaImage]) -> Vec<u8> {
    let mut chunks = vec![chunk(b"VP8X", &[&[0x12, 0, 0, 0][..], &three(width - 1), &three(height - 1)].concat())];
    chunks.push(chunk(b"ANIM", &[0; 6]));
    for frame in frames {
        let place = [three(0), three(0), three(frame.width() - 1), three(frame.height() - 1), three(100)].concat();
        chunks.push(chunk(b"ANMF", &[&place[..], &[0], &webp(frame)[12..]].concat()));
    }
    riff(&chunks.concat())
}

/// Returns a WebP whose header states another size than its lossy frame.
pub fn webp_of_two_sizes(stated: [u32; 2], of_frame: [u16; 2]) -> Vec<u8> {
    let header = [&[0; 4][..], &three(stated[0] - 1), &three(stated[1] - 1)].concat();
    let sizes = of_frame.map(u16::to_le_bytes).concat();
    let frame = [&[0x10, 0x02, 0, 0x9d, 0x01, 0x2a][..], &sizes, &[0; 64]].concat();
    riff(&[chunk(b"VP8X", &header), chunk(b"VP8 ", &frame)].concat())
}

fn three(number: u32) -> [u8; 3] {
    let [first, second, third, _] = number.to_le_bytes();
    [first, second, third]
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).expect("a short chunk").to_le_bytes();
    [&name[..], &length, data, &vec![0; data.len() % 2]].concat()
}

fn riff(chunks: &[u8]) -> Vec<u8> {
    let length = u32::try_from(chunks.len() + 4).expect("a short file").to_le_bytes();
    [&b"RIFF"[..], &length, b"WEBP", chunks].concat()
}

/// Returns a progressive JPEG of one color with any number of components, which the encoder of the tests cannot write.
/// Every sample of every component is `level` + 128.
pub fn progressive_jpeg(width: u16, height: u16, components: u8, level: i8) -> Vec<u8> {
    let ids = 1..=components;
    let segment = |marker: u8, data: &[u8]| {
        let length = u16::try_from(data.len() + 2).expect("a short segment").to_be_bytes();
        [&[0xff, marker][..], &length, data].concat()
    };
    let mut file = vec![0xff, 0xd8];
    if components == 4 {
        // Adobe stores the four inks inverted: 255 means no ink.
        file.extend(segment(0xee, b"Adobe\0\x64\0\0\0\0\0"));
    }
    file.extend(segment(0xdb, &[&[0][..], &[8; 64]].concat()));
    let sizes = [height.to_be_bytes(), width.to_be_bytes()].concat();
    let frame = ids.clone().flat_map(|id| [id, 0x11, 0]);
    file.extend(segment(0xc2, &[&[8][..], &sizes, &[components], &frame.collect::<Vec<_>>()].concat()));
    // The code 0 means the same value as the previous block. The code 10 means a difference, given in 7 bits.
    let mut codes = [0; 16];
    codes[..2].copy_from_slice(&[1, 1]);
    file.extend(segment(0xc4, &[&[0][..], &codes, &[0, 7]].concat()));
    let scan = ids.flat_map(|id| [id, 0]);
    file.extend(segment(0xda, &[&[components][..], &scan.collect::<Vec<_>>(), &[0, 0, 0]].concat()));
    let difference = if level < 0 { level as u8 - 1 } else { level as u8 } & 0x7f;
    let first: String = (0..components).map(|_| format!("10{difference:07b}")).collect();
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8) - 1;
    let bits = first.len() + blocks * usize::from(components);
    let mut data = vec![0_u8; bits.div_ceil(8)];
    for (place, _) in first.char_indices().filter(|(_, bit)| *bit == '1') {
        data[place / 8] |= 0x80 >> (place % 8);
    }
    assert!(!data.contains(&0xff), "such a byte would begin a marker");
    file.extend(data);
    file.extend([0xff, 0xd9]);
    file
}

/// Returns a JPEG with an additional segment at its beginning.
pub fn with_segment(jpeg: &[u8], marker: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).expect("a short segment").to_be_bytes();
    [&jpeg[..2], &[0xff, marker], &length, data, &jpeg[2..]].concat()
}

/// Returns a JPEG whose EXIF data contains this orientation and the place where the photo was taken.
pub fn turned(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
    let exif = [&b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01"[..], &entry, &[0; 4], b"52.5163 N 13.3777 E"].concat();
    with_segment(jpeg, 0xe1, &exif)
}

/// Returns a progressive JPEG with this many additional scans of its first component, which change nothing.
pub fn with_scans(jpeg: &[u8], count: usize) -> Vec<u8> {
    let scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0x10];
    let (end, before) = (&jpeg[jpeg.len() - 2..], &jpeg[..jpeg.len() - 2]);
    [before, &scan.repeat(count), end].concat()
}
