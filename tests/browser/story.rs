//! Sign up, make a token, paste it into the playground, see the answer and the usage.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::app::{App, eventually, scene};
use crate::driver::{Driver, Window};

pub(crate) const WINDOWS: [Window; 4] = [
    Window { name: "desktop-light", width: 1280, height: 860, dark: false },
    Window { name: "desktop-dark", width: 1280, height: 860, dark: true },
    Window { name: "phone-light", width: 360, height: 740, dark: false },
    Window { name: "phone-dark", width: 360, height: 740, dark: true },
];

/// A visit: a browser, a server, and the folder for the screenshots.
pub(crate) struct Visit {
    pub(crate) browser: Driver,
    pub(crate) base: String,
    axe: String,
    pub(crate) pictures: PathBuf,
    pub(crate) window: Window,
}

pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("target/browser")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_user_gets_from_the_landing_page_to_an_answer() {
    let app = scene().start().await;
    for window in WINDOWS {
        let visit = Visit::begin(&app, window).await;
        visit.tell_the_story().await;
        visit.check_what_the_browser_saw().await;
    }
}

impl Visit {
    pub(crate) async fn begin(app: &App, window: Window) -> Self {
        let pictures = target();
        let axe = std::fs::read_to_string(pictures.join("axe.min.js")).expect("axe is fetched: run make browser");
        std::fs::create_dir_all(&pictures).unwrap();
        let base = format!("http://{}", app.api);
        Self { browser: Driver::start(window).await, base, axe, pictures, window }
    }

    async fn tell_the_story(&self) {
        let Self { browser, base, .. } = self;
        browser.open(base).await;
        self.look("landing").await;
        for (page, path) in [("docs", "/docs"), ("guide", "/docs/primera-consulta")] {
            browser.open(&format!("{base}{path}")).await;
            let open = "for (const part of document.querySelectorAll('details')) { part.name = ''; part.open = true }";
            browser.run(open, &[]).await;
            self.look(page).await;
        }
        browser.open(base).await;
        browser.click(".pitch a[href='/registro']").await;
        browser.arrives_at("/registro").await;
        self.look("sign-up").await;
        self.enter("/registro", &format!("{}@kuraka.example", self.window.name)).await;
        browser.open(&format!("{}/panel/tokens", self.base)).await;
        self.look("tokens-empty").await;
        self.walk_by_keyboard().await;
        browser.write("#name", "facturación").await;
        browser.click("form[action='/panel/tokens'] button").await;
        let token = browser.read("#token").await;
        assert!(token.starts_with("kur_") && token.len() == 40, "{token}");
        self.look("token-made").await;

        browser.click("main a.button[href='/panel/probar']").await;
        browser.arrives_at("/panel/probar").await;
        self.look("playground").await;
        browser.write("#secret", &token).await;
        browser.click("#send").await;
        let body = browser.read("#answer-body").await;
        assert!(body.contains("\"nombre_o_razon_social\": \"3M PERU S A\""), "{body}");
        let headers = browser.read("#answer-headers").await;
        for name in ["x-request-id", "x-source", "ratelimit"] {
            assert!(headers.contains(name), "{headers}");
        }
        let outcome = browser.read("#outcome").await;
        assert!(outcome.starts_with("200") && outcome.ends_with(" ms"), "{outcome}");
        self.look("playground-answered").await;

        eventually("the query is counted", async || {
            browser.open(&format!("{base}/panel/consumo")).await;
            let bars = browser.run("return document.querySelectorAll('rect.found').length", &[]).await;
            (browser.read("#used").await == "1" && bars == 1).then_some(())
        })
        .await;
        self.look("usage").await;
        for (page, path) in [("plan", "/panel/plan"), ("status", "/estado"), ("account", "/panel/cuenta")] {
            browser.open(&format!("{base}{path}")).await;
            self.look(page).await;
        }
        let kept = browser.run("return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])", &[]);
        assert_eq!(kept.await.as_str(), Some("[{},{},\"\"]"), "the page keeps nothing in the browser");
    }

    /// Signs up or logs in.
    pub(crate) async fn enter(&self, path: &str, email: &str) {
        let Self { browser, base, .. } = self;
        browser.open(&format!("{base}{path}")).await;
        browser.write("#email", email).await;
        browser.write("#password", "una frase larga y mía").await;
        browser.click(&format!("form[action='{path}'] button")).await;
        browser.arrives_at("/panel").await;
    }

    /// Takes a screenshot and checks the page: nothing is wider than the window, its content has the room, and axe finds no
    /// serious problem.
    pub(crate) async fn look(&self, page: &str) {
        let picture = self.pictures.join(format!("{page}-{}.png", self.window.name));
        self.browser.photograph(&picture).await;
        // A phone widens its viewport to a page that is too wide.
        let width = self.browser.run("return document.documentElement.scrollWidth", &[]).await.as_u64().unwrap();
        assert!(width <= u64::from(self.window.width), "{page} is {width} pixels wide in {}", self.window.name);
        let content =
            self.browser.run("return document.querySelector('main').offsetWidth", &[]).await.as_u64().unwrap();
        let least = u64::from(self.window.width / 3);
        assert!(content > least, "{page}: its content is {content} pixels wide in {}", self.window.name);
        self.browser.run(&self.axe, &[]).await;
        let script = "const done = arguments[0]; axe.run(document).then(found => done({ passed: found.passes.length, \
             violations: found.violations.filter(one => ['serious', 'critical'].includes(one.impact)) \
               .map(one => one.id + ': ' + one.nodes.map(node => node.html).join(' ')) }))";
        let found = self.browser.run_until_done(script).await;
        assert!(found["passed"].as_u64().unwrap() > 10, "{found}");
        assert_eq!(found["violations"], Value::Array(vec![]), "{page} in {}", self.window.name);
    }

    /// Walks from the top of the page to the button of its form with the Tab key only.
    async fn walk_by_keyboard(&self) {
        let mut seen = Vec::new();
        while seen.len() < 40 && seen.last().is_none_or(|last| last != "Crear token") {
            let (at, visible) = self.browser.tab().await;
            assert!(visible, "the focus on {at} cannot be seen");
            seen.push(at);
        }
        let menu = if self.window.width < 600 { ["/panel", "Más"] } else { ["/panel/tokens", "/panel/probar"] };
        for stop in ["#contenido", "/", "Salir"].into_iter().chain(menu).chain(["name", "expires", "Crear token"]) {
            assert!(seen.iter().any(|at| at == stop), "{stop} is not reached: {seen:?}");
        }
    }

    pub(crate) async fn check_what_the_browser_saw(&self) {
        // The page about a RUC that does not exist has the status of that answer, which the browser reports.
        let is_answer = |entry: &Value| entry["message"].as_str().unwrap().contains("/panel/consultar/2");
        let entries = self.browser.log("browser").await.into_iter().filter(|entry| !is_answer(entry));
        assert_eq!(entries.collect::<Vec<_>>(), Vec::<Value>::new(), "the console is silent");
        let mut requests = 0;
        for entry in self.browser.log("performance").await {
            let event: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let Some(url) = event["message"]["params"]["request"]["url"].as_str() else { continue };
            assert!(url.starts_with(&self.base) || url.starts_with("data:"), "{url} is not ours");
            requests += 1;
        }
        assert!(requests > 10, "{requests} requests were seen");
    }
}
