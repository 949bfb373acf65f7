use std::io::Read;

use encoding_rs::WINDOWS_1252;
use flate2::read::GzDecoder;
use kuraka_sandbox::{
    sample::{COMPANY, ON_BOTH_LISTS},
    upstream::{Alteration, Coding, Fault, Page, RedirectTo, Replacement, Target, Upstream},
};

use super::client::{Reply, ask, ask_detailed, detailed, start};

async fn page(upstream: &Upstream, fault: impl Into<Fault>) -> Reply {
    upstream.fault(&Target::Official, fault, 1);
    ask(upstream, ON_BOTH_LISTS).await.reply()
}

async fn json(upstream: &Upstream, fault: impl Into<Fault>) -> Reply {
    upstream.fault(&detailed(), fault, 1);
    ask_detailed(upstream, ON_BOTH_LISTS).await.reply()
}

#[tokio::test]
async fn each_charset_fault_is_as_requested() {
    let upstream = start().await;
    let latin = ask(&upstream, ON_BOTH_LISTS).await.reply().body;
    let text = WINDOWS_1252.decode_without_bom_handling(&latin).0.into_owned();
    let utf8 = text.as_bytes().to_vec();
    let twice = WINDOWS_1252.decode_without_bom_handling(&utf8).0.into_owned().into_bytes();
    for (coding, kind, body) in [
        (Coding::Windows1252Declared, "text/html; charset=windows-1252", &latin),
        (Coding::Windows1252AsUtf8, "text/html; charset=utf-8", &latin),
        (Coding::Utf8Declared, "text/html; charset=utf-8", &utf8),
        (Coding::Utf8Undeclared, "text/html", &utf8),
        (Coding::Utf8AsLatin1, "text/html; charset=ISO-8859-1", &utf8),
        (Coding::Utf8Twice, "text/html; charset=utf-8", &twice),
    ] {
        let reply = page(&upstream, coding).await;
        assert_eq!((reply.header("Content-Type"), &reply.body), (Some(kind), body), "{coding:?}");
    }
    let replaced = String::from_utf8(page(&upstream, Coding::Replaced).await.body).unwrap();
    assert!(replaced.contains("Resultado de la B\u{FFFD}squeda"));
}

#[tokio::test]
async fn gzip_is_right_a_bomb_truncated_or_none() {
    const BLANKS: usize = 4 << 20;
    let upstream = start().await;
    let plain = ask(&upstream, ON_BOTH_LISTS).await.reply().body;
    let unzip = |body: &[u8]| {
        let mut bytes = Vec::new();
        GzDecoder::new(body).read_to_end(&mut bytes).map(|_| bytes)
    };
    let reply = page(&upstream, Coding::Gzip).await;
    assert_eq!(reply.header("Content-Encoding"), Some("gzip"));
    assert_eq!(unzip(&reply.body).unwrap(), plain);

    let bomb = page(&upstream, Coding::GzipBomb(BLANKS)).await.body;
    assert!(bomb.len() < BLANKS / 200, "{} bytes", bomb.len());
    assert_eq!(unzip(&bomb).unwrap().len(), plain.len() + BLANKS);

    for broken in [Coding::GzipTruncated, Coding::GzipGarbage] {
        let reply = page(&upstream, broken).await;
        assert_eq!(reply.header("Content-Encoding"), Some("gzip"));
        assert!(unzip(&reply.body).is_err(), "{broken:?}");
    }
}

#[tokio::test]
async fn a_page_can_be_altered() {
    let upstream = start().await;
    let altered = async |alteration: Alteration| {
        upstream.fault(&Target::Official, alteration, 1);
        ask(&upstream, ON_BOTH_LISTS).await.reply().page()
    };
    let whole = ask(&upstream, ON_BOTH_LISTS).await.reply().page();
    assert!(whole.contains("Estado del Contribuyente:") && whole.contains("MOLINOS"));

    let page = altered(Alteration::LabelsRenamed).await;
    assert!(page.contains("MOLINOS") && !page.contains("Contribuyente:") && page.contains("Rubro 3:"));
    let page = altered(Alteration::LabelRemoved).await;
    assert!(!page.contains("Estado del") && page.contains("n del Contribuyente:"));
    assert!(altered(Alteration::Masked).await.contains(&format!("{ON_BOTH_LISTS} - *****<")));
    assert!(altered(Alteration::HugeName).await.len() > 1_000_000);
    assert!(altered(Alteration::WrongValues).await.contains("31/02/20O5"));
    assert_eq!(altered(Alteration::Twice).await, whole.repeat(2));
    let page = altered(Alteration::OtherRuc).await;
    assert!(!page.contains(ON_BOTH_LISTS) && page.contains("Estado del Contribuyente:"));
}

#[tokio::test]
async fn a_providers_answer_can_be_altered() {
    let upstream = start().await;
    let whole = ask_detailed(&upstream, ON_BOTH_LISTS).await.reply();
    let renamed = json(&upstream, Alteration::LabelsRenamed).await.json();
    assert!(renamed.get("estado").is_none() && renamed["campo_estado"] == "ACTIVO");
    let removed = json(&upstream, Alteration::LabelRemoved).await.json();
    assert!(removed.get("estado").is_none() && removed["ruc"] == ON_BOTH_LISTS);
    assert_eq!(json(&upstream, Alteration::Masked).await.json()["razonSocial"], "*****");
    assert_eq!(json(&upstream, Alteration::HugeName).await.json()["razonSocial"].as_str().unwrap().len(), 1_000_000);
    let wrong = json(&upstream, Alteration::WrongValues).await.json();
    assert!(wrong["ruc"] == ON_BOTH_LISTS && wrong["razonSocial"].is_number() && wrong["actividades"].is_object());
    assert_eq!(json(&upstream, Alteration::Twice).await.body, whole.body.repeat(2));
    assert_ne!(json(&upstream, Alteration::OtherRuc).await.json()["ruc"], ON_BOTH_LISTS);
}

#[tokio::test]
async fn web_pages_come_instead_with_status_200() {
    let upstream = start().await;
    for (instead, says) in [
        (Page::Firewall, "<title>Request Rejected</title>"),
        (Page::Captcha, "g-recaptcha"),
        (Page::Denied, "Acceso denegado"),
        (Page::Error, ".:: Pagina de Error ::."),
        (Page::SearchForm, "Criterio de Búsqueda"),
        (Page::Maintenance, "mantenimiento"),
    ] {
        for reply in [page(&upstream, instead).await, json(&upstream, instead).await] {
            assert_eq!((reply.status, reply.header("Content-Type")), (200, Some("text/html")), "{instead:?}");
            assert!(reply.page().contains(says), "{instead:?}");
        }
    }
}

#[tokio::test]
async fn statuses_waits_and_redirects_come_instead() {
    let upstream = start().await;
    for status in [400, 401, 403, 404, 410, 418, 500, 502, 503, 504] {
        assert_eq!(page(&upstream, Replacement::Status(status)).await.status, status);
        assert_eq!(json(&upstream, Replacement::Status(status)).await.status, status);
    }
    for retry_after in [None, Some("3600"), Some("Fri, 31 Dec 2100 23:59:59 GMT")] {
        let reply = json(&upstream, Replacement::Throttled(retry_after)).await;
        assert_eq!((reply.status, reply.header("Retry-After")), (429, retry_after));
    }
    for (to, location) in [
        (RedirectTo::OtherHost, "http://elsewhere.invalid/"),
        (RedirectTo::Itself, "/cl-ti-itmrconsruc/jcrS00Alias"),
        (RedirectTo::SearchForm, "/cl-ti-itmrconsruc/FrameCriterioBusquedaWeb.jsp"),
    ] {
        let reply = page(&upstream, Replacement::Redirect(to)).await;
        assert_eq!((reply.status, reply.header("Location")), (302, Some(location)));
    }
}

#[tokio::test]
async fn empty_bodies_other_formats_and_not_found_come_instead() {
    let upstream = start().await;
    let reply = page(&upstream, Replacement::Empty).await;
    assert_eq!((reply.status, reply.header("Content-Length"), reply.body.len()), (200, Some("0"), 0));
    let reply = page(&upstream, Replacement::NoContent).await;
    assert_eq!((reply.status, reply.header("Content-Length")), (204, None));
    assert!(page(&upstream, Replacement::OtherFormat).await.json().is_object());
    assert!(json(&upstream, Replacement::OtherFormat).await.page().contains("<html"));
    assert!(page(&upstream, Replacement::NotFound).await.page().contains("consultado no es válido"));
    assert_eq!(json(&upstream, Replacement::NotFound).await.json()["success"], false);
}

#[tokio::test]
async fn faults_queue_for_their_target_alone_and_heal() {
    let upstream = start().await;
    upstream.fault(&Target::Official, Replacement::Status(500), 2);
    upstream.fault(&Target::Official, Replacement::Status(503), 1);
    assert_eq!(ask_detailed(&upstream, COMPANY).await.reply().status, 200, "the provider is well");
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(ask(&upstream, COMPANY).await.reply().status);
    }
    assert_eq!(statuses, [500, 500, 503, 200]);

    upstream.fault(&Target::Official, Replacement::Status(500), usize::MAX);
    upstream.fault(&Target::Official, Replacement::Status(500), 0);
    assert_eq!(ask(&upstream, COMPANY).await.reply().status, 500);
    upstream.heal();
    assert_eq!(ask(&upstream, COMPANY).await.reply().status, 200);
}
