//! A panel over fakes, and a look behind it.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use actix_web::dev::Service;
use actix_web::test::{TestRequest, init_service};
use actix_web::{App, web};
use jiff::Timestamp;
use kuraka_app::{Plan, Plans};
use kuraka_domain::{Date, ResultCode};
use kuraka_panel::sources::{Source, Sources};
use kuraka_panel::stub::{DayCount, Desk, Operation, TokenRow};
use kuraka_panel::{Panel, Site};
use kuraka_ports::fake::{ManualClock, ScriptedRegistry};
use kuraka_ports::{Account, Edition, EditionOrigin, PlanName};

use crate::browser::{Browser, Shown};

/// The password of every account here.
pub(crate) const PASSWORD: &str = "una frase larga y mía";

type Answer = Pin<Box<dyn Future<Output = Shown>>>;

/// A panel.
pub(crate) struct Stage {
    app: Rc<dyn Fn(TestRequest) -> Answer>,
    panel: web::Data<Panel>,
    registry: Arc<ScriptedRegistry>,
    sources: Arc<Shelf>,
}

/// A token as its owner sees it.
pub(crate) struct Kept {
    pub(crate) id: i64,
}

#[derive(Default)]
struct Shelf(Mutex<Vec<Source>>);

impl Sources for Shelf {
    fn sources(&self) -> Vec<Source> {
        self.0.lock().unwrap().clone()
    }
}

/// A path of the table with a number in it.
pub(crate) fn filled_in(path: &str, number: i64) -> String {
    path.replace("{id}", &number.to_string()).replace("{file}", "none")
}

fn plan(name: &str, queries: u64, rate: u64, burst: u64) -> Plan {
    Plan::new(PlanName::parse(name).unwrap(), queries, rate, burst).unwrap()
}

fn edition(date: &str) -> Edition {
    Edition {
        label: format!("{date}-8c1f22ab").into(),
        date: Date::parse(date).unwrap(),
        origin: EditionOrigin::Published,
        rows: 18_234_511,
        has_withholding_list: true,
        has_good_taxpayer_list: true,
    }
}

impl Stage {
    /// Reached over plain http, open to everybody.
    pub(crate) async fn new() -> Self {
        Self::with(None, true, Some("2026-11-20")).await
    }

    /// Reached at this address.
    pub(crate) async fn at(url: &str) -> Self {
        Self::with(Some(url), true, Some("2026-11-20")).await
    }

    pub(crate) async fn without_sign_up() -> Self {
        Self::with(None, false, Some("2026-11-20")).await
    }

    pub(crate) async fn without_edition() -> Self {
        Self::with(None, true, None).await
    }

    async fn with(url: Option<&str>, sign_up: bool, published: Option<&str>) -> Self {
        let now: Timestamp = "2026-11-20T15:00:00Z".parse().unwrap();
        let registry = Arc::new(ScriptedRegistry::empty());
        if let Some(date) = published {
            registry.publish(edition(date), []);
        }
        let sources = Arc::new(Shelf::default());
        let panel = web::Data::new(Panel {
            site: Site {
                public_url: url.map(str::to_owned),
                sign_up: sign_up.then(|| PlanName::parse("free").unwrap()),
                client_address: Arc::new(|_| Some([192, 0, 2, 1].into())),
            },
            desk: Desk::new(),
            plans: Plans::from_iter([plan("free", 1_000, 5, 10), plan("empresa", 100_000, 50, 100)]),
            registry: registry.clone(),
            max_age_days: Some(7),
            sources: sources.clone(),
            clock: Arc::new(ManualClock::at(now)),
        });
        let app = Rc::new(init_service(App::new().app_data(panel.clone()).configure(kuraka_panel::configure)).await);
        let answer = move |request: TestRequest| -> Answer {
            let app = Rc::clone(&app);
            Box::pin(async move {
                let (_, response) = app.call(request.to_request()).await.unwrap().into_parts();
                Shown::of(response).await
            })
        };
        Self { app: Rc::new(answer), panel, registry, sources }
    }

    pub(crate) async fn answer(&self, request: TestRequest) -> Shown {
        (self.app)(request).await
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.panel.site.is_secure()
    }

    /// A browser with a new account.
    pub(crate) async fn signed_in(&self, email: &str) -> Browser<'_> {
        let mut browser = Browser::new(self);
        browser.submit("/registro", "/registro", &[("email", email), ("password", PASSWORD)]).await.leads_to();
        browser
    }

    /// Logs in, as somebody does whose browser still has an older session.
    pub(crate) async fn log_in(&self, browser: &mut Browser<'_>, email: &str) {
        let token = Browser::new(self).get("/ingresar").await;
        let secret =
            token.headers.get("set-cookie").unwrap().to_str().unwrap().split(['=', ';']).nth(1).unwrap().to_owned();
        browser.cookies.insert("kuraka-form".to_owned(), secret);
        let token = token.form_token();
        let fields = [("form_token", token.as_str()), ("email", email), ("password", PASSWORD)];
        assert_eq!(browser.post("/ingresar", &fields).await.leads_to(), "/panel");
    }

    /// Makes a token in the panel.
    pub(crate) async fn token(&self, owner: &mut Browser<'_>, name: &str) -> Kept {
        owner.submit("/panel/tokens", "/panel/tokens", &[("name", name), ("expires", "")]).await;
        let id = self.panel.desk.tokens.lock().unwrap().len() as i64;
        Kept { id }
    }

    pub(crate) async fn account(&self, email: &str) -> Account {
        let accounts = self.panel.desk.accounts.lock().unwrap();
        accounts.iter().find(|(account, _)| account.email.as_str() == email).unwrap().0.clone()
    }

    pub(crate) async fn has_account(&self, email: &str) -> bool {
        self.panel.desk.accounts.lock().unwrap().iter().any(|(account, _)| account.email.as_str() == email)
    }

    pub(crate) async fn tokens(&self, email: &str) -> Vec<TokenRow> {
        self.panel.desk.list(self.account(email).await.id).await.unwrap()
    }

    /// All that is kept, to see whether it changed.
    pub(crate) async fn state(&self) -> String {
        let desk = &self.panel.desk;
        let tokens: Vec<_> = desk.tokens.lock().unwrap().iter().map(|(_, t)| (t.id, t.revoked)).collect();
        format!("{:?} {:?} {tokens:?}", desk.accounts.lock().unwrap(), desk.sessions.lock().unwrap().len())
    }

    /// Six calls on two days.
    pub(crate) async fn use_queries(&self, email: &str) {
        let id = self.account(email).await.id;
        let count = |day: &str, operation, code, count| {
            (id, DayCount { day: Date::parse(day).unwrap(), operation, code, count })
        };
        self.panel.desk.usage.lock().unwrap().extend([
            count("2026-11-01", Operation::Summary, ResultCode::Found, 1),
            count("2026-11-20", Operation::Summary, ResultCode::Found, 3),
            count("2026-11-20", Operation::Summary, ResultCode::DocumentNotFound, 1),
            count("2026-11-20", Operation::Detail, ResultCode::UpstreamUnavailable, 2),
        ]);
    }

    pub(crate) fn publish_edition_of(&self, date: &str) {
        self.registry.publish(edition(date), []);
    }

    pub(crate) fn set_sources(&self, sources: &[Source]) {
        *self.sources.0.lock().unwrap() = sources.to_vec();
    }
}
