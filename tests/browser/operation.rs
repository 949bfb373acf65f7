//! The operator's pages and the page of the service, with rows in every table.

use std::collections::BTreeMap;

use kuraka_ports::{AccountRole, Accounts, CallCounts, Email, MeasuredHour, ServerId};

use crate::app::{App, eventually, now, scene};
use crate::sandbox::{PROVIDER, sandbox};
use crate::story::{Visit, WINDOWS};
use crate::webhooks::{made_by_the_operator, receiver};

const OPEN_ALL: &str = "for (const part of document.querySelectorAll('details')) part.open = true";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_looks_at_the_service() {
    let (earlier, upstream, (address, url)) = (with_measured_days().await, sandbox().await, receiver());
    let app = scene()
        .fetching(address)
        .with_datasets()
        .set("store.url", &format!("sqlite://{}", earlier.store_file().display()))
        .official(&upstream)
        .provider(&upstream, PROVIDER)
        .set("webhooks.allowed_networks", "127.0.0.0/8")
        .set("status.public", "true")
        .start()
        .await;
    let owner = app.owner().await;
    for (path, ruc) in [
        ("/ruc", "20100119227"),
        ("/ruc", "20100119228"),
        ("/ruc-official", "20999985034"),
        ("/ruc-official", "20999980407"),
    ] {
        app.post(path).token(&owner.token).ruc(ruc).send().await;
    }
    eventually("the past days are read", async || {
        let status = app.request("GET", "/estado.json").send().await;
        (status.json()["dias"].as_array()?.len() == 21).then_some(())
    })
    .await;
    for window in WINDOWS {
        let visit = Visit::begin(&app, window).await;
        let Visit { browser, base, .. } = &visit;
        browser.open(&format!("{base}/estado")).await;
        browser.run(OPEN_ALL, &[]).await;
        visit.look("service").await;
        let email = format!("{}@operator.example", window.name);
        visit.enter("/registro", &email).await;
        let account = Accounts::find(&*app.store, &Email::parse(&email).unwrap()).await.unwrap().unwrap();
        // Ends the session.
        app.store.set_role(account.id, AccountRole::Operator).await.unwrap();
        visit.enter("/ingresar", &email).await;
        made_by_the_operator(&app, &email, &url).await;
        earlier.sql("UPDATE webhook SET failures = 3, failing_since = created").await;
        eventually("an update has failed", async || {
            browser.open(&format!("{base}/panel/operacion")).await;
            browser.read("#conjuntos + table").await.contains("El publicador no tiene").then_some(())
        })
        .await;
        browser.run(OPEN_ALL, &[]).await;
        visit.look("operation").await;
        browser.click("#servicio ~ p a").await;
        browser.read("#avisos").await;
        visit.look("operation-account").await;
        for (page, path) in [("accounts", "cuentas"), ("audit", "auditoria")] {
            browser.open(&format!("{base}/panel/operacion/{path}")).await;
            visit.look(&format!("operation-{page}")).await;
        }
        visit.check_what_the_browser_saw().await;
    }
}

/// A server that has stopped, with twenty days in its store, of which some have lost minutes.
async fn with_measured_days() -> App {
    let mut app = scene().start().await;
    let newest = now().as_second() / 3_600 - 1;
    for hour in newest - 20 * 24 + 1..=newest {
        let counts = |failed| {
            let bad_minutes = if hour % 50 == 0 { 7 } else { 0 };
            CallCounts { calls: 600, failed, bad_minutes, times: [(1_000, 590), (4_000, 10)].into() }
        };
        let subjects = [("/ruc", 1), ("/ruc-official", 9), ("pagina_oficial", 30), ("respaldo", 2)];
        let subjects = subjects.map(|(name, failed)| (name.to_owned(), counts(failed)));
        let minutes = if hour % 70 == 0 { 0xFFFF } else { (1 << 60) - 1 };
        let measured = MeasuredHour { hour, minutes, subjects: BTreeMap::from(subjects) };
        app.store.put_hour(ServerId([1; 16]), hour.unsigned_abs(), &measured).await.unwrap();
    }
    app.stop().await;
    app
}
