//! A headless Chromium, driven over WebDriver through chromedriver.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kuraka_adapters::http::{self, ClientLimits};
use reqwest::Client;
use serde_json::{Value, json};

use crate::app::eventually;

/// A running browser with one window. Dropping it ends the browser.
pub(crate) struct Driver {
    process: Child,
    client: Client,
    session: String,
}

/// The properties of the window.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) name: &'static str,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) dark: bool,
}

impl Driver {
    pub(crate) async fn start(window: Window) -> Self {
        // A port that was free a moment ago, because chromedriver cannot report a port that it chooses.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let process = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed: run make browser");
        let wait = Duration::from_secs(60);
        let client = http::client("kuraka-tests", ClientLimits { connect: wait, read: wait, total: wait }).unwrap();
        let base = format!("http://127.0.0.1:{port}");
        eventually("chromedriver listens", async || {
            client.get(format!("{base}/status")).send().await.ok().filter(|answer| answer.status().is_success())
        })
        .await;
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
            "perfLoggingPrefs": { "enableNetwork": true },
        });
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let mut driver = Self { process, client, session: format!("{base}/session") };
        let made = driver.post("", capabilities).await;
        driver.session = format!("{base}/session/{}", made["sessionId"].as_str().unwrap());
        let Window { width, height, dark, .. } = window;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        driver.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        driver.devtools("Emulation.setEmulatedMedia", json!({ "features": [scheme] })).await;
        driver
    }

    /// Opens a URL and waits until the page is loaded.
    pub(crate) async fn open(&self, url: &str) {
        self.post("/url", json!({ "url": url })).await;
    }

    /// Waits until the page with this path is open.
    pub(crate) async fn arrives_at(&self, path: &str) {
        eventually(path, async || (self.text_of("return location.pathname").await == path).then_some(())).await;
    }

    pub(crate) async fn click(&self, selector: &str) {
        let element = self.element(selector).await;
        self.post(&format!("/element/{element}/click"), json!({})).await;
    }

    pub(crate) async fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector).await;
        self.post(&format!("/element/{element}/value"), json!({ "text": text })).await;
    }

    /// The text of an element, once it has one.
    pub(crate) async fn read(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? ''");
        eventually(selector, async || Some(self.text_of(&script).await).filter(|text| !text.trim().is_empty())).await
    }

    /// Presses Tab. Returns the focused element and whether its focus is visible.
    pub(crate) async fn tab(&self) -> (String, bool) {
        let key = json!([{ "type": "keyDown", "value": "\u{e004}" }, { "type": "keyUp", "value": "\u{e004}" }]);
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": key });
        self.post("/actions", json!({ "actions": [keyboard] })).await;
        let script = "const at = document.activeElement; \
             return [at.id || at.getAttribute('href') || at.textContent.trim() || at.tagName, \
                     getComputedStyle(at).outlineStyle !== 'none']";
        let found = self.run(script, &[]).await;
        (found[0].as_str().unwrap().to_owned(), found[1].as_bool().unwrap())
    }

    /// Runs a script in the page.
    pub(crate) async fn run(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": arguments })).await
    }

    /// Runs a script that calls its last argument when it is done.
    pub(crate) async fn run_until_done(&self, script: &str) -> Value {
        self.post("/execute/async", json!({ "script": script, "args": [] })).await
    }

    /// The entries of a log since the last call.
    pub(crate) async fn log(&self, kind: &str) -> Vec<Value> {
        self.post("/se/log", json!({ "type": kind })).await.as_array().unwrap().clone()
    }

    /// Writes a screenshot of the whole page.
    pub(crate) async fn photograph(&self, path: &Path) {
        // A page that was just opened has no size until it is laid out.
        let whole = eventually("the page has a size", async || {
            let whole = self.devtools("Page.getLayoutMetrics", json!({})).await["cssContentSize"].clone();
            (whole["width"].as_f64() > Some(0.0) && whole["height"].as_f64() > Some(0.0)).then_some(whole)
        })
        .await;
        let clip = json!({ "x": 0, "y": 0, "width": whole["width"], "height": whole["height"], "scale": 1 });
        let options = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let picture = self.devtools("Page.captureScreenshot", options).await;
        std::fs::write(path, base64(picture["data"].as_str().unwrap())).unwrap();
    }

    /// Prints the page to a PDF and returns the number of its pages.
    pub(crate) async fn print(&self, path: &Path) -> usize {
        let options = json!({ "printBackground": true, "preferCSSPageSize": true });
        let pdf = base64(self.devtools("Page.printToPDF", options).await["data"].as_str().unwrap());
        std::fs::write(path, &pdf).unwrap();
        let pages = String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count();
        assert!(pages > 0, "the PDF names its pages");
        pages
    }

    /// Switches the scripts of the pages off or on.
    pub(crate) async fn without_scripts(&self, without: bool) {
        self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": without })).await;
    }

    /// Presses keys in an element, such as `\u{e015}` for the down arrow.
    pub(crate) async fn press(&self, selector: &str, keys: &str) {
        self.write(selector, keys).await;
    }

    async fn text_of(&self, script: &str) -> String {
        self.run(script, &[]).await.as_str().unwrap_or_default().to_owned()
    }

    /// The element, once it is there: a click ends before the page that it opens is loaded.
    async fn element(&self, selector: &str) -> String {
        let query = json!({ "using": "css selector", "value": selector });
        eventually(selector, async || {
            let found = self.post("/elements", query.clone()).await;
            Some(found[0].as_object()?.values().next()?.as_str()?.to_owned())
        })
        .await
    }

    async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }

    async fn post(&self, command: &str, body: Value) -> Value {
        let request = self.client.post(format!("{}{command}", self.session)).body(body.to_string());
        let answer = request.header("Content-Type", "application/json").send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert!(status.is_success(), "{command}: {text}");
        serde_json::from_str::<Value>(&text).unwrap()["value"].take()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser ends with the session.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Decodes base64.
fn base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => u32::from(letter - b'A'),
        b'a'..=b'z' => u32::from(letter - b'a') + 26,
        b'0'..=b'9' => u32::from(letter - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let bytes = letters.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, letter| bits << 6 | value(*letter)) << (6 * (4 - four.len()));
        let bytes = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        bytes.into_iter().take(four.len() - 1)
    });
    bytes.collect()
}
