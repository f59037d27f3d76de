//! Pictures in the text of a Word document.

use super::text::escaped;

/// A stored picture.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'p> {
    pub bytes: &'p [u8],
    /// Whether it is a PNG. Otherwise it is a JPEG.
    pub is_png: bool,
    /// `width` and `height` are in pixels.
    pub width: u32,
    pub height: u32,
}

/// Lengths of a millimeter and of a pixel at 96 dpi in English Metric Units, the unit of Word drawings.
const MILLIMETRE: u64 = 36_000;
const PIXEL: u64 = 9_525;
/// Maximum size of a picture on a page: less than the width of the text, because pictures of steps are indented, and a
/// quarter of the height of the text.
const MAX_WIDTH: u64 = 155 * MILLIMETRE;
const MAX_HEIGHT: u64 = 62 * MILLIMETRE;

/// Returns the width and height at which a picture is shown: its original size, or a smaller size if that would not
/// fit.
fn extent(picture: Picture<'_>) -> (u64, u64) {
    let (width, height) = (u64::from(picture.width.max(1)) * PIXEL, u64::from(picture.height.max(1)) * PIXEL);
    let (wide, high) = if width > MAX_WIDTH { (MAX_WIDTH, height * MAX_WIDTH / width) } else { (width, height) };
    if high > MAX_HEIGHT { ((width * MAX_HEIGHT / height).max(1), MAX_HEIGHT) } else { (wide, high.max(1)) }
}

/// Returns the drawing of a picture, as a run for a line of text. `number` distinguishes the drawing from others,
/// `relation` is the id of the relationship to the picture, and `alt` is the text for people who cannot see it.
pub fn drawing(picture: Picture<'_>, number: usize, relation: &str, alt: &str) -> String {
    let (width, height) = extent(picture);
    let alt = escaped(alt);
    format!(
        r#"<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="{width}" cy="{height}"/><wp:docPr id="{number}" name="Picture {number}" descr="{alt}"/><wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="{number}" name="Picture {number}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"#
    )
}
