//! Decoded pixels, and how they are downsampled.

use image::{ImageDecoder, RgbaImage};

use crate::error::PictureError;

/// The decoded samples of a file, with interleaved channels of 8 or 16 bits.
pub(crate) struct Samples {
    width: u32,
    height: u32,
    /// 1: gray; 2: gray and alpha; 3: RGB; 4: RGBA.
    channels: usize,
    /// Whether a sample has 16 bits, in native byte order.
    is_deep: bool,
    bytes: Vec<u8>,
}

/// The part of a row or column of the source that becomes one pixel: its start, and the weight of each source pixel.
struct Span {
    start: usize,
    weights: Vec<f32>,
}

impl Samples {
    pub(crate) fn read(decoder: impl ImageDecoder) -> Result<Self, PictureError> {
        let (width, height) = decoder.dimensions();
        let color = decoder.color_type();
        let channels = usize::from(color.channel_count());
        let is_deep = match usize::from(color.bytes_per_pixel()) / channels {
            1 => false,
            2 => true,
            _ => return Err(PictureError::OtherForm),
        };
        let length = usize::try_from(decoder.total_bytes()).map_err(|_| PictureError::TooMuchMemory)?;
        let mut bytes = vec![0; length];
        decoder.read_image(&mut bytes)?;
        Ok(Self { width, height, channels, is_deep, bytes })
    }

    pub(crate) fn is_gray(&self) -> bool {
        self.channels <= 2
    }

    /// Returns the picture with at most `side` pixels on its longer side, and at least 1 on the other. Each pixel is
    /// the mean of the source pixels that it covers, weighted by their alpha.
    pub(crate) fn shrunk(&self, side: u32) -> RgbaImage {
        let longer = u64::from(self.width.max(self.height)).max(1);
        let fitted = |length: u32| match longer > u64::from(side) {
            true => u32::try_from((u64::from(length) * u64::from(side) + longer / 2) / longer).unwrap_or(side).max(1),
            false => length,
        };
        let (width, height) = (fitted(self.width), fitted(self.height));
        let columns: Vec<Span> = spans(self.width, width).collect();
        let mut made = RgbaImage::new(width, height);
        let mut sums = vec![[0.0; 4]; columns.len()];
        for (row, pixels) in spans(self.height, height).zip(made.rows_mut()) {
            sums.fill([0.0; 4]);
            for (y, weight) in row.weights.iter().enumerate() {
                self.add_row(row.start + y, *weight, &columns, &mut sums);
            }
            for (pixel, sum) in pixels.zip(&sums) {
                pixel.0 = rounded(*sum);
            }
        }
        made
    }

    /// Adds a row of the source to the sums of a row of the result.
    fn add_row(&self, y: usize, weight: f32, columns: &[Span], sums: &mut [[f32; 4]]) {
        let size = self.channels * if self.is_deep { 2 } else { 1 };
        let width = self.width as usize * size;
        let Some(row) = self.bytes.get(y * width..(y + 1) * width) else { return };
        let byte = |byte: u8| f32::from(byte);
        let deep = |bytes: [u8; 2]| f32::from(u16::from_ne_bytes(bytes)) / 257.0;
        // Each pixel format has a separate loop for speed, because a picture has millions of pixels.
        match (self.channels, self.is_deep) {
            (1, false) => add(row, weight, columns, sums, |[l]: [u8; 1]| [byte(l), byte(l), byte(l), 255.0]),
            (2, false) => add(row, weight, columns, sums, |[l, a]: [u8; 2]| [byte(l), byte(l), byte(l), byte(a)]),
            (3, false) => add(row, weight, columns, sums, |[r, g, b]: [u8; 3]| [byte(r), byte(g), byte(b), 255.0]),
            (_, false) => add(row, weight, columns, sums, |pixel: [u8; 4]| pixel.map(byte)),
            (1, true) => add(row, weight, columns, sums, |l: [u8; 2]| [deep(l), deep(l), deep(l), 255.0]),
            (2, true) => add(row, weight, columns, sums, |[l, m, a, b]: [u8; 4]| {
                [deep([l, m]), deep([l, m]), deep([l, m]), deep([a, b])]
            }),
            (3, true) => add(row, weight, columns, sums, |[r, s, g, h, b, c]: [u8; 6]| {
                [deep([r, s]), deep([g, h]), deep([b, c]), 255.0]
            }),
            (_, true) => add(row, weight, columns, sums, |[r, s, g, h, b, c, a, z]: [u8; 8]| {
                [deep([r, s]), deep([g, h]), deep([b, c]), deep([a, z])]
            }),
        }
    }
}

/// Adds a row of pixels of `SIZE` bytes to sums. `values` returns red, green, blue and alpha, each from 0 to 255.
fn add<const SIZE: usize>(
    row: &[u8],
    weight: f32,
    columns: &[Span],
    sums: &mut [[f32; 4]],
    values: impl Fn([u8; SIZE]) -> [f32; 4],
) {
    let (pixels, _) = row.as_chunks::<SIZE>();
    for (column, sum) in columns.iter().zip(sums) {
        for (pixel, share) in pixels[column.start..].iter().zip(&column.weights) {
            let [red, green, blue, alpha] = values(*pixel);
            let visible = weight * share * (alpha / 255.0);
            for (channel, value) in sum.iter_mut().zip([red, green, blue, 1.0]) {
                *channel += value * visible;
            }
        }
    }
}

impl From<RgbaImage> for Samples {
    fn from(image: RgbaImage) -> Self {
        let (width, height) = image.dimensions();
        Self { width, height, channels: 4, is_deep: false, bytes: image.into_raw() }
    }
}

/// Returns the spans of `from` pixels that become `to` pixels. The weights of each span have the sum 1.
fn spans(from: u32, to: u32) -> impl Iterator<Item = Span> {
    let (from, to) = (u64::from(from), u64::from(to));
    let span = move |place: u64| {
        // The row is divided into `from * to` units, so that all offsets are whole numbers: a source pixel is `to`
        // units wide, and a result pixel is `from` units wide.
        let (start, end) = (place * from, (place + 1) * from);
        let pixels = start / to..end.div_ceil(to);
        let weight = |pixel: u64| ((pixel + 1) * to).min(end) - (pixel * to).max(start);
        let weights = pixels.clone().map(|pixel| weight(pixel) as f32 / from as f32).collect();
        Span { start: pixels.start as usize, weights }
    };
    (0..to).map(span)
}

fn rounded([red, green, blue, alpha]: [f32; 4]) -> [u8; 4] {
    // Casts from float to integer saturate.
    let byte = |value: f32| (value + 0.5) as u8;
    match byte(alpha * 255.0) {
        0 => [0; 4],
        visible => [byte(red / alpha), byte(green / alpha), byte(blue / alpha), visible],
    }
}
