//! Limits of picture files. Many tests use small files whose headers state large sizes.

use std::fs;

use fieldbook_pictures::{ErrorClass, MAX_BYTES, MAX_MADE, MAX_MEMORY, PictureError, Type, make};
use image::{DynamicImage, ImageBuffer, Rgba, RgbaImage};
use proptest::prelude::*;

use super::files::{drawing, gif, jpeg, png, progressive_jpeg, webp, webp_film, webp_of_two_sizes, with_scans};

/// Returns a memory figure of this process from `/proc/self/status`, in bytes.
fn memory(line: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("figures");
    let figure = status.lines().find_map(|text| text.strip_prefix(line)).expect("a figure");
    figure.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<usize>().expect("KiB") * 1024
}

/// Returns the peak growth of this process's memory while it converts the file, in bytes.
fn growth(file: &[u8]) -> usize {
    fs::write("/proc/self/clear_refs", "5").expect("the peak is forgotten");
    let before = memory("VmRSS");
    let made = make(file);
    let growth = memory("VmHWM").saturating_sub(before);
    made.expect("a picture");
    growth
}

/// Returns this PNG with another size in its header, and with a correct checksum.
fn restated(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut file = png.to_vec();
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = checksum(&file[12..29]);
    file[29..33].copy_from_slice(&checksum.to_be_bytes());
    file
}

/// Returns the checksum of a PNG chunk. It covers the chunk's name and data.
fn checksum(chunk: &[u8]) -> u32 {
    !chunk.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

/// Returns this PNG with a compressed color profile that contains this many zeros.
fn with_profile(png: &[u8], zeros: u32) -> Vec<u8> {
    let runs = zeros.div_ceil(258);
    // One deflate block with fixed Huffman codes: a zero, many copies of "repeat the last byte 258 times", and the end.
    let head = "11000110000".chars();
    let bits = head.chain("1100010100000".chars().cycle().take(13 * runs as usize)).chain("0000000".chars());
    let mut data = b"profile\0\0\x78\x01".to_vec();
    data.extend(
        bits.collect::<Vec<_>>()
            .chunks(8)
            .map(|byte| byte.iter().enumerate().fold(0, |sum, (place, bit)| sum | u8::from(*bit == '1') << place)),
    );
    data.extend((((runs * 258 + 1) % 65_521) << 16 | 1).to_be_bytes());
    let chunk = [b"iCCP", data.as_slice()].concat();
    let length = u32::try_from(data.len()).expect("small").to_be_bytes();
    [&png[..33], &length, &chunk, &checksum(&chunk).to_be_bytes(), &png[33..]].concat()
}

#[test]
fn color_profile_that_unpacks_to_400_megabytes_takes_little_memory() {
    let png = png(drawing(60, 40));
    let growth = growth(&with_profile(&png, 400_000_000));
    assert!(growth <= 128 * 1024 * 1024, "{growth} bytes");
}

#[test]
fn picture_of_6000_by_4000_pixels_is_accepted_and_one_row_more_is_refused() {
    assert!(make(&progressive_jpeg(6000, 4000, 3, 0)).is_ok());
    assert_eq!(make(&progressive_jpeg(6000, 4001, 3, 0)), Err(PictureError::TooManyPixels));
    let png = restated(&png(drawing(6, 4)), 6000, 4001);
    assert_eq!(make(&png), Err(PictureError::TooManyPixels));
    assert_eq!(PictureError::TooManyPixels.class(), ErrorClass::Size);
}

#[test]
fn jpeg_whose_scans_visit_its_pixels_too_often_is_refused_unless_it_is_small() {
    let large = progressive_jpeg(6000, 4000, 1, 0);
    assert!(make(&with_scans(&large, 23)).is_ok());
    assert_eq!(make(&with_scans(&large, 24)), Err(PictureError::OtherForm));
    assert!(make(&with_scans(&progressive_jpeg(600, 400, 1, 0), 90)).is_ok());
    // A narrow picture has few pixels, but many blocks.
    assert_eq!(make(&with_scans(&progressive_jpeg(1, 60_000, 1, 0), 400)), Err(PictureError::OtherForm));
}

#[test]
fn jpeg_scans_that_seem_to_be_inside_another_segment_count_toward_the_limit_of_scans() {
    // A start marker has no length. But after a second one, the decoder reads a length, and skips to the scans. Code
    // that reads no length would see a long segment there, which hides the scans.
    let file = with_scans(&progressive_jpeg(6000, 4000, 1, 0), 60);
    let place = file.windows(4).position(|header| header == [0xff, 0xda, 0, 8]).expect("a scan");
    // The long segment ends before the last scan.
    let [high, low] = u16::try_from(file.len() - 12 - place + 2).expect("a segment").to_be_bytes();
    let hiding = [&file[..place], &[0xff, 0xd8, 0, 6, 0xff, 0xe1, high, low], &file[place..]].concat();
    assert_eq!(make(&hiding), Err(PictureError::OtherForm));
}

#[test]
fn pictures_with_absurd_dimensions_are_refused() {
    let small = png(drawing(6, 4));
    for (width, height) in [(u32::MAX >> 1, u32::MAX >> 1), (u32::MAX >> 1, 1), (100_000, 100_000)] {
        assert!(matches!(
            make(&restated(&small, width, height)),
            Err(PictureError::TooManyPixels | PictureError::TooMuchMemory)
        ));
    }
}

#[test]
fn picture_file_of_more_than_10_mib_is_refused() {
    let mut file = jpeg(drawing(60, 40));
    file.resize(MAX_BYTES, 0);
    assert!(make(&file).is_ok());
    file.push(0);
    assert_eq!(make(&file), Err(PictureError::TooLarge));
}

#[test]
fn animation_with_a_frame_larger_than_its_canvas_is_refused() {
    assert_eq!(make(&webp_of_two_sizes([10, 10], [16_383, 16_383])), Err(PictureError::TooManyPixels));
    assert_eq!(make(&webp_of_two_sizes([10, 10], [12, 12])), Err(PictureError::Damaged));
    let mut film = webp_film(10, 10, &[RgbaImage::new(10, 10)]);
    let place = film.windows(4).position(|name| name == b"VP8L").expect("a frame") + 9;
    film[place..place + 4].copy_from_slice(&[0xff; 4]);
    assert_eq!(make(&film), Err(PictureError::TooManyPixels));
    let mut gif = gif(vec![RgbaImage::from_pixel(10, 10, Rgba([9, 9, 9, 255]))]);
    let place = gif.windows(5).position(|start| start == [0x2c, 0, 0, 0, 0]).expect("a frame") + 5;
    gif[place..place + 4].copy_from_slice(&[0xff; 4]);
    assert_eq!(make(&gif), Err(PictureError::TooMuchMemory));
}

#[test]
fn animation_of_16_megapixels_is_accepted_and_an_animation_of_24_is_refused() {
    assert_eq!(make(&webp_film(6000, 4000, &[RgbaImage::new(8, 8)])), Err(PictureError::TooMuchMemory));
    assert!(make(&webp_film(4000, 4000, &[RgbaImage::from_pixel(8, 8, Rgba([1, 2, 3, 255]))])).is_ok());
}

#[test]
fn largest_pictures_stay_within_the_memory_limit() {
    let deep = ImageBuffer::from_pixel(6000, 4000, Rgba([9_u16, 9, 9, 9]));
    let files = [
        ("deep PNG", png(DynamicImage::ImageRgba16(deep))),
        ("JPEG of four inks", progressive_jpeg(6000, 4000, 4, 100)),
        ("WebP", webp(&RgbaImage::from_pixel(6000, 4000, Rgba([9, 9, 9, 9])))),
        ("film", webp_film(4300, 4300, &[RgbaImage::from_pixel(4300, 4300, Rgba([9, 9, 9, 9]))])),
        ("GIF", gif(vec![RgbaImage::from_pixel(6000, 4000, Rgba([9, 9, 9, 255]))])),
        ("narrow JPEG", progressive_jpeg(1, 60_000, 4, 100)),
    ];
    for (name, file) in files {
        let growth = growth(&file);
        assert!(growth <= MAX_MEMORY + 2 * file.len(), "{name}: {growth} bytes");
    }
}

#[test]
fn noisy_picture_is_compressed_more_or_shrunk_to_stay_below_the_size_limit() {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let opaque = RgbaImage::from_fn(1600, 1600, |_, _| Rgba([noise(), noise(), noise(), 255]));
    let made = make(&jpeg(DynamicImage::from(opaque).into_rgb8())).expect("a picture");
    assert_eq!((made.kind, made.width), (Type::Jpeg, 1600));
    let glass = RgbaImage::from_fn(1600, 1600, |_, _| Rgba([noise(), noise(), noise(), noise()]));
    let smaller = make(&webp(&glass)).expect("a picture");
    assert_eq!(smaller.kind, Type::Png);
    assert!(smaller.width < 1600 && smaller.width > 400, "{}", smaller.width);
    assert!(made.bytes.len() <= MAX_MADE && smaller.bytes.len() <= MAX_MADE);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_picture_file_is_converted_or_refused(
        which in 0..6_usize,
        places in prop::collection::vec((any::<usize>(), any::<u8>()), 1..8),
    ) {
        let image = drawing(40, 30);
        let frames = vec![DynamicImage::from(image.clone()).into_rgba8(); 2];
        let mut file = match which {
            0 => png(image),
            1 => jpeg(image),
            2 => webp(&frames[0]),
            3 => gif(frames),
            4 => webp_film(40, 30, &frames),
            _ => progressive_jpeg(40, 30, 3, 50),
        };
        for (place, byte) in places {
            let place = place % file.len();
            file[place] = byte;
        }
        if let Ok(made) = make(&file) {
            prop_assert_eq!(fieldbook_pictures::check(made.bytes.clone()), Ok(made));
        }
    }
}
