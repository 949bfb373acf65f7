//! The sheet of a taxpayer: what it says, what it costs, and what it does not say.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{REFERER, RETRY_AFTER};
use actix_web::test::TestRequest;
use kuraka_domain::{ResultCode, Sanction, TaxpayerProfile};
use kuraka_ports::SourceErrorKind;

use crate::browser::{Browser, Response};
use crate::taxpayers::{ABSENT, COMPANY, PERSON, date, incapable, profile, ruc, sanctioned};
use crate::test_app::{EMAIL, TestApp};

fn path(ruc: &str) -> String {
    format!("/panel/consultar/{ruc}")
}

/// Opens a sheet as a browser does that was given its address.
async fn open(browser: &mut Browser<'_>, ruc: &str) -> Response {
    browser.send(TestRequest::get().uri(&path(ruc)).insert_header(("Sec-Fetch-Site", "none"))).await
}

/// The sheet of this taxpayer on a server where no dataset is missing or old.
async fn sheet(profile: TaxpayerProfile) -> Response {
    sheet_of(profile, &[], &[]).await
}

async fn sheet_of(profile: TaxpayerProfile, missing: &[&str], old: &[&str]) -> Response {
    let app = TestApp::new().await;
    let ruc = profile.summary.ruc.to_string();
    app.publish([profile], missing, old);
    let response = open(&mut app.signed_in(EMAIL).await, &ruc).await;
    assert_eq!(response.status, StatusCode::OK);
    response
}

fn verdict(response: &Response) -> &str {
    response.between("<section class=\"verdict ", "\"")
}

#[actix_web::test]
async fn a_sheet_shows_every_part_of_the_profile() {
    let response = sheet(sanctioned(profile(COMPANY, "ACTIVO", "HABIDO"))).await;
    response.assert_all([
        "MOLINOS &#38; HIJOS S.A.C.",
        "AV. LIMA NRO. 1 - SAN ISIDRO - LIMA - LIMA",
        "Agentes de retención del IGV",
        "desde el 1 jun 2002",
        "R.S.037-2002",
        "SOCIEDAD ANONIMA CERRADA",
        "MOLIENDA DE GRANOS",
        "1,234",
        "COMPUTARIZADO",
        "MANUAL",
        "octubre de 2026",
        "Locales anexos: 5",
        "JR. ANEXO NRO. 5 - SAN ISIDRO - LIMA - LIMA",
        "DOCUMENTO FALSO",
        "Según el padrón del 19 nov 2026.",
        "2026-11-19-ssco",
        "Consultado el 20 nov 2026, 10:00",
        "http://panel.example/panel/consultar/20100119227",
    ]);
    assert_eq!(response.charged(), Some(("ruc-ficha", 1, ResultCode::Found)));
}

#[actix_web::test]
async fn only_an_active_and_habido_taxpayer_is_green() {
    for (status, condition, tone) in [
        ("ACTIVO", "HABIDO", "good"),
        ("ACTIVO", "NO HALLADO", "warn"),
        ("ACTIVO", "PENDIENTE", "warn"),
        ("SUSPENSION TEMPORAL", "HABIDO", "warn"),
        ("ALGO NUEVO", "HABIDO", "warn"),
        ("ACTIVO", "ALGO NUEVO", "warn"),
        ("ACTIVO", "NO HABIDO", "bad"),
        ("BAJA DE OFICIO", "HABIDO", "bad"),
        ("BAJA PROVISIONAL", "HABIDO", "bad"),
        ("ACTIVO", "-", "unsure"),
    ] {
        let response = sheet(profile(COMPANY, status, condition)).await;
        assert_eq!(verdict(&response), tone, "{status} {condition}");
    }
    let response = sheet(incapable(profile(COMPANY, "ACTIVO", "HABIDO"))).await;
    assert_eq!(verdict(&response), "bad");
    response.assert_contains("SIN CAPACIDAD OPERATIVA · ACTIVO · HABIDO");
    assert_eq!(verdict(&sheet(sanctioned(profile(COMPANY, "ACTIVO", "HABIDO"))).await), "good");
}

#[actix_web::test]
async fn what_is_missing_or_too_old_is_grey_and_never_green() {
    let good = || profile(COMPANY, "ACTIVO", "HABIDO");
    let response = sheet_of(good(), &[], &["padron"]).await;
    assert_eq!(verdict(&response), "unsure");
    response.assert_all(["No se sabe cómo está hoy", "es del 19 nov 2026, demasiado antiguo"]);
    response.assert_lacks("class=\"good\"");

    let none = TaxpayerProfile { operating_incapacity: None, sanctions: None, annexes: None, lists: None, ..good() };
    let none = TaxpayerProfile { open_data: None, annex_count: None, ..none };
    let all = ["percepcion_combustibles", "anexos", "datos_abiertos", "ssco", "sanciones"];
    let response = sheet_of(none, &all, &[]).await;
    response.assert_all([
        "Este servicio no tiene la relación de la SUNAT.",
        "Este servicio no tiene la relación del OECE.",
        "no tiene los datos abiertos",
        "no tiene el archivo de locales anexos",
        "No se sabe si está en «Agentes de percepción del IGV: combustibles».",
        "no está en este servicio",
    ]);
    response.assert_lacks("No figura");

    // An old list no longer says how a taxpayer is today, whatever it says.
    for (profile, tone) in [(good(), "good"), (incapable(good()), "unsure")] {
        let response = sheet_of(profile, &[], &["ssco"]).await;
        assert_eq!(verdict(&response), tone);
        response.assert_contains("en la relación del 19 nov 2026, que es demasiado antigua");
        response.assert_lacks("SIN CAPACIDAD OPERATIVA ·");
    }
}

#[actix_web::test]
async fn a_missing_list_is_named_and_no_sheet_is_shown() {
    let app = TestApp::new().await;
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO")], &["retencion"], &[]);
    let response = open(&mut app.signed_in(EMAIL).await, COMPANY).await;
    assert_eq!(response.status, StatusCode::SERVICE_UNAVAILABLE);
    response.assert_contains("no tiene el conjunto de datos &#34;retencion&#34;");
    assert_eq!(response.charged(), Some(("ruc-ficha", 1, ResultCode::UpstreamUnavailable)));
}

#[actix_web::test]
async fn a_consequence_is_named_with_its_source_or_not_at_all() {
    let sources = ["Decreto Legislativo 1532", "44 j)", "041-2006-EF", "OECE, relación"];
    for (profile, named) in [
        (profile(COMPANY, "ACTIVO", "HABIDO"), [false; 4]),
        (profile(COMPANY, "SUSPENSION TEMPORAL", "PENDIENTE"), [false; 4]),
        (profile(COMPANY, "BAJA PROVISIONAL", "HABIDO"), [false, true, false, false]),
        (profile(COMPANY, "BAJA DEFINITIVA", "HABIDO"), [false, true, false, false]),
        (profile(COMPANY, "ACTIVO", "NO HABIDO"), [false, true, true, false]),
        (profile(COMPANY, "ACTIVO", "NO HALLADO CERRADO"), [false, false, true, false]),
        (sanctioned(incapable(profile(COMPANY, "ACTIVO", "HABIDO"))), [true, false, false, true]),
    ] {
        let response = sheet(profile).await;
        assert_eq!(sources.map(|source| response.body.contains(source)), named, "{:?}", response.body);
        response.assert_contains("No es asesoría tributaria.");
    }
}

/// The part of the sheet that says what to do.
fn advice(response: &Response) -> &str {
    response.between("Qué significa y qué hacer</h2>", "</section>")
}

#[actix_web::test]
async fn every_state_and_condition_has_a_meaning_and_says_what_to_do() {
    const RULES: [&str; 3] = ["art.", "Decreto", "crédito fiscal"];
    for line in include_str!("../../fixtures/states.txt").lines() {
        let (of, text) = line.split_once(' ').unwrap();
        let is_status = of == "estado";
        let response =
            sheet(if is_status { profile(COMPANY, text, "HABIDO") } else { profile(COMPANY, "ACTIVO", text) });
        let response = response.await;
        let advice = advice(&response);
        assert_eq!(advice.matches("<strong>Qué hacer.</strong>").count(), 2, "{line}: {advice}");
        assert!(!advice.contains("Este servicio no conoce"), "{line}");
        let names_a_rule = RULES.iter().any(|rule| advice.contains(rule));
        let has_a_rule = text.starts_with("BAJA")
            || text.starts_with("NO HA")
            || text.contains("DOMICILIO CERRADO")
            || ["NO EXISTE LA DIRECCI", "NEGATIVA RECEPCION X", "AUSENCIA DE PERSONA"].contains(&text);
        assert_eq!(names_a_rule, has_a_rule, "{line}: {advice}");
    }
}

#[actix_web::test]
async fn the_advice_is_there_for_what_is_unknown_and_for_what_needs_none() {
    let good = sheet(profile(COMPANY, "ACTIVO", "HABIDO")).await;
    assert!(advice(&good).contains("Sin observaciones. No hay nada que hacer."));
    let new = sheet(profile(COMPANY, "ALGO NUEVO", "OTRA COSA")).await;
    assert!(advice(&new).contains("<h3>ALGO NUEVO</h3><p>Este servicio no conoce este estado."));
    assert!(advice(&new).contains("<h3>OTRA COSA</h3><p>Este servicio no conoce esta condición."));
    for (text, title) in [
        ("ANUL.PROVI.-ACTO ILI", "ANULACIÓN PROVISIONAL - ACTO ILÍCITO"),
        ("ANULACION - ACTO ILI", "ANULACIÓN - ACTO ILÍCITO"),
        ("NUM. INTERNO IDENTIF", "NÚMERO INTERNO DE IDENTIFICACIÓN"),
    ] {
        let written = sheet(profile(COMPANY, text, "HABIDO")).await;
        written.assert_contains(&format!("<p class=\"headline\">{title} · HABIDO</p>"));
        written.assert_contains(&format!("En el padrón: «{text}"));
    }
}

#[actix_web::test]
async fn a_sanction_that_has_ended_is_told_as_ended() {
    let ended = Sanction { since: date("2026-01-14"), until: Some(date("2026-11-19")), reason: "X".to_owned() };
    let taxpayer = |sanctions| TaxpayerProfile { sanctions: Some(sanctions), ..profile(COMPANY, "ACTIVO", "HABIDO") };
    let response = sheet(taxpayer(vec![ended.clone()])).await;
    response.assert_all(["Sin sanción vigente: la última terminó el 19 nov 2026", "19 nov 2026, terminó</td>"]);
    response.assert_lacks("No puede contratar con el Estado");
    let last_day = Sanction { until: Some(date("2026-11-20")), ..ended };
    let response = sheet(taxpayer(vec![last_day])).await;
    response.assert_all(["Figura con 1 sanción vigente", "No puede contratar con el Estado"]);
}

#[actix_web::test]
async fn a_sheet_of_demonstration_data_says_so() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    open(&mut owner, COMPANY).await.assert_lacks("Datos de demostración");
    app.publish_sample([profile(COMPANY, "ACTIVO", "HABIDO")]);
    let response = open(&mut owner, COMPANY).await;
    response.assert_all(["<article class=\"sheet demo\"", "Datos de demostración: esta ficha no sirve como prueba."]);
}

#[actix_web::test]
async fn a_sheet_leads_to_the_watched_and_to_the_lists_that_have_it() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    owner.submit("/panel/lista", "/panel/lista", &[("text", COMPANY)]).await.location();
    let response = open(&mut owner, COMPANY).await;
    response.assert_contains("href=\"/panel/lista?ruc=20100119227#listas\"");
    owner.get("/panel/lista?ruc=20100119227").await.assert_contains("Sus listas con el RUC 20100119227");
    owner.get("/panel/lista?ruc=20999999990").await.assert_contains("Ninguna de sus listas tiene el RUC 20999999990.");
    let page = owner.submit(&path(COMPANY), "/panel/seguimiento", &[("text", COMPANY)]).await;
    page.assert_contains("value=\"20100119227\"");
}

#[actix_web::test]
async fn a_persons_sheet_has_neither_address_nor_premises() {
    let response = sheet(profile(PERSON, "ACTIVO", "HABIDO")).await;
    response.assert_all(["PEREZ &#60;B&#62;ANA&#60;/B&#62;", "No se publica el domicilio de las personas."]);
    response.assert_none(["Locales anexos", "JR. ANEXO", "MOLIENDA", "datos_abiertos"]);
    assert_eq!(response.charged(), Some(("ruc-ficha", 1, ResultCode::Found)));
}

#[actix_web::test]
async fn not_found_not_valid_and_not_known_are_three_pages() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;

    let absent = open(&mut owner, ABSENT).await;
    assert_eq!(absent.status, StatusCode::NOT_FOUND);
    absent.assert_all(["No existe", "No estaba en el padrón del 19 nov 2026."]);
    absent.assert_lacks("nadie lo tiene");
    assert_eq!(absent.charged(), Some(("ruc-ficha", 1, ResultCode::DocumentNotFound)));

    for (typed, why) in [("20100119228", "dígito verificador"), ("2010011922", "11 dígitos"), ("%3Cb%3E", "11 dígitos")]
    {
        let invalid = open(&mut owner, typed).await;
        assert_eq!(invalid.status, StatusCode::BAD_REQUEST, "{typed}");
        invalid.assert_all(["No es un RUC válido", why]);
        invalid.assert_lacks("<b>");
        assert_eq!(invalid.charged(), None, "{typed} costs nothing");
    }

    app.registry.fail(ruc(COMPANY), SourceErrorKind::Unreadable);
    let unknown = open(&mut owner, COMPANY).await;
    assert_eq!(unknown.status, StatusCode::SERVICE_UNAVAILABLE);
    unknown.assert_all(["No se pudo averiguar", "No significa nada sobre el RUC."]);
    assert_eq!(unknown.charged(), Some(("ruc-ficha", 1, ResultCode::UpstreamUnavailable)));
    assert!(unknown.call.unwrap().take_cause().unwrap().contains("registry"), "the log has the cause");
}

#[actix_web::test]
async fn a_sheet_that_another_site_opens_asks_first() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let request = || TestRequest::get().uri("/panel/consultar/20100119227");
    let here = ("Sec-Fetch-Site", "same-origin");
    let asked = [
        ("another site", request().insert_header(("Sec-Fetch-Site", "cross-site"))),
        ("a site of the same domain", request().insert_header(("Sec-Fetch-Site", "same-site"))),
        ("a prefetch", request().insert_header(here).insert_header(("Sec-Purpose", "prefetch;prerender"))),
        ("no header", request()),
        ("another referrer", request().insert_header((REFERER, "http://evil.example/panel.example/"))),
        ("two headers", request().append_header(here).append_header(("Sec-Fetch-Site", "cross-site"))),
    ];
    for (what, request) in asked {
        let response = owner.send(request).await;
        assert_eq!(response.status, StatusCode::OK, "{what}");
        response.assert_all(["descuenta una consulta de su plan", "value=\"20100119227\""]);
        response.assert_lacks("MOLINOS");
        assert_eq!(response.charged(), None, "{what}");
    }
    let head = TestRequest::default().method(actix_web::http::Method::HEAD).uri("/panel/consultar/20100119227");
    assert_eq!(owner.send(head.insert_header(here)).await.charged(), None, "HEAD");
    for request in [request().insert_header(here), request().insert_header((REFERER, "http://panel.example/panel/x"))] {
        owner.send(request).await.assert_contains("MOLINOS");
    }
}

#[actix_web::test]
async fn a_sheet_spends_the_accounts_own_rate_and_queries() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    // The plan's burst.
    for _ in 0..10 {
        assert_eq!(open(&mut owner, COMPANY).await.status, StatusCode::OK);
    }
    let fast = open(&mut owner, COMPANY).await;
    assert_eq!((fast.status, fast.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "1"));
    fast.assert_contains("Superó la velocidad de su plan");
    assert_eq!(fast.charged(), None);
    owner.get("/panel/consumo").await.assert_contains("id=\"used\">10<");

    app.use_queries_up_to(EMAIL, 1_000).await;
    app.clock.advance(Duration::from_secs(1));
    let exhausted = open(&mut owner, COMPANY).await;
    assert_eq!((exhausted.status, exhausted.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, ""));
    exhausted
        .assert_contains("cuesta 1 consulta, y de su plan le quedan 0 en este mes. Se renuevan el 1 de diciembre.");
    assert_eq!(exhausted.charged(), None);
}
