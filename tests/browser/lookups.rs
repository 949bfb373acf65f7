//! The pages for people: search with the keyboard, a sheet and its print, a list with scripts and without.

use kuraka_domain::EditionOrigin;
use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use serde_json::json;

use crate::app::{App, eventually, publish, scene};
use crate::story::{Visit, WINDOWS, target};

const REGISTER: &str = "Nro Doc Identidad,Total CP\n20100119227,118\n20999990038,1\n20100119227,2\n20999990755,3\n\
                        2.01001E+10,4\n20999999990,5\n20100119228,6\n10999990075,7\n";
/// Fills a sheet's lists with as much as a sheet prints, in the longest texts of the files.
const FILL: &str = "const long = 'JR. CIRCUNVALACION DEL CLUB GOLF NRO. 1234 INT. 1204 DPTO. 403 MZA. C LOTE. 12 URB. SAN \
    PABLO DE LA LUZ - SANTIAGO DE SURCO - LIMA - LIMA';\
    const fill = (id, count, text) => { const card = document.querySelector(`[aria-labelledby=${id}]`);\
      card.querySelectorAll('p').forEach(one => one.remove());\
      const list = Object.assign(document.createElement('ol'), { className: 'plain' });\
      for (let at = 0; at < count; at++) list.append(Object.assign(document.createElement('li'), { textContent: text }));\
      card.append(list); };\
    fill('locales', 3, long); fill('padrones', 4, 'Agentes de percepción del IGV: ventas internas, desde el 1 jul 2013');\
    const rows = document.querySelector('[aria-labelledby=sanciones] tbody');\
    while (rows.rows.length < 12) rows.append(rows.rows[0].cloneNode(true));\
    document.querySelector('h1').textContent = long";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_look_companies_and_lists_up() {
    let app = scene().with_datasets().start().await;
    publish_a_past(&app).await;
    let list = target().join("register.csv");
    std::fs::write(&list, REGISTER).unwrap();
    for window in WINDOWS {
        let visit = Visit::begin(&app, window).await;
        let Visit { browser, base, .. } = &visit;
        visit.enter("/registro", &format!("{}@people.example", window.name)).await;
        visit.look("home").await;
        browser.open(&format!("{base}/panel/consultar")).await;

        visit.search_and_read_a_sheet().await;
        visit.look_at_pages_without_a_menu().await;
        visit.look_a_list_up(list.to_str().unwrap()).await;
        visit.look_a_list_up_without_scripts().await;
        visit.watch_companies().await;
        visit.check_what_the_browser_saw().await;
    }
}

/// Publishes the padrón in which a company was not found at its domicile, and the next day the sample's own again.
async fn publish_a_past(app: &App) {
    let registry = app.registry_dir();
    let folder = registry.ancestors().nth(2).unwrap();
    let earlier = sample::earlier("padron").unwrap().unwrap();
    for (day, bytes) in [("2026-11-01", &*earlier.bytes), ("2026-11-02", sample::PADRON)] {
        publish(folder, &PADRON, ("padron_reducido_ruc.zip", bytes), Some(day.parse().unwrap()), EditionOrigin::Sample);
    }
    eventually("the past answers", async || {
        let ready = app.admin("/readyz").send().await.json();
        (ready["datasets"][0]["date"] == "2026-11-02").then_some(())
    })
    .await;
}

impl Visit {
    async fn search_and_read_a_sheet(&self) {
        let Self { browser, base, .. } = self;
        browser.open(&format!("{base}/panel/consultar")).await;
        browser.write("#q", "condicion inv").await;
        eventually("companies are suggested", async || {
            let shown = browser.run("return document.querySelectorAll('#q-list:not([hidden]) li').length", &[]).await;
            (shown.as_u64() > Some(0)).then_some(())
        })
        .await;
        self.look("search-suggestions").await;
        // The down arrow and Enter.
        browser.press("#q", "\u{e015}\u{e007}").await;
        eventually("the sheet opens", async || {
            let path = browser.run("return location.pathname", &[]).await;
            path.as_str().unwrap().starts_with("/panel/consultar/20").then_some(())
        })
        .await;
        browser.open(&format!("{base}/panel/consultar?q=inventada")).await;
        self.look("search-results").await;
        for (page, ruc) in [
            ("sheet-good", "20999990038"),
            ("sheet-person", "10999990075"),
            ("sheet-absent", "20999999990"),
            ("sheet-invalid", "20100119228"),
            ("sheet-bad", "20999990755"),
        ] {
            browser.open(&format!("{base}/panel/consultar/{ruc}")).await;
            self.look(page).await;
        }
        self.ask_for_a_day().await;
        let pdf = self.pictures.join(format!("sheet-{}.pdf", self.window.name));
        assert_eq!(browser.print(&pdf).await, 1, "a sheet is printed on one page");
        browser.run(FILL, &[]).await;
        // Four states with what to do about each.
        assert!(browser.print(&pdf.with_extension("full.pdf")).await <= 2, "the fullest sheet is printed on two");
    }

    /// The days of the past, with the form of the sheet.
    async fn ask_for_a_day(&self) {
        let Self { browser, base, .. } = self;
        browser.open(&format!("{base}/panel/consultar/20999990038")).await;
        let fill = "document.querySelector('#fecha').value = arguments[0]";
        browser.run(fill, &[json!("2026-11-01")]).await;
        browser.without_scripts(true).await;
        browser.click(".day button").await;
        browser.without_scripts(false).await;
        // The page before has a verdict too.
        eventually("the day is shown", async || {
            browser.read(".verdict").await.contains("NO HABIDO · ACTIVO").then_some(())
        })
        .await;
        let text = browser.read("#historial").await;
        assert!(text.contains("Condición: NO HABIDO → HABIDO"), "{text}");
        assert!(text.contains("septiembre de 2026"), "{text}");
        self.look("sheet-history").await;
        let pdf = self.pictures.join(format!("sheet-history-{}.pdf", self.window.name));
        assert_eq!(browser.print(&pdf).await, 1, "a sheet with a past is printed on one page");
        browser.open(&format!("{base}/panel/consultar/20999990755")).await;
    }

    async fn look_at_pages_without_a_menu(&self) {
        let Self { browser, base, .. } = self;
        browser.run("document.querySelector('form[action=\"/panel/constancia\"]').submit()", &[]).await;
        eventually("a certificate is made", async || {
            let path = browser.run("return location.pathname", &[]).await;
            path.as_str().unwrap().starts_with("/constancia/").then_some(())
        })
        .await;
        self.look("certificate").await;
        browser.open(&format!("{base}/ingresar")).await;
        self.look("log-in").await;
    }

    async fn look_a_list_up(&self, file: &str) {
        let Self { browser, base, .. } = self;
        browser.open(&format!("{base}/panel/lista")).await;
        self.look("list").await;
        browser.write("#file", file).await;
        browser.click("main form button").await;
        eventually("the list is read", async || {
            Some(browser.read("#list").await).filter(|text| text.contains("Consultar 5 RUC (5 consultas)"))
        })
        .await;
        self.look("list-read").await;
        browser.click(".mode button").await;
        let text = eventually("the list is looked up", async || {
            Some(browser.read("#list").await).filter(|text| text.contains("en rojo"))
        })
        .await;
        assert!(text.contains("NO HABIDO") && text.contains("3M PERU S A"), "{text}");
        self.look("list-done").await;
        browser.click(".bucket.bad").await;
        let rows = "return document.querySelectorAll('.items tbody tr').length";
        eventually("only the red rows are shown", async || {
            (browser.run(rows, &[]).await.as_u64() < Some(7)).then_some(())
        })
        .await;
        browser.open(&format!("{base}/panel/lista")).await;
        self.look("lists").await;
    }

    /// Of six RUCs five are watched, the one with a problem first, and one is removed.
    async fn watch_companies(&self) {
        let Self { browser, base, .. } = self;
        browser.open(&format!("{base}/panel/seguimiento")).await;
        self.look("watching-empty").await;
        let rucs = "20100119227 20999990038 20999990755 10999990075 20999999990 20100119228";
        browser.write("#text", rucs).await;
        browser.click("main form button").await;
        let text = browser.read(".items tbody").await;
        assert!(text.contains("3M PERU S A") && text.contains("Condición: NO HABIDO → HABIDO"), "{text}");
        self.look("watching").await;
        browser.click("button[value='20999999990']").await;
        eventually("a RUC is removed", async || {
            (browser.run("return document.querySelectorAll('.items tbody tr').length", &[]).await == 4).then_some(())
        })
        .await;
    }

    async fn look_a_list_up_without_scripts(&self) {
        let Self { browser, base, .. } = self;
        browser.without_scripts(true).await;
        browser.open(&format!("{base}/panel/lista")).await;
        browser.write("#text", "20100119227\n20999990755").await;
        browser.click("main form button").await;
        browser.click(".mode button").await;
        // The page loads itself again.
        let text = eventually("the list is looked up", async || {
            Some(browser.read("#list").await).filter(|text| text.contains("en rojo"))
        })
        .await;
        browser.without_scripts(false).await;
        assert!(text.contains("3M PERU S A") && text.contains("NO HABIDO"), "{text}");
        let picture = self.pictures.join(format!("list-without-scripts-{}.png", self.window.name));
        browser.photograph(&picture).await;
    }
}
