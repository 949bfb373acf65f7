use kuraka_sandbox::sample::{ABSENT, BAD_CHECK_DIGIT, COMPANY, ON_BOTH_LISTS, PERSON};

use super::client::{TOKEN, ask, ask_form, send, start};

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
async fn the_page_writes_each_text_in_its_own_way() {
    let upstream = start().await;
    let padded =
        |before, department, province, district| format!("{before}  {department:<131}- {province:<131}- {district}<");
    for (ruc, line) in [
        (ON_BOTH_LISTS, padded("Z.I.  LA ESPERANZA", "LA LIBERTAD", "TRUJILLO", "VICTOR LARCO HERRERA")),
        ("20999990399", "  PROV. CONST. DEL CALLAO   ".to_owned()),
        ("20999990305", padded("AV. NUEVA NRO. 1", "LIMA", "PROVINCIA NUEVA", "DISTRITO NUEVO")),
        ("20999990631", "CAFE INVENTADO &lt;ALTURA&gt; &amp; 'AROMA' S.A.</h4>".to_owned()),
        ("20999990097", "20999990097 - COMERCIAL A|B S.A.C.</h4>".to_owned()),
        // The padrón cuts these.
        ("20999990241", "BAJA PROV. POR OFICIO\r\n".to_owned()),
        ("20999990241", "NO HALLADO SE MUDO DE DOMICILIO\r\n".to_owned()),
    ] {
        let page = ask(&upstream, ruc).await.reply().page();
        assert!(page.contains(&line), "{line}: {page}");
    }
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
async fn a_form_without_modo_or_with_a_wrong_token_gets_the_error_page() {
    let upstream = start().await;
    let tokens = ["&modo=1", "abc&modo=1", &format!("{}&modo=1", TOKEN.replace('a', "%20")), TOKEN];
    for rest in tokens {
        let form = format!("accion=consPorRuc&nroRuc={COMPANY}&token={rest}");
        let page = ask_form(&upstream, &form).await.reply().page();
        assert!(page.contains(".:: Pagina de Error ::."), "{rest}");
        assert!(page.contains("Surgieron problemas al procesar la consulta por número de ruc."));
    }
}
