//! A real browser that shows the page of a service: actions of a person, and conditions to wait for.
//!
//! Each test starts its own chromedriver on a free port, with one session. A failing test saves a screenshot.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fieldbook::clock::Stopwatch;
use serde_json::{Value, json};
use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, WebDriver, WebElement, WindowHandle};

use super::chromedriver::{Process, browser, client};
use super::{Caller, TEACHER, TestApp};

/// Chromium without its windows, menus and extensions. It shows pages in the same way, and starts in a quarter of the
/// CPU time. Where it is not installed, chromedriver starts another Chromium or Chrome.
const HEADLESS_SHELL: &str = "/usr/bin/chromium-headless-shell";

/// Maximum time to wait for a condition. After this, the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Folder for the screenshots of failed tests.
const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/screenshots");

/// Size and color scheme of the browser window.
#[derive(Clone, Copy)]
pub struct Window {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// True if the user prefers dark colors.
    pub dark: bool,
}

pub const WIDE: Window = Window { width: 1280, height: 900, dark: false };
pub const PHONE: Window = Window { width: 390, height: 844, dark: false };

pub struct Page {
    driver: WebDriver,
    base: String,
    process: Process,
    service: Option<TestApp>,
}

impl Drop for Page {
    /// Closes the browser, after a screenshot if the test fails. The runtime of the test cannot run here, so this uses
    /// a thread with its own runtime.
    fn drop(&mut self) {
        let session = format!("{}/session/{}", self.process.address, self.driver.session_id());
        let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
        let picture = std::thread::panicking().then(|| Path::new(PICTURES).join(format!("{test}.png")));
        let _ = std::thread::spawn(move || close(&session, picture)).join();
    }
}

impl Page {
    /// Opens a browser on a service, signed in as the teacher.
    pub async fn of(app: &TestApp, window: Window) -> Self {
        Self::at(&format!("http://{}", app.address), window, Some(app.session(TEACHER).await)).await
    }

    /// Opens a browser on a service behind a proxy that adds the teacher's token to each request.
    pub async fn behind_proxy(app: &TestApp, window: Window) -> Self {
        let page = Self::at(&format!("http://{}", app.address), window, None).await;
        let token = format!("Bearer {}", app.token(TEACHER));
        page.tell("Network.enable", json!({})).await;
        page.tell("Network.setExtraHTTPHeaders", json!({"headers": {"authorization": token}})).await;
        page.visit("").await;
        page.until("!document.querySelector('main[aria-busy], main [aria-busy]')").await;
        page
    }

    /// Opens a browser on an investigation of a service, signed in as the teacher.
    pub async fn of_investigation(app: &TestApp, id: &str, window: Window) -> Self {
        let page = Self::of(app, window).await;
        page.view(&format!("#/i/{id}")).await;
        page
    }

    /// Starts a service without investigations, and opens it in a browser. Returns the teacher, too.
    pub async fn of_service(window: Window) -> (Self, Caller) {
        let (app, _, teacher) = TestApp::start().await;
        let mut page = Self::of(&app, window).await;
        page.service = Some(app);
        (page, teacher)
    }

    /// Starts a service with one investigation, and opens it in a browser. Returns the teacher and the id, too.
    pub async fn of_lesson(content: Value, window: Window) -> (Self, Caller, String) {
        let (page, teacher) = Self::of_service(window).await;
        let id = teacher.create(content).await;
        page.view(&format!("#/i/{id}")).await;
        (page, teacher, id)
    }

    /// Returns a client of the service that the page has started.
    pub fn signed_in(&self, user: &str) -> Caller {
        self.service.as_ref().expect("a service").signed_in(user)
    }

    /// Opens a browser on the service at `base`. If `session` is given, its user is signed in.
    pub async fn at(base: &str, window: Window, session: Option<String>) -> Self {
        let mut wishes = DesiredCapabilities::chrome();
        let size = format!("--window-size={},{}", window.width, window.height);
        // Other host names do not resolve, so a page that loads anything from another host fails.
        let nowhere = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";
        // A headless browser reports no mouse. These settings make style sheets apply as on a computer with a mouse.
        let mouse =
            "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";
        for argument in [
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--lang=en",
            nowhere,
            mouse,
            &size,
        ] {
            wishes.add_arg(argument).expect("an argument");
        }
        if std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            wishes.add_arg("--no-sandbox").expect("an argument");
        }
        if Path::new(HEADLESS_SHELL).exists() {
            wishes.set_binary(HEADLESS_SHELL).expect("a path");
        }
        let (process, driver) = browser(&wishes).await;
        driver.clone().leak().expect("a new session, which the page closes");
        let page = Page { driver, base: base.to_owned(), process, service: None };
        page.enter(window, session).await;
        page
    }

    async fn enter(&self, window: Window, session: Option<String>) {
        self.driver.set_script_timeout(PATIENCE).await.expect("a limit");
        self.driver.set_page_load_timeout(PATIENCE).await.expect("a limit");
        self.appear(window).await;
        if let Some(session) = session {
            self.begin_session(&session).await;
            self.visit("").await;
            self.until("!document.querySelector('main[aria-busy], main [aria-busy]')").await;
        }
    }

    /// Puts the cookie of a session into the browser.
    pub async fn begin_session(&self, session: &str) {
        let cookie = json!({"name": "fieldbook_session", "value": session, "url": self.base, "httpOnly": true,
            "sameSite": "Lax"});
        self.tell("Network.setCookie", cookie).await;
    }

    /// Sets the color scheme and the exact size of the window. A window as narrow as a phone is operated by touch.
    pub async fn appear(&self, Window { width, height, dark }: Window) {
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.tell("Emulation.setEmulatedMedia", media).await;
        let is_phone = width < 600;
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone});
        self.tell("Emulation.setDeviceMetricsOverride", size).await;
        // The browser cannot switch back to a mouse.
        if is_phone {
            self.tell("Emulation.setTouchEmulationEnabled", json!({"enabled": true})).await;
        }
    }

    pub async fn visit(&self, path: &str) {
        self.driver.goto(format!("{}/{path}", self.base)).await.expect("the address");
    }

    /// Opens a view of the page and waits until it is loaded.
    pub async fn view(&self, fragment: &str) {
        let leads = format!(
            "document.querySelector('main').setAttribute('aria-busy', 'true');
             if (location.hash === {0}) dispatchEvent(new Event('hashchange')); else location.hash = {0};",
            json!(fragment)
        );
        self.js(&leads).await;
        self.until("!document.querySelector('main[aria-busy], main [aria-busy]')").await;
    }

    pub async fn js(&self, script: &str) -> Value {
        self.driver.execute(script, Vec::new()).await.expect(script).json().clone()
    }

    /// Waits until a JavaScript expression is truthy, and returns its value.
    pub async fn until(&self, expression: &str) -> Value {
        self.wait(expression).await.json().clone()
    }

    async fn wait(&self, expression: &str) -> thirtyfour::session::scriptret::ScriptRet {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             const look = () => {{ let seen; try {{ seen = ({expression}); }} catch {{}} seen ? done(seen) : setTimeout(look, 20); }};
             look();"
        );
        let watch = Stopwatch::start();
        loop {
            match self.driver.execute_async(&script, Vec::new()).await {
                Ok(seen) => return seen,
                // If the browser leaves the page, the script ends with it, and is run again on the next page.
                Err(_) if watch.elapsed() < PATIENCE => {}
                Err(error) => panic!("never true: {expression}\n{error}"),
            }
        }
    }

    /// Waits until the page visibly contains this text.
    pub async fn sees(&self, words: &str) {
        self.until(&format!("document.body.innerText.includes({})", json!(words))).await;
    }

    /// Waits for the element that an expression returns, and scrolls it to the middle of the window.
    async fn element(&self, expression: &str) -> WebElement {
        let there = format!(
            "(() => {{ const e = {expression}; e?.scrollIntoView({{ block: 'center', behavior: 'instant' }}); return e; }})()"
        );
        self.wait(&there).await.element().expect("an element")
    }

    /// Clicks the button, link or checkbox with this name. If a dialog is open, searches only the dialog.
    pub async fn click(&self, name: &str) {
        let find = format!(
            "[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button, a, summary, label.check')]
                .find((e) => (e.getAttribute('aria-label') ?? e.textContent).trim() === {}
                    && !e.disabled && e.ariaDisabled !== 'true' && e.checkVisibility())",
            json!(name)
        );
        self.element(&find).await.click().await.expect(name);
    }

    pub async fn click_on(&self, selector: &str) {
        let find = format!("document.querySelector({})", json!(selector));
        self.element(&find).await.click().await.expect(selector);
    }

    /// Drags the element that matches `from` to the upper half of the element that matches `to`.
    pub async fn drag(&self, from: &str, to: &str) {
        let find = |selector: &str| format!("document.querySelector({})", json!(selector));
        let (handle, target) = (self.element(&find(from)).await, self.element(&find(to)).await);
        let actions = self.driver.action_chain().click_and_hold_element(&handle);
        let actions = actions.move_to_element_with_offset(&target, 0, -10).release();
        actions.perform().await.expect("dragged");
    }

    /// Replaces the text of the input field that matches a selector. The whole text arrives at once: on a busy machine,
    /// the page could save a part of a text that is typed key by key.
    pub async fn write(&self, selector: &str, text: &str) {
        let find = format!("document.querySelector({})", json!(selector));
        let element = self.element(&find).await;
        element.focus().await.expect("the focus");
        self.js("document.activeElement.select?.()").await;
        if text.is_empty() {
            self.press("\u{e003}").await;
        } else {
            self.tell("Input.insertText", json!({ "text": text })).await;
        }
    }

    /// Replaces the text of an input field, and leaves the field with the Tab key.
    pub async fn write_and_leave(&self, selector: &str, text: &str) {
        self.write(selector, text).await;
        self.press("\u{e004}").await;
    }

    /// Types keys into the focused element.
    pub async fn press(&self, keys: &str) {
        self.driver.action_chain().send_keys(keys).perform().await.expect("keys");
    }

    /// Presses `key` while the keys in `held` are held down.
    pub async fn chord(&self, held: &[char], key: char) {
        let mut actions = self.driver.action_chain();
        for key in held {
            actions = actions.key_down(*key);
        }
        actions = actions.send_keys(key.to_string());
        for key in held.iter().rev() {
            actions = actions.key_up(*key);
        }
        actions.perform().await.expect("keys");
    }

    /// Waits until the page shows that all input is saved.
    pub async fn saved(&self) {
        self.until("document.querySelector('.saving').dataset.word === 'saved'").await;
    }

    /// Allows the page to write to the clipboard, as people do when the browser asks them.
    pub async fn allow_the_clipboard(&self) {
        let wish = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        self.tell("Browser.grantPermissions", wish).await;
    }

    /// Disconnects the browser from the network, or connects it again.
    pub async fn offline(&self, offline: bool) {
        self.tell("Network.enable", json!({})).await;
        let conditions = json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.tell("Network.emulateNetworkConditions", conditions).await;
    }

    /// Opens an address in another tab of the same browser, runs `act` there, and closes the tab.
    pub async fn in_another_tab(&self, address: &str, act: impl AsyncFnOnce(&Page)) {
        let first = self.driver.window().await.expect("a window");
        let second = self.driver.new_tab().await.expect("a tab");
        self.driver.switch_to_window(second).await.expect("the tab");
        self.driver.goto(address).await.expect("the address");
        act(self).await;
        self.driver.close_window().await.expect("closed");
        self.driver.switch_to_window(first).await.expect("the first tab");
    }

    /// Opens an address in this window and in a second window. Returns the handles of both windows.
    pub async fn two_windows(&self, address: &str) -> [WindowHandle; 2] {
        let first = self.driver.window().await.expect("a window");
        self.driver.goto(address).await.expect("the address");
        let second = self.driver.new_window().await.expect("a window");
        self.driver.switch_to_window(second.clone()).await.expect("the window");
        self.driver.goto(address).await.expect("the address");
        [first, second]
    }

    pub async fn use_window(&self, window: &WindowHandle) {
        self.driver.switch_to_window(window.clone()).await.expect("the window");
    }

    /// Shows the page as it looks when it is printed.
    pub async fn print_view(&self) {
        let media = json!({"media": "print"});
        self.tell("Emulation.setEmulatedMedia", media).await;
    }

    /// Disables the scripts of pages from now on.
    pub async fn without_scripts(&self) {
        self.tell("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    }

    pub async fn tell(&self, command: &str, words: Value) {
        self.ask(command, words).await;
    }

    /// Sends a command of the DevTools protocol and returns its result.
    pub async fn ask(&self, command: &str, words: Value) -> Value {
        self.driver.cdp().send_raw(command, words).await.expect(command)
    }

    /// Returns a screenshot of the window as PNG.
    pub async fn picture(&self) -> Vec<u8> {
        self.driver.screenshot_as_png().await.expect("a picture")
    }
}

#[tokio::main(flavor = "current_thread")]
async fn close(session: &str, picture: Option<PathBuf>) {
    if let Some(path) = picture {
        let asked = client().get(format!("{session}/screenshot")).timeout(PATIENCE);
        let answer = asked.send().await.expect("an answer").text().await.expect("a text");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let picture = STANDARD.decode(answer["value"].as_str().expect("a picture")).expect("Base64");
        std::fs::create_dir_all(PICTURES).expect("a folder");
        std::fs::write(&path, picture).expect("written");
        eprintln!("what the page looked like: {}", path.display());
    }
    client().delete(session).timeout(PATIENCE).send().await.expect("an answer");
}
