//! Investigations with texts as teachers write them, and pictures, generated from a seed: the same number gives the
//! same document or picture.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use serde_json::{Value, json};

/// Two rare words. About [`super::bulk::MATCHES`] documents of a store contain both.
pub const RARE: &str = "zircon gneiss";

const THINGS: [&str; 24] = [
    "bean seedlings",
    "salt water",
    "a pendulum",
    "red cabbage juice",
    "yeast and sugar",
    "a paper bridge",
    "magnets",
    "shadows",
    "ice cubes",
    "a toy car",
    "pond water",
    "vinegar",
    "a solar oven",
    "moss",
    "a rubber band",
    "sand and clay",
    "lemon batteries",
    "moon craters",
    "an egg in syrup",
    "mealworms",
    "chalk",
    "a parachute",
    "iron nails",
    "cress",
];
const QUESTIONS: [&str; 8] = [
    "How does the amount of light change",
    "What happens to the mass of",
    "Why does the temperature matter for",
    "How fast can we change",
    "Which surface is best for",
    "How does the angle alter",
    "What do we see when we heat",
    "How long does it take to dissolve",
];
const SENTENCES: [&str; 16] = [
    "Write down what you expect before you begin.",
    "Read the scale at eye level and note the value in your table.",
    "Compare your results with those of the table beside you.",
    "Draw what you see and label the parts.",
    "Keep everything else the same, so that the test is fair.",
    "Talk about it with your partner first.",
    "Repeat the measurement and take the mean of your values.",
    "Clean up your place and wash your hands.",
    "Use a pencil, as ink runs when it gets wet.",
    "Mark the level with a piece of tape.",
    "Make a graph of your results with the time along the bottom.",
    "Say which result surprised you and why.",
    "Ask for help if the lid does not come off.",
    "Wait until the reading does not change any more.",
    "Put the tray where everybody can see it.",
    "Explain your idea in two sentences.",
];
const CURRICULA: [&str; 12] = [
    "NGSS",
    "Key Stage 2",
    "Key Stage 3",
    "IB MYP",
    "AP Biology",
    "Cambridge Primary",
    "Ontario Science",
    "ACARA",
    "Curriculum for Excellence",
    "OpenSciEd",
    "FOSS",
    "Core Knowledge",
];

/// A random number generator: SplitMix64, from Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }

    fn text(&mut self, sentences: usize) -> String {
        (0..sentences).map(|_| self.of(&SENTENCES)).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the document with this number, of about `bytes` bytes as JSON. If `rare` is true, a search for [`RARE`]
/// finds it.
pub fn investigation(number: u64, bytes: usize, rare: bool) -> Value {
    let mut numbers = Numbers(number);
    let thing = numbers.of(&THINGS);
    let question = numbers.of(&QUESTIONS);
    let find = if rare { format!(" Look for {RARE} in the rock.") } else { String::new() };
    let mut content = json!({
        "title": format!("{} {}", capital(thing), number),
        "grade": numbers.below(12) + 1,
        "curriculum": numbers.of(&CURRICULA),
        "phenomenon": format!("{} behaves in a way that nobody in class {} expected.{find}", capital(thing), number % 97),
        "drivingQuestion": format!("{question} {thing}?"),
        "objectives": [numbers.text(1), numbers.text(1)],
        "materials": [{"name": thing, "quantity": 1}, {"name": "tray"}, {"name": "ruler"}],
        "groupSize": 3,
        "durationMinutes": 50,
        "assessment": numbers.text(2),
        "steps": [],
    });
    let mut steps = Vec::new();
    let mut left = bytes.saturating_sub(content.to_string().len());
    while left > 60 && steps.len() < 400 {
        let sentences = 1 + numbers.below(3);
        let step = json!({ "text": numbers.text(sentences) });
        left = left.saturating_sub(step.to_string().len() + 1);
        steps.push(step);
    }
    content["steps"] = Value::Array(steps);
    content
}

/// Returns the PNG with this number: a gradient with the noise of a camera.
pub fn photograph(number: u64, width: u32, height: u32) -> Vec<u8> {
    let mut numbers = Numbers(number);
    let chunk = |name: &[u8; 4], data: &[u8]| {
        let mut checksum = Crc::new();
        checksum.update(name);
        checksum.update(data);
        [&(data.len() as u32).to_be_bytes()[..], name, data, &checksum.sum().to_be_bytes()].concat()
    };
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
    // All rows repeat the same noise. So the file is compressed well, and is not too large for the service.
    let noise: Vec<u8> = (0..width * 3).map(|_| numbers.below(12) as u8).collect();
    for y in 0..height {
        let shade = (y * 200 / height) as u8;
        let row = noise.iter().map(|noise| noise + shade);
        // Writing to memory never fails.
        let _ = rows.write_all(&[&[0][..], &row.collect::<Vec<_>>()].concat());
    }
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let chunks = [chunk(b"IHDR", &header), chunk(b"IDAT", &rows.finish().unwrap_or_default()), chunk(b"IEND", &[])];
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
