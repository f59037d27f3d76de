//! The lesson page of a link, as a pupil reads it.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::assets::{axe, no_violations};
use super::cress;
use crate::support::browser::{PHONE, Page, WIDE, Window};
use crate::support::picture::png;
use crate::support::{Caller, TestApp};

/// A very small phone.
const SMALL: Window = Window { width: 320, height: 560, dark: false };

async fn shown(teacher: &Caller, lesson: Value, shows: &str) -> String {
    let id = teacher.create(lesson).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    teacher.patch("/api/link/class-5b/cress", json!({"shows": shows})).await;
    id
}

/// Returns the address in the QR code of the first link, read from the pixels of the image.
async fn scanned(page: &Page) -> String {
    page.until("document.querySelector('img.qr')?.naturalWidth > 0").await;
    let pixels = page
        .js("const image = document.querySelector('img.qr'); const side = 400;
             const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
             const context = canvas.getContext('2d'); context.fillStyle = '#fff'; context.fillRect(0, 0, side, side);
             context.drawImage(image, 0, 0, side, side);
             return [...context.getImageData(0, 0, side, side).data].filter((_, at) => at % 4 === 0);")
        .await;
    let grey: Vec<u8> = pixels.as_array().expect("pixels").iter().map(|p| p.as_u64().expect("a level") as u8).collect();
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(400, 400, |x, y| grey[y * 400 + x]);
    image.detect_grids().first().expect("a code").decode().expect("a text").1
}

#[tokio::test]
async fn pupil_scans_the_qr_code_and_reads_the_lesson() {
    let (app, _, teacher) = TestApp::start().await;
    let id = shown(&teacher, cress(), "handout").await;
    let base = format!("http://{}", app.address);
    let page = Page::of(&app, WIDE).await;
    page.view(&format!("#/i/{id}/links")).await;
    let address = scanned(&page).await;
    assert_eq!(address, format!("{base}/l/class-5b/cress"));
    // A pupil has no token, and this browser runs no scripts.
    page.without_scripts().await;
    page.appear(SMALL).await;
    page.visit("l/class-5b/cress").await;
    let text = page.js("return document.body.innerText").await;
    for words in ["Cress in the dark", "40\n", "Cress seeds", "Sow twenty seeds on each saucer.", "15\u{a0}min"] {
        assert!(text.as_str().is_some_and(|text| text.contains(words)), "{words}: {text}");
    }
    assert!(!text.to_string().contains("Describe both saucers"), "{text}");
    let [wide, window] = ["document.documentElement.scrollWidth", "innerWidth"].map(|of| format!("return {of}"));
    assert_eq!(page.js(&wide).await, page.js(&window).await, "nothing is wider than the phone");
    page.click_on("input[type=checkbox]").await;
    assert_eq!(page.js("return document.querySelector('input').checked").await, true);
    assert_eq!(teacher.get("/api/link/class-5b/cress/visits").await.data()["visitCount"], 1);
}

/// Adds one picture both to the pictures of a lesson and to its first step.
async fn with_pictures(teacher: &Caller, id: &str, words: &str) {
    let path = format!("/api/investigation/{id}");
    let picture = teacher.add_picture(&path, png(1200, 300, [20, 120, 110, 255])).await;
    let picture = json!({"id": picture, "alt": words, "caption": words});
    let mut steps = teacher.get(&path).await.data()["steps"].clone();
    steps[0]["picture"] = picture.clone();
    let changed = teacher.patch(&path, json!({"pictures": [picture], "steps": steps})).await;
    assert_eq!(changed.status.as_u16(), 200, "{changed}");
}

/// Returns a lesson in Arabic, with amounts and an address in other letters.
fn arabic() -> Value {
    json!({
        "title": "لماذا يذوب الملح أسرع في الماء الساخن؟", "drivingQuestion": "هل يذوب الملح أسرع في الماء الساخن؟",
        "materials": [{"name": "ماء", "quantity": 300, "unit": "ml"}, {"name": "أقراص NaHCO₃", "quantity": 6}],
        "steps": [
            {"text": "ضع ملعقة من الملح في كل كأس، وانظر https://example.org/salt?a=1", "minutes": 15},
            {"text": "Stir both cups.", "minutes": 5},
        ],
        "safety": ["احذر من الماء الساخن."],
    })
}

#[tokio::test]
async fn link_page_is_readable_in_light_and_dark_and_on_a_projector() {
    let axe = axe();
    let (app, _, teacher) = TestApp::start().await;
    let mut lesson = cress();
    lesson["safety"] = json!(["Wash your hands."]);
    lesson["vocabulary"] = json!([{"term": "germinate", "definition": "begin to grow"}]);
    lesson["variables"] = json!({"independent": "Light", "controlled": ["water"]});
    lesson["homework"] = json!(format!("Watch https://example.org/{}", "cress/".repeat(40)));
    let id = shown(&teacher, lesson, "lesson").await;
    with_pictures(&teacher, &id, "Two saucers").await;
    let arabic = teacher.create(arabic()).await;
    with_pictures(&teacher, &arabic, "كأسان").await;
    let sheets = [&id, &arabic].map(|id| format!("api/investigation/{id}/sheet?for=class"));
    let page = Page::of(&app, WIDE).await;
    let projector = Window { width: 1920, height: 1080, dark: false };
    let dark = |window| Window { dark: true, ..window };
    for window in [SMALL, PHONE, dark(PHONE), WIDE, dark(WIDE), projector] {
        page.appear(window).await;
        for path in ["l/class-5b/cress", "l/class-5b/unknown", &sheets[0], &sheets[1]] {
            page.visit(path).await;
            let place = format!("{path} {} dark: {}", window.width, window.dark);
            page.until("[...document.images].every((image) => image.naturalWidth > 0)").await;
            // Pictures have a white background, so that black lines are visible in dark mode.
            let grounds = "return [...document.images].every((image) => getComputedStyle(image).backgroundColor === 'rgb(255, 255, 255)')";
            assert_eq!(page.js(grounds).await, true, "{place}");
            no_violations(&page, &axe, &place).await;
            assert_eq!(page.js("return document.documentElement.scrollWidth").await, window.width, "{place}");
        }
    }
}

#[tokio::test]
async fn arabic_lesson_is_a_right_to_left_page() {
    let (page, teacher) = Page::of_service(SMALL).await;
    let id = shown(&teacher, arabic(), "handout").await;
    with_pictures(&teacher, &id, "كأسان").await;
    page.without_scripts().await;
    page.visit("l/class-5b/cress").await;
    assert_eq!(
        page.js("return [document.documentElement.lang, document.documentElement.dir]").await,
        json!(["ar", "rtl"])
    );
    let headings = "return [...document.querySelectorAll('h2')].map((heading) => heading.textContent)";
    assert_eq!(page.js(headings).await, json!(["سؤالنا", "الصور", "المواد والأدوات", "السلامة", "الخطوات"]));
    // Checkboxes and step numbers are on the right, where lines begin.
    let right_of_text =
        "const [box, text] = ['input', 'label span'].map((one) => document.querySelector(one).getBoundingClientRect());
        const step = getComputedStyle(document.querySelector('.steps li'));
        return [box.left >= text.right, parseFloat(step.paddingRight) > 30, parseFloat(step.paddingLeft)]";
    assert_eq!(page.js(right_of_text).await, json!([true, true, 0]));
    // Text in Latin letters runs from left to right, isolated from the text around it.
    let directions = "const of = (selector) => getComputedStyle(document.querySelector(selector)).direction;
        return [of('bdi'), of('.steps a'), of('.steps li:nth-child(2) p'), of('.steps li p'), of('.minutes')]";
    assert_eq!(page.js(directions).await, json!(["ltr", "ltr", "ltr", "rtl", "rtl"]));
    let amount = "return document.querySelector('bdi').textContent";
    assert_eq!(page.js(amount).await, "300\u{a0}ml");
    assert_eq!(page.js("return document.documentElement.scrollWidth").await, 320);
}

#[tokio::test]
async fn hostile_content_on_a_link_page_is_shown_as_text_in_its_own_direction() {
    let (page, teacher) = Page::of_service(PHONE).await;
    let script = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">";
    let lesson = json!({
        "title": script, "drivingQuestion": "هل يحتاج الرشاد إلى الضوء؟",
        "materials": [{"name": script, "quantity": script, "unit": script, "notes": script}],
        "steps": [{"text": script}], "safety": [script], "vocabulary": [{"term": script, "definition": script}],
        "own <b>": {"<i>": script},
    });
    let id = shown(&teacher, lesson, "lesson").await;
    with_pictures(&teacher, &id, script).await;
    page.visit("l/class-5b/cress").await;
    assert_eq!(page.js("return document.title").await, script);
    let words =
        "return [...document.images].map((image) => [image.alt, image.closest('figure').lastElementChild.textContent])";
    assert_eq!(page.js(words).await, json!([[script, script], [script, script]]));
    let added = "return document.querySelectorAll('script, img:not([src^=\"/l/\"]), b, i, [onerror]').length";
    assert_eq!(page.js(added).await, 0);
    let direction = "return getComputedStyle([...document.querySelectorAll('p')].find((p) => p.textContent.startsWith('هل'))).direction";
    assert_eq!(page.js(direction).await, "rtl");
}

#[tokio::test]
async fn printed_sheet_has_space_for_step_numbers_and_no_page_break_before_answer_lines() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({
        "title": "Salt", "drivingQuestion": "Why?", "steps": [{"text": "Stir.", "minutes": 5}],
        "vocabulary": [{"term": "brine", "definition": "salt water"}], "materials": [{"name": "salt"}],
    }));
    let path = format!("api/investigation/{}/sheet?for=class", id.await);
    let page = Page::of(&app, WIDE).await;
    page.visit(&path).await;
    page.print_view().await;
    let looks = "const look = (selector, part) => getComputedStyle(document.querySelector(selector), part);
        const number = look('.steps li', '::before');
        const needed = parseFloat(number.insetBlockStart) * 2 + parseFloat(number.height);
        return [number.boxSizing, document.querySelector('.steps li').offsetHeight >= needed,
            look('p:has(+ .lines)').breakAfter, look('p + .lines').breakInside, look('ol + .lines').breakInside,
            look('.lines h3').breakAfter,
            look('dt').breakAfter, look('.checklist').breakInside, look('.minutes').whiteSpace]";
    let expected = json!(["border-box", true, "avoid", "avoid", "auto", "avoid", "auto", "avoid", "nowrap"]);
    assert_eq!(page.js(looks).await, expected);
    let labels =
        "return [...document.querySelectorAll('.lines h3, h2:not(.heard)')].map((e) => getComputedStyle(e).fontSize)";
    let sizes = page.js(labels).await;
    assert!(sizes.as_array().is_some_and(|all| all.len() > 5 && all.iter().all(|size| *size == all[0])), "{sizes}");
}

#[tokio::test]
async fn link_page_is_printed_as_text_with_its_pictures() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let id = shown(&teacher, cress(), "handout").await;
    with_pictures(&teacher, &id, "Two saucers").await;
    page.visit("l/class-5b/cress").await;
    let pdf = page.ask("Page.printToPDF", json!({"printBackground": false})).await;
    let pdf = STANDARD.decode(pdf["data"].as_str().expect("a file")).expect("Base64");
    let text = streams(&pdf);
    // The PDF contains real text, whose fonts say which characters their glyphs mean, and not an image of the page.
    assert!(text.matches(" Tj").count() + text.matches(" TJ").count() >= 10, "{} bytes", text.len());
    assert!(text.contains("begincmap"), "the fonts name their characters");
    let objects = String::from_utf8_lossy(&pdf);
    assert!(objects.contains("/Subtype /Image\n/Width 1200\n/Height 300"), "the picture is there");
}

#[tokio::test]
async fn long_lesson_takes_no_more_than_four_pages_of_paper() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let words = |count: usize| "Each sentence is as long as that of a teacher. ".repeat(count).trim_end().to_owned();
    let mut lesson = json!({
        "title": "How the distance of a lamp changes how many bubbles pondweed makes in a minute",
        "phenomenon": words(4), "drivingQuestion": words(2), "safety": vec![words(2); 4],
        "materials": (0..14).map(|n| json!({"name": "Lamp on a stand", "quantity": n, "notes": words(n % 2)})).collect::<Vec<_>>(),
        "steps": vec![json!({"text": words(3), "minutes": 6}); 9],
        "vocabulary": vec![json!({"term": "photosynthesis", "definition": words(2)}); 6],
        "homework": words(3),
    });
    let id = shown(&teacher, lesson.clone(), "handout").await;
    let path = format!("/api/investigation/{id}");
    let drawing = teacher.add_picture(&path, png(900, 600, [200, 220, 240, 255])).await;
    let picture = json!({"id": drawing, "alt": "A lamp", "caption": "The lamp"});
    lesson["pictures"] = json!([picture, picture]);
    [1, 2, 6].into_iter().for_each(|step| lesson["steps"][step]["picture"] = picture.clone());
    teacher.patch(&path, lesson).await;
    page.visit("l/class-5b/cress").await;
    for (paper, width, height) in [("A4", 8.27, 11.69), ("Letter", 8.5, 11.0)] {
        let pdf = page.ask("Page.printToPDF", json!({"paperWidth": width, "paperHeight": height})).await;
        let pdf = STANDARD.decode(pdf["data"].as_str().expect("a file")).expect("Base64");
        let pages = String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count();
        assert!((1..=4).contains(&pages), "{pages} pages of {paper}");
    }
}

fn streams(pdf: &[u8]) -> String {
    let find = |part: &[u8], from: usize| {
        pdf[from..].windows(part.len()).position(|window| window == part).map(|at| at + from)
    };
    let (mut all, mut at) = (String::new(), 0);
    while let Some(begin) = find(b"stream\n", at) {
        let begin = begin + b"stream\n".len();
        let end = find(b"endstream", begin).expect("an end");
        let mut text = Vec::new();
        if flate2::read::ZlibDecoder::new(&pdf[begin..end]).read_to_end(&mut text).is_ok() {
            all += &String::from_utf8_lossy(&text);
        }
        at = end + b"endstream".len();
    }
    all
}

#[tokio::test]
async fn author_chooses_what_a_link_shows_and_when_it_closes() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(cress()).await;
    let page = Page::of(&app, WIDE).await;
    let link = async || teacher.get(&format!("/api/link/investigation/{id}")).await.data()[0].clone();
    page.view(&format!("#/i/{id}/links")).await;
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.write(".make div:nth-of-type(2) input", "cress").await;
    page.click("Create a link").await;
    page.until("document.querySelector('[data-link]')").await;
    let made = link().await;
    assert_eq!((&made["shows"], &made["version"], &made["maxVisits"]), (&json!("handout"), &Value::Null, &Value::Null));
    page.click("Actions for class-5b/cress").await;
    page.click("Change class-5b/cress").await;
    page.js(
        "const [shows, text] = document.querySelectorAll('dialog select'); shows.value = 'lesson'; text.value = '0'",
    )
    .await;
    page.write("dialog input[type=number]", "1").await;
    page.click("Change it").await;
    page.sees("0 visits of 1").await;
    let changed = link().await;
    assert_eq!(
        (&changed["shows"], &changed["version"], &changed["maxVisits"]),
        (&json!("lesson"), &json!(0), &json!(1))
    );
    anon.post_empty("/l/class-5b/cress").await;
    page.js("dispatchEvent(new Event('focus'))").await;
    page.sees("used up").await;
    page.click("Actions for class-5b/cress").await;
    page.click("Close link class-5b/cress").await;
    page.sees("closed").await;
    assert_eq!(link().await["archived"], true);
    page.click("Actions for class-5b/cress").await;
    page.click("Open again class-5b/cress").await;
    page.sees("used up").await;
}
