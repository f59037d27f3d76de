//! Picture files.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use serde_json::{Value, json};

use super::{Caller, Exchange};

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).expect("a short chunk").to_be_bytes();
    let mut checksum = Crc::new();
    checksum.update(name);
    checksum.update(data);
    [&length[..], name, data, &checksum.sum().to_be_bytes()].concat()
}

/// Returns a PNG of one color: red, green, blue and alpha.
pub fn png(width: u32, height: u32, color: [u8; 4]) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    let row = [&[0][..], &color.repeat(width as usize)].concat();
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..height {
        rows.write_all(&row).expect("in memory");
    }
    let data = rows.finish().expect("in memory");
    let chunks = [chunk(b"IHDR", &header), chunk(b"IDAT", &data), chunk(b"IEND", &[])];
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
}

/// Returns a small picture. Each number gives a different one.
pub fn numbered(number: u8) -> Vec<u8> {
    png(8, 8, [number.wrapping_mul(8), 255 - number, 90, number])
}

impl Caller {
    /// Sends a picture to the investigation with the URL path `investigation`.
    pub async fn send_picture(&self, investigation: &str, file: Vec<u8>) -> Exchange {
        self.post_bytes(&format!("{investigation}/pictures"), "image/png", file).await
    }

    /// Adds a picture to the investigation with the URL path `investigation`. Returns the id of the picture.
    pub async fn add_picture(&self, investigation: &str, file: Vec<u8>) -> String {
        let added = self.send_picture(investigation, file).await;
        assert_eq!(added.status.as_u16(), 201, "{added}");
        added.data()["id"].as_str().expect("an id").to_owned()
    }
}

/// Returns content that shows these pictures.
pub fn showing(ids: &[&str]) -> Value {
    let pictures: Vec<Value> = ids.iter().map(|id| json!({"id": id, "alt": "A pan"})).collect();
    json!({ "pictures": pictures })
}
