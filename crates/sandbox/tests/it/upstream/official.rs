use std::time::Duration;

use kuraka_sandbox::{
    sample::{ABSENT, BAD_CHECK_DIGIT, COMPANY, ON_BOTH_LISTS, PERSON},
    upstream::{Config, Pace, Upstream},
};

use super::client::{TOKEN, ask, ask_briefly, ask_form, loopback, send, start};

/// What stands in the page between a label and the next tag after its value, blanks folded.
fn value_of(page: &str, label: &str) -> String {
    let after = page.split(&format!("{label}</h4>")).nth(1).unwrap();
    let mut value = after.split(['>', '<']).filter(|text| !text.contains(['=', '/'])).map(str::trim);
    value.find(|text| !["", "div", "td", "tr", "tbody"].contains(text)).unwrap().to_owned()
}

#[tokio::test]
async fn the_page_is_latin_1_with_crlf_and_cookies() {
    let upstream = start().await;
    let reply = ask(&upstream, COMPANY).await.reply();
    assert_eq!((reply.status, reply.header("Content-Type")), (200, Some("text/html")));
    assert!(reply.page().contains("<meta charset=\"utf-8\">"));
    assert!(reply.body.windows(24).any(|text| text == b"Resultado de la B\xfasqueda"));
    assert!(String::from_utf8(reply.body.clone()).is_err());
    assert_eq!(reply.page().matches('\n').count(), reply.page().matches("\r\n").count());
    assert!(reply.head.contains("Set-Cookie: ITMRCONSRUCSESSION=") && reply.head.contains("Set-Cookie: TS01"));
}

#[tokio::test]
async fn nothing_is_made_up_about_a_real_company() {
    let upstream = start().await;
    let page = ask(&upstream, COMPANY).await.reply().page();
    assert!(page.contains(">20100119227 - 3M PERU S A</h4>"));
    assert!(page.contains("AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB.  EL PALOMAR  LIMA   "));
    assert!(page.contains("Agentes de Retención de IGV (R.S.037-2002) a partir del 01/06/2002</td>"));
    assert_eq!(value_of(&page, "Tipo Contribuyente:"), "PERSONA JURIDICA");
    for label in ["Nombre Comercial:", "Fecha de Inscripci&oacute;n:", "Sistema Contabilidad:"] {
        assert_eq!(value_of(&page, label), "-", "{label}");
    }
    assert_eq!(value_of(&page, "Estado del Contribuyente:"), "ACTIVO");
}

#[tokio::test]
async fn an_invented_company_has_every_field() {
    let upstream = start().await;
    let page = ask(&upstream, ON_BOTH_LISTS).await.reply().page();
    for label in ["Tipo Contribuyente:", "Fecha de Inscripci&oacute;n:", "Afiliado al PLE desde:"] {
        assert_ne!(value_of(&page, label), "-", "{label}");
    }
    assert!(page.contains("<tr><td>Principal    - "));
    assert!(page.contains("Régimen de Buenos Contribuyentes") && page.contains("Régimen de Agentes de Retención"));
    let again = ask(&upstream, ON_BOTH_LISTS).await.reply().page();
    assert_eq!(page, again, "what is made up is always the same");
}

#[tokio::test]
async fn department_and_province_are_padded_to_131_characters() {
    let upstream = start().await;
    let page = ask(&upstream, ON_BOTH_LISTS).await.reply().page();
    let line = format!("Z.I.  LA ESPERANZA  {:<131}- {:<131}- VICTOR LARCO HERRERA<", "LA LIBERTAD", "TRUJILLO");
    assert!(page.contains(&line), "{page}");
}

#[tokio::test]
async fn callao_is_a_constitutional_province() {
    let upstream = start().await;
    assert!(ask(&upstream, "20999990399").await.reply().page().contains("  PROV. CONST. DEL CALLAO   "));
}

#[tokio::test]
async fn a_form_without_modo_gets_the_error_page() {
    let upstream = start().await;
    let form = format!("accion=consPorRuc&nroRuc={ON_BOTH_LISTS}&token={TOKEN}");
    assert!(ask_form(&upstream, &form).await.reply().page().contains("Pagina de Error"));
}

#[tokio::test]
async fn a_person_has_a_document_and_no_address() {
    let upstream = start().await;
    let page = ask(&upstream, PERSON).await.reply().page();
    assert!(page.contains("DNI  99999007") && page.contains("- VILCA CONDORI , WILBER"));
    assert_eq!(value_of(&page, "Domicilio Fiscal:"), "-");
}

#[tokio::test]
async fn a_deregistered_company_has_two_banners_and_its_day() {
    let upstream = start().await;
    let page = ask(&upstream, "20999990330").await.reply().page();
    assert_eq!(page.matches("<strong>IMPORTANTE:</strong>").count(), 2);
    assert!(page.find("IMPORTANTE").unwrap() < page.find("mero de RUC:").unwrap());
    let status = page.split("Estado del Contribuyente:").nth(1).unwrap();
    assert!(status.split("</p>").next().unwrap().contains("</br>"));
    assert!(status.contains("Fecha de Baja:"));
}

#[tokio::test]
async fn statuses_that_the_padron_cuts_are_whole_on_the_page() {
    let upstream = start().await;
    let page = ask(&upstream, "20999990241").await.reply().page();
    assert_eq!(value_of(&page, "Estado del Contribuyente:"), "BAJA PROV. POR OFICIO");
    assert_eq!(value_of(&page, "Condici&oacute;n del Contribuyente:"), "NO HALLADO SE MUDO DE DOMICILIO");
}

#[tokio::test]
async fn names_are_escaped_and_may_hold_pipes() {
    let upstream = start().await;
    let page = ask(&upstream, "20999990631").await.reply().page();
    assert!(page.contains("CAFE INVENTADO &lt;ALTURA&gt; &amp; 'AROMA' S.A.</h4>"));
    assert!(ask(&upstream, "20999990097").await.reply().page().contains("20999990097 - COMERCIAL A|B S.A.C.</h4>"));
}

#[tokio::test]
async fn an_unknown_number_gets_the_known_sentence() {
    let upstream = start().await;
    for number in [ABSENT, BAD_CHECK_DIGIT, "20999999907", "123"] {
        let reply = ask(&upstream, number).await.reply();
        let sentence = format!("El número de RUC {number} consultado no es válido. Debe verificar el número");
        assert!(reply.status == 200 && reply.page().contains(&sentence), "{number}");
        assert!(!reply.page().contains("list-group"));
    }
}

#[tokio::test]
async fn a_get_is_redirected_to_the_search_form() {
    let upstream = start().await;
    let reply = send(&upstream, "GET /cl-ti-itmrconsruc/jcrS00Alias HTTP/1.1\r\n\r\n").await.reply();
    let form = reply.header("Location").unwrap().to_owned();
    assert_eq!(reply.status, 302);
    let reply = send(&upstream, &format!("GET {form} HTTP/1.1\r\n\r\n")).await.reply();
    assert!(reply.status == 200 && reply.page().contains("Criterio de Búsqueda"));
    assert_eq!(send(&upstream, "GET / HTTP/1.1\r\n\r\n").await.reply().status, 404);
}

#[tokio::test]
async fn an_empty_or_short_token_gets_the_error_page() {
    let upstream = start().await;
    for token in ["", "abc", &TOKEN.replace('a', "%20")] {
        let form = format!("accion=consPorRuc&nroRuc={COMPANY}&token={token}&modo=1");
        let page = ask_form(&upstream, &form).await.reply().page();
        assert!(page.contains(".:: Pagina de Error ::."), "{token}");
        assert!(page.contains("Surgieron problemas al procesar la consulta por número de ruc."));
    }
    assert!(ask(&upstream, COMPANY).await.reply().page().contains("3M PERU"), "without a pace there is no ban");
}

#[tokio::test]
async fn fast_clients_are_banned_with_resets_or_silence() {
    for silent in [false, true] {
        let pace = Pace { interval: Duration::from_secs(60), ban: Duration::from_secs(60), silent };
        let config = Config { pace: Some(pace), ..Config::default() };
        let upstream = Upstream::start(loopback(), config).await.unwrap();
        assert!(ask(&upstream, COMPANY).await.reply().page().contains("3M PERU"));
        for _ in 0..2 {
            let received = ask_briefly(&upstream, COMPANY).await;
            assert!(received.bytes.is_empty());
            assert_eq!((received.reset, received.silent), (!silent, silent));
        }
    }
}

#[tokio::test]
async fn a_missing_token_is_banned_too() {
    let pace = Pace { interval: Duration::ZERO, ban: Duration::from_secs(60), silent: false };
    let config = Config { pace: Some(pace), ..Config::default() };
    let upstream = Upstream::start(loopback(), config).await.unwrap();
    let form = format!("accion=consPorRuc&nroRuc={COMPANY}&token=&modo=1");
    assert!(ask_form(&upstream, &form).await.reply().page().contains("Pagina de Error"));
    assert!(ask(&upstream, COMPANY).await.reset);
}

#[tokio::test]
async fn an_unknown_district_has_names_all_the_same() {
    let upstream = start().await;
    let page = ask(&upstream, "20999990305").await.reply().page();
    let line = format!("AV. NUEVA NRO. 1  {:<131}- {:<131}- DISTRITO NUEVO<", "LIMA", "PROVINCIA NUEVA");
    assert!(page.contains(&line), "{page}");
}
