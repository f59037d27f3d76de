fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let start = std::time::Instant::now();
        let made = fieldbook_pictures::make(&bytes);
        println!(
            "{path} {:?} {:?}",
            made.map(|made| (made.width, made.height, made.kind, made.bytes.len())),
            start.elapsed()
        );
    }
}
